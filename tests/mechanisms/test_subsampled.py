"""Noise on a Poisson sample, against its closed form for one release and references for many."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from whit.curves import Orientation
from whit.errors import InvalidInput, NotImplied
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction

REFERENCE = Path(__file__).parents[1] / "curves" / "contour" / "loss_reference.json"


def one_release(mechanism: Gaussian | Laplace, rate: float, epsilon: float) -> float:
    """With P' = (1 - q) Q + q P the profile at t is q D(log((e^t - 1 + q)/q)): the excess over (1 - q) Q is q P."""
    inner = np.log((np.exp(epsilon) - 1 + rate) / rate)
    return rate * float(mechanism.delta(inner))


@pytest.mark.parametrize("rate", [0.3, 0.9])
@pytest.mark.parametrize("mechanism", [Gaussian(0.7), Laplace(0.8)])
def test_one_release_has_its_closed_form(mechanism: Gaussian | Laplace, rate: float) -> None:
    for epsilon in (0.1, 0.6):
        curve = PoissonSubsampled(mechanism, rate).curve()
        found = curve.delta(epsilon, orientation=Orientation.FORWARD)
        truth = one_release(mechanism, rate, epsilon)
        assert found.lower <= truth * (1 + 1e-9)
        assert truth * (1 - 1e-9) <= found.upper


def test_ten_thousand_steps_have_the_reference_profile() -> None:
    """Sigma 1, rate 0.01: 25-digit values for removing and for adding a record."""
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
    curve = PoissonSubsampled(Gaussian(1.0), 0.01).times(10_000).curve()
    assert curve.direction is Direction.EXACTLY
    for name, orientation in (("dpsgd_remove", Orientation.FORWARD), ("dpsgd_add", Orientation.BACKWARD)):
        for epsilon, value in reference[name].items():
            found = curve.delta(float(epsilon), orientation=orientation)
            assert found.lower <= float(value) <= found.upper
            assert found.upper <= found.lower * (1 + 1.001e-6)


def test_what_it_rests_on_is_named() -> None:
    theorems = PoissonSubsampled(Gaussian(1.0), 0.1).times(100).delta(1.0).basis.theorems
    assert {"poisson-subsampling", "subsampled-transform", "contour-profile"} <= set(theorems)


def test_a_smaller_sample_is_less_risk() -> None:
    deltas = [float(PoissonSubsampled(Gaussian(1.0), rate).times(50).delta(0.5)) for rate in (0.05, 0.2, 0.7, 1.0)]
    assert deltas == sorted(deltas)


def test_the_whole_is_the_mechanism_itself() -> None:
    assert float(PoissonSubsampled(Gaussian(1.3), 1.0).delta(0.5)) == float(Gaussian(1.3).delta(0.5))


def test_the_sensitivity_counts() -> None:
    wide = Gaussian(2.0, sensitivity=Sensitivity(add_remove=2, replace=2))
    once, twice = (PoissonSubsampled(each, 0.1).times(100).delta(1.0) for each in (Gaussian(1.0), wide))
    assert float(once) == pytest.approx(float(twice), rel=1e-9)


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(NotImplied, match=r"the privacy loss is not known under"):
        PoissonSubsampled(Gaussian(1.0), 0.1).delta(1.0, neighbours=Neighbours.LOCAL)
    histogram = Laplace(1.0, sensitivity=Sensitivity(add_remove=(1, 1), replace=(1, 1)))
    with pytest.raises(NotImplied, match=r"the loss of this noise on a sample is only known for one cell"):
        PoissonSubsampled(histogram, 0.1).delta(1.0)
    with pytest.raises(NotImplied, match=r"noise alone does not describe a release on a sample"):
        PoissonSubsampled(Gaussian(1.0), 0.1).sample(np.random.default_rng(1))


def test_bad_input_is_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidInput, match=r"rate must be a probability in \[0, 1\]; got 1.5"):
        PoissonSubsampled(Gaussian(1.0), 1.5)
    with pytest.raises(InvalidInput, match=r"mechanism must be noise whose loss on a sample is known; got 1.0"):
        PoissonSubsampled(1.0, 0.1)
