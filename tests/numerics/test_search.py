"""The search for the number that goes furthest ends on the safe side."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.numerics.search import furthest, guided, largest_true, smallest_true


@pytest.mark.parametrize("root", [1e-9, 0.3, 1.0, 7.25, 9e3])
@pytest.mark.parametrize("rising", [True, False])
def test_the_answer_is_next_to_the_root_and_on_its_safe_side(root, rising):
    end = root if rising else 1 / root

    def room(x):
        return math.log(end / x) if rising else math.log(x / end)

    found = furthest(room, lambda x: x <= end if rising else x >= end, rising=rising)
    assert found <= end if rising else found >= end
    assert found == pytest.approx(end, rel=1e-11)


def test_a_margin_that_only_says_yes_or_no_is_enough():
    found = furthest(lambda x: 1.0 if x <= math.pi else -1.0, lambda x: x <= math.pi, rising=True)
    assert found <= math.pi
    assert found == pytest.approx(math.pi, rel=1e-11)


def test_few_evaluations_are_enough_for_a_smooth_margin():
    asked = []

    def room(x):
        asked.append(x)
        return 2.0 - x**3

    furthest(room, lambda x: x**3 <= 2.0, rising=True)
    assert len(asked) <= 25


def test_a_margin_that_is_too_bold_is_corrected_by_the_check():
    found = furthest(lambda x: 1.0 - x, lambda x: x <= 1 - 1e-7, rising=True)
    assert found <= 1 - 1e-7
    assert found >= 1 - 1e-5


def test_what_is_kept_as_far_as_the_search_looks_is_the_answer_as_far():
    assert furthest(lambda _: 1.0, lambda _: True, rising=True, start=2.0, reach=1e3) == 2e3
    assert furthest(lambda _: 1.0, lambda _: True, rising=False, start=2.0, reach=1e3) == 1 / 2e3


@pytest.mark.parametrize("root", [1e-280, 1e-40, 1e40, 1e280])
def test_roots_far_from_one_are_found_from_a_start_nearby(root):
    found = furthest(lambda x: math.log(root) - math.log(x), lambda x: x <= root, rising=True, start=root * 3e5)
    assert found <= root
    assert found == pytest.approx(root, rel=1e-11)


def test_a_margin_that_is_wrong_by_orders_of_magnitude_is_corrected_by_the_check():
    found = furthest(lambda x: 1e9 - x, lambda x: x <= 1.0, rising=True)
    assert found <= 1.0
    assert found == pytest.approx(1.0, rel=1e-11)


def test_what_is_never_kept_has_no_answer():
    assert furthest(lambda _: -1.0, lambda _: False, rising=True) is None
    assert furthest(lambda x: 1 - x, lambda _: False, rising=True) is None


def test_infinite_margins_are_followed():
    def room(x):
        return math.inf if x <= 0.2 else -math.inf

    assert furthest(room, lambda x: x <= 0.2, rising=True) == pytest.approx(0.2, rel=1e-11)


def test_a_guide_that_is_a_little_bold_is_corrected_by_the_check():
    asked = []

    def check(x: float) -> bool:
        asked.append(x)
        return x * x >= 2.0

    found = guided(lambda x: x * x - 1.999, check, rising=False)
    assert found * found >= 2.0
    assert found == pytest.approx(2**0.5, rel=2e-2)
    assert len(asked) <= 6


def test_a_guide_that_is_far_off_is_left_for_the_check():
    found = guided(lambda x: x - 1e-3, lambda x: x >= 7.0, rising=False)
    assert 7.0 <= found <= 14.0


def test_a_guide_finds_nothing_where_nothing_holds():
    assert guided(lambda x: -x, lambda x: x < 0, rising=True) is None


@pytest.mark.parametrize("search", [largest_true, smallest_true])
def test_a_predicate_is_never_shown_a_zero_below_zero(search):
    seen = []

    def predicate(x):
        seen.append(x)
        return np.ones(np.shape(x), dtype=bool)

    for low, high in ((-1.0, -0.0), (-0.0, 1.0)):
        search(predicate, low, high)
    assert not any(np.any((x == 0.0) & np.signbit(x)) for x in seen)


def test_a_margin_that_is_next_to_nothing_on_either_side_is_no_division_by_zero():
    found = furthest(lambda x: 0.0 if x <= math.pi else -5e-324, lambda x: x <= math.pi, rising=True)
    assert found <= math.pi
    assert found == pytest.approx(math.pi, rel=1e-11)
