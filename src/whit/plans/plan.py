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

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction

from whit.audit import Publication
from whit.display import Row, Tabular
from whit.errors import Incompatible, InvalidInput, nearest, require, safe_repr
from whit.plans.amounts import Amount, checked_share, require_moderate
from whit.plans.query import Kind, Linked, Query, Share, Table, require_fitting, require_words
from whit.plans.shown import plan_html, plan_rows
from whit.setting import Neighbours, UnitOfPrivacy
from whit.theory import Frozen

ALL = "all"
"""The word for the whole of a budget that is not divided among levels."""

_LEVELS = "Give the names of the levels from the coarsest to the finest, such as ['Country', 'County']."
_AMOUNT = "Use Rho('2.56'), Mu('1'), Sigma('10') or Epsilon('1')."


@dataclass(frozen=True)
class Budget:
    """An amount that is divided among levels, and at each level among queries.

    Attributes:
        name: the name by which queries refer to it.
        amount: the whole of it.
        levels: the share of each level; empty if the shares of queries are shares of the whole.
        left: what is left unspent, as a share of what each level has ("all" if it is not divided).
    """

    name: str
    amount: Amount
    levels: Mapping[str, Fraction] = field(default_factory=dict)
    left: Mapping[str, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_words("the name of a budget", self.name)
        known = isinstance(self.amount, Amount)
        name = f"the amount of budget {self.name}"
        require(known, name=name, rule="must be an amount", value=self.amount, way_out=_AMOUNT)
        for part in ("levels", "left"):
            object.__setattr__(self, part, self._shares(part, getattr(self, part)))
        total = sum(self.levels.values(), Fraction(0))
        if self.levels and total != 1:
            rule = "must have shares that add up to 1"
            way_out = "Correct one of them; fractions such as '447/4099' are kept exact."
            raise InvalidInput(f"budget {self.name}, column levels", rule, str(total), way_out)
        for pot in self.left:
            if pot not in self.pots:
                way_out = f"Use one of {', '.join(self.pots)}."
                raise InvalidInput(f"budget {self.name}, column left", "must name a part of it", pot, way_out)

    @property
    def pots(self) -> Mapping[str, Fraction]:
        """The parts that queries share in, as shares of the whole: one for each level, or one for all."""
        return self.levels or {ALL: Fraction(1)}

    def pot(self, level: str) -> str:
        """The name of the part that a query at this level has a share of."""
        return level if self.levels else ALL

    def __hash__(self) -> int:
        return hash((self.name, self.amount))

    def _shares(self, part: str, given: object) -> Mapping[str, Fraction]:
        way_out = "Give a share for each level, such as {'State': '1/2', 'County': '1/2'}."
        name = f"budget {self.name}, column {part}"
        if not isinstance(given, Mapping):
            raise InvalidInput(name, "must give a share for each level", given, way_out)
        for level in given:
            require_words(name, level)
        return Frozen({level: checked_share(f"{name}, {level}", value, way_out) for level, value in given.items()})


@dataclass(frozen=True)
class Unprotected:
    """Something that is published as it is, without noise.

    Attributes:
        name: what it is.
        reason: why it has no noise.
        file: the table with its numbers, beside the file of the plan; empty if the plan has no numbers.
        published: what that table says.
    """

    name: str
    reason: str
    file: str = ""
    published: Publication | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        require_words("the name of what is not protected", self.name)
        require_words("the reason why it is not protected", self.reason)


@dataclass(frozen=True, repr=False)
class Plan(Tabular):
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
        way_out = 'State whom a record stands for, such as UnitOfPrivacy("person").'
        known = isinstance(self.unit, UnitOfPrivacy)
        value = repr(self.unit)
        require(known, name="the plan, column unit", rule="must be stated", value=value, way_out=way_out)
        way_out = "Use Neighbours.ADD_REMOVE or Neighbours.REPLACE."
        known = self.neighbours in (Neighbours.ADD_REMOVE, Neighbours.REPLACE)
        rule = "must be adding and removing, or replacing"
        require(known, name="the plan, column neighbours", rule=rule, value=self.neighbours, way_out=way_out)
        for name in ("levels", "single", "budgets", "unprotected"):
            object.__setattr__(self, name, _listed(name, getattr(self, name)))
        known = isinstance(self.linked, Linked)
        way_out = f"Use one of {', '.join(map(repr, Linked))}."
        require(known, name="the plan, column linked", rule="must be one of Linked", value=self.linked, way_out=way_out)
        _require_sound(self)

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

        A record that is replaced may be in another place, so that it leaves one cell and enters another. One
        record of a linked unit changes, in its place.
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

    def to_rows(self) -> list[Row]:
        """A row for each kind of query: how many there are, what they depend on, and their noise."""
        return plan_rows(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the queries kind by kind, the budgets, and what has no noise."""
        return plan_html(self)

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.table)} queries of {len(self.table.kinds)} kinds>"

    def __hash__(self) -> int:
        return hash((self.name, self.unit, self.levels, self.table))


def _listed(name: str, given: object) -> tuple[object, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidInput(f"the plan, column {name}", "must be a list", repr(given), _LEVELS)
    return tuple(given)


def _require_sound(plan: Plan) -> None:
    """Refuse a plan with levels or budgets that are not known, and with shares that do not add up."""
    levels = plan.levels
    _require_different("levels", levels)
    require(len(levels) > 0, name="the plan, column levels", rule="must name one", value=levels, way_out="Add one.")
    for level in plan.single:
        _require_known("the plan, column single", level, levels)
    for budget in plan.budgets:
        known, way_out = isinstance(budget, Budget), "Build them with Budget(name, amount)."
        require(known, name="the plan, column budgets", rule="must be budgets", value=budget, way_out=way_out)
        for level in budget.levels:
            _require_known(f"budget {budget.name}, column levels", level, levels)
    _require_different("budgets", [budget.name for budget in plan.budgets])
    for place, kind in enumerate(plan.table.kinds):
        try:
            _require_kind(plan, kind)
        except (InvalidInput, Incompatible) as wrong:
            row = plan.table.rows(place)[0]
            name = f"row {row} ({plan.table.names[row - 1]}), column {wrong.name}"
            raise type(wrong)(name, wrong.rule, wrong.value, wrong.way_out) from wrong
    for budget in plan.budgets:
        _require_whole(budget, plan.table)


def unknown_name(name: str, word: object, words: Sequence[str]) -> InvalidInput:
    """The error about a name that is not in a list, with the one that was meant."""
    near = nearest(word, words) if isinstance(word, str) else ()
    listed = ", ".join(words) or "none"
    way_out = f"Did you mean {near[0]!r}? Use one of {listed}." if near else f"Use one of {listed}."
    return InvalidInput(name, "must be one of the plan's", _quoted(word), way_out)


def _quoted(word: object) -> str:
    """A text in quotes, a number as it is written, anything else as Python has it."""
    return str(word) if isinstance(word, Decimal) else safe_repr(word)


def _require_known(name: str, word: object, words: Sequence[str]) -> None:
    if word not in words:
        raise unknown_name(name, word, words)


def _require_different(column: str, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        require_words(f"the plan, column {column}", name)
        if name in names[:place]:
            raise InvalidInput(f"the plan, column {column}", "must name each once", repr(name), "Leave out one.")


def _require_kind(plan: Plan, kind: Kind) -> None:
    """Refuse a kind whose level, budget or linked unit does not fit; the error is named by the column."""
    _require_known("level", kind.level, plan.levels)
    if isinstance(kind.parameter, Share):
        _require_known("budget", kind.parameter.budget, [budget.name for budget in plan.budgets])
        _require_share(plan.budget(kind.parameter.budget), kind)
    if not plan.own(kind):
        _require_linked(kind, plan.unit.name)
    require_moderate("share" if isinstance(kind.parameter, Share) else kind.parameter.word, plan.spread(kind))


def _require_share(budget: Budget, kind: Kind) -> None:
    """Refuse a budget that gives nothing to the level of a query, or is not of its noise."""
    if budget.pot(kind.level) not in budget.pots:
        way_out = f"Give {kind.level} a share in budget {budget.name}, or choose another budget."
        raise Incompatible("level", f"must have a share in budget {budget.name}", kind.level, way_out)
    try:
        require_fitting(budget.amount, kind.law)
    except Incompatible as wrong:
        rule = "must be of the noise of the query"
        raise Incompatible("budget", rule, repr(budget.amount), wrong.way_out) from wrong


def _require_linked(kind: Kind, unit: str) -> None:
    """Refuse a linked unit that is the protected one misspelt, or whose record touches no cell."""
    if get_close_matches(kind.counts, [unit], cutoff=0.8):
        way_out, rule = f"Did you mean {unit!r}? Then leave it out.", "must be another word than the unit of privacy"
        raise InvalidInput("counts", rule, repr(kind.counts), way_out)
    if kind.cells.replace == 0:
        way_out = f"Say how many cells change with one record of a {kind.counts}, such as replace=2."
        raise InvalidInput("replace", "must be above 0", 0, way_out)


def _require_whole(budget: Budget, table: Table) -> None:
    """Refuse shares that do not add up to 1, together with what is left, in some part of a budget."""
    totals: dict[str, Fraction] = defaultdict(Fraction)
    places: dict[str, list[int]] = defaultdict(list)
    for place, (kind, count) in enumerate(zip(table.kinds, table.counts, strict=True)):
        if isinstance(kind.parameter, Share) and kind.parameter.budget == budget.name:
            pot = budget.pot(kind.level)
            totals[pot] += count * kind.parameter.share
            places[pot].append(place)
    for pot, part in budget.pots.items():
        whole = totals[pot] + budget.left.get(pot, Fraction(0))
        if whole != 1 and part > 0:
            raise _not_whole(budget, pot, whole, sorted(row for place in places[pot] for row in table.rows(place)))


def _not_whole(budget: Budget, pot: str, whole: Fraction, rows: list[int]) -> InvalidInput:
    listed = ", ".join(map(str, rows[:4])) + (f" and {len(rows) - 4} more" if len(rows) > 4 else "")
    name = f"rows {listed or 'none'}, column share, budget {budget.name} at {pot}"
    side = "over" if whole > 1 else "under"
    way_out = f"They are {side} 1; correct a share, or state what is left unspent as left = {{{pot} = ...}}."
    return InvalidInput(name, "must add up to 1", f"{whole} = {float(whole):.6g}", way_out)
