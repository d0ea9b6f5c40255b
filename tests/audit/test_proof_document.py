"""Proofs in a document: what is read is what was written, and a changed one is refused."""

from __future__ import annotations

import copy
import json

import pytest
from every_table import drawn

from whit.audit import Equation, Publication, Verifier, Writer, claims_of, left, proved, two_way, verify
from whit.errors import InvalidInput, WhitError

X = None
TABLE = two_way([[X, X], [X, X]], rows=[3, 7], columns=[4, 6], total=10)
PARITY = Publication(
    {},
    [
        Equation("first", {"a": 1, "b": 1, "d": 1}, 3),
        Equation("second", {"b": 1, "c": 1, "d": 1}, 3),
        Equation("third", {"a": 1, "c": 1, "d": 1}, 3),
    ],
)
ENDLESS = Publication({}, [Equation("difference", {"a": 1, "b": -1}, 2)])


def written(publication: Publication, *, knowledge=None) -> dict:
    found = left(publication) if knowledge is None else left(publication, knowledge)
    claims = [("reader", cell, each) for cell in publication.cells for each in found.certificates(cell)]
    claims += [("reader", publication.cells[0], found.allows(publication.cells[0], 1))]
    return json.loads(json.dumps(Writer().document(claims, about="test", confidential=False)))


@pytest.mark.parametrize("publication", [TABLE, PARITY, ENDLESS], ids=["table", "parity", "endless"])
def test_proofs_survive_the_way_through_a_file(publication):
    found, verifier = left(publication), Verifier(publication)
    claims = claims_of(written(publication))
    for _, _, certificate in claims:
        verifier.check(certificate)
    for cell in publication.cells:
        own = [each for _, about, each in claims if about == cell]
        interval = found.interval(cell)
        assert proved(cell, own) == ((interval.least, interval.most),) * 2


@pytest.mark.parametrize("seed", range(10))
def test_what_is_proved_is_what_every_table_has(seed):
    case = drawn(seed)
    tables = list(case.every_table())
    claims = claims_of(written(case.publication, knowledge=case.knowledge))
    for cell in case.basics:
        own = [each for _, about, each in claims if about == cell]
        values = {table[cell] for table in tables}
        assert proved(cell, own)[1] == (min(values), max(values))


def test_nothing_is_proved_of_a_cell_that_no_table_has():
    own = [each for _, _, each in claims_of(written(TABLE))]
    with pytest.raises(InvalidInput, match="a cell must be one of the tables that are proved; got 9 × 9"):
        proved(("9", "9"), own)


def test_one_multiplier_more_or_one_unit_more_in_a_table_is_refused():
    document = written(TABLE)
    changed = 0
    for at, claim in enumerate(document["certificates"]):
        wrong = copy.deepcopy(document)
        if "proof" in claim and claim["proof"].get("times"):
            name = next(iter(claim["proof"]["times"]))
            wrong["certificates"][at]["proof"]["times"][name] = 0
        elif claim.get("instead"):
            wrong["certificates"][at]["instead"][0][1] += 1
        else:
            continue
        with pytest.raises(WhitError, match="must"):
            verify(TABLE, claims_of(wrong)[at][2])
        changed += 1
    assert changed >= 8
    wrong = copy.deepcopy(document)
    wrong["tables"][0][0][1] += 1
    with pytest.raises(InvalidInput, match="must"):
        verify(TABLE, claims_of(wrong)[0][2])


@pytest.mark.parametrize(
    ("broken", "match"),
    [
        ([], "the file must have named entries"),
        ({"layout": 7}, "layout must be 1; got 7"),
        ({"layout": 1, "tables": {}}, "tables must be a list"),
        (
            {"layout": 1, "tables": [], "certificates": [{"cell": "a", "possible": 3}]},
            "a table must be one of 0; got 3",
        ),
        ({"layout": 1, "tables": [], "certificates": [{"cell": "a"}]}, "a certificate must be of a known kind"),
        ({"layout": 1, "tables": [[["a", 1.5]]], "certificates": []}, "a value must be a whole number; got 1.5"),
        ({"layout": 1, "tables": [], "certificates": [{"cell": 3, "counted": 1}]}, "a cell must be a text or a list"),
    ],
)
def test_a_document_that_is_not_whole_is_refused(broken, match):
    with pytest.raises(InvalidInput, match=match):
        claims_of(broken)


def test_the_first_entry_says_whether_the_tables_are_confidential():
    for secret in (True, False):
        document = Writer().document([], about="test", confidential=secret)
        assert next(iter(document)) == "notice"
        assert document["notice"].startswith("CONFIDENTIAL") == secret
