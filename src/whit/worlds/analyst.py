"""The worst analyst: what is reached by somebody who chooses each release by what came out before.

All that matters of a history is the account of what was taken and the likelihood ratio of what came out. So the best
choice is found backwards, from the histories after which nothing more is allowed. This decides whatever is claimed
of a budget from which releases are paid that are chosen on the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, TypeAlias

from whit.errors import require
from whit.worlds.exact import Exactly, Number, distribution, probability, rational
from whit.worlds.universe import within

Account: TypeAlias = Hashable
"""What is kept of the releases that were taken, such as what is left of a budget."""

Charge: TypeAlias = Callable[[Any, int], Account | None]
"""The account after one more release, by its place on the menu; None if it is refused."""

State: TypeAlias = tuple[Account, Exactly]
"""The account, and the likelihood ratio of all that came out: data against neighbour; it may be infinite."""

Payoff: TypeAlias = Callable[[Any, Exactly], Number]
"""What a history is worth to the analyst."""

Strategy: TypeAlias = Callable[[Any, Exactly], Iterable[int]]
"""The releases that an analyst would take next, by their places on the menu: the first that is allowed is taken."""

Moves: TypeAlias = list[tuple[int, Account]]
"""Releases that may be taken next, by their places, each with the account after it."""

Options: TypeAlias = Callable[[Account, Exactly], Moves]
"""The moves that are looked at after a history."""

_LAWS = "Give the probabilities of the same outcomes on the data and on their neighbour, such as [0.75, 0.25] twice."
_RATIO = "Use a likelihood ratio such as 3, which is e^epsilon."
_COST = "Give a number for each release of the menu, and for the budget; texts and infinities are none."
_FEWER = "Use fewer or dearer releases, or losses that are multiples of one: the referee goes through all histories."
_ODDS = "Use the odds of the true answer, such as 3."


@dataclass(frozen=True, init=False)
class Choice:
    """A release that can be chosen: the probabilities of its outcomes on the data, and on their neighbour.

    >>> Choice.coin(3).there
    (Fraction(1, 4), Fraction(3, 4))
    """

    here: tuple[Fraction, ...]
    there: tuple[Fraction, ...]

    def __init__(self, here: Sequence[Number], there: Sequence[Number]) -> None:
        laws = distribution("the law on the data", here, _LAWS), distribution("the law on the neighbour", there, _LAWS)
        rule, sizes = "must list the same outcomes twice", [len(law) for law in laws]
        require(sizes[0] == sizes[1], name="a choice", rule=rule, value=sizes, way_out=_LAWS)
        object.__setattr__(self, "here", laws[0])
        object.__setattr__(self, "there", laws[1])

    @classmethod
    def coin(cls, odds: Number) -> Choice:
        """Randomized response with these odds, to 1, of the truth: its loss is their log, or minus that."""
        clean = rational("odds", odds, _ODDS)
        require(clean >= 1, name="odds", rule="must be at least 1", value=odds, way_out=_ODDS)
        truth = clean / (1 + clean)
        return cls([truth, 1 - truth], [1 - truth, truth])

    @classmethod
    def telling(cls, chance: Number) -> Choice:
        """A release that names the dataset with a probability, and else says nothing."""
        told = probability("chance", chance, "Use a probability such as 0.01.")
        return cls([told, 0, 1 - told], [0, told, 1 - told])

    @cached_property
    def steps(self) -> tuple[tuple[Fraction, Exactly], ...]:
        """The probability on the data and the likelihood ratio of each outcome that is possible there."""
        pairs = zip(self.here, self.there, strict=True)
        return tuple((p, p / q if q > 0 else math.inf) for p, q in pairs if p > 0)

    def reverse(self) -> Choice:
        """The same release, with the data and their neighbour exchanged."""
        return Choice(self.there, self.here)


@dataclass(frozen=True, init=False)
class Analyst:
    """Somebody who takes releases from a menu for as long as it is allowed, and stops when it suits them.

    Attributes:
        menu: the releases.
        account: what the account is at the start.
        charge: what it becomes by a release, or None where that is refused. It must come to an end.

    What they reach is a fraction, exactly: the largest over all that they might do.

    >>> twice = Analyst.paying([Choice.coin(2)], [1], 2)
    >>> twice.ever(4), twice.delta(3)
    (Fraction(4, 9), Fraction(1, 9))
    """

    menu: tuple[Choice, ...]
    account: Account
    charge: Charge

    def __init__(self, menu: Sequence[Choice], account: Account, charge: Charge) -> None:
        choices = tuple(menu)
        rule, way_out = "must be releases to choose from", "Use Choice.coin(3) or the like."
        good = len(choices) > 0 and all(isinstance(choice, Choice) for choice in choices)
        require(good, name="menu", rule=rule, value=menu, way_out=way_out)
        object.__setattr__(self, "menu", choices)
        object.__setattr__(self, "account", account)
        object.__setattr__(self, "charge", cache(charge))

    @classmethod
    def paying(cls, menu: Sequence[Choice], costs: Sequence[Number], budget: Number) -> Analyst:
        """An analyst who pays for each release from a budget; the account is what was spent."""
        prices, total = [rational("a cost", cost, _COST) for cost in costs], rational("budget", budget, _COST)
        above = all(price > 0 for price in prices)
        require(above, name="a cost", rule="must be above 0", value=costs, way_out=_COST)
        fits = len(prices) == len(menu)
        require(fits, name="costs", rule="must be one for each release", value=costs, way_out=_COST)

        def spend(spent: Fraction, place: int) -> Fraction | None:
            after = spent + prices[place]
            return after if after <= total else None

        return cls(menu, Fraction(0), spend)

    def best(self, payoff: Payoff) -> Fraction:
        """The largest mean of a payoff on the data, if the analyst may stop after any release, or before the first."""
        return self._mean(payoff, lambda account, _: self._moves(account))

    def following(self, strategy: Strategy, payoff: Payoff) -> Fraction:
        """The mean of a payoff for an analyst of a stated strategy, who stops where going on is worth less."""

        def first(account: Account, ratio: Exactly) -> Moves:
            may = dict(self._moves(account))
            return [(place, may[place]) for place in strategy(account, ratio) if place in may][:1]

        return self._mean(payoff, first)

    def ever(self, ratio: Number) -> Fraction:
        """The largest probability, on the data, that the likelihood ratio ever reaches a number."""
        limit = rational("ratio", ratio, _RATIO)
        # Nothing needs to follow once it is reached.
        return self._mean(lambda _, x: int(x >= limit), lambda account, x: [] if x >= limit else self._moves(account))

    def delta(self, ratio: Number) -> Fraction:
        """The largest delta of all releases together, at the epsilon whose e^epsilon is the ratio."""
        limit = rational("ratio", ratio, _RATIO)
        return self.best(lambda _, found: 1 - limit / found if found > limit else 0)

    def _moves(self, account: Account) -> Moves:
        """All that may be taken next."""
        charged = ((place, self.charge(account, place)) for place in range(len(self.menu)))
        return [(place, after) for place, after in charged if after is not None]

    def _mean(self, payoff: Payoff, options: Options) -> Fraction:
        """What the start is worth: a history its payoff, or the mean of what can follow if that is more."""
        worth: dict[State, Fraction] = {}
        waiting = [self._start]
        while waiting:
            within(len(worth) + len(waiting), "an analyst", "histories", _FEWER)
            state = waiting.pop()
            if state in worth:
                continue
            follows = [self._next(state, move) for move in options(*state)]
            ahead = [after for follow in follows for _, after in follow if after not in worth]
            if ahead:
                waiting += [state, *ahead]
            else:
                means = (sum((p * worth[after] for p, after in follow), Fraction(0)) for follow in follows)
                worth[state] = max(Fraction(payoff(*state)), Fraction(0), *means)
        return worth[self._start]

    @property
    def _start(self) -> State:
        return self.account, Fraction(1)

    def _next(self, state: State, move: tuple[int, Account]) -> list[tuple[Fraction, State]]:
        """The histories that a release leads to, with their probabilities on the data."""
        (place, account), ratio = move, state[1]
        return [(p, (account, ratio * step if ratio < math.inf else ratio)) for p, step in self.menu[place].steps]
