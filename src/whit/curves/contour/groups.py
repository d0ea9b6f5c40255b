"""Questions that share a line: each group of x near one saddle point is answered together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from whit.curves.contour.composition import Composition
from whit.curves.contour.floating import UNIT, Real
from whit.curves.contour.inversion import WORK, Answer, Line
from whit.curves.contour.question import Question
from whit.curves.contour.refinement import Errors, Outcome
from whit.curves.contour.saddle import chernoff_table, groups, saddles

# Below e^LEAST an answer is only bounded, by Chernoff: nobody needs the digits of 10^-434000.
LEAST = -1e6


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
    found = saddles(composition, question, xs[large], table)
    for tilt, among in groups(found, xs[large]):
        members = large[among]
        part = solve(Group(composition, question, tilt, xs[members], found.log_estimates[among], table))
        bounds[:, members] = part.lower, part.mid, part.upper
        errors.placed(members, part.errors)
        nodes += part.nodes
    return Outcome(bounds[0], bounds[1], bounds[2], errors, nodes)


def in_logs(line: Line, answer: Answer, sums: tuple[Real, Real, Real], smoothing: Real) -> Outcome:
    """The sums with their scale, in logarithms; the scale is a sum of three terms and so rounded thrice."""
    scale_error = 4 * UNIT * (np.abs(answer.log_scale) + 2 * np.abs(line.tilt * line.xs) + 4)
    low, middle, high = (answer.log_scale + np.log(np.maximum(part, 1e-305)) for part in sums)
    low = np.where(sums[0] > 0, low - scale_error, -np.inf)
    high = np.maximum(high + scale_error, low)
    size = np.maximum(np.abs(answer.value), 1e-305)
    parts = (smoothing, answer.aliasing, np.full_like(size, answer.truncation), answer.round_off)
    errors = Errors(*(part / size for part in parts))
    return Outcome(low, np.clip(middle, low, high), high, errors, answer.nodes)
