"""The questions: a composition, and what is asked of it at which points."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from benchmarks import census
from benchmarks.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Laplace,
    Mechanism,
    Parts,
    RandomizedResponse,
    SubsampledGaussian,
)
from benchmarks.truth import Truth, truth


class Question(Enum):
    """What is asked; the value is its name in the reference file."""

    DELTA = "delta"
    POWER = "power"


@dataclass(frozen=True)
class Case:
    """One composition and one question.

    left_out   a reason for each tool that is not asked
    patience   a tool that has taken so many seconds is not asked again
    """

    title: str
    parts: Parts
    question: Question
    reference: str
    left_out: dict[str, str] = field(default_factory=dict)
    patience: float = 6.0

    @property
    def truth(self) -> Truth:
        """The true values at the points that are asked for."""
        return truth(self.question.value, self.reference)


DP_SGD: Parts = {SubsampledGaussian(1.0, 0.01): 10_000}
CENSUS_DELTA = "(c) Census, delta"
LAPLACE_DELTA = "(d) Laplace 0.01 x 10^4, delta"
DP_SGD_DELTA = "(f) DP-SGD 1, 0.01, 10^4, delta"
DP_SGD_POWER = "(f) DP-SGD 1, 0.01, 10^4, power"

_SLOW = {"prv-accountant": "left out: a quarter of a minute for each call"}


def _delta(
    title: str, mechanism: Mechanism, copies: int, reference: str, left_out: dict[str, str] | None = None
) -> Case:
    return Case(f"{title}, delta", {mechanism: copies}, Question.DELTA, reference, left_out or {})


def accounting_cases() -> list[Case]:
    """Cases (a) to (f): single mechanisms and compositions; (g), tiny probabilities, is part of each."""
    lattice = [
        _delta(f"(b) discrete Gaussian {sigma:g}", DiscreteGaussian(sigma), 1, f"dg{sigma:g}")
        for sigma in (0.6, 1.0, 10.0, 100.0)
    ]
    return [
        _delta("(a) Gaussian 1", Gaussian(1.0), 1, "gauss1"),
        _delta("(a) Gaussian 1 x 1000", Gaussian(1.0), 1000, "gauss1000", _SLOW),
        *lattice,
        Case(CENSUS_DELTA, census.composition(), Question.DELTA, "census", patience=20.0),
        Case("(c) Census, power", census.composition(), Question.POWER, "census"),
        Case(LAPLACE_DELTA, {Laplace(0.01): 10_000}, Question.DELTA, "laplace"),
        _delta("(e) randomized response 0.05 x 1000", RandomizedResponse(0.05), 1000, "rr"),
        Case(DP_SGD_DELTA, DP_SGD, Question.DELTA, "dpsgd"),
        Case(DP_SGD_POWER, DP_SGD, Question.POWER, "dpsgd"),
    ]


def extreme_cases() -> list[Case]:
    """Case (h): very small and very large losses."""
    million = 10**6
    return [
        _delta("(h) Gaussian 1e-6 x 10^6", Gaussian(1e-6), million, "gauss_tiny"),
        _delta("(h) randomized response 1e-6 x 10^6", RandomizedResponse(1e-6), million, "rr_tiny"),
        _delta("(h) Gaussian 10", Gaussian(10.0), 1, "gauss10"),
    ]


def trade_off_cases() -> list[Case]:
    """The mechanisms of which the trade-off curve is compared, and their profiles."""
    singles: list[tuple[str, Mechanism, str]] = [
        *((f"Gaussian {mu:g}", Gaussian(mu), f"gauss{mu:g}") for mu in (0.1, 1.0, 2.29347, 5.0)),
        *((f"Laplace {epsilon:g}", Laplace(epsilon), f"laplace{epsilon:g}") for epsilon in (0.1, 1.0, 4.0)),
    ]
    cases = [Case(f"{title}, power", {part: 1}, Question.POWER, key) for title, part, key in singles]
    cases += [_delta(title, part, 1, key) for title, part, key in singles if key != "gauss1"]
    thousand = {Laplace(0.01): 1000}
    return [
        *cases,
        Case("Laplace 0.01 x 1000, power", thousand, Question.POWER, "laplace_x1000"),
        Case("Laplace 0.01 x 1000, delta", thousand, Question.DELTA, "laplace_x1000"),
    ]


def all_cases() -> list[Case]:
    """Every case, in the order of the table."""
    return accounting_cases() + extreme_cases() + trade_off_cases()
