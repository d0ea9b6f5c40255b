"""Two-sided geometric noise against direct sums over all outcomes."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import FinitePair
from whit.errors import InvalidInput, TooCostly
from whit.mechanisms import Geometric
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction


def pmf(epsilon: float, k: int) -> mpmath.mpf:
    a = mpmath.exp(-mpmath.mpf(epsilon))
    return (1 - a) / (1 + a) * a ** abs(k)


def direct(epsilon: float, change: int, t: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Profile and tail by summing over outcomes; the far ends, where the loss is constant, as geometric series."""
    e, x = mpmath.mpf(epsilon), mpmath.mpf(t)
    a = mpmath.exp(-e)
    atoms = [(change * e, 1 / (1 + a)), (-change * e, a**change / (1 + a))]
    atoms += [((change - 2 * i) * e, pmf(epsilon, i)) for i in range(1, change)]
    delta = mpmath.fsum(p * max(1 - mpmath.exp(x - z), mpmath.mpf(0)) for z, p in atoms)
    return delta, mpmath.fsum(p for z, p in atoms if z > x)


def test_the_atoms_are_those_of_the_noise_itself() -> None:
    """The loss of the outcome change + k, from the two probabilities, collected over many k."""
    epsilon, change = 0.3, 3
    collected: dict[int, mpmath.mpf] = {}
    for k in range(-400, 401):
        steps = abs(change + k) - abs(k)
        collected[steps] = collected.get(steps, mpmath.mpf(0)) + pmf(epsilon, k)
    loss = Geometric(epsilon, sensitivity=Sensitivity(add_remove=change, replace=change)).loss()
    assert isinstance(loss, FinitePair)
    np.testing.assert_allclose(loss.losses, [epsilon * z for z in sorted(collected)], rtol=1e-15)
    np.testing.assert_allclose(np.exp(loss.log_masses), [float(collected[z]) for z in sorted(collected)], rtol=1e-14)


@settings(max_examples=80)
@given(st.one_of(st.floats(0.01, 5.0), st.sampled_from([1e-12, 710.0])), st.integers(1, 6), st.floats(-1.2, 1.2))
def test_profile_and_tail_are_direct_sums(epsilon: float, change: int, share: float) -> None:
    loss = Geometric(epsilon, sensitivity=Sensitivity(add_remove=change, replace=change)).loss()
    t = share * change * epsilon
    delta, tail = direct(epsilon, change, t)
    for bracket, truth in ((loss.log_delta(t), delta), (loss.log_tail(t), tail)):
        lower, upper = (mpmath.exp(mpmath.mpf(float(end))) for end in (bracket.lower, bracket.upper))
        assert lower <= truth <= upper


def test_a_count_has_the_two_losses_of_randomized_response() -> None:
    loss = Geometric(0.7).loss()
    assert isinstance(loss, FinitePair)
    assert loss.losses.tolist() == [-0.7, 0.7]
    assert loss.loss_error == 0.0
    assert float(Geometric(0.7).epsilon(0.0).upper) == 0.7


def test_a_histogram_adds_up_two_cells_when_a_record_is_replaced() -> None:
    loss = Geometric(0.5, sensitivity=Sensitivity.histogram()).loss(Neighbours.REPLACE)
    assert isinstance(loss, FinitePair)
    assert loss.losses.tolist() == [-1.0, 0.0, 1.0]
    a = math.exp(-0.5)
    np.testing.assert_allclose(np.exp(loss.log_masses), np.array([a * a, 2 * a, 1]) / (1 + a) ** 2, rtol=1e-14)


def test_the_error_follows_the_law_of_the_noise() -> None:
    epsilon = math.log(2)
    mechanism = Geometric(epsilon)
    masses = {k: float(pmf(epsilon, k)) for k in range(-300, 301)}
    variance = math.fsum(k * k * p for k, p in masses.items())
    assert float(mechanism.standard_deviation()) == pytest.approx(math.sqrt(variance), rel=1e-14)
    assert float(mechanism.probability_of_exact_answer()) == pytest.approx(masses[0], rel=1e-14)
    for x in (-4.0, -0.5, 0.0, 0.5, 1.0, 7.0):
        tail = math.fsum(p for k, p in masses.items() if k >= x)
        assert float(mechanism.noise_tail(x)) == pytest.approx(tail, rel=1e-13)
    for chance in (0.0, 0.3, 0.5, 0.9, 0.999):
        smallest = next(b for b in range(100) if math.fsum(masses[k] for k in range(-b, b + 1)) >= chance)
        assert float(mechanism.error_quantile(chance)) == smallest
    assert float(mechanism.error_quantile(1.0)) == np.inf


def test_a_quantile_that_rounding_would_decide_is_an_upper_bound() -> None:
    """P[|noise| <= 0] is tanh(epsilon/2), here a probability that the double nearest to it may miss."""
    epsilon = 1.0
    quantile = Geometric(epsilon).error_quantile(math.tanh(epsilon / 2))
    assert quantile.direction is Direction.AT_MOST
    assert float(quantile) == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": 0.0}, "epsilon must be a finite number above 0; got 0.0. It is the loss for each unit"),
        (
            {"epsilon": 1.0, "sensitivity": Sensitivity(add_remove=0.5, replace=1)},
            "sensitivity must be made of whole numbers, as the noise is whole; got .* Count in smaller units",
        ),
        ({"epsilon": 1.0, "sensitivity": 2}, "sensitivity must be a Sensitivity; got 2. Use Sensitivity.count"),
    ],
)
def test_what_is_no_geometric_noise_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Geometric(**arguments)


def test_a_change_without_measure_is_refused() -> None:
    with pytest.raises(TooCostly, match="a change of the answer must be at most 1048576; got .* Count in larger units"):
        Geometric(1.0, sensitivity=Sensitivity(add_remove=2**21, replace=1)).loss()


@pytest.mark.parametrize("epsilon", [1e-12, 1.0, 710.0, 1e20, 1e300])
def test_no_number_holds_the_noise_for_certain(epsilon):
    found = Geometric(epsilon).error_quantile([0.5, 1.0])
    assert np.isposinf(found.value[1])
    assert np.isfinite(found.value[0])
