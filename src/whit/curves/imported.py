"""Curves that others computed: tables of points, and the objects of other libraries through their public calls.

None of those libraries is imported here: an object is asked for what it offers. Each curve says how far it may be
trusted: a table that claims to bound the risk gives an upper bound, an audit a lower one, and a number whose error
nobody bounds is ABOUT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

# Where another library's curve is read first, unless somebody names the epsilons; then halfway, where a chord could lie
# above the curve by more than this share of it. What lies below the smallest delta may as well be noise.
EPSILONS = (0.0, *np.geomspace(1e-3, 100.0, 100).tolist())
CLOSE = 1e-4
SMALLEST = 1e-14
ROUNDS = 50
MOST = 20_000


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


def from_dp_accounting(distribution: DeltaForEpsilon, epsilons: Sequence[float] = ()) -> Curve:
    """The curve of a dp-accounting privacy loss distribution, read at the epsilons given, else as closely as is needed.

    It is ABOUT: that library's bounds leave out the rounding of its transforms, and can lie below the truth.
    """

    def read(asked: Array) -> Array:
        return np.clip(np.asarray(distribution.get_delta_for_epsilon(asked.tolist()), dtype=np.float64), 0.0, 1.0)

    return _read(read, epsilons, Direction.ABOUT)


def from_opendp(profile: DeltaOfEpsilon, epsilons: Sequence[float] = ()) -> Curve:
    """The curve of an OpenDP privacy profile, read at the epsilons given, else as closely as is needed.

    It is an upper bound, since that library rounds up.
    """

    def read(asked: Array) -> Array:
        return np.array([min(float(profile.delta(epsilon)), 1.0) for epsilon in asked.tolist()])

    return _read(read, epsilons, Direction.AT_MOST)


def _read(read: Callable[[Array], Array], epsilons: Sequence[float], direction: Direction) -> Curve:
    """The curve by chords: at these epsilons, or at as many as bring the chords close to what is read."""
    if len(epsilons) > 0:
        asked = np.asarray(epsilons, dtype=np.float64)
        return _chords(asked, read(asked), direction)
    known = np.asarray(EPSILONS)
    deltas = read(known)
    for _ in range(ROUNDS):
        open_ones = np.flatnonzero(_far_from_chord(known, deltas))
        if len(open_ones) == 0 or len(known) + len(open_ones) > MOST:
            break
        between = (known[open_ones] + known[open_ones + 1]) / 2
        known, deltas = np.insert(known, open_ones + 1, between), np.insert(deltas, open_ones + 1, read(between))
    return _chords(known, deltas, direction)


def _far_from_chord(epsilons: Array, deltas: Array) -> NDArray[np.bool_]:
    """Whether the curve may lie below the chord from each point to the next by more than a small share.

    It is convex in e^epsilon, so that it lies above the chords on either side, continued: at the place where they meet
    the chord between is highest above it.
    """
    widths, steps = np.expm1(np.diff(epsilons)), np.exp(np.diff(epsilons))
    slopes = np.diff(deltas) / widths  # in units of e^epsilon at the left end of each
    # Of the neighbours in the same units; before epsilon 0 no curve falls more steeply than 1 - e^epsilon.
    before, after = np.append(-1.0, slopes[:-1] * steps[:-1]), np.append(slopes[1:] / steps[:-1], 0.0)
    fall, rise = slopes - before, after - slopes
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = np.where((fall > 0) & (rise > 0), widths * fall * rise / (fall + rise), 0.0)
    lowest = np.maximum(deltas[1:], SMALLEST)
    return np.asarray((gap > CLOSE * lowest) & (deltas[:-1] > SMALLEST))


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
