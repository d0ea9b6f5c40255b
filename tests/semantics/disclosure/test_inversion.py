"""The largest epsilon: safe, close, checked forwards, and sentences where there is none."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput, Unreachable
from whit.guarantees import PureDP
from whit.semantics.disclosure import largest_epsilon, largest_swap_loss, relative_risk
from whit.setting import Neighbours
from whit.theory import Direction

beliefs = st.one_of(st.sampled_from([0.0, 1e-15, 0.05, 0.5, 1.0]), st.floats(0.0, 1.0))


@settings(max_examples=40)
@given(st.floats(1.0, 60.0), beliefs, beliefs, st.sampled_from([1.0, 1.5, 2.0]))
def test_the_reported_risk_at_the_reported_epsilon_keeps_to_the_limit(
    r: float, p: float, q: float, factor: float
) -> None:
    epsilon = float(largest_epsilon(r, inclusion=p, value=q, swap_factor=factor))
    if math.isinf(epsilon):
        assert mpmath.mpf(r) * p * q >= 1
        return
    swap = PureDP(factor * epsilon, neighbours=Neighbours.REPLACE)
    assert float(relative_risk(PureDP(epsilon), inclusion=p, value=q, swap=swap)) <= r


def test_small_limits_are_checked_forwards_too() -> None:
    rng = np.random.default_rng(12)
    r, p, q = 1 + 10 ** -rng.uniform(2, 15, 400), rng.random(400), rng.random(400)
    epsilon = np.asarray(largest_epsilon(r, inclusion=p, value=q).value)
    found = [float(relative_risk(PureDP(e), inclusion=a, value=b)) for e, a, b in zip(epsilon, p, q, strict=True)]
    assert np.all(found <= r)
    assert np.all(epsilon[r > 1 + 1e-6] > 0)


def test_slightly_more_breaks_the_limit() -> None:
    for r, p, q in ((3.0, 0.05, 0.5), (1.2, 0.9, 0.05), (10.0, 0.01, 1.0)):
        epsilon = float(largest_epsilon(r, inclusion=p, value=q))
        assert float(relative_risk(PureDP(epsilon * (1 + 1e-11)), inclusion=p, value=q)) > r


def test_it_is_a_lower_bound_by_theorem_2() -> None:
    found = largest_epsilon(3.0, inclusion=0.05, value=0.5)
    assert found.direction is Direction.AT_LEAST
    assert found.basis.theorems == ("disclosure-largest-epsilon",)
    p, q, r = mpmath.mpf(0.05), mpmath.mpf(0.5), mpmath.mpf(3)
    root = mpmath.sqrt((1 - p) ** 2 + 4 * p * (1 - q) * (1 / r - p * q))
    truth = mpmath.log(2 * p * (1 - q) / (root - (1 - p)))  # as printed
    assert truth * (1 - 1e-13) <= float(found) <= truth


def test_degenerate_limits() -> None:
    assert float(largest_epsilon(2.0, inclusion=0.5, value=1.0)) == math.inf
    assert float(largest_epsilon(1.0, inclusion=1.0, value=1.0)) == math.inf
    assert float(largest_epsilon(1.0, inclusion=0.5, value=0.5)) == 0.0
    assert float(largest_epsilon(math.inf, inclusion=0.5, value=0.5)) == math.inf
    assert str(largest_epsilon(2.0, inclusion=0.5, value=1.0)).endswith("is unlimited")


def test_a_limit_below_1_has_no_epsilon() -> None:
    with pytest.raises(Unreachable, match=r"relative_risk must be at least 1.*0.5 at inclusion 0.2 and value 0.3"):
        largest_epsilon([2.0, 0.5], inclusion=0.2, value=0.3)


def test_known_inclusion_is_corollary_2() -> None:
    r, q = 3.0, 0.1
    swap = float(largest_swap_loss(r, value=q))
    truth = mpmath.log((1 - mpmath.mpf(q)) / (1 / mpmath.mpf(r) - mpmath.mpf(q)))
    assert truth * (1 - 1e-13) <= swap <= truth
    assert swap / 2 == pytest.approx(float(largest_epsilon(r, inclusion=1.0, value=q)), rel=1e-13)
    assert float(largest_swap_loss(10.0, value=0.5)) == math.inf


def test_it_broadcasts() -> None:
    found = largest_epsilon([[1.5], [3.0]], inclusion=[0.1, 0.5, 1.0], value=0.2)
    assert np.shape(found.value) == (2, 3)
    assert found.value[1, 2] == float(largest_epsilon(3.0, inclusion=1.0, value=0.2))


def test_wrong_inputs_are_refused_with_a_sentence() -> None:
    with pytest.raises(InvalidInput, match="swap_factor must be a number above 0 and at most 2"):
        largest_epsilon(3.0, inclusion=0.5, value=0.5, swap_factor=2.5)
    with pytest.raises(Incompatible, match="must have shapes that go together"):
        largest_epsilon([1.0, 2.0], inclusion=[0.1, 0.2, 0.3], value=0.5)
    with pytest.raises(InvalidInput, match="relative_risk must be a number"):
        largest_epsilon("three", inclusion=0.5, value=0.5)
