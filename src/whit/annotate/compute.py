"""Many settings, each computed once: from a cache, in this process while it is quick, then by several processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Thread

from whit.annotate.cache import Cache
from whit.annotate.setting import Plain, Setting, answer_of, charge_of
from whit.display import steps
from whit.errors import TooCostly, WhitError
from whit.files import place_of
from whit.numerics import count

Compute = Callable[[Setting], Plain]

MOST_SETTINGS = 200_000
"""More distinct settings are refused: numbers with all their digits are as many as rows."""

PATIENCE = 1.0
"""So many seconds one process works alone: to start others takes as long."""

_CHUNK = 64


class BadSetting(Exception):
    """A setting that is refused, by its place among all of them, and why."""

    def __init__(self, at: int, error: WhitError) -> None:
        super().__init__(at, error)
        self.at, self.error = at, error


@dataclass(frozen=True)
class Computing:
    """How settings are computed.

    Attributes:
        jobs: the processes; with more than one, the script that asks must be guarded by `__name__ == "__main__"`.
        cache: a folder for answers that are kept for the next time; none if it is empty.
        most: the most distinct settings.
    """

    jobs: int = 1
    cache: str = ""
    most: int = MOST_SETTINGS

    def __post_init__(self) -> None:
        count("jobs", self.jobs, "Use 2.")
        count("most", self.most, "Use 1000.")
        place_of(self.cache)

    def require_few(self, settings: int) -> None:
        """Refuse more settings than are computed."""
        if settings > self.most:
            rule = f"must have at most {self.most:,} distinct settings"
            way_out = "Round its parameters to the safe side with {digits}."
            raise TooCostly("the table", rule, f"{settings:,}", way_out, suggested={"digits": 3})

    def answers(self, settings: Sequence[Setting]) -> list[Plain]:
        """The answers of each setting, in order; the first that is refused is raised as a BadSetting."""
        return self._computed(settings, answer_of)

    def charges(self, settings: Sequence[Setting]) -> list[Plain]:
        """What each setting is charged."""
        return self._computed(settings, charge_of)

    def _computed(self, settings: Sequence[Setting], compute: Compute) -> list[Plain]:
        texts = [f"{compute.__name__} {each.text}" for each in settings]
        first = {text: at for at, text in reversed(list(enumerate(texts)))}
        cache = Cache(self.cache) if self.cache else None
        found = {} if cache is None else cache.read(list(first))
        missing = [text for text in first if text not in found]
        work = [(first[text], settings[first[text]]) for text in missing]
        done = steps(self._work(work, compute), "setting", max(1, len(work)))
        fresh: dict[str, Plain] = {}
        for (at, _), text, answer in zip(work, missing, done, strict=True):
            if isinstance(answer, WhitError):
                raise BadSetting(at, answer)
            fresh[text] = answer
            if cache is not None and len(fresh) == _CHUNK:
                cache.write(fresh)
                found, fresh = found | fresh, {}
        if cache is not None:
            cache.write(fresh)
        found |= fresh
        return [found[text] for text in texts]

    def _work(self, work: Sequence[tuple[int, Setting]], compute: Compute) -> Iterator[Plain | WhitError]:
        """The answer or the refusal of each, in order."""
        began, at = time.monotonic(), 0
        while at < len(work) and (self.jobs == 1 or time.monotonic() - began < PATIENCE):
            yield _tried(work[at][1], compute)
            at += 1
        if at < len(work):
            yield from _pooled([setting for _, setting in work[at:]], compute, self.jobs)


def _pooled(settings: Sequence[Setting], compute: Compute, jobs: int) -> Iterator[Plain | WhitError]:
    """The same by several processes; they end with the one that started them, even if it is killed."""
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial
    from multiprocessing import get_context

    # A fork would copy locks of threads of the engine.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent) as pool:
        try:
            chunk = max(1, min(_CHUNK, len(settings) // (4 * jobs)))
            yield from pool.map(partial(_tried, compute=compute), settings, chunksize=chunk)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _tried(setting: Setting, compute: Compute) -> Plain | WhitError:
    """The answer, or the error that says why there is none."""
    try:
        return compute(setting)
    except WhitError as wrong:
        return wrong


def _end_with_parent() -> None:
    """Let this process end when the one that started it has ended."""
    from multiprocessing import parent_process

    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
