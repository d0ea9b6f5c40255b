"""Slow work: a process of its own for each job, whose progress can be asked for, and which can be cancelled."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from whit.apps.web.api.answering import Document, Refusal, document_of, refusal_of
from whit.apps.web.problems import problem
from whit.apps.web.workers import Done, Progress, Worker
from whit.errors import InvalidInput, TooCostly, Unavailable

LONGEST = 600.0
"""The most seconds of a job."""

RUNNING, KEPT = 2, 100
"""How many jobs run at once, and how many are remembered."""

_CANCELLED = Refusal(410, "the job was cancelled; got no answer. Start it again if you still need it.")
_LATE = TooCostly("the job", f"must take at most {LONGEST:g} seconds", "more", "Ask for less.")


@dataclass
class Job:
    """One job: who asked for what, the process that works at it, and what it said last."""

    owner: str
    command: str
    worker: Worker
    until: float
    progress: Progress = field(default_factory=lambda: Progress("Starting"))
    outcome: Document | Refusal | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> None:
        """Take in all that the process has said; end it once it has answered, or when its time is over."""
        with self.lock:
            while self.outcome is None and (said := self.worker.hear(0.0)) is not None:
                if isinstance(said, Progress):
                    self.progress = said
                else:
                    self._end(said.value if isinstance(said, Done) else refusal_of(said.error))
            if self.outcome is None and time.monotonic() > self.until:
                self._end(refusal_of(_LATE))

    def cancel(self) -> None:
        """Kill the process, unless it has answered."""
        with self.lock:
            if self.outcome is None:
                self._end(_CANCELLED)

    def _end(self, outcome: Document | Refusal) -> None:
        self.outcome = outcome
        self.worker.stop()

    @property
    def state(self) -> str:
        """The state in one word."""
        if self.outcome is None:
            return "running"
        if isinstance(self.outcome, Document):
            return "done"
        return "cancelled" if self.outcome is _CANCELLED else "failed"


class Jobs:
    """The jobs of a server, each known to whoever asked for it; they end with the server."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, owner: str, command: str, values: Mapping[str, Any]) -> str:
        """Start a job, and return its name, which nobody can guess."""
        with self._lock:
            self._forget()
            if sum(job.outcome is None for job in self._jobs.values()) >= RUNNING:
                rule, way_out = f"may have {RUNNING} jobs at work at once", "Wait for one of them, or cancel yours."
                raise Unavailable("the server", rule, "one more", way_out)
            name = secrets.token_urlsafe(16)
            job = Job(owner, command, Worker(self._memory), time.monotonic() + LONGEST)
            self._jobs[name] = job
        job.worker.begin(document_of, command, dict(values))
        timer = threading.Timer(LONGEST + 1.0, job.look)  # where nobody looks, its time is over all the same
        timer.daemon = True
        timer.start()
        return name

    def found(self, owner: str, name: str) -> Job:
        """The job of a name, as it is now; somebody else's is not there."""
        job = self._jobs.get(name)
        if job is None or job.owner != owner:
            raise InvalidInput("the job", "must be one of yours that is remembered", name, "Start it again.")
        job.look()
        return job

    def close(self) -> None:
        """Cancel every job."""
        for job in self._jobs.values():
            job.cancel()

    def _forget(self) -> None:
        """Drop the oldest jobs that have ended, beyond how many are remembered."""
        for job in self._jobs.values():
            job.look()
        ended = [name for name, job in self._jobs.items() if job.outcome is not None]
        for name in ended[: max(len(self._jobs) - KEPT + 1, 0)]:
            del self._jobs[name]


def job_tree(name: str, job: Job) -> dict[str, Any]:
    """A job as a document says it."""
    progress = {"what": job.progress.what, "done": job.progress.done, "of": job.progress.of}
    tree: dict[str, Any] = {"id": name, "command": job.command, "state": job.state, "progress": progress}
    if isinstance(job.outcome, Document):
        tree |= {"document": json.loads(job.outcome.text), "code": job.outcome.code}
    elif job.outcome is not None:
        tree["problem"] = problem(job.outcome.status, job.outcome.sentence, field=job.outcome.field)
    return tree
