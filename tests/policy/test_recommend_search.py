"""The search for a parameter ends on the safe side."""

from __future__ import annotations

import math

import pytest

from whit.policy.recommend_search import boldest


@pytest.mark.parametrize("root", [1e-9, 0.3, 1.0, 7.25, 9e3])
@pytest.mark.parametrize("rising", [True, False])
def test_the_answer_is_next_to_the_root_and_on_its_safe_side(root, rising):
    end = root if rising else 1 / root

    def room(x):
        return math.log(end / x) if rising else math.log(x / end)

    found = boldest(room, lambda x: x <= end if rising else x >= end, rising=rising)
    assert found <= end if rising else found >= end
    assert found == pytest.approx(end, rel=1e-11)


def test_a_margin_that_only_says_yes_or_no_is_enough():
    found = boldest(lambda x: 1.0 if x <= math.pi else -1.0, lambda x: x <= math.pi, rising=True)
    assert found <= math.pi
    assert found == pytest.approx(math.pi, rel=1e-11)


def test_few_evaluations_are_enough_for_a_smooth_margin():
    asked = []

    def room(x):
        asked.append(x)
        return 2.0 - x**3

    boldest(room, lambda x: x**3 <= 2.0, rising=True)
    assert len(asked) <= 25


def test_a_margin_that_is_too_bold_is_corrected_by_the_check():
    found = boldest(lambda x: 1.0 - x, lambda x: x <= 1 - 1e-7, rising=True)
    assert found <= 1 - 1e-7
    assert found >= 1 - 1e-5


def test_what_is_always_kept_has_no_bound():
    assert boldest(lambda _: 1.0, lambda _: True, rising=True) == math.inf
    assert boldest(lambda _: 1.0, lambda _: True, rising=False) == 0.0


def test_what_is_never_kept_has_no_answer():
    assert boldest(lambda _: -1.0, lambda _: False, rising=True) is None
    assert boldest(lambda x: 1 - x, lambda _: False, rising=True) is None


def test_infinite_margins_are_followed():
    def room(x):
        return math.inf if x <= 0.2 else -math.inf

    assert boldest(room, lambda x: x <= 0.2, rising=True) == pytest.approx(0.2, rel=1e-11)
