"""Live objects of other libraries, in an environment of their own: `make test-peers`."""

from __future__ import annotations

import json

import opendp.prelude as opendp
import pytest
from dp_accounting import NeighboringRelation, pld, rdp
from dp_accounting import dp_event as events
from dp_accounting.pld import privacy_loss_distribution as losses
from peer_pages import run_sessions

from whit import Adversary, assess
from whit.errors import NotImplied
from whit.exchange import from_odometer, learn
from whit.guarantees import PureDP
from whit.setting import Neighbours

pytestmark = pytest.mark.filterwarnings("ignore")

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
    assert own * (1 - 1e-4) <= float(found) <= own * (1 + 1e-9)


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


@pytest.mark.parametrize(
    "distribution",
    [
        losses.from_gaussian_mechanism(2.0),
        losses.from_laplace_mechanism(1.5).self_compose(20),
        losses.from_gaussian_mechanism(1.0, sampling_prob=0.01).self_compose(1000),
    ],
    ids=["Gaussian", "Laplace x 20", "training"],
)
def test_a_distribution_has_the_numbers_of_the_library_and_a_ten_thousandth_more_at_most(distribution):
    curve = learn(distribution).promise
    for epsilon in (0.0, 0.1, 0.5, 1.0, 2.0):
        own = distribution.get_delta_for_epsilon(epsilon)
        assert own * (1 - 1e-12) <= float(curve.delta(epsilon)) <= own * (1 + 1e-4)
    for delta in (1e-3, 1e-5, 1e-6):
        own = distribution.get_epsilon_for_delta(delta)
        assert own * (1 - 1e-12) <= float(curve.epsilon(delta)) <= own * (1 + 1e-4)


@pytest.mark.parametrize("make", [pld.PLDAccountant, rdp.RdpAccountant])
def test_an_accountant_is_read_by_what_it_composed(make):
    accountant = make()
    accountant.compose(STEP, 1000)
    found = float(learn(accountant).promise.epsilon(DELTA))
    # By the accountant of losses; the other one is looser.
    assert 2.1245225256749363 * (1 - 1e-4) <= found <= accountant.get_epsilon(DELTA) * (1 + 1e-9)


def test_an_accountant_of_replaced_records_is_asked_about_these():
    accountant = pld.PLDAccountant(NeighboringRelation.REPLACE_ONE)
    accountant.compose(events.GaussianDpEvent(2.0), 3)
    found = learn(accountant)
    assert found.relations == (Neighbours.REPLACE,)
    own = accountant.get_epsilon(DELTA)
    assert own * (1 - 1e-4) <= float(found.promise.epsilon(DELTA, neighbours=Neighbours.REPLACE)) <= own * (1 + 1e-9)


def test_an_event_and_an_accountant_are_assessed_as_they_are():
    accountant = pld.PLDAccountant()
    accountant.compose(events.GaussianDpEvent(2.0))
    told = assess(accountant, Adversary(prior=0.1), failure=0.01).posterior
    both = assess(events.GaussianDpEvent(2.0), Adversary(prior=0.1), failure=0.01).posterior
    assert 0.1 < float(told) < float(both) < 1.0  # the event does not say that records are added or removed


def test_an_accountant_of_prv_accountant_has_an_epsilon_between_its_bounds():
    library = pytest.importorskip("prv_accountant", reason="prv-accountant is not installed")
    parts = [library.PoissonSubsampledGaussianMechanism(0.01, 1.0), library.LaplaceMechanism(mu=0.1)]
    accountant = library.PRVAccountant(parts, 0.01, 1e-9, max_self_compositions=[1000, 5])
    low, _, high = accountant.compute_epsilon(DELTA, [1000, 5])
    assert low <= float(learn(accountant).promise.epsilon(DELTA)) <= high


def test_the_accountant_of_riskcal_has_its_epsilon():
    accountants = pytest.importorskip("riskcal.accountants", reason="riskcal is not installed")
    accountant = accountants.CTDAccountant()
    for _ in range(100):
        accountant.step(noise_multiplier=1.0, sample_rate=0.01)
    own = accountant.get_epsilon(delta=DELTA)
    assert own * (1 - 1e-4) <= float(learn(accountant).promise.epsilon(DELTA)) <= own * (1 + 1e-9)


@pytest.mark.parametrize("name", ["RDPAccountant", "PRVAccountant", "GaussianAccountant"])
def test_an_accountant_of_opacus_is_read_by_its_history_whatever_it_computes(name):
    """The Gaussian one of them gives 0.53, which is below the truth."""
    accountants = pytest.importorskip("opacus.accountants", reason="Opacus is not installed")
    accountant = getattr(accountants, name)()
    for _ in range(100):
        accountant.step(noise_multiplier=1.0, sample_rate=0.01)
    found = float(learn(accountant).promise.epsilon(DELTA))
    assert 0.9542 <= found <= 0.95422
    assert found <= accountant.get_epsilon(delta=DELTA) or name == "GaussianAccountant"
    state = json.loads(json.dumps(accountant.state_dict()))
    assert learn(state).promise == learn(accountant).promise


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("GaussianMechanism", {"sigma": 2.0}),
        ("ExactGaussianMechanism", {"sigma": 2.0}),
        ("LaplaceMechanism", {"b": 1.5}),
        ("RandresponseMechanism", {"p": 0.75}),
        ("PureDP_Mechanism", {"eps": 0.5}),
        ("ExponentialMechanism", {"eps": 0.5}),
        ("zCDP_Mechanism", {"rho": 0.1}),
        ("DiscreteGaussianMechanism", {"sigma": 2.0}),
        ("NoisySGD_Mechanism", {"prob": 0.01, "sigma": 1.0, "niter": 100}),
    ],
)
def test_a_mechanism_of_autodp_has_no_more_than_its_own_epsilon(name, given):
    zoo = pytest.importorskip("autodp.mechanism_zoo", reason="autodp is not installed")
    mechanism = getattr(zoo, name)(**given)
    assert float(learn(mechanism).promise.epsilon(DELTA)) <= mechanism.get_approxDP(DELTA) * (1 + 1e-9)


def test_what_autodp_composed_is_refused_in_a_sentence():
    zoo = pytest.importorskip("autodp.mechanism_zoo", reason="autodp is not installed")
    from autodp.transformer_zoo import Composition

    with pytest.raises(NotImplied, match="Read its parts one by one"):
        learn(Composition()([zoo.GaussianMechanism(2.0)], [3]))


def test_an_odometer_of_opendp_has_its_own_loss():
    space = opendp.vector_domain(opendp.atom_domain(T="i32")), opendp.symmetric_distance()
    odometer = opendp.c.make_fully_adaptive_composition(*space, output_measure=opendp.max_divergence())
    queryable = odometer([1, 2, 3])
    for _ in range(2):
        queryable(count() >> opendp.m.then_laplace(scale=2.0))
    found = from_odometer(odometer, queryable, d_in=1)
    assert found.promise == PureDP(queryable.privacy_loss(1))
    assert found.relations == (Neighbours.ADD_REMOVE,)
    through = opendp.c.make_privacy_filter(odometer, d_in=1, d_out=2.0)
    assert learn(through, d_in=1).promise == PureDP(2.0)
    assert learn(json.loads(opendp.serialize(through))).promise == PureDP(2.0)


def test_a_context_of_opendp_has_spent_the_shares_of_its_queries():
    context = opendp.Context.compositor(
        data=[1, 2, 3],
        privacy_unit=opendp.unit_of(contributions=1),
        privacy_loss=opendp.loss_of(epsilon=1.0),
        split_evenly_over=2,
        domain=opendp.vector_domain(opendp.atom_domain(T="i32")),
    )
    assert float(learn(context).promise.epsilon(0.0)) == 0.0
    context.query().count().laplace().release()
    assert 0.5 <= float(learn(context).promise.epsilon(0.0)) <= 0.5 * (1 + 1e-9)


def test_a_profile_of_opendp_is_a_curve_that_is_not_below_it():
    measurement = opendp.c.make_zCDP_to_approxDP(count() >> opendp.m.then_gaussian(scale=2.0))
    curve, profile = learn(measurement, d_in=1).promise, measurement.map(1)
    for epsilon in (0.1, 0.5, 1.0, 2.0):
        own = profile.delta(epsilon)
        assert own <= float(curve.delta(epsilon)) <= own * (1 + 1e-4)


@pytest.mark.parametrize("page", ["beside-dp-accounting.md", "beside-opendp.md", "beside-opacus.md"])
def test_the_page_runs(page):
    assert run_sessions(f"how-to/{page}") > 0


@pytest.mark.parametrize("library", ["autodp", "prv_accountant", "riskcal"])
def test_the_page_for_users_of_a_library_runs(library):
    pytest.importorskip(library, reason=f"{library} is not installed")
    assert run_sessions(f"if-you-use/{library.replace('_', '-')}.md") > 0
