"""A real server on a free port of this machine, somebody who is let in, and a real browser."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from whit.apps.web.app import create_app
from whit.apps.web.serving import link_of, listening, server_of
from whit.apps.web.settings import Settings
from whit.ledger import Ledger

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SECRET = b"0123456789abcdef" * 4


class Running:
    """A server that runs in a thread."""

    def __init__(self, settings: Settings, listener: socket.socket | None = None) -> None:
        self.listener = listener or listening("127.0.0.1", 0)
        if self.listener.family == socket.AF_INET and listener is None:
            settings = replace(settings, base=f"http://127.0.0.1:{self.listener.getsockname()[1]}")
        self.settings = settings
        self.app: FastAPI = create_app(settings)
        self._server = server_of(self.app)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.01)

    @property
    def url(self) -> str:
        return self.settings.base

    def link(self) -> str:
        """A new one-time link."""
        return link_of(self.app)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server did not stop"


@contextmanager
def running(settings: Settings, listener: socket.socket | None = None) -> Iterator[Running]:
    server = Running(settings, listener)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def let_in(server: Running) -> Iterator[httpx.Client]:
    """Somebody who came by a one-time link; forms are sent as a browser sends them."""
    with httpx.Client(base_url=server.url, follow_redirects=True, headers={"origin": server.url}, timeout=60) as client:
        assert client.get(server.link()).status_code == 200
        yield client


def token_of(client: httpx.Client, path: str) -> str:
    """The token of a form on a page."""
    found = re.search(r'name="token" value="(\w+)"', client.get(path).text)
    assert found, f"{path} has no form with a token"
    return found.group(1)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """An office's ledger with two accounts, one of which asks for two people."""
    path = tmp_path / "office.ledger"
    with Ledger.create(path, actor="keeper") as book:
        book.declare("patients", parts=("north", "south"))
        limits = ["posterior=0.3, prior=0.1"]
        book.open("patients 2026", "patients", limits=limits, failure=0.01)
        book.open("patients for two", "patients", limits=limits, failure=0.01, second_person=True)
    return path


@pytest.fixture
def settings(ledger: Path) -> Settings:
    return Settings(ledger=str(ledger), secret=SECRET)


@pytest.fixture
def server(settings: Settings) -> Iterator[Running]:
    """The application of one person on this machine, with a ledger."""
    with running(settings) as started:
        yield started


@pytest.fixture
def client(server: Running) -> Iterator[httpx.Client]:
    """Somebody who was let in."""
    with let_in(server) as known:
        yield known


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """The browser; where there is none, the test did not run, and says so."""
    if CHROMIUM is None:
        pytest.skip("NOT RUN: there is no Chromium here. Run make test-web as root: it installs one.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if _is_root() else [])
        yield started
        started.close()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


class Browsing:
    """Browser windows of one server that note every request that leaves it, and every error of a script."""

    def __init__(self, chromium: object, server: Running) -> None:
        self._chromium, self.server = chromium, server
        self._contexts: list = []
        self.strangers: list[str] = []
        self.errors: list[str] = []

    def window(self, *, width: int = 1400, dark: bool = False, script: bool = True, entered: bool = True, **more):
        """A page in a window of its own, which was let in by a one-time link."""
        context = self._chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            **more,
        )
        self._contexts.append(context)
        context.on("request", lambda request: self._look(request.url))
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if "Content Security" in said.text else None)
        if entered:
            page.goto(self.server.link())
        return page

    def _look(self, url: str) -> None:
        if not url.startswith((self.server.url + "/", "data:")):
            self.strangers.append(url)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def browser(chromium: object, server: Running) -> Iterator[Browsing]:
    """Windows of a real browser. After the test: no request left the server, and no script failed."""
    windows = Browsing(chromium, server)
    yield windows
    windows.close()
    assert windows.strangers == []
    assert windows.errors == []


def violations(page) -> list[str]:
    """What axe finds wrong on a page that is open."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
