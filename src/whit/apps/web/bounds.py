"""How large a request may be, how long it may take to arrive, and how many there may be."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whit.apps.web.settings import Limits

UPLOADS = ("/ledger/import", "/audit")
"""Where files arrive, by the beginning of the address; elsewhere a request is small."""

PEOPLE = 10_000
"""For how many people the pace is known at once; beyond it, whoever was away longest is forgotten."""


class Bounds:
    """Refuses a request that is too large, or that takes too long to arrive."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; what is wrong is raised where its body is read."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self.limits.upload if scope["path"].startswith(UPLOADS) else self.limits.body
        length = dict(scope["headers"]).get(b"content-length", b"0")
        too_large = HTTPException(413, f"A request may have at most {most} bytes here. Send less.")
        until = time.monotonic() + self.limits.arrival
        arrived, whole = 0, False

        async def bounded() -> Message:
            nonlocal arrived, whole
            if whole:
                return await receive()  # what follows is only that the client left
            if length.isdigit() and int(length[:20]) > most:
                raise too_large
            message = await _before(until, receive)
            arrived += len(message.get("body", b""))
            if arrived > most:
                raise too_large
            whole = not message.get("more_body", False)
            return message

        await self.app(scope, bounded, send)


async def _before(until: float, receive: Receive) -> Message:
    try:
        return await asyncio.wait_for(receive(), max(until - time.monotonic(), 0))
    except TimeoutError as late:
        raise HTTPException(408, "The request took too long to arrive. Send it again.") from late


class Rate:
    """How many requests each person may make: a number at once, and a number a second after that."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, whose: str) -> bool:
        """Whether one more request of somebody is within the limit; it counts if it is."""
        now = self._clock()
        left, at = self._left.pop(whose, (float(self._limits.burst), now))
        left = min(left + (now - at) * self._limits.rate, float(self._limits.burst))
        allowed = left >= 1
        self._left[whose] = (left - allowed, now)
        if len(self._left) > PEOPLE:
            self._left.popitem(last=False)
        return allowed
