"""Several budgets at once: what closes a book, and what all of them together allow."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from analysts import BASE, coins

from whit.errors import Incompatible, InvalidInput
from whit.guarantees import Books, Filter, GaussianDP, PureDP, ZeroConcentratedDP
from whit.setting import Neighbours
from whit.worlds import Analyst

BOOKS = Books([Filter(PureDP(1.2)), Filter(ZeroConcentratedDP(0.3))])


def test_a_book_without_room_or_without_a_cost_is_closed_for_good():
    dear = BOOKS.after(PureDP(1.2))
    assert dear.are_open == (True, False)
    assert dear.fits(PureDP(0.0))
    assert not dear.fits(GaussianDP(0.1))
    noise = BOOKS.after(GaussianDP(0.1))
    assert noise.are_open == (False, True)
    assert noise.after(PureDP(0.1)).are_open == (False, True)
    with pytest.raises(Incompatible, match=r"a release must fit in a book that is open; got PureDP\(epsilon=1.2\)"):
        noise.after(PureDP(1.2))


def test_every_open_book_is_charged():
    books = BOOKS.after(PureDP(0.5)).after(PureDP(0.25))
    assert books.filters[0].spent == (Fraction(3, 4),)
    assert books.filters[1].spent == Filter(ZeroConcentratedDP(1.0)).after(PureDP(0.5)).after(PureDP(0.25)).spent


def test_what_the_budgets_allow_is_added_up_and_cut_at_one():
    epsilons, losses = np.array([0.0, 0.5, 1.2, 3.0]), np.array([-1.0, 0.5, 1.2, 3.0])
    parts = [PureDP(1.2).delta(epsilons).value, ZeroConcentratedDP(0.3).delta(epsilons).value]
    assert np.all(BOOKS.delta(epsilons).value >= np.add(*parts))
    assert BOOKS.delta(epsilons).value == pytest.approx(np.add(*parts), rel=1e-14)
    # Beyond its epsilon the pure book adds nothing, and below it allows everything.
    rho = np.exp(-((losses - 0.3) ** 2) / (4 * 0.3))
    assert BOOKS.ever(losses).value[[0, 1]].tolist() == [1.0, 1.0]
    # The tail of zero-concentrated privacy is at most the closed form.
    assert np.all(BOOKS.ever(losses).value[2:] <= rho[2:] * (1 + 1e-12))
    assert {"several-books", "pure-filter", "zcdp-filter"} <= set(BOOKS.delta(1.0).basis.theorems)
    assert "at-every-moment" in BOOKS.ever(1.5).basis.theorems


def test_the_worst_analyst_keeps_to_the_sum_and_goes_beyond_each_budget_alone():
    menu, promises = coins((2, 5, 9))
    analyst = Analyst(menu, BOOKS, lambda books, i: books.after(promises[i]) if books.fits(promises[i]) else None)
    alone = [
        Analyst(menu, book, lambda left, i: left.after(promises[i]) if left.fits(promises[i]) else None)
        for book in BOOKS.filters
    ]
    for power in (6, 9, 12, 13, 15):
        x, epsilon = BASE**power, math.nextafter(power * math.log(1.1), 0.0) * (1 - 1e-15)
        found = analyst.delta(x)
        assert max(each.delta(x) for each in alone) <= found <= float(BOOKS.delta(epsilon))
        assert analyst.ever(BASE ** (power + 1)) <= float(BOOKS.ever(epsilon))
    assert any(analyst.delta(BASE**power) > max(each.delta(BASE**power) for each in alone) for power in (6, 9, 12))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: Books([]), InvalidInput, "filters must be at least one"),
        (lambda: Books([PureDP(1.0)]), InvalidInput, "a book must be"),
        (
            lambda: Books([Filter(PureDP(1.0)), Filter(PureDP(1.0, neighbours=Neighbours.REPLACE))]),
            Incompatible,
            "books must be about the same neighbours",
        ),
    ],
)
def test_what_is_no_book_is_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()
