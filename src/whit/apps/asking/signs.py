"""Signs of life while something takes long: whoever watches says how they look, and nobody need watch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol, TypeVar

Each = TypeVar("Each")


class Watcher(Protocol):
    """Who shows that something is at work."""

    def working(self, what: str) -> AbstractContextManager[None]:
        """Say what is being done while it takes long."""

    def counted(self, many: Iterable[Each], total: int, what: str) -> Iterator[Each]:
        """Pass on one after the other, and show how many are done."""


_WATCHER: ContextVar[Watcher | None] = ContextVar("whit.watcher", default=None)


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Let somebody watch what is done inside."""
    before = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(before)


def working(what: str) -> AbstractContextManager[None]:
    """Tell the watcher what is being done."""
    watcher = _WATCHER.get()
    return nullcontext() if watcher is None else watcher.working(what)


def counted(many: Iterable[Each], total: int, what: str) -> Iterable[Each]:
    """Tell the watcher how many are done."""
    watcher = _WATCHER.get()
    return many if watcher is None else watcher.counted(many, total, what)
