"""Small groups of people with counts, means and medians: every dataset that fits, by going through them in order.

People are put in the order of their numbers, the smallest first. Then the k-th member of any group that is met is the
k-th smallest of that group, so that a median is a rule about one step, and sums have bounds from what is still to come.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import NamedTuple

from whit.audit.statement import Between, Exact, Mean, Statement, whole
from whit.errors import Incompatible, InvalidInput, TooCostly, require, unknown_name

MOST_STATES = 2_000_000
"""The most beginnings of datasets that are kept."""

MOST_DATASETS = 100_000
"""The most datasets that are listed."""


class Person(NamedTuple):
    """The number of somebody, such as an age, and a value for each trait."""

    number: int
    traits: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """The people with some traits, and with a number between two ends; everybody if nothing is said.

    traits   the value of each trait that matters
    least    the least number, such as 18 for adults; None if there is none
    most     the largest number
    """

    traits: Mapping[str, str] = field(default_factory=dict)
    least: int | None = None
    most: int | None = None

    def holds(self, person: Person, names: Sequence[str]) -> bool:
        """Whether somebody belongs to it.

        >>> Group({"sex": "F"}, least=18).holds(Person(8, ("F",)), ["sex"])
        False
        """
        own = dict(zip(names, person.traits, strict=True))
        above = self.least is None or person.number >= self.least
        below = self.most is None or person.number <= self.most
        return above and below and all(own[name] == value for name, value in self.traits.items())

    def __hash__(self) -> int:
        """That of its parts."""
        return hash((tuple(sorted(self.traits.items())), self.least, self.most))


@dataclass(frozen=True)
class Statistic:
    """What is published about a group: how many people it has, and the median and the mean of their numbers.

    A median or a mean is a text of digits, as it is printed, and needs an exact count beside it.
    """

    name: str
    group: Group
    count: Statement
    median: str | None = None
    mean: str | None = None

    def __post_init__(self) -> None:
        asked = self.median is not None or self.mean is not None
        fits = not asked or (isinstance(self.count, Exact) and self.count.value >= 1)
        rule = "must be exact and at least 1 beside a mean or a median"
        require(fits, name=f"the count of {self.name}", rule=rule, value=self.count, way_out="Use Exact(4).")


class Tally(NamedTuple):
    """What is known of one statistic after some people: how many, their sum, and the first of two middle numbers."""

    members: int = 0
    total: int = 0
    first: int = 0


class State(NamedTuple):
    """A beginning of a dataset: the last number and kind of person, how many of each kind are to come, tallies."""

    number: int
    kind: int
    waiting: tuple[int, ...]
    tallies: tuple[Tally, ...]


class People:
    """So many people, and what is published about groups of them.

    size         how many people there are
    ends         the least and the largest number that anybody can have
    traits       the values of each trait
    statistics   what is published
    excluded     groups that nobody can be in, such as married children

    >>> men = Statistic("men", Group(), Exact(3), median="30.0", mean="44.0")
    >>> People(3, (0, 125), {}, [men]).number
    31
    """

    def __init__(
        self,
        size: int,
        ends: tuple[int, int],
        traits: Mapping[str, Sequence[str]],
        statistics: Iterable[Statistic],
        *,
        excluded: Iterable[Group] = (),
    ) -> None:
        self.size = whole("size", size)
        self.ends = _both(Between(*ends))
        self.traits = dict(traits)
        self.statistics = tuple(statistics)
        self.excluded = tuple(excluded)
        for group in (*self.excluded, *(each.group for each in self.statistics)):
            _require_known(group, traits)
        self.kinds = tuple(product(*traits.values()))
        self._rules = [Rule(each, self) for each in self.statistics]
        self._rules += implied(self._rules, len(self.kinds))
        self._excluded = [[_span(no, self.ends) for no in self.excluded if self.has(no, kind)] for kind in self.kinds]
        self._ways: dict[State, int] = {}

    def has(self, group: Group, kind: tuple[str, ...]) -> bool:
        """Whether people with these traits are in a group, at some number."""
        own = dict(zip(self.traits, kind, strict=True))
        return all(own[name] == value for name, value in group.traits.items())

    @cached_property
    def _starts(self) -> list[State]:
        """How many people of each kind there may be, as far as counts alone tell."""
        shares = _shares(self.size, len(self.kinds))
        begun = (Tally(),) * len(self._rules)
        return [State(self.ends[0], 0, each, begun) for each in shares if all(rule.may(each) for rule in self._rules)]

    @cached_property
    def number(self) -> int:
        """How many datasets fit everything, each a collection of people without names."""
        return sum(map(self._number, self._starts))

    def _number(self, state: State) -> int:
        if state not in self._ways:
            if len(self._ways) >= MOST_STATES:
                rule, way_out = (
                    f"must keep at most {MOST_STATES} beginnings",
                    "Ask about fewer people, or publish more.",
                )
                raise TooCostly("the search for datasets", rule, len(self._ways), way_out)
            ways = sum(self._number(after) for after, _ in self._next(state)) if any(state.waiting) else 0
            self._ways[state] = ways if any(state.waiting) else int(self._complete(state))
        return self._ways[state]

    def _complete(self, state: State) -> bool:
        return all(rule.holds(tally) for rule, tally in zip(self._rules, state.tallies, strict=True))

    def _next(self, state: State) -> Iterator[tuple[State, Person]]:
        """Every way to add one more person, who stands no earlier in the order than the last one."""
        rules = list(zip(self._rules, state.tallies, strict=True))
        numbers = range(state.number, self.ends[1] + 1)
        # Where the people to come can no longer make a statistic true, they cannot from any larger number on.
        last = bisect(numbers, False, key=lambda number: any(rule.passed(tally, number) for rule, tally in rules))
        kinds = [kind for kind, left in enumerate(state.waiting) if left]
        for number in numbers[:last]:
            first = state.kind if number == state.number else 0
            for kind in kinds:
                tallies = _after(rules, number, kind) if kind >= first and self._can_be(number, kind) else None
                if tallies is not None:
                    waiting = (*state.waiting[:kind], state.waiting[kind] - 1, *state.waiting[kind + 1 :])
                    yield State(number, kind, waiting, tallies), Person(number, self.kinds[kind])

    def _can_be(self, number: int, kind: int) -> bool:
        """Whether nobody excludes a person of this number and this kind."""
        return not any(low <= number <= high for low, high in self._excluded[kind])

    @cached_property
    def datasets(self) -> tuple[tuple[Person, ...], ...]:
        """Every dataset that fits everything."""
        if self.number > MOST_DATASETS:
            way_out = "Ask how many there are, or publish more."
            raise TooCostly("the datasets", f"must be at most {MOST_DATASETS} to be listed", self.number, way_out)
        return tuple(each for state in self._starts for each in self._listed(state))

    def _listed(self, state: State) -> Iterator[tuple[Person, ...]]:
        if self._number(state) and not any(state.waiting):
            yield ()
        elif self._number(state):
            for after, person in self._next(state):
                yield from ((person, *others) for others in self._listed(after))

    @property
    def in_all(self) -> tuple[Person, ...]:
        """The people who are in every dataset that fits: whoever reads the statistics knows that they are there."""
        if not self.datasets:
            way_out = "Correct one of the statistics, or state what is suppressed as suppressed."
            raise Incompatible("the statistics", "must leave at least one dataset", "none", way_out)
        first, *others = self.datasets
        return tuple(each for each in dict.fromkeys(first) if all(each in other for other in others))


class Rule:
    """A statistic made ready for the search."""

    def __init__(self, statistic: Statistic, people: People) -> None:
        group = statistic.group
        self.count = statistic.count
        self.kinds = tuple(people.has(group, kind) for kind in people.kinds)
        self.least, self.most = _span(group, people.ends)
        self.at_all_numbers = group.least is None and group.most is None
        self.size = statistic.count.value if isinstance(statistic.count, Exact) else 0
        self.total = None if statistic.mean is None else _both(Mean(statistic.mean, self.size))
        self.pair = self.size % 2 == 0
        # Of two middle numbers, the sum is between the ends; the place is that of the first, counted from 1.
        self.place = (self.size + 1) // 2
        self.middle = None if statistic.median is None else _both(Mean(statistic.median, 2 if self.pair else 1))
        self.top = min(self.most, people.ends[1])
        # Nobody up to the middle is above it, and nobody after it is below.
        low, high = self.middle or (0, 0)
        self.lower_half, self.upper_half = (high // 2, -(-low // 2)) if self.pair else (high, low)

    def without(self, part: Rule) -> Rule:
        """What this statistic and that of a part say about the others: their count, and the ends of their sum."""
        assert self.total is not None
        assert part.total is not None
        found = copy(self)
        found.size = self.size - part.size
        found.count, found.middle = Exact(found.size), None
        found.kinds = tuple(mine and not other for mine, other in zip(self.kinds, part.kinds, strict=True))
        found.total = (self.total[0] - part.total[1], self.total[1] - part.total[0])
        return found

    def contains(self, part: Rule) -> bool:
        """Whether both are about people of all numbers, with a mean, and the other's people are some of these."""
        whole_groups = self.at_all_numbers and part.at_all_numbers and self.total is not None and part.total is not None
        inside = all(mine or not other for mine, other in zip(self.kinds, part.kinds, strict=True))
        return whole_groups and inside and self.kinds != part.kinds and self.size > part.size

    def may(self, numbers: tuple[int, ...]) -> bool:
        """Whether so many people of each kind leave the count possible."""
        members = sum(number for number, mine in zip(numbers, self.kinds, strict=True) if mine)
        low = self.count.ends[0]
        return self.count.leaves(members) if self.at_all_numbers else low is None or members >= low

    def holds(self, tally: Tally) -> bool:
        """Whether the statistic is true of everybody."""
        fits = self.total is None or self.total[0] <= tally.total <= self.total[1]
        return fits and self.count.leaves(tally.members)

    def passed(self, tally: Tally, number: int) -> bool:
        """Whether people who all have this number or a larger one cannot make the statistic true any more."""
        if self.total is not None and self.least_total(tally, number) > self.total[1]:
            return True
        if self.middle is None:
            return False
        high = self.middle[1]
        if not self.pair:
            return tally.members < self.place and number > high
        waits = tally.members < self.place and 2 * number > high
        return waits or (tally.members == self.place and tally.first + number > high)

    def added(self, tally: Tally, number: int) -> Tally | None:
        """The tally with one more member of this number; None if the median or the mean does not allow it."""
        count, first = tally.members + 1, 0
        high = self.count.ends[1]
        if high is not None and count > high:
            return None
        if self.middle is not None:
            low, high = self.middle
            if not self.pair and count == self.place and not low <= number <= high:
                return None
            if self.pair and count == self.place:
                first = number
            if self.pair and count == self.place + 1 and not low <= tally.first + number <= high:
                return None
        found = Tally(count, tally.total + number if self.total is not None else 0, first)
        return found if self.reaches(found, number) else None

    def reaches(self, tally: Tally, number: int) -> bool:
        """Whether members to come, each with this number or a larger one, can still make up the sum."""
        if self.total is None:
            return True
        missing = self.size - tally.members
        most = tally.total + missing * self.top
        if self.middle is not None:
            most -= max(0, self.place - tally.members) * max(0, self.top - self.lower_half)
        return self.least_total(tally, number) <= self.total[1] and most >= self.total[0]

    def least_total(self, tally: Tally, number: int) -> int:
        """The least sum with members to come who all have this number or a larger one."""
        missing = self.size - tally.members
        late = min(missing, self.size // 2) if self.middle is not None else 0
        return tally.total + missing * number + late * max(0, self.upper_half - number)


def implied(rules: Sequence[Rule], most: int) -> list[Rule]:
    """Statistics that follow from two others, as those of black men from those of black people and of black women.

    They only make the search shorter: at most so many are made.
    """
    known = {rule.kinds: rule for rule in rules if rule.total is not None and rule.at_all_numbers}
    found: dict[tuple[bool, ...], Rule] = {}
    for _ in range(most):
        pairs = ((a, b) for a in [*known.values()] for b in [*known.values()] if a.contains(b))
        new = next((rest for rest in (a.without(b) for a, b in pairs) if rest.kinds not in known), None)
        if new is None:
            break
        known[new.kinds] = found[new.kinds] = new
    return [*found.values()]


def _span(group: Group, ends: tuple[int, int]) -> tuple[int, int]:
    """The numbers of a group."""
    return (ends[0] if group.least is None else group.least), (ends[1] if group.most is None else group.most)


def _after(rules: list[tuple[Rule, Tally]], number: int, kind: int) -> tuple[Tally, ...] | None:
    """The tallies with one more person; None if a statistic does not allow it."""
    found: list[Tally] = []
    for rule, tally in rules:
        mine = rule.kinds[kind] and rule.least <= number <= rule.most
        after = rule.added(tally, number) if mine else tally
        if after is None:
            return None
        found.append(after)
    return tuple(found)


def _shares(number: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Every way to share a number of people between kinds."""
    if kinds == 1:
        yield (number,)
        return
    for first in range(number + 1):
        for others in _shares(number - first, kinds - 1):
            yield (first, *others)


def _both(statement: Statement) -> tuple[int, int]:
    low, high = statement.ends
    if low is None or high is None:
        raise InvalidInput("ends", "must both be given", (low, high), "Use (0, 125).")
    return low, high


def _require_known(group: Group, traits: Mapping[str, Sequence[str]]) -> None:
    for name, value in group.traits.items():
        if name not in traits:
            raise unknown_name("a trait", name, [*traits])
        if value not in traits[name]:
            raise unknown_name(f"the trait {name}", value, [*traits[name]])
