"""A release that somebody asks for: the promise of a form, what it would do to an account, and its entry.

All of it may compose by numbers, so that pages let it be done in a process that can be killed. A store writes an entry
whole or not at all, and the key of a request makes it one entry however often it is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from whit import spec
from whit.apps.web.settings import Settings
from whit.errors import InvalidInput
from whit.ledger import Ledger, LimitStatus, NotReserved, Refusal, Refused, advised, outlook_of

STATED = (
    ("epsilon", "epsilon, with delta if there is one"),
    ("rho", "rho of zero-concentrated DP"),
    ("mu", "mu of Gaussian DP"),
    ("gaussian", "Gaussian noise, by its standard deviation"),
    ("laplace", "Laplace noise, by its scale"),
    ("promise", "another promise, in words"),
)
"""How a promise may be stated: the name in the grammar, and what it is called."""

LABELS = {
    "what": "what is released",
    "amount": "the value",
    "delta": "delta",
    "promise": "the promise in words",
    "releases": "the number of releases",
}
"""What errors call the fields."""


@dataclass(frozen=True)
class Asked:
    """A release that somebody asks for.

    Attributes:
        place: the ledger.
        actor: who asks.
        account: the account.
        said: the fields of the form.
        parts: whom it is about; everybody if there is none.
    """

    place: str
    actor: str
    account: str
    said: dict[str, str]
    parts: tuple[str, ...]

    @classmethod
    def of(cls, settings: Settings, actor: str, account: str, said: dict[str, str], parts: list[str]) -> Asked:
        """What a form asks of the ledger of some settings."""
        return cls(settings.ledger, actor, account, said, tuple(parts))


@dataclass(frozen=True)
class Considered:
    """What a release would do to an account.

    Attributes:
        words: what is promised, in words.
        promise: the same as an entry records it.
        now: each limit of the account, before.
        then: the same with the release.
        refusal: why it would be refused; none if it fits.
        fitting: the sentence about what would fit; empty if there is none.
    """

    words: str
    promise: str
    now: tuple[LimitStatus, ...]
    then: tuple[LimitStatus, ...]
    refusal: Refusal | None
    fitting: str


def considered(asked: Asked) -> Considered:
    """What a release would do; nothing is written."""
    series, about = _series(asked.said), _about(asked)
    about.pop("what")
    with Ledger(asked.place, actor=asked.actor) as book:
        outlook = outlook_of(book, asked.account, series.together)
        refusal = book.check(asked.account, series.together, **about)
    first = outlook.accounts[0]
    fitting = "" if refusal is None else refusal.fitting(series).strip()
    return Considered(series.words, repr(series.together), first.now.limits, first.then, refusal, fitting)


def entered(asked: Asked, key: str, *, planned: bool) -> int | tuple[Refusal, str]:
    """The number of the entry of a release; or why it is refused, and what would fit."""
    series = _series(asked.said)
    with Ledger(asked.place, actor=asked.actor) as book:
        make = book.plan if planned else book.reserve
        try:
            return make(asked.account, series.together, key=key, **_about(asked)).number
        except NotReserved as again:  # a form that was sent twice leads to its entry, which says where it stands
            return again.receipt.number
        except Refused as refused:
            found = advised(book.store, refused.refusal, series.together, asked.parts)
            return found, found.fitting(series).strip()


def planned(asked: Asked, key: str) -> int | tuple[Refusal, str]:
    """Put a release on the plan, where another person approves it."""
    return entered(asked, key, planned=True)


def reserved(asked: Asked, key: str) -> int | tuple[Refusal, str]:
    """Reserve a release."""
    return entered(asked, key, planned=False)


def _series(said: dict[str, str]) -> spec.Series:
    """The promise of a form that was filled in, by the grammar of options and files."""
    by, releases = said["by"], said["releases"] or "1"
    if by not in dict(STATED):
        raise InvalidInput("the kind", "must be one of the list", by, "Choose one.", parameter="by")
    if by == "promise":
        _require_alone(said, "promise", ("amount", "delta"), 'Write it as "rho=0.1, noise=gaussian".')
        if releases != "1":
            way_out = f"Add releases={releases} to the promise."
            raise InvalidInput(LABELS["releases"], "must be 1 here", releases, way_out, parameter="releases")
        given = spec.pairs("a promise", said["promise"])
    else:
        _require_alone(said, "amount", ("promise",), "Use a number such as 0.01.")
        delta = {"delta": said["delta"]} if said["delta"] else {}
        given = spec.Given({by: said["amount"], "releases": releases, **delta})
    with spec.without_files():
        return spec.Form(promise=(given,)).series


def _require_alone(said: dict[str, str], needed: str, others: tuple[str, ...], way_out: str) -> None:
    """Refuse an empty field, and what would count for nothing beside it."""
    if not said[needed]:
        raise InvalidInput(LABELS[needed], "must be filled in", "nothing", way_out, parameter=needed)
    for name in others:
        if said[name]:
            choose = "Leave it out, or state the promise by it."
            raise InvalidInput(LABELS[name], "must be empty here", said[name], choose, parameter=name)


def _about(asked: Asked) -> dict[str, Any]:
    """What else an entry says."""
    said = asked.said
    if not said["what"]:
        way_out = "Write a few words, such as monthly table."
        raise InvalidInput(LABELS["what"], "must be filled in", "nothing", way_out, parameter="what")
    minutes = {"minutes": spec.Given({"minutes": said["minutes"]}).number("minutes")} if said["minutes"] else {}
    return {"what": said["what"], "parts": list(asked.parts), "recipient": said["recipient"], **minutes}
