"""A dear profile is read only as far out as it can matter, and the bounds are those of all points."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves import face as faces
from whit.curves.losses import largest_loss
from whit.curves.profile_points import _STEPS, Search
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, compose

RELEASES = [
    PoissonSubsampled(Gaussian(1.0), 0.05).times(50),
    compose(Laplace(4.0).times(10), Gaussian(3.0).times(4)),
]


@pytest.mark.parametrize("releases", RELEASES)
@pytest.mark.parametrize("sides", [1, 2])
def test_points_that_are_left_out_could_not_bound_the_loss_better(releases, sides):
    curve = releases.mixed()
    assert curve.face.is_dear
    chances = np.array([1e-3, 0.2])
    search = Search(np.asarray(curve.epsilon(chances).value), chances, sides)
    _, some = search._step_by_step(curve)
    _, every = search._bounds(curve, np.broadcast_to(_STEPS, (2, len(_STEPS))))
    np.testing.assert_allclose(some.min(axis=-1), every.min(axis=-1), rtol=1e-9)
    assert np.isinf(some).sum() > np.isinf(every).sum()  # some were left out


@pytest.mark.parametrize("releases", RELEASES)
def test_distances_that_are_left_out_could_not_bound_the_tail_better(releases):
    face, t = releases.mixed().face, np.array([1.0, 2.5])
    every = faces._bounds(face, t, np.broadcast_to(faces.WIDEST, (2, len(faces.WIDEST))))
    some = faces._step_by_step(face, t)
    np.testing.assert_allclose(some[1].min(axis=-1), every[1].min(axis=-1), rtol=1e-9)


def test_the_loss_is_that_of_gaussian_noise_in_closed_form():
    # Two kinds of Gaussian noise are one; the second way has no profile to read.
    dear = compose(Gaussian(2.0).times(3), PoissonSubsampled(Gaussian(1.0), 1e-9))
    found = float(largest_loss(dear.mixed(), 0.01))
    exact = float(largest_loss(Gaussian(2.0 / 3**0.5).mixed(), 0.01))
    assert exact <= found <= exact * (1 + 1e-4)
