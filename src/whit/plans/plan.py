"""A release plan: every query that will be published about the same people, with its noise, and what is not protected.

>>> from whit.plans import Budget, Kind, Plan, Query, Rho, Share
>>> from whit.setting import PERSON
>>> age = Query("age by sex", Kind(("age", "sex"), "County", Share("people", "2/3")))
>>> total = Query("total", Kind((), "Country", Share("people", "1/3")))
>>> plan = Plan.of([total, age], name="a small census", levels=["Country", "County"],
...                unit=PERSON, budgets=[Budget("people", Rho("0.5"))])
>>> plan
<a small census: 2 queries of 2 kinds>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from whit.errors import InvalidInput, require
from whit.plans.budget import Budget
from whit.plans.checks import require_sound
from whit.plans.query import Kind, Linked, Query, Share, require_words
from whit.plans.table import Table
from whit.setting import Neighbours, UnitOfPrivacy

_LEVELS = "Give the names of the levels from the coarsest to the finest, such as ['Country', 'County']."


@dataclass(frozen=True)
class Unprotected:
    """Something that is published as it is, without noise."""

    name: str
    reason: str

    def __post_init__(self) -> None:
        require_words("the name of what is not protected", self.name)
        require_words("the reason why it is not protected", self.reason)


@dataclass(frozen=True, repr=False)
class Plan:
    """Queries over attributes and a hierarchy of places, each with its noise.

    Attributes:
        name: what the plan is for.
        unit: whom or what one record stands for.
        neighbours: between which datasets the parameters are stated, adding and removing or replacing.
        levels: the levels of the hierarchy, from the coarsest to the finest; each place lies in one of the level above.
        table: the queries.
        budgets: the amounts that queries have shares of.
        single: levels that have a single place, so that nobody can move between places of it.
        linked: what a change of a record does to units that are linked to it.
        unprotected: what is published without noise.
        source: where the numbers come from.
    """

    name: str
    unit: UnitOfPrivacy
    neighbours: Neighbours
    levels: tuple[str, ...]
    table: Table
    budgets: tuple[Budget, ...] = ()
    single: tuple[str, ...] = ()
    linked: Linked = Linked.WORST
    unprotected: tuple[Unprotected, ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        require_words("the name of a plan", self.name)
        _require_unit(self.unit)
        way_out = "Use Neighbours.ADD_REMOVE or Neighbours.REPLACE."
        known = self.neighbours in (Neighbours.ADD_REMOVE, Neighbours.REPLACE)
        rule = "must be adding and removing, or replacing"
        require(known, name="the plan, column neighbours", rule=rule, value=self.neighbours, way_out=way_out)
        for name in ("levels", "single", "budgets", "unprotected"):
            object.__setattr__(self, name, _listed(name, getattr(self, name)))
        known = isinstance(self.linked, Linked)
        way_out = f"Use one of {', '.join(map(repr, Linked))}."
        require(known, name="the plan, column linked", rule="must be one of Linked", value=self.linked, way_out=way_out)
        require_sound(self.unit.name, self.levels, self.single, self.budgets, self.table)

    @classmethod
    def of(
        cls,
        queries: Iterable[Query] | Table,
        *,
        name: str,
        levels: Sequence[str],
        unit: UnitOfPrivacy,
        neighbours: Neighbours = Neighbours.REPLACE,
        budgets: Sequence[Budget] = (),
        single: Sequence[str] = (),
        linked: Linked = Linked.WORST,
        unprotected: Sequence[Unprotected] = (),
        source: str = "",
    ) -> Plan:
        """The plan of these queries."""
        return cls(
            name=name,
            unit=unit,
            neighbours=neighbours,
            levels=levels,  # type: ignore[arg-type]  # made tuples when built, as are the others
            table=Table.of(queries),
            budgets=budgets,  # type: ignore[arg-type]
            single=single,  # type: ignore[arg-type]
            linked=linked,
            unprotected=unprotected,  # type: ignore[arg-type]
            source=source,
        )

    @property
    def attributes(self) -> tuple[str, ...]:
        """All attributes of records of the protected unit that some query depends on, in order of appearance."""
        own = (kind for kind in self.table.kinds if self.own(kind))
        return tuple(dict.fromkeys(name for kind in own for name in kind.attributes))

    def budget(self, name: str) -> Budget:
        """The budget of this name."""
        for budget in self.budgets:
            if budget.name == name:
                return budget
        way_out = f"Use one of {', '.join(each.name for each in self.budgets) or 'none, as the plan has no budgets'}."
        raise InvalidInput("a budget", "must be one of the plan's", name, way_out)

    def own(self, kind: Kind) -> bool:
        """Whether a query counts records of the protected unit, and not of one that is linked to it."""
        return kind.counts in ("", self.unit.name)

    def stated_cells(self, kind: Kind) -> int:
        """The cells that change between the neighbours for which the parameter of the query is stated.

        A record that is replaced may be in another place, so that it leaves one cell and enters another. Of a linked
        unit one record changes, in its place.
        """
        if not self.own(kind):
            return kind.cells.replace
        return kind.cells.moved if self.neighbours is Neighbours.REPLACE else kind.cells.add_remove

    def share(self, kind: Kind) -> Fraction:
        """The share of a query in the whole of its budget; 1 if it has an amount of its own."""
        if not isinstance(kind.parameter, Share):
            return Fraction(1)
        budget = self.budget(kind.parameter.budget)
        return kind.parameter.share * budget.pots[budget.pot(kind.level)]

    def spread(self, kind: Kind) -> Fraction:
        """The noise of a query: variance or scale, without rounding; 0 if it has no share, and is not asked."""
        parameter, share = kind.parameter, self.share(kind)
        amount = self.budget(parameter.budget).amount if isinstance(parameter, Share) else parameter
        return amount.spread(share, self.stated_cells(kind), kind.cells.change) if share > 0 else Fraction(0)

    def below(self, level: str) -> tuple[str, ...]:
        """The levels that are finer than this one."""
        return self.levels[self.levels.index(level) + 1 :]

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.table)} queries of {len(self.table.kinds)} kinds>"

    def __hash__(self) -> int:
        return hash((self.name, self.unit, self.levels, self.table))


def _require_unit(unit: object) -> None:
    """Refuse a plan that does not say whom a record stands for."""
    way_out = 'State whom a record stands for, such as UnitOfPrivacy("person").'
    known = isinstance(unit, UnitOfPrivacy)
    require(known, name="the plan, column unit", rule="must be stated", value=repr(unit), way_out=way_out)


def _listed(name: str, given: object) -> tuple[object, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidInput(f"the plan, column {name}", "must be a list", repr(given), _LEVELS)
    return tuple(given)
