"""`whit catalogue`: releases that were really made, with their risks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whit.apps.asking.answers import Answers, Named, Table, Told
from whit.apps.asking.fields import Field
from whit.apps.asking.request import Command, Request
from whit.apps.asking.signs import working
from whit.assessment import in_short
from whit.errors import UnknownKey, unknown_name
from whit.setting import UnitOfPrivacy
from whit.telling.catalogue import (
    CHANGED,
    FAILURE,
    LEVEL,
    PRIOR,
    Deployment,
    Risks,
    by_unit,
    deployments,
    risks,
    undisclosed,
)
from whit.telling.plots import Columns

UNNAMED = "unit that is not stated"
"""The name of the unit where a source names none."""

HEAD = ("key", "release", "stated", "neighbours", "posterior", "power", "if Gaussian")
"""The columns."""

_ASKED = (
    f"The posterior starts from a prior of {PRIOR:g}. It holds except with probability {FAILURE:g}, and always where "
    f"only an epsilon is stated. The power is that of a test with a false-positive rate of {LEVEL:g}."
)
_APART = (
    "Releases with different units, or with a record that is replaced beside one that is added or removed, cannot be "
    "ranked against each other. A local promise is about what each device sends."
)
_NOTES = (_ASKED, _APART)


KEY = Field("key", "One of the releases.", symbol="KEY", argument=True)
UNIT = Field("unit", "Only releases whose unit of privacy has this word.", symbol="WORD", default="")


def answer(request: Request) -> Told:
    """A table for each unit, and what to know of them."""
    key = request.values.get("key")
    listed = chosen(key, request.values["unit"])
    with working("Working out the risks"):
        found = {each.key: risks(each) for each in listed}
    tables = [Table(HEAD, _rows(members, found), _covered(group)) for group, members in by_unit().items()]
    notes = _NOTES if key is None else _details(listed[0])
    return Told(_answers(listed, found), tables=tuple(each for each in tables if each.rows), notes=notes)


COMMAND = Command("catalogue", answer, own=(KEY, UNIT))
"""Releases that were really made, with their risks."""


def chosen(key: str | None, unit: str) -> list[Deployment]:
    """The releases of a key or of a unit; at least one."""
    found = [each for each in deployments() if key in (None, each.key) and unit.lower() in each.unit.sentence.lower()]
    if not found:
        raise _unknown(key, unit)
    return found


def _covered(unit: UnitOfPrivacy) -> str:
    """What the promises of a group cover, also where their sources name no unit."""
    if unit.name == UNNAMED:
        return "The promise covers all that one unit contributes; the source does not name the unit."
    return unit.sentence


def _rows(members: Sequence[Deployment], found: dict[str, Risks]) -> list[tuple[str, ...]]:
    return [_row(each, found[each.key]) for each in members if each.key in found]


def columns(chosen: list[Deployment]) -> Columns:
    """A line for each release; numbers have all their digits, on the safe side."""
    found = {each.key: risks(each) for each in chosen}
    plain = [_tree(each) for each in chosen]
    stated = [each | {"parameters": one.stated} for each, one in zip(plain, chosen, strict=True)]
    columns = {name: [each[name] for each in stated] for name in stated[0]}
    known = [found[each.key] for each in chosen]
    gaussian = [str(float(risk.if_gaussian[0])) if risk.if_gaussian else "" for risk in known]
    failures = [sum(each.probability for each in risk.posterior.basis.failures) for risk in known]
    asked = {"prior": [PRIOR] * len(known), "failure": failures, "level": [LEVEL] * len(known)}
    numbers = {"posterior_at_most": [float(risk.posterior) for risk in known]}
    numbers |= {"power_at_most": [float(risk.power) for risk in known]}
    return Columns({**columns, **asked, **numbers, "power_if_gaussian": gaussian})


def _unknown(key: str | None, unit: str) -> UnknownKey:
    """The error about a key or a unit that the catalogue does not have."""
    if key is None:
        return unknown_name("a unit of privacy", unit, sorted({each.unit.name for each in deployments()}))
    return unknown_name("a release of the catalogue", key, [each.key for each in deployments()])


def _answers(chosen: list[Deployment], found: dict[str, Risks]) -> Answers:
    """The numbers of each release, and the releases."""
    named = tuple(answer for each in chosen for answer in _named(each, found[each.key]))
    hidden = [{"key": each.key, "curator": each.curator, "reason": each.reason} for each in undisclosed()]
    result: dict[str, Any] = {"deployments": [_tree(each) for each in chosen], "undisclosed": hidden}
    asked = {"prior": PRIOR, "level": LEVEL, "failure": FAILURE}
    return Answers("catalogue", asked, named, _NOTES, result)


def _named(deployment: Deployment, risk: Risks) -> list[Named]:
    some = [("posterior", risk.posterior), ("power", risk.power), *(("if_gaussian", each) for each in risk.if_gaussian)]
    return [Named(name, deployment.key, told) for name, told in some]


def _row(deployment: Deployment, risk: Risks) -> tuple[str, ...]:
    title = f"{deployment.curator}: {deployment.product}, {deployment.year}"
    numbers = (in_short(risk.posterior), in_short(risk.power), " ".join(map(in_short, risk.if_gaussian)))
    return deployment.key, title, deployment.stated, CHANGED[deployment.neighbours], *numbers


def _details(deployment: Deployment) -> tuple[str, ...]:
    source = f"Source: {deployment.source}. {deployment.link} (checked {deployment.checked.isoformat()})"
    return (deployment.model.value, source, *([deployment.note] if deployment.note else []))


def _tree(deployment: Deployment) -> dict[str, Any]:
    """A release as plain values."""
    return {
        "key": deployment.key,
        "curator": deployment.curator,
        "product": deployment.product,
        "year": deployment.year,
        "model": deployment.model.name,
        "parameters": {name: float(value) for name, value in deployment.parameters},
        "neighbours": deployment.neighbours.name,
        "unit": deployment.unit.name,
        "period": deployment.unit.period,
        "source": deployment.source,
        "link": deployment.link,
        "checked": deployment.checked.isoformat(),
        "note": deployment.note,
    }
