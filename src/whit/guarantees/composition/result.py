"""What several promises come to, by which theorem, and whether later releases may be chosen by earlier outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from whit.errors import Incompatible, require
from whit.guarantees.guarantee import Guarantee
from whit.guarantees.properties import Known
from whit.setting import Neighbours
from whit.theory import Basis, theorem

Promised = TypeVar("Promised", bound=Guarantee)
Promised_co = TypeVar("Promised_co", bound=Guarantee, covariant=True)


@dataclass(frozen=True)
class Composition(Generic[Promised_co]):
    """The promise of several releases together.

    Attributes:
        promise: what they promise together.
        theorem: key of the rule.
        adaptive: whether the rule holds where a later release is chosen by the outcomes of earlier ones.
    """

    promise: Promised_co
    theorem: str
    adaptive: Known

    def __post_init__(self) -> None:
        """Refuse a rule that is in no list."""
        theorem(self.theorem)

    @property
    def basis(self) -> Basis:
        """What the composition rests on."""
        return Basis.of(self.theorem)


def require_same_kind(promises: Sequence[Guarantee], *kinds: type[Guarantee]) -> Neighbours:
    """Refuse promises of other kinds than one of these or under different neighbours; return the neighbours."""
    names = " or ".join(kind.__name__ for kind in kinds)
    require(len(promises) > 0, name="promises", rule="must be at least one", value=promises, way_out="Pass a promise.")
    for promise in promises:
        require(
            isinstance(promise, kinds),
            name="a promise of this rule",
            rule=f"must be {names}",
            value=promise,
            way_out="Use compose, which takes promises of any kind, or convert them to one kind first.",
        )
    return same_neighbours(promises)


def same_neighbours(promises: Sequence[Guarantee]) -> Neighbours:
    """The relation that all promises share; promises under different ones do not go together."""
    found = list(dict.fromkeys(promise.neighbours for promise in promises))
    if len(found) > 1:
        raise Incompatible(
            "promises that are composed",
            f"must be under the same neighbours, not {found[0]!r} and {found[1]!r}",
            next(promise for promise in promises if promise.neighbours is found[1]),
            f"Bring them to one relation with .under({Neighbours.REPLACE!r}).",
        )
    return found[0]
