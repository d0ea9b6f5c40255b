"""The answers of other accountants, each by its documented functions and with its default grid."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import math
import warnings
from functools import reduce
from typing import Any, Protocol

import numpy as np

from benchmarks.cases import Question
from benchmarks.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Laplace,
    Mechanism,
    Parts,
    RandomizedResponse,
    SubsampledGaussian,
)
from benchmarks.truth import Answer


class NotOffered(Exception):
    """The tool has no function for this question."""


class Tool(Protocol):
    """Something that can be asked."""

    name: str

    def answer(self, parts: Parts, question: Question, points: tuple[float, ...]) -> Answer:
        """Bounds at all points, the composition included; or NotOffered."""


class DpAccounting:
    """dp-accounting: the pessimistic and the optimistic privacy loss distribution, at the default grid of 1e-4."""

    name = "dp-accounting"

    def __init__(self) -> None:
        self.library = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
        # It warns each time that connecting the dots has no optimistic version.
        logging.disable(logging.WARNING)

    def answer(self, parts: Parts, question: Question, points: tuple[float, ...]) -> Answer:
        """The pair of bounds on delta."""
        if question is not Question.DELTA:
            raise NotOffered("no power")
        pair = [self.composed(parts, pessimistic=side) for side in (False, True)]
        # One epsilon at a time: its function for many epsilons is a Python loop, up to a hundred times slower.
        return Answer(*(tuple(float(each.get_delta_for_epsilon(point)) for point in points) for each in pair))

    def composed(self, parts: Parts, *, pessimistic: bool) -> Any:
        """The composition; connecting the dots is used wherever it is offered, since it is much the tighter way."""
        singles = [(self._single(part, pessimistic), number) for part, number in parts.items()]
        each = [single.self_compose(number) if number > 1 else single for single, number in singles]
        return reduce(lambda first, second: first.compose(second), each)

    def _single(self, part: Mechanism, pessimistic: bool) -> Any:
        sides = {"pessimistic_estimate": pessimistic}
        dots = sides | {"use_connect_dots": pessimistic}
        match part:
            case Gaussian(mu):
                return self.library.from_gaussian_mechanism(1 / mu, **dots)
            case Laplace(epsilon):
                return self.library.from_laplace_mechanism(1 / epsilon, **dots)
            case DiscreteGaussian(sigma):
                return self.library.from_discrete_gaussian_mechanism(sigma, **dots)
            case RandomizedResponse(epsilon):
                return self.library.from_randomized_response(2 / (1 + math.exp(epsilon)), 2, **sides)
            case SubsampledGaussian(sigma, rate):
                return self.library.from_gaussian_mechanism(sigma, sampling_prob=rate, **dots)


class Riskcal:
    """riskcal: the power from a pessimistic privacy loss distribution; larger than the truth, if anything."""

    name = "riskcal"

    def __init__(self) -> None:
        self.library = importlib.import_module("riskcal.analysis")
        self.accountant = DpAccounting()

    def answer(self, parts: Parts, question: Question, points: tuple[float, ...]) -> Answer:
        """An upper bound on the power at each level."""
        if question is not Question.POWER:
            raise NotOffered("no profile of its own")
        composed = self.accountant.composed(parts, pessimistic=True)
        misses = self.library.get_beta_from_pld(composed, alpha=np.array(points))
        return Answer((), tuple((1 - misses).tolist()))


class RiskcalGaussian:
    """riskcal's closed form for one Gaussian."""

    name = "riskcal, closed form"

    def __init__(self) -> None:
        self.library = importlib.import_module("riskcal.analysis")

    def answer(self, parts: Parts, question: Question, points: tuple[float, ...]) -> Answer:
        """The power at each level, taken as an upper bound."""
        match question, list(parts.items()):
            case Question.POWER, [(Gaussian(mu), 1)]:
                return Answer((), tuple((1 - self.library.get_beta_from_gdp(mu, np.array(points))).tolist()))
        raise NotOffered("one Gaussian only")


class PrvAccountant:
    """prv-accountant: bounds within 0.01 in epsilon and 1e-12 in delta; the direction of removal only."""

    name = "prv-accountant"
    epsilon_error = 1e-2
    delta_error = 1e-12

    def __init__(self) -> None:
        self.library = importlib.import_module("prv_accountant")

    def answer(self, parts: Parts, question: Question, points: tuple[float, ...]) -> Answer:
        """The two bounds on delta as the library defines them, from one composition for all points."""
        if question is not Question.DELTA:
            raise NotOffered("no power")
        numbers = list(parts.values())
        accountant = self.library.PRVAccountant(
            prvs=[self._single(part) for part in parts],
            eps_error=self.epsilon_error,
            delta_error=self.delta_error,
            max_self_compositions=numbers,
        )
        composed = accountant.compute_composition(numbers)
        estimate = composed.compute_delta_estimate
        lower = tuple(float(estimate(point + self.epsilon_error)) - self.delta_error for point in points)
        upper = tuple(float(estimate(point - self.epsilon_error)) + self.delta_error for point in points)
        return Answer(lower, upper)

    def _single(self, part: Mechanism) -> Any:
        match part:
            case Gaussian(mu):
                return self.library.GaussianMechanism(1 / mu)
            case Laplace(epsilon):
                return self.library.LaplaceMechanism(epsilon)
            case RandomizedResponse(epsilon):
                return self.library.PureDPMechanism(epsilon)
            case SubsampledGaussian(sigma, rate):
                return self.library.PoissonSubsampledGaussianMechanism(rate, sigma)
        raise NotOffered("no discrete Gaussian")


PACKAGES: dict[str, tuple[type[Tool], ...]] = {
    "dp-accounting": (DpAccounting,),
    "riskcal": (Riskcal, RiskcalGaussian),
    "prv-accountant": (PrvAccountant,),
}


def installed() -> tuple[list[Tool], list[str]]:
    """The tools that can be used, and a line for each package: its version, or why it is missing."""
    tools: list[Tool] = []
    lines: list[str] = []
    warnings.simplefilter("ignore")
    for package, classes in PACKAGES.items():
        try:
            tools += [each() for each in classes]
            lines.append(f"{package} {importlib.metadata.version(package)}")
        except ImportError as missing:
            lines.append(f"{package} is not installed and left out ({missing})")
    return tools, lines
