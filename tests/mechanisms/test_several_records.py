"""All records of one person on a Poisson sample, against integrals over the densities of every set that is drawn."""

from __future__ import annotations

import math
from itertools import product

import mpmath
import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput, TooCostly
from whit.mechanisms import Gaussian, Laplace, MixtureOfGaussians, PoissonSubsampled
from whit.policy import limits, recommend
from whit.setting import Neighbours, Sensitivity

GRID = np.linspace(-40.0, 40.0, 800_001)


def density(mean: float, sigma: float) -> np.ndarray:
    return np.exp(-((GRID - mean) ** 2) / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi))


def drawn(records: list[float], rate: float, sigma: float) -> np.ndarray:
    """The density of the output with all these records of one person, by every set of them that can be drawn."""
    total = np.zeros(GRID.shape)
    for chosen in product((0, 1), repeat=len(records)):
        chance = math.prod(rate if each else 1 - rate for each in chosen)
        total += chance * density(math.fsum(r for r, each in zip(records, chosen, strict=True) if each), sigma)
    return total


def profile(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    return float(np.trapezoid(np.maximum(p - math.exp(epsilon) * q, 0.0), GRID))


@pytest.mark.parametrize(("records", "rate", "sigma"), [(2, 0.1, 1.0), (3, 0.5, 0.7), (5, 0.02, 2.0)])
def test_the_curve_is_that_of_equal_records_in_both_orders(records: int, rate: float, sigma: float) -> None:
    curve = PoissonSubsampled(Gaussian(sigma), rate, records=records).curve()
    with_them, without = drawn([1.0] * records, rate, sigma), density(0.0, sigma)
    for epsilon in (0.0, 0.1, 0.5, 1.5):
        for face, p, q in ((curve.face, with_them, without), (curve.face.reverse(), without, with_them)):
            truth = profile(p, q, epsilon)
            assert float(np.exp(face.log_delta(epsilon).mid)) == pytest.approx(truth, rel=1e-6, abs=1e-9)


@pytest.mark.slow
def test_records_of_any_size_and_sign_are_told_no_better() -> None:
    rng = np.random.default_rng(20261116)
    for _ in range(60):
        records, rate, sigma = int(rng.integers(1, 5)), float(rng.uniform(0.02, 0.98)), float(rng.uniform(0.4, 3.0))
        theirs = rng.uniform(-1.0, 1.0, records).tolist()
        mechanism = PoissonSubsampled(Gaussian(sigma), rate, records=4)
        with_them, without = drawn(theirs, rate, sigma), density(0.0, sigma)
        for epsilon in (0.0, 0.2, 1.0):
            bound = float(mechanism.delta(epsilon).upper) * (1 + 1e-6) + 1e-9
            assert profile(with_them, without, epsilon) <= bound
            assert profile(without, with_them, epsilon) <= bound


def test_records_that_are_replaced_are_told_no_better_than_by_two_steps() -> None:
    sigma, rate = 1.0, 0.3
    noise = Gaussian(sigma, sensitivity=Sensitivity(add_remove=1, replace=2))
    mechanism = PoissonSubsampled(noise, rate, records=3)
    opposite = drawn([1.0] * 3, rate, sigma), drawn([-1.0] * 3, rate, sigma)
    for epsilon in (0.0, 0.4, 1.0, 2.0):
        bound = float(mechanism.delta(epsilon, neighbours=Neighbours.REPLACE).upper)
        truth = profile(*opposite, epsilon)
        assert truth <= bound * (1 + 1e-6) + 1e-9
        assert bound == pytest.approx(truth, rel=1e-5)  # opposite records attain it


def test_several_releases_hold_the_sum_of_two_on_a_grid_of_outcomes() -> None:
    sigma, rate, records = 1.0, 0.2, 2
    grid = np.linspace(-8.0, 12.0, 2001)
    step = grid[1] - grid[0]
    base = np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi) * step
    ratio = sum(
        math.comb(records, j) * rate**j * (1 - rate) ** (records - j) * np.exp(j * grid - j * j / 2)
        for j in range(records + 1)
    )
    both = np.multiply.outer(ratio, ratio)
    weights = np.multiply.outer(base, base)
    found = PoissonSubsampled(Gaussian(sigma), rate, records=records).times(2)
    for epsilon in (0.2, 1.0):
        truth = float(np.sum(weights * np.maximum(both - math.exp(epsilon), 0.0)))
        assert float(found.delta(epsilon).upper) == pytest.approx(truth, rel=1e-4)


def test_one_record_is_the_sample_itself_and_more_records_tell_more() -> None:
    deltas = [float(PoissonSubsampled(Gaussian(1.0), 0.05, records=k).delta(0.5).upper) for k in (1, 2, 3, 8)]
    assert deltas == sorted(deltas)
    assert deltas[0] == float(PoissonSubsampled(Gaussian(1.0), 0.05).delta(0.5).upper)
    by_mixture = MixtureOfGaussians(1.0, [0.0, 1.0, 2.0], [0.5625, 0.375, 0.0625])
    assert float(PoissonSubsampled(Gaussian(1.0), 0.25, records=2).delta(0.5)) == pytest.approx(
        float(by_mixture.delta(0.5)), rel=1e-13
    )


def test_where_all_are_seen_the_records_add_up() -> None:
    everybody = PoissonSubsampled(Gaussian(3.0), 1.0, records=3)
    assert float(everybody.delta(1.0)) == pytest.approx(float(Gaussian(1.0).delta(1.0)), rel=1e-12)


@pytest.mark.parametrize("sigma", [0.0, 1e-300, 1e-200, 1e-140, 1e-12, 1e-9])
def test_next_to_no_noise_does_not_look_like_privacy(sigma: float) -> None:
    mechanism = PoissonSubsampled(Gaussian(sigma), 0.1, records=2)
    truth = 0.19  # that any of the two is drawn
    assert truth <= float(mechanism.delta(1.0).upper) <= truth * (1 + 1e-9)
    assert float(mechanism.epsilon(1e-6).upper) == math.inf
    assert float(mechanism.power(0.01).upper) >= 0.81 * 0.01 + truth - 1e-12


@pytest.mark.parametrize("sigma", [1e-140, 1e-12, 1e-8])
def test_a_mixture_with_next_to_no_noise_does_not_look_like_privacy(sigma: float) -> None:
    mechanism = MixtureOfGaussians(sigma, [0.0, 1.0, 2.0], [0.5, 0.25, 0.25])
    assert float(mechanism.delta(1.0).upper) >= 0.5
    assert float(mechanism.power(0.01).upper) >= 0.505 - 1e-12


def test_much_noise_keeps_its_digits() -> None:
    sigma = 1e12
    found = PoissonSubsampled(Gaussian(sigma), 0.25, records=2).delta(0.0)
    with mpmath.workdps(60):
        chances = (mpmath.mpf(9) / 16, mpmath.mpf(3) / 8, mpmath.mpf(1) / 16)
        # At epsilon 0 the best test rejects where the mixture is above N(0, 1).
        cut = mpmath.findroot(
            lambda a: sum(c * mpmath.exp(j * a / sigma - (j / sigma) ** 2 / 2) for j, c in enumerate(chances)) - 1,
            (mpmath.mpf(0), mpmath.mpf(3) / sigma),
        )
        truth = sum(c * mpmath.ncdf(j / mpmath.mpf(sigma) - cut) for j, c in enumerate(chances)) - mpmath.ncdf(-cut)
    assert float(found.lower) <= float(truth) * (1 + 1e-12)
    assert float(found.upper) >= float(truth) * (1 - 1e-12)
    assert float(found.upper) == pytest.approx(float(truth), rel=1e-9)


def test_the_noise_for_several_records_is_found() -> None:
    limit = limits.power(0.1, level=0.05)
    one = recommend(limit, Gaussian, sampling_rate=0.05)
    three = recommend(limit, Gaussian, sampling_rate=0.05, records=3)
    assert float(three.parameter) > float(one.parameter)
    chosen = PoissonSubsampled(Gaussian(float(three.parameter)), 0.05, records=3)
    assert 0.1 * (1 - 1e-4) <= float(chosen.power(0.05).upper) <= 0.1


def test_a_person_with_one_record_is_not_mentioned() -> None:
    assert repr(PoissonSubsampled(Gaussian(1.0), 0.1)) == "PoissonSubsampled(mechanism=Gaussian(sigma=1.0), rate=0.1)"
    several = PoissonSubsampled(Gaussian(1.0), 0.1, records=2)
    assert repr(several) == "PoissonSubsampled(mechanism=Gaussian(sigma=1.0), rate=0.1, records=2)"
    assert "records" not in PoissonSubsampled(Gaussian(1.0), 0.1).to_dict()
    assert several.to_dict()["records"] == 2


def test_what_has_no_known_loss_is_refused() -> None:
    with pytest.raises(InvalidInput, match="records must be a whole number of at least 1; got 0"):
        PoissonSubsampled(Gaussian(1.0), 0.1, records=0)
    with pytest.raises(Incompatible, match="records above 1 are known for Gaussian noise only"):
        PoissonSubsampled(Laplace(1.0), 0.1, records=2)
    with pytest.raises(TooCostly, match="records must be at most 1024; got 5000"):
        PoissonSubsampled(Gaussian(1.0), 0.1, records=5000)
    with pytest.raises(Incompatible, match="records is no option of the family Gaussian"):
        recommend(limits.power(0.1, level=0.05), Gaussian, records=3)
