"""What a mechanism reveals of a group of records, by steps from one record to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from whit import curves
from whit.curves import Curve, Order, Promise
from whit.errors import NotImplied
from whit.mechanisms.coverage import require_all_neighbours, require_few
from whit.mechanisms.mechanism import Mechanism
from whit.numerics import count
from whit.setting import Neighbours
from whit.theory import Basis, Direction

_SIZE = "Use the number of records that one group has, such as 2."


@dataclass(frozen=True, repr=False)
class Group(Promise):
    """What is known of a group of so many records: as many steps between neighbours as it has records, in any order.

    The neighbours that a question names are those of each step: under replace, every record of the group is replaced.

    Attributes:
        mechanism: what one record may reveal.
        size: the number of records.

    >>> from whit.mechanisms import Gaussian, PoissonSubsampled
    >>> print(Group(PoissonSubsampled(Gaussian(1.0), 0.01), 2).delta(0.1))
    delta is at most 6.41e-4
    """

    mechanism: Mechanism
    size: int

    def __post_init__(self) -> None:
        """Refuse what is no number of records, and what is known of two datasets alone."""
        self._keep(size=count("size", self.size, _SIZE))
        require_all_neighbours(self.mechanism, "a promise to a group")
        require_few(self.size)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """An upper bound on the profile between datasets that are so many steps apart."""
        return _in_steps(self.mechanism, self.size, self.relation(neighbours))

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours:
        """The relation that is named, else that of the mechanism."""
        return self.mechanism.relation(neighbours)

    def covered(self, neighbours: Neighbours | None = None, *, sides: int = 1) -> tuple[Promise, ...]:
        """The bound on the profile, which covers those who change less as well."""
        return (self.curve(neighbours),)

    @property
    def group_of(self) -> tuple[Promise, int]:
        """The mechanism, and the number of records."""
        return self.mechanism, self.size

    def times(self, count: int) -> Group:
        """The same group in so many releases."""
        return replace(self, mechanism=self.mechanism.times(count))

    def group(self, size: int) -> Group:
        """A group of so many such groups."""
        return replace(self, size=self.size * count("size", size, _SIZE))

    def to_dict(self) -> dict[str, Any]:
        """What one record may reveal, and the number of records."""
        return {"kind": type(self).__name__, "mechanism": self.mechanism.to_dict(), "size": self.size}

    def __repr__(self) -> str:
        """The expression that builds it."""
        return f"{self.mechanism!r}.group({self.size})"


def to_group(mechanism: Mechanism, size: int) -> Promise:
    """The mechanism itself for a group of one record, else what is known by steps."""
    group = Group(mechanism, size)
    return mechanism if group.size == 1 else group


@lru_cache(maxsize=64)
def _in_steps(mechanism: Mechanism, size: int, relation: Neighbours) -> Curve:
    if mechanism.knows_size and relation is Neighbours.ADD_REMOVE:
        rule, way_out = "is not known where the loss depends on how many people there are", "Use a Poisson sample."
        raise NotImplied("a promise to a group", rule, mechanism, way_out)
    own = mechanism.curve(relation)
    direction = Direction.combine(own.direction, Direction.AT_MOST)
    basis = own.basis | Basis.of("groups-by-steps")
    return Curve(curves.chained([(own.face,)] * size), direction, Order.PROFILE, basis)
