"""One number of a paper: where it stands, what is printed there, what it is, and what that says of the print.

The values have 25 digits and were computed apart from this project, in high precision; the texts of the cases are read
from `cases/<paper>.json`.
"""

from __future__ import annotations

import json
import os.path
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import SupportsFloat

from whit.theory import Finding

FOLDER = os.path.join(os.path.dirname(__file__), "cases")


class Verdict(Enum):
    """What the value says of the print."""

    AGREES = "agrees"
    ROUNDED_INWARD = "agrees when rounded, but not as a guarantee"
    WRONG = "the printed value is wrong"
    DOES_NOT_FOLLOW = "cannot follow from what is stated"
    NOT_PRINTED = "not printed"


@dataclass(frozen=True)
class Case:
    """A number of a paper.

    Attributes:
        key: its name, which also says where it comes from.
        paper: key of the paper among the references.
        where: the place in the paper.
        quantity: what is computed; one way of computing it goes by this name.
        inputs: what it is computed from, as texts, so that no digit is lost.
        printed: what the paper prints, empty where it prints nothing.
        value: what it is.
        verdict: what the value says of the print.
        errata: number of the erratum that says more, empty where there is none.
    """

    key: str
    paper: str
    where: str
    quantity: str
    inputs: Mapping[str, str]
    printed: str
    value: str
    verdict: Verdict
    errata: str

    def given(self, name: str, otherwise: float | None = None) -> float:
        """An input as a number; another number where the case does not state it, if one is given."""
        return float(self.inputs[name] if otherwise is None else self.inputs.get(name, otherwise))

    @property
    def at(self) -> str:
        """The inputs in one line, by the symbols of the paper."""
        return ", ".join(f"{name} = {text}" for name, text in self.inputs.items())

    @property
    def expected(self) -> float:
        """The value as a double."""
        return float(self.value)


@cache
def read_cases(paper: str) -> tuple[Case, ...]:
    """All cases of a paper, in the order of the paper.

    >>> len(read_cases("KS14"))
    51
    """
    with open(os.path.join(FOLDER, f"{paper}.json"), encoding="utf-8") as file:
        return tuple(_case(paper, fields) for fields in json.load(file))


def _case(paper: str, fields: dict[str, object]) -> Case:
    """One case; a field too many or too few stops the reading."""
    texts = {name: str(text) for name, text in fields.items() if name not in ("id", "inputs", "verdict")}
    inputs = fields["inputs"]
    assert isinstance(inputs, dict)
    return Case(key=str(fields["id"]), paper=paper, inputs=inputs, verdict=Verdict(fields["verdict"]), **texts)


CLOSE = 1e-12
"""How near a closed form must come, relative to the value."""


def middle(finding: Finding) -> float:
    """The number midway between the two ends of an exact finding."""
    assert finding.lower is not None
    assert finding.upper is not None
    return (float(finding.lower) + float(finding.upper)) / 2


@dataclass(frozen=True)
class Way:
    """A way of recomputing a quantity.

    Attributes:
        compute: the number of a case, by whit.
        within: the largest relative difference from the value that is put down to rounding.
    """

    compute: Callable[[Case], float]
    within: float = CLOSE

    @classmethod
    def of(cls, function: Callable[..., SupportsFloat], *inputs: str) -> Way:
        """The way by a function of some inputs of the case, as numbers and in this order."""
        return cls(lambda case: float(function(*map(case.given, inputs))))
