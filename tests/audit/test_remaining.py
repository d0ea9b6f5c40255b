"""What is left is what every table of a small universe says, and nothing else."""

from __future__ import annotations

import pytest
from every_table import drawn

from whit.audit import Possible, contradiction, left, verify

SEEDS = range(60)


@pytest.mark.parametrize("largest", [1, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_intervals_values_and_counts_are_those_of_every_table(seed, largest):
    case = drawn(seed, largest=largest)
    tables = list(case.every_table())
    assert case.truth in tables
    found = left(case.publication, case.knowledge)
    assert found.number == len(tables)
    for cell in case.truth:
        values = {table[cell] for table in tables}
        interval = found.interval(cell)
        assert (interval.least, interval.most) == (min(values), max(values))
        assert found.values(cell) == tuple(sorted(values))
        assert interval.determined == (len(values) == 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_certificate_holds_in_every_table(seed):
    case = drawn(seed, largest=2)
    found = left(case.publication, case.knowledge)
    tables = list(case.every_table())
    for cell in case.truth:
        for value in range(-1, max(case.truth.values()) + 2):
            certificate = found.allows(cell, value)
            verify(case.publication, certificate, case.knowledge)
            assert isinstance(certificate, Possible) == any(table[cell] == value for table in tables)
            assert not isinstance(certificate, Possible) or certificate.values in tables
        found.verify(cell)
    verify(case.publication, found.counted, case.knowledge)
    assert contradiction(case.publication, case.knowledge) is None


@pytest.mark.parametrize("seed", range(6))
def test_universes_of_a_hundred_thousand_datasets_leave_the_same(seed):
    case = drawn(seed, top=9)
    tables = list(case.every_table())
    assert (case.top + 1) ** len(case.basics) == 100_000
    found = left(case.publication, case.knowledge)
    assert found.number == len(tables)
    for cell in case.truth:
        values = {table[cell] for table in tables}
        assert (found.interval(cell).least, found.interval(cell).most) == (min(values), max(values))
        found.verify(cell)
