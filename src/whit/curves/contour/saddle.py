"""Where to put the line, at the saddle point, and which questions share one: those whose saddle points are near.

At the saddle point the integrand is smallest along the real line and largest along the line of integration.
J(c) = log M(c) - cx + log |w(c)| is convex in c on the range of each question. Nothing here needs to be exact: any
line gives a certified answer, a better line a cheaper one. The values of log M on the way are kept: they give the
Chernoff bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from whit.curves.contour.composition import Composition
from whit.curves.contour.floating import ELEMENTARY, Flags, Places, Real
from whit.curves.contour.inversion import WORK, Answer, Line
from whit.curves.contour.question import Question
from whit.curves.contour.refinement import Errors, Outcome

PER_DECADE = 8
MOST_DECADES = 14
# The cell around a saddle is refined until J bends by less than this across it: an off-centre of about half a
# deviation.
BEND = 0.5
# Questions share a line while none of them loses more than this many e-folds of its peak on it: e^3 costs a digit.
SHARING = 3.0
# So many tilts there are from each power of two to the next.
TILTS = 256
# Tilts at which J is within this of its smallest value count as the minimum.
FLAT = 0.1
# After so many groups in a row of which no line was affordable, none is tried for the others: they are only bounded.
REFUSED_IN_A_ROW = 3
# Below e^LEAST an answer is only bounded, by Chernoff: nobody needs the digits of 10^-434000.
LEAST = -1e6


@dataclass(frozen=True)
class Saddles:
    """For each x: the best tilt, J and its second derivative there."""

    tilts: Real
    minima: Real
    curvatures: Real

    @property
    def log_estimates(self) -> Real:
        """The saddle-point approximation of the logarithm of each answer."""
        estimates: Real = self.minima - 0.5 * np.log(2 * math.pi * self.curvatures)
        return estimates


def scale_of(composition: Composition) -> float:
    """About one standard deviation of the loss, from the bend of log M between its two equal ends."""
    # As plain numbers: a bend beyond all doubles, or between infinite ends, is seen below.
    left, middle, right = map(float, composition.log_mgf_real(np.array([-0.75, -0.5, -0.25])))
    bend = (left - 2 * middle + right) * 16
    return math.sqrt(bend) if math.isfinite(bend) and bend > 1e-280 else 1.0


def chernoff_table(composition: Composition, question: Question, xs: Real) -> tuple[Real, Real]:
    """Tilts over the range of the question, wide enough to have every saddle inside, with log M at each."""
    if question.two_poles and question.highest == 0:
        tilts = -1 / (1 + np.exp(np.linspace(-9, 9, 37)))
        return tilts, composition.log_mgf_real(tilts)
    scale, side = scale_of(composition), (1.0 if question.highest > 0 else -1.0)
    start, reach = 1e-3 / (1 + scale), 30.0 / scale
    tilts = side * np.geomspace(start, reach, int(PER_DECADE * math.log10(reach / start)) + 2)
    values = composition.log_mgf_real(tilts)
    for _ in range(MOST_DECADES):
        if _has_minimum_inside(question, tilts, values, xs):
            break
        more = tilts[-1] * np.geomspace(10 ** (1 / PER_DECADE), 10, PER_DECADE)
        tilts, values = np.append(tilts, more), np.append(values, composition.log_mgf_real(more))
    order = np.argsort(tilts)
    return tilts[order], values[order]


def _has_minimum_inside(question: Question, tilts: Real, values: Real, xs: Real) -> bool:
    """Whether J rises again before the last tilt, for the x that is furthest out."""
    extreme = float(xs.max() if question.highest > 0 else xs.min())
    ends = values[-2:] - tilts[-2:] * extreme + question.log_weight(tilts[-2:])
    return not bool(ends[1] < ends[0] - 0.1 * FLAT)


def is_small(composition: Composition, question: Question, xs: Real) -> Flags:
    """Where Chernoff's bound on the answer is below one half: then it is the answer that deserves relative accuracy."""
    tilts, heights = chernoff_table(composition, question, xs)
    best = (heights[None, :] - xs[:, None] * tilts[None, :]).min(axis=1)
    return np.asarray(best < math.log(0.5))


def saddles(composition: Composition, question: Question, xs: Real, table: tuple[Real, Real]) -> Saddles:
    """The saddle for each x, from the Chernoff table and a few rounds of finer points in the cell around each."""
    tilts, values = table
    J = (values + question.log_weight(tilts))[None, :] - xs[:, None] * tilts[None, :]
    best = np.clip(_nearest_low(J, question), 1, len(tilts) - 2)
    rows = np.arange(len(xs))
    points = np.stack([tilts[best + k] for k in (-1, 0, 1)], axis=1)
    heights = np.stack([J[rows, best + k] for k in (-1, 0, 1)], axis=1)
    for _ in range(5):
        if float((_curvature(points, heights) * (points[:, 2] - points[:, 0]) ** 2).max()) < 4 * BEND:
            break
        points, heights = _refine(composition, question, xs, points)
    curvature = np.maximum(_curvature(points, heights), 1e-290)
    return Saddles(points[:, 1], heights[:, 1], curvature)


def _nearest_low(J: Real, question: Question) -> Places:
    """The tilt nearest to 0 where J is almost lowest: near the largest loss J falls forever, by less and less."""
    low = J.min(axis=1, keepdims=True) + FLAT >= J
    first: Places = np.asarray(np.argmax(low, axis=1), dtype=np.intp)
    last: Places = np.asarray(J.shape[1] - 1 - np.argmax(low[:, ::-1], axis=1), dtype=np.intp)
    return last if math.isinf(question.lowest) else first


def _curvature(points: Real, heights: Real) -> Real:
    """The second derivative of the parabola through three points; large where one of them is infinite."""
    with np.errstate(invalid="ignore", over="ignore"):
        slopes = np.diff(heights, axis=1) / np.diff(points, axis=1)
        bend = 2 * (slopes[:, 1] - slopes[:, 0]) / (points[:, 2] - points[:, 0])
        return np.where(np.isfinite(bend), bend, 1e250 / (points[:, 2] - points[:, 0]) ** 2)


def _refine(composition: Composition, question: Question, xs: Real, points: Real) -> tuple[Real, Real]:
    """Nine points across each cell; the best inner one becomes the middle of the new cell."""
    grid = points[:, :1] + (points[:, 2:] - points[:, :1]) * (np.arange(9) / 8)
    unique, inverse = np.unique(grid, return_inverse=True)
    values = composition.log_mgf_real(unique) + question.log_weight(unique)
    J = values[inverse].reshape(grid.shape) - xs[:, None] * grid
    best = np.clip(np.argmin(J, axis=1), 1, 7)
    rows = np.arange(len(xs))
    pick = [best - 1, best, best + 1]
    return np.stack([grid[rows, k] for k in pick], axis=1), np.stack([J[rows, k] for k in pick], axis=1)


def groups(found: Saddles, xs: Real) -> Iterator[tuple[float, Places]]:
    """Tilts, each with the places of the x that can share it without losing more than e^SHARING of the peak.

    Using the tilt c_j of another x_j raises J for x_i to (J_j + c_j x_j) - c_j x_i, so nothing needs to be evaluated.
    """
    order = np.argsort(found.tilts, kind="stable")
    heights = found.minima + found.tilts * xs
    first = 0
    while first < len(order):
        rest = order[first:]
        with np.errstate(invalid="ignore"):  # an infinite height is shared with nobody
            at_first = heights[rest] - found.tilts[rest] * xs[rest[0]] - found.minima[rest[0]]
            shared = rest[max(_run(at_first), 1) - 1]
            at_shared = heights[shared] - found.tilts[shared] * xs[rest] - found.minima[rest]
        members = rest[: max(_run(at_shared), 1)]
        yield _short(float(found.tilts[shared])), members
        first += len(members)


def _short(tilt: float) -> float:
    """A positive tilt with few bits, so that questions next to each other share what is known about its line."""
    if tilt <= 0.0:
        return tilt
    part, exponent = math.frexp(tilt)
    return math.ldexp(round(part * TILTS), exponent) / TILTS


def _run(losses: Real) -> int:
    """How many of the first losses stay below SHARING."""
    beyond = np.flatnonzero(~(losses <= SHARING))
    return int(beyond[0]) if len(beyond) else len(losses)


@dataclass(frozen=True)
class Group:
    """Some x, the tilt of the line that they share, and what is known about the line beforehand."""

    composition: Composition
    question: Question
    tilt: float
    xs: Real
    log_estimates: Real
    table: tuple[Real, Real]

    def line(self, variance: float, work: float = WORK) -> Line:
        """The line with an extra Gaussian of this variance, and what it may cost."""
        return Line(self.composition, self.question, self.tilt, variance, self.xs, self.log_estimates, work)

    def only_bounded(self) -> Outcome:
        """What is known without any line: Chernoff's bound from above."""
        chernoff = _chernoff(self.table, self.xs)
        return Outcome(np.full(self.xs.shape, -np.inf), chernoff, chernoff, Errors.zeros(len(self.xs)), 0)


def _chernoff(table: tuple[Real, Real], xs: Real) -> Real:
    """The bound min_a log M(a) - ax on the logarithm of every answer, with room for its rounding."""
    tilts, heights = table
    if len(xs) == 0:
        return np.empty(0)
    each = heights[None, :] - xs[:, None] * tilts[None, :]
    room = 0.01 + 1e-14 * (np.abs(heights)[None, :] + np.abs(xs[:, None] * tilts[None, :]))
    best: Real = np.minimum((each + room).min(axis=1), 0.0)
    return best


def by_groups(composition: Composition, question: Question, xs: Real, solve: Callable[[Group], Outcome]) -> Outcome:
    """Solve group after group, and put the outcomes where they belong; tiny answers are only bounded from above."""
    bounds, errors, nodes = np.empty((3, len(xs))), Errors.zeros(len(xs)), 0
    table = chernoff_table(composition, question, xs) if len(xs) else (xs, xs)
    chernoff = _chernoff(table, xs)
    bounds[:, :] = np.full(len(xs), -np.inf), chernoff, chernoff
    large = np.flatnonzero(chernoff > LEAST)
    if len(large) == 0:
        return Outcome(bounds[0], bounds[1], bounds[2], errors, nodes)
    found, refused = saddles(composition, question, xs[large], table), 0
    for tilt, among in groups(found, xs[large]):
        if refused == REFUSED_IN_A_ROW:
            break
        members = large[among]
        part = solve(Group(composition, question, tilt, xs[members], found.log_estimates[among], table))
        bounds[:, members] = part.lower, part.mid, part.upper
        errors.placed(members, part.errors)
        nodes, refused = nodes + part.nodes, 0 if part.nodes else refused + 1
    return Outcome(bounds[0], bounds[1], bounds[2], errors, nodes)


def in_logs(answer: Answer, sums: tuple[Real, Real, Real], smoothing: Real) -> Outcome:
    """The sums with their scale, in logarithms, apart by the rounding of all the logs."""
    logs = [np.log(np.maximum(part, 1e-305)) for part in sums]
    low, middle, high = (answer.log_scale + each for each in logs)
    low_room, high_room = (answer.scale_error + 2 * ELEMENTARY * np.abs(each) for each in (logs[0], logs[2]))
    low = np.where(sums[0] > 0, low - low_room, -np.inf)
    high = np.maximum(high + high_room, low)
    size = np.maximum(np.abs(answer.value), 1e-305)
    parts = (smoothing, answer.aliasing, np.full_like(size, answer.truncation), answer.round_off)
    errors = Errors(*(part / size for part in parts))
    return Outcome(low, np.clip(middle, low, high), high, errors, answer.nodes)
