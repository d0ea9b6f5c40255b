"""Where the losses of a composition end for all that matters: by Chernoff's bound, without an integral.

A loss in the hundreds hides nothing from anybody. Where an integral out there is dear, Chernoff's bound is enough. The
profile of one loss z is (1 - e^{t - z})+ <= e^{c (z - t)} c^c / (1 + c)^{1 + c} for every c > 0. So for
all together log D(t) <= log M(c) - c t + c log c - (1 + c) log(1 + c).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from whit.curves import contour
from whit.curves.face import Array
from whit.numerics import ULP, Bracket, logsubexp

if TYPE_CHECKING:
    from whit.curves.numerical import ComposedLoss

# Beyond this an epsilon protects nobody: odds may grow by a factor of 10 to the power of 217.
HOPELESS = 500.0
# What an evaluation of the transform costs, a closed form being 1, from where on it is dear.
DEAR = 50.0
# There fewer tilts are tried, and none above this, which would be the dearest.
LARGEST_TILT = 4.0


def is_dear(composition: contour.Composition) -> bool:
    """Whether the transform takes sums over many points, as with little noise on a sample."""
    return composition.cost(0.0) >= DEAR


def far_tilts(composition: contour.Composition) -> Array:
    """Tilts for Chernoff's bound: for losses of the usual size, and for those that a sample has which is seldom drawn.

    A rate of a millionth makes losses small, and leaves those rare ones that are not as large as they were.
    """
    dear = is_dear(composition)
    usual = np.geomspace(1e-3, 60.0, 16 if dear else 48)
    tilts = np.concatenate([usual / contour.scale_of(composition), usual])
    return tilts[tilts <= LARGEST_TILT] if dear else tilts


def large_enough(loss: ComposedLoss, log_delta: float) -> float:
    """An epsilon at which D is certainly at most delta: by Chernoff's bound log D(t) <= log M(c) - c t, and 1 more."""
    finite = float(logsubexp(log_delta, loss.log_infinity))
    tilts = far_tilts(loss.composition)
    bound = np.min((loss.composition.log_mgf_real(tilts) - finite) / tilts) + 1e-6
    return float(min(max(bound, 0.0) + loss.slack.loss, loss.largest_loss))


def hopeless(loss: ComposedLoss, epsilons: Array | float) -> NDArray[np.bool_]:
    """Where nobody needs the digits of a profile, and they are dear."""
    return np.asarray(np.asarray(epsilons) > HOPELESS) & is_dear(loss.composition)


def epsilon_by_chernoff(loss: ComposedLoss, log_delta: float) -> float:
    """An epsilon at which D is at most delta, with all rounding counted; infinite where none is known."""
    room = loss.slack.mass + 16 * ULP * (1 + abs(log_delta))
    finite = float(logsubexp(log_delta - room, loss.infinite.upper)) - room
    tilts, heights = _heights(loss.composition)
    each = (heights - finite) / tilts + 8 * ULP * (np.abs(heights) + abs(finite)) / tilts
    bound = float(np.min(each, initial=np.inf))
    return float(min(max(bound, 0.0) + loss.slack.loss, loss.largest_loss)) if np.isfinite(bound) else np.inf


def profile_by_chernoff(composition: contour.Composition, epsilons: Array) -> Bracket:
    """Log D at each epsilon, from above."""
    tilts, heights = _heights(composition)
    slopes = np.multiply.outer(epsilons, tilts)
    each = heights - slopes + 8 * ULP * (np.abs(heights) + slopes)
    finite = np.min(each, axis=-1, initial=0.0)
    infinite = composition.log_infinity_mass
    upper = np.minimum(np.logaddexp(finite, infinite) + 16 * ULP * (1 + abs(max(infinite, -1e4))), 0.0)
    return Bracket(np.full_like(upper, infinite - 1e-12), upper, upper)


@lru_cache(maxsize=64)
def _heights(composition: contour.Composition) -> tuple[Array, Array]:
    """Tilts, and what log D(t) + c t is at most at each, with its rounding."""
    tilts, heights = far_tilts(composition), []
    for tilt in tilts:
        try:
            value, growth = composition.log_mgf_and_growth(np.array([complex(tilt)]))
            heights.append(float(value[0].real + growth[0] + 8 * ULP * abs(value[0].real)))
        except contour.TooManyNodes:
            heights.append(np.inf)
    weights = tilts * np.log(tilts) - (1 + tilts) * np.log1p(tilts)
    bounds = np.array(heights) + weights + 16 * ULP * (1 + tilts) * (1 + np.abs(np.log(tilts)))
    known = np.isfinite(bounds)
    return tilts[known], bounds[known]
