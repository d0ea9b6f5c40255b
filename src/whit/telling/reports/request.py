"""What a report is asked for: one TOML file that states release, unit, promise, adversaries and what is accepted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from whit.curves import largest_loss
from whit.errors import InvalidInput
from whit.numerics import open_probability, probability
from whit.setting import Adversary, Knowledge, UnitOfPrivacy
from whit.telling.reports.accepted import Accepted, accepted
from whit.telling.reports.entries import Entry, read
from whit.telling.reports.hazards import KEYS as HAZARDS
from whit.telling.reports.stated import Stated, stated

_TABLES = ("release", "unit", "promise", "adversary", "profile", "limit", "questions", "hazards")
_RELEASE = ("name", "publisher", "description", "readers", "unprotected")
_ADVERSARY = ("name", "fact", "prior", "inclusion", "value", "knows")
_KNOWS = {each.name.lower(): each for each in Knowledge}
_BELIEF = "Give prior alone, or inclusion and value."


@dataclass(frozen=True)
class Asker:
    """An adversary with a name, and what they would like to know."""

    name: str
    fact: str
    adversary: Adversary


@dataclass(frozen=True)
class Request:
    """All that a report is made from.

    Attributes:
        name: what is released.
        publisher: who releases it.
        description: what it holds, in a sentence or two.
        readers: who will see it.
        unprotected: what is published without noise.
        unit: whom or what the promise is about.
        stated: the promise.
        askers: the adversaries.
        accepted: what the publisher accepts.
        failure: the chance with which statements about beliefs may be false. Unless the file has it: 0 if the promise
            has a bound that always holds, else 0.01.
        level: the false-alarm rate of tests.
        hazards: answers to the checklist, by key.
        text: the file itself.
    """

    name: str
    publisher: str
    description: str
    readers: str
    unprotected: tuple[str, ...]
    unit: UnitOfPrivacy
    stated: Stated
    askers: tuple[Asker, ...]
    accepted: Accepted
    failure: float
    level: float
    hazards: dict[str, str]
    text: str


def request(path: str | Path) -> Request:
    """The request in a TOML file."""
    return request_of(read(Path(path)))


def request_of(whole: Entry) -> Request:
    """The request in a TOML text that has been read."""
    whole.only(_TABLES, needed=("release", "unit", "promise", "adversary"))
    release = whole.table("release").only(_RELEASE, needed=("name", "publisher"))
    questions = whole.table("questions").only(("failure", "level"))
    promise = stated(whole.table("promise"))
    with questions.named():
        failure = probability("failure", questions.values.get("failure", _usual(promise)), "Use a chance such as 0.01.")
        level = open_probability("level", questions.values.get("level", 0.05), "Use a rate such as 0.05.")
    return Request(
        name=release.words("name"),
        publisher=release.words("publisher"),
        description=release.words("description"),
        readers=release.words("readers"),
        unprotected=release.list_of_words("unprotected"),
        unit=_unit(whole.table("unit")),
        stated=promise,
        askers=_askers(whole),
        accepted=accepted(whole.table("profile"), whole.table("limit")),
        failure=failure,
        level=level,
        hazards=_hazards(whole.table("hazards")),
        text=whole.text,
    )


def _usual(promise: Stated) -> float:
    """No chance of failure if the promise has a bound on beliefs that always holds, else one in a hundred."""
    loss = largest_loss(promise.together, 0.0, neighbours=promise.options.get("neighbours"))
    return 0.0 if math.isfinite(float(loss)) else 0.01


def _unit(entry: Entry) -> UnitOfPrivacy:
    entry.only(("name", "period"), needed=("name",))
    with entry.named():
        return UnitOfPrivacy(entry.words("name"), *([entry.words("period")] if "period" in entry else []))


def _askers(whole: Entry) -> tuple[Asker, ...]:
    found = tuple(_asker(entry, _usually(entry, whole)) for entry in whole.tables("adversary"))
    if not found:
        raise InvalidInput(whole.place("adversary"), "must be there at least once", "none", "Write [[adversary]].")
    return found


def _usually(entry: Entry, whole: Entry) -> Knowledge:
    """What an adversary knows unless the file says so: what the judgement is about.

    A limit is about somebody who knows everyone else and doubts one fact, a risk profile about any belief.
    """
    single = "prior" in entry and not whole.table("profile").values
    return Knowledge.EVERYONE_ELSE if single else Knowledge.ANY_BELIEF


def _asker(entry: Entry, usually: Knowledge) -> Asker:
    entry.only(_ADVERSARY, needed=("name", "fact"))
    beliefs = {key: entry.values[key] for key in ("prior", "inclusion", "value") if key in entry}
    if set(beliefs) not in ({"prior"}, {"inclusion", "value"}):
        rule = "must have either a prior, or an inclusion and a value"
        raise InvalidInput(entry.place(), rule, ", ".join(beliefs) or "none of them", _BELIEF)
    knows = entry.one_of("knows", _KNOWS, usually.name.lower())
    with entry.named():
        return Asker(entry.words("name"), entry.words("fact").rstrip("."), Adversary(**beliefs, knows=knows))


def _hazards(entry: Entry) -> dict[str, str]:
    entry.only(HAZARDS)
    return {key: entry.words(key) for key in entry.values}
