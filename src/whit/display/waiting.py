"""A sign that something is at work, for calls that take long: in a notebook, on a terminal and in a log.

`progress` shows the sign; whatever goes through many things one by one passes them through `steps`, and the sign then
says how many are done. Without a sign, `steps` does nothing. What often takes long is `at_work`: it shows a sign by
itself where a person looks on, unless another one is shown. The work stays in the thread that called for it, so that
an interrupt (the stop button, Ctrl-C) ends it as ever, and the sign with it.
"""

from __future__ import annotations

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from threading import Event, Thread, current_thread, main_thread
from typing import Any, TypeVar

from whit.display.html import Markup, block, paragraph

Each = TypeVar("Each")

PATIENCE = 2.0
"""So many seconds pass before anything is shown."""


@dataclass
class _Loop:
    """Things that are gone through one by one."""

    what: str
    total: int
    done: int = 0

    def __str__(self) -> str:
        return f"{self.what} {self.done + 1} of {self.total}"


@dataclass
class _Work:
    """What is under way: its name, when it began, and the loops that it is in, the outermost first."""

    what: str
    began: float = field(default_factory=time.monotonic)
    loops: list[_Loop] = field(default_factory=list)

    @property
    def seconds(self) -> str:
        return f"{time.monotonic() - self.began:.0f} s"

    def __str__(self) -> str:
        # A copy: the loops change while they are read.
        return ", ".join([f"{self.what}: {self.seconds}", *map(str, list(self.loops))])

    @property
    def share(self) -> float | None:
        """How much of the outermost loop is done, an inner one counted as part of its step; None without a loop."""
        share, part = 0.0, 1.0
        loops = list(self.loops)
        for loop in loops:
            share += part * loop.done / loop.total
            part /= loop.total
        return share if loops else None


_UNDER_WAY: ContextVar[_Work | None] = ContextVar("under_way", default=None)
_SHOWN_ELSEWHERE: ContextVar[bool] = ContextVar("shown_elsewhere", default=False)


def steps(many: Iterable[Each], what: str, total: int) -> Iterator[Each]:
    """Pass on one after the other; if a sign is shown, it says how many are done.

    >>> [each for each in steps("ab", "letter", total=2)]
    ['a', 'b']
    """
    work = _UNDER_WAY.get()
    if work is None:
        yield from many
        return
    loop = _Loop(what, max(total, 1))
    work.loops.append(loop)
    try:
        for each in many:
            yield each
            loop.done = min(loop.done + 1, loop.total)
    finally:
        if loop in work.loops:
            work.loops.remove(loop)


@contextmanager
def progress(what: str = "whit is at work", *, patience: float = PATIENCE) -> Iterator[None]:
    """Show that something is at work while it takes long, and how much is done where that is known.

    A notebook shows a bar, a terminal a line that changes, and a log a line every few seconds; they go to standard
    error. The bar or line goes away at the end. An interrupt ends the work.

    >>> with progress("Assessing"):
    ...     pass

    Args:
        what: what is done, in a few words.
        patience: how many seconds pass before anything is shown.
    """
    work, ended = _Work(what), Event()
    before = _UNDER_WAY.set(work)
    sign = _sign()
    # In the context of the caller, so that a notebook shows it below the cell that runs.
    teller = Thread(target=copy_context().run, args=(_tell, work, sign, ended, patience), daemon=True)
    teller.start()
    stopped = True
    try:
        yield
        stopped = False
    finally:
        ended.set()
        teller.join()
        _UNDER_WAY.reset(before)
        with suppress(OSError, ValueError):  # a stream that is closed or full
            sign.end(f"{what}: stopped after {work.seconds}." if stopped else "")


@contextmanager
def at_work(what: str) -> Iterator[None]:
    """Show a sign of what takes long where a person looks on: in a notebook or on a terminal, once, and nowhere else.

    >>> @at_work("Assessing")
    ... def slow():
    ...     return 1
    >>> slow()
    1
    """
    if _UNDER_WAY.get() is not None or _SHOWN_ELSEWHERE.get() or not _is_watched():
        yield
        return
    with progress(what, patience=PATIENCE):
        yield


@contextmanager
def shown_elsewhere() -> Iterator[None]:
    """Leave it to the caller to show that something is at work."""
    before = _SHOWN_ELSEWHERE.set(True)
    try:
        yield
    finally:
        _SHOWN_ELSEWHERE.reset(before)


def _is_watched() -> bool:
    """Whether a person looks on: not from a thread of a server or another process, which share the terminal."""
    processes = sys.modules.get("multiprocessing.process")
    if current_thread() is not main_thread() or (processes is not None and processes.parent_process() is not None):
        return False
    return isinstance(_sign(), _Bar | _Line)


def _tell(work: _Work, sign: _Sign, ended: Event, patience: float) -> None:
    """Show the work again and again until it has ended."""
    wait = patience
    while not ended.wait(wait):
        with suppress(OSError, ValueError):  # a stream that is closed or full
            sign.show(work)
        wait = sign.interval


class _Sign(ABC):
    """How it is shown that something is at work."""

    interval: float

    @abstractmethod
    def show(self, work: _Work) -> None:
        """Show it, in place of what was shown before."""

    @abstractmethod
    def end(self, last: str) -> None:
        """Take away what is shown, and leave the last words, if there are any and something was shown."""


class _Bar(_Sign):
    """A bar in a notebook."""

    interval = 0.5

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, work: _Work) -> None:
        full = "" if work.share is None else f' value="{work.share:.3f}"'
        self._put(block(Markup(f'<progress max="1"{full}></progress>'), paragraph(f"{work}. Interrupt to stop.")))

    def end(self, last: str) -> None:
        if self._handle is not None:
            self._put(block(paragraph(last)) if last else "")

    def _put(self, page: str) -> None:
        from IPython.display import HTML, display

        if self._handle is None:
            self._handle = display(HTML(page), display_id=True)
        else:
            self._handle.update(HTML(page))


class _Line(_Sign):
    """A line of a terminal that changes."""

    interval = 0.5

    def __init__(self) -> None:
        self._width = 0

    def show(self, work: _Work) -> None:
        line = f"{work}. Ctrl-C ends it."[: _columns() - 1]  # a longer one would not be written over
        sys.stderr.write(f"\r{line.ljust(self._width)}")
        sys.stderr.flush()
        self._width = len(line)

    def end(self, last: str) -> None:
        if self._width:
            sys.stderr.write(f"\r{' ' * self._width}\r{last}{chr(10) if last else ''}")
            sys.stderr.flush()


def _columns() -> int:
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns
    return 80


class _Log(_Sign):
    """A line now and then."""

    interval = 10.0

    def show(self, work: _Work) -> None:
        sys.stderr.write(f"{work}. Ctrl-C ends it.\n")
        sys.stderr.flush()

    def end(self, last: str) -> None:
        """The lines stay; what ended the work says so itself."""


def _sign() -> _Sign:
    """The way of the place where the work is done."""
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    if getattr(running, "kernel", None) is not None:
        return _Bar()
    stream = sys.stderr
    if stream is None:
        return _Silence()
    return _Line() if stream.isatty() else _Log()


class _Silence(_Sign):
    """Nothing, where there is nowhere to show it."""

    interval = 10.0

    def show(self, work: _Work) -> None:
        """Nothing."""

    def end(self, last: str) -> None:
        """Nothing."""
