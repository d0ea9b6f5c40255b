"""The noise between a concern and the adversary, against sums over all outcomes."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from small_plans import small_plan

from whit.assessment import assess_one
from whit.curves import DiscreteGaussianLoss, GaussianLoss
from whit.errors import InvalidInput, NotImplied, TooCostly
from whit.mechanisms import DiscreteGaussian, Geometric, Laplace, compose
from whit.plans import About, Cells, Epsilon, Exposed, Kind, Plan, Query, Rho, Within, expose
from whit.plans.amounts import cell_noise
from whit.plans.noise import LoudLoss
from whit.semantics import membership, testing
from whit.setting import PERSON, Adversary, Neighbours


def joined(variances: list[int], unit: int) -> tuple[np.ndarray, np.ndarray]:
    """The law of the sum of (2k + 1) / 2 variance over cells, as all multiples of 1 / unit that it can have."""
    total, lowest = np.ones(1), 0
    for variance in variances:
        k = np.arange(-60, 61)
        weights = np.exp(-k * k / (2 * variance))
        places = (2 * k + 1) * (unit // (2 * variance))
        law = np.zeros(places[-1] - places[0] + 1)
        law[places - places[0]] = weights / weights.sum()
        total, lowest = np.convolve(total, law), lowest + int(places[0])
    return (np.arange(len(total)) + lowest) / unit, total


def power(losses: np.ndarray, masses: np.ndarray, level: float) -> float:
    """The power of the likelihood ratio test of this level, with a coin where it is needed."""
    order = np.argsort(-losses)
    levels = np.append(0.0, np.cumsum((masses * np.exp(-losses))[order]))
    powers = np.append(0.0, np.cumsum(masses[order]))
    return float(np.interp(level, levels, powers))


def test_the_power_is_that_of_all_outcomes_together():
    """Concern: town within region. sex and total at Town with variance 16 each, job with 8; two cells of each."""
    exposure = expose(small_plan(), About(place=Within("Town", "Region")))
    people = [each for each in exposure.affected if each.kind.counts == ""]
    spreads = [each.spread for each in people for _ in range(each.cells)]
    assert sorted(spreads) == [8, 8, 16, 16, 16, 16]
    parts = tuple((cell_noise(DiscreteGaussian, each, Fraction(1)), 1) for each in spreads)
    losses, masses = joined([int(each) for each in spreads], 32)
    for groups, width in ((((Fraction(16), 4), (Fraction(8), 2)), 1e-10), ((), 1e-4)):
        release = Exposed(parts, "people only", exposure.neighbours, 1e-4, groups)
        for level in (0.01, 0.05, 0.3):
            found, truth = release.power(level), power(losses, masses, level)
            assert found.lower - 1e-13 <= truth <= found.upper + 1e-13
            assert found.upper - found.lower < width


def test_no_cell_at_all_tells_nothing():
    release = Exposed((), "nothing", Neighbours.REPLACE)
    assert float(release.power(0.05)) == pytest.approx(0.05, rel=1e-12)
    assert float(release.delta(0.0)) == 0.0


def test_one_cell_alone_is_its_own_mechanism():
    cell = cell_noise(DiscreteGaussian, Fraction(4), Fraction(1))
    release = Exposed(((cell, 1),), "one", Neighbours.REPLACE)
    assert float(release.power(0.05)) == pytest.approx(float(cell.power(0.05)), rel=1e-14)


@pytest.mark.parametrize("law", [Laplace, Geometric])
def test_other_noise_composes_too(law):
    """Two cells with epsilon 1/4 each, of a query with epsilon 1/2: at least as good as the pure promise."""
    kind = Kind(("age",), "Town", Epsilon("1/2"), law=law)
    plan = Plan.of([Query("age", kind)], name="x", levels=["Town"], unit=PERSON)
    exposure = expose(plan, About(["age"]))
    assert exposure.pure.stated_epsilon == 0.5
    assert float(exposure.release.epsilon(0.0)) == pytest.approx(0.5, rel=1e-6)
    assert float(exposure.release.power(0.05)) <= 0.05 * np.exp(0.5) * (1 + 1e-4)
    assert float(exposure.release.power(0.05)) <= float(exposure.zcdp.power(0.05))


def test_several_changed_units_of_a_cell_are_composed_with_their_size():
    kind = Kind(("pay",), "Town", Epsilon(1), law=Laplace, cells=Cells(1, 1, Fraction(5, 2)))
    plan = Plan.of([Query("pay", kind)], name="x", levels=["Town"], unit=PERSON)
    exposure = expose(plan, About(["pay"]))
    # Stated for a record that moves, which touches two cells; with the place known it touches one.
    assert plan.spread(kind) == 5
    assert exposure.pure.stated_epsilon == 0.5


def test_every_school_takes_it_without_being_told_the_relation():
    release = expose(small_plan(), About(["age"])).release
    assert release.relations == (Neighbours.REPLACE,)
    assert 0.05 < float(testing.power(release, 0.05)) < 1
    assert 0.5 < float(membership.posterior(release, prior=0.5, failure=0.01).upper) < 1


def test_what_it_cannot_answer_is_refused():
    release = expose(small_plan(), About(["age"])).release
    with pytest.raises(NotImplied, match="the privacy loss is not known under the neighbours add-remove"):
        release.power(0.05, neighbours=Neighbours.ADD_REMOVE)
    with pytest.raises(NotImplied, match="one sample of several mechanisms is not defined"):
        release.sample(np.random.default_rng(1))
    with pytest.raises(InvalidInput, match="relative_width must be"):
        Exposed((), "x", Neighbours.REPLACE, relative_width=0.0)


def test_a_plan_carried_out_again_and_beside_another_release_composes():
    release = expose(small_plan(), About(["age"])).release
    twice = release.times(2)
    assert twice.cells == 2 * release.cells
    assert float(twice.power(0.05).lower) > float(release.power(0.05).upper)
    both = compose(release, release)
    assert float(both.power(0.05)) == pytest.approx(float(twice.power(0.05)), rel=1e-5)


def test_a_composition_of_too_many_kinds_is_refused_with_a_narrower_question():
    cell = Laplace(3.0)
    release = Exposed(((cell, 1),) * 25_001, "a huge plan", Neighbours.REPLACE)
    with pytest.raises(
        TooCostly, match="at most 25,000 kinds .* 25,001 kinds in a huge plan.* Name a narrower concern"
    ):
        release.curve()


def test_cells_of_many_kinds_are_never_listed_one_by_one(monkeypatch):
    """A list of the atoms of each of 500 kinds takes seconds; the transform needs none, an infinite loss one."""
    kinds = [Kind(("age",), "Town", Rho(Fraction(place, 10**5))) for place in range(1, 501)]
    queries = [Query(f"q{place}", kind) for place, kind in enumerate(kinds)]
    plan = Plan.of(queries, name="many kinds", levels=["Town"], unit=PERSON)
    listed: list[float] = []
    atoms = DiscreteGaussianLoss.atoms.func

    def counted(loss: DiscreteGaussianLoss) -> object:
        listed.append(loss.sigma)
        return atoms(loss)

    monkeypatch.setattr(DiscreteGaussianLoss, "atoms", property(counted))
    release = expose(plan, About(("age",))).release
    assert len(release.parts) == 500
    found = assess_one(release, Adversary(prior=0.5), questions=("posterior", "expected_posterior", "power"))
    assert float(found.posterior) == 1.0
    # With so many cells of much noise, the power is that of Gaussian noise with the same rho in all.
    rho = float(sum((kind.parameter.value for kind in kinds), Fraction(0)))
    assert float(found.power) == pytest.approx(
        NormalDist().cdf(math.sqrt(2 * rho) - NormalDist().inv_cdf(0.95)), rel=1e-4
    )
    assert len(listed) <= 3


@pytest.mark.parametrize("rhos", [["1e8"], ["1e15", "1"], ["1e120"], ["1e12", "1/3", "2"]])
def test_a_rho_beyond_all_chances_tells_everything(rhos):
    """The answers that matter are 1 but for rounding, epsilon is about rho, and nothing is warned of."""
    queries = [Query(f"q{place}", Kind(("age",), "Town", Rho(rho))) for place, rho in enumerate(rhos)]
    exposure = expose(Plan.of(queries, name="loud", levels=["Town"], unit=PERSON), About(("age",)))
    release, rho = exposure.release, float(exposure.exact_rho)
    expected = membership.expected_posterior(release, 0.5)
    for answer in (release.power(1e-300), release.delta(1e6), testing.advantage(release), expected):
        assert 1 - 1e-13 <= float(answer.lower) <= float(answer.upper) == 1.0
    epsilon = release.epsilon(1e-6)
    assert 0.99 * rho <= float(epsilon.lower) <= rho <= float(epsilon.upper) <= 1.01 * rho


def test_the_bounds_of_loud_cells_hold_the_closed_form():
    """At a rho of a hundred million discrete noise is none at all: every loss is rho, but for e^-rho."""
    loss = LoudLoss(1e8)
    assert float(loss.log_tail([1e8 * (1 - 0.0061)]).lower[0]) > -1e-12
    assert float(loss.log_tail([1e8 * 1.0061]).upper[0]) < -800
    closed = GaussianLoss(math.sqrt(2e8))
    for ask, at in (("log_delta", [-5.0, 0.0, 9e7, 1e8, 1.1e8]), ("log_tail", [0.0, 1e8, 2e8]), ("log_power", [-1e3])):
        ours, theirs = getattr(loss, ask)(at), getattr(closed, ask)(at)
        assert np.all(ours.lower <= theirs.upper)
        assert np.all(theirs.lower <= ours.upper)
