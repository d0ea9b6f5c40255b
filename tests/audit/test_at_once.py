"""Many certificates at once are accepted and refused as one by one, whatever the size of their numbers."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from every_table import drawn

from whit.audit import (
    Between,
    Combination,
    Equation,
    Exact,
    Impossible,
    Knowledge,
    Left,
    Possible,
    Publication,
    Suppressed,
    Verifier,
    adds_up,
    left,
    two_way,
)
from whit.errors import WhitError

X = None
TABLE = two_way([[X, X, X], [X, X, X], [X, X, X]], rows=[3, 7, 5], columns=[4, 6, 5], total=15)
MANY = 60


def proofs_of(publication, knowledge=None):
    found = left(publication, knowledge or Knowledge())
    return [each for cell in publication.cells for each in found.certificates(cell)]


def is_refused(check, certificate):
    try:
        check(certificate)
    except WhitError as wrong:
        return str(wrong)
    return None


def at_once(publication, knowledge, certificate):
    """What a batch says of one certificate among many good ones."""
    good = proofs_of(publication, knowledge)
    several = (good * MANY)[:MANY]
    return is_refused(Verifier(publication, knowledge).check_all, [*several, certificate, *several])


def one_by_one(publication, knowledge, certificate):
    return is_refused(Verifier(publication, knowledge).check, certificate)


def test_what_the_search_found_is_accepted_in_machine_numbers():
    assert not Verifier(TABLE).doubtful(proofs_of(TABLE) * 2)


def test_a_wrong_multiplier_among_many_certificates_is_refused():
    good = proofs_of(TABLE)
    at = next(n for n, each in enumerate(good) if isinstance(each, Impossible) and each.proof.multipliers)
    name, times = next(iter(good[at].proof.multipliers.items()))
    for wrong in (times + 1, -7 * times, 0, 2**62, 2**63 - 1, 2**64 + times, -(2**63), 10**30):
        bad = replace(good[at], proof=Combination({**good[at].proof.multipliers, name: wrong}))
        assert at_once(TABLE, Knowledge(), bad) == one_by_one(TABLE, Knowledge(), bad)
    too_much = replace(good[at], proof=Combination({**good[at].proof.multipliers, name: 0}))
    with pytest.raises(ValueError, match="the sum of equations must be out of reach"):
        Verifier(TABLE).check_all([*good, *good, too_much])


def test_a_witness_off_by_one_among_many_certificates_is_refused():
    good = proofs_of(TABLE)
    witness = next(each for each in good if isinstance(each, Possible) and each.instead)
    for cell in TABLE.cells:
        for step in (1, -1, 2**63, 2**64):
            moved = witness[cell] + step
            for bad in (
                Possible({**witness.table, cell: witness.table[cell] + step}, witness.instead),
                Possible(witness.table, {**witness.instead, cell: moved}),
            ):
                with pytest.raises(ValueError, match="Use the certificate that belongs to this publication"):
                    Verifier(TABLE).check_all([*good, *good, bad])


def test_a_good_change_does_not_vouch_for_a_table_that_does_not_add_up():
    good = proofs_of(TABLE)
    witness = next(each for each in good if isinstance(each, Possible) and each.instead)
    verifier = Verifier(TABLE)
    bad = Possible(dict.fromkeys(TABLE.cells, 0), witness.table)
    verifier.check_changed(bad.table, bad.instead)
    with pytest.raises(ValueError, match="Use the certificate that belongs to this publication"):
        verifier.check_all([*good, *good, bad])


def test_a_witness_in_fractions_is_refused_at_once():
    good = proofs_of(TABLE)
    with pytest.raises(ValueError, match="must be a whole number; got 1.0"):
        Verifier(TABLE).check_all([*good, *good, Possible(good[0].table, {("1", "1"): 1.0})])


def test_names_that_are_unknown_are_named():
    good = proofs_of(TABLE) * 2
    with pytest.raises(LookupError, match="No equation has the name row one"):
        Verifier(TABLE).check_all([*good, Impossible(("1", "1"), 4, None, Combination({"row one": 1}))])
    with pytest.raises(LookupError, match="No cell has the name stray"):
        Verifier(TABLE).check_all([*good, Impossible("stray", 4, None, Combination({}))])


def test_eight_parts_that_wrap_around_to_nothing_are_no_table():
    # In machine numbers 8 times 2^61 is 0.
    parts = [f"part {number}" for number in range(8)]
    for equation in (adds_up("all", parts), Equation("eight times", {"all": -1, "part 0": 8})):
        publication = Publication(dict.fromkeys(parts, Suppressed()) | {"all": Exact(0)}, [equation])
        bad = Possible({"all": 0} | dict.fromkeys(parts, 2**61))
        with pytest.raises(ValueError, match=f"must come out at 0; got -?{2**64}"):
            Verifier(publication).check_all([bad] * MANY)


# One equation whose sum leaves the range of machine numbers, and comes back small and with another sign.
@pytest.mark.parametrize("size", [1, 10**6, 10**15, 2**61, 2**62, 2**63, 2**64, 10**30])
def test_numbers_of_any_size_are_judged_as_one_by_one(size):
    publication = Publication(
        {"a": Between(0, size), "b": Between(0, 2 * size), "c": Suppressed()},
        [Equation("sum", {"a": 1, "b": 2, "c": -3}, size), Equation("pair", {"a": 1, "b": 1}, size)],
    )
    for value in (0, 1, size - 1, size, size + 1, 2 * size):
        for times in ({"sum": 1}, {"sum": -4, "pair": 8}, {"pair": 16}, {"pair": size}, {"sum": size, "pair": 3}):
            for low, high in ((value, None), (None, value), (value, value)):
                for cell in "abc":
                    claim = Impossible(cell, low, high, Combination(times))
                    verdict = is_refused(Verifier(publication).check_all, [claim] * MANY)
                    assert verdict == one_by_one(publication, Knowledge(), claim)


@pytest.mark.parametrize("seed", range(30))
def test_random_claims_are_judged_as_one_by_one(seed):
    case, pick = drawn(seed, largest=3), random.Random(seed)
    names = [each.name for each in case.publication.equations]
    table = left(case.publication, case.knowledge).table
    claims = []
    for _ in range(MANY):
        cell, value = pick.choice([*case.truth]), pick.randint(-1, 5)
        times = {name: pick.randint(-2, 2) for name in pick.sample(names, pick.randint(0, len(names)))}
        low, high = pick.choice([(value, None), (None, value), (value, value + 1)])
        change = {each: pick.randint(0, 3) for each in pick.sample([*case.truth], pick.randint(0, len(case.truth)))}
        claims += [Impossible(cell, low, high, Combination(times)), Possible(table, change)]
    verdicts = [one_by_one(case.publication, case.knowledge, each) for each in claims]
    doubtful = Verifier(case.publication, case.knowledge).doubtful(claims)
    assert [*map(id, doubtful)] == [id(each) for each, wrong in zip(claims, verdicts, strict=True) if wrong]


def test_certificates_that_prove_something_else_than_is_shown_are_refused():
    class OfAnother(Left):
        def certificates(self, cell):
            return super().certificates(("1", "2") if cell == ("1", "1") else cell)

    class Weaker(Left):
        def certificates(self, cell):
            return tuple(
                replace(each, low=each.low + 1) if isinstance(each, Impossible) and each.low is not None else each
                for each in super().certificates(cell)
            )

    class Fewer(Left):
        def certificates(self, cell):
            return super().certificates(cell)[1:]

    for wrong in (OfAnother, Weaker, Fewer):
        with pytest.raises(ValueError, match="what the certificates prove must be that 1 × 1 is in 0 to 3; got 1 × 1"):
            wrong(TABLE, Knowledge()).verify(("1", "1"))
        with pytest.raises(ValueError, match="what the certificates prove must be"):
            wrong(TABLE, Knowledge()).verify()


def test_cells_without_end_and_cells_with_one_value_match_what_is_shown():
    endless = Publication({"n": Exact(3)}, [Equation("difference", {"a": 1, "b": -1}, 2), adds_up("n", ["x", "y"])])
    found = left(endless)
    assert is_refused(lambda cells: found.verify(*cells), endless.cells) is None
    assert is_refused(lambda cells: found.verify(*cells), ()) is None
