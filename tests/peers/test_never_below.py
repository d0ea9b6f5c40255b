"""Live objects against the truth: whit is never below it, and where a formula has it, above by at most 1e-9 of it.

Truths are formulas of many digits, enclosed sums, or the losses that a library rounds down when it is asked to. How
whit lies beside what an object answers itself is in `test_own_values.py`.
"""

from __future__ import annotations

import json

import mpmath
import opendp.prelude as opendp
import pytest
from dp_accounting import NeighboringRelation, pld, rdp
from dp_accounting import dp_event as events
from dp_accounting.pld import privacy_loss_distribution as losses
from exact_profiles import finite, gaussian, laplace, sampled
from flint import arb
from known_truths import (
    TINY,
    discrete_gaussian,
    geometric,
    larger_of,
    lies_just_above,
    mixture,
    replaced_step,
    response,
    training_step,
)
from summed_laws import Gaussian, Sampled, Splines, Together, with_bits

from whit.exchange import learn
from whit.setting import Neighbours

pytestmark = pytest.mark.filterwarnings("ignore")

opendp.enable_features("contrib")

DELTA = 1e-6
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE
RELATIONS = {ADD: NeighboringRelation.ADD_OR_REMOVE_ONE, REPLACE: NeighboringRelation.REPLACE_ONE}
NOISE = events.GaussianDpEvent(1.0)
STEP = events.PoissonSampledDpEvent(0.01, NOISE)


def found_epsilon(value: object, relation: Neighbours | None = None) -> float:
    return float(learn(value).promise.epsilon(DELTA, neighbours=relation))


def own_epsilon(event: events.DpEvent, relation: Neighbours, make: type = pld.PLDAccountant) -> float:
    accountant = make(neighboring_relation=RELATIONS[relation])
    accountant.compose(event)
    return float(accountant.get_epsilon(DELTA))


def five_laplaces() -> Splines:
    with_bits(384)
    return Splines({1 / 3: 5})


def truth_in_balls(law: Gaussian | Splines | Sampled | Together):
    """The profile of a law whose masses are enclosed; the larger end of the ball."""

    def profile(t: mpmath.mpf) -> mpmath.mpf:
        with_bits(384)
        at = arb(mpmath.nstr(t, 60))
        p, q = law.above(at)
        return mpmath.mpf((p - at.exp() * q).upper().str(30, radius=False))

    return profile


def two_steps(*, removed: bool):
    with_bits(384)
    return Together(*(Sampled(1.0, 0.01, normal_noise=True, removed=removed) for _ in range(2)))


FORMULAS = {
    "Gaussian": (events.GaussianDpEvent(2.0), ADD, gaussian(0.5)),
    "Gaussian, replaced": (events.GaussianDpEvent(2.0), REPLACE, gaussian(1.0)),
    "three Gaussians": (
        events.SelfComposedDpEvent(events.GaussianDpEvent(2.0), 3),
        ADD,
        gaussian(mpmath.sqrt(mpmath.mpf(3)) / 2),
    ),
    "Laplace": (events.LaplaceDpEvent(1.5), ADD, laplace(1 / mpmath.mpf(1.5))),
    "discrete Laplace": (events.DiscreteLaplaceDpEvent(0.5, 2), ADD, geometric(0.5, 2)),
    "randomized response": (
        events.RandomizedResponseDpEvent(0.5, 4),
        REPLACE,
        finite([0.625, 0.125, 0.125, 0.125], [0.125, 0.625, 0.125, 0.125]),
    ),
    "a step": (STEP, ADD, training_step(1.0, 0.01)),
    "a step, replaced": (STEP, REPLACE, replaced_step(1.0, 0.01)),
    "Laplace on a sample": (
        events.PoissonSampledDpEvent(0.1, events.LaplaceDpEvent(1.0)),
        ADD,
        larger_of(*(sampled(laplace(1.0), 0.1, removed=order) for order in (True, False))),
    ),
    "mixture": (
        events.MixtureOfGaussiansDpEvent(1.0, [0, 1, 2], [0.81, 0.18, 0.01]),
        ADD,
        mixture(1.0, [0, 1, 2], [0.81, 0.18, 0.01]),
    ),
}
"""Events with a formula in whit, and what is true of each by another formula."""


@pytest.mark.parametrize("name", FORMULAS)
def test_an_event_with_a_formula_lies_just_above_the_truth(name):
    event, relation, truth = FORMULAS[name]
    found = found_epsilon(event, relation)
    assert lies_just_above(found, truth, DELTA)
    assert found <= own_epsilon(event, relation) * (1 + TINY)
    for epsilon in (0.0, 0.1, 0.3):
        delta, exact = float(learn(event).promise.delta(epsilon, neighbours=relation)), truth(mpmath.mpf(epsilon))
        assert exact <= delta <= exact * (1 + mpmath.mpf(TINY))


def test_a_wrong_epsilon_is_found_out():
    found = found_epsilon(events.GaussianDpEvent(2.0), ADD)
    assert not lies_just_above(found * (1 - 2e-9), gaussian(0.5), DELTA)
    assert not lies_just_above(found * (1 + 2e-9), gaussian(0.5), DELTA)


@pytest.mark.parametrize(
    ("event", "truth"),
    [
        (events.SelfComposedDpEvent(events.LaplaceDpEvent(3.0), 5), lambda: truth_in_balls(five_laplaces())),
        (
            events.ComposedDpEvent(
                [events.GaussianDpEvent(2.0), events.SelfComposedDpEvent(events.LaplaceDpEvent(3.0), 5)]
            ),
            lambda: truth_in_balls(Together(five_laplaces(), Gaussian(arb(0.25)))),
        ),
        (
            events.SelfComposedDpEvent(STEP, 2),
            lambda: larger_of(*(truth_in_balls(two_steps(removed=order)) for order in (True, False))),
        ),
    ],
    ids=["Laplace x 5", "Gaussian and Laplace x 5", "two steps"],
)
def test_a_composition_lies_above_the_truth_by_a_ten_millionth_at_most(event, truth):
    """The profile is worked out to a millionth of delta; epsilon is then known to a twentieth of that."""
    found = found_epsilon(event, ADD)
    assert lies_just_above(found, truth(), DELTA, within=1e-7)
    assert found <= own_epsilon(event, ADD) * (1 + TINY)


def training_from_below(sigma: float, rate: float, steps: int, relation: Neighbours = ADD) -> float:
    """No more than the epsilon of a training: losses rounded down to a grid, as the library does it when asked."""
    one = losses.from_gaussian_mechanism(
        sigma,
        sampling_prob=rate,
        pessimistic_estimate=False,
        value_discretization_interval=1e-5 if steps <= 100 else 5e-5,
        use_connect_dots=False,
        neighboring_relation=RELATIONS[relation],
    )
    return float(one.self_compose(steps).get_epsilon_for_delta(DELTA))


@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "relation"), [(1.0, 0.01, 1000, ADD), (1.0, 0.01, 1000, REPLACE), (0.5, 0.2, 300, ADD)]
)
def test_a_long_composition_is_not_below_losses_that_are_rounded_down(sigma, rate, steps, relation):
    step = events.PoissonSampledDpEvent(rate, events.GaussianDpEvent(sigma))
    found = found_epsilon(events.SelfComposedDpEvent(step, steps), relation)
    assert training_from_below(sigma, rate, steps, relation) <= found


def test_events_that_have_only_an_accountant_of_renyi_divergences():
    """Each is above a pair of datasets that it must cover, and not above the accountant but for its orders."""
    concentrated = events.ZCDpEvent(0.1)
    assert gaussian(mpmath.sqrt(mpmath.mpf(0.2)))(mpmath.mpf(found_epsilon(concentrated, ADD))) <= DELTA
    assert found_epsilon(concentrated, ADD) <= own_epsilon(concentrated, ADD, rdp.RdpAccountant)
    # A record is in four sums of a tree with eight leaves.
    tree = events.SingleEpochTreeAggregationDpEvent(2.0, [8, 5])
    assert lies_just_above(found_epsilon(tree, ADD), gaussian(1.0), DELTA)
    # The accountant takes noise relative to what a replaced record changes, whit relative to one contribution.
    sample = events.SampledWithoutReplacementDpEvent(1000, 10, NOISE)
    assert replaced_step(1.0, 0.01)(mpmath.mpf(found_epsilon(sample, REPLACE))) <= DELTA
    relative = events.SampledWithoutReplacementDpEvent(1000, 10, events.GaussianDpEvent(2.0))
    assert found_epsilon(relative, REPLACE) <= own_epsilon(sample, REPLACE, rdp.RdpAccountant)
    best = events.RepeatAndSelectDpEvent(events.GaussianDpEvent(4.0), 10.0, 1.0)
    assert gaussian(0.25)(mpmath.mpf(found_epsilon(best, ADD))) <= DELTA
    assert found_epsilon(best, ADD) <= own_epsilon(best, ADD, rdp.RdpAccountant) * (1 + TINY)


@pytest.mark.parametrize(
    ("distribution", "truth"),
    [
        (losses.from_gaussian_mechanism(2.0), gaussian(0.5)),
        (losses.from_laplace_mechanism(1.5), laplace(1 / mpmath.mpf(1.5))),
        (losses.from_gaussian_mechanism(1.0, sampling_prob=0.01), training_step(1.0, 0.01)),
        (losses.from_randomized_response(0.5, 4), FORMULAS["randomized response"][2]),
    ],
    ids=["Gaussian", "Laplace", "a step", "randomized response"],
)
def test_a_distribution_is_not_below_the_truth_of_its_noise(distribution, truth):
    curve = learn(distribution).promise
    for epsilon in (0.0, 0.1, 0.3, 0.6):
        own = distribution.get_delta_for_epsilon(epsilon)
        assert truth(mpmath.mpf(epsilon)) * (1 - mpmath.mpf(1e-12)) <= float(curve.delta(epsilon)) <= own * (1 + 1e-4)
    found = float(curve.epsilon(DELTA))
    assert truth(mpmath.mpf(found)) <= DELTA
    assert found <= distribution.get_epsilon_for_delta(DELTA) * (1 + 1e-4)


def test_the_message_of_a_distribution_is_not_below_the_truth_of_its_noise():
    distribution = losses.from_gaussian_mechanism(2.0)
    masses = distribution._pmf_remove.to_dense_pmf()
    message = {
        "min_key": masses._lower_loss,
        "values": masses._probs.tolist(),
        "infinity_mass": masses._infinity_mass,
        "discretization_interval": masses._discretization,
    }
    curve = learn(json.loads(json.dumps({"pessimistic_pmf": message}))).promise
    for epsilon in (0.0, 0.5, 1.0, 2.0):
        own = distribution.get_delta_for_epsilon(epsilon)
        assert gaussian(0.5)(mpmath.mpf(epsilon)) <= float(curve.delta(epsilon)) <= own * (1 + 1e-4)


def count():
    return opendp.t.make_count(opendp.vector_domain(opendp.atom_domain(T="i32")), opendp.symmetric_distance())


@pytest.mark.parametrize(
    ("make", "truth", "within"),
    [
        (lambda: count() >> opendp.m.then_laplace(scale=2.0), geometric(0.5, 1), TINY),
        (lambda: count() >> opendp.m.then_gaussian(scale=3.0), discrete_gaussian(3.0, 1), TINY),
        (
            lambda: opendp.m.make_randomized_response_bool(0.75),
            finite([0.75, 0.25], [0.25, 0.75]),
            TINY,
        ),
        (
            lambda: opendp.m.make_laplace(
                opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float), scale=2.0
            ),
            laplace(0.5),
            TINY,
        ),
        (
            lambda: opendp.c.make_composition([count() >> opendp.m.then_laplace(scale=2.0)] * 2),
            None,
            TINY,
        ),
    ],
    ids=["geometric", "discrete Gaussian", "randomized response", "Laplace", "composition"],
)
def test_a_measurement_of_opendp_is_above_the_truth_and_its_noise_just_above(make, truth, within):
    """A live one has the promise of its own map; a serialized one has the noise."""
    measurement = make()
    distance = measurement.map(1) if truth is None else None
    stated = float(learn(measurement, d_in=1).promise.epsilon(DELTA))
    noise = float(learn(json.loads(opendp.serialize(measurement)), d_in=1).promise.epsilon(DELTA))
    assert noise <= stated * (1 + within)
    if truth is None:
        assert stated <= distance * (1 + TINY)
        return
    assert truth(mpmath.mpf(stated)) <= DELTA
    assert lies_just_above(noise, truth, DELTA, within=within)


@pytest.mark.parametrize("name", ["RDPAccountant", "PRVAccountant", "GaussianAccountant"])
def test_an_accountant_of_opacus_is_not_below_losses_that_are_rounded_down(name):
    import opacus.accountants

    accountant = getattr(opacus.accountants, name)()
    for _ in range(100):
        accountant.step(noise_multiplier=1.0, sample_rate=0.01)
    below = training_from_below(1.0, 0.01, 100)
    assert below <= found_epsilon(accountant)
    # The one by Gaussian limits is not sound.
    sound = name != "GaussianAccountant"
    own = float(accountant.get_epsilon(delta=DELTA))
    assert (found_epsilon(accountant) <= own) is sound
    assert (below <= own) is sound


def test_accountants_of_riskcal_and_prv_are_not_below_losses_that_are_rounded_down():
    from prv_accountant.dpsgd import DPSGDAccountant
    from riskcal.accountants import CTDAccountant

    discrete = CTDAccountant()
    for _ in range(100):
        discrete.step(noise_multiplier=1.0, sample_rate=0.01)
    training = DPSGDAccountant(1.0, 0.01, 100, 0.01, 1e-9)
    below = training_from_below(1.0, 0.01, 100)
    assert below <= found_epsilon(discrete) <= discrete.get_epsilon(delta=DELTA) * (1 + TINY)
    assert below <= found_epsilon(training) <= training.compute_epsilon(DELTA, 100)[2]


@pytest.mark.parametrize(
    ("name", "given", "truth"),
    [
        ("GaussianMechanism", {"sigma": 2.0}, gaussian(0.5)),
        ("ExactGaussianMechanism", {"sigma": 2.0}, gaussian(0.5)),
        ("LaplaceMechanism", {"b": 1.5}, laplace(1 / mpmath.mpf(1.5))),
        ("RandresponseMechanism", {"p": 0.75}, finite([0.75, 0.25], [0.25, 0.75])),
        ("PureDP_Mechanism", {"eps": 0.5}, response(0.5)),
    ],
)
def test_a_mechanism_of_autodp_lies_just_above_the_truth(name, given, truth):
    from autodp import mechanism_zoo

    mechanism = getattr(mechanism_zoo, name)(**given)
    assert lies_just_above(found_epsilon(mechanism), truth, DELTA)


@pytest.mark.parametrize(
    ("name", "given", "covered"),
    [
        ("zCDP_Mechanism", {"rho": 0.1}, gaussian(mpmath.sqrt(mpmath.mpf(0.2)))),
        ("DiscreteGaussianMechanism", {"sigma": 2.0}, discrete_gaussian(2.0, 1)),
        # Two choices, one of them e^(1/2) times as likely in the other dataset, are within the range.
        (
            "ExponentialMechanism",
            {"eps": 0.5},
            response(0.25),
        ),
        ("NoisySGD_Mechanism", {"prob": 0.01, "sigma": 1.0, "niter": 1}, training_step(1.0, 0.01)),
    ],
)
def test_a_promise_of_autodp_is_not_below_a_pair_that_it_covers(name, given, covered):
    from autodp import mechanism_zoo

    assert covered(mpmath.mpf(found_epsilon(getattr(mechanism_zoo, name)(**given)))) <= DELTA
