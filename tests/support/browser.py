"""A page as a browser without a network shows it; tests that need a browser are run by `make test-web`."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def needs_a_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test for `make test-web`, which installs a browser; where there is none it is skipped."""
    skipped = pytest.mark.skipif(BROWSER is None, reason="there is no browser here; install chromium")
    marked: Callable[..., None] = pytest.mark.web(skipped(test))
    return marked


@dataclass(frozen=True)
class Opened:
    """The elements of a page once its scripts have run, and what the scripts complained about."""

    elements: str
    complaints: tuple[str, ...]


def opened(page: Path, *, width: int = 1000) -> Opened:
    """The page, opened without a window and with no name of any host resolved."""
    assert BROWSER is not None
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
    options += ["--enable-logging=stderr", "--virtual-time-budget=4000", f"--window-size={width},800", "--dump-dom"]
    run = subprocess.run([BROWSER, *options, page.as_uri()], capture_output=True, check=True, timeout=120)
    complaints = re.findall(r"CONSOLE[^\"]*(\".*)", run.stderr.decode(errors="replace"))
    return Opened(run.stdout.decode(), tuple(complaints))
