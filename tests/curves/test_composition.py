"""One curve for several releases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import (
    ChordProfile,
    ComposedLoss,
    Curve,
    Face,
    FinitePair,
    GaussianLoss,
    LaplaceLoss,
    Order,
    Orientation,
    TradeOff,
    composed,
    contour,
)
from whit.curves.short_sum import ShortSum
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.numerics import Bracket
from whit.theory import Basis, Direction, theorem


def bound(face: ChordProfile | FinitePair | TradeOff, direction: Direction) -> Curve:
    return Curve(face, direction, Order.PROFILE, Basis.of("profile-chords"))


def test_gaussians_compose_to_a_gaussian() -> None:
    """dp_accounting's test_gaussian_basic: three Gaussians of sigma sqrt(3) are one of mu = 1; delta(1) = 0.126936."""
    curve = composed([Curve.exact(GaussianLoss(3**-0.5))] * 3)
    assert isinstance(curve.face, GaussianLoss)
    assert curve.face.mu == pytest.approx(1.0, rel=1e-15)
    assert float(curve.delta(1.0)) == pytest.approx(0.126936, abs=1e-6)
    assert "losses-add" in curve.basis.theorems


def test_compositions_compose_by_their_parts() -> None:
    """The cells of one release, twice over, are as many Laplace releases: in one step and in two the same sum."""
    cells = {Curve.exact(LaplaceLoss(size)): 1 for size in (0.1, 0.2, 0.4)}
    in_two_steps, in_one = composed({composed(cells): 12}), composed(dict.fromkeys(cells, 12))
    points = np.array([0.5, 1.0, 3.0])
    assert isinstance(in_two_steps.face, ShortSum)
    assert np.array_equal(in_two_steps.delta(points).upper, in_one.delta(points).upper)
    equal = composed({composed({Curve.exact(LaplaceLoss(0.5)): 3}): 4})
    assert np.array_equal(equal.delta(points).upper, composed({Curve.exact(LaplaceLoss(0.5)): 12}).delta(points).upper)


def test_two_promises_compose_through_their_dominating_pairs() -> None:
    """dp_accounting's test_epsilon_delta_basic: (1, 0.1) and (2, 0.2) together have delta(3) = 0.28."""
    parts = [
        bound(ChordProfile.of([1.0], [0.1]), Direction.AT_MOST),
        bound(ChordProfile.of([2.0], [0.2]), Direction.AT_MOST),
    ]
    found = composed(parts).delta(3.0)
    assert found.direction is Direction.AT_MOST
    assert 0.28 <= float(found) <= 0.28 * (1 + 1e-11)
    assert float(composed(parts).power(0.1)) == pytest.approx(0.91938, abs=1e-5)
    assert "dominating-pairs-compose" in found.basis.theorems


@given(finite_pairs(4), finite_pairs(4), st.floats(0.0, 10.0))
def test_more_releases_are_never_less_risk(first: Vectors, second: Vectors, epsilon: float) -> None:
    one, two = Curve.exact(FinitePair.of(*first)), Curve.exact(FinitePair.of(*second))
    assert float(one.delta(epsilon).lower) <= float(composed([one, two]).delta(epsilon).upper)


@settings(max_examples=40)
@given(finite_pairs(4), finite_pairs(4), st.lists(st.floats(0.0, 8.0), min_size=1, max_size=5), st.floats(0.0, 10.0))
def test_upper_bounds_compose_to_upper_bounds(first: Vectors, second: Vectors, knots: list[float], eps: float) -> None:
    exact = [Curve.exact(FinitePair.of(*each)) for each in (first, second)]
    upper = [curve.as_profile(np.array(knots)) for curve in exact]
    assert float(composed(exact).delta(eps).lower) <= float(composed(upper).delta(eps))


def test_upper_and_lower_bounds_do_not_mix() -> None:
    with pytest.raises(Incompatible, match=r"cannot rest on an upper and on a lower bound at once"):
        composed(
            [
                bound(ChordProfile.of([1.0], [0.1]), Direction.AT_MOST),
                bound(TradeOff.through(np.array([0.1]), np.array([0.2])), Direction.AT_LEAST),
            ]
        )


def test_the_order_of_a_composition_is_the_weaker_one() -> None:
    exact = Curve.exact(FinitePair.of([0.6, 0.4], [0.4, 0.6]))
    assert composed([exact, exact]).order is Order.LOSS
    assert composed([exact, bound(ChordProfile.of([1.0], [0.1]), Direction.AT_MOST)]).order is Order.PROFILE


def test_nothing_cannot_be_composed() -> None:
    with pytest.raises(InvalidInput, match=r"curves must be at least one; got \[\]. Pass a release"):
        composed([])


def test_a_density_and_atoms_are_composed_by_their_transform() -> None:
    """A Gaussian and a randomized response: the profile is the mixture of two shifted Gaussian profiles."""
    epsilon, mu = 0.7, 1.3
    keep = 1 / (1 + np.exp(-epsilon))
    curve = composed([Curve.exact(randomized_response(epsilon)), Curve.exact(GaussianLoss(mu))])
    assert curve.direction is Direction.EXACTLY
    for t in (0.0, 0.5, 2.0, 6.0):
        parts = [np.exp(GaussianLoss(mu).log_delta(t - loss).mid) for loss in (epsilon, -epsilon)]
        truth = keep * parts[0] + (1 - keep) * parts[1]
        found = curve.delta(t, orientation=Orientation.FORWARD)
        assert found.lower <= truth * (1 + 1e-13)
        assert truth * (1 - 1e-13) <= found.upper <= found.lower * (1 + 1.1e-6)
    assert {"contour-profile", "losses-add"} <= set(curve.delta(0.5).basis.theorems)


def randomized_response(epsilon: float) -> FinitePair:
    return FinitePair(np.array([-epsilon, epsilon]), -np.log1p(np.exp([epsilon, -epsilon])))


def test_counts_and_lists_say_the_same() -> None:
    curve = Curve.exact(FinitePair.of([0.6, 0.4], [0.4, 0.6]))
    assert composed({curve: 3}).delta(0.3) == composed([curve] * 3).delta(0.3)


def test_counts_must_be_whole_numbers() -> None:
    curve = Curve.exact(GaussianLoss(1.0))
    with pytest.raises(InvalidInput, match=r"the number of copies of GaussianLoss.* got 2.5. Use a whole number"):
        composed({curve: 2.5})  # type: ignore[dict-item]


def test_many_copies_of_two_losses_are_binomial() -> None:
    """The exact enumeration and the transform agree on 1000 randomized responses."""
    by_enumeration = composed({Curve.exact(randomized_response(0.05)): 1000})
    assert isinstance(by_enumeration.face, FinitePair)
    by_transform = ComposedLoss(contour.Composition({contour.RandomizedResponseKind(0.05): 1000}))
    epsilons = np.array([0.0, 0.51, 1.0, 3.0, 7.7])
    exact, bracket = by_enumeration.face.log_delta(epsilons), by_transform.log_delta(epsilons)
    assert np.all(bracket.lower <= exact.upper)
    assert np.all(exact.lower <= bracket.upper)


def test_a_curve_without_a_transform_is_refused_with_a_way_out() -> None:
    face = Opaque()
    with pytest.raises(NotImplied, match=r"this curve cannot be composed by its transform.* Use its profile at some"):
        composed([Curve(face, Direction.AT_MOST, Order.PROFILE, Basis.of("profile-chords"))] * 2)


class Opaque(Face):
    """A face that knows nothing but that it is one."""

    def log_delta(self, epsilons: object) -> Bracket:
        return Bracket.exact(np.zeros(np.shape(epsilons)))

    def log_power(self, log_levels: object) -> Bracket:
        return Bracket.exact(np.zeros(np.shape(log_levels)))

    def reverse(self) -> Face:
        return self


def test_equal_finite_pairs_are_copies_of_one_and_none_is_lost() -> None:
    """Forty coins have 2^40 outcomes and 41 sums; a coin that is made anew each time is the same coin."""
    p, q = [0.7, 0.3], [0.3, 0.7]
    apart = composed([Curve.exact(FinitePair.of(p, q)) for _ in range(40)])
    together = composed({Curve.exact(FinitePair.of(p, q)): 40})
    assert isinstance(apart.face, FinitePair)
    assert isinstance(together.face, FinitePair)
    assert len(apart.face.losses) == 41
    assert np.array_equal(apart.face.losses, together.face.losses)
    assert np.array_equal(apart.face.log_masses, together.face.log_masses)


def test_pairs_that_differ_in_one_number_are_different_releases() -> None:
    first, second = FinitePair.of([0.7, 0.3], [0.3, 0.7]), FinitePair.of([0.7, 0.3], [0.3 - 1e-12, 0.7 + 1e-12])
    both = composed([Curve.exact(first), Curve.exact(second)])
    assert isinstance(both.face, FinitePair)
    assert len(both.face.losses) == 4


def test_what_is_known_of_the_profile_holds_for_releases_that_are_chosen_on_the_way():
    """The law of the loss is that of releases that nobody chooses; the pairs also dominate those that somebody does."""
    whole = composed([Curve.exact(GaussianLoss(1.0))] * 3)
    assert "losses-add" in whole.basis.theorems
    bound = whole.by_profile()
    assert "losses-add" not in bound.basis.theorems
    assert "dominating-pairs-compose" in bound.basis.theorems
    assert "mechanisms" in theorem("dominating-pairs-compose").hypotheses.adaptivity
    assert "promises-fixed-beforehand" in bound.basis.assumptions
