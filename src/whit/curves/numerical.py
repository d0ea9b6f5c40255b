"""Compositions by their transform: profile, power and tails of any number of releases, between certified bounds.

The loss of a composition is a sum; its transform is a product, and the profile is one integral of that product. What
comes out is a bracket of the width asked for, at a cost that does not depend on the number of copies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit import curves
from whit.curves import contour
from whit.curves.by_chords import tails_by_chords
from whit.curves.face import SMALLEST_LOG_LEVEL, Array, LossDistribution
from whit.curves.far_out import epsilon_by_chernoff, hopeless, large_enough, profile_by_chernoff
from whit.curves.lowest_line import lowest_lines
from whit.curves.slack import EXACT, Slack
from whit.errors import TooCostly
from whit.numerics import ULP, Bracket, add_down, add_up, distinct, finite_positive, log1mexp

# Points of the grid on which a threshold is looked for, again and again on a finer one.
GRID = 49
MOST_ZOOMS = 12
# A threshold is looked for with the first bracket that can be had, however wide.
ROUGH = 1e6
# As closely as this a loss is known that is looked at before anything dear.
LOOSE = 1e-4
# Within so many standard deviations of the truth an estimate leads.
NEAR = 0.5
# Tilts between -1 and 0, where every transform is finite.
LEFT_TILTS = -1 / (1 + np.exp(np.linspace(-6.0, 6.0, 25)))
# How closely an epsilon is found before it is checked forwards, where the profile has corners.
CLOSE = 1e-9
# Else it is looked for once more at these parts of a cell of the grid around where a cubic has it.
INSIDE = 0.01 * np.linspace(-1.0, 1.0, 9)
# An epsilon that is enough is looked for at these parts of a cell beyond where a straight line has it.
HAIRS = np.array([0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1])
# The estimate of a log is not off by this much: where it is above by more, the profile is.
CLEARLY = 2.0


@dataclass(frozen=True, eq=False)
class ComposedLoss(LossDistribution):
    """The loss of a composition of mechanisms, each known by its transform.

    slack                 the errors of the mechanisms themselves, added up
    relative_width        how far the bounds on delta may lie apart, relative to delta
    strict                refuse where that width costs too much; else answer as narrowly as can be had
    relative_tail_width   the same for tails, where it is aimed at: an atom cannot be split
    """

    is_dear: ClassVar[bool] = True
    theorems: ClassVar[tuple[str, ...]] = (
        "contour-profile",
        "contour-errors",
        "contour-rounding",
        "contour-tail",
        "losses-add",
    )
    tail_tolerance: ClassVar[float] = 1e-7  # a tail by its transform is dear

    composition: contour.Composition
    slack: Slack = EXACT
    relative_width: float = 1e-6
    strict: bool = False
    relative_tail_width: float = 1e-4

    def __post_init__(self) -> None:
        """Refuse a width that is not a positive number."""
        for name in ("relative_width", "relative_tail_width"):
            width = finite_positive(name, getattr(self, name), "Use a value such as 1e-6.")
            object.__setattr__(self, name, width)

    @property
    def rough(self) -> ComposedLoss:
        """This loss to a hundredth of the digits: where the integral has to smooth, it takes a tenth of the nodes."""
        return self if self.strict or self.relative_width >= LOOSE else replace(self, relative_width=LOOSE)

    @property
    def log_infinity(self) -> float:
        """Log of the probability of an infinite loss."""
        return self.composition.log_infinity_mass

    @property
    def infinite(self) -> Bracket:
        """The same with its rounding, and with that of the masses that it is made of."""
        log = self.log_infinity
        room = self.slack.mass + 16 * ULP * (1 + abs(log)) if math.isfinite(log) else 0.0
        return Bracket(log - room, log, min(log + room, 0.0))

    @property
    def largest_loss(self) -> float:
        """No finite loss is above; infinite where none is known."""
        return float(add_up(self.composition.loss_range[1], self.slack.loss))

    @property
    def has_top(self) -> bool:
        """Whether the largest loss is one that certainly happens."""
        return math.isfinite(self.largest_loss) and contour.Edge(self.composition).log_atom > -np.inf

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile, to the relative width."""
        return self._slackened(np.asarray(epsilons, dtype=np.float64), self._profile)

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]."""
        return self._slackened(np.asarray(losses, dtype=np.float64), self._open_tail)

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        return self._slackened(np.asarray(losses, dtype=np.float64), self._closed_tail)

    def log_cdf(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z <= t], with its own relative accuracy where it is small."""
        t = np.asarray(losses, dtype=np.float64)
        if self.slack != EXACT or not np.all(np.isfinite(t)):
            return super().log_cdf(t)
        return contour.tail_bracket(self.composition, t, self.relative_tail_width).log_open_complement

    def certificate(self, epsilons: ArrayLike) -> contour.ProfileBracket:
        """The profile with its four error terms apart: smoothing, aliasing, truncation and round-off."""
        asked = np.asarray(epsilons, dtype=np.float64)
        return contour.delta_bracket(self.composition, asked, self.relative_width, strict=self.strict)

    def _profile(self, finite: Array) -> Bracket:
        far = hopeless(self, finite)
        if self.strict or not far.any():
            return _falling(self.certificate(finite).log_delta, finite)
        found = np.empty((3, *finite.shape))
        found[:, far] = profile_by_chernoff(self.composition, finite[far]).ends
        if not far.all():
            found[:, ~far] = self.certificate(finite[~far]).log_delta.ends
        return _falling(Bracket(*found), finite)

    def _open_tail(self, finite: Array) -> Bracket:
        own = contour.tail_bracket(self.composition, finite, self.relative_tail_width).log_open
        return self._narrowed(own, finite)

    def _closed_tail(self, finite: Array) -> Bracket:
        own = contour.tail_bracket(self.composition, finite, self.relative_tail_width).log_closed
        return self._narrowed(own, finite)

    def _narrowed(self, tail: Bracket, finite: Array) -> Bracket:
        """The tail, where it is wide also by the chords of the profile; on a lattice it is exact already."""
        wide = tail.upper - np.maximum(tail.lower, -1e300) > 3 * self.relative_tail_width
        if not wide.any() or self.composition.lattice is not None:
            return tail
        chords = tails_by_chords(self._profile, finite[wide], contour.scale_of(self.composition))
        ends = [end.copy() for end in tail.ends]
        ends[0][wide] = np.maximum(tail.lower[wide], chords.lower)
        ends[2][wide] = np.minimum(tail.upper[wide], chords.upper)
        return Bracket(ends[0], np.clip(ends[1], ends[0], ends[2]), ends[2])

    def _slackened(self, t: Array, ask: Callable[[Array], Bracket]) -> Bracket:
        """The answer of something that falls in t, widened for losses and masses that are not exact."""
        if self.slack == EXACT:
            return _with_ends(t, ask, self.infinite)
        # One question for all three, so that they share their lines of integration.
        # A slack that is small beside t still moves it, to the next double.
        asked = np.stack([add_up(t, self.slack.loss), t, add_down(t, -self.slack.loss)])
        answer = _with_ends(asked, ask, self.infinite)
        later, now, earlier = (answer[i] for i in range(3))
        upper = np.minimum(add_up(earlier.upper, self.slack.mass), 0.0)
        return Bracket(add_down(later.lower, -self.slack.mass), now.mid, upper)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power: the lowest line D(t) + e^t level, between the lines known from above and from below.

        Every t gives an upper bound. Since D is convex in e^t, the lines through neighbouring points bound it from
        below between them, and with it the lowest value that the sum can have. At the smallest levels of a loss that is
        bounded the lowest line is that of the largest loss, and needs no profile.
        """
        levels = np.asarray(log_levels, dtype=np.float64)
        inside = np.isfinite(levels) & (levels < 0)
        none = self.infinite
        bounds = [np.where(np.isneginf(levels), end, 0.0) for end in none.ends]
        if inside.any():
            for values, part in zip(bounds, self._powers(levels[inside]), strict=True):
                values[inside] = part
        return Bracket(*bounds)

    def _powers(self, levels: Array) -> list[Array]:
        """Lower bound, estimate and upper bound at levels between 0 and 1, by their logs."""
        edge = self._power_at_edge(levels)
        # Guessing has the level itself.
        lower = np.maximum(np.maximum(edge.lower, levels), self._sure_power(levels))
        bounds = [lower, np.maximum(edge.mid, lower), np.maximum(edge.upper, lower)]
        wide = bounds[2] - lower > self.relative_width
        asked = levels[wide]
        if asked.size:
            found = lowest_lines(self, np.maximum(asked, SMALLEST_LOG_LEVEL))
            # At a level that small only so much is known: it has no more power than a larger one.
            found[0][asked < SMALLEST_LOG_LEVEL] = -np.inf
            bounds[0][wide] = np.maximum(lower[wide], found[0])
            bounds[1][wide] = found[1]
            bounds[2][wide] = np.minimum(bounds[2][wide], found[2])
        return bounds

    def _power_at_edge(self, levels: Array) -> Bracket:
        """The power as far as it is known without a profile.

        Losses may be off by the slack, which for a test is as if its level were; and masses, on which a power depends
        at most as much as they do.
        """
        edge, mass = contour.Edge(self.composition), self.slack.mass
        low = edge.log_power(add_down(levels, -self.slack.loss)).lower
        high = edge.log_power(np.minimum(add_up(levels, self.slack.loss), 0.0)).upper
        upper = np.minimum(add_up(high, mass), 0.0)
        return Bracket(add_down(low, -mass), upper, upper)

    def _sure_power(self, levels: Array) -> Array:
        """Log of what the power is at least by Chernoff's bound, which is nearly 1 where the datasets are far apart."""
        # The losses above t = -log level have at most this level, and those below at most M(-s) e^{st} for every s > 0.
        # Of the losses above any t, Q has at most M(c) e^{-(1 + c) t}: where that is the level, t may be far lower.
        try:
            exact, rounding = self.composition.log_mgf_and_growth(LEFT_TILTS.astype(np.complex128))
        except contour.TooManyNodes as refused:
            rule = "must be that of losses which an integral can follow"
            nodes = f"losses that take {refused.nodes:,.0f} nodes"
            raise TooCostly(
                "the power", rule, nodes, "Ask about more noise: with so little, nothing is hidden."
            ) from refused
        highest = exact.real + rounding + 8 * ULP * (1 + np.abs(exact.real)) + self.slack.mass
        wanted = add_up(-levels, self.slack.loss + self.slack.mass)[:, None]
        closest = np.min((highest + wanted) / (1 + LEFT_TILTS), axis=1)
        losses = np.minimum(wanted[:, 0], closest + 16 * ULP * np.abs(closest))
        slopes = LEFT_TILTS * losses[:, None]
        missed = np.min(highest - slopes + 8 * ULP * np.abs(slopes), axis=1)
        return np.asarray(log1mexp(np.minimum(missed, 0.0)) - 8 * ULP)

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta, looked for on finer and finer grids."""
        wanted = np.asarray(log_deltas, dtype=np.float64)
        found = [_inverted(self, target) for target in wanted.ravel()]
        return Bracket(*(np.array([each[side] for each in found]).reshape(wanted.shape) for side in range(3)))

    def log_level(self, log_powers: ArrayLike) -> Bracket:
        """Log of the smallest level at which the power reaches each power, by its log."""
        return curves.log_level_by_profile(self, np.minimum(np.asarray(log_powers, dtype=np.float64), 0.0))

    def log_crossing(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest power that is at least e^epsilon times its level, at each epsilon."""
        return curves.log_crossing_by_profile(self, np.asarray(epsilons, dtype=np.float64))

    def reverse(self) -> ComposedLoss:
        """The composition with both datasets exchanged; itself where every part is symmetric."""
        turned = self.composition.reverse()
        return self if turned.counts == self.composition.counts else replace(self, composition=turned)

    def __repr__(self) -> str:
        """A short description: kinds can be many."""
        copies = sum(self.composition.counts.values())
        return f"<ComposedLoss: {copies} mechanisms of {len(self.composition.counts)} kinds>"


def _falling(found: Bracket, t: Array) -> Bracket:
    """Bounds on something that falls in t: what bounds it from above at one place does so further on as well."""
    order = np.argsort(t, axis=None)
    lower, mid, upper = (end.copy() for end in found.ends)
    upper.flat[order] = np.minimum.accumulate(upper.flat[order])
    lower.flat[order[::-1]] = np.maximum.accumulate(lower.flat[order[::-1]])
    return Bracket(lower, np.clip(mid, lower, upper), upper)


def _with_ends(values: Array, ask: Callable[[Array], Bracket], infinite: Bracket) -> Bracket:
    """The answers for the finite values, and the known ones at infinity: 1 on the left."""
    finite = np.isfinite(values)
    bounds = [np.where(values > 0, end, 0.0) for end in infinite.ends]
    if finite.any():
        answer = ask(values[finite])
        for known, part in zip(bounds, answer.ends, strict=True):
            known[finite] = part
    return Bracket(*bounds)


def _inverted(loss: ComposedLoss, log_delta: float) -> tuple[float, float, float]:
    """Bounds on the smallest epsilon >= 0 with D(epsilon) <= delta, and an estimate between them."""
    if log_delta == loss.log_infinity == -np.inf and loss.has_top:  # just from there on the profile is 0
        least = float(add_down(loss.composition.highest_loss[0], -loss.slack.loss))
        return max(least, 0.0), loss.largest_loss, loss.largest_loss
    infinite = loss.infinite
    if infinite.lower <= log_delta <= infinite.upper and math.isfinite(loss.log_infinity):
        # It cannot be told whether any epsilon is enough. One for a larger delta is no larger.
        lower, epsilon, _ = _inverted(loss, float(loss.log_infinity + 4 * (infinite.upper - infinite.lower)))
        return lower, epsilon, np.inf
    if infinite.lower > log_delta:
        return np.inf, np.inf, np.inf
    highest = large_enough(loss, log_delta)
    if hopeless(loss, highest) and not loss.strict:
        enough = epsilon_by_chernoff(loss, log_delta)
        return 0.0, min(highest, enough), enough
    at_zero = float(contour.delta_estimate(loss.composition, np.zeros(1))[0])
    if at_zero < log_delta + CLEARLY and loss.log_delta(0.0).upper <= log_delta:
        return 0.0, 0.0, 0.0
    if np.isinf(highest):  # delta is 0 and the loss has no bound
        return highest, highest, highest
    return _checked_forwards(loss, log_delta, _estimated(loss, log_delta, highest))


def _estimated(loss: ComposedLoss, log_delta: float, highest: float) -> float:
    """The epsilon at which D is delta, up to a part that is far below the width: nothing here is certain."""
    rough = replace(loss, relative_width=ROUGH, slack=EXACT, strict=False)
    near = NEAR * contour.scale_of(loss.composition)
    low, high = _crossing(lambda t: contour.delta_estimate(loss.composition, t), log_delta, 0.0, highest, near)
    t = np.linspace(max(low - near, 0.0), min(high + near, highest), GRID)
    logs = rough.log_delta(t).mid
    if not logs[0] > log_delta >= logs[-1]:  # the estimate leads nowhere
        return _crossing(lambda t: rough.log_delta(t).mid, log_delta, 0.0, highest, CLOSE * highest)[1]
    first = int(np.argmax(logs <= log_delta))
    cell = float(t[first] - t[first - 1])
    closely = _read_backwards(t, logs, log_delta, first) + cell * INSIDE
    logs = rough.log_delta(closely).mid
    if logs[0] > log_delta >= logs[-1]:
        return float(np.interp(-log_delta, -logs, closely))
    ends = float(t[first - 1]), float(t[first])
    return _crossing(lambda t: rough.log_delta(t).mid, log_delta, *ends, CLOSE * ends[1])[1]


def _read_backwards(t: Array, logs: Array, log_delta: float, first: int) -> float:
    """Where the cubic t(log D) through the four points next to the crossing has delta; or the crossing itself."""
    if np.isinf(log_delta):  # the crossing is where the profile ends
        return float(t[first])
    start = min(max(first - 2, 0), len(t) - 4)
    x, y = logs[start : start + 4] - log_delta, t[start : start + 4]
    if not np.all(np.isfinite(x)) or not np.all(np.diff(x) < 0):
        return float(t[first])
    others = [np.delete(x, place) for place in range(4)]
    shares = [float(np.prod(rest / (rest - own))) for own, rest in zip(x, others, strict=True)]
    return float(np.clip(np.dot(shares, y), t[first - 1], t[first]))


def _crossing(
    profile: Callable[[Array], Array], log_delta: float, low: float, high: float, enough: float
) -> tuple[float, float]:
    """The two neighbouring points between which a falling profile crosses delta; it is below at high."""
    for _ in range(MOST_ZOOMS):
        t = np.linspace(low, high, GRID)
        reached = np.append(profile(t[:-1]), -np.inf) <= log_delta
        first = int(np.argmax(reached))
        low, high = float(t[max(first - 1, 0)]), float(t[first])
        if high - low <= enough:
            break
    return low, high


def _checked_forwards(loss: ComposedLoss, log_delta: float, epsilon: float) -> tuple[float, float, float]:
    """The nearest points around an estimate at which the bounds on D are on the right side of delta."""
    pad = 4 * loss.relative_width * max(contour.scale_of(loss.composition) ** 2, 1e-12)
    while pad < 1e6 * (1 + epsilon):
        t = distinct(np.maximum(np.linspace(epsilon - pad, epsilon + pad, GRID), 0.0))
        delta = loss.log_delta(t)
        above, below = np.flatnonzero(delta.upper <= log_delta), np.flatnonzero(delta.lower > log_delta)
        if len(above) and (len(below) or t[0] == 0.0):
            first, last = int(above[0]), int(below[-1]) if len(below) else 0
            lower = float(t[last]) if len(below) else 0.0
            upper = _between(loss, log_delta, t, delta.upper, first)
            return lower, min(max(epsilon, lower), upper), upper
        pad *= 4
    return 0.0, epsilon, np.inf


def _between(loss: ComposedLoss, log_delta: float, t: Array, uppers: Array, first: int) -> float:
    """An epsilon that is enough, where the first point of a grid that is enough is not the first of all.

    In so short a cell the log of the profile is straight: what is enough is looked for a hair beyond where it crosses.
    """
    if first == 0 or not np.all(np.isfinite(uppers[first - 1 : first + 1])):
        return float(t[first])
    share = (uppers[first - 1] - log_delta) / (uppers[first - 1] - uppers[first])
    closely = t[first - 1] + np.clip(share + HAIRS, 0.0, 1.0) * (t[first] - t[first - 1])
    enough = closely[loss.log_delta(closely).upper <= log_delta]
    return float(np.min(enough, initial=t[first]))
