"""The output's own tail, and the tail that is proof against processing, which is never smaller."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import from_powers
from whit.errors import NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Finite, Gaussian, RandomizedResponse
from whit.semantics.testing import own_tail, processing_proof_tail
from whit.setting import Neighbours
from whit.theory import Direction

LOSSES = np.array([0.1, 0.5, 1.5, 4.0])


@pytest.mark.parametrize(
    "promised",
    [PureDP(1.0), ApproxDP(0.5, 0.01), ZeroConcentratedDP(0.2), GaussianDP(1.0), Gaussian(1.0), DiscreteGaussian(2.0)],
    ids=repr,
)
def test_the_tail_that_is_proof_against_processing_is_never_smaller_for_what_is_exact(promised: object) -> None:
    proof, own = processing_proof_tail(promised, LOSSES), own_tail(promised, LOSSES)
    if isinstance(promised, Gaussian | DiscreteGaussian):
        assert np.all(proof.upper >= own.lower)
    assert np.all((proof.upper >= 0) & (proof.upper <= 1))


def test_two_coins_of_which_processing_keeps_one() -> None:
    """KAA22, Example 4.9: both coins agree in favour with probability h^2, the first alone with probability h."""
    epsilon = 1.0
    h = 1 / (1 + math.exp(-epsilon))
    both = [h * h, h * (1 - h), (1 - h) * h, (1 - h) ** 2]
    release = Finite(both, both[::-1])
    half = epsilon / 2
    assert float(own_tail(release, half)) == pytest.approx(h * h, rel=1e-13)
    kept_one = Finite([h, 1 - h], [1 - h, h])
    assert float(own_tail(kept_one, half)) == pytest.approx(h, rel=1e-13)
    assert float(processing_proof_tail(release, half)) >= h
    assert float(processing_proof_tail(kept_one, half)) >= h


def test_the_proof_tail_of_a_coin_is_where_its_power_meets_the_ray() -> None:
    """y = 1 - e^(-1) (1 - e^(-1/2) y), so y (1 - e^(-3/2)) = 1 - e^(-1)."""
    exact = (1 - mpmath.exp(-1)) / (1 - mpmath.exp(mpmath.mpf(-3) / 2))
    found = processing_proof_tail(RandomizedResponse(1.0), 0.5)
    assert found.lower <= exact <= found.upper
    assert float(found) == pytest.approx(float(exact), rel=1e-12)


def test_the_proof_tail_of_a_composition_is_bounded_from_both_sides() -> None:
    release = DiscreteGaussian(2.0).times(5)
    found = processing_proof_tail(release, [0.5, 2.0])
    own = own_tail(release, [0.5, 2.0])
    assert np.all(found.upper >= own.lower)
    assert np.all(found.upper <= 1)


def test_neighbours_and_audits() -> None:
    swapped = own_tail(PureDP(0.5), 0.9, neighbours=Neighbours.REPLACE)
    assert float(swapped) > 0.0
    assert float(own_tail(PureDP(0.5), 0.9)) == 0.0
    audit = from_powers([0.01], [0.2])
    assert processing_proof_tail(audit, 1.0).direction is Direction.AT_LEAST
    with pytest.raises(NotImplied, match="the tail of the loss cannot be bounded by an audit"):
        own_tail(audit, 1.0)


def test_processed_noise_is_answered_by_its_profile() -> None:
    processed = Gaussian(1.0).then("rounded to tens")
    assert float(own_tail(processed, 1.0)) == pytest.approx(float(processing_proof_tail(processed, 1.0)), rel=1e-4)
