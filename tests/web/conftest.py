"""A ledger, a server of it, somebody who is let in, and a real browser; tests/support/web_server.py has the parts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from ledger_places import postgres_server
from web_server import SECRET, Browsing, Running, let_in, running

from whit.apps.web import Settings
from whit.ledger import Ledger

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office's ledger with two accounts, one of which asks for two people."""
    path = tmp_path_factory.mktemp("office") / "office.ledger"
    with Ledger.create(path, actor="keeper") as book:
        book.declare("patients", parts=("north", "south"))
        limits = ["posterior=0.3, prior=0.1"]
        book.open("patients 2026", "patients", limits=limits, failure=0.01)
        book.open("patients for two", "patients", limits=limits, failure=0.01, second_person=True)
    return path


@pytest.fixture
def ledger(template: Path, tmp_path: Path) -> Path:
    """A copy of the office's ledger."""
    return Path(shutil.copy(template, tmp_path / "office.ledger"))


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL server of these tests alone."""
    with postgres_server(tmp_path_factory.mktemp("postgres")) as url:
        yield url


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

    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if root else [])
        yield started
        started.close()


@pytest.fixture
def browser(chromium: object, server: Running) -> Iterator[Browsing]:
    """Windows of a real browser. After the test: no request left the server, and no script failed."""
    windows = Browsing(chromium, server)
    yield windows
    windows.close()
    assert windows.strangers == []
    assert windows.errors == []
