"""The composition rule of Example 4.1 against the promise that it turns into others."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.guarantees import ProbabilisticDP, PureDP, ZeroConcentratedDP
from whit.papers.kszjy25 import TextbookComposition


def test_the_textbook_is_never_better_than_the_tail_of_the_rho_itself():
    for days in (1, 7, 58):
        textbook = TextbookComposition(0.01)(ZeroConcentratedDP(0.01), days)
        assert isinstance(textbook, ProbabilisticDP)
        own = ZeroConcentratedDP(0.01).times(days)
        assert float(own.two_sided_tail(textbook.stated_epsilon)) <= 0.01


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: TextbookComposition(0.01)(PureDP(0.1), 2), "must be zero-concentrated"),
        (lambda: TextbookComposition(0.0), "failure must be a probability strictly between"),
    ],
)
def test_a_wrong_input_is_refused_with_a_sentence(ask, said):
    with pytest.raises(InvalidInput, match=said):
        ask()
