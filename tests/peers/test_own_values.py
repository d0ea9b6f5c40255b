"""Each live object against its own answer: wherever that is sound, whit is above it by a billionth of it at most.

An answer of a library is sound where it is an upper bound by the library's own account: the epsilon and the delta of
the accountants of dp-accounting, the epsilon of those of Opacus by Rényi divergences and by loss distributions, that
of riskcal, the upper end of prv-accountant, the distance that a measurement of OpenDP states. These are not:

- the accountant of Opacus by Gaussian limits, an estimate, which is below the truth;
- that of dp-accounting by Rényi divergences for replaced records: the event has its noise relative to one contribution,
  and the accountant takes it as relative to what a replaced record changes, which is twice as much;
- that of dp-accounting by loss distributions for several randomized responses in one event, which it counts once.

What is read at points is above by 1e-4 of it at most.
"""

from __future__ import annotations

import math

import mpmath
import opendp.prelude as opendp
import pytest
from dp_accounting import NeighboringRelation, pld, rdp
from dp_accounting import dp_event as events
from exact_profiles import gaussian, laplace
from known_truths import TINY

from whit.errors import NotImplied
from whit.exchange import learn

pytestmark = pytest.mark.filterwarnings("ignore")

opendp.enable_features("contrib")

DELTA = 1e-6
ADD, REPLACE, ZEROED = (
    getattr(NeighboringRelation, name) for name in ("ADD_OR_REMOVE_ONE", "REPLACE_ONE", "REPLACE_SPECIAL")
)
BY_LOSSES, BY_DIVERGENCES = pld.PLDAccountant, rdp.RdpAccountant
NOISE = events.GaussianDpEvent(2.0)
STEP = events.PoissonSampledDpEvent(0.01, events.GaussianDpEvent(1.0))
LITTLE = events.PoissonSampledDpEvent(0.2, events.GaussianDpEvent(0.5))
LESS = events.PoissonSampledDpEvent(0.1, events.GaussianDpEvent(0.7))
CUT = events.TruncatedSubsampledGaussianDpEvent(10_000, 0.01, 150, 1.0)
LAPLACES = events.SelfComposedDpEvent(events.LaplaceDpEvent(3.0), 5)
RESPONSE = events.RandomizedResponseDpEvent(0.5, 4)


def steps(event: events.DpEvent, count: int) -> events.DpEvent:
    return events.SelfComposedDpEvent(event, count)


def runs(shape: float) -> events.DpEvent:
    return events.RepeatAndSelectDpEvent(events.GaussianDpEvent(4.0), 10.0, shape)


EVENTS = {
    "nothing": (BY_LOSSES, ADD, events.NoOpDpEvent()),
    "Gaussian": (BY_LOSSES, ADD, NOISE),
    "Gaussian, replaced": (BY_LOSSES, REPLACE, NOISE),
    "Gaussian, zeroed": (BY_LOSSES, ZEROED, NOISE),
    "Gaussian by divergences": (BY_DIVERGENCES, ADD, NOISE),
    "three Gaussians": (BY_LOSSES, ADD, steps(NOISE, 3)),
    "three Gaussians, replaced": (BY_LOSSES, REPLACE, steps(NOISE, 3)),
    "Laplace": (BY_LOSSES, ADD, events.LaplaceDpEvent(1.5)),
    "Laplace by divergences": (BY_DIVERGENCES, ADD, events.LaplaceDpEvent(1.5)),
    "Laplace x 5": (BY_LOSSES, ADD, LAPLACES),
    "discrete Laplace": (BY_LOSSES, ADD, events.DiscreteLaplaceDpEvent(0.5, 2)),
    "randomized response": (BY_LOSSES, REPLACE, RESPONSE),
    "randomized response, zeroed": (BY_LOSSES, ZEROED, RESPONSE),
    "randomized response by divergences": (BY_DIVERGENCES, REPLACE, RESPONSE),
    "Gaussian and Laplace x 5": (BY_LOSSES, ADD, events.ComposedDpEvent([NOISE, LAPLACES])),
    "mixture": (BY_LOSSES, ADD, events.MixtureOfGaussiansDpEvent(1.0, [0, 1, 2], [0.81, 0.18, 0.01])),
    "Laplace on a sample": (BY_LOSSES, ADD, events.PoissonSampledDpEvent(0.1, events.LaplaceDpEvent(1.0))),
    "a step": (BY_LOSSES, ADD, STEP),
    "a step, replaced": (BY_LOSSES, REPLACE, STEP),
    "two steps": (BY_LOSSES, ADD, steps(STEP, 2)),
    "two steps, replaced": (BY_LOSSES, REPLACE, steps(STEP, 2)),
    "1,000 steps": (BY_LOSSES, ADD, steps(STEP, 1000)),
    "1,000 steps by divergences": (BY_DIVERGENCES, ADD, steps(STEP, 1000)),
    "1,000 steps, replaced": (BY_LOSSES, REPLACE, steps(STEP, 1000)),
    "300 steps with little noise": (BY_LOSSES, ADD, steps(LITTLE, 300)),
    "300 steps with little noise, replaced": (BY_LOSSES, REPLACE, steps(LITTLE, 300)),
    "1,000 steps with little noise": (BY_LOSSES, ADD, steps(LITTLE, 1000)),
    "1,000 steps with little noise, replaced": (BY_LOSSES, REPLACE, steps(LITTLE, 1000)),
    "50 steps with less noise": (BY_LOSSES, ADD, steps(LESS, 50)),
    "50 steps with less noise, replaced": (BY_LOSSES, REPLACE, steps(LESS, 50)),
    "truncated sample": (BY_LOSSES, ADD, CUT),
    "truncated sample, replaced": (BY_LOSSES, REPLACE, CUT),
    "100 truncated samples": (BY_LOSSES, ADD, steps(CUT, 100)),
    "100 truncated samples, replaced": (BY_LOSSES, REPLACE, steps(CUT, 100)),
    "zero-concentrated": (BY_DIVERGENCES, ADD, events.ZCDpEvent(0.1)),
    "tree": (BY_DIVERGENCES, ZEROED, events.SingleEpochTreeAggregationDpEvent(2.0, [8, 5])),
    "best of a geometric number of runs": (BY_DIVERGENCES, ADD, runs(1.0)),
    "best of a logarithmic number of runs": (BY_DIVERGENCES, ADD, runs(0.0)),
    "best of a Poisson number of runs": (BY_DIVERGENCES, ADD, runs(math.inf)),
}
"""Accountants of dp-accounting: the class, the relation, and what is composed."""


@pytest.mark.parametrize("name", EVENTS)
def test_an_accountant_of_dp_accounting_is_not_below_whit(name):
    make, relation, event = EVENTS[name]
    accountant = make(neighboring_relation=relation)
    accountant.compose(event)
    found = learn(accountant)
    [neighbours] = found.relations or (None,)
    own = accountant.get_epsilon(DELTA)
    assert float(found.promise.epsilon(DELTA, neighbours=neighbours)) <= own * (1 + TINY)
    delta = float(found.promise.delta(own / 2, neighbours=neighbours))
    assert delta <= accountant.get_delta(own / 2) * (1 + TINY)


@pytest.mark.parametrize(
    ("event", "truth"),
    [(NOISE, gaussian(1.0)), (events.LaplaceDpEvent(1.5), laplace(2 / mpmath.mpf(1.5)))],
    ids=["Gaussian", "Laplace"],
)
def test_an_accountant_by_divergences_is_below_the_truth_for_replaced_records(event, truth):
    """By the definition of the event: one contribution is at most 1, so that a replaced record changes a sum by 2."""
    accountant = BY_DIVERGENCES(neighboring_relation=REPLACE)
    accountant.compose(event)
    assert truth(mpmath.mpf(accountant.get_epsilon(DELTA))) > DELTA
    found = learn(accountant)
    assert truth(mpmath.mpf(float(found.promise.epsilon(DELTA, neighbours=found.relations[0])))) <= DELTA


def test_an_accountant_by_losses_counts_repeated_reports_once():
    once, often = BY_LOSSES(neighboring_relation=ZEROED), BY_LOSSES(neighboring_relation=ZEROED)
    once.compose(RESPONSE)
    often.compose(steps(RESPONSE, 10))
    assert often.get_epsilon(DELTA) == once.get_epsilon(DELTA)
    for _ in range(9):
        once.compose(RESPONSE)
    for accountant in (once, often):
        found = learn(accountant)
        assert float(found.promise.epsilon(DELTA, neighbours=found.relations[0])) <= once.get_epsilon(DELTA)
    assert often.get_epsilon(DELTA) < 0.2 * once.get_epsilon(DELTA)


def test_runs_with_replaced_records_are_refused_in_a_sentence():
    accountant = BY_DIVERGENCES(neighboring_relation=REPLACE)
    accountant.compose(runs(1.0))
    with pytest.raises(NotImplied, match="must be one under which whit has a bound for these events; got REPLACE_ONE"):
        learn(accountant)


@pytest.mark.parametrize("name", ["RDPAccountant", "PRVAccountant"])
@pytest.mark.parametrize("phases", [[(1.0, 0.01, 100)], [(1.0, 0.01, 50), (0.8, 0.02, 20)]])
def test_an_accountant_of_opacus_is_not_below_whit(name, phases):
    import opacus.accountants

    accountant = getattr(opacus.accountants, name)()
    for noise, rate, count in phases:
        for _ in range(count):
            accountant.step(noise_multiplier=noise, sample_rate=rate)
    own = float(accountant.get_epsilon(delta=DELTA))
    assert float(learn(accountant).promise.epsilon(DELTA)) <= own * (1 + TINY)


def test_accountants_of_riskcal_and_prv_are_not_below_whit():
    import prv_accountant
    from prv_accountant.dpsgd import DPSGDAccountant
    from riskcal.accountants import CTDAccountant

    discrete = CTDAccountant()
    for _ in range(100):
        discrete.step(noise_multiplier=1.0, sample_rate=0.01)
    assert float(learn(discrete).promise.epsilon(DELTA)) <= discrete.get_epsilon(delta=DELTA) * (1 + TINY)
    training = DPSGDAccountant(1.0, 0.01, 100, 0.01, 1e-9)
    assert float(learn(training).promise.epsilon(DELTA)) <= training.compute_epsilon(DELTA, 100)[2] * (1 + TINY)
    parts = [prv_accountant.PoissonSubsampledGaussianMechanism(0.01, 1.0), prv_accountant.LaplaceMechanism(mu=0.1)]
    several = prv_accountant.PRVAccountant(parts, 0.01, 1e-9, max_self_compositions=[1000, 5])
    own = several.compute_epsilon(DELTA, [1000, 5])[2]
    assert float(learn(several).promise.epsilon(DELTA)) <= own * (1 + TINY)


def count():
    return opendp.t.make_count(opendp.vector_domain(opendp.atom_domain(T="i32")), opendp.symmetric_distance())


@pytest.mark.parametrize(
    "make",
    [
        lambda: count() >> opendp.m.then_laplace(scale=2.0),
        lambda: opendp.m.make_randomized_response_bool(0.75),
        lambda: opendp.c.make_composition([count() >> opendp.m.then_laplace(scale=2.0)] * 2),
    ],
    ids=["Laplace", "randomized response", "composition"],
)
def test_the_distance_of_a_measurement_of_opendp_is_not_below_whit(make):
    measurement = make()
    assert float(learn(measurement, d_in=1).promise.epsilon(0.0)) <= measurement.map(1) * (1 + TINY)


def test_the_profile_of_concentrated_noise_of_opendp_is_not_below_whit():
    noise = count() >> opendp.m.then_gaussian(scale=3.0)
    profile = opendp.c.make_zCDP_to_approxDP(noise).map(1)
    found = learn(noise, d_in=1).promise
    assert float(found.epsilon(DELTA)) <= profile.epsilon(DELTA) * (1 + TINY)
    for epsilon in (0.1, 0.5, 1.0):
        assert float(found.delta(epsilon)) <= profile.delta(epsilon) * (1 + TINY)
