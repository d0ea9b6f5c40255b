"""One curve for several releases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import ChordProfile, Curve, FinitePair, GaussianLoss, Order, TradeOff, composed
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.theory import Basis, Direction


def bound(face: ChordProfile | FinitePair | TradeOff, direction: Direction) -> Curve:
    return Curve(face, direction, Order.PROFILE, Basis.of("profile-chords"))


def test_gaussians_compose_to_a_gaussian() -> None:
    """dp_accounting's test_gaussian_basic: three Gaussians of sigma sqrt(3) are one of mu = 1; delta(1) = 0.126936."""
    curve = composed([Curve.exact(GaussianLoss(3**-0.5))] * 3)
    assert isinstance(curve.face, GaussianLoss)
    assert curve.face.mu == pytest.approx(1.0, rel=1e-15)
    assert float(curve.delta(1.0)) == pytest.approx(0.126936, abs=1e-6)
    assert "losses-add" in curve.basis.theorems


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


def test_a_density_and_atoms_are_not_enumerated() -> None:
    exact = Curve.exact(FinitePair.of([0.6, 0.4], [0.4, 0.6]))
    with pytest.raises(
        NotImplied, match=r"a loss with a density cannot be composed exactly with losses of another kind"
    ):
        composed([exact, Curve.exact(GaussianLoss(1.0))])
