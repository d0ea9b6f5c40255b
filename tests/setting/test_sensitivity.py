"""Sensitivities: normal form, norms rounded up, and the triangle inequality between the two relations."""

import dataclasses
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.setting import Neighbours, Sensitivity

CHANGES = st.lists(st.floats(1e-150, 1e150), min_size=1, max_size=6)


def test_a_count_changes_by_one_either_way():
    count = Sensitivity.count()
    assert [count.l1(n) for n in Neighbours] == [1.0, 1.0, 1.0]
    assert [count.l2(n) for n in Neighbours] == [1.0, 1.0, 1.0]


def test_a_replacement_changes_two_cells_of_a_histogram():
    histogram = Sensitivity.histogram()
    assert histogram.changes(Neighbours.ADD_REMOVE) == (1.0,)
    assert histogram.changes(Neighbours.REPLACE) == histogram.changes(Neighbours.LOCAL) == (1.0, 1.0)
    assert histogram.l1(Neighbours.REPLACE) == 2.0
    assert histogram.l2(Neighbours.REPLACE) == pytest.approx(math.sqrt(2.0))


def test_numbers_tuples_and_zeros_have_one_normal_form():
    assert Sensitivity(add_remove=1, replace=[1, 0, 1]) == Sensitivity.histogram()
    assert Sensitivity(add_remove=(1,), replace=1.0) == Sensitivity.count()
    assert len({Sensitivity.count(), Sensitivity(add_remove=1, replace=1), Sensitivity.histogram()}) == 2


def test_an_answer_that_no_replacement_changes_has_none():
    total = Sensitivity(add_remove=1, replace=0)
    assert total.changes(Neighbours.REPLACE) == ()
    assert (total.l1(Neighbours.REPLACE), total.l2(Neighbours.REPLACE)) == (0.0, 0.0)


@given(CHANGES)
def test_norms_are_the_smallest_doubles_that_are_not_too_small(changes):
    sensitivity = Sensitivity(add_remove=changes, replace=changes)
    l1, l2 = sensitivity.l1(Neighbours.REPLACE), sensitivity.l2(Neighbours.REPLACE)
    total, squares = sum(map(Fraction, changes)), sum(Fraction(c) ** 2 for c in changes)
    assert Fraction(l1) >= total > Fraction(math.nextafter(l1, 0.0))
    assert Fraction(l2) ** 2 >= squares
    assert Fraction(l2 * (1 - 2**-51)) ** 2 < squares


@pytest.mark.parametrize(
    "sensitivity",
    [
        Sensitivity.count(),
        Sensitivity.histogram(),
        Sensitivity(add_remove=1, replace=0),
        Sensitivity(add_remove=(0.1, 0.2), replace=(0.3, 1e-300, 0.25)),
    ],
)
def test_the_repr_rebuilds_the_sensitivity(sensitivity):
    assert eval(repr(sensitivity)) == sensitivity


def test_the_repr_shows_one_change_as_a_number():
    assert repr(Sensitivity.histogram()) == "Sensitivity(add_remove=1.0, replace=(1.0, 1.0))"


def test_a_sensitivity_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'replace'"):
        Sensitivity.count().replace = (2.0,)  # type: ignore[misc]


def test_a_replacement_is_a_removal_and_an_addition():
    assert Sensitivity(add_remove=0.1, replace=0.2).l1(Neighbours.REPLACE) == 0.2
    with pytest.raises(
        InvalidInput, match=r"replace must total at most twice add_remove.* got 2.5 against 1.0\. Raise"
    ):
        Sensitivity(add_remove=1, replace=(1.5, 1.0))
    with pytest.raises(InvalidInput, match="replace must total at most twice add_remove"):
        Sensitivity(add_remove=0, replace=5e-324)


@pytest.mark.parametrize("change", [-1, math.inf, math.nan, True, "1", None, (1, -1), (1, (1, 1)), ("1",)])
def test_changes_are_finite_and_not_negative(change):
    with pytest.raises(InvalidInput, match=r"add_remove must be a finite number of at least 0; got .* as a tuple"):
        Sensitivity(add_remove=change, replace=1)
    with pytest.raises(InvalidInput, match="replace must be a finite number of at least 0; got "):
        Sensitivity(add_remove=1, replace=change)


def test_changes_whose_sum_is_no_double_are_refused():
    with pytest.raises(InvalidInput, match="add_remove must have a sum that fits a double"):
        Sensitivity(add_remove=(1e308, 1e308), replace=1)


def test_neighbours_are_asked_for_by_member():
    with pytest.raises(InvalidInput, match=r"neighbours must be one of Neighbours; got replace\. Use Neighbours.ADD"):
        Sensitivity.count().l1("replace")
