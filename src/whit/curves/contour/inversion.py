"""One line of the inverse transform: the trapezoid rule, and a bound on each thing that is not exact in it.

With nodes t_k = k h, period L = 2 pi / h, and the scale |w(c)| M(c) e^{-cx} h / pi taken out, the rule is

    S = 1/2 + sum_{k >= 1} Re[ M(c + i t_k)/M(c) w(c + i t_k)/|w(c)| e^{-i t_k x} ] .

By Poisson's summation scale times S equals sum_j g(x + jL) e^{cjL}: every term is positive, so the rule never falls
below the answer g(x). What it exceeds it by (aliasing), what the nodes left out can add (truncation) and the rounding
are bounded as the theorems contour-errors and contour-rounding say.

Only nodes where the bound on |M(c + it)| is not negligible are summed. Intervals of nodes are split until each is
either negligible, and then only its bound is kept, or short, and then summed. So the gaps between the replicas of
lattice losses cost next to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.curves.contour.composition import MOST_NODES, Composition, TooManyNodes
from whit.curves.contour.floating import ELEMENTARY, UNIT, Complex, Real, dot, short_mantissa
from whit.curves.contour.question import LatticeQuestion, Question
from whit.curves.contour.rotation import rotated

Indices = NDArray[np.int64]
SHORT = 16
FEW = 192
MOST_INTERVALS = 400_000
# Farther nodes are not looked at: four times their number must be a whole number of 64 bits.
MOST_PLACES = 2**60
# Aliasing and truncation are pushed to e^-36 of the answer, below its rounding; that costs little.
NEGLIGIBLE_LOG = 36.0
CHUNK = 4096
# Nodes times (evaluations of kinds and of phases per node) that one line may cost: some seconds.
WORK = 4e7


@dataclass(frozen=True)
class Line:
    """The line Re s = c, with `variance` of extra Gaussian loss, and the x to be answered on it."""

    composition: Composition
    question: Question
    tilt: float
    variance: float
    xs: Real
    log_estimates: Real
    work: float = WORK

    @property
    def total_variance(self) -> float:
        """The variance of all that is Gaussian in the loss."""
        return self.variance + self.composition.gaussian_variance

    @property
    def density_scale(self) -> float:
        """1 / |w(c)|, the scale of the density beside that of the answer; 0 where no density is needed."""
        if self.variance == 0:
            return 0.0
        return math.exp(-float(self.question.log_weight(np.array([self.tilt]))[0]))

    def log_mgf_and_growth(self, s: Complex) -> tuple[Complex, Real]:
        """The transform of the loss with the extra Gaussian, and its growth."""
        value, growth = self.composition.log_mgf_and_growth(s)
        extra = 0.5 * self.variance * (s * (s + 1))
        return value + extra, growth + 8 * UNIT * np.abs(extra) + UNIT * np.abs(value)


@dataclass(frozen=True)
class Answer:
    """The sums for each x in units of e^{log_scale}, their errors in the same units, and that of log_scale."""

    log_scale: Real
    scale_error: Real
    value: Real
    density: Real
    aliasing: Real
    truncation: float
    density_truncation: float
    round_off: Real
    density_round_off: Real
    nodes: int


def invert(line: Line, table: tuple[Real, Real]) -> Answer:
    """The answers of one line, from a table of (tilt, log M) for the Chernoff bounds."""
    tilts, heights = _with_extra_gaussian(line, table)
    log_mgf_at_tilt = float(line.log_mgf_and_growth(np.array([complex(line.tilt)]))[0].real[0])
    period, left, right = _period(line, tilts, heights)
    step, last = _nodes(line, period)
    if not step > 0.0:
        raise TooManyNodes(math.inf)
    log_weight = float(line.question.log_weight(np.array([line.tilt]))[0])
    log_step = math.log(step / math.pi)
    log_scale = log_mgf_at_tilt - line.tilt * line.xs + (log_step + log_weight)
    logs = abs(log_step) + line.question.weight_size(line.tilt)
    # Whatever is left out is counted as an error, so that less of it, where no double holds it, is safe too.
    negligible = math.exp(min(max(float((line.log_estimates - log_scale).min()) - NEGLIGIBLE_LOG, -700.0), 700.0))
    plan, tail, density_tail = _plan(line, step, last, negligible)
    _check_work(line, plan, step)
    sums = _sum(line, plan, step, log_mgf_at_tilt)
    return Answer(
        log_scale=log_scale,
        scale_error=4 * UNIT * (np.abs(log_scale) + 2 * np.abs(line.tilt * line.xs) + 4) + 2 * ELEMENTARY * logs,
        value=sums.value,
        density=sums.density,
        aliasing=np.exp(np.minimum(_aliasing(line, left, right, 2 * math.pi / step) - log_scale, 600.0)),
        truncation=plan.skipped + tail,
        density_truncation=(plan.skipped / line.variance if line.variance else 0.0) + density_tail,
        round_off=sums.round_off + sums.phase_round_off * np.abs(line.xs),
        density_round_off=sums.density_round_off + sums.density_phase_round_off * np.abs(line.xs),
        nodes=plan.nodes,
    )


def _check_work(line: Line, plan: Cover, step: float) -> None:
    """Refuse a line that would take more than some seconds."""
    per_node = 4 * line.composition.cost(step * float(plan.stops.max())) + len(line.xs)
    if plan.nodes * per_node > line.work:
        raise TooManyNodes(plan.nodes)


def _with_extra_gaussian(line: Line, table: tuple[Real, Real]) -> tuple[Real, Real]:
    """The table with the finite ends of the range, for the loss with the extra Gaussian."""
    tilts, heights = table
    ends = [(0.0, line.composition.log_finite_mass), (-1.0, line.composition.log_null_mass)]
    inside = [(c, height) for c, height in ends if line.question.lowest <= c <= line.question.highest]
    tilts = np.append(tilts, [c for c, _ in inside])
    heights = np.append(heights, [height for _, height in inside])
    return tilts, heights + 0.5 * line.variance * tilts * (tilts + 1)


def _period(line: Line, tilts: Real, heights: Real) -> tuple[float, tuple[float, float], tuple[float, float]]:
    """The smallest period that makes the aliasing negligible for all x, with the Chernoff tilt of each side."""
    excess = heights[None, :] - line.xs[:, None] * tilts[None, :] - line.log_estimates[:, None] + NEGLIGIBLE_LOG
    need = excess.max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        periods = np.where(np.isfinite(need), np.maximum(need, 1.0) / np.abs(tilts - line.tilt), np.inf)
    left = int(np.argmin(np.where(tilts < line.tilt, periods, np.inf)))
    right = int(np.argmin(np.where(tilts > line.tilt, periods, np.inf)))
    period = max(float(periods[left]), float(periods[right]))
    return period, (float(tilts[left]), float(heights[left])), (float(tilts[right]), float(heights[right]))


def _aliasing(line: Line, left: tuple[float, float], right: tuple[float, float], period: float) -> Real:
    """log of the sum over j != 0 of g(x + jL) e^{cjL}; g(y) <= M(a) e^{-ay} with one a for each side.

    The growth of M(a) is added for the rounding of log M, some UNIT of all that is added up, and one percent.
    """
    sides = []
    _, growths = line.composition.log_mgf_and_growth(np.array([left[0], right[0]], dtype=np.complex128))
    for (tilt, height), growth in zip((left, right), growths.tolist(), strict=True):
        fall = abs(line.tilt - tilt) * period
        room = 0.01 + growth + 1e-14 * (abs(height) + np.abs(tilt * line.xs) + fall)
        sides.append(height - tilt * line.xs - fall - math.log1p(-math.exp(-fall)) + room)
    total: Real = np.logaddexp(sides[0], sides[1])
    return total


def _nodes(line: Line, period: float) -> tuple[float, int | None]:
    """The step, and for lattice losses the last of the nodes that fill half a period of the transform."""
    if not isinstance(line.question, LatticeQuestion):
        return short_mantissa(2 * math.pi / period), None
    half = math.ceil(0.5 * period / line.question.spacing)
    return 2 * math.pi / (line.question.spacing * (2 * half + 1)), half


def _plan(line: Line, step: float, last: int | None, negligible: float) -> tuple[Cover, float, float]:
    """The nodes to sum, and what all nodes beyond the last one can add to the value and to the density."""
    if last is not None:
        return cover(_log_bound(line, step), last, negligible / 16, _most_bounds(line, step * last)), 0.0, 0.0
    variance = line.total_variance
    depth = max(-math.log(negligible), 1.0) + 5
    reach = math.sqrt(2 * depth / variance)
    last = math.ceil(reach / step)
    if last > 2**52:
        raise TooManyNodes(last)
    plan = cover(_log_bound(line, step), last, negligible / 16, _most_bounds(line, reach))
    beyond = step * (last + 1)
    tail = math.exp(-0.5 * variance * beyond * beyond) / -math.expm1(-variance * beyond * step)
    return plan, tail * float(line.question.relative_bound(line.tilt, np.array([beyond]))[0]), tail * line.density_scale


def _most_bounds(line: Line, reach: float) -> float:
    """How many ranges of nodes may be bounded: a part of the work that may go into nodes."""
    return 0.2 * line.work / line.composition.bound_cost(line.tilt, reach)


def _log_bound(line: Line, step: float) -> Callable[[Indices, Indices], Real]:
    """The bound on log |term| over ranges of nodes, of the value and of v times the density together."""

    def log_bound(first: Indices, final: Indices) -> Real:
        start, stop = step * first.astype(np.float64), step * final.astype(np.float64)
        modulus = line.composition.log_abs_bound(line.tilt, start, stop) - 0.5 * line.variance * start * start
        weight = line.question.relative_bound(line.tilt, start) + line.variance * line.density_scale
        logs: Real = modulus + np.log(weight)
        return logs

    return log_bound


@dataclass
class _Sums:
    """Running sums over chunks of nodes."""

    value: Real
    density: Real
    round_off: float = 0.0
    phase_round_off: float = 0.0
    density_round_off: float = 0.0
    density_phase_round_off: float = 0.0


def _sum(line: Line, plan: Cover, step: float, log_mgf_at_tilt: float) -> _Sums:
    """All the terms, chunk by chunk, so that memory stays small."""
    chunks = plan.chunks(CHUNK)
    # Partial sums of at most CHUNK terms, and one more addition for each chunk.
    summation = (min(plan.nodes, CHUNK) + len(chunks) + 4) * UNIT
    sums = _Sums(np.zeros(line.xs.shape), np.zeros(line.xs.shape))
    for indices in chunks:
        _add_chunk(sums, line, step * indices.astype(np.float64), log_mgf_at_tilt, summation)
    return sums


def _add_chunk(sums: _Sums, line: Line, t: Real, log_mgf_at_tilt: float, summation: float) -> None:
    """The terms at the nodes t and the moduli of their errors."""
    s = np.asarray(line.tilt + 1j * t, dtype=np.complex128)
    log_mgf, growth = line.log_mgf_and_growth(s)
    growth = growth + 2 * UNIT * (np.abs(log_mgf) + abs(log_mgf_at_tilt)) + 48 * UNIT + line.question.weight_error
    ratio = np.exp(log_mgf - log_mgf_at_tilt)
    halved = np.where(t == 0, 0.5, 1.0)
    weighted = ratio * line.question.relative_weight(line.tilt, t)
    terms = np.stack([halved * weighted, halved * line.density_scale * ratio], axis=1)
    # e^a (e^g - 1), as a difference of exponentials where g alone would overflow
    depth = np.minimum(log_mgf.real - log_mgf_at_tilt, 700.0)
    wrong = np.where(
        growth < 1, np.exp(depth) * np.expm1(np.minimum(growth, 1)), np.exp(np.minimum(depth + growth, 700))
    )
    moduli = np.abs(terms)
    factor = wrong * line.question.relative_bound(line.tilt, t)
    found = rotated(line.xs, t, terms)
    adding = summation * found.growth + found.rounding
    sums.round_off += float((factor + adding * moduli[:, 0]).sum())
    # Far from where the loss lives the density of the extra Gaussian is of no use, and its error may overflow.
    with np.errstate(over="ignore"):
        sums.density_round_off += float((line.density_scale * wrong + adding * moduli[:, 1]).sum())
    phase, density_phase = (8 * UNIT * dot(column, t) for column in moduli.T)
    sums.phase_round_off += phase
    sums.density_phase_round_off += density_phase
    sums.round_off += 2 * found.beside * phase
    sums.density_round_off += 2 * found.beside * density_phase
    sums.value += found.sums[:, 0]
    sums.density += found.sums[:, 1]


@dataclass(frozen=True)
class Cover:
    """The nodes to sum, as ranges of indices, and what the others can add to a sum of |terms|."""

    starts: Indices
    stops: Indices
    skipped: float

    @property
    def nodes(self) -> int:
        """How many nodes are to be summed."""
        return int((self.stops - self.starts).sum())

    def chunks(self, size: int) -> list[Indices]:
        """The nodes to sum, in rising order, in arrays of at most so many: nodes that are close share their cells."""
        order = np.argsort(self.starts)
        ranges = zip(self.starts[order], self.stops[order], strict=True)
        all_nodes = np.concatenate([np.arange(first, stop) for first, stop in ranges])
        return [all_nodes[i : i + size] for i in range(0, len(all_nodes), size)]


def cover(log_bound: Callable[[Indices, Indices], Real], last: int, negligible: float, most_bounds: float) -> Cover:
    """Split the nodes 1 .. last by the bound on the log of each term; node 0 is always summed.

    No more than most_bounds ranges are bounded on the way, since a bound can cost as much as many nodes.
    """
    if last <= FEW:
        return Cover(np.array([0]), np.array([last + 1]), 0.0)
    if last > MOST_PLACES:
        raise TooManyNodes(float(last))
    edges = np.unique(np.minimum(2 ** np.arange(4, last.bit_length() + 1, dtype=np.int64), last + 1))
    starts, stops = np.append(1, edges[:-1]), edges
    kept_starts, kept_stops, skipped = [np.array([0])], [np.array([1])], 0.0
    nodes, bounds = 1, 0
    while len(starts):
        bounds += len(starts)
        if bounds > most_bounds:
            raise TooManyNodes(nodes + float((stops - starts).sum()))
        totals = np.exp(np.minimum(log_bound(starts, stops - 1), 600.0)) * (stops - starts)
        live = totals > negligible
        skipped += float(totals[~live].sum())
        starts, stops = starts[live], stops[live]
        short = stops - starts <= SHORT
        kept_starts.append(starts[short])
        kept_stops.append(stops[short])
        nodes += int((stops - starts)[short].sum())
        if nodes > MOST_NODES or (~short).sum() > MOST_INTERVALS:
            raise TooManyNodes(nodes + float((stops - starts)[~short].sum()))
        starts, stops = _quartered(starts[~short], stops[~short])
    return Cover(np.concatenate(kept_starts), np.concatenate(kept_stops), skipped)


def _quartered(starts: Indices, stops: Indices) -> tuple[Indices, Indices]:
    """Each range as four."""
    cuts = starts[:, None] + (stops - starts)[:, None] * np.arange(5) // 4
    return cuts[:, :-1].ravel(), cuts[:, 1:].ravel()
