"""The bounds of Kasiviswanathan and Smith beside ours."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied, Unreachable
from whit.guarantees import ApproxDP, PureDP
from whit.guarantees.conversions import level_printed
from whit.papers import ks14
from whit.semantics.counterfactual import delta_for_people, total_variation
from whit.setting import Neighbours

REPLACE = Neighbours.REPLACE
theorem_2_2, theorem_2_4, theorem_4_2 = level_printed, ks14.theorem_2_4, ks14.theorem_4_2


def test_theorem_2_2_is_above_ours_and_says_nothing_from_log_2_on():
    for epsilon in (0.01, 0.1, 0.5):
        assert float(theorem_2_2(epsilon)) == pytest.approx(math.expm1(epsilon), rel=1e-14)
        assert float(total_variation(PureDP(epsilon, neighbours=REPLACE))) < float(theorem_2_2(epsilon))
    assert float(theorem_2_2(0.7)) == 1.0


@pytest.mark.parametrize(("epsilon", "delta", "people"), [(0.05, 1e-12, 10_000), (0.2, 1e-10, 100), (0.1, 1e-6, 1)])
def test_theorem_2_4_is_the_printed_formula_and_above_ours_at_its_own_failure(epsilon, delta, people):
    printed = theorem_2_4(epsilon, delta, people=people)
    root = math.sqrt(people * delta)
    assert float(printed.distance) == pytest.approx(math.expm1(3 * epsilon) + 2 * root, rel=1e-12)
    assert float(printed.failure) == pytest.approx(4 * root, rel=1e-12)
    ours = total_variation(ApproxDP(epsilon, delta, neighbours=REPLACE), people=people, failure=float(printed.failure))
    assert float(ours) < float(printed.distance) / 3


def test_theorem_2_4_is_void_from_a_third_of_log_2_and_a_sixteenth_on():
    assert float(theorem_2_4(0.2311, 1e-12, people=1).distance) == 1.0
    assert float(theorem_2_4(0.23, 1e-12, people=1).distance) < 1.0
    assert float(theorem_2_4(0.5, 0.0626, people=1).failure) == 1.0


def test_theorem_4_2_needs_more_than_the_printed_condition():
    """Epsilon 0.21 exceeds sqrt(n d) = 0.2, but 1 - e^(-0.21) = 0.189 does not (errata 001.8)."""
    with pytest.raises(NotImplied, match="delta must have sqrt"):
        theorem_4_2(0.21, 0.02, exceptional=0.02, people=1)
    held = theorem_4_2(0.23, 0.02, exceptional=0.02, people=1)
    assert float(held.failure) == pytest.approx(0.8, rel=1e-12)


def test_corollary_4_4_is_theorem_4_2_without_a_delta():
    found = theorem_4_2(0.1, 0.0, exceptional=1e-8, people=100)
    assert float(found.distance) == pytest.approx(math.expm1(0.3) + 1e-3, rel=1e-9)
    assert float(found.failure) == pytest.approx(4e-3, rel=1e-9)


def test_the_rule_of_thumb_asks_for_a_smaller_delta_than_ours():
    asked = {"epsilon": 0.05, "distance": 0.25, "failure": 0.001}
    theirs = float(ks14.delta_for_people(10_000, **asked))
    assert theirs == pytest.approx(0.001**2 / 16 / 10_000, rel=1e-9)
    assert float(theorem_2_4(0.05, theirs, people=10_000).failure) <= 0.001
    assert float(delta_for_people(10_000, **asked)) > 1000 * theirs


def test_the_delta_of_the_rule_keeps_to_each_of_its_limits():
    tight = {"epsilon": 0.05, "distance": 0.163, "failure": 0.5}
    by_distance = float(ks14.delta_for_people(1, **tight))
    assert float(theorem_2_4(0.05, by_distance, people=1).distance) <= 0.163
    by_domain = float(ks14.delta_for_people(1, epsilon=0.001, distance=0.9, failure=1.0))
    assert by_domain < math.expm1(-0.001) ** 2


def test_they_broadcast():
    found = theorem_2_4(np.array([0.05, 0.1]), 1e-12, people=np.array([[1], [100]]))
    assert np.shape(found.distance.value) == (2, 2)


def test_bad_input_is_refused_in_a_sentence():
    with pytest.raises(InvalidInput, match="epsilon must be finite"):
        theorem_2_4(math.inf, 1e-9, people=10)
    with pytest.raises(InvalidInput, match="delta must be a probability"):
        theorem_2_4(0.1, 2.0, people=10)
    with pytest.raises(InvalidInput, match="people must be a whole number"):
        theorem_2_4(0.1, 1e-9, people=0)
    with pytest.raises(Unreachable, match="distance must be above e"):
        ks14.delta_for_people(10, epsilon=0.5, distance=0.5, failure=0.1)
    with pytest.raises(InvalidInput, match="failure must be above 0"):
        ks14.delta_for_people(10, epsilon=0.05, distance=0.5, failure=0.0)
    with pytest.raises(NotImplied, match="delta must have sqrt"):
        theorem_2_4(0.0, 1e-9, people=10)
