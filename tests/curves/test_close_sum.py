"""Two releases by polygons with corners of their own, against integrals that Arb encloses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb
from short_releases import Composition, Finite, Geometric, Laplace, Normal, Response, Sample
from summed_laws import with_bits

from whit.curves import DiscreteGaussianLoss, FinitePair, GaussianLoss, LaplaceLoss, SubsampledLoss
from whit.curves.close_sum import CLOSE, CloseSum, Polygon, close_sum
from whit.curves.lattice_pairs import Grid
from whit.curves.short_sum import ShortSum

ADDED, REMOVED = False, True


def normal(size: float, rate: float, removed: bool) -> tuple[Sample, int]:
    return Sample(size, rate, normal_noise=True, removed=removed), 1


# Releases, and a threshold at which delta was once known to the part that is named, or not at all.
ONCE_WIDE = {
    "next to the largest loss, nothing": [
        *(normal(0.1875, 0.005876, ADDED), (Sample(1.5, 0.1524, normal_noise=False, removed=True), 1)),
        *((Response(2.375, 4), 2), 5.1789),
    ],
    "beside two Laplace releases, 0.14": [
        normal(1.0625, 0.3032, ADDED),
        (Laplace(1.0), 1),
        (Laplace(1.3125), 1),
        2.6703,
    ],
    "wide and narrow at once, 3.9e-3": [normal(0.75, 0.4581, ADDED), normal(2.5, 0.0013961, REMOVED), 0.91965],
    "finite losses on no lattice, 1.4e-2": [
        *(normal(0.04156, 0.0011789, REMOVED), (Normal(0.03614), 1)),
        *((Finite((54721, 10815), (40143, 25393)), 4), 1.2786),
    ],
    "at the end of the losses, 2.0e-3": [(normal(0.49955, 0.0053468, ADDED)[0], 2), 0.0093014],
    "largest loss beside the last place, 4e-5": [
        *(normal(0.1988, 0.0621, ADDED), (Laplace(0.036), 1)),
        *((Laplace(0.051), 1), (Geometric(0.1349, 3), 1), 0.337),
    ],
}


@pytest.mark.parametrize("row", ONCE_WIDE)
def test_what_was_once_wide_holds_the_truth_and_is_narrow(row):
    *counts, t = ONCE_WIDE[row]
    composition = Composition(tuple(counts))
    face = composition.face()
    assert isinstance(face, ShortSum)
    with_bits(384)
    p, q = composition.law(reverse=False).above(arb(t))
    delta, level = (p - arb(t).exp() * q).log(), float(q.log())
    found, power, epsilon = face.log_delta(t), face.log_power(level), face.epsilon(np.array([float(delta)]))
    assert float(found.lower) - 1e-12 <= float(delta) <= float(found.upper) + 1e-12
    assert float(power.lower) - 1e-12 <= float(p.log()) <= float(power.upper) + 1e-12
    assert epsilon.lower[0] * (1 - 1e-9) <= t <= epsilon.upper[0] * (1 + 1e-9)
    assert float(found.upper - found.lower) < 1e-5
    assert float(power.upper - power.lower) < 1e-4
    assert epsilon.upper[0] - epsilon.lower[0] < 1e-5 * t


def test_far_out_two_samples_are_known_as_closely():
    """At 1e-24 log delta was wide by 0.05, and its epsilon by 0.05 after twenty seconds."""
    composition, t = Composition(((normal(0.69, 0.002666, REMOVED)[0], 2),)), 0.53955
    with_bits(384)
    p, q = composition.law(reverse=False).above(arb(t))
    truth = float((p - arb(t).exp() * q).log())
    face = composition.face()
    delta, epsilon = face.log_delta(t), face.epsilon(np.array([truth]))
    assert delta.lower <= truth <= delta.upper
    assert delta.upper - delta.lower < 1e-5
    assert epsilon.lower[0] - 1e-12 <= t <= epsilon.upper[0] + 1e-12
    assert epsilon.upper[0] - epsilon.lower[0] < 1e-5


RELEASES = [LaplaceLoss(0.3), GaussianLoss(0.7), SubsampledLoss(GaussianLoss(1.0), 0.01, removed=False)]


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("release", RELEASES, ids=["Laplace", "Gaussian", "sample"])
def test_a_polygon_follows_its_release_to_a_part_of_its_profile(release, side):
    polygon = Polygon.of(release, Grid(2.0**-36, CLOSE, 2**50, one_way=True), side)
    largest = float(np.min([0.99 * polygon.losses[-1], 6.0]))
    t = np.random.default_rng(1).uniform(-largest, largest, size=400)
    truth = release.log_delta(t)
    found = np.log(polygon.delta(np.exp(t)))
    beyond = side * (found - (truth.upper if side < 0 else truth.lower))
    seen = truth.mid > math.log(1e-15)
    assert np.all(beyond[seen] > -1e-11)
    assert np.all(beyond[seen] < 3 * CLOSE)


def test_extreme_thresholds_are_answered():
    found = close_sum({GaussianLoss(1.0): 1, SubsampledLoss(GaussianLoss(1.0), 0.1): 1}, 1.0)
    assert found is not None
    delta = found.log_delta(np.array([-1e300, -800.0, 800.0, 1e300]))
    assert np.all(np.abs(delta.upper[:2]) < 1e-9)
    assert np.all(delta.lower[:2] > -1e-9)
    assert np.all(delta.upper[2:] < -50.0)
    assert not np.any(np.isnan(delta.mid))


def test_more_than_two_densities_are_left_to_the_lattice():
    sample = SubsampledLoss(GaussianLoss(1.0), 0.1)
    assert close_sum({sample: 3}, 1.0) is None
    assert close_sum({sample: 2, LaplaceLoss(1.0): 1}, 1.0) is None
    assert close_sum({sample: 1, DiscreteGaussianLoss(1.0): 1}, 1.0) is None
    assert close_sum({sample: 1, LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1}, 1.0) is not None


def test_what_is_not_known_of_the_masses_of_finite_losses_is_left_open():
    """Masses that are known to a part in a thousand: the larger and the smaller ones are as likely the true ones."""
    dense, t = (GaussianLoss(1.0), SubsampledLoss(GaussianLoss(1.0), 0.1)), np.array([-0.5, 0.3, 1.2])
    grid = close_sum(dict.fromkeys(dense, 1), 1.0).grid
    atoms, moved = np.array([0.6, 0.4]), 1e-3
    losses = np.log(atoms / atoms[::-1])
    exact = CloseSum(*dense, FinitePair(losses[::-1], np.log(atoms[::-1])), grid).log_delta(t)
    blurred = CloseSum(*dense, FinitePair(losses[::-1], np.log(atoms[::-1]), mass_error=moved), grid).log_delta(t)
    assert np.all(blurred.upper >= exact.lower + moved * (1 - 1e-3))
    assert np.all(blurred.lower <= exact.upper - moved * (1 - 1e-3))
