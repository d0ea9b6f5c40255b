"""Rules of safety beside what adversaries conclude: certain knowledge where it is one, a counter-example where not."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from whit.audit import Dominance, MinimumFrequency, PPercent, Threshold, as_read, left
from whit.errors import InvalidInput

FOUR = (70, 20, 6, 4)


def too_high(contributions: list[int], *, reader: int, target: int) -> Fraction:
    """By which share the upper bound of one contributor for another is too high, by what is left of the total."""
    seen = as_read(contributions, reader=reader, target=target)
    most = left(seen.publication, seen.knowledge).interval(seen.target).most
    true = sorted(contributions, reverse=True)[target - 1]
    return Fraction(most - true, true)


@pytest.mark.parametrize("seed", range(40))
def test_the_p_percent_rule_is_what_the_second_contributor_knows_for_certain(seed):
    rng = random.Random(seed)
    contributions = [rng.randint(1, 40) for _ in range(rng.randint(2, 6))]
    percent = Fraction(rng.randint(1, 4000), 40)
    known = too_high(contributions, reader=2, target=1)
    assert PPercent(percent).passes(contributions) == (known >= percent / 100)


@pytest.mark.parametrize("seed", range(10))
def test_no_other_contributor_knows_any_other_one_better(seed):
    rng = random.Random(seed)
    contributions = [rng.randint(1, 40) for _ in range(rng.randint(2, 5))]
    places = range(1, len(contributions) + 1)
    every = [too_high(contributions, reader=i, target=j) for i in places for j in places if i != j]
    assert min(every) == too_high(contributions, reader=2, target=1)


def test_the_four_contributors_fail_the_rule_from_a_seventh_on():
    seventh = Fraction(100, 7)
    assert PPercent(10).passes(FOUR)
    assert PPercent(seventh).passes(FOUR)
    assert not PPercent(seventh + Fraction(1, 10**9)).passes(FOUR)
    assert not PPercent(15).passes(FOUR)
    assert Dominance(1, 75).passes(FOUR)
    assert not Dominance(2, 85).passes(FOUR)


@pytest.mark.parametrize(
    "rule", [Dominance(1, 50), Dominance(1, 75), MinimumFrequency(3), MinimumFrequency(10)], ids=repr
)
def test_a_proxy_passes_its_counter_example_though_somebody_knows_it_closely(rule):
    contributions = list(rule.counter_example)
    assert rule.passes(contributions)
    assert too_high(contributions, reader=2, target=1) <= Fraction(1, 100)
    assert not PPercent(1).passes(contributions) or too_high(contributions, reader=2, target=1) == Fraction(1, 100)


@pytest.mark.parametrize("seed", range(30))
def test_dominance_of_two_leaves_the_second_the_share_that_it_asks_for(seed):
    rng = random.Random(seed)
    contributions = [rng.randint(1, 40) for _ in range(rng.randint(3, 9))]
    percent = rng.randint(50, 99)
    if Dominance(2, percent).passes(contributions):
        assert too_high(contributions, reader=2, target=1) >= Fraction(100 - percent, percent)


def test_a_threshold_tells_the_range_of_what_it_withholds():
    assert [Threshold(5).passes([1] * number) for number in range(7)] == [True, *[False] * 4, True, True]
    withheld = {number for number in range(7) if not Threshold(5).passes([1] * number)}
    assert withheld == {value for value in range(7) if Threshold(5).tells.leaves(value)}


def test_a_percentage_that_nothing_exceeds_is_refused():
    with pytest.raises(InvalidInput, match="percent must be below 100; got 100"):
        Dominance(1, 100)
    with pytest.raises(InvalidInput, match="percent must be above 0; got 0"):
        PPercent(0)
