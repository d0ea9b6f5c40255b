"""Releases composed from above on one lattice: what it cannot weigh is refused in a sentence."""

from __future__ import annotations

import math

import pytest

from whit.errors import TooCostly
from whit.mechanisms import Gaussian, PoissonSubsampled
from whit.setting import Neighbours, Sensitivity

STEP = PoissonSubsampled(Gaussian(0.5, sensitivity=Sensitivity(add_remove=1.0, replace=2.0)), 0.2)


@pytest.mark.parametrize("steps", [1200, 2000, 100_000])
def test_losses_that_a_double_cannot_weigh_are_refused(steps):
    with pytest.raises(TooCostly, match="must have losses of at most 709 to be composed from above"):
        STEP.times(steps).epsilon(1e-6, neighbours=Neighbours.REPLACE)


def test_just_short_of_that_there_is_an_answer():
    found = float(STEP.times(1000).epsilon(1e-6, neighbours=Neighbours.REPLACE))
    added = float(STEP.times(1000).epsilon(1e-6, neighbours=Neighbours.ADD_REMOVE))
    # Whoever is replaced is removed and added.
    assert added < found < 2 * added
    assert math.isfinite(found)


def test_a_replaced_record_in_a_training_is_not_above_the_number_of_a_library():
    """The epsilons at 1e-6 of dp-accounting 0.6.0, which lays out the pair itself on a lattice."""
    step = PoissonSubsampled(Gaussian(1.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0)), 0.01)
    for steps, epsilon in ((2, 0.43723056670602956), (1000, 3.2142369989405113)):
        assert float(step.times(steps).epsilon(1e-6, neighbours=Neighbours.REPLACE)) <= epsilon
