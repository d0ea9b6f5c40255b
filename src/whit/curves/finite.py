"""Pairs with finitely many outcomes, and their exact composition: losses add up, equal ones are put together.

Only terms of one sign are added, so that no digits cancel. The bounds in the comments use u = 2^-53 and allow
elementary functions a few units in the last place each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, LossDistribution
from whit.curves.many_atoms import SummedProfile
from whit.errors import TooCostly, require
from whit.numerics import (
    ULP,
    Bracket,
    add_down,
    add_up,
    log1mexp,
    log_binomial_of_logs,
    logsubexp,
    logsumexp,
    probability_vector,
)

# Entries of one block of the (epsilons x atoms) table: bounds the memory of a call at about 16 MB an array.
BLOCK = 2**21
# With more atoms than this the profile is summed once for all epsilons, and known to eleven digits.
MANY = 2**12
MASS_TOLERANCE = 1e-9

_Side: TypeAlias = Literal["left", "right"]


@dataclass(frozen=True, eq=False)
class FinitePair(LossDistribution):
    """The loss of a pair with finitely many outcomes: atoms, and mass at plus and minus infinity.

    losses          the finite losses, strictly increasing
    log_masses      log of the probability under P of each; under Q it is e^{-loss} times that
    log_infinity    log of the probability under P of what Q never produces
    log_missing     log of the probability under Q of what P never produces
    mass_error      bound on the relative error of every probability
    loss_error      bound on the absolute error of every loss; 0 where the losses are exact by definition
    infinity_error  bound on the relative error of both masses at infinity; 0 where they are exact by definition
    symmetric       whether it is its own reverse up to these errors
    """

    losses: Array
    log_masses: Array
    log_infinity: float = -np.inf
    log_missing: float = -np.inf
    mass_error: float = 4 * ULP
    loss_error: float = 0.0
    infinity_error: float = 0.0
    symmetric: bool = False

    def __post_init__(self) -> None:
        """Refuse atoms that are not those of two probability distributions."""
        for name in ("losses", "log_masses"):
            array = np.array(getattr(self, name), dtype=np.float64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        _require_increasing(self.losses, self.log_masses)
        _require_whole("the masses under P", self.log_masses, self.log_infinity, self.mass_error)
        _require_whole("the masses under Q", self.log_masses - self.losses, self.log_missing, self.mass_error)

    @classmethod
    def of(cls, p: ArrayLike, q: ArrayLike) -> FinitePair:
        """The pair of two probability vectors over the same outcomes.

        >>> FinitePair.of([0.75, 0.25], [0.25, 0.75]).losses.round(4).tolist()
        [-1.0986, 1.0986]
        """
        way_out = "Pass the probabilities of all outcomes; they must add up to 1."
        p, q = probability_vector("p", p, way_out), probability_vector("q", q, way_out)
        require(
            len(p) == len(q),
            name="q",
            rule=f"must have as many outcomes as p, which has {len(p)}",
            value=f"{len(q)} outcomes",
            way_out="Give an outcome that one of them never produces the probability 0.",
        )
        both = (p > 0) & (q > 0)
        losses = log_ratio(p[both], q[both])
        # Doubles add up to 1 only within rounding: scaling one vector to 1 would move every loss by this much.
        defect = abs(math.fsum([*p, -1.0])) + abs(math.fsum([*q, -1.0]))
        error = float(4 * ULP * np.max(np.abs(losses), initial=0.0)) + defect
        with np.errstate(divide="ignore"):
            infinity, missing = np.log(p[q == 0].sum()), np.log(q[p == 0].sum())
        return merged_atoms(
            losses,
            np.log(p[both]),
            log_infinity=float(infinity),
            log_missing=float(missing),
            mass_error=_mass_error(p, q) + defect,
            loss_error=error,
            infinity_error=_mass_error(p, q) + defect,
        )

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of D(t): the sum over losses z > t of p (1 - e^{t-z}), plus the mass at infinity."""
        eps = np.asarray(epsilons, dtype=np.float64)
        if len(self.losses) > MANY:
            return self.log_delta_read(eps)
        flat = eps.ravel()
        mid = np.empty(flat.shape)
        rows = max(1, BLOCK // max(1, len(self.losses)))
        for start in range(0, len(flat), rows):
            with np.errstate(over="ignore", invalid="ignore"):  # infinite losses less infinite ones count as 0 below
                gaps = np.minimum(flat[start : start + rows, None] - self.losses, 0.0)
            gaps[np.isnan(gaps)] = 0.0
            mid[start : start + rows] = logsumexp(self.log_masses + log1mexp(gaps), axis=1)
        return self._delta_bracket(eps, np.minimum(mid, 0.0).reshape(eps.shape))

    def log_delta_read(self, epsilons: ArrayLike) -> Bracket:
        """The same, read from sums over all losses that are made once: quicker for many epsilons, and a bit wider."""
        eps = np.asarray(epsilons, dtype=np.float64)
        summed = self._summed.log_delta(eps)
        return self._delta_bracket(eps, np.minimum(summed, 0.0), self._summed.error(summed))

    @cached_property
    def _summed(self) -> SummedProfile:
        return SummedProfile(self.losses, self.log_masses)

    def _delta_bracket(self, eps: Array, mid: Array, error: ArrayLike = 0.0) -> Bracket:
        """The finite part with its error, and the mass at infinity with its own."""
        # A term of log-size L carries a relative error of (8 + 2|L|)u; averaged over the terms |L| is at most
        # |log D| + log n. An error e of the losses moves D by at most e P[t - e < Z < inf], since |dD/dz| <= p.
        with np.errstate(invalid="ignore"):
            size = np.where(np.isfinite(mid), np.abs(mid), 0.0)
        relative = self.mass_error + ULP * (16 + 2 * size + 4 * np.log(len(self.losses) + 2)) + error
        lower, upper = mid - relative, np.where(np.isposinf(relative), 0.0, mid + np.minimum(relative, 1e308))
        if self.loss_error > 0.0:
            log_error = np.log(self.loss_error)
            moved = log_error + self._finite_suffix(add_down(eps, -self.loss_error), "right") + relative
            moved = moved + 4 * ULP * abs(log_error)
            lower, upper = logsubexp(np.maximum(lower, moved), moved), np.logaddexp(upper, moved)
            lower, upper = (end + shift * ULP * (8 + 4 * _size(end)) for end, shift in ((lower, -1), (upper, 1)))
        return self.with_infinity(Bracket(np.minimum(lower, upper), mid, upper))

    def with_infinity(self, finite: Bracket) -> Bracket:
        """What the finite losses give, and the mass at infinity with its own error, in logs."""
        sides = zip(finite.ends, (-1, 0, 1), strict=True)
        return Bracket(*(self._plus_infinity(end, side) for end, side in sides))

    def _plus_infinity(self, logs: Array, side: int) -> Array:
        """The log of a sum, rounded to one side; where there is nothing to add it is known as it stands."""
        total = np.logaddexp(logs, self.log_infinity + side * self.infinity_error)
        both = np.isfinite(logs) & np.isfinite(self.log_infinity)
        rounding = np.where(both, 4 * ULP * (1 + np.abs(np.where(both, total, 0.0))), 0.0)
        return np.asarray(np.minimum(total + side * rounding, 0.0))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]."""
        return self._tail(np.asarray(losses, dtype=np.float64), "right")

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        return self._tail(np.asarray(losses, dtype=np.float64), "left")

    def _tail(self, t: Array, side: _Side) -> Bracket:
        relative = self._sum_error()
        # An error that is small beside t still moves it, past an atom that may lie on either side.
        lower = self._suffix(add_up(t, self.loss_error), side) - relative
        upper = self._suffix(add_down(t, -self.loss_error), side) + min(relative, 1e308)
        upper = np.minimum(upper, 0.0) if math.isfinite(relative) else np.zeros_like(upper)
        return Bracket(np.minimum(lower, upper), self._suffix(t, side), upper)

    def _suffix(self, t: Array, side: _Side) -> Array:
        """Log of the mass under P of the losses to the right of each t."""
        return np.asarray(np.minimum(np.logaddexp(self._finite_suffix(t, side), self.log_infinity), 0.0))

    def _finite_suffix(self, t: Array, side: _Side) -> Array:
        """Log of the mass under P of the finite losses to the right of each t."""
        return np.asarray(self._suffix_sums[np.searchsorted(self.losses, t, side=side)])

    @cached_property
    def _suffix_sums(self) -> Array:
        return np.append(np.logaddexp.accumulate(self.log_masses[::-1])[::-1], -np.inf)

    def _sum_error(self) -> float:
        return self.mass_error + ULP * (8 + 4 * (len(self.losses) + 1))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power of the Neyman-Pearson test: D(t) + e^t level at the threshold t.

        Every t gives an upper bound, so a threshold missed by rounding cannot make the upper end too small.
        """
        levels = np.asarray(log_levels, dtype=np.float64)
        thresholds = np.append(self.losses[::-1], -np.inf)
        at = thresholds[np.searchsorted(self._null_sums, levels, side="right")]
        delta = self.log_delta(at)
        with np.errstate(invalid="ignore"):
            line = np.where(np.isneginf(levels) | np.isneginf(at), -np.inf, at + levels)
        # The line is one addition, and a loss error moves it by that much; a missed threshold costs the sum's error.
        own = self.loss_error + ULP * (4 + np.where(np.isfinite(line), np.abs(line), 0.0))
        error = np.where(np.isneginf(levels), 0.0, 2 * self._sum_error() + 4 * ULP)
        mid = np.minimum(np.logaddexp(delta.mid, line), 0.0)
        high, low = np.logaddexp(delta.upper, line + own), np.logaddexp(delta.lower, line - own)
        upper = np.minimum(high + error + 2 * ULP * _size(high), 0.0)
        lower = np.minimum(low - error - 2 * ULP * _size(low), mid)
        # At level 1 the test that always rejects has power 1, exactly.
        certain = levels >= 0.0
        return Bracket(np.where(certain, 0.0, lower), np.where(certain, 0.0, mid), np.where(certain, 0.0, upper))

    @cached_property
    def _null_sums(self) -> Array:
        """Log of the mass under Q of the largest losses, one more at a time."""
        return np.asarray(np.logaddexp.accumulate((self.log_masses - self.losses)[::-1]))

    def reverse(self) -> FinitePair:
        """The pair (Q, P): losses change sign, P and Q change places."""
        return self if self.symmetric else self._reversed

    @cached_property
    def _reversed(self) -> FinitePair:
        nulls = (self.log_masses - self.losses)[::-1]
        errors = self.mass_error + self.loss_error + _rounding(nulls), self.loss_error, self.infinity_error
        return FinitePair(-self.losses[::-1], nulls, self.log_missing, self.log_infinity, *errors)

    def __repr__(self) -> str:
        """A short description: atoms can be many."""
        return f"<FinitePair: {len(self.losses)} losses, infinite with probability {np.exp(self.log_infinity):.3g}>"


def _size(logs: Array) -> Array:
    return np.where(np.isfinite(logs), np.abs(logs), 0.0)


def identical() -> FinitePair:
    """The pair of two equal distributions: the loss is 0."""
    return FinitePair(np.zeros(1), np.zeros(1))


def log_ratio(p: Array, q: Array) -> Array:
    """log(p/q) of positive numbers, to four units in the last place however close they are."""
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        ratio = p / q
        normal = (ratio > 1e-300) & (ratio < 1e300)
        near = (ratio > 0.5) & (ratio < 2.0)  # then p - q is exact
        far = np.where(normal, np.log(np.where(normal, ratio, 1.0)), np.log(p) - np.log(q))
        return np.where(near, np.log1p(np.where(near, (p - q) / q, 0.0)), far)


def merged_atoms(
    losses: Array,
    log_masses: Array,
    *,
    log_infinity: float,
    log_missing: float,
    mass_error: float,
    loss_error: float,
    infinity_error: float,
    tolerance: float = 0.0,
) -> FinitePair:
    """The pair of atoms in any order; those whose losses agree within the tolerance are put together."""
    order = np.argsort(losses, kind="stable")
    losses, log_masses = losses[order], log_masses[order]
    starts = np.flatnonzero(np.append(True, np.diff(losses) > tolerance)) if len(losses) else np.zeros(0, dtype=int)
    if len(starts) < len(losses):
        widths = np.append(losses[starts[1:] - 1], losses[-1:]) - losses[starts]
        sizes = np.diff(np.append(starts, len(losses)))
        log_masses = np.logaddexp.reduceat(log_masses, starts)
        losses = losses[starts]
        loss_error += float(np.max(widths))
        mass_error += float(2 * ULP * np.max(sizes))
    return FinitePair(losses, log_masses, log_infinity, log_missing, mass_error, loss_error, infinity_error)


def _mass_error(p: Array, q: Array) -> float:
    smallest = min(p[p > 0].min(), q[q > 0].min())
    return float(ULP * (8 + 2 * abs(np.log(smallest))))


def _require_increasing(losses: Array, log_masses: Array) -> None:
    require(
        losses.ndim == 1 and losses.shape == log_masses.shape,
        name="losses and log_masses",
        rule="must be two lists of equal length",
        value=f"shapes {losses.shape} and {log_masses.shape}",
        way_out="Pass one log-probability for each loss.",
    )
    require(
        bool(np.all(np.isfinite(losses)) and np.all(losses[1:] > losses[:-1])),
        name="losses",
        rule="must be finite and strictly increasing",
        value=losses,
        way_out="Sort them, merge equal ones, and pass infinite ones as log_infinity.",
    )


def _require_whole(name: str, log_masses: Array, log_rest: float, error: float) -> None:
    total = float(np.exp(logsumexp(np.append(log_masses, log_rest), axis=0)))
    require(
        abs(total - 1.0) <= MASS_TOLERANCE + error,
        name=name,
        rule="must add up to 1",
        value=f"{total:.12g}",
        way_out="Pass all outcomes; what only one of the two produces goes to log_infinity or log_missing.",
    )


MOST_ATOMS = 2**20
MOST_PRODUCTS = 2**24


def enumerated(counts: Mapping[FinitePair, int]) -> FinitePair:
    """The loss of all the pairs together, each taken as often as its count says."""
    return reduce(product, (self_composed(pair, count) for pair, count in counts.items()), identical())


def self_composed(pair: FinitePair, count: int) -> FinitePair:
    """The loss of independent copies of one pair."""
    if count == 1:
        return pair
    if len(pair.losses) == 2:
        return _binomial(pair, count)
    half = self_composed(pair, count // 2)
    whole = product(half, half)
    return product(whole, pair) if count % 2 else whole


def product(first: FinitePair, second: FinitePair) -> FinitePair:
    """The loss of two independent releases."""
    products = len(first.losses) * len(second.losses)
    _require_affordable(products, MOST_PRODUCTS)
    losses = np.add.outer(first.losses, second.losses).ravel()
    log_masses = np.add.outer(first.log_masses, second.log_masses).ravel()
    # Sums that are equal in exact arithmetic differ by rounding alone: a few units of the largest loss.
    tolerance = 4 * ULP * float(np.max(np.abs(losses), initial=0.0))
    pair = merged_atoms(
        losses,
        log_masses,
        log_infinity=either(first.log_infinity, second.log_infinity),
        log_missing=either(first.log_missing, second.log_missing),
        mass_error=first.mass_error + second.mass_error + _rounding(log_masses),
        loss_error=first.loss_error + second.loss_error + tolerance / 4,
        infinity_error=infinity_error_of(first, second),
        tolerance=first.loss_error + second.loss_error + tolerance,
    )
    _require_affordable(len(pair.losses), MOST_ATOMS)
    return pair


def _binomial(pair: FinitePair, count: int) -> FinitePair:
    """Copies of a pair with two finite losses: the number of times that the larger one occurs is binomial."""
    _require_affordable(count + 1, MOST_ATOMS)
    low, high = pair.losses
    log_low, log_high = pair.log_masses
    finite = np.logaddexp(log_low, log_high)
    pmf = log_binomial_of_logs(count, float(log_high - finite), float(log_low - finite))
    times = np.arange(count + 1)
    losses = times * high + (count - times) * low
    # Losses that all but agree can have the same sums.
    return merged_atoms(
        losses,
        pmf.mid + count * finite,
        log_infinity=_any_of(pair.log_infinity, count),
        log_missing=_any_of(pair.log_missing, count),
        mass_error=count * pair.mass_error + float(np.max(pmf.upper - pmf.lower)) + _rounding(pmf.mid),
        loss_error=count * pair.loss_error + 4 * ULP * float(np.max(np.abs(losses))),
        infinity_error=pair.infinity_error + ULP * (8 + abs(max(pair.log_infinity, -800.0)) + math.log(count)),
    )


def infinity_error_of(first: FinitePair, second: FinitePair) -> float:
    """The error of the masses at infinity of two pairs together; that of one if the other has none."""
    endless = [each for each in (first, second) if max(each.log_infinity, each.log_missing) > -math.inf]
    rounding = 16 * ULP if len(endless) == 2 else 0.0
    return sum(each.infinity_error for each in endless) + rounding


def _rounding(log_masses: Array) -> float:
    finite = log_masses[np.isfinite(log_masses)]
    return float(8 * ULP + 2 * ULP * np.max(np.abs(finite), initial=0.0))


def either(first: float, second: float) -> float:
    """Log of the probability that at least one of two independent events happens."""
    return float(np.logaddexp(first, second + np.log1p(-np.exp(first)))) if first < 0 else 0.0


def _any_of(log_probability: float, count: int) -> float:
    """Log of the probability that an event happens in at least one of so many independent trials."""
    with np.errstate(divide="ignore"):
        return float(np.log(-np.expm1(count * np.log1p(-np.exp(log_probability)))))


def _require_affordable(atoms: int, most: int) -> None:
    if atoms > most:
        way_out = "Use fewer copies, losses on a common lattice, or numerical composition."
        raise TooCostly("exact enumeration", f"must not need more than {most} atoms", f"{atoms} atoms", way_out)
