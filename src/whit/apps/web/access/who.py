"""People and roles, and what a page asks of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

FORBIDDEN = 403


class Role(Enum):
    """What somebody may do; whoever has a role may also read."""

    READER = "reader"
    REQUESTER = "requester"
    APPROVER = "approver"
    KEEPER = "keeper"
    AUDITOR = "auditor"

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Role.{self.name}"


@dataclass(frozen=True)
class Identity:
    """Somebody who asks.

    Attributes:
        name: who it is; it goes into every entry of the ledger that they make.
        roles: what they may do.
        session: what tells their session from others; empty where there is none.
        is_program: whether they came by a token, which no browser sends by itself.
    """

    name: str
    roles: frozenset[Role]
    session: str = ""
    is_program: bool = False

    def may(self, role: Role) -> bool:
        """Whether they may do what a role is needed for."""
        return role in self.roles or (role is Role.READER and bool(self.roles))


def may(role: Role) -> Any:
    """What a route says to be open for a role: `Depends`, which gives the identity."""

    def known(request: Request) -> Identity:
        who: Identity = request.state.who
        if not who.may(role):
            has = ", ".join(sorted(each.value for each in who.roles)) or "none"
            sentence = f"This needs the role {role.value}; you have {has}. Ask whoever keeps the list of people."
            raise HTTPException(FORBIDDEN, sentence)
        return who

    return Depends(known)


def who_of(request: Request) -> Identity:
    """Who asks, where the gate has let them in."""
    found: Identity = request.state.who
    return found
