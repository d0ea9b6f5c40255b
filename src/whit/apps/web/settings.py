"""The settings of the web application: where it is reached, who may come in, what it allows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from urllib.parse import urlsplit

from whit.errors import InvalidInput

SHORTEST_SECRET = 32
"""The fewest bytes of a secret."""


class Mode(Enum):
    """How people are known."""

    LOCAL = "one person on this machine, by a one-time link"
    PROXY = "people whom a proxy in front names in a header"


@dataclass(frozen=True)
class Limits:
    """What one request may cost.

    Attributes:
        body: the most bytes of a request.
        upload: the most bytes of a request that carries a file.
        arrival: the most seconds until a request has arrived.
        work: the most seconds of work in a process of its own.
        memory: the most bytes of that process.
        rate: how many requests a second one person may make on average.
        burst: how many requests one person may make at once.
        connections: how many connections there may be at once.
    """

    body: int = 200_000
    upload: int = 50_000_000
    arrival: float = 20.0
    work: float = 30.0
    memory: int = 2_000_000_000
    rate: float = 100.0
    burst: int = 400
    connections: int = 300


@dataclass(frozen=True)
class Settings:
    """All that the application must know before it starts.

    Attributes:
        base: the address under which browsers reach it: scheme, host and port, no path.
        mode: how people are known.
        secret: what session cookies, form tokens and addresses of accounts are signed with.
        ledger: the ledger, as a path or a URL; none if empty.
        people: a TOML file with the roles of people and with tokens; none if empty.
        header: the header in which a proxy names the person.
        proxy_secret: what the proxy must show where it does not come by a unix socket; none if empty.
        limits: what one request may cost.
    """

    base: str = "http://127.0.0.1:8765"
    mode: Mode = Mode.LOCAL
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(SHORTEST_SECRET), repr=False)
    ledger: str = field(default="", repr=False)
    people: Path | None = None
    header: str = "x-forwarded-user"
    proxy_secret: str = field(default="", repr=False)
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        parts = urlsplit(self.base)
        if parts.scheme not in ("http", "https") or not parts.hostname or self.base != f"{parts.scheme}://{self.host}":
            way_out = "Use scheme and host, such as https://risk.example.org."
            raise InvalidInput("the base address", "must be an origin", self.base, way_out)
        if len(self.secret) < SHORTEST_SECRET:
            rule = f"must have at least {SHORTEST_SECRET} bytes"
            raise InvalidInput("the secret", rule, f"{len(self.secret)} bytes", "Make one with: openssl rand -hex 32")

    @property
    def host(self) -> str:
        """Host and port as browsers send them."""
        return urlsplit(self.base).netloc

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach it by HTTPS."""
        return self.base.startswith("https:")
