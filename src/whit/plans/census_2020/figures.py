"""The numbers behind Figures 1 to 15: epsilon against delta, and level against power.

Each figure is about all of a record or about one scenario. Where the printed rho is not that of the tables, the figure
has every line twice, at the printed rho and at the one that follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import UnknownKey
from whit.guarantees import GaussianDP, ZeroConcentratedDP
from whit.plans.census_2020.scenarios import PRINTED_RHOS, SCENARIOS, plan
from whit.plans.concern import Concern, WholeRecord
from whit.plans.exact import nearest_up, root
from whit.plans.exposure import Exposure, expose
from whit.setting import Neighbours
from whit.theory import Finding

Answer = Finding
Line = Callable[[Fraction, ArrayLike], Answer]


def gaussian(rho: Fraction) -> GaussianDP:
    """What Gaussian noise with this rho promises, its mu rounded up.

    >>> print(gaussian(Fraction("0.926")).power(0.05))
    power of the best test is at most 38.9 %
    """
    return GaussianDP(math.nextafter(root(2 * rho), math.inf), neighbours=Neighbours.REPLACE)


def _concentrated(rho: Fraction) -> ZeroConcentratedDP:
    return ZeroConcentratedDP(nearest_up(rho), neighbours=Neighbours.REPLACE)


_APPROXIMATE: Line = lambda rho, at: gaussian(rho).delta(at)  # noqa: E731
_BOUNDED: Line = lambda rho, at: gaussian(rho).bounded_delta(at)  # noqa: E731
_TAIL: Line = lambda rho, at: _concentrated(rho).tail(at)  # noqa: E731
_LOWER_TAIL: Line = lambda rho, at: _concentrated(rho).lower_tail(at)  # noqa: E731
_POWER: Line = lambda rho, at: gaussian(rho).power(at)  # noqa: E731
_BOUND: Line = lambda rho, at: _concentrated(rho).power(at)  # noqa: E731

_EPSILONS = tuple(np.linspace(0.0, 14.0, 57).tolist())
_SMALL_EPSILONS = tuple(np.linspace(0.0, 2.0, 41).tolist())
_LEVELS = tuple(np.linspace(0.0, 1.0, 51).tolist())


@dataclass(frozen=True)
class FigureOf:
    """What a figure shows.

    Attributes:
        about: a scenario by its letter, or "" for the whole record.
        axis: what the first axis has, epsilon or level.
        at: the points at which the lines are worked out unless others are given.
        lines: the lines, by what they are of.
        exact: whether the power of the noise itself is shown beside them.
    """

    about: str
    axis: str
    at: tuple[float, ...]
    lines: Mapping[str, Line]
    exact: bool = False

    @property
    def concern(self) -> Concern:
        """The concern that it is about."""
        return SCENARIOS[self.about] if self.about else WholeRecord()

    @property
    def printed_rho(self) -> Fraction:
        """The rho in the text."""
        return PRINTED_RHOS[self.about] if self.about else Fraction("2.63")


def _powers(about: str) -> FigureOf:
    return FigureOf(about, "level", _LEVELS, {"Gaussian noise": _POWER})


def _with_bound(about: str) -> FigureOf:
    lines = {"Gaussian noise": _POWER, "any noise with this rho": _BOUND}
    return FigureOf(about, "level", _LEVELS, lines, exact=True)


def _deltas(about: str, at: tuple[float, ...], **lines: Line) -> FigureOf:
    return FigureOf(about, "epsilon", at, {name.replace("_", " "): line for name, line in lines.items()})


FIGURES: Mapping[int, FigureOf] = MappingProxyType(
    {
        1: _deltas("", _EPSILONS, approximate_DP=_APPROXIMATE, pbdp=_BOUNDED, any_noise_with_this_rho=_TAIL),
        2: _with_bound(""),
        3: _deltas("", _EPSILONS, who_knows_everyone_else=_LOWER_TAIL),
        4: _deltas("", _EPSILONS, pbdp=_BOUNDED),
        5: _deltas("", _EPSILONS, any_belief=_TAIL),
        6: _with_bound("A"),
        7: _deltas("A", _SMALL_EPSILONS, who_knows_everyone_else=_LOWER_TAIL),
        8: _deltas("A", _SMALL_EPSILONS, pbdp=_BOUNDED),
        9: _deltas("A", _SMALL_EPSILONS, any_belief=_TAIL),
        10: _powers("B"),
        11: _deltas("B", _EPSILONS, pbdp=_BOUNDED),
        12: _powers("E"),
        13: _deltas("E", _EPSILONS, pbdp=_BOUNDED),
        14: _powers("F"),
        15: _deltas("F", _EPSILONS, pbdp=_BOUNDED),
    }
)
"""What each figure of the paper shows."""


@dataclass(frozen=True)
class Series:
    """One line of a figure.

    Attributes:
        label: what it is of.
        axis: what the first axis has.
        rho: the rho that it is at.
        printed: whether that is the rho in the text; else it follows from the tables.
        at: the points on the first axis.
        values: the numbers, with what they rest on.
    """

    label: str
    axis: str
    rho: Fraction
    printed: bool
    at: tuple[float, ...]
    values: Answer


def figure(number: int, at: ArrayLike | None = None) -> tuple[Series, ...]:
    """The lines of a figure, at the points given or at those of the paper's axis.

    >>> [(each.label, float(each.rho), each.printed) for each in figure(12, [0.05])]
    [('Gaussian noise', 1.32, True), ('Gaussian noise', 1.3786839275164668, False)]
    """
    if number not in FIGURES:
        raise UnknownKey("a figure", "must be one of the paper's", number, "Use a number from 1 to 15.")
    shown = FIGURES[number]
    points = shown.at if at is None else tuple(np.ravel(np.asarray(at, dtype=np.float64)).tolist())
    exposure = expose(plan(), shown.concern)
    rhos = dict.fromkeys((shown.printed_rho, exposure.exact_rho))
    lines = [
        Series(label, shown.axis, rho, rho == shown.printed_rho, points, line(rho, np.array(points)))
        for rho in rhos
        for label, line in shown.lines.items()
    ]
    return (*lines, *([_exact(shown, exposure, points)] if shown.exact else []))


def _exact(shown: FigureOf, exposure: Exposure, points: tuple[float, ...]) -> Series:
    """The power of the noise itself."""
    powers = exposure.release.power(np.array(points))
    return Series("discrete Gaussian noise", shown.axis, exposure.exact_rho, False, points, powers)
