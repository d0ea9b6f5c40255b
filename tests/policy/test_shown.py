"""The rows of a verdict say the number that decides, or that there is none."""

from __future__ import annotations

import re
from dataclasses import replace

from shown_pages import words_of

from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Laplace
from whit.policy import check, limits, profiles, recommend
from whit.setting import Sensitivity


def test_a_row_for_each_requirement_has_its_number_and_its_limit():
    verdict = check(PureDP(1.0), [limits.posterior(0.3, prior=0.1), limits.advantage(0.9)])
    rows = verdict.to_rows()
    assert [row["verdict"] for row in rows] == ["Allowed", "Allowed"]
    assert [row["limit"] for row in rows] == [0.3, 0.9]
    for row, part in zip(rows, verdict.parts, strict=True):
        assert part.number is not None
        assert (row["quantity"], row["direction"]) == (part.number.quantity.name, part.number.direction.name)
        assert row["value"] == float(part.number)


def test_a_row_without_a_number_says_so():
    verdict = check(PureDP(1.0), limits.posterior(0.3, prior=0.1))
    [row] = replace(verdict, number=None).to_rows()
    assert (row["quantity"], row["direction"], row["value"]) == (None, None, None)


def test_a_requirement_is_told_in_the_words_of_options():
    verdict = check(PureDP(1.0), [limits.posterior(0.3, prior=0.1), profiles.constant(3.0), ApproxDP(1.0, 1e-6)])
    told = [row["requirement"] for row in verdict.to_rows()]
    assert told == ["posterior=0.3, prior=0.1", "relative=3", "epsilon = 1, delta = 1e-6"]


def test_a_recommendation_begins_with_what_to_use_and_with_every_limit():
    accepted = [limits.power(0.2, level=0.05), limits.posterior(0.3, prior=0.1)]
    found = recommend(accepted, Laplace, sensitivity=Sensitivity(add_remove=31, replace=31))
    words = words_of(found)
    met = "the limit power=0.2, level=0.05 and the limit posterior=0.3, prior=0.1"
    assert words.startswith(f"Use scale {found.digits}: the release then meets {met}.")
    assert "Power of the best test is at most 19.3 %; the limit is 20 %." in words
    assert re.search(r"Standard deviation of the noise[\d.]+ \(rounded up\)", words)
