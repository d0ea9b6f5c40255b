"""The law of the posterior, where the noise is known: the law of the loss, seen through Bayes's rule."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import (
    POSTERIOR_TAIL,
    Array,
    Curve,
    GaussianLoss,
    LossDistribution,
    Order,
    Orientation,
    Promise,
    posterior_tail,
)
from whit.errors import InvalidInput, NotImplied
from whit.numerics import ULP, Bracket, add_down, add_up, down, normal, probability, probability_array, smallest_true
from whit.semantics.membership import bayes
from whit.semantics.membership.bounds import PRIOR_WAY_OUT, inputs
from whit.semantics.membership.expectation import EXPECTED_POSTERIOR, expectation, expectation_basis
from whit.setting import Neighbours
from whit.theory import Basis, Finding, Quantity, Tree, Unit

POSTERIOR_CDF = Quantity(
    "probability that the posterior is at most the threshold", Unit.PROBABILITY, less_is_worse=True
)
POSTERIOR_QUANTILE = Quantity("quantile of the posterior probability of the truth", Unit.PROBABILITY)

_THRESHOLDS = "Use posteriors such as 0.9."
_LEVELS = "Use probabilities such as 0.5 and 0.99."
_BOUNDS = (
    "Ask for the posterior with a failure, or for the expected posterior, which need less; or name the noise itself."
)
# A loss this far beyond the logit of the prior makes the posterior 1 in every digit that a double has.
_FARTHEST = 50.0
_ONE_PAIR = "Ask for the posterior with a failure, or name one pair of rows, as Finite does."


@dataclass(frozen=True)
class PosteriorLaw:
    """The law of the posterior of the truth over the noise of one release, for one prior of the truth.

    orientation   which dataset is the truth: FORWARD the first of the pair (with the record, where one is added or
                  removed), BACKWARD the other
    """

    promise: Promise
    prior: float
    neighbours: Neighbours | None = None
    orientation: Orientation = Orientation.FORWARD
    curve: Curve = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what has no law of the loss, and two orders at once."""
        object.__setattr__(self, "prior", probability("prior", self.prior, PRIOR_WAY_OUT))
        if self.orientation not in (Orientation.FORWARD, Orientation.BACKWARD):
            rule = "must be one of the two orders, since the posterior has a law under each"
            raise InvalidInput(
                "orientation", rule, self.orientation, "Use Orientation.FORWARD or Orientation.BACKWARD."
            )
        curve = self.promise.curve(self.neighbours)
        _require_law(self.promise, curve)
        object.__setattr__(self, "curve", curve if self.orientation is Orientation.FORWARD else curve.reverse())

    def tail(self, posteriors: ArrayLike) -> Finding:
        """The probability that the posterior of the truth exceeds each threshold."""
        came_from = self._inputs(posteriors=posteriors)
        return self._finding(POSTERIOR_TAIL, self._tail(posteriors), came_from, "posterior-odds")

    def cdf(self, posteriors: ArrayLike) -> Finding:
        """The probability that the posterior of the truth is at most each threshold."""
        tail = self._tail(posteriors)
        rest = Bracket(add_down(1.0, -tail.upper), 1.0 - tail.mid, add_up(1.0, -tail.lower))
        return self._finding(POSTERIOR_CDF, rest, self._inputs(posteriors=posteriors), "posterior-odds")

    def quantile(self, levels: ArrayLike) -> Finding:
        """The smallest posterior that is not exceeded with at least each probability."""
        q = probability_array("levels", levels, _LEVELS)
        came_from = self._inputs(levels=levels)
        return self._finding(POSTERIOR_QUANTILE, self._quantile(q), came_from, "posterior-odds")

    def mean(self) -> Finding:
        """The expectation of the posterior of the truth."""
        bracket = expectation(self.curve, self.prior, Orientation.FORWARD)
        basis = expectation_basis(self.curve)
        return Finding.of_bracket(EXPECTED_POSTERIOR, bracket, self.curve.direction, self._inputs(), basis)

    def _finding(self, quantity: Quantity, bracket: Bracket, came_from: dict[str, Tree], key: str) -> Finding:
        direction = self.curve.direction.opposite if quantity.less_is_worse else self.curve.direction
        return Finding.of_bracket(quantity, bracket, direction, came_from, self.curve.basis | Basis.of(key))

    def _tail(self, posteriors: ArrayLike) -> Bracket:
        x = probability_array("posteriors", posteriors, _THRESHOLDS)
        if self.prior in (0.0, 1.0):
            return Bracket.exact(np.where(x < self.prior, 1.0, 0.0))
        inside = np.where(x < 1.0, x, 0.5)
        found = posterior_tail.kernel(self.curve, inside, prior=self.prior, orientation=Orientation.FORWARD)
        # No posterior exceeds 1, also where the loss is infinite.
        return Bracket(*(np.where(x < 1.0, end, 0.0) for end in found.ends))

    def _quantile(self, q: Array) -> Bracket:
        if self.prior in (0.0, 1.0):
            return Bracket.exact(np.full(q.shape, self.prior))
        assert isinstance(self.curve.face, LossDistribution)  # a curve in the order of the loss is built with one
        losses = _loss_quantile(self.curve.face, q, _FARTHEST + abs(math.log(self.prior) - math.log1p(-self.prior)))
        below, above = bayes.posterior_down, bayes.posterior_up
        ends = zip((below, above, above), losses.ends, strict=True)
        # Every posterior is at least 0, which is the quantile of level 0.
        return Bracket(*(np.where(q > 0.0, bayes.applied(rule, self.prior, end), 0.0) for rule, end in ends))

    def _inputs(self, **numbers: ArrayLike) -> dict[str, Tree]:
        known = inputs(self.promise, self.neighbours, prior=self.prior, **numbers)
        return {**known, "orientation": self.orientation.name}


def distribution(
    promise: Promise,
    prior: float,
    *,
    neighbours: Neighbours | None = None,
    orientation: Orientation = Orientation.FORWARD,
) -> PosteriorLaw:
    """The law of the posterior of the truth, for an adversary with this prior of it.

    >>> from whit.mechanisms import Gaussian
    >>> law = distribution(Gaussian(sigma=1.0), 0.5)
    >>> print(law.tail(0.9))
    probability that the posterior exceeds the threshold is 4.49 % (rounded up)
    >>> print(law.quantile(0.99))
    quantile of the posterior probability of the truth is 94.5 % (rounded up)
    >>> print(law.mean())
    expected posterior probability of the truth is 60.3 % (rounded up)
    """
    return PosteriorLaw(promise, prior, neighbours, orientation)


def _require_law(promise: Promise, curve: Curve) -> None:
    """Refuse a bound on the profile, which says nothing of the law of the loss, and several pairs at once."""
    if curve.order is not Order.LOSS:
        rule = "cannot be found from a bound on the profile"
        raise NotImplied("the law of the posterior", rule, promise, _BOUNDS)
    if not curve.face.is_one_pair:
        rule = "is not one law where several pairs of neighbours may be the worst"
        raise NotImplied("the law of the posterior", rule, promise, _ONE_PAIR)


def _loss_quantile(face: LossDistribution, q: Array, farthest: float) -> Bracket:
    """The smallest loss z with P[Z > z] <= 1 - q: in closed form for Gaussian noise, else by bisection.

    Losses are looked for up to the farthest; what lies beyond is not told from infinity.
    """
    if isinstance(face, GaussianLoss):
        return _gaussian_quantile(face.mu, q)
    ends = np.full(q.shape, -farthest), np.full(q.shape, farthest)

    def surely(z: Array) -> NDArray[np.bool_]:
        return np.asarray((face.log_tail(z).exp().upper <= add_down(1.0, -q)) | (z == farthest))

    def perhaps(z: Array) -> NDArray[np.bool_]:
        return np.asarray((face.log_tail(z).exp().lower <= add_up(1.0, -q)) | (z == farthest))

    high, low = smallest_true(surely, *ends), down(smallest_true(perhaps, *ends))
    upper = np.where(high == farthest, np.inf, high)
    lower = np.where(low < -farthest, -np.inf, low)
    return Bracket(lower, np.where(np.isinf(upper), lower, upper), upper)


def _gaussian_quantile(mu: float, q: Array) -> Bracket:
    """mu^2/2 + mu times the normal quantile, with the errors of both."""
    standard = normal.quantile(q)
    with np.errstate(over="ignore"):
        centre, spread = np.float64(mu) * mu / 2, mu * standard
    finite = np.isfinite(spread)
    mid = np.where(finite, centre + np.where(finite, spread, 0.0), spread)
    error = (normal.QUANTILE_ERROR + 8 * ULP) * (centre + np.abs(np.where(finite, spread, 0.0)))
    return Bracket.around(mid, error)
