"""Requirements like a given one: stricter and looser, the given one among them."""

from __future__ import annotations

import pytest

from whit.policy import around, limits, profiles, stated_number

ONE_NUMBER = [
    limits.posterior(0.3, prior=0.1),
    limits.ratio(3.0),
    limits.difference(0.2, prior=0.6),
    limits.power(0.2, level=0.05),
    limits.advantage(0.3),
    limits.predictive_value(0.5, prior=0.1, level=0.05),
    limits.success(0.5, baseline=0.25),
    profiles.constant(3.0),
]


@pytest.mark.parametrize("given", ONE_NUMBER, ids=repr)
def test_they_go_from_strict_to_loose_and_differ_in_one_number_only(given):
    found = around(given)
    numbers = [number for each in found if (number := stated_number(each)) is not None]
    assert given in found
    assert len(found) >= 4
    assert numbers == sorted(set(numbers))
    assert len({repr(each).replace(repr(number), "") for each, number in zip(found, numbers, strict=True)}) == 1


def test_a_share_stays_below_certainty():
    assert [each.posterior for each in around(limits.posterior(0.9, prior=0.1))] == [0.3, 0.5, 0.7, 0.9]


def test_what_is_not_one_number_is_itself_alone():
    capped = profiles.capped(relative=3.0, absolute=0.25)
    assert around(capped) == [capped]
    assert stated_number(capped) is None
