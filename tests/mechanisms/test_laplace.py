"""Laplace noise: its loss under each relation, and its error."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from ends import middle
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import FinitePair, LaplaceLoss
from whit.errors import InvalidInput
from whit.mechanisms import Laplace
from whit.setting import Neighbours, Sensitivity


@settings(max_examples=40)
@given(st.floats(0.05, 50.0), st.floats(0.01, 9.0), st.floats(-0.9, 1.1))
def test_delta_is_the_integral_of_the_positive_part(scale: float, change: float, share: float) -> None:
    """The integral of (p - e^t q)+ in closed pieces: above the crossing point, up to where both densities are lower."""
    mechanism = Laplace(scale, sensitivity=Sensitivity(add_remove=change, replace=change))
    t = share * change / scale
    b, s, x = mpmath.mpf(scale), mpmath.mpf(change), mpmath.mpf(t)

    def gap(y: mpmath.mpf) -> mpmath.mpf:
        return max(mpmath.exp(-abs(y - s) / b) - mpmath.exp(x - abs(y) / b), mpmath.mpf(0)) / (2 * b)

    crossing = min(max((x * b + s) / 2, mpmath.mpf(0)), s)
    truth = mpmath.quad(gap, [-mpmath.inf, *sorted({mpmath.mpf(0), crossing, s}), mpmath.inf])
    delta = mechanism.delta(t)
    assert abs(float(middle(delta)) - float(truth)) < 1e-13
    assert float(delta.lower) <= float(truth) * (1 + 1e-15) + 1e-25
    assert float(truth) * (1 - 1e-15) - 1e-25 <= float(delta.upper)


def test_epsilon_is_rounded_up_and_no_further() -> None:
    """1/3 is no double: the loss is known between two neighbouring ones, and is never said to be below the truth."""
    loss = Laplace(3.0).loss()
    assert isinstance(loss, LaplaceLoss)
    assert loss.largest * 3 >= 1 > loss.least * 3 - 1e-15
    assert 0 < loss.loss_error <= 2 * math.ulp(1 / 3)
    assert Laplace(4.0).loss() == LaplaceLoss(0.25)
    assert float(Laplace(4.0).epsilon(0.0).upper) == 0.25


def test_one_cell_is_exact_under_both_relations() -> None:
    both = Laplace(2.0, sensitivity=Sensitivity(add_remove=1, replace=2))
    assert both.loss(Neighbours.REPLACE) == LaplaceLoss(1.0)
    assert both.loss(Neighbours.ADD_REMOVE) == LaplaceLoss(0.5)
    histogram = Laplace(2.0, sensitivity=Sensitivity.histogram())
    assert histogram.loss(Neighbours.ADD_REMOVE) == LaplaceLoss(0.5)


def test_an_answer_that_nobody_changes_has_no_loss() -> None:
    loss = Laplace(1.0, sensitivity=Sensitivity(add_remove=1, replace=0)).loss(Neighbours.REPLACE)
    assert isinstance(loss, FinitePair)
    assert loss.losses.tolist() == [0.0]


def test_the_error_follows_the_law_of_the_noise() -> None:
    mechanism = Laplace(3.0)
    assert float(mechanism.standard_deviation()) == pytest.approx(3 * math.sqrt(2), rel=1e-15)
    chances = np.array([0.0, 1e-18, 0.5, 0.95, 1 - 1e-12, 1.0])
    errors = mechanism.error_quantile(chances).value
    assert errors[0] == 0.0
    assert errors[-1] == np.inf
    for chance, error in zip(chances[1:-1], errors[1:-1], strict=True):
        assert float(-mpmath.expm1(-mpmath.mpf(error) / 3)) == pytest.approx(chance, rel=1e-14)
    np.testing.assert_allclose(mechanism.noise_tail([-3.0, 0.0, 3.0]).value, [1 - 0.5 / math.e, 0.5, 0.5 / math.e])
    assert float(mechanism.probability_of_exact_answer()) == 0.0


def test_a_tail_too_small_for_a_double_is_an_upper_bound() -> None:
    tail = Laplace(1.0).noise_tail(2000.0)
    assert str(tail).startswith("probability that the noise is at least the threshold is at most")
    assert 0 < float(tail) < 1e-200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scale": -1.0}, "scale must be a finite number of at least 0; got -1.0. Use the sensitivity divided by"),
        ({"scale": math.nan}, "scale must be a finite number of at least 0; got nan. Use"),
        ({"scale": 1.0, "sensitivity": 1.0}, "sensitivity must be a Sensitivity; got 1.0. Use Sensitivity.count"),
    ],
)
def test_what_is_no_laplace_noise_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Laplace(**arguments)


def test_several_cells_are_composed() -> None:
    """Two cells against two independent reports of the loss: the profile of the sum, by summing over a fine grid."""
    curve = Laplace(2.0, sensitivity=Sensitivity.histogram()).curve(Neighbours.REPLACE)
    z, step = np.linspace(-0.5, 0.5, 4000, endpoint=False, retstep=True)
    z += step / 2
    losses = np.concatenate([[-0.5], z, [0.5]])
    masses = np.concatenate([[math.exp(-0.5) / 2], np.exp((z - 0.5) / 2) / 4 * step, [0.5]])
    for t in (0.0, 0.4, 0.9):
        gaps = np.maximum(-np.expm1(t - np.add.outer(losses, losses)), 0.0)
        truth = float(masses @ gaps @ masses)
        delta = curve.delta(t)
        assert float(delta.lower) * (1 - 1e-6) <= truth <= float(delta.upper) * (1 + 1e-6)
        assert float(delta.upper) <= float(delta.lower) * (1 + 1e-4)
