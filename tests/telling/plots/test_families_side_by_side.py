"""Kinds of noise side by side: the numbers are those of their steps, on the safe side."""

from __future__ import annotations

import math
import re
from decimal import Decimal

import pytest

from whit.errors import Incompatible, InvalidInput
from whit.mechanisms import Gaussian, Geometric, Laplace
from whit.policy import frontier, limits
from whit.setting import Knowledge, Sensitivity
from whit.telling.plots import families_side_by_side, plot

LIMIT = limits.ratio(2.0)


@pytest.fixture(scope="module")
def steps():
    return {kind.__name__: frontier([LIMIT], kind)[0] for kind in (Laplace, Geometric)}


def test_the_numbers_are_standard_deviation_error_and_risk(steps):
    table = families_side_by_side(steps).table
    assert list(table) == [
        "noise",
        "parameter",
        "standard deviation at most",
        "95 % of errors stay within at most",
        "largest ratio of posterior to prior over all priors at most",
    ]
    # The epsilon that lets a prior close to 0 grow twofold is log 2 = 0.693147: Laplace noise of scale 1.442695.
    scale = 1.4427
    assert table["noise"] == ("Laplace", "Geometric")
    assert table["parameter"] == (1.4427, 0.69314)
    assert table["standard deviation at most"][0] == pytest.approx(math.sqrt(2.0) * scale, rel=1e-9)
    assert table["standard deviation at most"][0] >= math.sqrt(2.0) * scale * (1 - 1e-15)
    assert table["95 % of errors stay within at most"][0] == pytest.approx(-scale * math.log(0.05), rel=1e-9)
    share = math.exp(-0.69314)  # the variance of geometric noise is 2 a / (1 - a)^2
    assert table["standard deviation at most"][1] == pytest.approx(math.sqrt(2 * share) / (1 - share), rel=1e-9)


def test_every_number_is_said(steps):
    picture = families_side_by_side(steps)
    for part in ("Laplace, scale 1.4427: standard deviation at most 2.05", "95 % of errors stay within at most 4.33"):
        assert part in picture.alt
    assert plot(steps).alt == picture.alt


def test_the_standard_deviation_is_that_of_the_parameter_beside_it():
    for ratio in (1.3, 1.7, 2.9, 5.3):
        alt = families_side_by_side([frontier([limits.ratio(ratio)], Laplace)[0]]).alt
        scale, deviation = re.search(r"scale ([0-9.]+): standard deviation at most ([0-9.]+),", alt).groups()
        exact = Decimal(scale) * Decimal(2).sqrt()
        assert Decimal(deviation) - Decimal((0, (1,), Decimal(deviation).as_tuple().exponent)) < exact
        assert exact <= Decimal(deviation)


def test_steps_without_names_are_named_by_their_noise(steps):
    table = families_side_by_side(list(steps.values())).table
    assert table["noise"] == ("Laplace noise", "geometric noise")


def test_steps_that_cannot_be_compared_are_refused(steps):
    other = frontier([limits.ratio(3.0)], Laplace)[0]
    with pytest.raises(Incompatible, match="must meet the same requirement"):
        families_side_by_side({**steps, "other": other})
    surer = frontier([LIMIT], Laplace, confidence=0.99)[0]
    with pytest.raises(Incompatible, match="must have the same confidence"):
        families_side_by_side({**steps, "other": surer})
    with pytest.raises(InvalidInput, match="must be steps of a frontier by name"):
        families_side_by_side([Gaussian(1.0)])


def test_a_kind_whose_bound_is_by_the_profile_is_named_beside_one_by_the_loss():
    limit = limits.posterior(0.3, prior=0.1, knows=Knowledge.EVERYONE_ELSE)
    asked = {"releases": 3, "failure": 0.01, "sensitivity": Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))}
    steps = [frontier([limit], kind, **asked)[0] for kind in (Gaussian, Laplace)]
    assert "The parameter of Laplace noise comes from the privacy profile" in families_side_by_side(steps).caption
    assert "privacy profile" not in families_side_by_side(steps[:1]).caption
