"""A certificate that was tampered with is refused, whoever made it."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from every_table import drawn

from whit.audit import (
    Between,
    Combination,
    Counted,
    Equation,
    Exact,
    Impossible,
    Possible,
    Publication,
    Remainder,
    Split,
    Suppressed,
    Unlimited,
    Verifier,
    adds_up,
    left,
    together,
    two_way,
    verify,
)

X = None
TABLE = two_way([[X, X], [X, X]], rows=[3, 7], columns=[4, 6], total=10)
# Row 1 is cell 11 and cell 12; so cell 11 is at most 3.
ROW = "1 × all = 1 × 1 + 1 × 2"
COLUMN = "all × 1 = 1 × 1 + 2 × 1"
GOOD = {
    ("1", "1"): 1,
    ("1", "2"): 2,
    ("2", "1"): 3,
    ("2", "2"): 4,
    ("1", "all"): 3,
    ("2", "all"): 7,
    ("all", "1"): 4,
    ("all", "2"): 6,
    ("all", "all"): 10,
}
PARITY = Publication(
    {},
    [
        Equation("first", {"a": 1, "b": 1, "d": 1}, 3),
        Equation("second", {"b": 1, "c": 1, "d": 1}, 3),
        Equation("third", {"a": 1, "c": 1, "d": 1}, 3),
    ],
)
ENDLESS = Publication({}, [Equation("difference", {"a": 1, "b": -1}, 2)])


def test_a_table_that_adds_up_is_accepted():
    check_accepted(TABLE, Possible(GOOD))


def check_accepted(publication, certificate):
    verify(publication, certificate)


@pytest.mark.parametrize("cell", GOOD)
def test_a_witness_that_is_off_by_one_in_any_cell_is_refused(cell):
    with pytest.raises(ValueError, match="Use the certificate that belongs to this publication, unchanged"):
        verify(TABLE, Possible({**GOOD, cell: GOOD[cell] + 1}))
    with pytest.raises(ValueError, match="Use the certificate that belongs to this publication, unchanged"):
        verify(TABLE, Possible(GOOD, {cell: GOOD[cell] + 1}))


def test_a_witness_without_a_cell_or_with_one_too_many_is_refused():
    with pytest.raises(ValueError, match="must have the cells of the publication and no others; got .*1 × 1"):
        verify(TABLE, Possible({cell: value for cell, value in GOOD.items() if cell != ("1", "1")}))
    with pytest.raises(ValueError, match="must have the cells of the publication and no others; got .*stray"):
        verify(TABLE, Possible(GOOD | {("stray", "all"): 0}))


def test_a_witness_in_fractions_is_refused():
    with pytest.raises(ValueError, match="1 × 1 must be a whole number; got 1.0"):
        verify(TABLE, Possible({**GOOD, ("1", "1"): 1.0}))


def test_a_changed_table_must_add_up_too():
    swap = {("1", "1"): 2, ("1", "2"): 1, ("2", "1"): 2, ("2", "2"): 5}
    check_accepted(TABLE, Possible(GOOD, swap))
    with pytest.raises(ValueError, match="must come out at"):
        verify(TABLE, Possible(GOOD, {**swap, ("2", "2"): 4}))


def test_a_table_that_was_added_up_once_does_not_vouch_for_another():
    verifier = Verifier(TABLE)
    good = Possible(GOOD)
    verifier.check(good)
    verifier.check(Possible(good.table, {}))
    with pytest.raises(ValueError, match="must come out at"):
        verifier.check(Possible(good.table, {("1", "1"): 0}))


def test_the_sum_of_one_row_bounds_its_cells():
    check_accepted(TABLE, Impossible(("1", "1"), 4, None, Combination({ROW: 1})))
    check_accepted(TABLE, Impossible(("1", "1"), 4, None, Combination({ROW: -5})))


@pytest.mark.parametrize("multipliers", [{}, {ROW: 0}, {COLUMN: 1}, {ROW: 1, COLUMN: -1}])
def test_a_wrong_multiplier_is_refused(multipliers):
    with pytest.raises(ValueError, match="the sum of equations must be out of reach"):
        verify(TABLE, Impossible(("1", "1"), 4, None, Combination(multipliers)))


def test_a_claim_that_is_too_strong_is_refused():
    with pytest.raises(ValueError, match="the sum of equations must be out of reach"):
        verify(TABLE, Impossible(("1", "1"), 3, None, Combination({ROW: 1})))


def test_an_unknown_equation_is_named():
    with pytest.raises(LookupError, match="No equation has the name row one"):
        verify(TABLE, Impossible(("1", "1"), 4, None, Combination({"row one": 1})))


def test_a_remainder_needs_its_modulus_and_its_multipliers():
    claim = Impossible("d", 2, 2, Remainder(2, {"first": 1, "second": 1, "third": 1}))
    check_accepted(PARITY, claim)
    for wrong in [
        Remainder(0, claim.proof.multipliers),
        Remainder(1, {"first": 1}),
        Remainder(2, {"first": 1}),
        Remainder(3, claim.proof.multipliers),
    ]:
        with pytest.raises(ValueError, match="the sum of equations must be out of reach"):
            verify(PARITY, replace(claim, proof=wrong))
    with pytest.raises(ValueError, match="the sum of equations must be out of reach"):
        verify(PARITY, replace(claim, low=1, high=1))


def test_both_cases_of_a_split_need_a_proof():
    # Either cell 11 is at most 2 or it is 3; with row 1, cell 12 is then at least 1, or 0.
    above = Combination({ROW: 1})
    claim = Impossible(("1", "2"), 4, None, Split(("1", "1"), 2, above, above))
    check_accepted(TABLE, claim)
    for broken in [Split(("1", "1"), 2, Combination({}), above), Split(("1", "1"), 2, above, Combination({}))]:
        with pytest.raises(ValueError, match="the sum of equations must be out of reach"):
            verify(TABLE, replace(claim, proof=broken))


def test_a_change_that_can_be_made_for_ever_keeps_every_equation_and_end():
    table = {"a": 2, "b": 0}
    check_accepted(ENDLESS, Unlimited("a", True, table, {"a": 1, "b": 1}))
    for upwards, change, sentence in [
        (True, {"a": 1, "b": 2}, "the change of the equation difference must be 0; got -1"),
        (False, {"a": -1, "b": -1}, "the change of a must not lead beyond an end; got -1"),
        (False, {"a": 1, "b": 1}, "the change must move a as claimed; got 1"),
        (True, {}, "the change must move a as claimed; got 0"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            verify(ENDLESS, Unlimited("a", upwards, table, change))


def test_a_change_must_not_run_into_an_upper_end():
    closed = together(ENDLESS, Publication({"b": Between(0, 9)}))
    with pytest.raises(ValueError, match="the change of b must not lead beyond an end; got 1"):
        verify(closed, Unlimited("a", True, {"a": 2, "b": 0}, {"a": 1, "b": 1}))


def test_a_wrong_count_is_refused():
    check_accepted(TABLE, Counted(4))
    with pytest.raises(ValueError, match="the number of tables left must be 4; got 5"):
        verify(TABLE, Counted(5))


def test_a_certificate_of_another_publication_is_refused():
    other = two_way([[X, X], [X, X]], rows=[4, 6], columns=[4, 6], total=10)
    for certificate in left(TABLE).certificates(("1", "1"))[2:]:
        with pytest.raises(ValueError, match="Use the certificate that belongs to this publication"):
            verify(other, certificate)


@pytest.mark.parametrize("seed", range(40))
def test_no_claim_beyond_the_truth_is_accepted_whatever_the_multipliers(seed):
    case = drawn(seed, largest=2)
    found = left(case.publication, case.knowledge)
    verifier = Verifier(case.publication, case.knowledge)
    for cell in case.truth:
        proofs = [each.proof for each in found.certificates(cell) if isinstance(each, Impossible)]
        value = case.truth[cell]
        for proof in proofs:
            with pytest.raises(ValueError, match="must be out of reach"):
                verifier.check(Impossible(cell, value, value, proof))


def test_a_publication_that_contradicts_itself_is_refused_with_its_equations():
    broken = two_way([[3, X], [4, X]], rows=[5, 6], columns=[8, 4], total=11)
    with pytest.raises(ValueError, match="must leave at least one table; got all × 1 = 1 × 1 \\+ 2 × 1"):
        left(broken)
    published = {"T": Exact(23), "a": Exact(12), "b": Exact(13)}
    with pytest.raises(ValueError, match="got T = a \\+ b \\(in units of the last digit, 23 is not 12 \\+ 13\\)"):
        left(Publication(published, [adds_up("T", "ab")]))
    stated = Equation("a sum", {"a": 1, "b": 2}, 0)
    with pytest.raises(ValueError, match="got a sum \\(in units of the last digit, 12 \\+ 26 is not 0\\)"):
        left(Publication({"a": Exact(12), "b": Exact(13)}, [stated]))
    cells = {"T": Exact(5), "a": Suppressed(), "b": Exact(6)}
    with pytest.raises(ValueError, match="must leave at least one table; got T = a \\+ b"):
        left(Publication(cells, [adds_up("T", "ab")]))
    with pytest.raises(ValueError, match="must leave at least one table; got a. These contradict"):
        left(Publication([("a", Exact(1)), ("a", Exact(2))]))


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values.__setitem__("a", 2),
        lambda values: values.__delitem__("a"),
        lambda values: values.__ior__({"a": 2}),
        lambda values: values.update(a=2),
        lambda values: values.setdefault("b", 2),
        lambda values: values.pop("a"),
        lambda values: values.popitem(),
        lambda values: values.clear(),
    ],
)
def test_values_that_many_certificates_share_cannot_be_changed(change):
    shared = Possible({"a": 1}).table
    with pytest.raises(TypeError, match="Values cannot be changed"):
        change(shared)
    assert shared == {"a": 1}
    copied = pickle.loads(pickle.dumps(shared))
    assert (copied, type(copied)) == (shared, type(shared))
