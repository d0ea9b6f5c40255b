"""Sets of orders: the smallest value over a list or a continuum, and where it is found."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.guarantees.renyi_face import Concentrated, Listed


def test_a_continuum_is_searched_to_convergence():
    """The Chernoff exponent s (rho (1 + s) - t) is smallest at s = (t - rho)/(2 rho)."""
    t = np.array([0.7, 3.0, 200.0])
    value, at = Concentrated(0.5).smallest(np.zeros(3), lambda s, gamma: s * (gamma - t[:, None]))
    assert value == pytest.approx(-((t - 0.5) ** 2) / 2, rel=1e-11)
    assert at == pytest.approx(t - 0.5, rel=1e-4)


def test_order_one_is_among_the_continuum():
    value, at = Concentrated(0.5).smallest(np.zeros(()), lambda s, gamma: gamma + s)
    assert (float(value), float(at)) == (0.5, 0.0)


def test_a_list_knows_its_bounds_and_that_of_infinite_order():
    listed = Listed.of({8.0: 2.0, 2.0: 0.5, math.inf: 7.0})
    assert listed.bound(np.array([1.0, 7.0])).tolist() == [0.5, 2.0]
    assert listed.largest_loss == 7.0
    value, at = listed.smallest(np.zeros(()), lambda s, gamma: gamma - s)
    assert (float(value), float(at)) == (-5.0, 7.0)


def test_an_empty_list_says_nothing():
    value, _ = Listed.of({math.inf: 1.0}).smallest(np.zeros(2), lambda s, gamma: s - gamma)
    assert value.tolist() == [0.0, 0.0]
    assert Concentrated(1.0).largest_loss == math.inf


def test_a_narrow_valley_is_found_where_it_is_known_to_be():
    """A valley of a thousandth of the width of the first search, at s = 3.3."""

    def valley(s, gamma):
        return 0.0 * gamma - np.exp(-((np.log(np.where(s > 0, s, 1e-9) / 3.3) / 1e-3) ** 2))

    value, at = Concentrated(0.5).smallest(np.array(3.3), valley)
    assert float(value) == pytest.approx(-1.0, rel=1e-9)
    assert float(at) == pytest.approx(3.3, rel=1e-4)
