"""Noise in cells: what changes together is composed, and what nobody changes has no loss."""

from __future__ import annotations

import numpy as np
import pytest
from ends import middle

from whit.curves import FinitePair
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.mechanisms.mechanism import FAINT
from whit.mechanisms.noise import drawn
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction

ONE_WAY = Sensitivity(add_remove=1, replace=0)
FAMILIES = [Laplace, Gaussian, Geometric, DiscreteGaussian]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_nobody_changes_has_no_loss(family) -> None:
    mechanism = family(1.0, sensitivity=ONE_WAY)
    loss = mechanism.loss(Neighbours.REPLACE)
    assert isinstance(loss, FinitePair)
    assert loss.losses.tolist() == [0.0]
    assert float(mechanism.delta(0.0, neighbours=Neighbours.REPLACE).upper) == 0.0


@pytest.mark.parametrize("family", [Gaussian, Geometric, DiscreteGaussian])
def test_cells_are_composed_as_separate_releases_are(family) -> None:
    """A histogram under replace is two counts."""
    histogram, count = family(1.0, sensitivity=Sensitivity.histogram()), family(1.0)
    epsilons = [0.0, 0.5, 1.5]
    together = histogram.delta(epsilons, neighbours=Neighbours.REPLACE)
    apart = count.times(2).delta(epsilons, neighbours=Neighbours.REPLACE)
    np.testing.assert_allclose(middle(together), middle(apart), rtol=1e-5)
    assert np.all(together.lower <= apart.upper)
    assert np.all(apart.lower <= together.upper)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_faint_tail_is_an_upper_bound(family) -> None:
    tail = family(1.0).noise_tail([1.0, 1e4, np.inf])
    assert tail.direction is Direction.AT_MOST
    assert tail.value[1] == FAINT
    assert family(1.0).noise_tail([-1.0, 0.0, 1.0]).direction is Direction.EXACTLY


def test_the_shape_of_a_sample_is_a_tuple() -> None:
    assert drawn(3) == (3,)
    assert drawn((2, 3)) == (2, 3)
