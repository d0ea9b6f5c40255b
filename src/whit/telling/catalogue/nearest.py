"""The releases of the catalogue that are most like a claim, with the difference of their units spelled out."""

from __future__ import annotations

from dataclasses import dataclass

from whit.curves import Promise
from whit.numerics import count
from whit.semantics.testing import power
from whit.setting import Knowledge, Neighbours, UnitOfPrivacy
from whit.telling.catalogue.deployment import LEVEL, Deployment, Risks, deployments, risks

CHANGED = {
    Neighbours.ADD_REMOVE: "added or removed",
    Neighbours.REPLACE: "replaced",
    Neighbours.LOCAL: "local",
}
"""What happens to the record that neighbours differ by, in a column of a table."""

_CHANGES = {
    Neighbours.ADD_REMOVE: "a record that is added or removed",
    Neighbours.REPLACE: "a record that is replaced",
    Neighbours.LOCAL: "the report that a device sends",
}
_HOW_MANY = "Use a number such as 3."


@dataclass(frozen=True)
class Near:
    """A release of the catalogue beside a claim.

    Attributes:
        deployment: the release.
        risks: what an adversary may learn from it.
        difference: how its unit and its neighbours differ from those of the claim, in a sentence or two.
        comparable: whether they do not differ at all.
    """

    deployment: Deployment
    risks: Risks
    difference: str
    comparable: bool


def nearest_to(
    promise: Promise,
    unit: UnitOfPrivacy | None,
    *,
    neighbours: Neighbours | None = None,
    named: bool = True,
    number: int = 3,
) -> tuple[Near, ...]:
    """The releases that are most like a promise: of the same unit first, then of the same neighbours, then by power.

    They come in the order of the years.

    Closeness says which releases may be of interest. It ranks nothing: across units the numbers mean different things.

    >>> from whit.guarantees import PureDP
    >>> from whit.setting import PERSON
    >>> [each.comparable for each in nearest_to(PureDP(1.0), PERSON, number=4)]
    [False, True, True, True]

    Args:
        promise: what is claimed.
        unit: the unit of the claim; None if it states none.
        neighbours: the relation that the claim is about; that of the promise if none is named.
        named: whether the claim itself names its neighbours.
        number: how many releases are wanted.
    """
    wanted = count("number", number, _HOW_MANY)
    ours = float(power(promise, LEVEL, neighbours=neighbours, knows=Knowledge.ANY_BELIEF))
    relation = promise.relation(neighbours) if named else None
    far = {each: abs(float(power(each.promise, LEVEL)) - ours) for each in deployments()}
    other = {each: relation is not None and each.neighbours is not relation for each in far}
    ordered = sorted(far, key=lambda each: (_distance(each.unit, unit), other[each], far[each], each.key))
    chosen = sorted(ordered[:wanted], key=lambda each: (each.year, each.key))
    return tuple(_near(each, unit, relation) for each in chosen)


def _distance(theirs: UnitOfPrivacy, ours: UnitOfPrivacy | None) -> int:
    """0 for the same unit, 1 for the same unit over another period, 2 for another unit or where none is stated."""
    if ours is None:
        return 2
    return 0 if theirs == ours else 1 if theirs.name == ours.name else 2


def _near(deployment: Deployment, unit: UnitOfPrivacy | None, relation: Neighbours | None) -> Near:
    differences = [*_units(deployment.unit, unit), *_relations(deployment.neighbours, relation)]
    same = "Same unit and same neighbours as the claim."
    return Near(deployment, risks(deployment), " ".join(differences) or same, not differences)


def _units(theirs: UnitOfPrivacy, ours: UnitOfPrivacy | None) -> list[str]:
    if ours is None:
        return [f"It protects {_unit(theirs)}; the claim does not say what it protects."]
    if theirs == ours:
        return []
    if theirs.name == ours.name:
        return [f"It protects one {theirs.name} within {theirs.period}; the claim does so within {ours.period}."]
    return [f"It protects {_unit(theirs)}; the claim protects {_unit(ours)}."]


def _relations(theirs: Neighbours, ours: Neighbours | None) -> list[str]:
    if theirs is ours:
        return []
    if ours is None:
        return [f"It is about {_CHANGES[theirs]}; the claim does not name its neighbours."]
    return [f"It is about {_CHANGES[theirs]}; the claim is about {_CHANGES[ours]}."]


def _unit(unit: UnitOfPrivacy) -> str:
    return f"one {unit.name} within {unit.period}"
