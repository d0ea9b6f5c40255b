"""Figures 1 to 15 of Kifer and others (2022), each beside what the exact noise and sharper bounds add.

On the left stands the figure of the paper: the same promise, at the rho that is printed. Where a figure has no scale of
its own in the text, the axes reach to where its lines have come to nothing.

Figures 2, 6, 10, 12 and 14 show level against power, the others epsilon against delta. In Figures 3 and 7 the ratio of
the posteriors is that of any one record, for somebody who knows everyone else; in Figures 5 and 9 that of the true
record, whatever is believed of everyone else; and the others show pbdp, the chance that anything made of the output
raises the odds by more than e^epsilon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array
from whit.numerics import add_down, add_up
from whit.papers.kaa22_census import EVERYTHING, PRINTED_RHOS, concentrated, exact, exposure, gaussian
from whit.semantics import testing
from whit.semantics.counterfactual import Record, ratio_exceeded
from whit.setting import Knowledge
from whit.telling.plots import Axis, Panel, Picture, panels
from whit.theory import Finding

Line: TypeAlias = tuple[ArrayLike, ArrayLike | Finding]

AS_PRINTED = "As the paper has it"
ADDED = "What whit adds"

GAUSSIAN = "Gaussian noise"
PBDP = "pbdp, Gaussian noise"
ANY_NOISE = "any noise with this rho"
SHARPER = "any noise, sharper bound"
ITSELF = "the discrete noise itself"
UNPROCESSED = "the same without processing"
UPPER, LOWER = "at most", "at least"

LEVELS = np.unique(np.concatenate([[0.001, 0.005, 0.015], np.linspace(0.0, 1.0, 51), [0.01, 0.05]]))
"""Where the powers are worked out, with the levels that are printed."""

_SMALL = np.unique(np.concatenate([[0.001, 0.0025, 0.005], np.linspace(0.0, 0.2, 21)]))
_LEVEL, _POWER = Axis("level: false alarms", 0.0, 1.0), Axis("power: hits", 0.0, 1.0)

_WIDE, _NARROW, _MIDDLE = np.linspace(0.0, 14.0, 57), np.linspace(0.0, 2.0, 41), np.linspace(0.0, 8.0, 81)
_DELTA, _LOG_DELTA = Axis("delta", 0.0, 1.0), Axis("delta", 1e-8, 1.0, log=True)
_ENDS = [0.01, 3e-3, 1e-3, 1e-4, 1e-6, 1e-8], [1.0, 0.9999, 0.999, 0.995, 0.99]
_DELTAS = np.concatenate([_ENDS[1], np.linspace(0.98, 0.02, 25), _ENDS[0]])

_ABOUT = {
    EVERYTHING: "everything about one person",
    "A": "the block within the block group",
    "B": "the block within the tract",
    "E": "race, and the block within the tract (Scenario E)",
    "F": "voting age, and the block within the block group (Scenario F)",
}


@dataclass(frozen=True)
class Shown:
    """What a figure shows, and whose concern it is about."""

    number: int
    concern: str

    @property
    def rho(self) -> Fraction:
        """The rho that is printed."""
        return PRINTED_RHOS[self.concern]

    def picture(self, what: str, left: Panel, right: Panel, caption: str) -> Picture:
        """The figure of the paper, and what is added."""
        about = _ABOUT[self.concern]
        rho = "" if "Scenario" in about else f" (rho {float(self.rho):g})"
        return panels([left, right], title=f"KAA22 Figure {self.number}: {what}, {about}{rho}", caption=caption)


@cache
def noise_itself(concern: str) -> Line:
    """The curve of pbdp of the discrete Gaussian noise, exactly composed: to each delta the epsilon, rounded up."""
    found = exposure(concern).release.bounded_epsilon(_DELTAS)
    return np.asarray(found.value), _DELTAS


def difference(one: Finding, other: Finding) -> tuple[Array, Array]:
    """Bounds on one answer minus another, in billionths: at least and at most."""
    lower = add_down(np.asarray(one.lower), -np.asarray(other.value))
    upper = add_up(np.asarray(one.value), -np.asarray(other.lower))
    return np.nextafter(lower * 1e9, -np.inf), np.nextafter(upper * 1e9, np.inf)


def _apart(at: Array, one: Finding, other: Finding, x: Axis, y: Axis) -> Panel:
    """How far the discrete noise is from Gaussian noise of the same variance."""
    lower, upper = difference(one, other)
    return Panel(f"{ADDED}: the difference", x, y, {UPPER: (at, upper), LOWER: (at, lower)})


def _power(shown: Shown, at: Array) -> Line:
    """The power against Gaussian noise at the printed rho."""
    return at, gaussian(shown.rho).power(at).value


def _simulated(shown: Shown, caption: str, ends: tuple[float, float], points: int) -> Picture:
    """Level and power with the noise that the paper simulated, and its distance from Gaussian noise."""
    exposed = exposure(shown.concern)
    lines: dict[str, Line] = {
        GAUSSIAN: _power(shown, LEVELS),
        ANY_NOISE: (LEVELS, concentrated(shown.rho).power(LEVELS).value),
        ITSELF: (LEVELS, testing.power(exposed.release, LEVELS).value),
    }
    at = np.linspace(0.0, 1.0, points) ** 1.5
    found = testing.power(exact(shown.concern), at), testing.power(exposed.continuous, at)
    right = _apart(at, *found, _LEVEL, Axis("discrete minus Gaussian, in billionths", *ends))
    return shown.picture("level and power", Panel(AS_PRINTED, _LEVEL, _POWER, lines), right, caption)


def _at_small_levels(lines: Mapping[str, Line]) -> Panel:
    return Panel(f"{ADDED}, at small levels", Axis(_LEVEL.title, 0.0, 0.2), _POWER, lines)


def _names(shown: Shown) -> tuple[str, str, str]:
    """The names of the two rhos of a scenario whose printed rho is not that of the tables, and what to say of it."""
    printed, rho = f"{float(shown.rho):g}", f"{float(exposure(shown.concern).rho):.4f}"
    caption = (
        f"Left: Gaussian noise at the printed rho {printed}. Tables 3 to 5 give rho {rho} (erratum 004.2). "
        "Right: the discrete noise itself at that rho, exactly composed"
    )
    return f"printed rho {printed}", f"rho of the tables {rho}", caption


def _power_by_tables(shown: Shown) -> Picture:
    """Level and power of a scenario whose printed rho is not that of the tables."""
    printed, tables, caption = _names(shown)
    left = Panel(AS_PRINTED, _LEVEL, _POWER, {printed: _power(shown, LEVELS)})
    itself = testing.power(exact(shown.concern), _SMALL).value
    right = _at_small_levels({printed: _power(shown, _SMALL), tables: (_SMALL, itself)})
    return shown.picture("level and power", left, right, f"{caption}, at small levels.")


def _pbdp_by_tables(shown: Shown, at: Array) -> Picture:
    """The curve of pbdp of a scenario whose printed rho is not that of the tables."""
    printed, tables, caption = _names(shown)
    left = _left(at, {printed: _pbdp_line(shown, at)})
    right = Panel(ADDED, left.x, _DELTA, {**left.lines, tables: noise_itself(shown.concern)})
    return shown.picture("the curve of pbdp", left, right, f"{caption}.")


def _pbdp_line(shown: Shown, at: Array) -> Line:
    return at, gaussian(shown.rho).bounded_delta(at).value


def _left(at: Array, lines: Mapping[str, Line]) -> Panel:
    """The figure of the paper, of epsilon against delta."""
    return Panel(AS_PRINTED, Axis("epsilon", 0.0, float(at[-1])), _DELTA, lines)


def _noises(shown: Shown, at: Array) -> dict[str, Line]:
    """Any noise with this rho, the discrete noise itself, and the same without processing."""
    exposed = exposure(shown.concern)
    return {
        SHARPER: (at, exposed.zcdp.bounded_delta(at).value),
        ITSELF: noise_itself(shown.concern),
        UNPROCESSED: (at, testing.own_tail(exposed.release, at).value),
    }


def _pbdp(shown: Shown, at: Array) -> Picture:
    """The curve of pbdp beside what any noise, and the noise itself, have."""
    caption = (
        "Left: Gaussian noise. Right: the discrete noise itself, exactly composed, which lies on the line of the left; "
        "the chance if nobody processes the output any further; and a bound for any noise with this rho."
    )
    left = _left(at, {PBDP: _pbdp_line(shown, at)})
    return shown.picture("the curve of pbdp", left, Panel(ADDED, left.x, _DELTA, _noises(shown, at)), caption)


def _ratio(shown: Shown, at: Array, *, any_record: bool) -> Picture:
    """A theorem on the ratio of the posteriors, beside what sharper bounds and the known noise give."""
    exposed, factors, promise = exposure(shown.concern), np.exp(at), concentrated(shown.rho)
    record, knows = (Record.ANY, Knowledge.EVERYONE_ELSE) if any_record else (Record.TRUE, Knowledge.ANY_BELIEF)
    sharper = ratio_exceeded(exposed.zcdp, factors, record=record, knows=knows).value
    if any_record:
        theorem, which, printed = "Theorem 7.3", "any", promise.lower_tail(at)
        whose = "any one record, for somebody who knows everyone else; up to rho it is e^-epsilon (erratum 004.8)"
        known = ratio_exceeded(exposed.release, factors, record=record, knows=knows).value
        itself: Line = (at, np.minimum(known, sharper))  # both hold
    else:
        theorem, which, printed = "Theorem 7.5", "the true", promise.tail(at)
        whose = "the true record, for somebody who may believe anything of everyone else"
        # The chance is that of the curve of pbdp, which holds for mixtures over everyone else.
        itself = noise_itself(shown.concern)
    caption = (
        "Left: a bound for any noise with this rho on the chance that the posterior exceeds by that factor the one "
        f"without the person's record, of {whose}. Right: a sharper bound for any such noise, and the discrete "
        "noise that was used, exactly composed."
    )
    left = _left(at, {theorem: (at, printed.value)})
    lines = {**left.lines, SHARPER: (at, sharper), ITSELF: itself}
    right = Panel(ADDED, left.x, _LOG_DELTA if any_record else _DELTA, lines)
    return shown.picture(f"a posterior e^epsilon times as large, {which} record", left, right, caption)


def figure_1() -> Picture:
    """Approximate DP, pbdp and the bound by rho, for Gaussian noise."""
    shown, at = Shown(1, EVERYTHING), _WIDE
    any_noise: Line = (at, concentrated(shown.rho).tail(at).value)
    approximate: Line = (at, gaussian(shown.rho).delta(at).value)
    left = _left(at, {"approximate DP, Gaussian": approximate, PBDP: _pbdp_line(shown, at), ANY_NOISE: any_noise})
    caption = (
        "Left: what Gaussian noise promises in two ways, and what any noise with this rho does; the variance of that "
        "noise is 1/5.26, not 1/2.63 (erratum 004.4). Right, by powers of ten: a sharper bound for any noise, and "
        "the discrete noise that was used, exactly composed, with and without processing of its output."
    )
    right = Panel(ADDED, left.x, _LOG_DELTA, {ANY_NOISE: any_noise, **_noises(shown, at)})
    return shown.picture("delta at each epsilon", left, right, caption)


def figure_2() -> Picture:
    """Everything about one person, with the noise that was simulated."""
    caption = (
        "Left: Gaussian noise, any noise with this rho, and the discrete noise, which the paper drew a million times "
        "and which is composed exactly here. Right: bounds on what is left between the two kinds of noise, about a "
        "millionth part of the error that such a simulation has."
    )
    return _simulated(Shown(2, EVERYTHING), caption, (-2.0, 1.0), 41)


def figure_4() -> Picture:
    """Theorem 7.4 for everything: the curve of pbdp, and how far the discrete noise is from it."""
    shown = Shown(4, EVERYTHING)
    at = np.linspace(0.04, 0.96, 24)
    found = exact(EVERYTHING).bounded_epsilon(at), exposure(EVERYTHING).continuous.bounded_epsilon(at)
    caption = (
        "Left: Gaussian noise. Right: how far the epsilon of the discrete noise that was used is from it, at each "
        "delta. The paper supposes that they are almost the same (Section 5.2.1): they are, to seven billionths."
    )
    right = _apart(at, *found, _DELTA, Axis("discrete minus Gaussian epsilon, in billionths", -8.0, 8.0))
    return shown.picture("the curve of pbdp", _left(_WIDE, {PBDP: _pbdp_line(shown, _WIDE)}), right, caption)


def figure_6() -> Picture:
    """The block within the custom block group, with the noise that was simulated."""
    caption = (
        "Left: as Figure 2, for the queries at the level of blocks. Right: bounds on what is left between discrete and "
        "Gaussian noise. The losses of these queries lie on a lattice, so that it is not nothing: at some levels both "
        "bounds are below 0."
    )
    return _simulated(Shown(6, "A"), caption, (-0.2, 0.1), 17)


def figure_10() -> Picture:
    """The block within the tract."""
    shown = Shown(10, "B")
    caption = (
        "Left: Gaussian noise. Right: the same at small levels, with the discrete noise itself, exactly composed, and "
        "the bound for any noise with this rho."
    )
    lines: dict[str, Line] = {
        GAUSSIAN: _power(shown, _SMALL),
        ITSELF: (_SMALL, testing.power(exact("B"), _SMALL).value),
        ANY_NOISE: (_SMALL, testing.power(exposure("B").zcdp, _SMALL).value),
    }
    left = Panel(AS_PRINTED, _LEVEL, _POWER, {GAUSSIAN: _power(shown, LEVELS)})
    return shown.picture("level and power", left, _at_small_levels(lines), caption)


FIGURES: Mapping[int, Callable[[], Picture]] = {
    1: figure_1,
    2: figure_2,
    3: lambda: _ratio(Shown(3, EVERYTHING), _WIDE, any_record=True),
    4: figure_4,
    5: lambda: _ratio(Shown(5, EVERYTHING), _WIDE, any_record=False),
    6: figure_6,
    7: lambda: _ratio(Shown(7, "A"), _NARROW, any_record=True),
    8: lambda: _pbdp(Shown(8, "A"), _NARROW),
    9: lambda: _ratio(Shown(9, "A"), _NARROW, any_record=False),
    10: figure_10,
    11: lambda: _pbdp(Shown(11, "B"), _MIDDLE),
    12: lambda: _power_by_tables(Shown(12, "E")),
    13: lambda: _pbdp_by_tables(Shown(13, "E"), _MIDDLE),
    14: lambda: _power_by_tables(Shown(14, "F")),
    15: lambda: _pbdp_by_tables(Shown(15, "F"), _MIDDLE),
}
"""What draws each figure."""
