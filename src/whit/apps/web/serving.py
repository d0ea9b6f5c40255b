"""The server: where it listens, the one-time link, and how it stops.

It stops when it is asked to: requests that are under way are answered first.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whit.apps.web.access.entering import ENTER
from whit.apps.web.access.people import People
from whit.apps.web.access.sessions import Links
from whit.apps.web.settings import SHORTEST_SECRET
from whit.errors import InvalidInput, Unavailable
from whit.files import content_of, new_file, reason_of
from whit.ledger import Ledger

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

HOST = "127.0.0.1"
"""Where it listens if nobody says: this machine alone."""

PORT = 8765
"""The usual port."""

PATIENCE = 10
"""How many seconds a stop waits for requests that are under way."""

IDLE = 15
"""How many seconds a connection may say nothing."""

MODE = 0o660
"""Who may come by a unix socket: its owner and its group, as everybody who comes by it may name anybody."""


def listening(host: str, port: int | None) -> socket.socket:
    """A socket on an address; with no port the usual one, or a free one if somebody has that."""
    wanted = [PORT, 0] if port is None else [port]
    for number in wanted:
        # asyncio sends at once only where the socket says TCP; else the second half of an answer waits 40 milliseconds.
        made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, number))
        except OSError as taken:
            made.close()
            wrong = taken
        else:
            made.listen()  # so that a browser that is early waits
            return made
    way_out = "Use another port, or none: then a free one is taken."
    raise Unavailable("the port", "must be free", f"{wanted[0]} on {host}", way_out) from wrong


def listening_at(path: Path) -> socket.socket:
    """A unix socket at a path, for the owner and the group alone; one that an earlier server left is replaced."""
    if os.path.exists(path) and not stat.S_ISSOCK(path.stat().st_mode):
        raise InvalidInput("the socket", "must not be a file", str(path), "Use another path.")
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o777 & ~MODE)
    try:
        path.unlink(missing_ok=True)
        made.bind(str(path))
        made.listen()
    except OSError as wrong:
        made.close()
        rule = "must be in a folder that can be written, and not too long"
        raise Unavailable("the socket", rule, str(path), "Use a path such as /run/whit/web.sock.") from wrong
    finally:
        os.umask(before)
    return made


def secret_at(path: Path) -> bytes:
    """The secret in a file, which nobody else may read and which is not empty; a new one where there is none."""
    try:
        if not os.path.lexists(path):
            _make_secret(path)
        if path.stat().st_mode & 0o077:
            rule = "must be readable for its owner alone"
            raise InvalidInput("the secret", rule, str(path), f"Run chmod 600 {path}.")
        secret = content_of(path).strip()
    except OSError as wrong:
        rule = f"must be in a file that can be read or made ({reason_of(wrong)})"
        raise Unavailable("the secret", rule, str(path), "Name another file, or take this one away.") from wrong
    if not secret:
        way_out = "Take it away: whit web then makes a new one."
        raise InvalidInput("the secret", "must not be an empty file", str(path), way_out)
    return secret


def _make_secret(path: Path) -> None:
    """Write a new secret, whole, unless somebody else does so meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileExistsError), new_file(path, rights=0o600) as part:
        part.write_text(secrets.token_hex(SHORTEST_SECRET), "ascii")


def server_of(app: FastAPI) -> uvicorn.Server:
    """The server of an application; it logs by routes alone, and trusts no header about where a request came from."""
    import uvicorn

    limits = app.state.settings.limits
    config = uvicorn.Config(
        app,
        http=_patient(limits.arrival),
        ws="none",
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=PATIENCE,
        h11_max_incomplete_event_size=32_768,
    )
    return uvicorn.Server(config)


def _patient(seconds: float) -> Any:
    """The protocol, which closes a connection whose request has not begun in time: a slow client takes no place."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Patient(H11Protocol):
        """One connection."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Wait for a request, but not for ever."""
            super().connection_made(transport)
            self.loop.call_later(seconds, self.give_up, transport)

        def give_up(self, transport: asyncio.Transport) -> None:
            """Close the connection if no request has come, which is when nothing is known of one yet."""
            if getattr(self, "scope", None) is None:
                transport.close()

    return Patient


def run(app: FastAPI, listener: socket.socket) -> None:
    """Serve until somebody asks for a stop, by Ctrl-C or by the signal of a service manager; then return."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server_of(app).run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # requests that were under way have been answered
    finally:
        signal.signal(signal.SIGTERM, before)


def require_ledger(place: str) -> None:
    """Refuse a ledger that cannot be opened, before anybody asks for it."""
    if place:
        Ledger(place, actor="whit web").close()


def require_people(path: Path | None) -> None:
    """Refuse a file of people that cannot be read, before it turns everybody away."""
    People(path).read()


def link_of(app: FastAPI) -> str:
    """A link that lets in whoever opens it first."""
    links: Links = app.state.links
    return f"{app.state.settings.base}{ENTER}?key={links.make()}"
