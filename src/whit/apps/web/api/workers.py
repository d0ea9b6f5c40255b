"""Processes that answer: warm ones for quick questions, each of which is killed when it takes too long."""

from __future__ import annotations

import multiprocessing
import resource
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import Empty, LifoQueue
from typing import Any, TypeVar

from whit import spec
from whit.apps.asking import ask, sentence, watched_by
from whit.apps.web.problems import status_of
from whit.errors import InvalidInput, TooCostly, Unavailable, UnknownKey, WhitError

Each = TypeVar("Each")

NUMBER = 2
"""How many processes answer quick questions."""

PATIENCE = 10.0
"""Seconds that a question waits for a process that is free."""

STARTING = 60.0
"""Seconds in which a process must be there; they are not those of a question."""

PRELOADED = ["whit.apps.web.api.workers", "whit.apps.asking.commands.assess"]
"""What every process needs, loaded once for all of them."""

AS_A_JOB = "Ask for it as a job: POST /api/v1/jobs."
"""What is said of work that is too slow for an answer at once."""

_WRONG = 422
_BROKEN = 500
_SORRY = "whit failed at this question, which is an error of whit. Report it with the request."


@dataclass(frozen=True)
class Document:
    """An answer: the text of the document, and the exit code that the command would have."""

    text: str
    code: int


@dataclass(frozen=True)
class Refusal:
    """Why there is no answer: a status, one sentence, and the field that it is about."""

    status: int
    sentence: str
    field: str = ""


@dataclass(frozen=True)
class Progress:
    """What is being done, and how much of it is done where that is known."""

    what: str
    done: int = 0
    of: int = 0


Outcome = Document | Refusal


def refusal_of(error: WhitError) -> Refusal:
    """An error as a refusal: an unknown word is wrong input here, and no address that is not there."""
    status = _WRONG if isinstance(error, UnknownKey) else status_of(error)
    return Refusal(status, sentence(error), error.parameter)


class Worker:
    """A process that answers one question after the other."""

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

    def begin(self, command: str, values: Mapping[str, Any]) -> None:
        """Put a question."""
        self._ours.send((command, dict(values)))

    def hear(self, seconds: float) -> Outcome | Progress | None:
        """What the process says within so many seconds; nothing if it says nothing."""
        try:
            return self._ours.recv() if self._ours.poll(max(seconds, 0.0)) else None
        except (EOFError, OSError):
            way_out = "Ask for less: a smaller file, fewer releases, or a simpler question."
            return refusal_of(TooCostly("the answer", "must fit into the memory that is allowed", "more", way_out))

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

    def answer(self, command: str, values: Mapping[str, Any], *, seconds: float) -> Outcome:
        """What a command answers within so many seconds."""
        try:
            worker = self._free.get(timeout=PATIENCE)
        except Empty:
            return refusal_of(Unavailable("the server", "is at work for others", "no free place", "Ask again later."))
        outcome: Outcome | None = None
        try:
            if worker is None or not worker.is_alive:
                worker = Worker(self._memory)
                worker.await_start()
            outcome = _outcome(worker, command, values, seconds)
        finally:
            kept = worker if outcome is not None and not self._closed else None
            if kept is None and worker is not None:
                worker.stop()
            self._free.put(kept)
        slow = TooCostly("the answer", f"must take at most {seconds:g} seconds", "more", AS_A_JOB)
        return outcome or refusal_of(slow)

    def close(self) -> None:
        """End every process that is free; the others end with their question."""
        self._closed = True
        with suppress(Empty):
            while True:
                worker = self._free.get_nowait()
                if worker is not None:
                    worker.stop()


def _outcome(worker: Worker, command: str, values: Mapping[str, Any], seconds: float) -> Outcome | None:
    """The answer of a process; nothing if it took too long."""
    until = time.monotonic() + seconds
    worker.begin(command, values)
    while (left := until - time.monotonic()) > 0:
        said = worker.hear(left)
        if isinstance(said, Document | Refusal):
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
    """Answer one question after the other, until nobody is at the other end."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    with suppress(EOFError, OSError, KeyboardInterrupt), spec.without_files(), watched_by(_Reporter(pipe)):
        pipe.send(Progress("Starting"))
        while True:
            command, values = pipe.recv()
            pipe.send(_answered(command, values))


def _end_with(parent: Any) -> None:
    """End this process when the server is gone, whatever it is at."""
    import os

    if parent is not None:
        parent.join()
        os._exit(0)


def _answered(command: str, values: Mapping[str, Any]) -> Outcome:
    """The answer, or why there is none; an error that is not whit's own way of saying no is whit's fault."""
    try:
        told = ask(command, values)
        return Document(told.answers.text(indent=None), told.code)
    except WhitError as wrong:
        return refusal_of(wrong)
    except (MemoryError, RecursionError):
        return refusal_of(InvalidInput("the question", "must fit into the memory that is allowed", "more", "Ask less."))
    except Exception:  # noqa: BLE001  # whatever it is, the next question must be answered
        return Refusal(_BROKEN, _SORRY)
