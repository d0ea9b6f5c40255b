"""Epsilon against delta: Figures 1, 3 to 5, 7 to 9, 11, 13 and 15.

In Figures 3 and 7 the ratio of the posteriors is that of any one record, for somebody who knows everyone else; in
Figures 5 and 9 that of the true record, whatever is believed of everyone else; and the others show pbdp, the chance
that anything made of the output raises the odds by more than e^epsilon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from whit.papers.figures.kaa22.lines import (
    ADDED,
    ANY_NOISE,
    AS_PRINTED,
    ITSELF,
    LOWER,
    SHARPER,
    UNPROCESSED,
    UPPER,
    Array,
    Line,
    difference,
    noise_itself,
    printed,
)
from whit.papers.kaa22.noise import EVERYTHING, exact, exposure
from whit.plans import census_2020
from whit.semantics import testing
from whit.semantics.counterfactual import Record, ratio_exceeded
from whit.setting import Knowledge
from whit.telling.plots import Axis, Panel, Picture, panels

_WIDE, _NARROW, _MIDDLE = np.linspace(0.0, 14.0, 57), np.linspace(0.0, 2.0, 41), np.linspace(0.0, 8.0, 81)
_DELTA, _LOG_DELTA = Axis("delta", 0.0, 1.0), Axis("delta", 1e-8, 1.0, log=True)
_RATIO = {Record.ANY: Knowledge.EVERYONE_ELSE, Record.TRUE: Knowledge.ANY_BELIEF}
_PBDP = "pbdp, Gaussian noise"


@dataclass(frozen=True)
class Shown:
    """What a figure is about: its number, the concern, the rho that is printed, and where its lines are worked out."""

    number: int
    concern: str
    rho: str
    at: Array

    @property
    def x(self) -> Axis:
        """The axis of epsilon."""
        return Axis("epsilon", 0.0, float(self.at[-1]))

    @property
    def about(self) -> str:
        """The concern in words."""
        words = {
            "A": "the block within the block group",
            "B": "the block within the tract",
            "E": "race, and the block within the tract (Scenario E)",
            "F": "voting age, and the block within the block group (Scenario F)",
        }
        return words.get(self.concern, "everything about one person")

    def left(self, names: Mapping[str, str] | None = None) -> Panel:
        """The figure of the paper."""
        return Panel(AS_PRINTED, self.x, _DELTA, printed(self.number, self.at, names))

    def right(self, y: Axis, lines: Mapping[str, Line], title: str = ADDED) -> Panel:
        """What is added."""
        return Panel(title, self.x, y, lines)

    def titled(self, words: str) -> str:
        """The title of the picture."""
        return f"KAA22 Figure {self.number}: {words}, {self.about} (rho {self.rho})"


def figure_1() -> Picture:
    """Approximate DP, pbdp and the bound by rho, for Gaussian noise."""
    shown = Shown(1, EVERYTHING, "2.63", _WIDE)
    names = {"pbdp": _PBDP, "approximate DP": "approximate DP, Gaussian"}
    caption = (
        "Left: what Gaussian noise promises in two ways, and what any noise with this rho does; the variance of that "
        "noise is 1/5.26, not 1/2.63 (erratum 004.4). Right, by powers of ten: a sharper bound for any noise, and "
        "the discrete noise that was used, exactly composed, with and without processing of its output."
    )
    return panels(
        [shown.left(names), shown.right(_LOG_DELTA, {ANY_NOISE: printed(5, _WIDE)["any belief"], **_noises(shown)})],
        title=shown.titled("delta at each epsilon"),
        caption=caption,
    )


def figure_3() -> Picture:
    """Theorem 7.3 for everything."""
    return _ratio(Shown(3, EVERYTHING, "2.63", _WIDE), Record.ANY, _LOG_DELTA)


def figure_4() -> Picture:
    """Theorem 7.4 for everything: the curve of pbdp, and how far the discrete noise is from it."""
    shown = Shown(4, EVERYTHING, "2.63", _WIDE)
    at = np.linspace(0.04, 0.96, 24)
    found = exact(EVERYTHING).bounded_epsilon(at), exposure(EVERYTHING).continuous.bounded_epsilon(at)
    lower, upper = difference(*found)
    caption = (
        "Left: Gaussian noise. Right: how far the epsilon of the discrete noise that was used is from it, at each "
        "delta. The paper supposes that they are almost the same (Section 5.2.1): they are, to seven billionths."
    )
    axes = Axis("delta", 0.0, 1.0), Axis("discrete minus Gaussian epsilon, in billionths", -8.0, 8.0)
    right = Panel(f"{ADDED}: the difference", *axes, {UPPER: (at, upper), LOWER: (at, lower)})
    return panels([shown.left({"pbdp": _PBDP}), right], title=shown.titled("the curve of pbdp"), caption=caption)


def figure_5() -> Picture:
    """Theorem 7.5 for everything."""
    return _ratio(Shown(5, EVERYTHING, "2.63", _WIDE), Record.TRUE, _DELTA)


def figure_7() -> Picture:
    """Theorem 7.3 for the block within the custom block group."""
    return _ratio(Shown(7, "A", "0.1115", _NARROW), Record.ANY, _LOG_DELTA)


def figure_8() -> Picture:
    """Theorem 7.4 for the block within the custom block group."""
    return _pbdp(Shown(8, "A", "0.1115", _NARROW))


def figure_9() -> Picture:
    """Theorem 7.5 for the block within the custom block group."""
    return _ratio(Shown(9, "A", "0.1115", _NARROW), Record.TRUE, _DELTA)


def figure_11() -> Picture:
    """Theorem 7.4 for the block within the tract."""
    return _pbdp(Shown(11, "B", "0.926", _MIDDLE))


def figure_13() -> Picture:
    """Theorem 7.4 for Scenario E."""
    return _by_tables(Shown(13, "E", "1.32", _MIDDLE))


def figure_15() -> Picture:
    """Theorem 7.4 for Scenario F."""
    return _by_tables(Shown(15, "F", "0.555", _MIDDLE))


def _noises(shown: Shown) -> dict[str, Line]:
    """Any noise with this rho, the discrete noise itself, and the same without processing."""
    exposed = exposure(shown.concern)
    return {
        SHARPER: (shown.at, exposed.zcdp.bounded_delta(shown.at).value),
        ITSELF: noise_itself(shown.concern),
        UNPROCESSED: (shown.at, testing.own_tail(exposed.release, shown.at).value),
    }


def _pbdp(shown: Shown) -> Picture:
    """The curve of pbdp beside what any noise, and the noise itself, have."""
    caption = (
        "Left: Gaussian noise. Right: the discrete noise itself, exactly composed, which lies on the line of the left; "
        "the chance if nobody processes the output any further; and a bound for any noise with this rho."
    )
    words = shown.titled("the curve of pbdp")
    return panels([shown.left({"pbdp": _PBDP}), shown.right(_DELTA, _noises(shown))], title=words, caption=caption)


def _ratio(shown: Shown, record: Record, y: Axis) -> Picture:
    """A theorem on the ratio of the posteriors, beside what sharper bounds and the known noise give."""
    exposed, factors = exposure(shown.concern), np.exp(shown.at)
    [line] = printed(shown.number, shown.at).values()
    theorem = "Theorem 7.3" if record is Record.ANY else "Theorem 7.5"
    any_noise = ratio_exceeded(exposed.zcdp, factors, record=record, knows=_RATIO[record]).value
    lines: dict[str, Line] = {theorem: line, SHARPER: (shown.at, any_noise)}
    if record is Record.TRUE:  # the chance is that of the curve of pbdp, which holds for mixtures over everyone else
        lines[ITSELF] = noise_itself(shown.concern)
    else:
        known = ratio_exceeded(exposed.release, factors, record=record, knows=_RATIO[record]).value
        lines[ITSELF] = shown.at, np.minimum(known, any_noise)  # both hold
    left = Panel(AS_PRINTED, shown.x, _DELTA, {theorem: line})
    return panels([left, shown.right(y, lines)], title=shown.titled(_asked(record)), caption=_ratio_caption(record))


def _asked(record: Record) -> str:
    return f"a posterior e^epsilon times as large, {'any' if record is Record.ANY else 'the true'} record"


def _ratio_caption(record: Record) -> str:
    who = {
        Record.ANY: "any one record, for somebody who knows everyone else; up to rho it is e^-epsilon (erratum 004.8)",
        Record.TRUE: "the true record, for somebody who may believe anything of everyone else",
    }
    return (
        "Left: a bound for any noise with this rho on the chance that the posterior exceeds by that factor the one "
        f"without the person's record, of {who[record]}. Right: a sharper bound for any such noise, and the discrete "
        "noise that was used, exactly composed."
    )


def _by_tables(shown: Shown) -> Picture:
    """A scenario whose printed rho is not that of the tables."""
    rho = float(exposure(shown.concern).rho)
    names = {"pbdp": f"printed rho {float(census_2020.PRINTED_RHOS[shown.concern]):g}"}
    caption = (
        f"Left: Gaussian noise at the printed rho {shown.rho}. Tables 3 to 5 give rho {rho:.4f} (erratum 004.2). "
        "Right: the discrete noise itself at that rho, exactly composed."
    )
    lines = {**printed(shown.number, shown.at, names), f"rho of the tables {rho:.4f}": noise_itself(shown.concern)}
    words = f"KAA22 Figure {shown.number}: the curve of pbdp, {shown.about}"
    return panels([shown.left(names), shown.right(_DELTA, lines)], title=words, caption=caption)


FIGURES: Mapping[int, Callable[[], Picture]] = {
    1: figure_1,
    3: figure_3,
    4: figure_4,
    5: figure_5,
    7: figure_7,
    8: figure_8,
    9: figure_9,
    11: figure_11,
    13: figure_13,
    15: figure_15,
}
"""What draws each of these figures."""
