"""What bounds on Rényi divergences say of tests, at a list of orders or at all of them.

A test turns the pair (P, Q) into two coins, one that falls heads with probability y (its power) and one with
probability l (its level). Processing does not raise a divergence, so D_alpha(y || l) and D_alpha(l || y) are at most
gamma at every order that the promise names. Every order gives a bound by itself: the search for the best one costs
tightness at most, never truth.

A coin is given by the log of its probability of heads. The divergence of order 1 + s from p to q times s is
log(p e^{s a} + (1-p) e^{s b}), with a = log p/q and b = log (1-p)/(1-q); at s = 0 it is p a + (1-p) b.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Face, FinitePair, mirrored
from whit.guarantees.epsilon_delta import dominating_pair
from whit.guarantees.joint_range import by_joint_range
from whit.guarantees.renyi_orders import Orders
from whit.numerics import ULP, Bracket, add_down, add_up, down, first_true, last_true, log1mexp, up

# Below this, the moment is found from e^x - 1, so that a small divergence keeps its digits.
SMALL = 0.5
# The smallest log of a level that is looked at; below it the power of a test is 0 for all purposes.
LOWEST = -1e300


@dataclass(frozen=True)
class Within:
    """The pairs of coins (power y, level l) with a divergence of order 1 + s of at most gamma.

    Attributes:
        s: the order minus 1.
        gamma: the bound.
        to_level: whether the divergence is D(y || l); otherwise it is D(l || y).
        leniency: how often the rounding error of the divergence is allowed on top of the bound.
    """

    s: Array
    gamma: Array
    to_level: bool
    leniency: float = 0.0

    def excess(self, log_y: Array, log_l: Array) -> Array:
        """By how much the divergence between the two coins exceeds the bound; negative where it is within."""
        # An infinite bound is exceeded by nothing, an infinite divergence included.
        known = np.isfinite(self.gamma)
        order = np.where(self.s > 0, self.s, 1.0)
        return np.where(known, self._moment(log_y, log_l) / order - np.where(known, self.gamma, 0.0), -np.inf)

    def holds(self, log_y: Array, log_l: Array) -> NDArray[np.bool_]:
        """Whether the divergence between the two coins is within the bound."""
        bound = np.where(self.s > 0, self.s, 1.0) * self.gamma * (1 + 4 * ULP * self.leniency)
        return np.asarray((self._moment(log_y, log_l) <= bound) | (log_y <= log_l))

    def _moment(self, log_y: Array, log_l: Array) -> Array:
        """The moment, less the error that is allowed to it."""
        first, second = (log_y, log_l) if self.to_level else (log_l, log_y)
        moment = log_moment(self.s, first, second)
        if not self.leniency:
            return moment
        with np.errstate(invalid="ignore"):  # an infinite moment stays one
            return np.asarray(moment - self.leniency * moment_error(self.s, first, second, moment))

    def largest_power(self, log_l: Array, near: Array | None = None) -> Array:
        """Log of the largest power at each level; looked for near an answer, if one is given."""
        level = self._shaped(log_l)
        return last_true(lambda y: self.holds(y, level), level, np.zeros(level.shape), near)

    def smallest_level(self, log_y: Array, near: Array | None = None) -> Array:
        """Log of the smallest level at each power; looked for near an answer, if one is given."""
        power = self._shaped(log_y)
        return first_true(lambda level: self.holds(power, level), np.full(power.shape, LOWEST), power, near)

    def largest_on_ray(self, epsilons: Array, near: Array | None = None) -> Array:
        """Log of the largest power that is e^epsilon times its level; looked for near an answer, if one is given."""
        ratio = self._shaped(epsilons)
        low = np.full(ratio.shape, LOWEST)
        return last_true(lambda y: self.holds(y, y - ratio) | (y <= LOWEST), low, np.zeros(ratio.shape), near)

    def largest_beside_one(self, _: Array, near: Array | None = None) -> Array:
        """Log of the largest power that is 1 minus its level; looked for near an answer, if one is given."""
        half = self._shaped(np.asarray(-np.log(2.0)))
        return last_true(lambda y: self.holds(y, log1mexp(y)), half, np.zeros(half.shape), near)

    def _shaped(self, x: Array) -> Array:
        return np.broadcast_to(x, np.broadcast_shapes(np.shape(self.s), x.shape))


@dataclass(frozen=True)
class Question:
    """Something that is largest at the edge of what a divergence allows.

    Attributes:
        solve: the largest answer within one divergence, looked for near an earlier one.
        coins: log of the power and of the level that belong to an answer.
        start: what the answer cannot exceed.
    """

    solve: Callable[[Within, Array, Array], Array]
    coins: Callable[[Array, Array], tuple[Array, Array]]
    start: float


POWER_AT_LEVEL = Question(Within.largest_power, lambda answer, level: (answer, level), 0.0)
MINUS_LEVEL_AT_POWER = Question(
    lambda within, power, near: -within.smallest_level(power, -near), lambda answer, power: (power, -answer), -LOWEST
)
POWER_AND_LEVEL_ONE = Question(Within.largest_beside_one, lambda answer, _: (answer, log1mexp(answer)), 0.0)
POWER_ON_RAY = Question(Within.largest_on_ray, lambda answer, ratio: (answer, answer - ratio), 0.0)


def log_moment(s: Array, log_p: Array, log_q: Array) -> Array:
    """The divergence of order 1 + s times s; at s = 0 the divergence itself."""
    not_p, not_q = log1mexp(log_p), log1mexp(log_q)
    a, b = log_p - log_q, _log_ratio(not_p, not_q)
    with np.errstate(over="ignore", invalid="ignore"):
        moment = np.logaddexp(log_p + s * a, not_p + s * b)
        near = (s * np.abs(a) < SMALL) & (s * np.abs(b) < SMALL)
        if near.any():
            p, rest = np.exp(log_p), np.exp(not_p)
            small = np.log1p(p * np.expm1(np.minimum(s * a, SMALL)) + rest * np.expm1(np.minimum(s * b, SMALL)))
            flat = p * a + np.where(rest > 0, rest * b, 0.0)
            moment = np.where(s == 0, flat, np.where(near, small, moment))
        return np.where(np.isnan(moment), np.inf, moment)


def moment_error(s: Array, log_p: Array, log_q: Array, moment: Array) -> Array:
    """A bound on the rounding error of the moment."""
    not_p, not_q = log1mexp(log_p), log1mexp(log_q)
    with np.errstate(over="ignore", invalid="ignore"):
        error = _share_error(s, moment, log_p, log_q, log_p - log_q)
        error = error + _share_error(s, moment, not_p, not_q, _log_ratio(not_p, not_q))
        return np.asarray(ULP * 8 * (4 + error + _finite(moment)))


def _log_ratio(not_p: Array, not_q: Array) -> Array:
    """log((1-p)/(1-q)): 0 where p is 1, whose other side weighs nothing; infinite where q alone is 1."""
    finite_q = np.where(np.isneginf(not_q), 0.0, not_q)
    return np.where(np.isneginf(not_p), 0.0, np.where(np.isneginf(not_q), np.inf, not_p - finite_q))


def _share_error(s: Array, moment: Array, log_p: Array, log_q: Array, ratio: Array) -> Array:
    """The exponent of one side is rounded to a few units of its parts, and counts by its share in the sum."""
    share = np.where(s == 0, np.exp(log_p), np.exp(np.minimum(log_p + s * ratio - moment, 0.0)))
    return _finite(share) * (1 + s) * (_finite(log_p) + _finite(log_q))


def _finite(x: Array) -> Array:
    return np.where(np.isfinite(x), np.abs(x), 0.0)


# How often the best order is looked for, at most, and when the answer counts as settled. Each round squares the error.
ROUNDS = 10
SETTLED = 4 * ULP
# A better order for what rounding allows is looked for as long as it takes away this share of the width.
WORTHWHILE = 0.25
FARTHEST = 1e100
# From this sum of power and level on both ways of the divergence are looked at.
_NEAR_ONE = 1.0 - 1e-9
# What rounding allows is not looked at again where it is this share of the answer at most.
NEGLIGIBLE = 1e-14


@dataclass(frozen=True)
class RenyiFace(Face):
    """The bounds that follow from Rényi divergences in both orders of the pair."""

    is_of_many: ClassVar[bool] = True

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
        if np.isposinf(t).all():
            return np.full(t.shape, -np.inf), np.zeros(t.shape)
        # Farther out than any loss has a meaning the bound stays what it is there.
        finite = np.minimum(np.where(np.isposinf(t), 0.0, t), FARTHEST)
        lowest, s = self.orders.log_conversion(finite)
        gamma = np.where(s > 0, self.orders.bound(s), 0.0)
        error = ULP * (32 + 8 * (s * (gamma + finite) + np.log1p(s)))
        lowest, error = by_joint_range(self.orders, finite, s, np.minimum(lowest, 0.0), error)
        # A bounded divergence of any order above 1 leaves no room for infinite loss.
        return np.where(np.isposinf(t), -np.inf, lowest), error

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


def _with_ends(inside: Bracket, levels: Array) -> Bracket:
    """0 at probability 0 and 1 at probability 1, exactly."""

    def ends(values: Array) -> Array:
        return np.where(np.isneginf(levels), -np.inf, np.where(levels >= 0, 0.0, values))

    return Bracket(ends(inside.lower), ends(inside.mid), ends(inside.upper))
