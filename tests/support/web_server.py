"""A real server on a free port of this machine, somebody who is let in, and windows of a real browser."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import httpx
from fastapi import FastAPI

from whit.apps.web import Settings, create_app, link_of, listening
from whit.apps.web.serving import server_of

PLAN = """
name = "commuters"
unit = "person"
neighbours = "replace"
levels = ["Country", "County", "Town"]
single = ["Country"]

[[budget]]
name = "people"
rho = "0.5"
levels = {Country = "1/5", County = "3/10", Town = "1/2"}

[[query]]
name = "total"
replace = 0
budget = "people"
shares = {County = "1/4", Town = "1/4"}

[[query]]
name = "age by sex"
attributes = ["age", "sex"]
budget = "people"
shares = {Country = "1", County = "3/4", Town = "3/4"}
"""
"""A small plan, as a file has it."""

SECRET = b"0123456789abcdef" * 4
"""A secret that stays the same when a server is started again."""


PATIENCE = 120_000
"""The milliseconds that a browser waits for a page or for something on it."""


class Running:
    """A server that runs in a thread."""

    def __init__(self, settings: Settings, listener: socket.socket | None = None) -> None:
        self.listener = listener or listening("127.0.0.1", 0)
        if listener is None:
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
        """Where it is reached."""
        return self.settings.base

    def link(self) -> str:
        """A new one-time link."""
        return link_of(self.app)

    def stop(self) -> None:
        """Stop it, after what is under way."""
        self._server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive(), "the server did not stop"


@contextmanager
def running(settings: Settings, listener: socket.socket | None = None) -> Iterator[Running]:
    """A server for as long as it is needed."""
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


def fields(text: str) -> dict[str, str]:
    """The hidden fields of the first form of a page that has any, as a browser would send them."""
    form = next((each for each in re.findall(r"<form.*?</form>", text, flags=re.DOTALL) if 'name="token"' in each), "")
    assert form, "there is no form with a token"
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))


class Browsing:
    """Windows of one server, which note every request to another one and every script that fails."""

    def __init__(self, chromium: Any, server: Running) -> None:
        self._chromium, self.server = chromium, server
        self._contexts: list[Any] = []
        self.strangers: list[str] = []
        self.errors: list[str] = []

    def window(
        self, *, width: int = 1400, dark: bool = False, script: bool = True, entered: bool = True, **more: Any
    ) -> Any:
        """A page in a window of its own, which was let in by a one-time link."""
        context = self._chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            **more,
        )
        self._contexts.append(context)
        # How long a page takes on a busy machine is not what is tested.
        context.set_default_timeout(PATIENCE)
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
        """Close all windows."""
        for context in self._contexts:
            context.close()


def violations(page: Any) -> list[str]:
    """What axe finds wrong on a page that is open."""
    from axe_playwright_python.sync_playwright import Axe

    # A click ends when the next page begins: before its title and its colours are there, axe would miss them.
    page.wait_for_load_state("load")
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
