"""The queries of a plan as columns: the different kinds once, and for each query its name and the place of its kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, require
from whit.plans.query import Kind, Query

_WAY_OUT = "Give queries such as Query('sex', Kind(('sex',), 'State', Rho('0.1')))."


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Queries in order, with equal kinds stored once: a million queries of a few kinds are a few kinds, and counts.

    Attributes:
        kinds: the different kinds.
        names: the name of each query.
        kind_of: for each query, the place of its kind.
    """

    kinds: tuple[Kind, ...]
    names: tuple[str, ...]
    kind_of: NDArray[np.intp]

    def __post_init__(self) -> None:
        places = np.asarray(self.kind_of, dtype=np.intp)
        fits = places.shape == (len(self.names),) and len(self.kinds) > 0
        inside = fits and bool(np.all((places >= 0) & (places < len(self.kinds))))
        require(inside, name="the queries of a plan", rule="must be at least one", value=self, way_out=_WAY_OUT)
        # A copy, so that whoever made the array cannot change the table.
        places = places.copy()
        places.setflags(write=False)
        object.__setattr__(self, "kind_of", places)

    @classmethod
    def of(cls, queries: Iterable[Query] | Table) -> Table:
        """The table of these queries; a table as it is."""
        if isinstance(queries, Table):
            return queries
        places: dict[Kind, int] = {}
        # Hashing a kind takes longer than asking whether it was just seen.
        seen: dict[int, int] = {}
        names: list[str] = []
        kept: list[Kind] = []
        kind_of: list[int] = []
        for query in queries:
            if not isinstance(query, Query):
                raise InvalidInput("the queries of a plan", "must be queries", query, _WAY_OUT)
            if id(query.kind) not in seen:
                seen[id(query.kind)] = places.setdefault(query.kind, len(places))
                kept.append(query.kind)  # keeps the id from being given to another kind
            names.append(query.name)
            kind_of.append(seen[id(query.kind)])
        return cls(tuple(places), tuple(names), np.array(kind_of, dtype=np.intp))

    @property
    def counts(self) -> tuple[int, ...]:
        """How many queries there are of each kind."""
        return tuple(np.bincount(self.kind_of, minlength=len(self.kinds)).tolist())

    def rows(self, place: int) -> list[int]:
        """The numbers of the rows of one kind, from 1 on."""
        found: list[int] = (np.flatnonzero(self.kind_of == place) + 1).tolist()
        return found

    def names_of(self, place: int, most: int = 3) -> str:
        """The names of the queries of one kind, the first few of them."""
        rows = np.flatnonzero(self.kind_of == place)
        names = list(dict.fromkeys(self.names[row] for row in rows[:most].tolist()))
        more = len(rows) - most
        return ", ".join(names) + (f" and {more} more" if more > 0 else "")

    def where(self, chosen: Sequence[int]) -> Table:
        """The rows of some kinds only, by the places of the kinds."""
        return self.only(np.isin(self.kind_of, np.array(chosen, dtype=np.intp)))

    def only(self, keep: NDArray[np.bool_]) -> Table:
        """The rows that are marked; kinds without a row are dropped, and the places of the others follow."""
        names = tuple(self.names[row] for row in np.flatnonzero(keep).tolist())
        left, kind_of = np.unique(self.kind_of[keep], return_inverse=True)
        return Table(tuple(self.kinds[place] for place in left.tolist()), names, kind_of.reshape(-1))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Query]:
        for name, place in zip(self.names, self.kind_of.tolist(), strict=True):
            yield Query(name, self.kinds[place])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        if self.names != other.names:
            return False
        places = {kind: place for place, kind in enumerate(other.kinds)}
        mine = np.array([places.get(kind, -1) for kind in self.kinds], dtype=np.intp)
        return bool(np.array_equal(mine[self.kind_of], other.kind_of))

    def __hash__(self) -> int:
        return hash((len(self.names), frozenset(self.kinds)))

    def __repr__(self) -> str:
        return f"<{len(self.names)} queries of {len(self.kinds)} kinds>"
