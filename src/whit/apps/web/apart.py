"""Work in a process of its own, which is killed when it takes too long or too much memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from whit.apps.web.settings import Limits
from whit.apps.web.workers import Workers

Result = TypeVar("Result")


def apart(function: Callable[..., Result], *values: object, limits: Limits) -> Result:
    """What a function of a module gives for some values, worked out in a process that does nothing else.

    Raise what the function raises if that is an error of whit, and TooCostly if the process was killed.
    """
    own = Workers(limits.memory, number=1)
    try:
        return own.run(function, *values, seconds=limits.work)
    finally:
        own.close()
