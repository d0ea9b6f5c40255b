from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, LaplaceLoss
from whit.errors import Incompatible, Unreachable
from whit.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, SemanticPrivacy, ZeroConcentratedDP
from whit.guarantees.conversions import convert, laplace_rho, pure_rho, pure_rho_textbook
from whit.mechanisms import (
    Composed,
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    SimpleRandomSample,
)
from whit.setting import Neighbours, Sensitivity

REPLACE = Neighbours.REPLACE


def just_above(found: float, truth: mpmath.mpf) -> bool:
    return truth <= mpmath.mpf(found) <= truth * (1 + mpmath.mpf("1e-12"))


def exact(sigma: float) -> mpmath.mpf:
    return mpmath.mpf(1) / mpmath.mpf(sigma)


@pytest.mark.parametrize("sigma", [1e-3, 0.7, 3.0, 5.0, 1e6])
def test_gaussian_noise_has_the_mu_and_the_rho_of_its_sigma(sigma: float) -> None:
    assert just_above(convert(Gaussian(sigma), to=GaussianDP).result.mu, exact(sigma))
    assert just_above(convert(Gaussian(sigma), to=ZeroConcentratedDP).result.rho, exact(sigma) ** 2 / 2)


def test_a_histogram_changes_in_two_cells_where_a_record_is_replaced() -> None:
    noise = Gaussian(5.0, sensitivity=Sensitivity.histogram())
    replaced = convert(noise, to=ZeroConcentratedDP, neighbours=REPLACE).result
    assert replaced.neighbours is REPLACE
    assert just_above(replaced.rho, exact(5.0) ** 2)
    assert just_above(convert(noise, to=ZeroConcentratedDP).result.rho, exact(5.0) ** 2 / 2)


@pytest.mark.parametrize(
    ("noise", "epsilon"),
    [(Laplace(2.0), 0.5), (Geometric(0.7), 0.7), (RandomizedResponse(1.0), 1.0), (Laplace(2.0).times(3), 1.5)],
)
def test_bounded_noise_is_converted_through_its_largest_loss(noise, epsilon: float) -> None:
    assert just_above(convert(noise, to=PureDP).result.stated_epsilon, mpmath.mpf(epsilon))


def test_the_largest_loss_of_unlike_noises_is_the_sum_of_theirs() -> None:
    together = Composed((Laplace(2.0), 3), (Laplace(1.0), 2))
    assert just_above(convert(together, to=PureDP).result.stated_epsilon, mpmath.mpf(3.5))
    with pytest.raises(Unreachable, match="pure privacy needs a largest loss"):
        convert(Composed((Laplace(2.0), 1), (Gaussian(2.0), 1)), to=PureDP)


def test_a_rho_of_several_releases_is_that_of_each_added_up_or_less() -> None:
    found = convert(Geometric(0.5).times(3), to=ZeroConcentratedDP)
    assert just_above(found.result.rho, 3 * mpmath.mpf(0.5) * mpmath.tanh(0.25))
    assert found.path[-1].theorem == "zcdp-composition"
    assert {"pure-to-zcdp", "zcdp-composition"} <= set(found.basis.theorems)
    for parts in (((Laplace(2.0), 3),), ((Laplace(2.0), 1), (Gaussian(5.0), 2))):
        together = convert(Composed(*parts), to=ZeroConcentratedDP).result.rho
        added = sum(times * convert(part, to=ZeroConcentratedDP).result.rho for part, times in parts)
        assert together <= added * (1 + 1e-12)
        # No rho is below the divergence of order alpha over alpha.
        divergence = Composed(*parts).renyi([1.01, 2.0, 8.0])
        assert np.all(np.asarray(divergence.lower) <= together * np.array([1.01, 2.0, 8.0]))


def laplace_rho_of(epsilon: str) -> mpmath.mpf:
    with mpmath.workdps(400):
        return mpmath.mpf(epsilon) + mpmath.expm1(-mpmath.mpf(epsilon))


def laplace_divergence(epsilon: str, order: str) -> mpmath.mpf:
    """The integral of the densities of two Laplace laws of scale 1, one moved by epsilon, piece by piece."""
    with mpmath.workdps(60):
        e, a = mpmath.mpf(epsilon), mpmath.mpf(order)
        outside = mpmath.exp((a - 1) * e) / 2 + mpmath.exp(-a * e) / 2
        between = mpmath.quad(lambda x: mpmath.exp(-a * (e - x) + (a - 1) * x) / 2, [0, e])
        return mpmath.log(outside + between) / (a - 1)


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "3", "8"])
def test_no_divergence_of_laplace_noise_exceeds_that_of_its_rho(epsilon: str) -> None:
    rho = convert(Curve.exact(LaplaceLoss(float(epsilon))), to=ZeroConcentratedDP).result.rho
    for order in ("1.0001", "1.01", "1.2", "1.7", "2", "3.5", "8", "33", "250"):
        assert laplace_divergence(epsilon, order) <= mpmath.mpf(order) * mpmath.mpf(rho)
    # No smaller rho will do: near order 1 the divergence is the rho.
    assert laplace_divergence(epsilon, "1.0000001") >= mpmath.mpf(rho) * (1 - mpmath.mpf("1e-5"))


@pytest.mark.parametrize("epsilon", ["1e-310", "1e-200", "1e-9", "0.3", "0.999", "1", "1.001", "40", "1e5", "1e300"])
def test_the_rho_of_laplace_noise_is_just_above_its_formula(epsilon: str) -> None:
    found = float(laplace_rho(float(epsilon)).value)
    truth = laplace_rho_of(epsilon) * (1 - mpmath.mpf("1e-15"))  # the decimals are no doubles
    assert found >= truth
    assert found <= truth * (1 + mpmath.mpf("1e-14")) + mpmath.mpf("1e-322")


def test_small_promises_have_a_rho_above_nothing() -> None:
    for epsilon in (5e-324, 1e-310, 1e-200, 1e-162):
        assert all(float(rho(epsilon).value) > 0.0 for rho in (laplace_rho, pure_rho, pure_rho_textbook))
    assert all(float(rho(0.0).value) == 0.0 for rho in (laplace_rho, pure_rho, pure_rho_textbook))


def test_the_rhos_of_laplace_noise_add_up_over_cells_and_releases() -> None:
    one = convert(Laplace(1.0), to=ZeroConcentratedDP)
    assert just_above(one.result.rho, mpmath.exp(-1))
    assert [step.theorem for step in one.path] == ["laplace-zcdp"]
    cells = Laplace(1.0, sensitivity=Sensitivity(add_remove=(1, 2), replace=(1, 1)))
    assert just_above(convert(cells, to=ZeroConcentratedDP).result.rho, mpmath.exp(-1) + 1 + mpmath.exp(-2))
    replaced = convert(cells, to=ZeroConcentratedDP, neighbours=REPLACE).result
    assert replaced.neighbours is REPLACE
    assert just_above(replaced.rho, 2 * mpmath.exp(-1))
    assert just_above(
        convert(Laplace(1.0).times(1000).curve(), to=ZeroConcentratedDP).result.rho, 1000 * mpmath.exp(-1)
    )


@pytest.mark.parametrize("noise", [Geometric(1.0), RandomizedResponse(1.0), PoissonSubsampled(Laplace(1.0), 0.5)])
def test_other_noise_has_not_the_rho_of_laplace_noise(noise) -> None:
    found = convert(noise, to=ZeroConcentratedDP)
    assert "laplace-zcdp" not in found.basis.theorems
    if not isinstance(noise, PoissonSubsampled):
        assert just_above(found.result.rho, mpmath.tanh(mpmath.mpf("0.5")))


def test_a_mu_and_divergences_of_several_releases_add_up_by_their_own_rules() -> None:
    noise = Gaussian(2.0).times(10)
    assert just_above(convert(noise, to=GaussianDP).result.mu, mpmath.sqrt(10) / 2)
    divergences = convert(noise, to=RenyiDP, orders=[2, 8]).result.orders
    assert just_above(divergences[8.0], mpmath.mpf(10))
    # The mu that covers all together is smaller than the sum of the parts has it.
    laplace = convert(Laplace(2.0).times(4), to=GaussianDP).result
    assert laplace.mu < 2 * convert(Laplace(2.0), to=GaussianDP).result.mu
    levels = np.array([1e-6, 0.01, 0.2, 0.4])
    assert np.all(laplace.power(levels).value >= Laplace(2.0).times(4).power(levels).lower)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("change", [1, 3])
def test_no_divergence_of_discrete_gaussian_noise_exceeds_that_of_its_rho(sigma: float, change: int) -> None:
    """By summing the divergence of the two laws themselves."""
    noise = DiscreteGaussian(sigma, sensitivity=Sensitivity(add_remove=change, replace=change))
    rho = convert(noise, to=ZeroConcentratedDP).result.rho
    assert just_above(rho, mpmath.mpf(change) ** 2 / (2 * mpmath.mpf(sigma) ** 2))
    reach = int(40 * sigma) + 60 * change
    norm = mpmath.fsum(
        mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * mpmath.mpf(sigma) ** 2)) for k in range(-reach, reach + 1)
    )
    for order in (mpmath.mpf("1.3"), mpmath.mpf(2), mpmath.mpf("5.5")):
        terms = (
            mpmath.exp(-(order * mpmath.mpf(k - change) ** 2 - (order - 1) * mpmath.mpf(k) ** 2) / (2 * sigma**2))
            for k in range(-reach, reach + 1)
        )
        divergence = mpmath.log(mpmath.fsum(terms) / norm) / (order - 1)
        assert divergence <= order * mpmath.mpf(rho)


def test_discrete_gaussian_noise_adds_up_over_cells_and_releases() -> None:
    noise = DiscreteGaussian(5.0, sensitivity=Sensitivity.histogram())
    one = convert(noise, to=ZeroConcentratedDP, neighbours=REPLACE)
    assert just_above(one.result.rho, mpmath.mpf(1) / 25)
    assert [step.theorem for step in one.path] == ["noise-of-a-share"]
    four = convert(noise.times(4), to=ZeroConcentratedDP, neighbours=REPLACE).result.rho
    assert just_above(four, mpmath.mpf(4) / 25)
    whole_curve = convert(noise.times(4).curve(REPLACE), to=ZeroConcentratedDP).result.rho
    assert just_above(whole_curve, mpmath.mpf(4) / 25)


def test_epsilon_and_delta_are_read_off_the_exact_curve() -> None:
    noise = Gaussian(2.0).times(10)
    found = convert(noise, to=ApproxDP, delta=1e-6)
    assert found.result == convert(noise.curve(), to=ApproxDP, delta=1e-6).result
    assert found.promises[0] is noise
    assert found.result.stated_epsilon <= convert(
        GaussianDP(math.sqrt(2.5)), to=ApproxDP, delta=1e-6
    ).result.stated_epsilon * (1 + 1e-9)


def test_beliefs_under_bounded_noise_need_no_failure() -> None:
    found = convert(Laplace(2.0), to=SemanticPrivacy).result
    assert just_above(found.level, mpmath.tanh(0.25))
    with pytest.raises(Incompatible, match="failure must be given where the promise has a delta"):
        convert(Gaussian(2.0), to=SemanticPrivacy)


def test_a_refusal_names_the_mechanism() -> None:
    with pytest.raises(Unreachable, match=r"pure privacy needs a largest loss; got Gaussian\(") as refused:
        convert(Gaussian(5.0), to=PureDP)
    assert refused.value.value == Gaussian(5.0)
    with pytest.raises(Unreachable, match=r"got SimpleRandomSample\("):
        convert(SimpleRandomSample(10, 100), to=GaussianDP)
    with pytest.raises(Unreachable, match=r"rho is known of Gaussian noise.*got SimpleRandomSample\("):
        convert(SimpleRandomSample(10, 100), to=ZeroConcentratedDP)


def test_a_group_is_protected_after_the_conversion() -> None:
    assert just_above(convert(Gaussian(5.0), to=ZeroConcentratedDP, group=2).result.rho, 4 * exact(5.0) ** 2 / 2)


def test_a_curve_by_itself_has_the_same_promise() -> None:
    curve = Laplace(2.0).curve()
    assert isinstance(curve, Curve)
    assert convert(curve, to=ZeroConcentratedDP).result == convert(Laplace(2.0), to=ZeroConcentratedDP).result
