"""The readings of linked units."""

from __future__ import annotations

import pytest

from whit.plans import Linked


@pytest.mark.parametrize("reading", Linked)
def test_the_worst_reading_counts_at_least_as_many_records_as_any(reading):
    for count in ("records_where_moved", "records_elsewhere", "records_of_presence"):
        assert getattr(Linked.WORST, count) >= getattr(reading, count)


@pytest.mark.parametrize("reading", Linked)
def test_a_reading_is_a_sentence(reading):
    assert reading.value.endswith(".")
    assert repr(reading) == f"Linked.{reading.name}"
