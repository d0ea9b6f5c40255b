"""The lattice of other accountants, from above: against laws in balls, exact sums, and the same chords by hand."""

from __future__ import annotations

import itertools
import math

import exact_profiles as exact
import mpmath
import numpy as np
import pytest
from flint import arb
from summed_laws import Sampled, Together, with_bits

from whit.curves import FinitePair, GaussianLoss, LaplaceLoss, LossDistribution, SubsampledLoss
from whit.curves.even_lattice import STEP, EvenLattice, _least_slope, _merged
from whit.curves.lattice_pairs import Grid, sparse_above
from whit.curves.lattice_sums import LatticePair, LatticeProfile, LatticeSums
from whit.curves.short_sum import ShortSum
from whit.mechanisms import Gaussian, Geometric, PoissonSubsampled, compose
from whit.setting import Neighbours, Sensitivity

EPSILONS = np.array([-0.5, 0.0, 0.3, 1.0, 2.5])


def even(counts: dict[LossDistribution, int], step: float = 0.001) -> EvenLattice:
    """The releases, known to a millionth of delta otherwise."""
    return EvenLattice(LatticeSums(counts, step, 1e-6))


def truth_of(law: Together, t: float) -> arb:
    p, q = law.above(arb(t))
    return p - arb(t).exp() * q


@pytest.mark.parametrize("turned", [False, True])
def test_two_samples_lie_just_below_the_lattice_in_both_orders(turned):
    with_bits(384)
    found = even({SubsampledLoss(GaussianLoss(1 / 0.8), 0.05): 2})
    # The reverse of a removed record is an added one.
    law = Together(*(Sampled(1 / 0.8, 0.05, normal_noise=True, removed=not turned) for _ in range(2)))
    epsilons = EPSILONS[EPSILONS >= 0][: 2 if turned else 4]
    for t, bound in zip(epsilons, found.delta(epsilons, turned=turned), strict=True):
        truth = truth_of(law, float(t))
        assert truth <= arb(float(bound))
        # A step adds a twelfth of its square times the density, a chord up to an eighth: c (c + 1) is below 100,000.
        assert arb(float(bound)) <= truth * (1 + 1e-3 if turned else 1 + 1e-6)


def test_the_chords_are_those_of_every_place():
    """Three places of a sampled release: its masses are what its profile bends by there, as others draw it."""
    face, step = SubsampledLoss(GaussianLoss(1.0), 0.2), 2.0**-13
    pair = sparse_above(face, Grid(step, 0.0)).spread()
    assert np.count_nonzero(pair.masses) == len(pair.masses)
    profile = exact.sampled(exact.gaussian(1.0), 0.2)
    with mpmath.workdps(40):
        h = mpmath.mpf(step)
        for place in (500, 5_000, 15_000):
            before, here, after = (profile(h * (place + shift)) for shift in (-1, 0, 1))
            bend = (before - here) / (1 - mpmath.exp(-h)) - (here - after) / (mpmath.exp(h) - 1)
            assert float(pair.masses[place - pair.first]) == pytest.approx(float(bend), rel=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_finite_releases_beside_a_sample_are_nowhere_above_the_lattice(seed):
    """By the sum over the finite outcomes of the closed form of the sample, in both orders."""
    rng = np.random.default_rng(seed)
    pairs = [(p := rng.dirichlet(np.full(3, 2.0)), rng.permutation(p)) for _ in range(2)]
    rate, mu = float(rng.uniform(0.01, 0.3)), float(rng.uniform(0.5, 1.5))
    counts: dict[LossDistribution, int] = {SubsampledLoss(GaussianLoss(mu), rate): 1}
    counts |= {FinitePair.of(p, q): 1 for p, q in pairs}
    for turned in (False, True):
        one = exact.sampled(exact.gaussian(mu), rate, removed=not turned)
        with mpmath.workdps(40):
            for t, bound in zip(EPSILONS, even(counts).delta(EPSILONS, turned=turned), strict=True):
                outcomes = itertools.product(*(zip(*(pair[::-1] if turned else pair), strict=True) for pair in pairs))
                truth = mpmath.fsum(
                    mpmath.mpf(a[0]) * mpmath.mpf(b[0]) * one(mpmath.mpf(float(t)) - loss(a) - loss(b))
                    for a, b in outcomes
                )
                # Of nothing 40 digits leave 1e-40; and the lattice counts all that is below e^-46 as infinite.
                assert truth * (1 - mpmath.mpf("1e-15")) - mpmath.mpf("1e-38") <= bound
                assert bound <= truth * (1 + mpmath.mpf("1e-4")) + mpmath.mpf("1e-18")


def loss(chances: tuple[float, float]) -> mpmath.mpf:
    return mpmath.log(mpmath.mpf(chances[0]) / mpmath.mpf(chances[1]))


def test_gaussian_releases_are_one():
    merged = _merged({GaussianLoss(0.3): 1, GaussianLoss(0.4): 1, LaplaceLoss(1.0): 2})
    assert {type(face): copies for face, copies in merged.items()} == {LaplaceLoss: 2, GaussianLoss: 1}
    assert next(face.mu for face in merged if isinstance(face, GaussianLoss)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "counts",
    [
        {LaplaceLoss(1.0): 2, LaplaceLoss(0.7): 1},
        {SubsampledLoss(GaussianLoss(1 / 0.3), 0.5): 6},
        {SubsampledLoss(GaussianLoss(0.5), 1e-4): 3},
    ],
    ids=["none is dear", "too wide", "too steep"],
)
def test_where_the_lattice_is_of_no_use_nothing_is_said(counts):
    assert even(counts, 0.01 if len(counts) == 1 else 0.001).delta(EPSILONS, turned=False).tolist() == [1.0] * 5


def test_the_least_slope_is_that_of_a_profile_that_falls_evenly():
    """Masses that fall by e^-3 for each unit of loss have a profile that does."""
    places = np.arange(4000)
    pair = LatticePair(0, np.exp(-0.03 * places) * -math.expm1(-0.03), 0.0, 0.0)
    assert _least_slope(LatticeProfile.of(pair, 0.01, 1)) == pytest.approx(3.0, rel=0.01)


def test_it_takes_what_others_take():
    assert STEP == 1e-4


def test_the_same_finite_releases_are_composed_once():
    noise = Gaussian(1.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0))

    def asked() -> object:
        parts = [Geometric(0.5, sensitivity=Sensitivity.count()), PoissonSubsampled(noise, 0.1).times(3)]
        return compose(*parts).curve(Neighbours.ADD_REMOVE).face

    assert isinstance(asked(), ShortSum)
    assert asked() is asked()
