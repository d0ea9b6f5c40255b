"""The queries of a plan: what each counts, at which level, with which noise, and how many cells one record touches.

A table holds many of them as columns: the different kinds once, and for each query its name and the place of its kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from whit.errors import Incompatible, InvalidInput, require
from whit.mechanisms import DiscreteGaussian
from whit.plans.amounts import LAWS, Amount, Law, by_variance, checked_share, positive


class Linked(Enum):
    """What a change of a protected record does to the records of linked units; the value is a sentence that says it."""

    AS_THE_PERSON = (
        "Where the place of a record may be another, one record of a linked unit changes with it; where everything "
        "about the record may be another, it changes at every level."
    )
    EMPTIED_AND_FILLED = (
        "A record that moves empties one linked unit and fills another: two of them change where its place does, and "
        "no total above."
    )
    EMPTIED_OR_FILLED = (
        "A record that moves or drops out may empty or fill one linked unit and no other: its record changes at every "
        "level."
    )
    WORST = (
        "A record that moves may empty one linked unit or fill another or both: two records count where its place "
        "changes, and one at every other level."
    )
    UNTOUCHED = "The records of linked units stay as they are, since others live there."

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Linked.{self.name}"

    @property
    def records_where_moved(self) -> int:
        """How many records of linked units change at a level at which the place changes."""
        return {Linked.UNTOUCHED: 0, Linked.EMPTIED_AND_FILLED: 2, Linked.WORST: 2}.get(self, 1)

    @property
    def records_elsewhere(self) -> int:
        """How many change at a level at which the place stays, if it changes at another."""
        return 1 if self in (Linked.EMPTIED_OR_FILLED, Linked.WORST) else 0

    @property
    def records_of_presence(self) -> int:
        """How many change, at every level, if the record is added or removed."""
        return 0 if self is Linked.UNTOUCHED else 1


_CELLS = "Use a whole number of cells, such as 1 for a count and 2 for a table whose cells a record may move between."
_QUERIES = "Give queries such as Query('sex', Kind(('sex',), 'State', Rho('0.1')))."
_ATTRIBUTES = "Give a list of names, such as ['age', 'sex']; an empty one for a plain count."


@dataclass(frozen=True)
class Cells:
    """How many cells of a query one record touches, and by how much each may change.

    Attributes:
        add_remove: cells that change if the record is added or removed.
        replace: cells that change if its attributes are replaced while its place stays; at most twice as many.
        change: the most that each of them changes by.

    A record that moves leaves one place and enters another, and touches `add_remove` cells in each.
    """

    add_remove: int = 1
    replace: int = 2
    change: Fraction = field(default=Fraction(1))

    def __post_init__(self) -> None:
        for name in ("add_remove", "replace"):
            _require_whole(name, getattr(self, name))
        object.__setattr__(self, "change", positive("change", self.change, "Use the largest change, such as 1."))
        require(self.add_remove > 0, name="add_remove", rule="must be above 0", value=self.add_remove, way_out=_CELLS)
        require(
            self.replace <= 2 * self.add_remove,
            name="replace",
            rule="must be at most twice add_remove, as it removes one record and adds another",
            value=f"{self.replace} against {self.add_remove}",
            way_out="Raise add_remove, or lower replace.",
        )

    @property
    def moved(self) -> int:
        """Cells that change if the record moves to another place, with its attributes changed or not."""
        return 2 * self.add_remove


@dataclass(frozen=True, init=False, repr=False)
class Share:
    """A part of a budget: the share of what the budget gives to the level of the query."""

    budget: str
    share: Fraction

    def __init__(self, budget: str, share: object) -> None:
        require_words("the name of a budget", budget)
        way_out = "Use a share such as '447/4099'; the shares of a budget at each level add up to 1."
        object.__setattr__(self, "budget", budget)
        object.__setattr__(self, "share", checked_share("share", share, way_out))

    def __repr__(self) -> str:
        """The expression that builds the share."""
        return f"Share({self.budget!r}, '{self.share}')"


@dataclass(frozen=True)
class Kind:
    """All about a query but its name; queries of one kind are counted, not listed.

    Attributes:
        attributes: the attributes of a record that the query depends on.
        level: the level of the hierarchy at which it is published, once for every place.
        parameter: the amount that it may tell, or its share of a budget.
        law: the class of the noise, such as DiscreteGaussian.
        cells: the cells that one record touches.
        counts: whose records it counts, if not those of the protected unit: a unit that is linked to it.
    """

    attributes: tuple[str, ...]
    level: str
    parameter: Amount | Share
    law: Law = DiscreteGaussian
    cells: Cells = field(default_factory=Cells)
    counts: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", attribute_names(self.attributes))
        require_words("level", self.level)
        if self.counts != "":
            require_words("counts", self.counts)
        way_out = "Use Rho('0.5'), Sigma('10'), Mu('1'), Epsilon('1'), or Share('people', '1/2')."
        known = isinstance(self.parameter, Amount | Share)
        require(known, name="parameter", rule="must be an amount or a share", value=self.parameter, way_out=way_out)
        known = self.law in LAWS.values()
        listed = ", ".join(each.__name__ for each in LAWS.values())
        require(known, name="law", rule="must be a class of noise", value=self.law, way_out=f"Use one of {listed}.")
        way_out = "Use Cells() for a table, or Cells(add_remove=1, replace=1) for one count."
        known = isinstance(self.cells, Cells)
        require(known, name="cells", rule="must be Cells", value=self.cells, way_out=way_out)
        self._require_fitting()

    def _require_fitting(self) -> None:
        if isinstance(self.parameter, Amount):
            require_fitting(self.parameter, self.law)
        if self.law.whole and self.cells.change.denominator != 1:
            way_out = "Count in smaller units, or use Gaussian or Laplace noise."
            raise InvalidInput("change", "must be whole, as the noise is", self.cells.change, way_out)


@dataclass(frozen=True)
class Query:
    """A query by its name and its kind."""

    name: str
    kind: Kind

    def __post_init__(self) -> None:
        require_words("the name of a query", self.name)
        known = isinstance(self.kind, Kind)
        require(known, name="kind", rule="must be a Kind", value=self.kind, way_out="Build it with Kind(...).")


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
        require(inside, name="the queries of a plan", rule="must be at least one", value=self, way_out=_QUERIES)
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
                raise InvalidInput("the queries of a plan", "must be queries", query, _QUERIES)
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

    def entries(self) -> Iterator[tuple[str, int]]:
        """The name of each query, with the place of its kind."""
        return zip(self.names, self.kind_of.tolist(), strict=True)

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

    def only(self, keep: NDArray[np.bool_]) -> Table:
        """The rows that are marked; kinds without a row are dropped, and the places of the others follow."""
        names = tuple(self.names[row] for row in np.flatnonzero(keep).tolist())
        left, kind_of = np.unique(self.kind_of[keep], return_inverse=True)
        return Table(tuple(self.kinds[place] for place in left.tolist()), names, kind_of.reshape(-1))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Query]:
        return (Query(name, self.kinds[place]) for name, place in self.entries())

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


def require_fitting(amount: Amount, law: Law) -> None:
    """Refuse a parameter that the law of the noise does not have."""
    if amount.by_variance != by_variance(law):
        fitting = "rho, mu or sigma" if by_variance(law) else "epsilon"
        rule = f"cannot be the parameter of {law.__name__} noise"
        raise Incompatible(amount.word, rule, repr(amount), f"Give {fitting}, or choose another law.")


def require_words(name: str, text: object) -> None:
    """Refuse what is no text, or a text of blanks or with blanks around it."""
    good = isinstance(text, str) and text != "" and text == text.strip()
    require(good, name=name, rule="must be a text without blanks around it", value=repr(text), way_out="Give a name.")


def attribute_names(names: object) -> tuple[str, ...]:
    """Names of attributes, each once, in the order given."""
    if isinstance(names, str) or not isinstance(names, Sequence | set | frozenset):
        raise InvalidInput("attributes", "must be a list of names", repr(names), _ATTRIBUTES)
    for name in names:
        require_words("an attribute", name)
    return tuple(dict.fromkeys(sorted(names) if isinstance(names, set | frozenset) else names))


def _require_whole(name: str, value: object) -> None:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    require(good, name=name, rule="must be a whole number of at least 0", value=repr(value), way_out=_CELLS)
