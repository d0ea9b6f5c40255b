"""Level against power: Figures 2, 6, 10, 12 and 14."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from whit.papers.figures.kaa22.lines import (
    ADDED,
    ANY_NOISE,
    AS_PRINTED,
    ITSELF,
    LOWER,
    UPPER,
    Line,
    difference,
    printed,
)
from whit.papers.kaa22.noise import EVERYTHING, exact, exposure
from whit.plans import census_2020
from whit.semantics import testing
from whit.telling.plots import Axis, Panel, Picture, panels

LEVELS = np.unique(np.concatenate([[0.001, 0.005, 0.015], np.linspace(0.0, 1.0, 51), [0.01, 0.05]]))
"""Where the lines are worked out, with the levels that are printed."""

_SMALL = np.unique(np.concatenate([[0.001, 0.0025, 0.005], np.linspace(0.0, 0.2, 21)]))
_LEVEL, _POWER = Axis("level: false alarms", 0.0, 1.0), Axis("power: hits", 0.0, 1.0)
_GAUSSIAN = "Gaussian noise"


def figure_2() -> Picture:
    """Everything about one person, with the noise that was simulated."""
    title = "KAA22 Figure 2: level and power, everything about one person (rho 2.63)"
    caption = (
        "Left: Gaussian noise, any noise with this rho, and the discrete noise, which the paper drew a million times "
        "and which is composed exactly here. Right: bounds on what is left between the two kinds of noise, about a "
        "millionth part of the error that such a simulation has."
    )
    return panels([_three(2, EVERYTHING), _apart(EVERYTHING, (-2.0, 1.0), 41)], title=title, caption=caption)


def figure_6() -> Picture:
    """The block within the custom block group, with the noise that was simulated."""
    title = "KAA22 Figure 6: level and power, the block within the block group (rho 0.1115)"
    caption = (
        "Left: as Figure 2, for the queries at the level of blocks. Right: bounds on what is left between discrete and "
        "Gaussian noise. The losses of these queries lie on a lattice, so that it is not nothing: at some levels both "
        "bounds are below 0."
    )
    return panels([_three(6, "A"), _apart("A", (-0.2, 0.1), 17)], title=title, caption=caption)


def figure_10() -> Picture:
    """The block within the tract."""
    title = "KAA22 Figure 10: level and power, the block within the tract (rho 0.926)"
    caption = (
        "Left: Gaussian noise. Right: the same at small levels, with the discrete noise itself, exactly composed, and "
        "the bound for any noise with this rho."
    )
    lines = {
        **printed(10, _SMALL),
        ITSELF: (_SMALL, testing.power(exact("B"), _SMALL).value),
        ANY_NOISE: (_SMALL, testing.power(exposure("B").zcdp, _SMALL).value),
    }
    return panels(
        [Panel(AS_PRINTED, _LEVEL, _POWER, printed(10, LEVELS)), _at_small_levels(lines)], title=title, caption=caption
    )


def figure_12() -> Picture:
    """Race, and the block within the tract."""
    return _by_tables(12, "E", "race, and the block within the tract")


def figure_14() -> Picture:
    """Voting age, and the block within the custom block group."""
    return _by_tables(14, "F", "voting age, and the block within the block group")


def _by_tables(number: int, letter: str, about: str) -> Picture:
    """A scenario whose printed rho is not that of the tables."""
    rho, said = float(exposure(letter).rho), float(census_2020.PRINTED_RHOS[letter])
    title = f"KAA22 Figure {number}: level and power, {about} (Scenario {letter})"
    caption = (
        f"Left: Gaussian noise at the printed rho {said:g}. Tables 3 to 5 give rho {rho:.4f} (erratum 004.2). "
        "Right: the discrete noise itself at that rho, exactly composed, at small levels."
    )
    lines = {
        **printed(number, _SMALL, {_GAUSSIAN: f"printed rho {said:g}"}),
        f"rho of the tables {rho:.4f}": (_SMALL, testing.power(exact(letter), _SMALL).value),
    }
    left = Panel(AS_PRINTED, _LEVEL, _POWER, printed(number, LEVELS, {_GAUSSIAN: f"printed rho {said:g}"}))
    return panels([left, _at_small_levels(lines)], title=title, caption=caption)


def _three(number: int, concern: str) -> Panel:
    """Gaussian noise, any noise, and the discrete noise."""
    lines = printed(number, LEVELS) | {ITSELF: (LEVELS, testing.power(exposure(concern).release, LEVELS).value)}
    return Panel(AS_PRINTED, _LEVEL, _POWER, lines)


def _apart(concern: str, ends: tuple[float, float], points: int) -> Panel:
    """How far the power against the discrete noise is from that against Gaussian noise of the same variance."""
    at = np.linspace(0.0, 1.0, points) ** 1.5
    found = testing.power(exact(concern), at), testing.power(exposure(concern).continuous, at)
    lower, upper = difference(*found)
    axis = Axis("discrete minus Gaussian, in billionths", *ends)
    return Panel(f"{ADDED}: the difference", _LEVEL, axis, {UPPER: (at, upper), LOWER: (at, lower)})


def _at_small_levels(lines: Mapping[str, Line]) -> Panel:
    return Panel(f"{ADDED}, at small levels", Axis(_LEVEL.title, 0.0, 0.2), _POWER, lines)


FIGURES: Mapping[int, Callable[[], Picture]] = {
    2: figure_2,
    6: figure_6,
    10: figure_10,
    12: figure_12,
    14: figure_14,
}
"""What draws each of these figures."""
