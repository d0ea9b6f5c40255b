"""Small publications made at random, and a referee that goes through every table of a universe to see what is left."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from whit.audit import (
    Between,
    Cell,
    Exact,
    Halves,
    Knowledge,
    Publication,
    Rounded,
    RoundedEitherWay,
    Statement,
    Suppressed,
    TopCoded,
    adds_up,
)
from whit.worlds import Universe


@dataclass(frozen=True)
class Drawn:
    """A publication, what everybody knows, and a universe in which all of it can be looked at.

    basics   the cells that make up a dataset, each of them 0 to top
    sums     how often each basic cell counts in each further cell
    """

    publication: Publication
    knowledge: Knowledge
    basics: tuple[str, ...]
    sums: Mapping[str, Mapping[str, int]]
    top: int
    truth: Mapping[str, int]

    def every_table(self) -> Iterator[dict[Cell, int]]:
        """All tables of the universe that agree with every statement, by definition and nothing else."""
        universe = Universe(len(self.basics), tuple(range(self.top + 1)), all_present=True)
        for dataset in universe.datasets:
            basic = {name: int(str(value)) for name, value in zip(self.basics, dataset, strict=True)}
            table: dict[Cell, int] = dict((basic | totals_of(self.sums, basic)).items())
            if all(agrees(statement, table[cell]) for cell, statement in self.publication.statements):
                yield table


def totals_of(sums: Mapping[str, Mapping[str, int]], basic: Mapping[str, int]) -> dict[str, int]:
    return {name: sum(times * basic[each] for each, times in terms.items()) for name, terms in sums.items()}


def agrees(statement: Statement, value: int) -> bool:
    """Whether an office that holds the value may say so: the rules of publishing, not the ends of the code."""
    if isinstance(statement, Exact):
        return value == statement.value
    if isinstance(statement, Rounded):
        return statement.value in nearest_multiples(value, statement.base, statement.halves)
    if isinstance(statement, RoundedEitherWay):
        below = value - value % statement.base
        return statement.value == below or (value != below and statement.value == below + statement.base)
    if isinstance(statement, TopCoded):
        return value >= statement.top
    if isinstance(statement, Suppressed):
        return statement.tells is None or agrees(statement.tells, value)
    assert isinstance(statement, Between)
    above_low = statement.low is None or value >= statement.low
    return above_low and (statement.high is None or value <= statement.high)


def nearest_multiples(value: int, base: int, halves: Halves | None) -> list[int]:
    below, rest = value - value % base, value % base
    if 2 * rest != base:
        return [below if 2 * rest < base else below + base]
    return {Halves.UP: [below + base], Halves.DOWN: [below]}.get(halves or Halves.EITHER, [below, below + base])


def drawn(seed: int, *, cells: int = 5, top: int = 3, largest: int = 1) -> Drawn:
    """A random publication with a random truth: sums of random cells, each said in a random way."""
    pick = random.Random(seed)
    basics = tuple(f"c{number}" for number in range(cells))
    truth = {name: pick.randint(0, top) for name in basics}
    sums = {f"t{number}": random_sum(pick, basics, largest) for number in range(pick.randint(1, cells))}
    truth |= totals_of(sums, truth)
    said = {name: random_statement(pick, truth[name], shy=name in basics) for name in truth}
    equations = [adds_up(name, Counter(terms).elements()) for name, terms in sums.items()]
    knowledge = Knowledge({name: Between(0, top) for name in basics})
    return Drawn(Publication(said, equations), knowledge, basics, sums, top, truth)


def random_sum(pick: random.Random, basics: tuple[str, ...], largest: int) -> dict[str, int]:
    chosen = pick.sample(basics, pick.randint(2, len(basics)))
    return {name: pick.randint(1, largest) for name in chosen}


def random_statement(pick: random.Random, value: int, *, shy: bool) -> Statement:
    """A statement that is true of the value; suppressed more often than not for a shy cell."""
    if pick.random() < (0.8 if shy else 0.1):
        return Suppressed(pick.choice([None, Between(min(value, 1), max(value, 2))]))
    base = pick.choice([2, 3, 4, 5])
    halves = pick.choice(list(Halves))
    below = value - value % base
    ways: list[Callable[[], Statement]] = [
        lambda: Exact(value),
        lambda: Exact(value),
        lambda: Rounded(pick.choice(nearest_multiples(value, base, halves)), base, halves),
        lambda: RoundedEitherWay(below if value == below else below + pick.choice([0, base]), base),
        lambda: Between(max(0, value - 1), value + pick.randint(0, 2)),
        lambda: TopCoded(min(value, 4)),
    ]
    return pick.choice(ways)()
