from __future__ import annotations

import mpmath
import pytest

from whit.apps.cli.promises import PARAMETERS, STATED_BY, sensitivity, stated
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
)
from whit.setting import Neighbours, Sensitivity


@pytest.mark.parametrize(
    ("given", "promise"),
    [
        ({"epsilon": "1"}, PureDP(1.0)),
        ({"epsilon": 1, "delta": "1e-6"}, ApproxDP(1.0, 1e-6)),
        ({"rho": "2.56"}, ZeroConcentratedDP(2.56)),
        ({"mu": "0.5"}, GaussianDP(0.5)),
        ({"gaussian": "2"}, Gaussian(2.0)),
        ({"laplace": "2"}, Laplace(2.0)),
        ({"geometric": "1"}, Geometric(1.0)),
        ({"discrete_gaussian": "2"}, DiscreteGaussian(2.0)),
        ({"randomized_response": "1"}, RandomizedResponse(1.0)),
        ({"gaussian": "2", "sampling_rate": "0.1"}, PoissonSubsampled(Gaussian(2.0), 0.1)),
        ({"gaussian": "2", "sensitivity": "histogram"}, Gaussian(2.0, sensitivity=Sensitivity.histogram())),
        ({"epsilon": "1", "neighbours": "replace"}, PureDP(1.0, neighbours=Neighbours.REPLACE)),
        ({"epsilon": "1", "noise": "geometric"}, Geometric(1.0)),
        ({"epsilon": "1", "noise": "randomized-response"}, RandomizedResponse(1.0)),
    ],
)
def test_parameters_name_a_promise(given, promise):
    assert stated(given).promised == promise


@pytest.mark.parametrize("one", STATED_BY)
@pytest.mark.parametrize("other", STATED_BY)
def test_a_promise_is_stated_once(one, other):
    if one == other:
        assert stated({one: "1"}).times == 1
        return
    with pytest.raises(Incompatible, match="must be stated once"):
        stated({one: "1", other: "1"})


@pytest.mark.parametrize(("by", "value"), [("rho", "2.56"), ("rho", "0.1"), ("mu", "0.3"), ("rho", "1e-9")])
def test_gaussian_noise_named_by_its_promise_has_at_most_the_noise_that_keeps_it(by, value):
    noise = stated({by: value, "noise": "gaussian"}).promised
    assert isinstance(noise, Gaussian)
    stated_mu = mpmath.mpf(float(value)) if by == "mu" else mpmath.sqrt(2 * mpmath.mpf(float(value)))
    truth = 1 / stated_mu
    assert mpmath.mpf(noise.sigma) <= truth
    assert mpmath.mpf(noise.sigma) >= truth * (1 - mpmath.mpf(2) ** -48)


def test_laplace_noise_named_by_its_epsilon_has_at_least_that_epsilon():
    noise = stated({"epsilon": "0.3", "noise": "laplace"}).promised
    assert isinstance(noise, Laplace)
    assert 1 / mpmath.mpf(noise.scale) >= mpmath.mpf(0.3)


def test_so_many_releases_are_composed():
    assert stated({"rho": "0.01", "times": "7"}).promised == ZeroConcentratedDP(0.01).times(7)
    assert stated({"laplace": "2", "times": 3}).promised == Laplace(2.0).times(3)


def test_a_relation_is_asked_of_noise_and_stated_of_a_guarantee():
    assert stated({"gaussian": "1", "neighbours": "replace"}).relation is Neighbours.REPLACE
    assert stated({"gaussian": "1"}).relation is None
    assert stated({"epsilon": "1", "neighbours": "add_remove"}).relation is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count", Sensitivity.count()),
        ("3", Sensitivity(add_remove=3, replace=3)),
        ("1:2", Sensitivity(add_remove=1, replace=2)),
        ([1, 2], Sensitivity(add_remove=1, replace=2)),
        ({"add_remove": 1, "replace": [1, 1]}, Sensitivity.histogram()),
    ],
)
def test_a_sensitivity_is_a_word_or_numbers(text, expected):
    assert sensitivity(text) == expected


def test_a_sensitivity_of_three_numbers_is_refused():
    with pytest.raises(InvalidInput, match="ADD:REPLACE"):
        sensitivity("1:2:3")


def test_noise_is_not_named_where_there_is_none_to_name():
    with pytest.raises(InvalidInput, match="above 0 where the noise is named"):
        stated({"rho": "0", "noise": "gaussian"})
    with pytest.raises(InvalidInput, match="noise must be one of the words"):
        stated({"rho": "1", "noise": "pink"})
    with pytest.raises(Incompatible, match="noise=laplace goes with epsilon"):
        stated({"rho": "1", "noise": "laplace"})


def test_every_parameter_is_an_option_of_the_command():
    from whit.apps.cli.commands.assess import assess

    assert set(PARAMETERS) <= {option.name for option in assess.params}
