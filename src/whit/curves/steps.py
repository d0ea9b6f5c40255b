"""Several steps from one dataset to another, when each of them is bounded: what is left of a promise for a group.

A test has at most the power g(a) after one step and g(g(a)) after two: the power after one is the level of the next. By
profiles, D(t) of two steps is at most D_1(v) + e^v D_2(t - v), whatever v is. Shifts of one noise whose density is
log-concave add up, and nothing is lost; else the best v is looked for at many t, and chords join what is found.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.curves.face import Array, Face
from whit.curves.finite import FinitePair
from whit.curves.gaussian import GaussianLoss
from whit.curves.laplace import LaplaceLoss
from whit.curves.losses import sum_of_largest
from whit.curves.numerical import ComposedLoss
from whit.curves.profile import ChordProfile, HalfProfile, mirrored
from whit.curves.replaced import least
from whit.numerics import ULP, add_down, add_up, distinct, nearest_up, up

Step: TypeAlias = tuple[Face, ...]
"""The pairs that one step may lie between: any of them, in either order."""

# Where one step is read: evenly up to a small delta, evenly in the logarithm below that, and beyond it more sparsely.
EVEN, SMALL, BEYOND = 480, 120, 60
SMALLEST_SHARE = 1e-5
# The log of a small delta, and of one that is no double; where they are looked for.
ENDS = (float(np.log(1e-16)), -760.0)
SCANNED = np.geomspace(1e-6, 1e6, 200)
# Finitely many losses are read where they are, and summed one by one, as long as there are at most so many.
MOST_LOSSES = 400
# Two deltas that differ by less are the same.
ALIKE = 1e-12
# So close to the log of what is left at every epsilon a profile is level.
LEVEL = 1e-9


def chained(steps: Sequence[Step]) -> Face:
    """A face that bounds what lies so many steps away, in both orders.

    >>> chained([(GaussianLoss(1.0),), (GaussianLoss(0.5),)])
    GaussianLoss(mu=1.5)
    """
    return _chained(tuple(steps))


@lru_cache(maxsize=64)
def _chained(steps: tuple[Step, ...]) -> Face:
    shifted = _shifted(steps)
    if shifted is not None:
        return shifted
    read = {step: _Symmetric.of(step) for step in dict.fromkeys(steps)}
    whole = reduce(_Symmetric.then, (read[step] for step in steps))
    return ChordProfile.oriented(whole.epsilons, whole.log_deltas, whole.epsilons, whole.log_deltas)


def _shifted(steps: tuple[Step, ...]) -> Face | None:
    """The sum of the shifts, where all steps shift one noise, Gaussian or Laplace."""
    gaussians = [
        max((face for face in step if isinstance(face, GaussianLoss)), key=lambda face: face.mu)
        for step in steps
        if _all(step, GaussianLoss)
    ]
    if len(gaussians) == len(steps):
        return _one_shift(gaussians)
    shifts = [
        max(face.largest for face in step if isinstance(face, LaplaceLoss)) for step in steps if _all(step, LaplaceLoss)
    ]
    return LaplaceLoss(_total(shifts)) if len(shifts) == len(steps) else None


def _one_shift(faces: Sequence[GaussianLoss]) -> GaussianLoss:
    """The loss of Gaussian noise that is shifted by all of these, one after the other: their mu add up."""
    times = Counter(face.mu for face in faces)
    exact = sum((Fraction(mu) * n for mu, n in times.items()), Fraction(0))
    # Where doubles are far apart each mu may be half of their distance too small.
    room = sum(face.square is not None for face in faces) * math.ulp(0.0)
    mu = nearest_up(exact + Fraction(room))
    return GaussianLoss(mu, rounded=mu != exact or any(face.rounded for face in faces))


def _all(step: Step, kind: type[Face]) -> bool:
    return all(isinstance(face, kind) for face in step)


def _total(shifts: Sequence[float]) -> float:
    """The sum, rounded up."""
    return float(reduce(add_up, shifts[1:], np.asarray(shifts[0])))


@dataclass(frozen=True, eq=False)
class _Symmetric:
    """An upper bound on a profile that is the same in both orders: at some epsilons from 0 on, and by chords."""

    epsilons: Array
    log_deltas: Array

    @classmethod
    def of(cls, step: Step) -> _Symmetric:
        """The largest profile of one step, read at many points."""
        losses = _losses(step)
        if not (len(losses) and _are_alike(step, losses)):
            # Where one order or pair is the larger here and another there, the largest has corners between its losses.
            losses = distinct(np.append(losses, _knots(step)))
        return cls(losses, _largest(step, losses))

    @cached_property
    def _half(self) -> HalfProfile:
        return HalfProfile(np.append(self.epsilons, np.inf), np.append(self.log_deltas, self.log_deltas[-1]))

    def log_delta(self, epsilons: Array) -> Array:
        """Log of the bound at any epsilon, rounded up."""
        size = np.abs(epsilons)
        right = self._half.log_delta(size)
        found = np.where(epsilons < 0, mirrored(size, right), right)
        return np.minimum(found + ULP * (64 + 4 * _size(found)), 0.0)

    def then(self, other: _Symmetric) -> _Symmetric:
        """What is left of both, one step after the other."""
        knots = _sums(self.epsilons, other.epsilons)
        reach = np.full(knots.shape, self.epsilons[-1])

        def together(v: Array) -> Array:
            parts = np.logaddexp(self.log_delta(v), v + other.log_delta(add_down(knots, -v)))
            return np.asarray(parts + ULP * (16 + 4 * (np.abs(v) + _size(parts))))

        # It is convex in e^v, so golden section comes close to the smallest value; any value is a bound.
        found = least(together, -reach, reach)
        return _Symmetric(knots, np.minimum.accumulate(np.minimum(found, 0.0)))


def _largest(step: Step, epsilons: Array) -> Array:
    """Log of the largest profile of the pairs, in either order."""
    return np.asarray(np.max([face.thrifty.log_delta(epsilons).upper for face in _both_orders(step)], axis=0))


def _both_orders(step: Step) -> list[Face]:
    return list(dict.fromkeys(each for face in step for each in (face, face.reverse())))


def _losses(step: Step) -> Array:
    """0 and the losses of finite pairs, by their sizes; nothing if they are too many, or some have densities."""
    pairs = [pair for pair in step if isinstance(pair, FinitePair)]
    if len(pairs) < len(step):
        return np.zeros(0)
    errors = [pair.loss_error for pair in pairs]
    found = distinct(np.concatenate([np.zeros(1), *(np.abs(pair.losses) for pair in pairs)]))
    # Beyond the largest loss and its error nothing is left but what is infinite.
    found = np.append(found, up(found[-1] + max(errors), 2)) if max(errors) > 0.0 else found
    return found if len(found) <= MOST_LOSSES else np.zeros(0)


def _are_alike(step: Step, epsilons: Array) -> bool:
    """Whether all pairs of a step have the same profile at these places, in both orders."""
    deltas = np.exp([face.log_delta(epsilons).upper for face in _both_orders(step)])
    return bool(np.all(np.ptp(deltas, axis=0) <= ALIKE))


def _knots(step: Step) -> Array:
    """Where a step is read: closely where its delta is not next to nothing, and up to the loss that ends it, if any."""
    *read, left = _largest(step, np.append(SCANNED, np.inf))
    # What is left at every epsilon is reached at the first of them, and nothing changes from there on.
    near, last = (float(SCANNED[_first(np.array(read) <= max(end, left + LEVEL))]) for end in ENDS)
    far = min(max(map(_largest_loss, _both_orders(step))), last)
    even, small = np.linspace(0.0, min(near, far), EVEN), min(near, far) * np.geomspace(SMALLEST_SHARE, 1.0, SMALL)
    return distinct(np.concatenate([even, small, np.linspace(min(near, far), far, BEYOND)]))


def _first(found: NDArray[np.bool_]) -> int:
    """The first place at which it is so; the last place if it never is."""
    return int(np.argmax(found)) if found.any() else len(found) - 1


def _largest_loss(face: Face) -> float:
    """The epsilon from which on a profile is level, rounded up; infinite where it falls without end."""
    if isinstance(face, ComposedLoss):
        return sum_of_largest(face)
    return float(face.epsilon(face.log_delta(np.inf).upper).upper)


def _sums(one: Array, other: Array) -> Array:
    """Where two steps are read: at all sums of two losses of either sign, or as one is, stretched to both reaches."""
    if len(one) * len(other) <= MOST_LOSSES**2:
        sums = distinct(np.append(add_up(one[:, None], other), np.abs(one[:, None] - other)))
        if len(sums) <= 2 * MOST_LOSSES:
            return sums
    end = float(add_up(one[-1], other[-1]))
    longer = one if one[-1] >= other[-1] else other
    stretched = longer * (end / longer[-1]) if longer[-1] > 0.0 else longer
    return distinct(np.append(np.minimum(stretched, end), end))


def _size(x: Array) -> Array:
    return np.where(np.isfinite(x), np.abs(x), 0.0)
