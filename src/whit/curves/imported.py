"""Curves that others computed: tables of points, and the objects of other libraries through their public calls.

None of those libraries is imported here: an object is asked for what it offers. Each curve says how far it may be
trusted: a table that claims to bound the risk gives an upper bound, an audit a lower one, and a number whose error
nobody bounds is ABOUT.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import contour
from whit.curves.composition import composed
from whit.curves.curve import Curve
from whit.curves.face import Array, Order
from whit.curves.numerical import ComposedLoss
from whit.curves.profile import ChordProfile
from whit.curves.tradeoff import PowerTable, TradeOff
from whit.errors import InvalidInput, require
from whit.numerics import count
from whit.theory import Basis, Direction

# Where another library's curve is read, unless somebody names other epsilons.
EPSILONS = (0.0, *np.geomspace(1e-3, 100.0, 400).tolist())


class DeltaForEpsilon(Protocol):
    """What is used of a dp-accounting privacy loss distribution."""

    def get_delta_for_epsilon(self, epsilon: Sequence[float]) -> Sequence[float]:
        """Delta at each epsilon."""


class DeltaOfEpsilon(Protocol):
    """What is used of an OpenDP privacy profile."""

    def delta(self, epsilon: float) -> float:
        """Delta at one epsilon."""


def from_deltas(epsilons: ArrayLike, deltas: ArrayLike) -> Curve:
    """The curve of a table of (epsilon, delta) that hold for both orders of the neighbours: an upper bound.

    >>> print(from_deltas([1.0, 2.0], [1e-3, 1e-6]).delta(1.5))
    delta is at most 6.23e-4
    """
    return _chords(np.atleast_1d(np.asarray(epsilons, dtype=np.float64)), deltas, Direction.AT_MOST)


def from_powers(levels: ArrayLike, powers: ArrayLike) -> Curve:
    """The curve of an audit: tests whose level is at most, and whose power is at least, what the table says.

    >>> print(from_powers([0.01], [0.2]).delta(1.0))
    delta is at least 0.172
    """
    basis = Basis.of("neyman-pearson")
    return Curve(TradeOff.through(levels, powers), Direction.AT_LEAST, Order.PROFILE, basis)


def from_largest_powers(levels: ArrayLike, powers: ArrayLike) -> Curve:
    """The curve of a table that says how much power a test of each level can have at most, in both orders.

    >>> print(from_largest_powers([0.05], [0.2]).power(0.01))
    power of the best test is at most 16.7 %
    """
    table = PowerTable(np.asarray(levels, dtype=np.float64), np.asarray(powers, dtype=np.float64))
    return Curve(table, Direction.AT_MOST, Order.PROFILE, Basis.of("power-by-concavity"))


def from_dp_accounting(distribution: DeltaForEpsilon, epsilons: Sequence[float] = EPSILONS) -> Curve:
    """The curve of a dp-accounting privacy loss distribution, read at some epsilons.

    It is ABOUT: that library's bounds leave out the rounding of its transforms, and can lie below the truth.
    """
    deltas = np.asarray(distribution.get_delta_for_epsilon(list(epsilons)), dtype=np.float64)
    return _chords(np.asarray(epsilons, dtype=np.float64), np.clip(deltas, 0.0, 1.0), Direction.ABOUT)


def from_opendp(profile: DeltaOfEpsilon, epsilons: Sequence[float] = EPSILONS) -> Curve:
    """The curve of an OpenDP privacy profile, read at some epsilons: an upper bound, since that library rounds up."""
    deltas = [min(float(profile.delta(float(epsilon))), 1.0) for epsilon in epsilons]
    return _chords(np.asarray(epsilons, dtype=np.float64), deltas, Direction.AT_MOST)


def from_opacus(history: Iterable[tuple[float, float, int]], *, relative_width: float = 1e-6) -> Curve:
    """The curve of an Opacus accountant's history: (noise multiplier, sample rate, steps) for each phase of training.

    Batches are Poisson samples, and neighbours differ by one added or removed record.

    >>> print(from_opacus([(1.0, 0.01, 1000)]).power(0.01))
    power of the best test is 2.92 % (rounded up)
    """
    phases = [_phase(*entry) for entry in history]
    require(len(phases) > 0, name="history", rule="must hold a phase", value=phases, way_out="Train before you ask.")
    curves = {Curve.exact(ComposedLoss(contour.Composition({kind: 1}))): steps for kind, steps in phases}
    return composed(curves, relative_width=relative_width)


def _phase(noise_multiplier: float, sample_rate: float, steps: int) -> tuple[contour.Kind, int]:
    steps = count("steps", steps, "Use the number of batches, such as 1000.")
    if sample_rate == 1:
        return contour.GaussianKind(1 / noise_multiplier), steps
    return contour.SubsampledGaussianKind(float(noise_multiplier), float(sample_rate)), steps


def _chords(epsilons: Array, deltas: ArrayLike, direction: Direction) -> Curve:
    if epsilons.size == 0:
        raise InvalidInput("epsilons", "must be at least one", epsilons, "Use a list such as [0.5, 1, 2].")
    return Curve(ChordProfile.of(epsilons, deltas), direction, Order.PROFILE, Basis.of("profile-chords"))
