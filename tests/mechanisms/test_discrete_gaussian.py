"""Discrete Gaussian noise: its relations and its error; the loss itself is tested with the curves."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from ends import middle

from whit.curves import DiscreteGaussianLoss, FinitePair
from whit.errors import InvalidInput, TooCostly
from whit.mechanisms import DiscreteGaussian, Gaussian
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction


def masses(sigma: float) -> dict[int, mpmath.mpf]:
    reach = int(16 * sigma) + 4
    raw = {k: mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * mpmath.mpf(sigma) ** 2)) for k in range(-reach, reach + 1)}
    total = mpmath.fsum(raw.values())
    return {k: p / total for k, p in raw.items()}


def test_the_changes_are_those_of_the_relation() -> None:
    histogram = DiscreteGaussian(3.0, sensitivity=Sensitivity.histogram())
    assert histogram.loss(Neighbours.ADD_REMOVE) == DiscreteGaussianLoss(3.0, (1,))
    assert histogram.loss(Neighbours.REPLACE) == DiscreteGaussianLoss(3.0, (1, 1))
    nothing = DiscreteGaussian(3.0, sensitivity=Sensitivity(add_remove=1, replace=0)).loss(Neighbours.REPLACE)
    assert isinstance(nothing, FinitePair)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 12.0])
def test_the_error_follows_the_law_of_the_noise(sigma: float) -> None:
    mechanism, law = DiscreteGaussian(sigma), masses(sigma)
    variance = mpmath.fsum(k * k * p for k, p in law.items())
    deviation = mechanism.standard_deviation()
    assert deviation.lower <= mpmath.sqrt(variance) <= deviation.upper
    assert float(middle(deviation)) == pytest.approx(float(mpmath.sqrt(variance)), rel=1e-13)
    assert float(mechanism.probability_of_exact_answer()) == pytest.approx(float(law[0]), rel=1e-14)
    for x in (-3.0, 0.0, 0.2, 2.0, 3 * sigma):
        tail = mpmath.fsum(p for k, p in law.items() if k >= x)
        assert float(mechanism.noise_tail(x).upper) == pytest.approx(float(tail), rel=1e-12)
    for chance in (0.0, 0.5, 0.9, 0.999999):
        smallest = next(b for b in range(300) if mpmath.fsum(law[k] for k in range(-b, b + 1)) >= chance)
        assert float(mechanism.error_quantile(chance)) == smallest
    assert float(mechanism.error_quantile(1.0)) == math.inf


def test_what_was_cut_off_is_on_record() -> None:
    delta = DiscreteGaussian(10.0).delta(1.0)
    assert 0 < delta.basis.truncation < 1e-300


def test_a_little_more_noise_can_be_more_risk_at_one_epsilon() -> None:
    """The losses lie on a lattice of step 1/sigma^2, so the profile does not fall with sigma at every epsilon.

    At sigma 1 the losses above 5 begin at 5.5, at sigma 1.01 at 5.39 with more mass; checked by the first term alone.
    """
    less, more = DiscreteGaussian(1.0), DiscreteGaussian(1.01)
    assert float(less.delta(5.0).upper) < float(more.delta(5.0).lower)
    terms = [masses(s)[5] * (1 - mpmath.exp(5 - 5.5 / mpmath.mpf(s) ** 2)) for s in (1.0, 1.01)]
    assert terms[0] < terms[1]
    assert float(more.delta(0.0).upper) < float(less.delta(0.0).lower)


def test_with_much_noise_it_is_nearly_gaussian() -> None:
    discrete, continuous = DiscreteGaussian(50.0), Gaussian(50.0)
    levels = np.array([0.01, 0.05, 0.1, 0.5])
    np.testing.assert_allclose(middle(discrete.power(levels)), middle(continuous.power(levels)), rtol=1e-4)
    assert float(middle(discrete.standard_deviation())) == pytest.approx(50.0, rel=1e-12)


def test_what_is_no_discrete_noise_is_refused() -> None:
    with pytest.raises(InvalidInput, match="sigma must be a finite number of at least 0; got -1. It is the scale"):
        DiscreteGaussian(-1)
    with pytest.raises(InvalidInput, match="sensitivity must be made of whole numbers.*Count in smaller units"):
        DiscreteGaussian(1.0, sensitivity=Sensitivity(add_remove=1.5, replace=1))


def test_large_noise_has_the_error_of_gaussian_noise() -> None:
    discrete, continuous = DiscreteGaussian(2e5), Gaussian(2e5)
    assert float(discrete.standard_deviation()) == pytest.approx(2e5, rel=1e-9)
    assert float(discrete.error_quantile(0.95)) == pytest.approx(float(continuous.error_quantile(0.95)), rel=1e-5)
    assert float(discrete.probability_of_exact_answer()) == pytest.approx(1 / (2e5 * math.sqrt(2 * math.pi)), rel=1e-12)
    beyond = discrete.noise_tail(2e5 * 20)
    assert beyond.direction is Direction.AT_MOST
    assert 0 < float(beyond) < 1e-40
    with pytest.raises(TooCostly, match="the list of the noise must have at most .* points; got .* Use the error of"):
        DiscreteGaussian(1e9).error_quantile(0.95)


@pytest.mark.parametrize("sigma", [1e-200, 1e100, 1e300])
def test_noise_beyond_all_measure_is_refused_in_a_sentence(sigma):
    with pytest.raises(TooCostly, match=r"sigma must lie between 1e-100 and 1e\+60"):
        DiscreteGaussian(sigma).delta(1.0)


@pytest.mark.parametrize("sigma", [1e-60, 1e20, 1e60])
def test_noise_of_any_other_size_has_an_answer(sigma):
    found = DiscreteGaussian(sigma).delta(1.0)
    assert 0.0 <= float(found.lower) <= float(found.upper) <= 1.0
    assert float(found.upper) > 0.0


@pytest.mark.parametrize("sigma", [0.3, 1.0, 1.9, 2.0, 4.0, 20.0, 50.0])
def test_the_standard_deviation_reads_as_sigma_where_no_digit_tells_them_apart(sigma):
    found = DiscreteGaussian(sigma).standard_deviation()
    with mpmath.workdps(60):
        weights = {k: mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * mpmath.mpf(sigma) ** 2)) for k in range(-1000, 1001)}
        truth = mpmath.sqrt(sum(k * k * w for k, w in weights.items()) / sum(weights.values()))
        rounding = mpmath.mpf(10) ** -50
        assert mpmath.mpf(found.lower) <= truth <= mpmath.mpf(found.upper) * (1 + rounding)
        if sigma >= 2.0:
            assert abs(truth / sigma - 1) < mpmath.mpf(10) ** -30
            assert found.brief() == f"{sigma:g} (rounded up)"
