"""Curves: directions travel, refusals are sentences, findings carry their theorems."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import ChordProfile, Curve, FinitePair, GaussianLoss, Order, Orientation, questions
from whit.errors import InvalidInput, NotImplied
from whit.theory import Basis, Direction, Finding

ASYMMETRIC = FinitePair.of([0.6, 0.3, 0.1], [0.2, 0.3, 0.5])


def upper_curve() -> Curve:
    return Curve(ChordProfile.of([1.0], [1e-6]), Direction.AT_MOST, Order.PROFILE, Basis.of("profile-chords"))


def test_an_exact_curve_answers_with_two_ends_that_hold_the_value() -> None:
    """(e^-1 ... the pair differs most on its first outcome: delta(0) is the total variation distance 0.4."""
    found = Curve.exact(ASYMMETRIC).delta(0.0)
    assert found.direction is Direction.EXACTLY
    assert found.lower <= 0.4 <= found.upper == found.value
    assert found.upper - found.lower < 1e-14
    assert "hockey-stick" in found.basis.theorems


def test_an_upper_curve_answers_at_most() -> None:
    found = upper_curve().delta(1.0)
    assert isinstance(found, Finding)
    assert found.direction is Direction.AT_MOST
    assert 1e-6 <= found.value <= 1e-6 * (1 + 1e-12)


def test_the_worst_orientation_is_the_default() -> None:
    curve = Curve.exact(ASYMMETRIC)
    forward, backward, worst = (
        float(curve.delta(0.5, orientation=each))
        for each in (Orientation.FORWARD, Orientation.BACKWARD, Orientation.WORST)
    )
    assert forward == pytest.approx(0.6 - np.exp(0.5) * 0.2, rel=1e-12)
    assert backward == pytest.approx(0.5 - np.exp(0.5) * 0.1, rel=1e-12)
    assert worst == max(forward, backward)
    assert float(curve.reverse().delta(0.5, orientation=Orientation.FORWARD)) == backward


def test_epsilon_answers_on_the_safe_side() -> None:
    curve = Curve.exact(GaussianLoss(1.0))
    epsilon = curve.epsilon(1e-6)
    assert epsilon.direction is Direction.EXACTLY
    assert epsilon.value == epsilon.upper
    assert float(curve.delta(float(epsilon.upper)).upper) <= 1e-6 * (1 + 1e-15)
    assert epsilon.lower <= epsilon.upper <= epsilon.lower * (1 + 1e-12)


def test_power_and_log_power_agree() -> None:
    curve = Curve.exact(GaussianLoss(1.0))
    power, log_power = curve.power(0.05), curve.log_power(np.log(0.05))
    assert float(power) == pytest.approx(np.exp(float(log_power)), rel=1e-14)
    assert float(power) == pytest.approx(0.259511, abs=5e-7)  # Phi(1 - 1.644854), from tables


def test_a_tail_may_not_be_read_off_a_profile() -> None:
    with pytest.raises(
        NotImplied, match=r"the tail of the privacy loss cannot be read off a curve that dominates only"
    ):
        upper_curve().tail(2.0)


def test_a_tail_can_be_bounded_by_the_profile_by_name() -> None:
    found = upper_curve().tail_from_profile(2.0)
    assert found.direction is Direction.AT_MOST
    assert found.value == pytest.approx(1e-6 / (1 - np.exp(-1)), rel=2e-3)
    assert found.value >= 1e-6 / (1 - np.exp(-1)) * (1 - 1e-12)
    assert "tail-from-profile" in found.basis.theorems


def test_the_tail_of_an_exact_curve_has_two_ends() -> None:
    found = Curve.exact(ASYMMETRIC).tail(0.5, orientation=Orientation.FORWARD)
    assert found.direction is Direction.EXACTLY
    assert found.lower <= 0.6 <= found.upper


def test_a_lower_bound_gives_lower_bounds_and_no_tail_bound() -> None:
    curve = Curve(ASYMMETRIC, Direction.AT_LEAST, Order.LOSS, Basis.of("hockey-stick"))
    assert curve.delta(0.1).direction is Direction.AT_LEAST
    with pytest.raises(NotImplied, match=r"cannot be bounded by a lower bound on the profile"):
        curve.tail_from_profile(1.0)


def test_an_unproved_curve_says_about_everywhere() -> None:
    curve = Curve(ChordProfile.of([1.0], [1e-6]), Direction.ABOUT, Order.PROFILE, Basis.of("profile-chords"))
    answers = [curve.delta(1.0), curve.epsilon(0.1), curve.power(0.1), curve.tail_from_profile(2.0)]
    assert {answer.direction for answer in answers} == {Direction.ABOUT}
    assert curve.as_profile([0.5]).direction is Direction.ABOUT
    assert curve.as_tradeoff([0.5]).direction is Direction.ABOUT


def test_a_loss_order_needs_a_loss() -> None:
    with pytest.raises(
        InvalidInput, match=r"a curve in the order of the loss must have a loss distribution as its face"
    ):
        Curve(ChordProfile.of([1.0], [0.1]), Direction.AT_MOST, Order.LOSS, Basis.of("profile-chords"))


def test_the_loss_of_a_bounded_profile_is_refused() -> None:
    with pytest.raises(NotImplied, match=r"the law of the privacy loss cannot be found from a bound on the profile"):
        upper_curve().as_loss()


def test_conversions_that_would_lose_the_direction_are_refused() -> None:
    continuous = Curve(GaussianLoss(1.0), Direction.AT_MOST, Order.LOSS, Basis.of("gaussian-profile"))
    with pytest.raises(NotImplied, match=r"an upper bound on the curve cannot be kept .* Use as_profile instead"):
        continuous.as_tradeoff([0.05])
    lower = Curve(GaussianLoss(1.0), Direction.AT_LEAST, Order.LOSS, Basis.of("gaussian-profile"))
    with pytest.raises(NotImplied, match=r"a lower bound on the curve cannot be kept .* Use as_tradeoff instead"):
        lower.as_profile([0.5])


def test_densities_need_points() -> None:
    with pytest.raises(InvalidInput, match=r"epsilons must be given for a curve with densities"):
        Curve.exact(GaussianLoss(1.0)).as_profile()
    with pytest.raises(InvalidInput, match=r"levels must be given for a curve with densities"):
        Curve.exact(GaussianLoss(1.0)).as_tradeoff()


def test_bad_questions_are_refused_in_one_sentence() -> None:
    curve = Curve.exact(GaussianLoss(1.0))
    with pytest.raises(InvalidInput, match=r"levels must .*; got .*1\.5.* Use false-positive rates"):
        curve.power(1.5)
    with pytest.raises(InvalidInput, match=r"epsilons must .*; got .*nan.* Use numbers such as"):
        curve.delta([0.1, np.nan])
    with pytest.raises(InvalidInput, match=r"deltas must .*; got .*-0\.1.* Use values such as 1e-6"):
        curve.epsilon(-0.1)
    with pytest.raises(InvalidInput, match=r"log_levels must be at most 0; got 1"):
        curve.log_power(1.0)


def test_numbers_too_small_for_a_double_are_found_by_their_logs() -> None:
    """The Gaussian with mu = 1 has delta(50) = 1.372352886866723939974438e-536, to 25 digits."""
    curve = Curve.exact(GaussianLoss(1.0))
    truth = mpmath.log(mpmath.mpf("1.372352886866723939974438e-536"))
    found = curve.log_delta(50.0)
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(curve.delta(50.0).lower) == 0.0
    assert float(questions.log_tail(curve, 60.0).upper) == pytest.approx(
        float(mpmath.log(mpmath.ncdf(-59.5))), rel=1e-12
    )
    with pytest.raises(NotImplied, match=r"the tail of the privacy loss cannot be read off"):
        questions.log_tail(upper_curve(), 2.0)


def test_a_curve_as_a_tree_needs_no_python():
    tree = Curve.exact(GaussianLoss(1.0)).to_dict()
    assert (tree["kind"], tree["face"]) == ("Curve", "GaussianLoss")
    assert (tree["direction"], tree["order"]) == ("exactly", "loss")
    assert tree["theorems"] == list(GaussianLoss(1.0).theorems)
    assert not any(sign in str(value) for value in tree.values() for sign in "(<=")
