"""Laws of what is left: names and order do not matter, what follows adds nothing, and more is never less."""

from __future__ import annotations

import random

import pytest
from every_table import drawn

from whit.audit import (
    OUTSIDER,
    Between,
    Equation,
    Exact,
    Knowledge,
    Publication,
    Suppressed,
    adds_up,
    contradiction,
    left,
    together,
    verify,
)

SEEDS = range(30)


def intervals(publication, knowledge, cells):
    found = left(publication, knowledge)
    return {cell: (found.interval(cell).least, found.interval(cell).most) for cell in cells}


@pytest.mark.parametrize("seed", SEEDS)
def test_order_and_names_change_nothing(seed):
    case, pick = drawn(seed, largest=2), random.Random(seed)
    said, equations = list(case.publication.statements), list(case.publication.equations)
    pick.shuffle(said)
    pick.shuffle(equations)
    turned = [
        Equation(f"e{number}", {f"{cell}!": -times for cell, times in each.terms.items()}, -each.right)
        for number, each in enumerate(equations)
    ]
    renamed = Publication([(f"{cell}!", statement) for cell, statement in said], turned)
    known = Knowledge([(f"{cell}!", statement) for cell, statement in case.knowledge.facts])
    before = intervals(case.publication, case.knowledge, case.truth)
    assert intervals(renamed, known, [f"{cell}!" for cell in case.truth]) == {f"{c}!": e for c, e in before.items()}
    assert left(renamed, known).number == left(case.publication, case.knowledge).number


@pytest.mark.parametrize("seed", SEEDS)
def test_what_follows_from_the_rest_adds_nothing(seed):
    case, pick = drawn(seed), random.Random(seed)
    equations = case.publication.equations
    times = [pick.randint(-2, 2) for _ in equations]
    terms: dict = {}
    for factor, each in zip(times, equations, strict=True):
        for cell, coefficient in each.terms.items():
            terms[cell] = terms.get(cell, 0) + factor * coefficient
    redundant = Publication({}, [Equation("follows", terms, 0)])
    both = together(case.publication, redundant, case.publication)
    assert intervals(both, case.knowledge, case.truth) == intervals(case.publication, case.knowledge, case.truth)
    assert left(both, case.knowledge).number == left(case.publication, case.knowledge).number


@pytest.mark.parametrize("seed", SEEDS)
def test_splitting_a_total_into_two_that_nobody_sees_changes_nothing(seed):
    case = drawn(seed)
    first, *others = case.publication.equations
    total = next(iter(case.sums))
    parts = list(case.sums[total])
    halves = [adds_up("half", parts[:1]), adds_up("rest", parts[1:]), adds_up(total, ["half", "rest"])]
    assert total in first.terms
    split = Publication(case.publication.statements, [*halves, *others])
    assert intervals(split, case.knowledge, case.truth) == intervals(case.publication, case.knowledge, case.truth)
    assert left(split, case.knowledge).number == left(case.publication, case.knowledge).number


@pytest.mark.parametrize("seed", SEEDS)
def test_publishing_more_never_widens(seed):
    case = drawn(seed, largest=2)
    cell = random.Random(seed).choice(case.basics)
    before = left(case.publication, case.knowledge)
    more = together(case.publication, Publication({cell: Exact(case.truth[cell])}))
    after = left(more, case.knowledge)
    assert after.number <= before.number
    for each in case.truth:
        assert set(after.values(each)) <= set(before.values(each))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_publication_is_refused_only_if_no_table_is_left_and_with_a_proof(seed):
    case, pick = drawn(seed), random.Random(seed)
    total = next(iter(case.sums))
    wrong = Publication({total: Exact(case.truth[total] + pick.choice([-1, 1]))})
    both = together(case.publication, wrong)
    proof = contradiction(both, case.knowledge)
    fits = [t for t in case.every_table() if t[total] == wrong.statements[0][1].value]
    assert (proof is None) == bool(fits)
    if proof is not None:
        verify(both, proof, case.knowledge)


@pytest.mark.parametrize("large", [10**15, 10**15 + 1, 2**63, 10**30])
def test_large_numbers_beside_small_ones_are_exact(large):
    cells = {"T": Exact(large + 1), "a": Exact(large), "b": Suppressed(), "c": Suppressed()}
    found = left(Publication(cells, [adds_up("T", "abc")]))
    assert (found.values("b"), found.number) == ((0, 1), 2)
    wide = Publication(
        {"T": Exact(large), "b": Between(1, 1), "c": Suppressed(), "d": Suppressed()}, [adds_up("T", "bcd")]
    )
    found = left(wide)
    assert (found.interval("c").least, found.interval("c").most) == (0, large - 1)
    found.verify("c")


def test_a_cell_without_a_last_value_has_none():
    found = left(Publication({"a": Suppressed()}, [Equation("difference", {"a": 1, "b": -1}, 2)]))
    assert str(found.interval("a")) == "a is in 2 or more"
    found.verify("a")
    with pytest.raises(Exception, match="the values of a must have an end to be listed; got a is in 2 or more"):
        found.values("a")
    with pytest.raises(Exception, match="must have two ends to count tables"):
        _ = found.number


def test_values_may_be_negative_if_the_reader_says_so():
    balance = Publication({"T": Exact(0)}, [adds_up("T", "ab")])
    assert left(balance).values("a") == (0,)
    known = Knowledge({"b": Between(-3, 3)}, least=None)
    assert left(balance, known).values("a") == tuple(range(-3, 4))


def test_knowledge_of_a_contributor_narrows_what_is_left():
    town = Publication({"T": Exact(10)}, [adds_up("T", ["mine", "theirs"])])
    assert str(left(town, OUTSIDER.contributing({"mine": 4})).interval("theirs")) == "theirs is in 0 to 6"
    assert str(left(town, OUTSIDER.with_zeros(["mine"])).interval("theirs")) == "theirs is exactly 10"
    with pytest.raises(ValueError, match="least must be 0 or more if a contribution is to tell something; got None"):
        Knowledge(least=None).contributing({"mine": 4})
    with pytest.raises(LookupError, match="No known cell has the name min. Did you mean mine"):
        left(town, OUTSIDER.knowing({"min": 4}))
