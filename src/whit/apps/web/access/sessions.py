"""Session cookies, which are signed: a restart of the server ends none of them.

A one-time key lets its first user in. Only its hash is kept, and only in memory.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from threading import Lock
from urllib.parse import urlsplit

from fastapi import Response

from whit.apps.web.access.who import Identity, Role
from whit.apps.web.settings import Settings

HOURS = 12
"""How long a session lasts."""

WAITING = 3600.0
"""How many seconds a one-time key waits for its user."""


def signed(settings: Settings, purpose: str, *texts: str) -> str:
    """A signature on texts for one purpose, which only this server can make."""
    message = json.dumps([purpose, *texts]).encode()
    return hmac.new(settings.secret, message, hashlib.sha256).hexdigest()


def cookie_name(settings: Settings) -> str:
    """The name of the session cookie: two servers on one machine must not share one."""
    return "__Host-whit" if settings.is_secure else f"whit-{urlsplit(settings.base).port or 80}"


def give_session(settings: Settings, response: Response, name: str) -> None:
    """Let a browser keep a session for somebody."""
    body = json.dumps([name, secrets.token_hex(16), int(time.time()) + HOURS * 3600])
    text = body.encode().hex()  # letters and digits need no quotes in a cookie
    response.set_cookie(
        cookie_name(settings),
        f"{text}.{signed(settings, 'session', text)}",
        max_age=HOURS * 3600,
        httponly=True,
        samesite="strict",
        secure=settings.is_secure,
    )


def session_of(settings: Settings, cookie: str) -> Identity | None:
    """Who a session cookie is about; None if it is not ours, or too old."""
    text, _, signature = cookie.partition(".")
    if not hmac.compare_digest(signature.encode(), signed(settings, "session", text).encode()):
        return None
    name, session, until = json.loads(bytes.fromhex(text))
    # The one person on this machine may do everything; the ledger still asks for a second person where one is needed.
    return Identity(name, frozenset(Role), session) if time.time() < until else None


class Links:
    """One-time keys that nobody has used yet."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: dict[bytes, float] = {}
        self._lock = Lock()

    def make(self) -> str:
        """A new key."""
        key = secrets.token_urlsafe(32)
        with self._lock:
            self._waiting[_hash(key)] = self._clock() + WAITING
        return key

    def take(self, key: str) -> bool:
        """Whether a key is good; from then on it is not."""
        with self._lock:
            until = self._waiting.pop(_hash(key), None)
        return until is not None and self._clock() < until


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()
