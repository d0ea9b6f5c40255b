"""Releases composed from above on one lattice: what it cannot weigh is refused in a sentence."""

from __future__ import annotations

import math

import pytest

from whit.curves import GaussianLoss, composed
from whit.curves.lattice_bound import CLOSE, LatticeBound, bounded_sum
from whit.curves.lattice_sums import LatticeSums
from whit.errors import TooCostly
from whit.mechanisms import Gaussian, PoissonSubsampled
from whit.setting import Neighbours, Sensitivity

STEP = PoissonSubsampled(Gaussian(0.5, sensitivity=Sensitivity(add_remove=1.0, replace=2.0)), 0.2)


@pytest.mark.parametrize("steps", [1200, 2000, 100_000])
def test_losses_that_a_double_cannot_weigh_are_refused(steps):
    with pytest.raises(TooCostly, match="must have losses of at most 709 to be composed from above"):
        composed({STEP.curve(Neighbours.REPLACE): steps}, from_above=True).epsilon(1e-6)


@pytest.mark.parametrize("steps", [1000, 1200, 2000, 100_000])
def test_many_steps_with_a_replaced_record_need_no_lattice(steps):
    found = float(STEP.times(steps).epsilon(1e-6, neighbours=Neighbours.REPLACE))
    added = float(STEP.times(steps).epsilon(1e-6, neighbours=Neighbours.ADD_REMOVE))
    # Whoever is replaced is removed and added.
    assert added < found < 2 * added


def test_a_finer_lattice_gives_no_larger_epsilon():
    """For 1,000 steps with a replaced record, beside the epsilon by the transform, and both orders of the pair."""
    face = STEP.curve(Neighbours.REPLACE).face
    exact = float(STEP.times(1000).epsilon(1e-6, neighbours=Neighbours.REPLACE))
    found = []
    for places in (2**14, 2**15, 2**16):
        bound = LatticeBound(LatticeSums({face: 1000}, 1185.0 / places, 1e-8))
        assert bound.reverse() is bound
        found.append(float(bound.epsilon(math.log(1e-6)).upper))
    assert exact <= found[2] <= found[1] <= found[0] <= 1.002 * exact


def test_a_replaced_record_in_a_training_is_not_above_the_number_of_a_library():
    """The epsilons at 1e-6 of dp-accounting 0.6.0, which lays out the pair itself on a lattice."""
    step = PoissonSubsampled(Gaussian(1.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0)), 0.01)
    for steps, epsilon in ((2, 0.43723056670602956), (1000, 3.2142369989405113)):
        assert float(step.times(steps).epsilon(1e-6, neighbours=Neighbours.REPLACE)) <= epsilon


def test_many_releases_with_gaussian_noise_are_bounded_closely():
    """Together they are one release with a larger mu, in closed form. Each is followed to its share of what is open."""
    found, whole = bounded_sum({GaussianLoss(0.125): 64}), GaussianLoss(1.0)
    for epsilon in (0.0, 0.2, 1.0):
        bound, truth = found.log_delta(epsilon).upper, whole.log_delta(epsilon)
        assert truth.lower <= bound <= truth.upper + CLOSE


def test_many_steps_with_little_noise_are_not_above_the_numbers_of_a_library():
    """The epsilons at 1e-6, and the deltas at half of them, of dp-accounting 0.6.0."""
    numbers = {
        Neighbours.ADD_REMOVE: (124.43963840734678, 0.1741173669467304),
        Neighbours.REPLACE: (164.37892767956973, 0.5098410967908098),
    }
    for neighbours, (epsilon, delta) in numbers.items():
        assert float(STEP.times(300).epsilon(1e-6, neighbours=neighbours)) <= epsilon
        assert float(STEP.times(300).delta(epsilon / 2, neighbours=neighbours)) <= delta
