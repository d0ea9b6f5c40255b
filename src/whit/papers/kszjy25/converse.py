"""From beliefs back to a promise: Theorem 3.5(2) and Example A.1, which shows that its part (1) has no converse."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from whit.guarantees import PureDP
from whit.guarantees.conversions import both_sides_epsilon, other_side_epsilon
from whit.mechanisms import Finite
from whit.numerics import largest_true
from whit.papers.case import Case, Way, middle
from whit.semantics.membership import largest_difference
from whit.theory import Finding
from whit.worlds import ABSENT, Belief, Dataset, Present, Universe, World

_ONE = Universe(1, ("yes",))
_THERE: Dataset = ("yes",)
_GONE: Dataset = (ABSENT,)
_PRIORS = 200

# The change of belief that Example A.1 keeps to is attained; a double is within this share of it.
_ROUNDING = 1e-12


def _both_sides(case: Case) -> float:
    return float(both_sides_epsilon(case.given("eps")))


def _unbounded_from(formula: Callable[[NDArray[np.float64]], Finding]) -> Way:
    """The last epsilon at which the formula is a number (erratum 000.5)."""
    return Way(lambda _: float(largest_true(lambda epsilon: np.isfinite(formula(epsilon).value), 0.0, 10.0)))


def _response_or_nothing(case: Case) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Example A.1 where the person is there and where not: randomized response, or, mostly, nothing."""
    delta = Fraction(case.inputs["delta"])
    told = delta * Fraction(math.exp(-_both_sides(case)))
    nothing = 1 - delta - told
    return (delta, told, nothing), (told, delta, nothing)


def _within_epsilon(case: Case) -> float:
    there, gone = (np.array(law, dtype=float) for law in _response_or_nothing(case))
    return 1 - middle(Finite(there, gone).two_sided_tail(case.given("eps")))


def _keeping_the_difference(case: Case) -> float:
    """The least over 199 priors, and over both truths, in exact arithmetic."""
    limit = float(largest_difference(PureDP(case.given("eps"))).value) * (1 + _ROUNDING)
    worlds = [_world(case, Fraction(k, _PRIORS)) for k in range(1, _PRIORS)]
    return float(min(_kept(world, truth, limit) for world in worlds for truth in (_THERE, _GONE)))


def _world(case: Case, prior: Fraction) -> World:
    there, gone = _response_or_nothing(case)
    return World(Belief(_ONE, {_THERE: prior, _GONE: 1 - prior}), [gone, there])


def _kept(world: World, truth: Dataset, limit: float) -> Fraction:
    law = world.law_of_difference(Present(0), truth=truth)
    return law.chance_beyond(-limit, closed=True) - law.chance_beyond(limit)


WAYS: Mapping[str, Way] = {
    "bound on the loss from the difference, both sides": Way(_both_sides),
    "epsilon from which both sides are unbounded": _unbounded_from(both_sides_epsilon),
    "epsilon from which the other side is unbounded": _unbounded_from(other_side_epsilon),
    "probability that the loss is within epsilon": Way(_within_epsilon),
    "least probability of keeping the difference": Way(_keeping_the_difference),
}
"""What recomputes each quantity about the way back."""
