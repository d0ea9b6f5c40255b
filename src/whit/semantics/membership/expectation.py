"""The expected posterior, by its integral over the profile: for any promise, and between bounds for a mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import (
    Array,
    Curve,
    Face,
    FinitePair,
    LossDistribution,
    Orientation,
    Promise,
    WorstLoss,
    below_certainty,
    require_promise,
)
from whit.errors import require
from whit.numerics import ULP, Bracket, distinct, down, up
from whit.semantics.membership import bayes
from whit.semantics.membership.bounds import inputs, prior_array
from whit.setting import Knowledge, Neighbours
from whit.theory import Basis, Finding, Quantity, Unit

EXPECTED_POSTERIOR = Quantity("expected posterior probability of the truth", Unit.PROBABILITY, key="expected_posterior")

_ORIENTATION = "Use Orientation.FORWARD, BACKWARD or WORST."

# Losses at which the profile is read first: of every size, on both sides. Cells that matter are then cut.
_SIZES = np.geomspace(1e-9, 60.0, 60)
_LOSSES = np.concatenate([-_SIZES[::-1], [0.0], _SIZES])
_EVENLY = np.linspace(0.0, 1.0, 21)
# The gap between the two rules, relative to their value, at which no further cell is cut: of one release, and of all
# with a promise.
_ENOUGH = 1e-7
_ENOUGH_AT_FIRST = 2e-6
# Where a dear profile could change an expectation by no more than this share, it is not asked.
_UNSEEN = 2e-5
_ENOUGH_OF_A_BOUND = 1e-5
# The share of that gap which is aimed at, the parts of a cell at once, and the number of cells at which it must do.
_AIM = 0.8
_MOST_PARTS = 64
# How many times what is enough a gap may be for one cut to close it.
_MUCH = 2000.0
_MOST_CELLS = 10_000

# Beside a prior above this, a delta that only a dear integral knows is far less than what is enough.
_ORDINARY_PRIOR = 1e-6

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
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The posterior of the truth, averaged over the noise.

    It needs the privacy profile alone: every promise has an answer, and no failure is asked for. For somebody who may
    believe anything of the others it is averaged over them too, and can only be bounded.

    >>> from whit.guarantees import ApproxDP
    >>> print(expected_posterior(ApproxDP(1.0, 1e-6), 0.5))
    expected posterior probability of the truth is at most 60.7 %
    """
    starts = prior_array(prior)
    oriented = isinstance(orientation, Orientation)
    require(oriented, name="orientation", rule="must be an Orientation", value=orientation, way_out=_ORIENTATION)
    known = require_promise(promise).known_by(knows) is Knowledge.EVERYONE_ELSE
    curve = promise.curve(neighbours)
    curve = curve if known else curve.by_profile()
    asked = {"orientation": orientation.name, "knows": knows.name}
    came_from = {**inputs(promise, neighbours, prior=prior), **asked}
    each = [expectation(curve, float(start), orientation).ends for start in starts.ravel()]
    bracket = Bracket(*np.moveaxis(np.reshape(each, (*starts.shape, 3)), -1, 0))
    basis = expectation_basis(curve) if known else curve.basis | Basis.of("expected-posterior-any-belief")
    found = Finding.of_bracket(EXPECTED_POSTERIOR, bracket, curve.direction, came_from, basis)
    return below_certainty(found, promise, neighbours, prior=prior)


def expectation_basis(curve: Curve) -> Basis:
    """What the expectation rests on: on the curve, and for Gaussian noise on the rule of its sum."""
    own = curve.face.mean_theorem if isinstance(curve.face, LossDistribution) else ""
    return curve.basis | Basis.of("expected-posterior", *filter(None, [own]))


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
        return Bracket(*np.max([_of_face(part, prior).ends for part in face.parts], axis=0))
    if isinstance(face, LossDistribution) and face.mean_theorem:
        lower, upper = face.mean_ratio(prior)
        return _above(prior, _rounded(prior * lower, prior * upper))
    return _sum(face, prior) if isinstance(face, FinitePair) else _integral(face, prior)


def _sum(pair: FinitePair, prior: float) -> Bracket:
    """The sum over the atoms; what Q never produces is known for sure."""
    lowest = bayes.applied(bayes.posterior_down, prior, down(pair.losses - pair.loss_error))
    highest = bayes.applied(bayes.posterior_up, prior, up(pair.losses + pair.loss_error))
    # Relative errors: of the masses and of their exponentials.
    atoms, sure = pair.mass_error + 8 * ULP, pair.infinity_error + 8 * ULP
    masses, infinite, scale = np.exp(pair.log_masses), math.exp(pair.log_infinity), _scale(prior)
    few, many = (masses - _LOST) * scale * lowest, (masses + _LOST) * scale * highest
    # A mass that is not known at all is at least 0.
    lower = math.fsum([*(few * np.maximum(1 - atoms, 0.0)), (infinite - _LOST) * scale * max(1 - sure, 0.0)])
    with np.errstate(over="ignore"):  # masses that are hardly known leave the sum open above
        upper = math.fsum([*(many[many > 0] * (1 + atoms)), (infinite + _LOST) * scale * (1 + sure)])
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

    def above(self, multiples: Array) -> Array:
        """g from above: 1 at x = 0 and 0 at x = 1."""
        return self._bound(multiples, np.ones(multiples.shape))

    def below(self, multiples: Array) -> Array:
        """g from below: 1 at x = 0 and 0 at x = 1."""
        return self._bound(multiples, -np.ones(multiples.shape))

    def above_and_below(self, above: Array, below: Array) -> tuple[Array, Array]:
        """g from above at some places and from below at others, in one question, since each has a cost of its own."""
        sides = np.repeat([1.0, -1.0], [above.size, below.size])
        found = self._bound(np.concatenate([above, below]), sides)
        return found[: above.size], found[above.size :]

    def _bound(self, multiples: Array, sides: Array) -> Array:
        """g from the profile at a t that is known to within a hair; rounded up where the side is 1, else down."""
        found = 1.0 - multiples / self.scale
        t, hair, inside = self._losses(multiples)
        right, left = inside & (t >= 0.0), inside & (t < 0.0)
        deltas, turned = np.zeros(t.shape), self.face.reverse()
        # One question is quicker than two, where both orders have the same answer.
        for face, asked in ((self.face, inside),) if turned is self.face else ((self.face, right), (turned, left)):
            if asked.any():
                profile = face.log_delta(np.abs(t[asked]) - sides[asked] * hair[asked]).exp()
                deltas[asked] = np.where(sides[asked] > 0.0, np.minimum(profile.upper, 1.0), profile.lower)
        found[right] *= deltas[right]
        # Left of 0 the profile is that of the other order: D(t) = 1 - e^t (1 - D_rev(-t)); (1 - x) e^t is x over odds.
        weight = multiples[left] / (self.prior * self.scale) * (1.0 - self.prior)
        found[left] = np.clip(found[left] - weight * (1.0 - deltas[left]) + sides[left] * 16 * ULP, 0.0, 1.0)
        return found

    def _losses(self, multiples: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
        """t(x), how far rounding may have moved it, and where x is strictly between 0 and 1."""
        inside = (multiples > 0.0) & (multiples < self.scale)
        at = np.where(inside, multiples, self.prior * self.scale)
        known = [-math.log(self.scale), -math.log(self.prior), math.log1p(-self.prior)]
        logs = np.array([np.log(at), -np.log1p(-at / self.scale), *(np.full(at.shape, each) for each in known)])
        return logs.sum(axis=0), 8 * ULP * (1 + np.abs(logs).sum(axis=0)), inside


@dataclass(frozen=True)
class _Cells:
    """Cells of [0, 1], one beside the other, with g from above at their ends and from below at their middles."""

    nodes: Array
    values: Array
    below: Array

    @classmethod
    def between(cls, g: _Integrand, nodes: Array) -> _Cells:
        """The cells between these nodes."""
        return cls(nodes, *g.above_and_below(nodes, (nodes[:-1] + nodes[1:]) / 2))

    def rules(self) -> tuple[Array, Array]:
        """What each cell adds to twice the integral by the midpoint rule and by the trapezoid rule."""
        widths = np.diff(self.nodes)
        return 2 * self.below * widths, (self.values[:-1] + self.values[1:]) * widths

    def cut(self, g: _Integrand, parts: NDArray[np.int64]) -> _Cells:
        """The cells, each cut into so many equal parts."""
        cell = np.repeat(np.arange(parts.size), parts)
        below, changed = self.below[cell], parts[cell] > 1
        nodes, values = self.cut_above(g, parts)
        below[changed] = g.below(((nodes[:-1] + nodes[1:]) / 2)[changed])
        return _Cells(nodes, values, below)

    def cut_above(self, g: _Integrand, parts: NDArray[np.int64]) -> tuple[Array, Array]:
        """The ends of the cells, each cut into so many equal parts, and g from above there."""
        cell = np.repeat(np.arange(parts.size), parts)
        step = np.arange(cell.size) - (np.cumsum(parts) - parts)[cell]
        starts = self.nodes[cell] + np.diff(self.nodes)[cell] * (step / parts[cell])
        nodes = np.append(np.minimum(starts, self.nodes[cell + 1]), self.nodes[-1])
        values, fresh = np.append(self.values[cell], self.values[-1]), np.append(step > 0, False)
        values[fresh] = g.above(nodes[fresh])
        return nodes, values


def _integral(face: Face, prior: float) -> Bracket:
    """Twice the integral of g over [0, 1]; with what is dear of the profile only where that could be seen in it."""
    if face.rough is not face:
        known = _by_cells(_Integrand(face.rough, prior), _ENOUGH_AT_FIRST)
        if known.upper * (1 - _UNSEEN) <= known.lower:
            return known
    return _by_cells(_Integrand(face.thrifty if prior > _ORDINARY_PRIOR else face, prior))


def _by_cells(g: _Integrand, enough: float = _ENOUGH) -> Bracket:
    """The integral by both rules; cells are cut where these differ, until it is enough."""
    cells = _Cells.between(g, g.first_nodes())
    below, above = _cut_above(g, cells) if g.face.is_of_many else _cut_until_enough(g, cells, enough)
    # Each term is a product of a few rounded numbers, all positive, and fsum is exact. A middle that is rounded moves
    # the midpoint rule by at most 4 ULP of the result, since the slope of g is at least -P[X > x] / x.
    lower, upper = math.fsum(below) * (1 - 32 * ULP), math.fsum(above) * (1 + 32 * ULP)
    return _above(g.prior, _rounded(lower / g.scale, upper / g.scale))


def _cut_until_enough(g: _Integrand, cells: _Cells, enough: float) -> tuple[Array, Array]:
    """What the cells add by both rules, cut again and again."""
    below, above = cells.rules()
    gap = np.inf
    # A gap that cutting does not close is that of the profile itself.
    while enough * above.sum() < (above - below).sum() < gap / 2 and above.size < _MOST_CELLS:
        gap = (above - below).sum()
        cells = cells.cut(g, _parts_of(above - below, enough * above.sum()))
        below, above = cells.rules()
    return below, above


def _cut_above(g: _Integrand, cells: _Cells) -> tuple[Array, Array]:
    """The same for a bound on many releases; only its upper end says something.

    Where one more cut will do the middles are not looked at again: the lower end is that of the cells before.
    """
    below, above = cells.rules()
    gap = np.inf
    # As above: where the profile itself is wide, as for a rho that tells everything, no cut closes the gap.
    while _MUCH * _ENOUGH_OF_A_BOUND * above.sum() < (above - below).sum() < gap / 2 and above.size < _MOST_CELLS:
        gap = (above - below).sum()
        cells = cells.cut(g, _parts_of(above - below, _ENOUGH_OF_A_BOUND * above.sum()))
        below, above = cells.rules()
    if not _ENOUGH_OF_A_BOUND * above.sum() < (above - below).sum() < gap / 2:
        return below, above
    nodes, values = cells.cut_above(g, _parts_of(above - below, _ENOUGH_OF_A_BOUND * above.sum()))
    return below, (values[:-1] + values[1:]) * np.diff(nodes)


def _parts_of(gaps: Array, wanted: float) -> NDArray[np.int64]:
    """Into how many parts to cut each cell, so that all gaps together come down to what is wanted with fewest parts.

    A cell in m parts has a gap of 1/m^2 of its own, where the slope changes evenly and where it has one corner. So m is
    best in proportion to the cube root of the gap.
    """
    roots = np.cbrt(np.maximum(gaps, 0.0))
    parts = np.ceil(roots * math.sqrt(roots.sum() / (_AIM * wanted)))
    return np.clip(parts, 1, _MOST_PARTS).astype(np.int64)


def _scale(prior: float) -> float:
    """The scale at which posteriors are worked on."""
    return _SCALE if prior < _SMALL_PRIOR else 1.0


def _rounded(lower: float, upper: float) -> Bracket:
    low, high = float(down(lower)), min(float(up(upper)), 1.0)
    return Bracket(low, (low + high) / 2, max(low, high))


def _above(prior: float, bracket: Bracket) -> Bracket:
    """The bracket, cut at the prior: on average the probability of the truth does not fall."""
    return bracket.maximum(Bracket.exact(prior))
