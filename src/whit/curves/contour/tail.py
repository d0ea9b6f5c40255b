"""The tails of the loss: P[Z > t], P[Z >= t] and what is left of them, between certified bounds, in logarithms.

With a little Gaussian loss of variance v composed in, Z becomes Z_v = Z + N(v/2, v). Its tails at places that are moved
by seven deviations bound those of Z, except with the probability F(7) that a normal variable is beyond seven (theorem
contour-tail). Both bounds hold for the open and for the closed tail; where t is an atom they stay apart by its mass,
except on a lattice, where the two tails are sums over different points and nothing is smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.contour.composition import Composition
from whit.curves.contour.edge import Edge, narrowed
from whit.curves.contour.floating import UNIT, Flags, Places, Real
from whit.curves.contour.inversion import Line, invert
from whit.curves.contour.profile import complement_of, with_infinity, with_middle
from whit.curves.contour.question import LOWER_TAIL, UPPER_TAIL, LatticeQuestion, Question
from whit.curves.contour.refinement import FEW_ATOMS, LEVEL_FOR_FEW_ATOMS, Outcome, improved, require_width
from whit.curves.contour.saddle import Group, by_groups, in_logs, is_small
from whit.errors import TooCostly, require
from whit.numerics import Bracket

SHIFT = 7.0
BEYOND_SHIFT = 1.2798125438858352e-12
FIRST_WIDTH = 1e-3
LEVEL_RATIO = 10.0

_Tails = tuple[Real, Real]
_Solver = Callable[[Question, Real], Outcome]


@dataclass(frozen=True)
class TailBracket:
    """Logarithms of the open tail P[Z > t], the closed tail P[Z >= t], and of P[Z <= t] and P[Z < t]."""

    log_open: Bracket
    log_closed: Bracket
    log_open_complement: Bracket
    log_closed_complement: Bracket
    nodes: int


# A tail is smoothed at three places and its width shrinks slowly: it may cost less than a profile.
TAIL_WORK = 3e6


def tail_bracket(composition: Composition, losses: ArrayLike, relative_width: float = 1e-3) -> TailBracket:
    """The tails of the loss under P at each t; for Q take 1 minus the tails of the reversed composition at -t.

    The width is aimed at, not promised: it cannot be met at an atom. On a lattice the double nearest to a point counts
    as that point. Another t within rounding of it counts as it too, except in the bound that this would make too bold.
    """
    require_width(relative_width)
    asked = np.asarray(losses, dtype=np.float64)
    require(
        bool(np.all(np.isfinite(asked))),
        name="losses",
        rule="must be finite numbers",
        value=losses,
        way_out="Above +infinity there is nothing; at +infinity there is the infinite mass.",
    )
    ts = asked.ravel()
    if composition.lattice is None:
        tail, nodes = _smooth_tails(composition, ts, relative_width)
        opened = closed = tail
    else:
        below, above = _lattice_points(composition.lattice, ts)
        opened, nodes = _lattice_tails(composition, composition.lattice[0], above)
        closed, more = _lattice_tails(composition, composition.lattice[0], below)
        nodes += more
        opened, closed = _on_either_side(composition.lattice, ts, opened, closed)
    shaped = [Bracket(*(row.reshape(asked.shape) for row in part)) for part in (*opened, *closed)]
    return TailBracket(shaped[0], shaped[2], shaped[1], shaped[3], nodes)


def _fill(composition: Composition, ts: Real, empty: Flags, full: Flags, solve: _Solver) -> tuple[_Tails, int]:
    """(tail, complement) in logarithms; `empty` says where there is no finite loss above, `full` where none below."""
    tail, complement, nodes = np.zeros((3, len(ts))), np.zeros((3, len(ts))), 0
    infinite = composition.log_infinity_mass
    tail[:, empty] = infinite
    complement[:, empty] = composition.log_finite_mass
    complement[:, full] = -np.inf
    inside = np.flatnonzero(~(empty | full))
    low = is_small(composition, LOWER_TAIL, ts[inside]) if len(inside) else np.zeros(0, dtype=np.bool_)
    for question, places in ((UPPER_TAIL, inside[~low]), (LOWER_TAIL, inside[low])):
        if len(places) == 0:
            continue
        outcome = solve(question, ts[places])
        bounds = np.minimum(np.stack([outcome.lower, outcome.mid, outcome.upper]), 0.0)
        nodes += outcome.nodes
        if question is UPPER_TAIL:
            tail[:, places] = with_infinity(bounds, infinite)
            complement[:, places] = complement_of(tail[:, places])
        else:
            complement[:, places] = bounds
            tail[:, places] = complement_of(bounds)
    return (tail, complement), nodes


def _smooth_tails(composition: Composition, ts: Real, width: float) -> tuple[_Tails, int]:
    """Tails at every t by a little smoothing."""
    low, high = composition.loss_range
    margin = 16 * UNIT
    empty = ts > high + margin * abs(high) if math.isfinite(high) else np.zeros(ts.shape, dtype=np.bool_)
    full = ts < low - margin * abs(low) if math.isfinite(low) else np.zeros(ts.shape, dtype=np.bool_)

    start = LEVEL_FOR_FEW_ATOMS if composition.atoms <= FEW_ATOMS else 0

    def refine(group: Group) -> Outcome:
        try:
            return improved(lambda level: _attempt(group, level), start, width)
        except TooCostly:
            return group.only_bounded()

    def solve(question: Question, xs: Real) -> Outcome:
        return by_groups(composition, question, xs, refine)

    edge = Edge(composition)
    known = edge.log_tail(ts)
    asked = np.flatnonzero(~edge.is_enough(known, width) | empty)
    found, nodes = _fill(composition, ts[asked], empty[asked], full[asked], solve)
    return _next_to_the_edge(with_infinity(with_middle(known), composition.log_infinity_mass), asked, found), nodes


def _next_to_the_edge(known: Real, asked: Places, found: _Tails) -> _Tails:
    """What is known without an integral, narrowed where there was one."""
    tail, complement = known, complement_of(known)
    tail[:, asked] = narrowed(found[0], (tail[0, asked], tail[2, asked]))
    complement[:, asked] = narrowed(found[1], (complement[0, asked], complement[2, asked]))
    return tail, complement


def _attempt(group: Group, level: int) -> Outcome:
    """Tails from three values of the smoothed one: shifted inwards, at t, and shifted outwards."""
    deviation = FIRST_WIDTH * LEVEL_RATIO**-level / (4 * SHIFT * abs(group.tilt))
    if group.composition.gaussian_variance >= deviation**2:
        deviation = 0.0
    centre, shift = group.xs + 0.5 * deviation**2, SHIFT * deviation * group.question.sign
    moved = Group(
        group.composition,
        group.question,
        group.tilt,
        np.concatenate([centre + shift, centre, centre - shift]),
        np.tile(group.log_estimates, 3),
        group.table,
    )
    line = moved.line(deviation**2, TAIL_WORK)
    return _unshifted(group, _unsmoothed(line, group.table), deviation)


def _unshifted(group: Group, whole: Outcome, deviation: float) -> Outcome:
    """The bounds at t from the three shifted sets; the rounding of t + v/2 +- a is one of the errors of a line."""
    count = len(group.xs)
    lower, mid, upper = whole.lower[:count], whole.mid[count : 2 * count], whole.upper[2 * count :]
    smoothing = np.expm1(np.clip(upper - lower, 0.0, 700.0))
    if deviation > 0:
        log_mgf = float(group.composition.log_mgf_real(np.array([group.tilt]))[0])
        room = 1e-9 + 1e-14 * (abs(log_mgf) + np.abs(group.tilt * group.xs))
        lost = math.log(BEYOND_SHIFT) + log_mgf - group.tilt * group.xs + room - lower
        kept = np.log1p(-np.exp(np.minimum(lost, -1e-15)))
        lower = np.where(lost < -1e-15, lower + kept, -np.inf)
        upper = upper + 2 * BEYOND_SHIFT
    errors = whole.errors.at(np.arange(count, 2 * count))
    errors.smoothing[:] = smoothing
    return Outcome(lower, np.clip(mid, lower, upper), upper, errors, whole.nodes)


def _lattice_points(lattice: tuple[float, int], ts: Real) -> tuple[Real, Real]:
    """The first lattice point at or above each t, and the first one above it."""
    unit, parity = lattice
    error = 16 * UNIT * (np.abs(ts) + unit)
    at_or_above = 2 * np.ceil(((ts - error) / unit - parity) / 2) + parity
    above = 2 * np.floor(((ts + error) / unit - parity) / 2) + parity + 2
    return at_or_above * unit, above * unit


def _on_either_side(lattice: tuple[float, int], ts: Real, opened: _Tails, closed: _Tails) -> tuple[_Tails, _Tails]:
    """The open and the closed tails, with the bounds of both where t is beside the double that stands for a point.

    The closed tail is the larger one, and its complement the smaller one. Away from all points the two are the same.
    """
    unit, parity = lattice
    stands = (2 * np.round((ts / unit - parity) / 2) + parity) * unit
    return (
        (
            np.where(ts < stands, np.stack([*opened[0][:2], closed[0][2]]), opened[0]),
            np.where(ts < stands, np.stack([closed[1][0], *opened[1][1:]]), opened[1]),
        ),
        (
            np.where(ts > stands, np.stack([opened[0][0], *closed[0][1:]]), closed[0]),
            np.where(ts > stands, np.stack([*closed[1][:2], opened[1][2]]), closed[1]),
        ),
    )


def _lattice_tails(composition: Composition, unit: float, points: Real) -> tuple[_Tails, int]:
    """P[Z >= z] and P[Z < z] at lattice points z, without smoothing."""
    low, high = composition.loss_range

    def solve(question: Question, xs: Real) -> Outcome:
        on_lattice = LatticeQuestion.of(question, 2 * unit)
        return by_groups(composition, on_lattice, xs, _lattice_line)

    return _fill(composition, points, points > high + 0.5 * unit, points < low + 0.5 * unit, solve)


def _lattice_line(group: Group) -> Outcome:
    """One line of the lattice inversion: there is nothing to refine."""
    return _unsmoothed(group.line(0.0), group.table)


def _unsmoothed(line: Line, table: tuple[Real, Real]) -> Outcome:
    """The answers of one line as they stand, with all their errors but that of smoothing."""
    answer = invert(line, table)
    either = answer.round_off + answer.truncation
    sums = answer.value - either - answer.aliasing, answer.value, answer.value + either
    return in_logs(answer, sums, np.zeros(line.xs.shape))
