"""Analysts who pay for coins from a filter: what the menu is, and what they might do with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from whit.guarantees import ApproxDP, Filter, PureDP
from whit.worlds import Analyst, Choice

BASE = Fraction(11, 10)
"""Odds are powers of this, so that ratios meet again and fractions stay short."""

Order = Callable[[float, float], Sequence[int]]
"""From the share of the budget that is left, and how far the loss is to its aim, which coins are asked for in turn."""


def loss_up(odds: Fraction) -> float:
    """The log of odds, rounded up: what a coin promises."""
    return math.nextafter(math.log(odds), math.inf)


def coins(powers: Sequence[int]) -> tuple[list[Choice], list[PureDP]]:
    """Coins whose odds are powers of the base, and what each of them promises."""
    odds = [BASE**power for power in powers]
    return [Choice.coin(each) for each in odds], [PureDP(loss_up(each)) for each in odds]


def leaky_coins(powers: Sequence[int], chances: Sequence[Fraction]) -> tuple[list[Choice], list[ApproxDP]]:
    """Coins that name the dataset with a chance, each as bad as what it promises by epsilon and delta."""
    menu, promises = [], []
    for power, told in zip(powers, chances, strict=True):
        odds = BASE**power
        truth = (1 - told) * odds / (1 + odds)
        menu.append(Choice([told, 0, truth, 1 - told - truth], [0, told, 1 - told - truth, truth]))
        promises.append(ApproxDP(loss_up(odds), math.nextafter(float(told), 1.0)))
    return menu, promises


def paying(start: Filter, menu: Sequence[Choice], promises: Sequence[Any]) -> Analyst:
    """An analyst who pays from a filter; the account is the filter itself."""
    costs = [start.cost(promise) for promise in promises]
    return Analyst(menu, start, lambda left, i: left.after(costs[i]) if left.fits(costs[i]) else None)


def orders(size: int) -> dict[str, Order]:
    """What an analyst may do who has coins of so many sizes, from the smallest to the largest."""
    rising, falling = list(range(size)), list(reversed(range(size)))
    middle = sorted(rising, key=lambda place: abs(place - size // 2))
    found: dict[str, Order] = {
        "small coins first": lambda *_: rising,
        "large coins first": lambda *_: falling,
        "middling coins first": lambda *_: middle,
        "small coins only": lambda *_: rising[:1],
        "large coins only": lambda *_: falling[:1],
        "bold while behind": lambda _, at: falling if at < 0.5 else rising,
        "careful while behind": lambda _, at: rising if at < 0.5 else falling,
        "doubles after losses": lambda _, at: falling if at < 0 else rising,
        "doubles after gains": lambda _, at: falling if at > 0 else rising,
        "stops when a quarter ahead": lambda _, at: [] if at >= 0.25 else falling,
        "stops when half ahead": lambda _, at: [] if at >= 0.5 else rising,
        "stops when behind": lambda _, at: [] if at < -0.25 else rising,
        "stops boldly when behind": lambda _, at: [] if at < -0.25 else falling,
        "saves the large for last": lambda left, _: rising if left > 0.5 else falling,
        "saves the small for last": lambda left, _: falling if left > 0.5 else rising,
        "bold at the very end": lambda left, _: falling if left < 0.2 else middle,
        "as far as is left to go": lambda left, at: falling if at < 1 - left else rising,
    }
    return {**found, **{f"coins at random, {seed}": at_random(seed, size) for seed in range(5)}}


def at_random(seed: int, size: int) -> Order:
    """Another order for each share and distance, but always the same there."""

    def chosen(left: float, at: float) -> Sequence[int]:
        place = [seed, int(left * 1000), int((at + 100) * 1000)]
        return [int(i) for i in np.random.default_rng(place).permutation(size)]

    return chosen


def strategy(order: Order, aim: float) -> Callable[[Filter, Any], Sequence[int]]:
    """An order of the coins as the referee asks for it: by the filter and the likelihood ratio."""

    def chosen(account: Filter, ratio: Any) -> Sequence[int]:
        at = 1.0 if ratio == math.inf else math.log(ratio) / aim
        return order(float(account.left[0] / account.limits[0]), at)

    return chosen


def delta_of_plan(plan: Sequence[Choice], x: Fraction) -> Fraction:
    """The delta at epsilon log x of releases that are taken whatever comes out, by going through all outcomes."""
    total = Fraction(0)
    for outcome in product(*(range(len(choice.here)) for choice in plan)):
        p = math.prod((choice.here[y] for choice, y in zip(plan, outcome, strict=True)), start=Fraction(1))
        q = math.prod((choice.there[y] for choice, y in zip(plan, outcome, strict=True)), start=Fraction(1))
        total += max(Fraction(0), p - x * q)
    return total


def mechanisms_within(odds: Fraction, rng: np.random.Generator) -> Choice:
    """A release of three outcomes at random whose ratios lie between 1/odds and odds."""
    q = [Fraction(int(each), 100) for each in rng.integers(5, 40, 2)]
    q.append(1 - q[0] - q[1])
    ratios = [odds ** int(rng.integers(-1, 2)) for _ in q]
    p = [each * ratio for each, ratio in zip(q, ratios, strict=True)]
    total = sum(p)
    # Divided by their sum the ratios move; between q and p there is a law that keeps to the odds.
    share = Fraction(1, 2)
    mixed = [share * each / total + (1 - share) * other for each, other in zip(p, q, strict=True)]
    largest = max(max(a / b, b / a) for a, b in zip(mixed, q, strict=True))
    return Choice(mixed, q) if largest <= odds else Choice(q, q)
