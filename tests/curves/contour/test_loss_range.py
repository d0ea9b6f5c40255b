"""The range of the losses: exact sums of doubles, sampled losses in 60 digits, and what the profile says at its end."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.curves import ComposedLoss, LaplaceLoss, Slack, SubsampledLoss, contour
from whit.curves.composition import kinds
from whit.curves.contour import (
    Composition,
    LaplaceKind,
    RandomizedResponseKind,
    SubsampledGaussianKind,
    SubsampledLaplaceKind,
)
from whit.numerics import ULP, Bracket

EPSILONS = st.floats(1e-3, 50.0)
COUNTS = st.integers(1, 1000)


@given(st.dictionaries(st.one_of(EPSILONS.map(LaplaceKind), EPSILONS.map(RandomizedResponseKind)), COUNTS, min_size=1))
def test_no_loss_of_a_composition_lies_beyond_its_range(counts: dict[contour.Kind, int]) -> None:
    low, high = Composition(counts).loss_range
    exact = sum((count * Fraction(kind.loss_range[1]) for kind, count in counts.items()), Fraction(0))
    assert Fraction(low) <= -exact
    assert exact <= Fraction(high)
    assert float(np.nextafter(high, 0.0)) < exact


@pytest.mark.parametrize(
    ("counts", "ends_above"),
    [
        ({0.36: 1, 0.37: 3}, 1.4699999999999998),
        ({1.94: 2, 0.78: 3}, 6.22),
        ({1.47: 1, 0.86: 3}, 4.05),
    ],
)
def test_delta_is_not_0_where_the_sum_of_all_largest_losses_is_a_hair_larger(
    counts: dict[float, int], ends_above: float
) -> None:
    """The sum of the largest losses is an atom above the double that is its rounded value."""
    assert sum(count * Fraction(epsilon) for epsilon, count in counts.items()) > Fraction(ends_above)
    loss = ComposedLoss(Composition({LaplaceKind(epsilon): count for epsilon, count in counts.items()}))
    assert loss.log_delta(ends_above).upper > -np.inf
    assert loss.log_delta(loss.largest_loss).upper == -np.inf


RATES = st.one_of(st.floats(-300.0, -0.01).map(lambda x: 10.0**x), st.floats(-15.0, -1.0).map(lambda x: 1 - 10.0**x))


@given(RATES, st.floats(1e-3, 30.0))
def test_no_sampled_loss_lies_beyond_its_range(rate: float, epsilon: float) -> None:
    q = mpmath.mpf(rate)
    with mpmath.workdps(60):
        low, high = (mpmath.log1p(q * mpmath.expm1(mpmath.mpf(end))) for end in (-epsilon, epsilon))
        found = SubsampledLaplaceKind(epsilon, rate).loss_range
        assert found[0] <= low
        assert high <= found[1] <= high * (1 + mpmath.mpf("1e-14"))
        least = mpmath.mpf(SubsampledGaussianKind(1.0, rate).loss_range[0])
        assert least <= mpmath.log1p(-q) <= least * (1 - mpmath.mpf("1e-14"))


@pytest.mark.parametrize("rate", [1e-290, 1e-300, 1e-308, 5e-324, 1e-100, 0.3])
@pytest.mark.parametrize("plain", [590.0, 601.0, 640.0, 690.0, 750.0, 2000.0])
def test_a_large_loss_on_a_tiny_sample_keeps_its_digits(rate: float, plain: float) -> None:
    """Where q e^l is small the sampled loss is q e^l, however large l is."""
    kind = SubsampledGaussianKind(0.03125, rate)
    x = plain * kind.sigma**2 + 0.5
    with mpmath.workdps(800):
        exponent = (mpmath.mpf(x) - 0.5) / mpmath.mpf(kind.sigma) ** 2
        truth = mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(exponent))
        found = mpmath.mpf(float(kind.loss(np.array([x]))[0]))
        assert abs(found - truth) <= 8 * ULP * (5 + exponent) * truth / (1 - mpmath.mpf(rate))


def test_the_error_of_a_laplace_loss_is_not_lost_by_sampling() -> None:
    _, slack = kinds(SubsampledLoss(LaplaceLoss(30.0, loss_error=1e-10), 0.5))
    assert slack.loss >= 1e-10


def test_an_error_below_the_rounding_of_the_question_still_moves_it() -> None:
    asked: list[float] = []

    def ask(t: np.ndarray) -> Bracket:
        asked.extend(t.tolist())
        return Bracket.exact(-t)

    loss = ComposedLoss(Composition({LaplaceKind(30.0): 2}), Slack(loss=1e-17))
    loss._slackened(np.array(40.0), ask)
    assert Fraction(max(asked)) >= 40 + Fraction(1e-17)
    assert Fraction(min(asked)) <= 40 - Fraction(1e-17)
