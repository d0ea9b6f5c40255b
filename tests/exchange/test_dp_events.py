"""Events of dp-accounting, as the trees that it writes."""

from __future__ import annotations

import math
from typing import NamedTuple

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied, UnknownKey
from whit.exchange import OpenPoint, from_dp_event, learn
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, compose
from whit.setting import Neighbours, Sensitivity

NORM = Sensitivity(add_remove=1.0, replace=2.0)


def event(name, **fields):
    return {"module_name": "dp_accounting.dp_event", "class_name": f"{name}DpEvent", **fields}


GAUSSIAN = event("Gaussian", noise_multiplier=2.0)
STEP = event("PoissonSampled", sampling_probability=0.01, event=event("Gaussian", noise_multiplier=1.0))


def promise(tree):
    return from_dp_event(tree).promise


def test_noise_is_relative_to_the_norm_of_one_contribution():
    """Adding a record moves the sum by 1, replacing one by 2, so that the latter is half the noise."""
    found = promise(GAUSSIAN)
    assert found == Gaussian(2.0, sensitivity=NORM)
    replaced = found.delta(1.0, neighbours=Neighbours.REPLACE)
    assert float(replaced) == pytest.approx(float(Gaussian(1.0).delta(1.0)), rel=1e-12)


def test_laplace_and_discrete_laplace():
    assert promise(event("Laplace", noise_multiplier=1.5)) == Laplace(1.5, sensitivity=NORM)
    whole = promise(event("DiscreteLaplace", noise_parameter=0.5, sensitivity=2))
    assert float(whole.epsilon(0.0)) == 1.0
    assert float(whole.epsilon(0.0, neighbours=Neighbours.REPLACE)) == pytest.approx(2.0, rel=1e-15)


@pytest.mark.parametrize(("noise", "buckets"), [(0.5, 4), (0.9, 2), (0.01, 100), (1.0, 3)])
def test_randomized_response_has_the_ratio_of_its_two_probabilities(noise, buckets):
    found = promise(event("RandomizedResponse", noise_parameter=noise, num_buckets=buckets))
    keep, other = 1 - noise + noise / buckets, noise / buckets
    assert float(found.epsilon(0.0)) == pytest.approx(math.log(keep / other), rel=1e-12, abs=1e-15)
    assert float(found.epsilon(0.0)) >= math.log(keep / other) * (1 - 1e-15)


def test_compositions_are_counted():
    tree = event(
        "Composed", events=[GAUSSIAN, event("SelfComposed", event=event("Laplace", noise_multiplier=3.0), count=5)]
    )
    expected = compose(Gaussian(2.0, sensitivity=NORM), Laplace(3.0, sensitivity=NORM).times(5))
    assert float(promise(tree).epsilon(1e-6)) == float(expected.epsilon(1e-6))


def test_events_with_several_parameters_may_have_been_chosen_on_the_way():
    both = event("Composed", events=[GAUSSIAN, event("Laplace", noise_multiplier=3.0)])
    assert OpenPoint.ADAPTIVITY in from_dp_event(both).open
    assert OpenPoint.ADAPTIVITY not in from_dp_event(event("SelfComposed", event=GAUSSIAN, count=3)).open


def test_equal_events_are_put_together():
    assert promise(event("Composed", events=[GAUSSIAN, GAUSSIAN])) == Gaussian(2.0, sensitivity=NORM).times(2)


def test_training_on_samples():
    found = from_dp_event(event("SelfComposed", event=STEP, count=1000))
    assert found.promise == PoissonSubsampled(Gaussian(1.0, sensitivity=NORM), 0.01).times(1000)
    assert OpenPoint.SAMPLING in found.open
    assert OpenPoint.SAMPLING not in from_dp_event(GAUSSIAN).open


@pytest.mark.parametrize(
    ("tree", "delta", "epsilon"),
    [
        # Epsilons by the accountants of dp-accounting 0.6.0, which are upper bounds.
        (GAUSSIAN, 1e-6, 2.2540846566590376),
        (event("Laplace", noise_multiplier=1.5), 1e-6, 0.6666970000955006),
        (STEP, 1e-6, 0.3639478577388396),
        (event("SelfComposed", event=STEP, count=1000), 1e-6, 2.1245225256749363),
        (event("MixtureOfGaussians", standard_deviation=1.0, sensitivities=[0, 1, 2],
               sampling_probs=[0.81, 0.18, 0.01]), 1e-6, 4.637673630140231),
        (event("TruncatedSubsampledGaussian", dataset_size=10_000, sampling_probability=0.01, truncated_batch_size=150,
               noise_multiplier=1.0), 1e-6, 0.36408410927921403),
    ],
)  # fmt: skip
def test_epsilons_are_those_of_the_library_but_for_its_grid(tree, delta, epsilon):
    found = float(promise(tree).epsilon(delta))
    assert epsilon * (1 - 1e-4) <= found <= epsilon * (1 + 1e-9)


def test_trees_and_runs_and_samples_of_fixed_size():
    trees = promise(event("SingleEpochTreeAggregation", noise_multiplier=2.0, step_counts=[16, 32]))
    deepest = promise(event("SingleEpochTreeAggregation", noise_multiplier=2.0, step_counts=32))
    assert float(trees.epsilon(1e-6)) == float(deepest.epsilon(1e-6))
    best = promise(event("RepeatAndSelect", event=GAUSSIAN, mean=10.0, shape=1.0))
    assert float(best.epsilon(1e-6)) > float(promise(GAUSSIAN).epsilon(1e-6))
    drawn = promise(event("SampledWithoutReplacement", source_dataset_size=1000, sample_size=10, event=GAUSSIAN))
    assert (drawn.size, drawn.population) == (10, 1000)


def test_a_number_in_a_tensor_is_the_number():
    class Tensor:
        def numpy(self):
            return np.float32(2.0)

    assert promise(event("Gaussian", noise_multiplier=Tensor())) == promise(GAUSSIAN)
    assert promise(event("Gaussian", noise_multiplier=np.array(2.0))) == promise(GAUSSIAN)
    with pytest.raises(InvalidInput, match="noise_multiplier must be a finite number"):
        promise(event("Gaussian", noise_multiplier=np.array([2.0, 3.0])))


def test_stated_rho_adds_up():
    assert promise(event("ZC", rho=0.1, xi=0.0)) == ZeroConcentratedDP(0.1)
    several = promise(event("SelfComposed", event=event("ZC", rho=0.1), count=3))
    assert float(several.delta(1.0)) >= float(ZeroConcentratedDP(0.3).delta(1.0)) * (1 - 1e-12)


def test_noise_beside_a_stated_rho_composes():
    """Gaussian noise of deviation 2 has rho = 1/8, so that both together have no more than the sum of the two."""
    both = promise(event("Composed", events=[GAUSSIAN, event("ZC", rho=0.1)]))
    assert float(promise(GAUSSIAN).epsilon(1e-6)) < float(both.epsilon(1e-6))
    assert float(both.epsilon(1e-6)) <= float(ZeroConcentratedDP(0.1 + 1 / 8).epsilon(1e-6)) * 1.05


def test_what_was_not_run_tells_nothing():
    assert promise(event("NoOp")) == PureDP(0.0)
    assert promise(event("SelfComposed", event=GAUSSIAN, count=0)) == PureDP(0.0)
    assert promise(event("Composed", events=[GAUSSIAN, event("NoOp")])) == Gaussian(2.0, sensitivity=NORM)


@pytest.mark.parametrize(
    ("tree", "error", "words"),
    [
        (event("NonPrivate"), NotImplied, "no privacy that anybody could bound"),
        (event("Unsupported"), NotImplied, "no privacy"),
        (event("SampledWithReplacement", source_dataset_size=10, sample_size=2, event=GAUSSIAN), NotImplied, "proved"),
        (event("Quantum"), UnknownKey, "the class of event"),
        (event("Composed", events=[GAUSSIAN, event("Quantum")]), UnknownKey, r"the class of event.events\[1\]"),
        (event("Gaussian"), InvalidInput, "event.noise_multiplier must be there"),
        (event("Gaussian", noise_multiplier="loud"), InvalidInput, "event.noise_multiplier must be a finite number"),
        (event("Gaussian", noise_multiplier=math.nan), InvalidInput, "finite number"),
        (event("Gaussian", noise_multiplier=True), InvalidInput, "finite number"),
        (event("SelfComposed", event=GAUSSIAN, count=1.5), InvalidInput, "event.count must be a whole number"),
        (event("PoissonSampled", sampling_probability=0.1, event=event("SelfComposed", event=GAUSSIAN, count=2)),
         NotImplied, "event.event must be one release"),
        (event("PoissonSampled", sampling_probability=0.1, event=event("ZC", rho=0.1)),
         NotImplied, "noise to be sampled"),
        (event("ZC", rho=0.1, xi=0.2), NotImplied, "event.xi must be 0"),
        (event("RandomizedResponse", noise_parameter=0.0, num_buckets=2), InvalidInput, "above 0 and at most 1"),
        (event("Composed", events=[3]), InvalidInput, r"event.events\[0\] must be an event"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_refused_with_its_place(tree, error, words):
    with pytest.raises(error, match=words):
        from_dp_event(tree)


def test_a_tree_that_is_too_deep_is_refused():
    tree = GAUSSIAN
    for _ in range(200):
        tree = event("SelfComposed", event=tree, count=1)
    with pytest.raises(InvalidInput, match="at most 50 events deep"):
        from_dp_event(tree)


def test_other_things_are_no_events():
    with pytest.raises(InvalidInput, match="must be an event of dp-accounting"):
        from_dp_event(3)
    with pytest.raises(InvalidInput, match="must be one that whit can read"):
        learn(3)


def test_a_negative_count_does_not_cancel_what_was_run():
    """Five releases less than none took one that was run away, and left a promise of perfect privacy."""
    undone = event("SelfComposed", event=GAUSSIAN, count=-5)
    with pytest.raises(InvalidInput, match=r"event\.events\[0\]\.count must be a whole number of at least 0; got -5"):
        promise(event("Composed", events=[undone, GAUSSIAN]))


@pytest.mark.parametrize("events", [{}, "", None, 3, {"class_name": "GaussianDpEvent"}])
def test_what_is_no_list_of_events_is_not_taken_for_an_empty_one(events):
    with pytest.raises(InvalidInput, match=r"event\.events must be a list"):
        promise(event("Composed", events=events))


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 10**400, True, None, "3", [3], {}])
@pytest.mark.parametrize(
    ("name", "field"), [("Gaussian", "noise_multiplier"), ("SelfComposed", "count"), ("Laplace", "noise_multiplier")]
)
def test_what_is_no_finite_number_is_refused_with_its_place(name, field, value):
    with pytest.raises(InvalidInput, match=rf"event\.{field} must be a finite number"):
        promise(event(name, event=GAUSSIAN) | {field: value})


@pytest.mark.parametrize("name", [[], {}, None, 3])
def test_a_class_inside_that_is_no_name_is_refused(name):
    with pytest.raises(UnknownKey, match=r"the class of event\.event"):
        promise(event("SelfComposed", event={"class_name": name}, count=2))


@pytest.mark.parametrize("buckets", [2, 3, 1000])
@pytest.mark.parametrize("noise", [0.1, 0.3, 0.7, 0.999, 1 - 2**-53, 1e-300, 1.0])
def test_the_epsilon_of_randomized_response_is_not_below_the_truth(noise, buckets):
    found = promise(event("RandomizedResponse", noise_parameter=noise, num_buckets=buckets))
    with mpmath.workdps(400):
        share = mpmath.mpf(noise)
        truth = mpmath.log(1 + buckets * (1 - share) / share)
        assert truth <= found.stated_epsilon <= truth * (1 + mpmath.mpf("1e-15"))


def test_a_named_tuple_is_read_like_the_event_that_it_was_made_of():
    class Noise(NamedTuple):
        module_name: str
        class_name: str
        noise_multiplier: float

    class Several(NamedTuple):
        module_name: str
        class_name: str
        events: list[Noise]

    module = "dp_accounting.dp_event"
    one = Noise(module, "GaussianDpEvent", 2.0)
    assert learn(one).promise == promise(GAUSSIAN)
    assert learn(Several(module, "ComposedDpEvent", [one, one])).promise == promise(GAUSSIAN).times(2)
