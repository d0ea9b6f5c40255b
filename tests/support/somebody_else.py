"""The rights of somebody who owns nothing here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Inside, the process has the rights of nobody where it has those of root."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(before)
