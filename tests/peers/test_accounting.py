"""Live objects of other libraries, in an environment of their own: `make test-peers`."""

from __future__ import annotations

import json

import opendp.prelude as opendp
import pytest
from dp_accounting import dp_event as events
from dp_accounting import pld

from whit.errors import NotImplied
from whit.exchange import learn
from whit.setting import Neighbours

opendp.enable_features("contrib")

DELTA = 1e-6
STEP = events.PoissonSampledDpEvent(0.01, events.GaussianDpEvent(1.0))


@pytest.mark.parametrize(
    "event",
    [
        events.GaussianDpEvent(2.0),
        events.LaplaceDpEvent(1.5),
        events.DiscreteLaplaceDpEvent(0.5, 2),
        STEP,
        events.SelfComposedDpEvent(STEP, 1000),
        events.ComposedDpEvent(
            [events.GaussianDpEvent(2.0), events.SelfComposedDpEvent(events.LaplaceDpEvent(3.0), 5)]
        ),
        events.MixtureOfGaussiansDpEvent(1.0, [0, 1, 2], [0.81, 0.18, 0.01]),
        events.TruncatedSubsampledGaussianDpEvent(10_000, 0.01, 150, 1.0),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_has_the_epsilon_of_its_own_accountant_but_for_its_grid(event):
    """The accountant rounds losses up to a grid of 1e-4, so that it lies above by up to that; its transforms may lie
    below the truth by a part in ten million."""
    accountant = pld.PLDAccountant()
    accountant.compose(event)
    own = accountant.get_epsilon(DELTA)
    found = learn(event).promise.epsilon(DELTA)
    assert own * (1 - 1e-4) <= float(found) <= own * (1 + 1e-7)


@pytest.mark.parametrize("event", [events.NonPrivateDpEvent(), events.UnsupportedDpEvent()])
def test_events_without_privacy_are_refused(event):
    with pytest.raises(NotImplied, match="no privacy that anybody could bound"):
        learn(event)


def count():
    return opendp.t.make_count(opendp.vector_domain(opendp.atom_domain(T="i32")), opendp.symmetric_distance())


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: count() >> opendp.m.then_laplace(scale=2.0), "PureDP"),
        (lambda: count() >> opendp.m.then_gaussian(scale=3.0), "ZeroConcentratedDP"),
        (lambda: opendp.m.make_randomized_response_bool(0.75), "PureDP"),
    ],
)
def test_a_measurement_promises_what_its_map_says_and_its_noise_no_more(make, kind):
    measurement = make()
    stated = learn(measurement, d_in=1).promise
    noise = learn(json.loads(opendp.serialize(measurement)), d_in=1).promise
    assert type(stated).__name__ == kind
    assert float(noise.delta(0.3)) <= float(stated.delta(0.3)) * (1 + 1e-9)


def test_the_metric_of_a_measurement_is_its_neighbours():
    assert learn(count() >> opendp.m.then_laplace(scale=2.0), d_in=1).promise.neighbours is Neighbours.ADD_REMOVE
    assert learn(opendp.m.make_randomized_response_bool(0.75), d_in=1).promise.neighbours is Neighbours.LOCAL
