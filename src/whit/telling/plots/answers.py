"""What is drawn of an answer: the number on the safe side, in its own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from whit.assessment import promise_name
from whit.curves import Promise
from whit.errors import InvalidInput, require
from whit.setting import Neighbours
from whit.telling.plots.style import COLOURS
from whit.theory import Direction, Finding, Unit, number_text

Array = NDArray[np.float64]
Kind = TypeVar("Kind")

_PROMISED = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), or a mapping from names to them."


def safe(answer: Finding) -> Finding:
    """The finding that is drawn: the bound where there is one, else what is known."""
    return answer.bound


def values(finding: Finding) -> Array:
    """The numbers of a finding as one row."""
    return np.atleast_1d(np.asarray(finding.value, dtype=np.float64))


def said(finding: Finding, place: int) -> str:
    """One of the numbers of a finding with its direction, such as at most 73.2 %."""
    number = float(values(finding)[place])
    return f"{finding.direction.value} {number_text(number, finding.direction, finding.quantity.unit)}"


def percent(probability: float) -> str:
    """A probability that was chosen, such as a prior, as text."""
    return number_text(probability, Direction.EXACTLY, Unit.PROBABILITY)


def plain(number: float) -> str:
    """A number that was chosen, such as an epsilon on an axis, as text."""
    return number_text(number, Direction.EXACTLY, Unit.NUMBER)


def direction_of(findings: Sequence[Finding]) -> Direction:
    """The direction of several findings in one picture."""
    return Direction.combine(*(finding.direction for finding in findings))


def certainty(failure: float) -> str:
    """How sure a bound is, as the end of a sentence."""
    return "always" if failure == 0.0 else f"but for a chance of {percent(failure)} over the noise"


def under(neighbours: Neighbours | None) -> str:
    """The relation that was named, as a sentence after others; that of the promise itself needs none."""
    return "" if neighbours is None else f" {neighbours.value}"


def named(promised: Promise | Mapping[str, Promise]) -> dict[str, Promise]:
    """The promises of a picture by name; one promise is named by its parameters."""
    if isinstance(promised, Promise):
        return {promise_name(promised): promised}
    several = mapped(promised)
    good = bool(several) and all(isinstance(each, Promise) for each in several.values())
    if not good:
        rule = "must be a promise, a mechanism or a curve, or a mapping from names to them"
        raise InvalidInput("promised", rule, promised, _PROMISED)
    return {name_of_series(name): each for name, each in few(several).items()}


def mapped(given: object) -> dict[str, Any]:
    """The members of a mapping; none where it is something else."""
    return dict(given) if isinstance(given, Mapping) else {}


def few(several: Mapping[str, Kind]) -> Mapping[str, Kind]:
    """The members, if they can be told apart in one picture."""
    rule = f"must be at most {len(COLOURS)}, which can be told apart"
    way_out = "Draw several pictures."
    good = len(several) <= len(COLOURS)
    require(good, name="the lines of a picture", rule=rule, value=len(several), way_out=way_out)
    return several


def name_of_series(name: object) -> str:
    """A name that can stand beside a line."""
    good = isinstance(name, str) and bool(name.strip())
    require(good, name="the name of a line", rule="must be a text", value=name, way_out="Use a word or two.")
    return " ".join(str(name).split())
