"""What counts as found: a traceback, a nan, a warning, an answer after more than 20 seconds, a half file."""

from __future__ import annotations

import re
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from whit.errors import WhitError

LONGEST = 20
"""The most seconds of processor time that an answer or a refusal may take."""

STUCK = 120
"""The most seconds by the clock, for what waits and does not work."""

_NAN = re.compile(r"(?<![a-z])nan(?![a-z])", re.IGNORECASE)


class Hang(BaseException):
    """An input took too long."""


@dataclass(frozen=True)
class Found:
    """Something that must not happen.

    Attributes:
        target: where.
        what: the same for inputs that go wrong in the same way.
        shown: the input, so that it can be tried again.
    """

    target: str
    what: str
    shown: str


def judged(target: str, shown: str, work: Callable[[], str]) -> Found | None:
    """What is wrong with an input; the work returns what was printed."""
    try:
        with at_most(LONGEST):
            printed = work()
    except WhitError as refused:
        printed = str(refused)
    except Hang as hang:
        return Found(target, f"more than {LONGEST} s at {place_of(hang)}", shown)
    except Exception as wrong:  # noqa: BLE001 - that is what is looked for
        return Found(target, f"{type(wrong).__name__} at {place_of(wrong)}: {str(wrong)[:120]}", shown)
    return nan_in(target, shown, printed)


def nan_in(target: str, shown: str, printed: str) -> Found | None:
    """A nan that was printed although nobody wrote one."""
    at = _NAN.search(printed.replace("without nan", ""))
    if at is not None and not _NAN.search(shown.replace("\\n", "\n")):  # JSON has the ends of lines in two letters
        return Found(target, f"nan: {printed[max(0, at.start() - 60) : at.end() + 20]!r}", shown)
    return None


def place_of(wrong: BaseException) -> str:
    """The last line of whit that a traceback passes."""
    frames = [each for each in traceback.extract_tb(wrong.__traceback__) if "/src/whit/" in each.filename]
    return f"{frames[-1].filename.partition('/src/whit/')[2]}:{frames[-1].lineno}" if frames else "nowhere in whit"


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End what takes longer, in the main thread."""

    def end(_: int, __: FrameType | None) -> None:
        raise Hang

    clocks = {signal.SIGPROF: (signal.ITIMER_PROF, seconds), signal.SIGALRM: (signal.ITIMER_REAL, STUCK)}
    for sign, (clock, until) in clocks.items():
        signal.signal(sign, end)
        signal.setitimer(clock, until)
    try:
        yield
    finally:
        for clock, _ in clocks.values():
            signal.setitimer(clock, 0)
