"""Plans with many kinds of noise, composed by groups: never below the composition of every kind, and close to it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stopwatch import at_most

from whit.assessment import assess_one
from whit.errors import NotImplied
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase, Tulap
from whit.plans import Exposed, grouped
from whit.plans.grouped import raised, sum_of_losses
from whit.semantics import membership
from whit.setting import Adversary, Neighbours, Sensitivity
from whit.theory import Direction

ADDED = Neighbours.ADD_REMOVE
TWICE = Sensitivity(add_remove=2, replace=2)
LAPLACE = tuple((Laplace(1 / (0.05 * (1 + n / 3))), 1 + n % 3) for n in range(9))
MIXED = (
    *LAPLACE[:4],
    (Geometric(0.11), 2),
    (Geometric(0.07, sensitivity=TWICE), 1),
    (Geometric(0.1), 1),
    (Staircase(0.09), 1),
    (Tulap(0.12), 2),
    (Gaussian(5.0), 2),
    (Gaussian(7.0), 1),
    (DiscreteGaussian(6.0), 2),
)
BOUNDED = tuple(part for part in MIXED if grouped.has_largest_loss(part[0]))


@pytest.fixture(params=[LAPLACE, BOUNDED, MIXED], ids=["laplace", "bounded", "mixed"])
def parts(request):
    return request.param


def both(parts, monkeypatch, most=3) -> tuple[Exposed, Exposed]:
    """Composed kind by kind, and by groups."""
    exact = Exposed(parts, "a", ADDED)
    assert exact.curve().direction is Direction.EXACTLY
    monkeypatch.setattr(grouped, "MOST_SEPARATE", most)
    return exact, Exposed(parts, "a", ADDED)


def test_nothing_is_below_the_composition_of_every_kind(parts, monkeypatch):
    exact, found = both(parts, monkeypatch)
    assert found.curve().direction is Direction.AT_MOST
    epsilons, deltas, levels = np.linspace(0.0, 4.0, 30), np.array([1e-9, 1e-4, 0.1]), np.array([1e-3, 0.05, 0.5])
    assert np.all(np.asarray(found.delta(epsilons).upper) >= np.asarray(exact.delta(epsilons).lower))
    assert np.all(np.asarray(found.epsilon(deltas).upper) >= np.asarray(exact.epsilon(deltas).lower))
    assert np.all(np.asarray(found.power(levels).upper) >= np.asarray(exact.power(levels).lower))
    assert np.all(np.asarray(found.delta(0.5).upper) > np.asarray(exact.delta(0.5).lower))


@pytest.mark.parametrize("failure", [0.0, 1e-3, 0.2])
def test_a_posterior_is_not_below_that_of_every_kind(parts, monkeypatch, failure):
    exact, found = both(parts, monkeypatch)
    posteriors = [membership.posterior(each, 0.3, failure=failure) for each in (exact, found)]
    exactly, grouped_bound = (float(each.value) for each in posteriors)
    assert grouped_bound >= exactly * (1 - 1e-9)


def test_largest_losses_are_added_up_without_the_groups(monkeypatch):
    exact, found = both(BOUNDED, monkeypatch)
    assert float(found.sure_loss().value) == pytest.approx(float(exact.sure_loss().value), rel=1e-12)
    assert float(found.epsilon(0.0).value) == pytest.approx(float(exact.epsilon(0.0).value), rel=1e-12)
    assert float(found.delta(sum_of_losses(BOUNDED, ADDED)).value) == 0.0
    assert np.isinf(float(Exposed(MIXED, "a", ADDED).sure_loss().value))


def test_up_to_the_limit_every_kind_is_composed_by_itself(monkeypatch):
    exact, found = both(LAPLACE, monkeypatch, most=len(LAPLACE))
    assert found.curve() == exact.curve()


def test_the_law_of_the_loss_is_not_known_by_groups(monkeypatch):
    _, found = both(LAPLACE, monkeypatch)
    with pytest.raises(NotImplied, match="the loss of all cells is only known by its profile"):
        found.loss()


@given(st.dictionaries(st.floats(1e-300, 1e4), st.integers(1, 5), min_size=1, max_size=60), st.integers(1, 20))
def test_groups_are_few_and_raise_every_loss(losses, most):
    found = raised(losses, most)
    assert len(found) <= max(most, 1)
    assert found.total() == sum(losses.values())
    before, after = (sorted(kept.elements()) for kept in (type(found)(losses), found))
    assert all(one <= other for one, other in zip(before, after, strict=True))
    assert set(found) <= set(losses)


@pytest.mark.parametrize("losses", [np.linspace(0.001, 1.0, 5000), np.geomspace(1e-6, 1.0, 5000)], ids=["even", "log"])
def test_two_hundred_groups_add_a_part_in_fifty_to_the_squares(losses):
    found = raised(dict.fromkeys(losses.tolist(), 1), 200)
    assert sum(number * loss**2 for loss, number in found.items()) <= 1.02 * float(np.sum(losses**2))


@pytest.mark.parametrize("law", [Laplace, Geometric, Staircase, Tulap])
def test_a_loss_of_a_cell_is_not_below_the_one_it_never_exceeds(law):
    mechanism = law(0.3, sensitivity=TWICE)
    assert Fraction(float(mechanism.sure_loss(ADDED).value)) <= grouped.cell_loss(mechanism, ADDED) * (
        1 + Fraction(1, 10**12)
    )


def test_thousands_of_kinds_are_answered_in_seconds():
    parts = tuple((Laplace(1000 / (1 + n / 700)), 1) for n in range(3000))
    with at_most(seconds=20):
        found = assess_one(
            Exposed(parts, "a", ADDED), Adversary(prior=0.5), neighbours=ADDED, questions=("posterior", "power")
        )
    assert 0.0 < float(found.power.worst) <= 1.0
