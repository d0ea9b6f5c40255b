"""Audits of whole tables: who knows what, what is spared, and what a true table changes."""

from __future__ import annotations

import pytest

from whit.audit import OUTSIDER, Between, Exact, Publication, Suppressed, Verifier, adds_up, two_way
from whit.errors import Incompatible
from whit.policy.tables import Reader, Task, ValuesLeft, WidthLeft, audited

X = None
LEAKY = two_way(
    [[X, X, X, 8], [X, X, 9, 6], [12, 7, X, X], [9, 5, X, X]],
    rows=[42, 34, 39, 38],
    columns=[45, 30, 36, 42],
    total=153,
)
TRUE = [[20, 3, 11, 8], [4, 15, 9, 6], [12, 7, 6, 14], [9, 5, 10, 14]]


def truth() -> dict[tuple[str, str], int]:
    table = {(str(i), str(j)): value for i, row in enumerate(TRUE, 1) for j, value in enumerate(row, 1)}
    table |= {(str(i), "all"): sum(row) for i, row in enumerate(TRUE, 1)}
    table |= {("all", str(j)): sum(column) for j, column in enumerate(zip(*TRUE, strict=True), 1)}
    return table | {("all", "all"): sum(map(sum, TRUE))}


def test_two_suppressed_in_every_line_may_leak_and_the_sum_is_named():
    found = audited(Task(LEAKY))
    [leak] = found.failing
    assert (leak.cell, leak.status, leak.interval.least) == (("1", "3"), "disclosed", 11)
    assert "42 (1 × all) + 34 (2 × all) - 45 (all × 1) - 30 (all × 2)" in leak.why
    assert len(leak.through) == 4
    assert found.headline == (
        "1 of 9 cells that are not published exactly exceeds its limit, and 1 of them is known exactly."
    )


def test_a_cell_that_only_protects_others_needs_nothing_left():
    found = audited(Task(LEAKY, spared=frozenset({("1", "3")})))
    assert found.is_kept
    assert {each.status for each in found.found if each.cell == ("1", "3")} == {"determined"}


def test_a_contributor_knows_more_than_an_outsider():
    firms = Publication({"total": Exact(100)}, [adds_up("total", ("first", "second", "third"))])
    readers = (Reader("an outsider"), Reader("the second", OUTSIDER.knowing({"second": 20, "third": 10})))
    found = audited(Task(firms, readers, (WidthLeft(5),)))
    assert {each.by for each in found.failing} == {"the second"}
    assert [(each.cell, each.interval.least) for each in found.failing] == [("first", 70)]


def test_the_true_table_changes_no_interval_and_is_in_the_proofs():
    public, secret = audited(Task(LEAKY)), audited(Task(LEAKY, truth=truth()))
    assert [each.interval for each in public.found] == [each.interval for each in secret.found]
    assert secret.left["an outsider"].table == truth()
    verifier = Verifier(LEAKY)
    for _, _, certificate in secret.certificates():
        verifier.check(certificate)


def test_a_true_table_that_does_not_fit_is_refused_without_a_word_about_it():
    wrong = truth() | {("1", "1"): 4711}
    with pytest.raises(Incompatible, match="the given table must be one that is left") as refused:
        audited(Task(LEAKY, truth=wrong))
    assert "4711" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_what_a_rule_tells_narrows_what_is_left():
    parts = ("a", "b", "c")
    silent = Publication({"t": Between(12, 12), **dict.fromkeys(parts, Suppressed())}, [adds_up("t", parts)])
    told = Publication({"t": Between(12, 12), **dict.fromkeys(parts, Suppressed(Between(1, 4)))}, [adds_up("t", parts)])
    assert audited(Task(silent, limits=(ValuesLeft(3),), spared=frozenset({"t"}))).is_kept
    assert len(audited(Task(told, limits=(ValuesLeft(3),), spared=frozenset({"t"}))).failing) == 3


def test_without_limits_a_cell_must_keep_two_values():
    two = Publication({"total": Exact(1)}, [adds_up("total", ("first", "second"))])
    assert audited(Task(two)).is_kept
    one = Publication({"total": Exact(0)}, [adds_up("total", ("first", "second"))])
    assert not audited(Task(one)).is_kept
