"""Exact composition of finite pairs: losses add up, probabilities multiply, equal losses are put together.

Few atoms stay few where their losses lie on a lattice (randomized response, geometric noise), since then most sums
coincide. Two atoms are composed in one step, whatever the number of copies, by the binomial distribution.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce

import numpy as np

from whit.curves.face import Array
from whit.curves.finite import FinitePair, identical, merged_atoms
from whit.errors import TooCostly
from whit.numerics import ULP, binomial

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
        log_infinity=_either(first.log_infinity, second.log_infinity),
        log_missing=_either(first.log_missing, second.log_missing),
        mass_error=first.mass_error + second.mass_error + _rounding(log_masses),
        loss_error=first.loss_error + second.loss_error + tolerance / 4,
        infinity_error=_combined(first, second),
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
    pmf = binomial.log_pmf_of_logs(count, float(log_high - finite), float(log_low - finite))
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


def _combined(first: FinitePair, second: FinitePair) -> float:
    """The error of the masses at infinity of two pairs together; that of one if the other has none."""
    endless = [each for each in (first, second) if max(each.log_infinity, each.log_missing) > -math.inf]
    rounding = 16 * ULP if len(endless) == 2 else 0.0
    return sum(each.infinity_error for each in endless) + rounding


def _rounding(log_masses: Array) -> float:
    finite = log_masses[np.isfinite(log_masses)]
    return float(ULP * (8 + 2 * np.max(np.abs(finite), initial=0.0)))


def _either(first: float, second: float) -> float:
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
