"""Events that are written for dp-accounting: read back, they tell no less than the release does."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from whit.errors import NotImplied
from whit.exchange import from_dp_event, to_dp_event
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, compose
from whit.setting import Neighbours, Sensitivity

STEP = PoissonSubsampled(Gaussian(1.1), 0.01)


def test_noise_is_relative_to_the_sensitivity_and_never_too_large():
    tree = to_dp_event(Gaussian(3.0, sensitivity=Sensitivity(add_remove=(1.0, 1.0), replace=(1.0, 1.0))))
    assert Fraction(tree["noise_multiplier"]) ** 2 <= Fraction(9, 2)
    assert tree["noise_multiplier"] == pytest.approx(3 / 2**0.5, rel=1e-14)
    tree = to_dp_event(Laplace(1.0, sensitivity=Sensitivity(add_remove=3.0, replace=3.0)))
    assert Fraction(tree["noise_multiplier"]) <= Fraction(1, 3)


def test_a_composition_has_an_event_for_each_release_with_its_count():
    tree = to_dp_event(compose(STEP.times(1000), Laplace(2.0)))
    inner = {"class_name": "GaussianDpEvent", "noise_multiplier": 1.1}
    sampled = {"class_name": "PoissonSampledDpEvent", "sampling_probability": 0.01, "event": inner}
    assert tree == {
        "class_name": "ComposedDpEvent",
        "events": [
            {"class_name": "SelfComposedDpEvent", "event": sampled, "count": 1000},
            {"class_name": "LaplaceDpEvent", "noise_multiplier": 2.0},
        ],
    }


@pytest.mark.parametrize(
    "promise", [Gaussian(2.0), Laplace(0.7).times(3), ZeroConcentratedDP(0.1), STEP, compose(Gaussian(3.0), STEP)]
)
def test_an_event_that_is_read_back_has_the_same_delta(promise):
    again = from_dp_event(to_dp_event(promise)).promise
    relation = Neighbours.ADD_REMOVE
    assert float(again.delta(0.5, neighbours=relation)) == float(promise.delta(0.5, neighbours=relation))


def test_a_library_gets_its_own_classes():
    def kind(name):
        return lambda **fields: (name, fields)

    names = ("GaussianDpEvent", "PoissonSampledDpEvent", "SelfComposedDpEvent")
    module = SimpleNamespace(**{name: kind(name) for name in names})
    name, fields = to_dp_event(STEP.times(5), module)
    assert (name, fields["count"], fields["event"][0]) == ("SelfComposedDpEvent", 5, "PoissonSampledDpEvent")
    assert fields["event"][1]["event"] == ("GaussianDpEvent", {"noise_multiplier": 1.1})


def test_what_has_no_event_is_refused():
    with pytest.raises(NotImplied, match="the promise must have an event of dp-accounting; got PureDP"):
        to_dp_event(PureDP(1.0))
