"""Limits on what is left of a cell, against every table of a small universe."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from every_table import drawn

from whit.audit import (
    OUTSIDER,
    Between,
    EqualGeometric,
    EqualPoisson,
    Equation,
    Interval,
    Knowledge,
    Possible,
    Publication,
    counted_cells,
    left,
)
from whit.errors import InvalidInput
from whit.policy import Outcome
from whit.policy.tables import BeliefLeft, LevelsLeft, ShareLeft, ValuesLeft, WidthLeft

HOLE = Publication(
    {},
    [
        Equation("first", {"a": 1, "b": 1, "d": 1}, 3),
        Equation("second", {"b": 1, "c": 1, "d": 1}, 3),
        Equation("third", {"a": 1, "c": 1, "d": 1}, 3),
    ],
)


@pytest.mark.parametrize("seed", range(15))
def test_each_limit_is_kept_exactly_if_every_table_says_so(seed):
    case = drawn(seed)
    tables = list(case.every_table())
    found = left(case.publication, case.knowledge)
    for cell in case.basics:
        seen = Counter(table[cell] for table in tables)
        low, high = min(seen), max(seen)
        for number in (2, 3, 4):
            assert ValuesLeft(number).is_kept(found, cell) == (len(seen) >= number)
            assert WidthLeft(number).is_kept(found, cell) == (high - low >= number)
        share = Fraction(high - low, max(high, 1))
        for percent in (1, 25, 50, 100):
            assert ShareLeft(percent).is_kept(found, cell) == (low < high and share >= Fraction(percent, 100))
        most = Fraction(max(seen.values()), len(tables))
        for largest in (Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)):
            assert BeliefLeft(largest).is_kept(found, cell) == (most <= largest)


def test_a_hole_is_no_value():
    found = left(HOLE)
    assert found.values("d") == (1, 3)
    assert ValuesLeft(2).is_kept(found, "d")
    assert not ValuesLeft(3).is_kept(found, "d")


def test_a_belief_within_a_factor_has_odds_of_that_factor():
    found = left(Publication({"a": Between(0, 3)}), OUTSIDER)
    # One of four values, equally likely: odds of 1 to 3, at most 2 to 3 within a factor of 2, which is 2/5.
    assert BeliefLeft(Fraction(41, 100), within=2).is_kept(found, "a")
    assert not BeliefLeft(Fraction(39, 100), within=2).is_kept(found, "a")


@pytest.mark.parametrize(("low", "high", "kept"), [(2, 8, True), (3, 8, False), (2, 7, False), (None, 8, True)])
def test_levels_are_asked_for_around_the_true_value(low, high, kept):
    found = left(Publication({"a": Between(low, high)}), Knowledge(least=None))
    assert LevelsLeft(value=5, below=3, above=3, sliding=6).is_kept(found, "a") == kept


def test_levels_do_not_tell_the_value():
    limit = LevelsLeft(value=4711, below=13, above=17)
    assert not {"4711", "13", "17"} & set(f"{limit!r} {limit} {limit.required}".replace("(", " ").split())


def test_a_limit_that_nothing_can_exceed_is_refused():
    with pytest.raises(InvalidInput, match="values_left must be a whole number of at least 2; got 1"):
        ValuesLeft(1)
    with pytest.raises(InvalidInput, match=r"posterior must be in \(0, 1\); got 1"):
        BeliefLeft(1)


@pytest.mark.parametrize("seed", range(5))
def test_a_range_of_priors_is_kept_where_each_of_its_priors_is(seed):
    found = left(drawn(seed).publication, drawn(seed).knowledge)
    cell = counted_cells(found.publication)[0]
    law = EqualGeometric(Fraction(1, 2))
    for largest in (Fraction(3, 10), Fraction(6, 10), Fraction(95, 100)):
        each = [Fraction(at, 100) for at in range(1, 21)]
        alone = [BeliefLeft(largest, prior=law, between=(p, p)).is_kept(found, cell) for p in each]
        assert BeliefLeft(largest, prior=law, between=(each[0], each[-1])).is_kept(found, cell) == all(alone)


def test_a_range_of_priors_needs_a_law_and_lies_below_the_posterior():
    with pytest.raises(InvalidInput, match="prior needs a law of the cells, .* no bound holds for every prior"):
        BeliefLeft(0.5, between=(0.01, 0.1))
    with pytest.raises(InvalidInput, match=r"prior must be in rising order.*; got 0.1\.\.0.5"):
        BeliefLeft(0.5, prior=EqualPoisson(3), between=(0.1, 0.5))


class Bracketed:
    """What is left where the search ended early: tables reach so far, and no table exceeds that."""

    publication = Publication({"a": Between(0, 99)})

    def __init__(self, least, most, limits):
        self.found = Interval("a", least, most, limits)

    def interval(self, cell):
        return self.found

    def allows(self, cell, value):
        return Possible({"a": value})


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [
        (WidthLeft(4), Outcome.KEPT),
        (WidthLeft(5), Outcome.OPEN),
        (WidthLeft(9), Outcome.OPEN),
        (WidthLeft(10), Outcome.BROKEN),
        (ValuesLeft(5), Outcome.KEPT),
        (ValuesLeft(6), Outcome.OPEN),
        (ValuesLeft(11), Outcome.BROKEN),
        (ShareLeft(50), Outcome.KEPT),
        (ShareLeft(60), Outcome.OPEN),
        (ShareLeft(91), Outcome.BROKEN),
        (LevelsLeft(5, 1, 1), Outcome.KEPT),
        (LevelsLeft(5, 3, 3), Outcome.OPEN),
        (LevelsLeft(5, 5, 1), Outcome.BROKEN),
    ],
    ids=repr,
)
def test_what_lies_between_tables_and_limits_is_not_shown(limit, outcome):
    # Tables have 4 to 8, and none is below 1 or above 10.
    assert limit.outcome(Bracketed(4, 8, (1, 10)), "a") is outcome


def test_a_belief_over_too_many_tables_is_not_shown():
    wide = left(Publication({}, [Equation("total", {"a": 1, "b": 1}, 10**6)]))
    assert BeliefLeft(0.5).outcome(wide, "a") is Outcome.OPEN


def test_a_share_is_kept_by_an_interval_of_just_so_much_and_none_is_no_share():
    found = left(Publication({"a": Between(9, 10), "b": Between(10, 11)}))
    assert ShareLeft(10).is_kept(found, "a")
    assert not ShareLeft(10).is_kept(found, "b")
    with pytest.raises(InvalidInput, match=r"interval must be in \(0, 100\] %"):
        ShareLeft(0)


def test_without_a_sliding_level_no_width_is_asked_for():
    found = left(Publication({"a": Between(5, 5)}))
    assert LevelsLeft(value=5, below=0, above=0).is_kept(found, "a")
    assert not LevelsLeft(value=5, below=0, above=0, sliding=1).is_kept(found, "a")
