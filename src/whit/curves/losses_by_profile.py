"""The privacy loss that a profile alone allows, except with a probability of failure: each of its points bounds it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from whit.curves import questions
from whit.curves.curve import Curve
from whit.curves.face import Array, Face, LossDistribution
from whit.numerics import log_one_minus_ratio, raised
from whit.theory import Direction

SUMMED = 1e-13
"""More than the relative rounding of a sum of largest losses."""

# So close to the largest loss, relatively, a smaller one is not looked for.
ALIKE = 2e-5
# Where a dear profile could lower a loss by no more than this share of it, it is not asked for.
NEGLIGIBLE = 1e-6
# Where it could lower it by no more than this share, it is asked for only next to the best of the places without it.
NEAR = 1e-3

# How far above the first epsilon that is enough the profile is read: any distance gives a bound.
_STEPS = np.exp(np.linspace(np.log(1e-9), np.log(800.0), 120))
_WIDTH = float(np.log(_STEPS[1] / _STEPS[0]))
_POINTS = 31
_ZOOMS = 3
# Farther out no point of a profile is read; e to this power is a double.
_FARTHEST = 690.0
# Beside a chance above this, a delta that only a dear integral knows is next to nothing.
_SMALLEST_CHANCE = 1e-9


def sum_of_largest(loss: Face) -> float:
    """The loss that a composition never exceeds, in either order: the sum of the largest losses of its parts.

    Infinite where one of them has no bound, and where the parts are not known.
    """
    orders = (loss, loss.reverse())
    surely = all(isinstance(each, LossDistribution) and np.isneginf(each.log_infinity) for each in orders)
    return max(each.largest_loss for each in orders) * (1 + SUMMED) if surely else np.inf


def one_sided_loss(epsilons: Array, deltas: Array, failure: Array) -> Array:
    """The loss that (epsilon, delta) lets a release reach with at most the probability of failure, rounded up.

    The smaller of epsilon - log(1 - delta/failure) and, where it is defined, of
    -log((1 - delta - e^epsilon (1 - failure)) / failure).
    """
    markov = raised(epsilons - log_one_minus_ratio(deltas, failure))
    return np.minimum(markov, _complement(epsilons, deltas, failure))


def two_sided_loss(epsilons: Array, deltas: Array, failure: Array) -> Array:
    """The size of loss that (epsilon, delta) lets a release pass, above or below: rounded up.

    It is log((failure e^epsilon + delta) / (failure - delta)).
    """
    ratio = np.where(deltas == 0.0, 0.0, deltas / np.where(failure == 0.0, 1.0, failure))
    return raised(epsilons + np.log1p(ratio * np.exp(-epsilons)) - log_one_minus_ratio(deltas, failure))


def loss_at_quantile(quantile: Array, curve: Curve, chances: Array) -> Array:
    """The smallest bound that a point of the profile gives, where the law of the loss is known by its quantiles.

    The slope of e - log(1 - D(e)/chance) is 0 where the chance is D(e) - D'(e), which is P[Z > e]. An e below 0 gives
    the bound that the complement of an event gives at -e.
    """
    epsilons = np.minimum(np.abs(quantile), _FARTHEST)
    return losses_at_points(epsilons, np.asarray(curve.delta(epsilons).value), chances, 1)


def loss_by_profile(curve: Curve, chances: Array, sides: int) -> Array:
    """The smallest bound that a point of the profile gives, over many points: each of them alone would do.

    None where nothing may fail: that is a matter of the largest loss, which needs no search in a profile.
    """
    positive = chances > 0.0
    if not positive.all():
        losses = np.full(chances.shape, np.inf)
        if positive.any():
            losses[positive] = loss_by_profile(curve, chances[positive], sides)
        return losses
    quantile = curve.face.quantile(chances) if sides == 1 else None
    if quantile is not None:
        return loss_at_quantile(quantile, curve, chances)
    looks_first = curve.face.rough is not curve.face and curve.direction is not Direction.ABOUT
    rough = replace(curve, face=curve.face.rough) if looks_first else curve
    start = np.asarray(rough.epsilon(chances).value)
    if curve.face.is_dear and np.all(start >= sum_of_largest(curve.face) * (1 - ALIKE)):
        # What a dear profile could say lies between the two.
        return np.full(chances.shape, sum_of_largest(curve.face))
    proved = np.isfinite(start)
    search = _Search(np.where(proved, start, 0.0), chances, sides)
    # At most of the first points delta is too small to matter.
    read = replace(curve, face=curve.face.thrifty) if np.all(chances > _SMALLEST_CHANCE) else curve
    if not looks_first:
        return np.where(proved, search.widely(read)[1], np.inf)
    least, most, place = search.widely(rough)
    if not _nearly(least, most, NEGLIGIBLE, proved):
        near = _nearly(least, most, NEAR, proved)
        most = np.minimum(most, search.closely(curve, place) if near else search.widely(read)[1])
    return np.where(proved, most, np.inf)


def _nearly(least: Array, most: Array, share: float, proved: NDArray[np.bool_]) -> bool:
    """Whether what is proved could be lowered by no more than this share of it."""
    return bool(np.all((most * (1 - share) <= least) | ~proved))


@dataclass(frozen=True)
class _Search:
    """The points of a profile from the start on, and what each of them bounds the loss by."""

    start: Array
    chances: Array
    sides: int

    def widely(self, curve: Curve) -> tuple[Array, Array, Array]:
        """The smallest bounds by the lower and the upper end of the profile, and where the second, proved one is."""
        steps, width = np.broadcast_to(_STEPS, (*self.chances.shape, len(_STEPS))), _WIDTH
        least, most = np.full((2, *self.chances.shape), np.inf)
        for _ in range(_ZOOMS + 1):
            low, bounds = self._bounds(curve, steps)
            least, most = np.minimum(least, low.min(axis=-1)), np.minimum(most, bounds.min(axis=-1))
            centre = np.take_along_axis(steps, bounds.argmin(axis=-1)[..., None], axis=-1)
            steps = centre * np.exp(np.linspace(-width, width, _POINTS))
            width *= 2 / (_POINTS - 1)
        return least, most, centre

    def closely(self, curve: Curve, place: Array) -> Array:
        """The smallest bound that is proved next to a place."""
        return np.asarray(self._bounds(curve, place * np.exp(np.linspace(-_WIDTH, _WIDTH, _POINTS)))[1].min(axis=-1))

    def _bounds(self, curve: Curve, steps: Array) -> tuple[Array, Array]:
        epsilons = self.start[..., None] + steps
        deltas = questions.delta.kernel(curve, epsilons)
        safe = deltas.mid if curve.direction is Direction.ABOUT else deltas.upper
        low, bounds = (
            losses_at_points(epsilons, each, self.chances[..., None], self.sides) for each in (deltas.lower, safe)
        )
        return low, bounds


def losses_at_points(epsilons: Array, deltas: Array, chances: Array, sides: int) -> Array:
    """What each (epsilon, delta) bounds the loss by; infinite where delta is not below the chance."""
    room = deltas < chances
    formula = one_sided_loss if sides == 1 else two_sided_loss
    bounds = formula(epsilons, np.where(room, deltas, 0.0), np.broadcast_to(chances, deltas.shape))
    return np.where(room | (deltas == 0.0), bounds, np.inf)


def _complement(eps: Array, delta: Array, phi: Array) -> Array:
    """The t at which (e^eps - 1 + delta)/(e^eps - e^-t) is the failure; infinite where there is none."""
    # 1 - delta - e^eps (1 - phi) = phi - delta - (e^eps - 1)(1 - phi); every part is rounded to the safe side.
    growth = np.expm1(np.minimum(eps, 700.0))
    inside = (phi - delta) * (1 - 1e-15) - growth * (1 - phi) * (1 + 1e-15)
    defined = (inside > 0) & (eps < 700.0)
    share = np.minimum(np.where(defined, inside, 1.0) / np.where(phi > 0, phi, 1.0), 1.0)
    return np.where(defined, raised(-np.log(share * (1 - 1e-15))), np.inf)
