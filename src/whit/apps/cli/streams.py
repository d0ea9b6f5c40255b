"""The standard streams of the command: all three are there, and one that takes nothing stops no work.

A command may be started with a stream that is closed. The next file that is opened would then get its number, and a
library that expects a stream would find that file, or nothing at all. And what a full or closed stream loses must not
look like a file that could not be written: so such errors end here, and any other is one of a file.
"""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from select import select
from typing import TYPE_CHECKING, TextIO

from whit.errors import Unavailable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STREAMS = (0, 1, 2)
"""The numbers of input, output and errors."""


class Losing(FileIO):
    """A standard stream that loses what it cannot write, and knows that it did.

    Attributes:
        lost: whether something was lost, or all will be.
    """

    def __init__(self, number: int, *, lost: bool = False) -> None:
        super().__init__(number, "w", closefd=False)
        self.lost = lost

    def write(self, content: ReadableBuffer, /) -> int:
        """Write it, or lose it; wait for a slow reader of a pipe that does not block."""
        try:
            while (number := super().write(content)) is None:  # where it would block
                select([], [self], [])
        except OSError:
            self.lost = True
            return memoryview(content).nbytes
        return number


def prepare() -> None:
    """Put the null device in the place of streams that are closed, and let output and errors lose what they must."""
    for _ in [number for number in STREAMS if not _is_open(number)]:  # an opened file gets the lowest that is free
        os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it is there to the end
    sys.stdout = _losing(sys.stdout, 1) if sys.stdout else _nothing(1)
    sys.stderr = _losing(sys.stderr, 2) if sys.stderr else _nothing(2)


def require_delivered(what: str) -> None:
    """Refuse to end well where a part of what was printed is lost, for output that is kept and not looked at."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, Losing) and raw.lost:
        way_out = "Send the output where there is room, and run the command again."
        raise Unavailable(what, "must be written whole", "an output that is closed or full", way_out)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _nothing(number: int) -> TextIO:
    """A stream that nobody reads."""
    return TextIOWrapper(BufferedWriter(Losing(number, lost=True)), encoding="utf-8", line_buffering=True)


def _losing(stream: TextIO, number: int) -> TextIO:
    """The stream as one that loses; as it is where it is no file, such as the console of Windows or a test's."""
    if not isinstance(stream, TextIOWrapper) or type(getattr(stream.buffer, "raw", stream.buffer)) is not FileIO:
        return stream
    stream.flush()
    return TextIOWrapper(
        BufferedWriter(Losing(number)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )
