"""A sign of life on anything that takes more than a second: on the terminal, never in what is piped on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any, TypeVar

Each = TypeVar("Each")

PATIENCE = 1.0
"""Seconds before a sign of life is given."""


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what is being done, if it takes more than a second and somebody is looking."""
    if not sys.stderr.isatty():
        yield
        return
    started: list[Any] = []
    timer = Timer(PATIENCE, _start, (what, started))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for status in started:
            status.stop()


def _start(what: str, started: list[Any]) -> None:
    from rich.console import Console

    status = Console(stderr=True).status(f"{what} ...")
    status.start()
    started.append(status)


def counted(many: Iterable[Each], total: int, what: str) -> Iterator[Each]:
    """Pass on one after the other, with a bar that shows how many are done if somebody is looking."""
    if not sys.stderr.isatty():
        yield from many
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(many, f"{what} ...", total=total, console=Console(stderr=True), transient=True)
