"""How much wiser a differentially private release can make an adversary.

The package is an hourglass: many promises in, many questions out, and between them one narrow waist, the curve that
a promise puts on a pair of neighbouring datasets. A package imports only what stands below it in this list.

apps         the command line and the web
telling      words, pictures and reports; computes nothing
plans        many queries over attributes and geography, with their budgets
policy       risk profiles, and the parameter that keeps to them
assessment   one promise, one adversary, every question that applies
semantics    the questions: membership, disclosure, counterfactual, testing, persuasion; and worlds, their referee
mechanisms   noise, as values
guarantees   promises, as values; conversions and composition
curves       the waist: loss distribution, profile, trade-off function
setting      whom the statement is about and who is asking: neighbours, unit of privacy, sensitivity, adversary
theory       theorems, assumptions, references; a Finding and its Basis
numerics     all that knows about floating point
errors       the exceptions, and the one sentence they all speak

Every public number is a Finding: a value with its quantity, its direction (at most, at least, exactly, about), the
inputs it came from, and the theorems it rests on. Larger is always worse.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whit import (
        assessment,
        curves,
        errors,
        guarantees,
        mechanisms,
        numerics,
        plans,
        policy,
        semantics,
        setting,
        telling,
        theory,
    )
    from whit.assessment import Assessment, assess
    from whit.curves import Curve
    from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable, WhitError
    from whit.guarantees import (
        FDP,
        ApproxDP,
        GaussianDP,
        ProbabilisticallyBoundedDP,
        ProbabilisticDP,
        PureDP,
        RenyiDP,
        SemanticPrivacy,
        ZeroConcentratedDP,
        convert,
    )
    from whit.mechanisms import (
        DiscreteGaussian,
        Finite,
        Gaussian,
        Geometric,
        Laplace,
        PoissonSubsampled,
        RandomizedResponse,
        compose,
    )
    from whit.policy import Recommendation, recommend
    from whit.setting import HOUSEHOLD, PERSON, Adversary, Knowledge, Neighbours, Sensitivity, UnitOfPrivacy
    from whit.telling import plot, report
    from whit.telling.explain.explain import explain
    from whit.theory import Direction, Finding, Interval

__version__ = "0.1.0"

# Where each everyday name lives. A part of the package is loaded when one of its names is first used.
_HOMES = {
    "assessment": ("Assessment", "assess"),
    "curves": ("Curve",),
    "errors": ("Incompatible", "InvalidInput", "NotImplied", "TooCostly", "Unreachable", "WhitError"),
    "guarantees": (
        "FDP",
        "ApproxDP",
        "GaussianDP",
        "ProbabilisticDP",
        "ProbabilisticallyBoundedDP",
        "PureDP",
        "RenyiDP",
        "SemanticPrivacy",
        "ZeroConcentratedDP",
        "convert",
    ),
    "mechanisms": (
        "DiscreteGaussian",
        "Finite",
        "Gaussian",
        "Geometric",
        "Laplace",
        "PoissonSubsampled",
        "RandomizedResponse",
        "compose",
    ),
    "numerics": (),
    "plans": (),
    "policy": ("Recommendation", "recommend"),
    "semantics": (),
    "setting": ("HOUSEHOLD", "PERSON", "Adversary", "Knowledge", "Neighbours", "Sensitivity", "UnitOfPrivacy"),
    "telling": ("explain", "plot", "report"),
    "theory": ("Direction", "Finding", "Interval"),
}

__all__ = [
    "FDP",
    "HOUSEHOLD",
    "PERSON",
    "Adversary",
    "ApproxDP",
    "Assessment",
    "Curve",
    "Direction",
    "DiscreteGaussian",
    "Finding",
    "Finite",
    "Gaussian",
    "GaussianDP",
    "Geometric",
    "Incompatible",
    "Interval",
    "InvalidInput",
    "Knowledge",
    "Laplace",
    "Neighbours",
    "NotImplied",
    "PoissonSubsampled",
    "ProbabilisticDP",
    "ProbabilisticallyBoundedDP",
    "PureDP",
    "RandomizedResponse",
    "Recommendation",
    "RenyiDP",
    "SemanticPrivacy",
    "Sensitivity",
    "TooCostly",
    "UnitOfPrivacy",
    "Unreachable",
    "WhitError",
    "ZeroConcentratedDP",
    "assess",
    "assessment",
    "compose",
    "convert",
    "curves",
    "errors",
    "explain",
    "guarantees",
    "mechanisms",
    "numerics",
    "plans",
    "plot",
    "policy",
    "recommend",
    "report",
    "semantics",
    "setting",
    "telling",
    "theory",
]


def __getattr__(name: str) -> Any:
    """The name, from the part of the package that it lives in."""
    for home, names in _HOMES.items():
        if name == home or name in names:
            part = import_module(f"whit.{home}")
            return part if name == home else getattr(part, name)
    raise AttributeError(f"module 'whit' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted(["__version__", *__all__])
