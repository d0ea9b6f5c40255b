"""What may be done in a few seconds, whatever else the machine does meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from coverage import Coverage


@contextmanager
def at_most(*, seconds: float) -> Iterator[None]:
    """Fail if the work takes longer. Time that other processes take does not count, and coverage waits meanwhile."""
    measured = Coverage.current()
    if measured is not None:
        measured.stop()
    start = time.process_time()
    try:
        yield
        used = time.process_time() - start
    finally:
        if measured is not None:
            measured.start()
    assert used <= seconds, f"took {used:.1f} seconds, of {seconds} at most"
