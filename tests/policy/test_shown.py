"""The rows of a verdict say the number that decides, or that there is none."""

from __future__ import annotations

from dataclasses import replace

from whit.guarantees import PureDP
from whit.policy import check, limits


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
