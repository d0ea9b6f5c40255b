"""Work in a process of its own, which is killed when it takes too long or too much memory."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from whit.apps.web.settings import Limits
from whit.errors import TooCostly, WhitError

Result = TypeVar("Result")

PRELOADED = ["whit.apps.web.api.workers", "whit.apps.asking.commands.assess", "whit.apps.web.pages"]
"""What a process needs, loaded once for all of them."""

_WAY_OUT = "Ask for less: a smaller file, fewer releases, or a simpler question."


def apart(function: Callable[..., Result], *values: object, limits: Limits) -> Result:
    """What a function of a module gives for some values, worked out in a process of its own.

    Raise what the function raises if that is an error of whit, and TooCostly if the process was killed.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, limits.memory, function, values), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(limits.work):
            raise TooCostly("the answer", f"must take at most {limits.work:g} seconds", "more", _WAY_OUT)
        found, wrong = ours.recv()
    except EOFError as ended:
        raise TooCostly("the answer", "must fit into the memory that is allowed", "more", _WAY_OUT) from ended
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()
    if wrong is not None:
        raise wrong
    return found  # type: ignore[no-any-return]  # what the other process sent


def _work(to: Connection, memory: int, function: Callable[..., Any], values: tuple[object, ...]) -> None:
    """Send what the function gives, or the error of whit that it raises; any other ends the process without answer."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    outcome: tuple[Any, WhitError | None]
    try:
        outcome = (function(*values), None)
    except WhitError as wrong:
        outcome = (None, wrong)
    to.send(outcome)
