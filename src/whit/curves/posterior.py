"""The law of the posterior: the loss, pushed through Bayes's rule."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.curve import Curve, tail_bracket
from whit.curves.order import Orientation
from whit.numerics import ULP, Bracket, open_probability, probability_array
from whit.theory import Quantity, Unit, from_curve

POSTERIOR_TAIL = Quantity("probability that the posterior exceeds the threshold", Unit.PROBABILITY)


@from_curve(POSTERIOR_TAIL, by="posterior-odds")
def posterior_tail(
    curve: Curve, posteriors: ArrayLike, *, prior: float, orientation: Orientation = Orientation.WORST
) -> Bracket:
    """The probability that the posterior of the truth exceeds each threshold, for an adversary with this prior.

    The posterior odds are the prior odds times e^loss, so this is the tail of the loss at the difference of the logits.

    >>> from whit.curves import Curve, GaussianLoss
    >>> print(posterior_tail(Curve.exact(GaussianLoss(1.0)), 0.9, prior=0.5))
    probability that the posterior exceeds the threshold is 4.49 % (rounded up)
    """
    start = open_probability("prior", prior, "Use a probability such as 0.5; at 0 and 1 nothing can be learnt.")
    thresholds = probability_array("posteriors", posteriors, "Use probabilities such as 0.9.")
    with np.errstate(divide="ignore"):
        losses = np.log(thresholds) - np.log1p(-thresholds) - (np.log(start) - np.log1p(-start))
    # The logits are rounded: the truth lies between the tails a hair earlier and a hair later.
    with np.errstate(divide="ignore"):
        logs = [np.log(thresholds), np.log1p(-thresholds), np.log(start), np.log1p(-start)]
    hair = 8 * ULP * (1 + sum(np.where(np.isfinite(each), np.abs(each), 0.0) for each in logs))
    earlier, later = (tail_bracket(curve, losses + shift, orientation) for shift in (-hair, hair))
    return Bracket(later.lower, (earlier.mid + later.mid) / 2, earlier.upper)
