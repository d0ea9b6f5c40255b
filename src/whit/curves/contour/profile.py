"""delta(epsilon) of a composition, between two certified bounds and at any size, in logarithms.

One Gaussian mechanism of loss variance v is composed in. Then delta_v >= delta, because composing never protects, and
with f_v the density of the smoothed loss, d delta_v / dv = f_v / 2. For u <= v the density f_u is at most sqrt(v/u)
e^{(v-u)/8} f_v (write f_u(x) = E[(2 pi u)^{-1/2} e^{-y^2/2u + y/2 - u/8}] with y = x - Z, and e^{-y^2/2u} <=
e^{-y^2/2v}), so that

    delta_v - v e^{v/8} f_v  <=  delta  <=  delta_v ,

both from the same samples of the transform. A composition that holds enough Gaussian noise itself needs no extra one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.contour.composition import Composition, TooManyNodes
from whit.curves.contour.edge import Edge, narrowed
from whit.curves.contour.floating import UNIT, Flags, Places, Real
from whit.curves.contour.inversion import NEGLIGIBLE_LOG, Answer, Line, invert
from whit.curves.contour.question import COMPLEMENT, PROFILE, LatticeQuestion, Question, interpolated, neighbours
from whit.curves.contour.refinement import FEW_ATOMS, LEVEL_FOR_FEW_ATOMS, Errors, Outcome, refined, require_width
from whit.curves.contour.saddle import Group, by_groups, chernoff_table, in_logs, is_small, saddles
from whit.errors import TooCostly, require
from whit.numerics import Bracket, log1mexp

# The smoothing error is aimed at this part of the width asked for; the estimate behind it is good to a factor of two.
AIM = 0.3
SIDES = np.array([-1.0, 0.0, 1.0])[:, None]
FIRST_WIDTH = 1e-6
# Each level smooths this many times less than the one before: two digits of the width for one more pass.
LEVEL_RATIO = 100.0
# From this width on the level before the first one is enough, with a tenth of the nodes.
COARSE_WIDTH = 1e-4
COARSE_LEVEL = -1
# So much smoothing hides everything; beyond it no double holds e^{v/8}.
WIDEST = 5600.0
# Where the transform has fallen off by itself, to a log of this, less smoothing costs nothing: this level is first.
FALLEN = -100.0
FREE_LEVEL = 2
# That is asked of a range so wide that nothing but the decay can bound it.
FAR = 1e12


@dataclass(frozen=True)
class ProfileBracket:
    """log delta and log(1 - delta) for each epsilon, each between certified bounds.

    `errors` are relative to the one of the two that was integrated: to 1 - delta where `by_complement`, else to delta
    without its infinite mass.
    """

    log_delta: Bracket
    log_complement: Bracket
    errors: Errors
    by_complement: Flags
    nodes: int


def delta_bracket(
    composition: Composition, epsilons: ArrayLike, relative_width: float = 1e-6, *, strict: bool = True
) -> ProfileBracket:
    """delta(epsilon) = E_P[(1 - e^{epsilon - Z})+] for any real epsilons, to a relative width.

    Where that costs too much it is refused if strict; else the bracket is as narrow as can be had, and at worst only an
    upper bound.

    >>> from whit.curves.contour import Composition, GaussianKind, delta_bracket
    >>> round(float(np.exp(delta_bracket(Composition({GaussianKind(1.0): 1}), 1.0).log_delta.mid)), 12)
    0.126936737507
    """
    require_width(relative_width)
    asked = np.asarray(epsilons, dtype=np.float64)
    require(
        bool(np.all(np.isfinite(asked))),
        name="epsilons",
        rule="must be finite numbers",
        value=epsilons,
        way_out="At +infinity delta is the infinite mass, at -infinity it is 1.",
    )
    xs = asked.ravel()
    filled = _Filling(len(xs), strict)
    forward = xs >= 0
    filled.add(composition, np.flatnonzero(forward), xs, relative_width)
    if not forward.all():
        filled.add(composition.reverse(), np.flatnonzero(~forward), -xs, relative_width)
        filled.turn_back(np.flatnonzero(~forward), xs, composition.pair_error)
    return filled.shaped(asked.shape)


def delta_estimate(composition: Composition, epsilons: ArrayLike) -> Real:
    """About log delta, by the saddle-point approximation: no bound, but a good place to look first, at little cost."""
    xs = np.asarray(epsilons, dtype=np.float64)
    turned = xs < 0
    size = np.abs(xs).ravel()
    estimates = np.empty(size.shape)
    for way, chosen in ((composition, ~turned.ravel()), (composition.reverse(), turned.ravel())):
        if chosen.any():
            estimates[chosen] = _estimated(way, size[chosen])
    with np.errstate(divide="ignore"):
        mirrored = np.logaddexp(np.log(-np.expm1(-size)), estimates - size)
    return np.where(turned, mirrored.reshape(xs.shape), estimates.reshape(xs.shape))


def _estimated(composition: Composition, xs: Real) -> Real:
    """About log delta at nonnegative xs; where delta is near 1, by what it lacks to 1."""
    near_one = is_small(composition, COMPLEMENT, xs)
    estimates = np.empty(xs.shape)
    for question, chosen in ((PROFILE, ~near_one), (COMPLEMENT, near_one)):
        if chosen.any():
            table = chernoff_table(composition, question, xs[chosen])
            found = saddles(composition, question, xs[chosen], table).log_estimates
            whole = np.logaddexp(found, composition.log_infinity_mass) if question is PROFILE else _rest_of(found)
            estimates[chosen] = np.minimum(whole, 0.0)
    return estimates


def _rest_of(log_estimates: Real) -> Real:
    """About log(1 - p) for estimates of a p below one half."""
    return np.asarray(log1mexp(np.minimum(log_estimates, math.log(0.5))))


class _Filling:
    """The result while it is being filled in, group by group."""

    def __init__(self, count: int, strict: bool) -> None:
        self.strict = strict
        self.delta = np.full((3, count), -np.inf)
        self.complement = np.zeros((3, count))
        self.errors = Errors.zeros(count)
        self.by_complement = np.zeros(count, dtype=np.bool_)
        self.nodes = 0

    def add(self, composition: Composition, places: Places, xs: Real, width: float) -> None:
        """delta at the nonnegative xs[places]: next to the largest loss without an integral, which is dear there."""
        edge, highest = Edge(composition), composition.loss_range[1]
        known = edge.log_delta(xs[places])
        self._put(places, with_infinity(with_middle(known), composition.log_infinity_mass))
        at_top = xs[places] >= highest - (16 * UNIT * abs(highest) if math.isfinite(highest) else 0.0)
        asked = np.flatnonzero(~(at_top | edge.is_enough(known, width)))
        if len(asked) == 0:
            return
        # There it is 1 - delta that deserves relative accuracy.
        near_one = is_small(composition, COMPLEMENT, xs[places[asked]])
        for question, chosen in ((PROFILE, asked[~near_one]), (COMPLEMENT, asked[near_one])):
            if len(chosen):
                sides = known[0][chosen], known[1][chosen]
                self._integrate(composition, question, places[chosen], xs[places[chosen]], width, sides)

    def _put(self, places: Places, bounds: Real) -> None:
        self.delta[:, places] = bounds
        self.complement[:, places] = complement_of(bounds)

    def _integrate(
        self,
        composition: Composition,
        question: Question,
        places: Places,
        xs: Real,
        width: float,
        known: tuple[Real, Real],
    ) -> None:
        outcome = _integrated(composition, question, xs, width, self.strict)
        bounds = np.stack([outcome.lower, outcome.mid, outcome.upper])
        if question is PROFILE:
            self._put(places, with_infinity(narrowed(bounds, known), composition.log_infinity_mass))
        else:
            self.complement[:, places] = np.minimum(bounds, 0.0)
            self.delta[:, places] = complement_of(self.complement[:, places])
            self.by_complement[places] = True
        self.errors.placed(places, outcome.errors)
        self.nodes += outcome.nodes

    def turn_back(self, places: Places, xs: Real, pair_error: float) -> None:
        """From the reversed pair at -x to the pair at x < 0: 1 - delta(x) = e^x (1 - delta_rev(-x)).

        What was integrated as 1 - delta_rev stays exact. The other way, delta(x) = 1 - e^x + e^x delta_rev(-x), needs
        the masses of Q to add up to 1.
        """
        x = xs[places]
        by_complement = self.by_complement[places]
        complement = np.minimum(_widened(self.complement[:, places] + x, x), 0.0)
        with np.errstate(divide="ignore"):
            delta = np.logaddexp(np.log(-np.expm1(x)), self.delta[:, places] + x)
            missing = np.log(pair_error) + x - delta
        # A share m of the mass that is missing moves log delta by log(1 + m) up, and by no more than three times that
        # down while m < 0.8: so both bounds are moved by three times log(1 + m), and the middle not at all.
        moved = np.log1p(np.exp(np.minimum(missing, 0.0))) * (1 + 2 * SIDES**2)
        delta = np.minimum(_widened(delta, x) + SIDES * moved, 0.0)
        self.delta[:, places] = np.where(by_complement, complement_of(complement), delta)
        self.complement[:, places] = np.where(by_complement, complement, complement_of(delta))

    def shaped(self, shape: tuple[int, ...]) -> ProfileBracket:
        """The finished result, in the shape of the question."""
        errors = Errors(*(part.reshape(shape) for part in vars(self.errors).values()))
        return ProfileBracket(
            log_delta=Bracket(*(row.reshape(shape) for row in self.delta)),
            log_complement=Bracket(*(row.reshape(shape) for row in self.complement)),
            errors=errors,
            by_complement=self.by_complement.reshape(shape),
            nodes=self.nodes,
        )


def _widened(logs: Real, x: Real) -> Real:
    """Bounds that were moved by x, apart by the rounding of what they are and of x."""
    size = 1 + np.abs(x) + np.where(np.isfinite(logs), np.abs(logs), 0.0)
    return np.asarray(logs + SIDES * 8 * UNIT * size)


def with_middle(ends: tuple[Real, Real]) -> Real:
    """Bounds, and between them about the number itself."""
    lower, upper = ends
    return np.stack([lower, np.where(np.isneginf(lower), upper, lower), upper])


def with_infinity(finite: Real, log_infinity_mass: float) -> Real:
    """Bounds on the logarithm of the sum with the infinite mass, which is known to some UNIT."""
    slack = SIDES * 8 * UNIT * (1 + abs(max(log_infinity_mass, -1e4)))
    total = np.logaddexp(finite, log_infinity_mass)
    return np.minimum(total + (slack if math.isfinite(log_infinity_mass) else 0.0), 0.0)


def complement_of(bounds: Real) -> Real:
    """Bounds on log(1 - p) from bounds on log p: their order is turned around, and a little rounding added."""
    with np.errstate(divide="ignore"):
        turned = log1mexp(bounds[::-1])
    slack = SIDES * 16 * UNIT
    rounding = slack * (1 + np.where(np.isfinite(turned), np.abs(turned), 0.0))
    return np.minimum(np.where(bounds[::-1] == -np.inf, 0.0, turned + rounding), 0.0)


def _integrated(composition: Composition, question: Question, xs: Real, width: float, strict: bool) -> Outcome:
    """The answers for all xs: at the xs themselves, or at the lattice points around them."""
    floor = composition.log_infinity_mass if question is PROFILE else -math.inf
    if composition.lattice is None:
        return _by_groups(composition, question, xs, floor, width, strict)
    around = neighbours(composition.lattice, xs)
    below_top = around.points < composition.loss_range[1] * (1 - 16 * UNIT)
    lattice_question = LatticeQuestion.of(question, around.spacing)
    part = _by_groups(composition, lattice_question, around.points[below_top], floor, width, strict)
    bounds = np.full((3, len(around.points)), -np.inf if question is PROFILE else 0.0)
    bounds[:, below_top] = part.lower, part.mid, part.upper
    errors = Errors.zeros(len(around.points))
    errors.placed(np.flatnonzero(below_top), part.errors)
    lower, mid, upper = interpolated(around, bounds, question)
    return Outcome(lower, mid, upper, errors.at(around.below), part.nodes)


def _by_groups(
    composition: Composition, question: Question, xs: Real, floor: float, width: float, strict: bool
) -> Outcome:
    """Each group of xs on a line of its own, refined until it is narrow enough."""
    coarse = COARSE_LEVEL if width >= COARSE_WIDTH else 0
    start = LEVEL_FOR_FEW_ATOMS if composition.atoms <= FEW_ATOMS else coarse

    def solve(group: Group) -> Outcome:
        def attempt(level: int) -> Outcome:
            line = group.line(_variance(composition, question, group.tilt, level))
            return _bounds(line, invert(line, group.table))

        first = FREE_LEVEL if _falls_by_itself(group, start) else start

        at = f"epsilon = {float(group.xs[0]):.6g}"
        floors = np.full(group.xs.shape, floor)
        return refined(attempt, first, floors, width, at) if strict else narrowest(attempt, first, floors, width, group)

    return by_groups(composition, question, xs, solve)


def _falls_by_itself(group: Group, level: int) -> bool:
    """Whether the transform is next to nothing already where the smoothing of this level makes it so."""
    variance = _variance(group.composition, group.question, group.tilt, level)
    if variance == 0.0:
        return False
    reach = np.array([math.sqrt(2 * NEGLIGIBLE_LOG / variance)])
    try:
        return bool(group.composition.log_abs_bound(group.tilt, reach, FAR * reach)[0] <= FALLEN)
    except TooManyNodes:
        return False


def narrowest(attempt: Callable[[int], Outcome], start: int, floor: Real, width: float, group: Group) -> Outcome:
    """As narrow as can be had: where no line is affordable, Chernoff's bound alone."""
    try:
        return refined(attempt, start, floor, width, "", strict=False)
    except TooCostly:
        return group.only_bounded()


def _variance(composition: Composition, question: Question, tilt: float, level: int) -> float:
    """The variance of the extra Gaussian: v f_v is about v |c (c + 1)| of the answer."""
    variance = AIM * FIRST_WIDTH * LEVEL_RATIO**-level / abs(tilt * (tilt + 1))
    unneeded = isinstance(question, LatticeQuestion) or composition.gaussian_variance >= variance
    return 0.0 if unneeded else variance


def _bounds(line: Line, answer: Answer) -> Outcome:
    """Bounds from the sums: smoothing lowers the lower one of delta, or raises the upper one of 1 - delta."""
    density = np.maximum(answer.density, 0.0) + answer.density_round_off + answer.density_truncation
    held = line.variance <= WIDEST
    smoothing = line.variance * math.exp(line.variance / 8) * density if held else np.full_like(density, np.inf)
    either = answer.round_off + answer.truncation
    low, high = answer.value - either - answer.aliasing, answer.value + either
    middle = answer.value - 0.5 * line.question.sign * line.variance * answer.density
    if line.question.sign > 0:
        low = low - smoothing
    else:
        high = high + smoothing
    return in_logs(answer, (low, middle, high), smoothing)
