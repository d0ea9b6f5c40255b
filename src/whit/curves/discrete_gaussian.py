"""Discrete Gaussian noise: the losses lie on a lattice without end, and all but a negligible part is kept.

Where the noise is so large that the lattice has more than a million points, neighbouring ones are taken together.

The sum of m such noises is n with probability e^{-n^2/2m sigma^2} w(n mod m)/N^m: the part of k = (k_1, ..., k_m) along
(1, ..., 1) has length n/sqrt(m), and the rest of it runs over a shifted lattice that only knows n modulo m (theorem
discrete-gaussian-loss). So m weights and one norm N are all that is ever summed.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, reduce
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.distinct_sums import Lattice, rounding_of, summed
from whit.curves.face import Array, LossDistribution
from whit.curves.finite import MOST_ATOMS, FinitePair, either, enumerated
from whit.errors import InvalidInput, TooCostly
from whit.numerics import ULP, Bracket, count, finite_positive, log1mexp, logsumexp


class CutLoss(LossDistribution):
    """A loss that is known between two lists of atoms."""

    @property
    @abstractmethod
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        """The atoms without and with what was cut off, which then counts as an infinite loss."""

    @property
    def log_infinity(self) -> float:
        """Minus infinity: every outcome is possible on both datasets."""
        return -np.inf

    @property
    def log_cut(self) -> float:
        """Log of the probability that was cut off, an upper bound."""
        return self.atoms[1].log_infinity

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile."""
        below, above = self.atoms
        return _between(below.log_delta(epsilons), above.log_delta(epsilons))

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta; none is enough for a delta of 0."""
        wanted = np.asarray(log_deltas, dtype=np.float64)
        none = np.isneginf(wanted)
        found = super().epsilon(np.where(none, 0.0, wanted))
        return Bracket(*(np.where(none, np.inf, end) for end in found.ends))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]."""
        below, above = self.atoms
        return _between(below.log_tail(losses), above.log_tail(losses))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        below, above = self.atoms
        return _between(below.log_tail_closed(losses), above.log_tail_closed(losses))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power; the level 0 has none, since no outcome is impossible."""
        levels = np.asarray(log_levels, dtype=np.float64)
        below, above = self.atoms
        inside = _between(below.log_power(levels), above.log_power(levels))
        none = np.isneginf(levels)
        return Bracket(*(np.where(none, -np.inf, end) for end in inside.ends))

    def reverse(self) -> Self:
        """This loss: the noise is symmetric."""
        return self


def _between(below: Bracket, above: Bracket) -> Bracket:
    return Bracket(below.lower, below.mid, above.upper)


# A lattice with more points than can be listed is cut into about so many blocks.
BLOCKS = 2**19
# Over so many places of a lattice the sums of several groups are put together in a second.
MOST_PLACES = 2**15
# Half the spread of the losses of a block; with more the probabilities under Q would not add up to 1.
WIDEST_BLOCK = 1e-5
SMALLEST_SIGMA, LARGEST_SIGMA = 1e-100, 1e60

_LOG_TWO = math.log(2.0)


@dataclass(frozen=True)
class DiscreteGaussianLoss(CutLoss):
    """The loss of whole numbers released with discrete Gaussian noise, each of which changes by a whole number.

    sigma     the parameter of the noise, whose probabilities are proportional to e^{-k^2/2 sigma^2}
    changes   by how much each cell changes; cells are independent
    """

    sigma: float
    changes: tuple[int, ...] = (1,)

    def __post_init__(self) -> None:
        """Refuse a sigma that is not positive, and changes that are no whole numbers."""
        way_out = "It is the scale of the noise, a number such as 10."
        object.__setattr__(self, "sigma", finite_positive("sigma", self.sigma, way_out))
        _require_in_reach(self.sigma)
        object.__setattr__(self, "changes", _whole(self.changes))

    @property
    def is_endless(self) -> bool:
        """Always: no list of atoms is needed to know that."""
        return True

    @cached_property
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        """The atoms without and with what was cut off; listed when first asked for, since a composition needs none."""
        return _atoms(self.sigma, self.changes, MOST_ATOMS)

    @property
    def log_cut(self) -> float:
        """Log of the probability that is cut off where atoms are listed, an upper bound; no list is needed for it."""
        return _log_cut(self.sigma, self.changes, MOST_ATOMS)

    @property
    def below(self) -> FinitePair:
        """The atoms that are kept: answers of at least this."""
        return self.atoms[0]

    @property
    def above(self) -> FinitePair:
        """The atoms, with what was cut off at infinity: answers of at most this."""
        return self.atoms[1]


# Each question about a release builds its loss anew; a list of atoms may take some ten megabytes.
@lru_cache(maxsize=2)
def _atoms(sigma: float, changes: tuple[int, ...], most: int) -> tuple[FinitePair, FinitePair]:
    """The atoms of all cells: at most so many of each group of equal ones, and blocks of them where there are more."""
    groups = [_group(sigma, change, cells, most) for change, cells in Counter(changes).items()]
    below = _listed(groups, math.gcd(*changes) / (sigma * sigma))
    log_cut = _log_cut(sigma, changes, most)
    return below, replace(below, log_infinity=log_cut, log_missing=log_cut)


def _listed(groups: list[FinitePair], unit: float) -> FinitePair:
    """The sums of all groups: their losses are multiples of the unit up to a constant, so many sums are equal."""
    if len(groups) == 1:
        return groups[0]
    lattice, pairs = Lattice(unit), dict.fromkeys(groups, 1)
    fits = all(lattice.deviation(pair) <= rounding_of(pair) for pair in groups)
    places = sum(int(lattice.steps(pair)[-1]) for pair in groups) if fits else math.inf
    return summed(pairs, lattice) if places <= MOST_PLACES else enumerated(pairs)


def _group(sigma: float, change: int, cells: int, most: int) -> FinitePair:
    """The loss of several cells with the same change d: at the sum n of their noise it is d (2n + m d)/2 sigma^2."""
    points = _points(sigma, change, cells)
    if points > most:
        return _coarse_group(sigma, change, cells, math.ceil(points / BLOCKS))
    law = DiscreteGaussianSum(sigma, cells)
    noise = np.arange(-law.reach - cells * change, law.reach + 1, dtype=np.float64)
    log_masses = law.log_masses(noise)
    return _kept(_losses(noise, sigma, change, cells), log_masses, law.mass_error(log_masses), 0.0)


def _points(sigma: float, change: int, cells: int) -> int:
    """How many points of the lattice are kept."""
    return 2 * reach(sigma, cells) + cells * change + 1


def _log_cut(sigma: float, changes: tuple[int, ...], most: int) -> float:
    """Log of what is cut off anywhere, under either dataset, an upper bound."""
    log_cut = reduce(either, (_log_cut_of(sigma, change, cells, most) for change, cells in Counter(changes).items()))
    return log_cut + (1e-14 * abs(log_cut) if len(set(changes)) > 1 else 0.0)


def _log_cut_of(sigma: float, change: int, cells: int, most: int) -> float:
    """The same for one group; at each of its ends lies at most twice what lies beyond the reach on one side.

    In blocks that is a geometric series from e^{-far^2/2v} on, of ratio e^{-far/v}.
    """
    if _points(sigma, change, cells) <= most:
        law = DiscreteGaussianSum(sigma, cells)
        return law.log_beyond(law.reach) + _LOG_TWO
    variance, far = cells * (sigma * sigma), reach(sigma, cells)
    beyond = -far * far / (2 * variance) - math.log(-math.expm1(-far / variance)) - 0.5 * math.log(variance)
    return beyond + _LOG_TWO


def _coarse_group(sigma: float, change: int, cells: int, width: int) -> FinitePair:
    """The law with so many whole numbers in a row taken as one, and their losses known up to half the block."""
    variance, shift, far = cells * (sigma * sigma), cells * change, reach(sigma, cells)
    half = (width - 1) / 2
    _require_affordable(change, half, sigma)
    centres = np.arange(-far - shift, far + 1, width, dtype=np.float64) + half
    log_masses = log_block_masses(centres, width, variance)
    mass_error = block_error(centres, width, variance)
    return _kept(_losses(centres, sigma, change, cells), log_masses, mass_error, half * change / sigma**2)


def _losses(noise: Array, sigma: float, change: int, cells: int) -> Array:
    return np.asarray(change * (2 * noise + cells * change) / (2 * (sigma * sigma)))


def _kept(losses: Array, log_masses: Array, mass_error: float, spread: float) -> FinitePair:
    """The atoms that are kept."""
    loss_error = spread * (1 + 8 * ULP) + float(4 * ULP * np.max(np.abs(losses)))
    return FinitePair(losses, log_masses, mass_error=mass_error, loss_error=loss_error)


def _whole(changes: object) -> tuple[int, ...]:
    way_out = "Give one whole number for each cell that changes, such as (1, 1)."
    if not isinstance(changes, Sequence) or isinstance(changes, str) or len(changes) == 0:
        raise InvalidInput("changes", "must be a list of whole numbers", changes, way_out)
    return tuple(count("changes", change, way_out) for change in changes)


def _require_in_reach(sigma: float) -> None:
    """Refuse noise whose variance, or the inverse of it, has no place among the doubles."""
    if SMALLEST_SIGMA <= sigma <= LARGEST_SIGMA:
        return
    rule = f"must lie between {SMALLEST_SIGMA:g} and {LARGEST_SIGMA:g} to be worked out"
    raise TooCostly("sigma", rule, sigma, "Use Gaussian noise, which has a closed form, or a usual number such as 2.")


def _require_affordable(change: int, half: float, sigma: float) -> None:
    """Refuse blocks whose losses spread too far to be taken as one."""
    if half * change / sigma**2 > WIDEST_BLOCK:
        way_out = "Use less noise, smaller changes, or Gaussian noise, which has a closed form."
        found = f"sigma {sigma!r} with a change of {change}"
        raise TooCostly("the lattice of losses", f"must have at most {MOST_ATOMS} points", found, way_out)


# What lies beyond this many logs below the largest term is left out of a sum: less than a unit in the last place.
NEGLIGIBLE = 45.0
# Points are kept as long as their probability is above e^-745, the smallest double.
SMALLEST_LOG = 745.0
# From here on the weights are equal and N is sqrt(2 pi) sigma, but for e^{-pi^2 sigma^2} by Poisson's summation.
WIDE = 10.0


@dataclass(frozen=True)
class DiscreteGaussianSum:
    """The law of the sum of `terms` independent discrete Gaussians of parameter sigma.

    log_weights   log of w(n mod m)/N^m
    error         bound on the absolute error of each of them
    """

    sigma: float
    terms: int = 1
    log_weights: Array = field(init=False, repr=False, compare=False)
    error: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        way_out = "It is the scale of the noise, a number such as 10."
        object.__setattr__(self, "sigma", finite_positive("sigma", self.sigma, way_out))
        object.__setattr__(self, "terms", count("terms", self.terms, "Use the number of cells, such as 1."))
        log_weights, error = _weights(self.sigma, self.terms)
        log_weights.setflags(write=False)
        object.__setattr__(self, "log_weights", log_weights)
        object.__setattr__(self, "error", error)

    @property
    def variance_parameter(self) -> float:
        """m sigma^2, which is nearly the variance."""
        return self.terms * (self.sigma * self.sigma)

    @property
    def reach(self) -> int:
        """The last point that is kept on each side; what lies beyond it is below the smallest double."""
        return reach(self.sigma, self.terms)

    def log_beyond(self, last: int) -> float:
        """An upper bound on the log of the probability beyond a point, on one side: a geometric series."""
        first = last + 1.0
        exponent = first * first / (2 * self.variance_parameter)
        ratio = -(2 * first + 1) / (2 * self.variance_parameter)
        return float(-exponent * (1 - 8 * ULP) - log1mexp(ratio) + np.max(self.log_weights) + self.error + 16 * ULP)

    def log_masses(self, points: Array) -> Array:
        """Log of the probability of each whole number."""
        places = np.mod(points, self.terms).astype(np.int64)
        return np.asarray(self.log_weights[places] - points * points / (2 * self.variance_parameter))

    def mass_error(self, log_masses: Array) -> float:
        """Bound on the relative error of these probabilities."""
        return float(self.error + ULP * (8 + 4 * np.max(np.abs(log_masses), initial=0.0)))


def log_block_masses(centres: Array, width: int, variance: float) -> Array:
    """Log of the probability of so many whole numbers in a row about each centre, for a variance above 10^6.

    Within a block of half-width h the terms are e^{-c^2/2v} e^{-u^2/2v} cosh(cu/v), summed by the even moments of u up
    to the fourth. What is left out is relatively below that of block_error.
    """
    second = (width * width - 1.0) / 12
    fourth = (width * width - 1.0) * (3.0 * width * width - 7.0) / 240
    c2 = centres * centres / variance
    bent = second / variance * (c2 - 1) / 2 + fourth / variance**2 * (c2 * c2 / 24 - c2 / 4 + 1 / 8)
    return np.asarray(math.log(width) - c2 / 2 - 0.5 * math.log(2 * math.pi * variance) + np.log1p(bent))


def block_error(centres: Array, width: int, variance: float) -> float:
    """Bound on the relative error of the probabilities of blocks.

    The terms of sixth order are (u^2/v)^3 times a cubic in c^2/v that lies below (c^2/v + 30)^3/720; the higher ones
    together are smaller still.
    """
    farthest = float(np.max(np.abs(centres)))
    sixth = width * width / (4 * variance) * (farthest * farthest / variance + 30)
    return sixth**3 / 360 + ULP * (32 + 3 * farthest * farthest / variance)


def reach(sigma: float, terms: int) -> int:
    """How far from 0 the probabilities of a sum of so many terms are above the smallest double."""
    return max(1, math.ceil(sigma * math.sqrt(2 * SMALLEST_LOG * terms)))


def _weights(sigma: float, terms: int) -> tuple[Array, float]:
    """Log of w(n)/N^m for n = 0 to m - 1, one term more at a time, and a bound on the error."""
    if sigma >= WIDE:
        log_weight = -0.5 * math.log(2 * math.pi * terms * (sigma * sigma))
        return np.full(terms, log_weight), 16 * ULP * (1 + abs(log_weight))
    log_norm = float(_log_theta(0.0, np.zeros(1), 1.0, sigma))
    logs, error = np.array([-log_norm]), 32 * ULP * (1 + abs(log_norm))
    for size in range(1, terms):
        logs = np.array([_log_theta(size * n / (size + 1), logs, (size + 1) / size, sigma) for n in range(size + 1)])
        logs -= log_norm
        # One sum of positive terms, whose exponents are rounded four times each.
        error += ULP * (64 + 8 * float(np.max(np.abs(logs))) + 32 * abs(log_norm))
    return logs, error


def _log_theta(centre: float, log_weights: Array, factor: float, sigma: float) -> Array:
    """Log of the sum over all i of w(i mod m) e^{-factor (i - centre)^2/2 sigma^2}."""
    # The weights of different residues may differ by as much as the term at the nearest residue is small.
    spread = float(np.max(log_weights) - np.min(log_weights))
    width = sigma * math.sqrt(2 * (NEGLIGIBLE + spread) / factor) + len(log_weights) + 1.0
    points = np.arange(math.floor(centre - width), math.ceil(centre + width) + 1, dtype=np.float64)
    # A variance that is too small for a double leaves nothing but the centre, as this one does.
    exponents = -factor * (points - centre) ** 2 / (2 * max(sigma * sigma, 1e-300))
    return logsumexp(log_weights[np.mod(points, len(log_weights)).astype(np.int64)] + exponents)
