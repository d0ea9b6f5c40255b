"""Two bounds that hold together are of one piece."""

from __future__ import annotations

from dataclasses import replace

import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.semantics.membership import Between, posterior


def test_as_a_float_it_is_its_upper_bound():
    answer = posterior(PureDP(1.0), 0.5, sides=2)
    assert float(answer) == float(answer.upper)
    assert repr(answer) == "<Between: posterior probability is between 26.8 % and 73.2 %>"


def test_of_many_numbers_it_tells_the_worst():
    answer = posterior(PureDP(1.0), [0.1, 0.5], sides=2)
    assert str(answer) == "posterior probability is between 26.8 % and 73.2 % (the largest of 2 values)"


def test_findings_of_different_origin_are_refused():
    answer, other = posterior(PureDP(1.0), 0.5, sides=2), posterior(PureDP(2.0), 0.5, sides=2)
    with pytest.raises(InvalidInput, match="at least one number and at most another"):
        Between(answer.lower, other.upper)


def test_two_upper_bounds_are_refused():
    answer = posterior(PureDP(1.0), 0.5, sides=2)
    with pytest.raises(InvalidInput, match="at least one number and at most another"):
        Between(replace(answer.upper), answer.upper)
