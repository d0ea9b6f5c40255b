"""What single points (epsilon, delta) of a profile bound the loss by, and the best of many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whit.curves import questions
from whit.curves.curve import Curve
from whit.curves.face import Array
from whit.numerics import log_one_minus_ratio, raised
from whit.theory import Direction

# How far above the first epsilon that is enough the profile is read: any distance gives a bound.
_STEPS = np.exp(np.linspace(np.log(1e-9), np.log(800.0), 120))
_WIDTH = float(np.log(_STEPS[1] / _STEPS[0]))
_POINTS = 31
_ZOOMS = 3
# A dear profile is read at the points next to the first one at once, and farther out at so many at a time.
_AT_ONCE = 80
_AT_A_TIME = 8
# A bound that delta raises by more than this share is one that delta matters to.
_WIDE = 1e-3


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


def at_points(epsilons: Array, deltas: Array, chances: Array, sides: int) -> Array:
    """What each (epsilon, delta) bounds the loss by; infinite where delta is not below the chance."""
    room = deltas < chances
    formula = one_sided_loss if sides == 1 else two_sided_loss
    bounds = formula(epsilons, np.where(room, deltas, 0.0), np.broadcast_to(chances, deltas.shape))
    return np.where(room | (deltas == 0.0), bounds, np.inf)


@dataclass(frozen=True)
class Search:
    """The points of a profile from the start on, and what each of them bounds the loss by."""

    start: Array
    chances: Array
    sides: int

    def widely(self, curve: Curve) -> tuple[Array, Array, Array]:
        """The smallest bounds by both ends of the profile, and where the second is, the one that is proved."""
        steps, width = np.broadcast_to(_STEPS, (*self.chances.shape, len(_STEPS))), _WIDTH
        least, most = np.full((2, *self.chances.shape), np.inf)
        for _ in range(_ZOOMS + 1):
            low, bounds = self._step_by_step(curve) if steps.shape[-1] == len(_STEPS) else self._bounds(curve, steps)
            least, most = np.minimum(least, low.min(axis=-1)), np.minimum(most, bounds.min(axis=-1))
            centre = np.take_along_axis(steps, bounds.argmin(axis=-1)[..., None], axis=-1)
            steps = centre * np.exp(np.linspace(-width, width, _POINTS))
            width *= 2 / (_POINTS - 1)
        return least, most, centre

    def _step_by_step(self, curve: Curve) -> tuple[Array, Array]:
        """The bounds at the first points; of a dear profile only up to where no farther point can give a smaller one.

        A point bounds the loss by no less than it would if its delta were 0, and that grows with epsilon.
        """
        steps = np.broadcast_to(_STEPS, (*self.chances.shape, len(_STEPS)))
        if not curve.face.is_dear:
            return self._bounds(curve, steps)
        found = np.full((2, *steps.shape), np.inf)
        least = at_points(self.start[..., None] + steps, np.zeros(steps.shape), self.chances[..., None], self.sides)
        for first in (0, *range(_AT_ONCE, len(_STEPS), _AT_A_TIME)):
            if first and np.all(least[..., first] >= found[1].min(axis=-1)):
                break
            part = slice(first, first + _AT_A_TIME if first else _AT_ONCE)
            found[..., part] = self._bounds(curve, steps[..., part])
        # Where an integral was too dear on the way, delta is not known from below; one for all points may not be.
        too_dear = (found[0] == least) & (found[1] > least * (1 + _WIDE)) & np.isfinite(found[1])
        return self._bounds(curve, steps) if np.any(too_dear) else (found[0], found[1])

    def closely(self, curve: Curve, place: Array) -> Array:
        """The smallest bound that is proved next to a place."""
        return np.asarray(self._bounds(curve, place * np.exp(np.linspace(-_WIDTH, _WIDTH, _POINTS)))[1].min(axis=-1))

    def _bounds(self, curve: Curve, steps: Array) -> tuple[Array, Array]:
        epsilons = self.start[..., None] + steps
        deltas = questions.delta.kernel(curve, epsilons)
        safe = deltas.mid if curve.direction is Direction.ABOUT else deltas.upper
        low, bounds = (at_points(epsilons, each, self.chances[..., None], self.sides) for each in (deltas.lower, safe))
        return low, bounds


def _complement(eps: Array, delta: Array, phi: Array) -> Array:
    """The t at which (e^eps - 1 + delta)/(e^eps - e^-t) is the failure; infinite where there is none."""
    # 1 - delta - e^eps (1 - phi) = phi - delta - (e^eps - 1)(1 - phi); every part is rounded to the safe side.
    growth = np.expm1(np.minimum(eps, 700.0))
    inside = (phi - delta) * (1 - 1e-15) - growth * (1 - phi) * (1 + 1e-15)
    defined = (inside > 0) & (eps < 700.0)
    share = np.minimum(np.where(defined, inside, 1.0) / np.where(phi > 0, phi, 1.0), 1.0)
    return np.where(defined, raised(-np.log(share * (1 - 1e-15))), np.inf)
