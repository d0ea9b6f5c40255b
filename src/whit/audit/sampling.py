"""How many tables are left, about: by tables that are filled at random, where a count would take too long.

Each cell gets a value at random, among those with which every equation can still come out. A table that was filled
counts for one over the chance to fill it so, and one that cannot be finished counts for nothing. On average that is the
number of tables, whatever the chances are (sequential importance sampling; Chen, Diaconis, Holmes and Liu 2005). Many
tables are filled side by side. Where few of them carry the weight, all are drawn again in proportion to it, which keeps
the average (Doucet, de Freitas and Gordon 2001).

Several batches are independent, and their mean is the estimate. Its standard error is estimated from how far they lie
apart, so it is no bound: what comes out is *about*, and decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.audit.component import Component
from whit.audit.counting import filling_order, limits_of, number_of
from whit.errors import TooCostly, require

Array: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]

BATCHES = 20
"""How many independent estimates there are."""

DRAWS = 10_000
"""How many tables are filled, if nobody says."""

MOST_CELLS = 2_000
"""The most cells of a component whose tables are filled at random."""

QUICK_STATES = 20_000
"""The most ways to go on of a count that is preferred to draws."""

CLASSES = 128
"""A range of values is shared out in so many classes, within which all values are as likely."""

LARGEST = 2**60
"""No end of a cell and no right side is as large, so sums of a few are machine numbers."""


@dataclass(frozen=True)
class SampledNumber:
    """About how many tables are left, and how far off that is likely to be.

    logarithm        to base 10, of the estimate; minus infinity if no table could be filled
    relative_error   the estimated standard error, as a share of the estimate; 0 if every factor was counted exactly
    draws            how many tables were filled in each component that was too large to count
    seed             by which the draws can be repeated
    """

    logarithm: float
    relative_error: float
    draws: int
    seed: int

    def __str__(self) -> str:
        if not self.draws:
            return f"about {power_text(self.logarithm)} tables, all counted"
        return (
            f"about {power_text(self.logarithm)} tables, with an estimated standard error of "
            f"{100 * self.relative_error:.2g} % ({self.draws:,} tables drawn with seed {self.seed})"
        )


def power_text(logarithm: float) -> str:
    """A number of any size from its logarithm to base 10.

    >>> power_text(15.0885), power_text(2.0), power_text(400.0)
    ('1.23e15', '100', '1.00e400')
    """
    if logarithm < 6:
        return f"{10**logarithm:.3g}"
    whole = math.floor(logarithm)
    digits = f"{10 ** (logarithm - whole):.2f}"
    return f"1.00e{whole + 1}" if digits == "10.00" else f"{digits}e{whole}"


def about_number(components: Sequence[Component], *, draws: int = DRAWS, seed: int = 1) -> SampledNumber:
    """About how many tables several components have together: counted where that is quick, and drawn elsewhere."""
    found = [number_of_one(each, draws=draws, seed=seed) for each in components]
    spread = math.prod(1 + each.relative_error**2 for each in found) - 1
    return SampledNumber(
        math.fsum(each.logarithm for each in found),
        math.sqrt(spread),
        max((each.draws for each in found), default=0),
        seed,
    )


def number_of_one(component: Component, *, draws: int, seed: int) -> SampledNumber:
    """The number of tables of one component, by a count if it is a quick one."""
    try:
        number = number_of(component, most_states=QUICK_STATES)
    except TooCostly:
        return sampled_number(component, draws=draws, seed=seed)
    return SampledNumber(math.log10(number) if number else -math.inf, 0.0, 0, seed)


def sampled_number(component: Component, *, draws: int = DRAWS, seed: int = 1) -> SampledNumber:
    """About how many tables a component has, by tables that are filled at random."""
    each = draws // BATCHES
    way_out = f"Use a multiple of {BATCHES}, such as {DRAWS}."
    require(each >= 2, name="draws", rule=f"must be at least {2 * BATCHES}", value=draws, way_out=way_out)
    limits = limits_of(component)
    if limits is None:
        return SampledNumber(-math.inf, 0.0, each * BATCHES, seed)
    largest = max(map(abs, chain(component.right, chain.from_iterable(limits))), default=0)
    if len(component.cells) > MOST_CELLS or largest >= LARGEST:
        rule = f"must have at most {MOST_CELLS} cells, and numbers below {LARGEST}, to be filled at random"
        way_out = "Ask for intervals, which need no count."
        raise TooCostly("a component", rule, f"{len(component.cells)} cells, numbers up to {largest}", way_out)
    pick, filling = np.random.default_rng(seed), Filling(component, limits)
    logs = np.array([filling.estimate(each, pick) for _ in range(BATCHES)])
    return combined(logs, each * BATCHES, seed)


def combined(logs: Array, draws: int, seed: int) -> SampledNumber:
    """The mean of estimates that are given by their logarithms, and its standard error as a share of it."""
    most = float(logs.max())
    if most == -math.inf:
        return SampledNumber(-math.inf, 0.0, draws, seed)
    shares = np.exp(logs - most)
    mean = float(shares.mean())
    error = float(shares.std(ddof=1)) / math.sqrt(len(shares)) / mean
    return SampledNumber((most + math.log(mean)) / math.log(10), error, draws, seed)


class Filling:
    """The order in which the cells of a component are filled, and what later cells add to each equation."""

    def __init__(self, component: Component, limits: tuple[tuple[int, int], ...]) -> None:
        self.limits = limits
        self.right = np.array(component.right, np.int64)
        self.order = filling_order(component)
        self.steps: list[tuple[int, list[Later]]] = []
        later = [Later(row, 0, 0, 0, 0) for row in range(len(component.right))]
        for place in reversed(self.order):
            now = [(row, terms[place]) for row, terms in enumerate(component.terms) if place in terms]
            self.steps.append((place, [later[row].seen_by(times) for row, times in now]))
            for row, times in now:
                later[row] = later[row].with_cell(times, *limits[place])
        self.steps.reverse()

    def estimate(self, draws: int, pick: np.random.Generator) -> float:
        """The logarithm of one estimate, by so many tables side by side."""
        rest = np.tile(self.right, (draws, 1))
        weights, total = np.zeros(draws), 0.0
        for place, equations in self.steps:
            low, high = self.ranges(rest, place, equations)
            chosen, logs = drawn(low, high, [(rest[:, each.row], each) for each in equations], pick)
            weights = weights + logs
            for each in equations:
                rest[:, each.row] -= each.times * chosen
            most = float(weights.max())
            if most == -math.inf:
                return -math.inf
            shares = np.exp(weights - most)
            if shares.sum() ** 2 < (shares**2).sum() * draws / 2:
                total += most + math.log(shares.mean())
                rest = rest[resampled(shares, pick)]
                weights = np.zeros(draws)
        most = float(weights.max())
        return total + most + math.log(np.exp(weights - most).mean())

    def ranges(self, rest: Whole, place: int, equations: list[Later]) -> tuple[Whole, Whole]:
        """The values of a cell with which each of its equations can still come out, for every table."""
        low, high = (np.full(len(rest), end, np.int64) for end in self.limits[place])
        for each in equations:
            first, last = rest[:, each.row] - each.most, rest[:, each.row] - each.least
            if each.times < 0:
                first, last = -last, -first
            low, high = np.maximum(low, -(-first // abs(each.times))), np.minimum(high, last // abs(each.times))
        return low, high


@dataclass(frozen=True, slots=True)
class Later:
    """What the cells that are filled later add to an equation: at least, at most, and how many they are.

    times   the coefficient of the cell that is filled now
    """

    row: int
    times: int
    least: int
    most: int
    number: int

    def seen_by(self, times: int) -> Later:
        """The same, at a cell with this coefficient."""
        return Later(self.row, times, self.least, self.most, self.number)

    def with_cell(self, times: int, low: int, high: int) -> Later:
        """With one more cell that is filled later."""
        ends = sorted((times * low, times * high))
        return Later(self.row, 0, self.least + ends[0], self.most + ends[1], self.number + 1)

    def room(self, rest: Array) -> Array:
        """About the logarithm of the number of ways in which the later cells can make up what is left.

        With n cells and s beyond what they add at least, these are (s+1)...(s+n-1) / (n-1)!, or fewer; the same from
        the other end. Only the chances of the draws depend on it, and not what they are on average.
        """
        side = np.minimum(rest - self.least, self.most - rest)
        return (self.number - 1) * np.log(np.maximum(side, 0) + self.number / 2) if self.number > 1 else 0.0 * rest


def drawn(
    low: Whole, high: Whole, equations: list[tuple[Whole, Later]], pick: np.random.Generator
) -> tuple[Whole, Array]:
    """A value within each pair of ends, and the logarithm of one over its chance; minus infinity if there is none.

    A value is as likely as there seem to be ways to go on with it, by the mean over its equations: what one of them
    loses, each of the others loses as well.
    """
    width = high - low + 1
    number = int(min(CLASSES, max(int(width.max()), 1)))
    edges = low[:, None] + shared(np.maximum(width, 1), number)
    sizes = np.diff(edges, axis=1)
    middles = edges[:, :-1] + (sizes - 1) / 2
    ways = np.where(sizes > 0, np.log(np.maximum(sizes, 1)), -math.inf)
    for rest, each in equations:
        ways = ways + each.room(rest[:, None] - each.times * middles) / len(equations)
    chances = np.exp(ways - ways.max(axis=1, keepdims=True))
    heaped = chances.cumsum(axis=1)
    at = (heaped < (pick.random(len(low)) * heaped[:, -1])[:, None]).sum(axis=1)
    own = np.arange(len(low))
    chosen = edges[own, at] + pick.integers(0, np.maximum(sizes[own, at], 1))
    logs = np.log(heaped[:, -1]) - np.log(chances[own, at]) + np.log(np.maximum(sizes[own, at], 1))
    return np.where(width > 0, chosen, low), np.where(width > 0, logs, -math.inf)


def shared(width: Whole, number: int) -> Whole:
    """Where each of so many classes begins, and where the last one ends, in ranges of these widths."""
    size, more = np.divmod(width, number)
    classes = np.arange(number + 1)
    return classes * size[:, None] + np.minimum(classes, more[:, None])


def resampled(shares: Array, pick: np.random.Generator) -> Whole:
    """Which tables go on, each as often as its share of the weight says, at one random shift for all."""
    heaped = np.cumsum(shares / shares.sum())
    marks = (np.arange(len(shares)) + pick.random()) / len(shares)
    return np.minimum(np.searchsorted(heaped, marks), len(shares) - 1)
