"""What bounds on Rényi divergences say of tests, at a list of orders or at all of them.

A test turns the pair (P, Q) into two coins, one that falls heads with probability y (its power) and one with
probability l (its level). Processing does not raise a divergence, so D_alpha(y || l) and D_alpha(l || y) are at most
gamma at every order that the promise names. Every order gives a bound by itself: the search for the best one costs
tightness at most, never truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Face, FinitePair, mirrored
from whit.guarantees.coins import LOWEST, Within
from whit.guarantees.concentrated_edge import Edge
from whit.guarantees.epsilon_delta import dominating_pair
from whit.guarantees.joint_range import by_both_orders, by_joint_range, by_table
from whit.guarantees.renyi_orders import Orders
from whit.numerics import ULP, Bracket, add_down, add_up, down, log1mexp, up


@dataclass(frozen=True)
class Question:
    """Something that is largest at the edge of what a divergence allows.

    Attributes:
        solve: the largest answer within one divergence, looked for near an earlier one.
        coins: log of the power and of the level that belong to an answer.
        start: what the answer cannot exceed.
        binding: the excess order that binds, and about the answer, by a table and by what is given.
        turned: the same for the divergences the other way, which are those of the coins with heads and tails exchanged.
    """

    solve: Callable[[Within, Array, Array], Array]
    coins: Callable[[Array, Array], tuple[Array, Array]]
    start: float
    binding: Callable[[Edge, Array], tuple[Array, Array]] | None = None
    turned: Callable[[Edge, Array], tuple[Array, Array]] | None = None


def _tails_of_power(edge: Edge, level: Array) -> tuple[Array, Array]:
    s, log_level = edge.at_powers(log1mexp(level))
    return s, log1mexp(np.minimum(log_level, 0.0))


def _minus_level(edge: Edge, power: Array) -> tuple[Array, Array]:
    s, log_level = edge.at_powers(power)
    return s, -log_level


def _minus_tails_of_level(edge: Edge, power: Array) -> tuple[Array, Array]:
    s, log_power = edge.at_levels(log1mexp(power))
    return s, -log1mexp(np.minimum(log_power, 0.0))


POWER_AT_LEVEL = Question(
    Within.largest_power, lambda answer, level: (answer, level), 0.0, Edge.at_levels, _tails_of_power
)
MINUS_LEVEL_AT_POWER = Question(
    lambda within, power, near: -within.smallest_level(power, -near),
    lambda answer, power: (power, -answer),
    -LOWEST,
    _minus_level,
    _minus_tails_of_level,
)
POWER_AND_LEVEL_ONE = Question(Within.largest_beside_one, lambda answer, _: (answer, log1mexp(answer)), 0.0)
POWER_ON_RAY = Question(Within.largest_on_ray, lambda answer, ratio: (answer, answer - ratio), 0.0, Edge.at_ratios)


# How often the best order is looked for, at most, and when the answer counts as settled. Each round squares the error.
ROUNDS = 10
SETTLED = 4 * ULP
# A better order for what rounding allows is looked for as long as it takes away this share of the width.
WORTHWHILE = 0.25
FARTHEST = 1e100
# Beyond this corner a chord would be no double.
FARTHEST_CORNER = 300.0
# A table is refined by so large steps of the log of the order, so many of them at most, and by Newton's method.
BESIDE, FEW = 1e-3, 100.0
DIFFERENCE = 1e-6
REFINEMENTS, NEWTON_STEPS = 2, 2
# From this sum of power and level on both ways of the divergence are looked at.
_NEAR_ONE = 1.0 - 1e-9
# What rounding allows is not looked at again where it is this share of the answer at most.
NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class RenyiFace(Face):
    """The bounds that follow from Rényi divergences in both orders of the pair."""

    is_of_many: ClassVar[bool] = True

    orders: Orders

    @property
    def is_told_by_profile(self) -> bool:
        """Whether the best orders and coins are known, by both orders of the pair: the power then allows no less."""
        return self.orders.edge is not None

    @property
    def is_endless(self) -> bool:
        """Whether the orders leave some delta at every epsilon."""
        return self.orders.are_endless

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the best conversion e^{s (gamma - epsilon)} (s/alpha)^s / alpha over the orders alpha = 1 + s.

        Below epsilon 0 it is 1 - e^epsilon + e^epsilon D(-epsilon), since the promise holds in both orders.
        """
        t = np.asarray(epsilons, dtype=np.float64)
        size, left = np.abs(t), t < 0
        mid, error = self._log_delta_of_positive(size)
        ends = [np.array(each) for each in (mid - error, mid, mid + error)]
        for side, end in zip((-1, 0, 1), ends, strict=True) if left.any() else ():
            turned = mirrored(size[left], end[left])
            end[left] = turned + side * ULP * (16 + 4 * np.abs(turned))
        inside = Bracket(ends[0], ends[1], np.minimum(ends[2], 0.0))
        return self._with_largest_loss(inside, lambda pair: pair.log_delta(t))

    def _log_delta_of_positive(self, t: Array) -> tuple[Array, Array]:
        if np.isposinf(t).all():
            return np.full(t.shape, -np.inf), np.zeros(t.shape)
        # Farther out than any loss has a meaning the bound stays what it is there.
        finite = np.minimum(np.where(np.isposinf(t), 0.0, t), FARTHEST)
        lowest, error = self._by_best_order(finite)
        corner = 0.0 if self.orders.edge is None else self.orders.edge.corner
        before = finite < (corner if corner <= FARTHEST_CORNER else 0.0)
        if before.any():
            chord = by_both_orders(finite[before], corner, sum(_at_corner(self)))
            lower = chord < lowest[before]
            lowest[before] = np.where(lower, chord, lowest[before])
            error[before] = np.where(lower, ULP * (64 + 4 * np.abs(chord)), error[before])
        # A bounded divergence of any order above 1 leaves no room for infinite loss.
        return np.where(np.isposinf(t), -np.inf, lowest), error

    def _by_best_order(self, epsilons: Array) -> tuple[Array, Array]:
        """Log of the smallest bound that a single order gives, and its error."""
        if self.orders.are_tabled(epsilons):
            value, error = by_table(self.orders, epsilons)
            if np.isfinite(value).all():
                return value, error
        lowest, s = self.orders.log_conversion(epsilons)
        gamma = np.where(s > 0, self.orders.bound(s), 0.0)
        error = ULP * (32 + 8 * (s * (gamma + epsilons) + np.log1p(s)))
        return by_joint_range(self.orders, epsilons, s, np.minimum(lowest, 0.0), error)

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
        return Bracket(*(np.where(ratio <= 0, 0.0, end) for end in inside.ends))

    def log_advantage(self) -> Bracket:
        """Log of the largest power minus level.

        The pairs (level, power) that are within the divergences in both orders form a convex set, since a divergence
        is quasi-convex in both its laws. A pair (l, y) is in it if (1 - y, 1 - l) is: to exchange heads and tails
        changes no divergence, and to exchange the coins only the order. Both pairs, and so their middle, have the same
        power minus level; in the middle level and power add up to 1.
        """
        tested = replace(self, orders=self.orders.of_tests)
        power = tested._one_way(np.zeros(()), POWER_AND_LEVEL_ONE, to_level=True).exp()
        ends = add_down(2 * power.lower, -1.0), 2 * power.mid - 1.0, add_up(2 * power.upper, -1.0)
        with np.errstate(divide="ignore"):
            logs = [np.log(np.clip(end, 0.0, 1.0)) for end in ends]
        inside = Bracket(down(logs[0], 2), logs[1], np.minimum(up(logs[2], 2), 0.0))
        return self._with_largest_loss(inside, lambda pair: pair.log_delta(0.0))

    def renyi(self, excesses: Array) -> Bracket:
        """What the bounds say of the divergence."""
        return Bracket.exact(self.orders.implied(excesses))

    def _smallest(self, given: Array, question: Question) -> Bracket:
        """The smallest answer over the orders and both ways of the divergence.

        Where power and level add up to at most 1 the divergence of the power from the level is the larger one, and the
        other way would allow no less. It is left out there, which costs no truth.
        """
        tested = replace(self, orders=self.orders.of_tests)
        found = tested._one_way(given, question, to_level=True)
        more = np.asarray(sum(np.exp(np.minimum(each, 0.0)) for each in question.coins(found.upper, given)) > _NEAR_ONE)
        if not more.any():
            return found
        other = tested._one_way(given[more], question, to_level=False)
        ends = [np.array(each) for each in found.ends]
        for end, turned in zip(ends, other.ends, strict=True):
            end[more] = np.minimum(end[more], turned)
        return Bracket(*ends)

    def _one_way(self, given: Array, question: Question, to_level: bool) -> Bracket:
        """The answer by the divergences one way: at the order that a table names, else at the one that is searched."""
        known = self._by_table(given, question, to_level)
        if known is None:
            return self._searched(given, question, to_level)
        mid, s = known
        upper = question.solve(Within(s, self.orders.bound(s), to_level, leniency=1.0), given, mid)
        loose = ~(np.abs(upper - mid) <= NEGLIGIBLE * np.abs(mid)) | (mid >= question.start)
        mid = np.minimum(mid, upper)
        ends = [np.array(each) for each in (2 * mid - upper, mid, upper)]
        if loose.any():
            searched = self._searched(given[loose], question, to_level)
            for end, found in zip(ends, searched.ends, strict=True):
                end[loose] = found
        return Bracket(*ends)

    def _searched(self, given: Array, question: Question, to_level: bool) -> Bracket:
        """The answer by the divergences as they are computed, and above it the answer that their rounding allows."""
        start = np.full(given.shape, question.start), np.zeros(given.shape)
        mid, best = self._lowest(given, question, Within(*start, to_level), start, 0.0)
        lenient = Within(*start, to_level, leniency=1.0)
        # The best order of the one is a good one of the other, but where rounding is all that there is.
        first = question.solve(replace(lenient, s=best, gamma=self.orders.bound(best)), given, mid)
        first = np.where(mid < question.start, np.maximum(first, mid), question.start)
        upper = np.array(first)
        wide = first - mid > NEGLIGIBLE * np.abs(mid)
        if wide.any():
            among = replace(lenient, s=lenient.s[wide], gamma=lenient.gamma[wide])
            enough = WORTHWHILE * (first - mid)[wide]
            upper[wide] = self._lowest(given[wide], question, among, (first[wide], best[wide]), enough)[0]
        upper = np.maximum(upper, mid)
        return Bracket(np.minimum(2 * mid - upper, mid), mid, upper)

    def _by_table(self, given: Array, question: Question, to_level: bool) -> tuple[Array, Array] | None:
        """About the answer and the order that binds, from the table of the orders; none where there is none."""
        look = question.binding if to_level else question.turned
        if self.orders.edge is None or look is None:
            return None
        s, answer = look(self.orders.edge, given)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # where there is no better one it stays
            for _ in range(REFINEMENTS):
                s = self._closer_order(s, question.coins(answer, given), to_level)
                within = Within(s, self.orders.bound(s), to_level)
                for _ in range(NEWTON_STEPS):
                    moved = answer * np.array([1.0, 1 + DIFFERENCE]).reshape(-1, *([1] * s.ndim))
                    here, further = within.excess(*question.coins(moved, given))
                    factor = 1 - DIFFERENCE * here / (further - here)
                    answer = answer * np.clip(np.where(np.isfinite(factor), factor, 1.0), 0.5, 2.0)
        return answer, s

    def _closer_order(self, s: Array, coins: tuple[Array, Array], to_level: bool) -> Array:
        """An excess order that the coins exceed more, by the parabola through three near ones."""
        beside = s * np.exp(BESIDE * np.array([-1.0, 0.0, 1.0])).reshape(-1, *([1] * s.ndim))
        left, here, right = Within(beside, self.orders.bound(beside), to_level).excess(*coins)
        turn = (left - right) / (left - 2 * here + right) / 2
        return np.asarray(s * np.exp(BESIDE * np.clip(np.where(np.isfinite(turn), turn, 0.0), -FEW, FEW)))

    def _lowest(
        self, given: Array, question: Question, within: Within, start: tuple[Array, Array], enough: ArrayLike
    ) -> tuple[Array, Array]:
        """The answer at the order that is exceeded the most by the answer before; again, until it is hardly lower.

        Each answer is settled by itself, so that it does not depend on what else is asked.
        """
        lowest, best = start
        settled = np.zeros(given.shape, dtype=bool)
        for _ in range(ROUNDS):
            s = self._most_exceeded(within, question.coins(lowest, given), best)
            answer = question.solve(replace(within, s=s, gamma=self.orders.bound(s)), given, lowest)
            lower = ~settled & (answer < lowest)
            settled = settled | ~(lowest - answer > np.maximum(SETTLED * np.abs(answer), enough))
            best, lowest = np.where(lower, s, best), np.where(lower, answer, lowest)
            if settled.all():
                break
        return lowest, best

    def _most_exceeded(self, within: Within, coins: tuple[Array, Array], near: Array) -> Array:
        """The excess order at which the divergence between the coins exceeds its bound the most."""
        log_y, log_l = (each[..., None] for each in coins)
        _, s = self.orders.smallest(near, lambda s, gamma: -replace(within, s=s, gamma=gamma).excess(log_y, log_l))
        return s

    def _with_largest_loss(self, inside: Bracket, ask: Callable[[FinitePair], Bracket]) -> Bracket:
        """The answer together with that of a bound on the loss itself, which is a divergence of infinite order."""
        if np.isinf(self.orders.largest_loss):
            return inside
        return inside.minimum(ask(dominating_pair(self.orders.largest_loss)))

    def reverse(self) -> RenyiFace:
        """This face: the promise is about both orders."""
        return self


@lru_cache(maxsize=64)
def _at_corner(face: RenyiFace) -> tuple[float, float]:
    """Log of the bound at the corner of the edge, and its error."""
    assert face.orders.edge is not None
    value, error = face._by_best_order(np.asarray(face.orders.edge.corner))
    return float(value), float(error)


def _with_ends(inside: Bracket, levels: Array) -> Bracket:
    """0 at probability 0 and 1 at probability 1, exactly."""

    def ends(values: Array) -> Array:
        return np.where(np.isneginf(levels), -np.inf, np.where(levels >= 0, 0.0, values))

    return Bracket(ends(inside.lower), ends(inside.mid), ends(inside.upper))
