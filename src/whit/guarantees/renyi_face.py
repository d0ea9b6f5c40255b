"""What bounds on Rényi divergences say of tests and of the profile.

A test turns the pair (P, Q) into two coins, one that falls heads with probability y (its power) and one with
probability l (its level). Processing does not raise a divergence, so D_alpha(y || l) and D_alpha(l || y) are at most
gamma at every order that the promise names. Every order gives a bound by itself: the search for the best one costs
tightness at most, never truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Face, FinitePair, mirrored
from whit.guarantees.coins import LOWEST, MINUS_LEVEL_AT_POWER, POWER_AT_LEVEL, POWER_ON_RAY, Question, Within
from whit.guarantees.dominating import dominating_pair
from whit.guarantees.renyi_orders import Orders
from whit.numerics import ULP, Bracket

# How often the best order is looked for, at most, and when the answer counts as settled. Each round squares the error.
ROUNDS = 10
SETTLED = 4 * ULP
FARTHEST = 1e100


@dataclass(frozen=True)
class RenyiFace(Face):
    """The bounds that follow from Rényi divergences in both orders of the pair."""

    orders: Orders

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the best conversion e^{s (gamma - epsilon)} (s/alpha)^s / alpha over the orders alpha = 1 + s.

        Below epsilon 0 it is 1 - e^epsilon + e^epsilon D(-epsilon), since the promise holds in both orders.
        """
        t = np.asarray(epsilons, dtype=np.float64)
        size = np.abs(t)
        mid, error = self._log_delta_of_positive(size)
        turned = [mirrored(size, each) for each in (mid - error, mid, mid + error)]
        own = [shift * ULP * (16 + 4 * np.abs(np.where(t < 0, turned[1], 0.0))) for shift in (-1, 0, 1)]
        plain = (mid - error, mid, mid + error)
        ends = [np.where(t < 0, a + e, b) for a, e, b in zip(turned, own, plain, strict=True)]
        inside = Bracket(ends[0], ends[1], np.minimum(ends[2], 0.0))
        return self._with_largest_loss(inside, lambda pair: pair.log_delta(t))

    def _log_delta_of_positive(self, t: Array) -> tuple[Array, Array]:
        # Farther out than any loss has a meaning the bound stays what it is there.
        finite = np.minimum(np.where(np.isposinf(t), 0.0, t), FARTHEST)
        lowest, s = self.orders.smallest(
            np.zeros(t.shape), lambda s, gamma: _log_conversion(s, gamma, finite[..., None])
        )
        sizes = s * (np.where(s > 0, self.orders.bound(s), 0.0) + finite) + np.log1p(s)
        # A bounded divergence of any order above 1 leaves no room for infinite loss.
        return np.where(np.isposinf(t), -np.inf, np.minimum(lowest, 0.0)), ULP * (32 + 8 * sizes)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the largest power that both divergences allow, at the order that allows the least."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inner = np.clip(levels, LOWEST, -1e-300)
        inside = self._smallest(inner, POWER_AT_LEVEL)
        return _with_ends(self._with_largest_loss(inside, lambda pair: pair.log_power(inner)), levels)

    def log_level(self, log_powers: ArrayLike) -> Bracket:
        """Log of the smallest level at which a test can have each power."""
        powers = np.minimum(np.asarray(log_powers, dtype=np.float64), 0.0)
        inner = np.clip(powers, LOWEST, -1e-300)
        found = self._smallest(inner, MINUS_LEVEL_AT_POWER).reversed_sign()
        return _with_ends(found, np.where(powers >= 0, -1.0, powers))

    def log_crossing(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest power that is e^epsilon times its level."""
        ratio = np.asarray(epsilons, dtype=np.float64)
        inside = self._smallest(np.maximum(ratio, 0.0), POWER_ON_RAY)
        return Bracket(*(np.where(ratio <= 0, 0.0, end) for end in (inside.lower, inside.mid, inside.upper)))

    def _smallest(self, given: Array, question: Question) -> Bracket:
        """The smallest answer over the orders and both ways of the divergence."""
        one_way, other_way = (self._one_way(given, question, to_level) for to_level in (True, False))
        return one_way.minimum(other_way)

    def _one_way(self, given: Array, question: Question, to_level: bool) -> Bracket:
        """The answer at the order that is exceeded the most by the answer before; again, until none is."""
        mid, best = np.full(given.shape, question.start), np.zeros(given.shape)
        for _ in range(ROUNDS):
            s = self._most_exceeded(question.coins(mid, given), best, to_level)
            answer = question.solve(Within(s, self.orders.bound(s), to_level), given, mid)
            best, before, mid = np.where(answer < mid, s, best), mid, np.minimum(answer, mid)
            if np.all(before - mid <= SETTLED * np.abs(mid)):
                break
        upper = question.solve(Within(best, self.orders.bound(best), to_level, leniency=1.0), given, mid)
        upper = np.where(mid < question.start, np.maximum(upper, mid), question.start)
        return Bracket(np.minimum(2 * mid - upper, mid), mid, upper)

    def _most_exceeded(self, coins: tuple[Array, Array], near: Array, to_level: bool) -> Array:
        """The excess order at which the divergence between the coins exceeds its bound the most."""
        log_y, log_l = (each[..., None] for each in coins)
        _, s = self.orders.smallest(near, lambda s, gamma: -Within(s, gamma, to_level).excess(log_y, log_l))
        return s

    def _with_largest_loss(self, inside: Bracket, ask: Callable[[FinitePair], Bracket]) -> Bracket:
        """The answer together with that of a bound on the loss itself, which is a divergence of infinite order."""
        if np.isinf(self.orders.largest_loss):
            return inside
        return inside.minimum(ask(dominating_pair(self.orders.largest_loss)))

    def reverse(self) -> RenyiFace:
        """This face: the promise is about both orders."""
        return self


def _log_conversion(s: Array, gamma: Array, epsilons: Array) -> Array:
    """Log of e^{s (gamma - epsilon)} (s/(1+s))^s / (1+s)."""
    positive = np.where(s > 0, s, 1.0)
    return np.where(s > 0, positive * (gamma - epsilons - np.log1p(1 / positive)) - np.log1p(positive), 0.0)


def _with_ends(inside: Bracket, levels: Array) -> Bracket:
    """0 at probability 0 and 1 at probability 1, exactly."""

    def ends(values: Array) -> Array:
        return np.where(np.isneginf(levels), -np.inf, np.where(levels >= 0, 0.0, values))

    return Bracket(ends(inside.lower), ends(inside.mid), ends(inside.upper))
