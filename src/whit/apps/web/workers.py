"""Processes that answer: warm ones for quick questions, each of which is killed when it takes too long."""

from __future__ import annotations

import multiprocessing
import os
import resource
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import Empty, LifoQueue
from typing import Any, TypeVar

from fastapi import Request

from whit import spec
from whit.apps.asking import watched_by
from whit.apps.web.watching import Accident, accident_of
from whit.errors import InvalidInput, TooCostly, Unavailable, WhitError

Each = TypeVar("Each")
Made = TypeVar("Made")
Result = TypeVar("Result")

NUMBER = 2
"""How many processes answer quick questions."""

QUICK = 10.0
"""The most seconds of an answer at once."""

PATIENCE = 10.0
"""Seconds that a question waits for a process that is free."""

STARTING = 60.0
"""Seconds in which a process must be there; they are not those of a question."""

PRELOADED = ["whit.apps.web.workers", "whit.apps.asking.commands.assess", "whit.apps.web.pages"]
"""What every process needs, loaded once for all of them."""

LESS = "Ask for less: a smaller file, fewer releases, or a simpler question."
"""What is said of work that costs too much."""


@dataclass(frozen=True)
class Done:
    """What a function gave."""

    value: Any


@dataclass(frozen=True)
class Wrong:
    """What a function raised."""

    error: WhitError | Accident


@dataclass(frozen=True)
class Progress:
    """What is being done, and how much of it is done where that is known."""

    what: str
    done: int = 0
    of: int = 0


Said = Done | Wrong | Progress


class Worker:
    """A process that works out one function after the other."""

    def __init__(self, memory: int) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, memory), daemon=True)
        self._process.start()
        theirs.close()

    def await_start(self) -> None:
        """Wait until the process is there."""
        self.hear(STARTING)

    def begin(self, function: Callable[..., Any], *values: object) -> None:
        """Put a question: a function of a module, and its values."""
        self._ours.send((function, values))

    def hear(self, seconds: float) -> Said | None:
        """What the process says within so many seconds; nothing if it says nothing."""
        try:
            return self._ours.recv() if self._ours.poll(max(seconds, 0.0)) else None
        except (EOFError, OSError):
            return Wrong(TooCostly("the answer", "must fit into the memory that is allowed", "more", LESS))

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.is_alive()

    def stop(self) -> None:
        """Kill the process."""
        with suppress(ValueError):  # it was stopped before
            self._process.kill()
            self._process.join()
            self._process.close()
        self._ours.close()


class Workers:
    """The processes for quick questions, started when they are first needed."""

    def __init__(self, memory: int, *, number: int = NUMBER) -> None:
        self._memory, self._closed = memory, False
        self._free: LifoQueue[Worker | None] = LifoQueue()
        for _ in range(number):
            self._free.put(None)  # a place for a process that is not started yet

    def run(
        self, function: Callable[..., Result], *values: object, seconds: float = QUICK, way_out: str = LESS
    ) -> Result:
        """What a function of a module gives within so many seconds.

        Raise what the function raises if that is an error of whit, an Accident if it is another one, and TooCostly if
        the process was killed.

        Args:
            function: the function.
            values: its values.
            seconds: the most seconds that it may take.
            way_out: what is said where it takes longer.
        """
        try:
            worker = self._free.get(timeout=PATIENCE)
        except Empty as busy:
            raise Unavailable("the server", "is at work for others", "no free place", "Ask again later.") from busy
        said: Done | Wrong | None = None
        try:
            if worker is None or not worker.is_alive:
                worker = Worker(self._memory)
                worker.await_start()
            said = _outcome(worker, function, values, seconds)
        finally:
            kept = worker if said is not None and not self._closed else None
            if kept is None and worker is not None:
                worker.stop()
            self._free.put(kept)
        if said is None:
            raise TooCostly("the answer", f"must take at most {seconds:g} seconds", "more", way_out)
        if isinstance(said, Wrong):
            raise said.error
        return said.value  # type: ignore[no-any-return]  # what the other process sent

    def close(self) -> None:
        """End every process that is free; the others end with their question."""
        self._closed = True
        with suppress(Empty):
            while True:
                worker = self._free.get_nowait()
                if worker is not None:
                    worker.stop()


def kept(request: Request, name: str, made: Callable[[int], Made]) -> Made:
    """What the server keeps under a name, made when it is first needed."""
    state = request.app.state
    if not hasattr(state, name):
        setattr(state, name, made(state.settings.limits.memory))
    found: Made = getattr(state, name)
    return found


def workers_of(request: Request) -> Workers:
    """The processes of the server that answer."""
    return kept(request, "workers", Workers)


def limit_memory(most: int) -> None:
    """Let this process have so many bytes of its own.

    The limit is on data, not on addresses: the library that draws reserves many times more addresses than it uses.
    """
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _outcome(
    worker: Worker, function: Callable[..., Any], values: tuple[object, ...], seconds: float
) -> Done | Wrong | None:
    """What a process says in the end; nothing if it took too long."""
    until = time.monotonic() + seconds
    worker.begin(function, *values)
    while (left := until - time.monotonic()) > 0:
        said = worker.hear(left)
        if isinstance(said, Done | Wrong):
            return said
    return None


class _Reporter:
    """Says to the other end of a pipe what is being done."""

    def __init__(self, to: Connection) -> None:
        self._to = to

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Say what is being done."""
        self._to.send(Progress(what))
        yield

    def counted(self, many: Iterable[Each], total: int, what: str) -> Iterator[Each]:
        """Say how many are done."""
        for done, each in enumerate(many):
            self._to.send(Progress(what, done, total))
            yield each


def _serve(pipe: Connection, memory: int) -> None:
    """Work out one function after the other, until nobody is at the other end."""
    limit_memory(memory)
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    with suppress(EOFError, OSError, KeyboardInterrupt), spec.without_files(), watched_by(_Reporter(pipe)):
        pipe.send(Progress("Starting"))
        while True:
            function, values = pipe.recv()
            pipe.send(_worked_out(function, values))


def _end_with(parent: Any) -> None:
    """End this process when the server is gone, whatever it is at."""
    if parent is not None:
        parent.join()
        os._exit(0)


def _worked_out(function: Callable[..., Any], values: tuple[object, ...]) -> Done | Wrong:
    """What a function gives or raises; an error that is not whit's own way of saying no is whit's fault."""
    try:
        return Done(function(*values))
    except WhitError as wrong:
        return Wrong(wrong)
    except (MemoryError, RecursionError):
        rule = "must fit into the memory that is allowed"
        return Wrong(InvalidInput("the question", rule, "more", "Ask less."))
    except Exception as wrong:  # noqa: BLE001  # whatever it is, the next question must be answered
        return Wrong(accident_of(wrong))
