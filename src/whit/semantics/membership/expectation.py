"""The expected posterior, by its integral over the profile: for any promise, and between bounds for a mechanism."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Curve, Face, FinitePair, GaussianLoss, Orientation, Promise, WorstLoss, require_promise
from whit.errors import require
from whit.numerics import ULP, Bracket, distinct, down, up
from whit.semantics.membership import bayes
from whit.semantics.membership.bounds import inputs, prior_array
from whit.semantics.membership.gaussian_expectation import LARGEST_MU, ratio_bounds
from whit.setting import Neighbours
from whit.theory import Basis, Finding, Quantity, Unit

EXPECTED_POSTERIOR = Quantity("expected posterior probability of the truth", Unit.PROBABILITY)

_ORIENTATION = "Use Orientation.FORWARD, BACKWARD or WORST."

# Losses at which the profile is read first: of every size, on both sides. Cells that matter are then halved.
_SIZES = np.geomspace(1e-9, 60.0, 60)
_LOSSES = np.concatenate([-_SIZES[::-1], [0.0], _SIZES])
_EVENLY = np.linspace(0.0, 1.0, 21)
_ROUNDS = 24
_SPLIT = 400
_ENOUGH = 1e-7
"""The gap between the two rules, relative to their value, at which no further cell is halved."""

# Posteriors from a very small prior are worked on as multiples of 2^-600, so that none of them is a denormal.
_SMALL_PRIOR = 2.0**-400
_SCALE = 2.0**600
# Masses that are denormal or 0 as doubles may be off by so much.
_LOST = 1e-323


def expected_posterior(
    promise: Promise,
    prior: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    orientation: Orientation = Orientation.WORST,
) -> Finding:
    """The posterior of the truth, averaged over the noise.

    It needs the privacy profile alone: every promise has an answer, and no failure is asked for.

    >>> from whit.guarantees import ApproxDP
    >>> print(expected_posterior(ApproxDP(1.0, 1e-6), 0.5))
    expected posterior probability of the truth is at most 60.7 %
    """
    starts = prior_array(prior)
    known = isinstance(orientation, Orientation)
    require(known, name="orientation", rule="must be an Orientation", value=orientation, way_out=_ORIENTATION)
    curve = require_promise(promise).curve(neighbours)
    came_from = {**inputs(promise, neighbours, prior=prior), "orientation": orientation.name}
    each = [_parts(expectation(curve, float(start), orientation)) for start in starts.ravel()]
    bracket = Bracket(*np.moveaxis(np.reshape(each, (*starts.shape, 3)), -1, 0))
    return Finding.of_bracket(EXPECTED_POSTERIOR, bracket, curve.direction, came_from, expectation_basis(curve))


def expectation_basis(curve: Curve) -> Basis:
    """What the expectation rests on, beside the curve: for Gaussian noise also on the rule of its sum."""
    own = ("gaussian-expected-posterior",) if _has_rule(curve.face) else ()
    return curve.basis | Basis.of("expected-posterior", *own)


def expectation(curve: Curve, prior: float, orientation: Orientation) -> Bracket:
    """The expected posterior in one order of the curve, or the larger of both."""
    if prior in (0.0, 1.0):
        return Bracket.exact(prior)
    backward = curve.face.reverse() if orientation is not Orientation.FORWARD else curve.face
    if orientation is not Orientation.WORST or backward is curve.face:
        return _of_face(backward, prior)
    return _of_face(curve.face, prior).maximum(_of_face(backward, prior))


def _of_face(face: Face, prior: float) -> Bracket:
    if isinstance(face, WorstLoss):
        return Bracket(*np.max([_parts(_of_face(part, prior)) for part in face.parts], axis=0))
    if isinstance(face, GaussianLoss) and _has_rule(face):
        lower, upper = ratio_bounds(face.mu, prior)
        return _above(prior, _rounded(prior * lower, prior * upper))
    return _sum(face, prior) if isinstance(face, FinitePair) else _integral(face, prior)


def _has_rule(face: Face) -> bool:
    """Whether the expectation is a sum over evenly spaced outcomes."""
    return isinstance(face, GaussianLoss) and face.mu <= LARGEST_MU


def _parts(bracket: Bracket) -> tuple[Array, Array, Array]:
    return bracket.lower, bracket.mid, bracket.upper


def _sum(pair: FinitePair, prior: float) -> Bracket:
    """The sum over the atoms; what Q never produces is known for sure."""
    lowest = bayes.applied(bayes.posterior_down, prior, down(pair.losses - pair.loss_error))
    highest = bayes.applied(bayes.posterior_up, prior, up(pair.losses + pair.loss_error))
    # Relative errors: of the masses and of their exponentials.
    atoms, sure = pair.mass_error + 8 * ULP, pair.infinity_error + 8 * ULP
    masses, infinite, scale = np.exp(pair.log_masses), math.exp(pair.log_infinity), _scale(prior)
    few, many = (masses - _LOST) * scale * lowest, (masses + _LOST) * scale * highest
    lower = math.fsum([*(few * (1 - atoms)), (infinite - _LOST) * scale * (1 - sure)])
    upper = math.fsum([*(many * (1 + atoms)), (infinite + _LOST) * scale * (1 + sure)])
    return _above(prior, _rounded(lower / scale, upper / scale))


@dataclass(frozen=True)
class _Integrand:
    """g(x) = (1 - x) D(t(x)) for the posteriors x from one prior, each of them given as the multiple x * scale."""

    face: Face
    prior: float

    @property
    def scale(self) -> float:
        """What x = 1 is: a power of two, so that multiplying by it is exact."""
        return _scale(self.prior)

    def first_nodes(self) -> Array:
        """0, the posteriors of losses of every size, and some numbers evenly between them and 1."""
        farther = np.arange(_SIZES[-1], 40.0 - math.log(self.prior), 4.0)
        losses = np.concatenate([_LOSSES, farther])
        posteriors = self.prior * self.scale / (self.prior + (1.0 - self.prior) * np.exp(-losses))
        return distinct(np.concatenate([np.minimum(posteriors, self.scale), _EVENLY * self.scale]))

    def bounds(self, multiples: Array) -> tuple[Array, Array]:
        """g from below and above: 1 at x = 0 and 0 at x = 1."""
        x = multiples / self.scale
        lower, upper = 1.0 - x, 1.0 - x
        t, hair, inside = self._losses(multiples)
        right, left = inside & (t >= 0.0), inside & (t < 0.0)
        low, high = _delta(self.face, t[right], hair[right])
        lower[right] *= low
        upper[right] *= high
        # Left of 0 the profile is that of the other order: D(t) = 1 - e^t (1 - D_rev(-t)); (1 - x) e^t is x over odds.
        low, high = _delta(self.face.reverse(), -t[left], hair[left])
        weight = multiples[left] / (self.prior * self.scale) * (1.0 - self.prior)
        lower[left] = np.maximum(lower[left] - weight * (1.0 - low) - 16 * ULP, 0.0)
        upper[left] = np.minimum(upper[left] - weight * (1.0 - high) + 16 * ULP, 1.0)
        return lower, upper

    def _losses(self, multiples: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
        """t(x), how far rounding may have moved it, and where x is strictly between 0 and 1."""
        inside = (multiples > 0.0) & (multiples < self.scale)
        at = np.where(inside, multiples, self.prior * self.scale)
        known = [-math.log(self.scale), -math.log(self.prior), math.log1p(-self.prior)]
        logs = np.array([np.log(at), -np.log1p(-at / self.scale), *(np.full(at.shape, each) for each in known)])
        return logs.sum(axis=0), 8 * ULP * (1 + np.abs(logs).sum(axis=0)), inside


@dataclass(frozen=True)
class _Cells:
    """Cells of [0, 1] in any order, with g from above at their ends and from below and above at their middles."""

    ends: Array
    values: Array
    middles: Array
    below: Array
    above: Array

    @classmethod
    def between(cls, g: _Integrand, ends: Array, values: Array) -> _Cells:
        """The cells with these ends, and g at their middles."""
        middles = (ends[0] + ends[1]) / 2
        return cls(ends, values, middles, *g.bounds(middles))

    def rules(self) -> tuple[Array, Array]:
        """What each cell adds to twice the integral by the midpoint rule and by the trapezoid rule."""
        widths = self.ends[1] - self.ends[0]
        return 2 * self.below * widths, self.values.sum(axis=0) * widths

    def halved(self, g: _Integrand, chosen: NDArray[np.intp]) -> _Cells:
        """The cells with the chosen ones cut in two."""
        ends, values = self.ends[:, chosen], self.values[:, chosen]
        middles, above = self.middles[chosen], self.above[chosen]
        halves = _Cells.between(
            g,
            np.array([[*ends[0], *middles], [*middles, *ends[1]]]),
            np.array([[*values[0], *above], [*above, *values[1]]]),
        )
        kept = np.delete(np.arange(self.middles.size), chosen)
        parts = [(mine[..., kept], theirs) for mine, theirs in zip(astuple(self), astuple(halves), strict=True)]
        return _Cells(*(np.concatenate(pair, axis=-1) for pair in parts))


def _integral(face: Face, prior: float) -> Bracket:
    """Twice the integral of g over [0, 1], by both rules; cells are halved where these differ most."""
    g = _Integrand(face, prior)
    nodes = g.first_nodes()
    values = g.bounds(nodes)[1]
    cells = _Cells.between(g, np.array([nodes[:-1], nodes[1:]]), np.array([values[:-1], values[1:]]))
    for _ in range(_ROUNDS):
        below, above = cells.rules()
        gaps = above - below
        if gaps.sum() <= _ENOUGH * above.sum():
            break
        largest = np.argsort(gaps)[::-1][:_SPLIT]
        cells = cells.halved(g, largest[gaps[largest] >= gaps.sum() / (4 * gaps.size)])
    below, above = cells.rules()
    # Each term is a product of a few rounded numbers, all positive, and fsum is exact. A middle that is rounded moves
    # the midpoint rule by at most 4 ULP of the result, since the slope of g is at least -P[X > x] / x.
    lower, upper = math.fsum(below) * (1 - 32 * ULP), math.fsum(above) * (1 + 32 * ULP)
    return _above(prior, _rounded(lower / g.scale, upper / g.scale))


def _scale(prior: float) -> float:
    """The scale at which posteriors are worked on."""
    return _SCALE if prior < _SMALL_PRIOR else 1.0


def _delta(face: Face, t: Array, hair: Array) -> tuple[Array, Array]:
    """The profile at t from below and above, t being known to within a hair."""
    return face.log_delta(t + hair).exp().lower, np.minimum(face.log_delta(t - hair).exp().upper, 1.0)


def _rounded(lower: float, upper: float) -> Bracket:
    low, high = float(down(lower)), min(float(up(upper)), 1.0)
    return Bracket(low, (low + high) / 2, max(low, high))


def _above(prior: float, bracket: Bracket) -> Bracket:
    """The bracket, cut at the prior: on average the probability of the truth does not fall."""
    return bracket.maximum(Bracket.exact(prior))
