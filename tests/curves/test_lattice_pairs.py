"""The two pairs around a release against its profile in forty digits, in both orders."""

from __future__ import annotations

import itertools

import exact_profiles as exact
import mpmath
import numpy as np
import pytest

from whit.curves import Array, FinitePair, GaussianLoss, LaplaceLoss, LossDistribution, SubsampledLoss
from whit.curves.lattice_pairs import LatticePair, _Side, dominated, dominating

# The truth in the other order is a difference of numbers of size e^t, in forty digits.
OWN_ERROR = mpmath.mpf("1e-35")
# So closely a release is followed that every place of these lattices is a corner.
CLOSELY = 1e-9
UNEVEN = ([0.6, 0.25, 0.15], [0.2, 0.3, 0.5])
ENDLESS = ([0.5, 0.25, 0.25, 0.0], [0.25, 0.25, 0.0, 0.5])
WITHOUT_END = ([0.5, 0.5, 0.0], [0.25, 0.25, 0.5])
CASES: list[tuple[LossDistribution, exact.Profile, float]] = [
    (LaplaceLoss(1.0), exact.laplace(1.0), 2.0**-6),
    (LaplaceLoss(0.3), exact.laplace(0.3), 2.0**-6),
    (LaplaceLoss(7.0), exact.laplace(7.0), 2.0**-4),
    (GaussianLoss(1.0), exact.gaussian(1.0), 2.0**-4),
    (GaussianLoss(0.05), exact.gaussian(0.05), 2.0**-8),
    (SubsampledLoss(GaussianLoss(1.0), 0.01), exact.sampled(exact.gaussian(1.0), 0.01), 2.0**-6),
    (
        SubsampledLoss(GaussianLoss(1.0), 0.3, removed=False),
        exact.sampled(exact.gaussian(1.0), 0.3, removed=False),
        2.0**-6,
    ),
    (SubsampledLoss(LaplaceLoss(1.0), 0.3), exact.sampled(exact.laplace(1.0), 0.3), 2.0**-7),
    (FinitePair.of(*UNEVEN), exact.finite(*UNEVEN), 2.0**-5),
    (FinitePair.of(*ENDLESS), exact.finite(*ENDLESS), 2.0**-5),
    (FinitePair.of(*WITHOUT_END), exact.finite(*WITHOUT_END), 2.0**-5),
    # So coarse that most of the losses lie in one cell.
    (LaplaceLoss(0.1), exact.laplace(0.1), 0.25),
    (SubsampledLoss(GaussianLoss(1.0), 0.01), exact.sampled(exact.gaussian(1.0), 0.01), 0.25),
]


def profile_of(pair: LatticePair, step: float, t: mpmath.mpf, *, backward: bool) -> mpmath.mpf:
    """The sum of p (1 - e^(t - z))+ over the masses, in many digits."""
    total = mpmath.mpf(pair.missing if backward else pair.infinity)
    for place, mass in enumerate(pair.masses):
        z = mpmath.mpf(step) * (pair.first + place)
        if backward and -z > t:
            total += mpmath.mpf(float(mass)) * mpmath.exp(-z) * (1 - mpmath.exp(t + z))
        elif not backward and z > t:
            total += mpmath.mpf(float(mass)) * (1 - mpmath.exp(t - z))
    return total


def thresholds(pair: LatticePair, step: float, rng: np.random.Generator) -> Array:
    """Places of the lattice and numbers between them, most of them near 0 and at the ends."""
    low, high = pair.first * step, (pair.first + len(pair.masses) - 1) * step
    some = np.concatenate(
        [rng.uniform(low, high, 6), rng.normal(size=4) * 3 * step, [0.0, step, high, high - step / 3, low]]
    )
    return np.asarray(some)


@pytest.mark.parametrize("tolerance", [CLOSELY, 1e-3])
@pytest.mark.parametrize("case", range(len(CASES)))
def test_one_pair_is_above_and_one_below_in_both_orders(case: int, tolerance: float) -> None:
    face, truth, step = CASES[case]
    above, below = dominating(face, step, tolerance), dominated(face, step, tolerance)
    with mpmath.workdps(40):
        for t in thresholds(above, step, np.random.default_rng(case)):
            for backward, known in ((False, truth), (True, exact.reversed_profile(truth))):
                value = known(mpmath.mpf(float(t)))
                assert profile_of(above, step, mpmath.mpf(float(t)), backward=backward) >= value - OWN_ERROR
                assert profile_of(below, step, mpmath.mpf(float(t)), backward=backward) <= value + OWN_ERROR


@pytest.mark.parametrize("face", [LaplaceLoss(1.0), GaussianLoss(1.0), SubsampledLoss(GaussianLoss(1.0), 0.3)])
def test_the_pairs_close_in_with_the_square_of_the_step(face: LossDistribution) -> None:
    widths = []
    for step in (2.0**-5, 2.0**-6, 2.0**-7):
        with mpmath.workdps(30):
            ends = [
                profile_of(pair_of(face, step, CLOSELY), step, mpmath.mpf(0.3125), backward=False)
                for pair_of in (dominated, dominating)
            ]
        widths.append(float(ends[1] - ends[0]))
    assert widths[0] < 1e-3
    for wider, closer in itertools.pairwise(widths):
        assert closer < wider / 3


def test_a_largest_loss_on_the_lattice_stays_an_atom() -> None:
    below = dominated(LaplaceLoss(1.0), 2.0**-7, CLOSELY)
    assert (below.first + len(below.masses) - 1) * 2.0**-7 == 1.0
    assert below.masses[-1] == pytest.approx(0.5, rel=1e-2)


def test_a_profile_is_asked_at_few_places_where_it_is_straight() -> None:
    """The masses between corners are 0: of 20,000 places a Gaussian needs few at a thousandth of delta."""
    face, step = GaussianLoss(1.0), 2.0**-10
    above, below = (pair_of(face, step, 1e-3) for pair_of in (dominating, dominated))
    for pair in (above, below):
        assert len(pair.masses) > 15_000
        assert 100 < np.count_nonzero(pair.masses) < 4000
    ends = [float(profile_of(pair, step, mpmath.mpf(1), backward=False)) for pair in (below, above)]
    assert ends[1] - ends[0] < 2e-3 * ends[1]


def test_infinite_losses_stay_infinite() -> None:
    above, below = (pair_of(FinitePair.of(*ENDLESS), np.log(2.0) / 16, CLOSELY) for pair_of in (dominating, dominated))
    for pair in (above, below):
        assert pair.infinity == pytest.approx(0.25, rel=1e-9)
        assert pair.missing == pytest.approx(0.5, rel=1e-9)


def lower_hull(x: Array, values: Array) -> list[int]:
    """The corners of the lower convex hull, from left to right, by the turns between them."""
    kept: list[int] = []
    for place in range(len(x)):
        while len(kept) > 1:
            (a, b), c = kept[-2:], place
            if (values[b] - values[a]) * (x[c] - x[a]) < (values[c] - values[a]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(place)
    return kept


@pytest.mark.parametrize("lowered", [0.001, 0.05, 0.2])
def test_a_last_corner_that_was_lowered_leaves_the_others_on_the_hull(lowered: float) -> None:
    """It lies below the lines through up to 898 corners before it, more than can be left out one by one."""
    step, places = 2.0**-9, np.arange(900)
    away = np.exp(places[-1] * step) - np.exp(places * step)
    values = away + away**2 / 50
    values = values / values[0] + lowered
    values[-1] = 0.0
    hull = _Side(places, values).convex(step)
    assert hull.places.tolist() == lower_hull(np.exp(places * step), values)
