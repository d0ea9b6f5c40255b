"""The law of exceptions: a number that may be false has its exception in its row or sentence, in every language."""

from __future__ import annotations

import datetime
import json
import re

import pytest

from whit.spec import parsed, release_of
from whit.telling.reports import document_of
from whit.telling.reports.formats import as_html, as_markdown
from whit.telling.reports.wording import words_of
from whit.theory import Direction, Finding, Unit

DATE = datetime.date(2026, 1, 31)
FILE = """\
[release]
name = "Visits"
publisher = "Agency"

[unit]
name = "person"

[promise]
gaussian = 3.4
releases = 5

[[adversary]]
name = "an employer"
fact = "an applicant was there"
prior = 0.1

[[adversary]]
name = "a neighbour"
fact = "a person was there"
prior = 0.37
knows = "everyone_else"

[profile.capped]
relative = 3.0
absolute = 0.25

[[limit]]
posterior = LIMIT
prior = 0.1
[[limit]]
ratio = 2.9
prior = 0.1
[[limit]]
difference = 0.31
prior = 0.1

[questions]
failure = 0.00123
"""
FAILURE = {"en": "robability 0.123 %", "de": "ahrscheinlichkeit 0,123 %", "fr": "0,123 %"}
LANGUAGES = tuple(FAILURE)


def texts(tree) -> list[str]:
    """Every text of a tree, a row of a table as one; without pictures, which speak for themselves."""
    if isinstance(tree, str):
        return [tree]
    if isinstance(tree, list):
        return [text for each in tree for text in texts(each)]
    if not isinstance(tree, dict):
        return []
    found = []
    for name, part in tree.items():
        if name == "rows":
            named = ([f"{head} {cell}" for head, cell in zip(tree["header"], row, strict=True)] for row in part)
            found += [" | ".join(cells) for cells in named]
        elif name not in ("svg", "narrow", "alt", "listing", "findings"):
            found += texts(part)
    return found


def sentences(document) -> list[str]:
    """The same, a paragraph as its sentences; of the section in words a whole paragraph, which has them in a row."""
    in_words = words_of(document.language)("words.title")
    tree = document.tree()
    [section] = [each for each in tree["sections"] if each["title"] == in_words]
    tree["sections"].remove(section)
    whole, apart = ([re.sub(r"[\u00a0\u202f]", " ", text) for text in texts(part)] for part in (section, tree))
    return whole + [
        one for each in apart for one in ([each] if " | " in each else re.split(r"(?<=[.!?]) (?=\w)", each))
    ]


def spelled(found: Finding, words) -> set[str]:
    """The number of a finding as a report may print it."""
    bound = found.bound
    value, unit = float(bound), bound.quantity.unit
    digits = {words.number(value, bound.direction, unit, digits=count) for count in (3, 4)}
    if unit is Unit.NUMBER and value < 1:
        digits.add(words.number(value, bound.direction, Unit.PROBABILITY))
    return {re.sub(r"[\u00a0\u202f]", " ", each) for each in digits}


def _may_fail(found: Finding) -> bool:
    nothing = found.bound.quantity.unit is Unit.PROBABILITY and float(found.bound) == 1.0
    return bool(found.bound.basis.failures) and not nothing


@pytest.fixture(scope="module", params=["0.31", "0.87"])
def documents(request):
    asked = release_of(parsed(FILE.replace("LIMIT", request.param), "release.toml"))
    return {code: document_of(asked, date=DATE, appendix=True, language=code) for code in LANGUAGES}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_number_that_may_be_false_has_its_exception_beside_it(code, documents):
    document, words = documents[code], words_of(code)
    found = [Finding.from_json(json.dumps(each)) for each in document.findings]
    # A bound of 100 % rules nothing out, and so is never false.
    may_fail = {text for each in found if _may_fail(each) for text in spelled(each, words)}
    always = {text for each in found if not _may_fail(each) for text in spelled(each, words)}
    numbers = {each for each in may_fail - always if len(re.sub(r"\D", "", each)) >= 3}
    assert numbers
    shown = set()
    for said in sentences(document):
        for number in numbers:
            if re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", said):
                shown.add(number)
                assert re.sub(r"[\u00a0\u202f]", " ", FAILURE[code]) in said, (number, said)
    assert shown


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_box_of_the_verdict_has_the_exception_in_every_format(code, documents):
    document = documents[code]
    said = re.sub(r"[\u00a0\u202f]", " ", document.sheet.stamp.text)
    assert FAILURE[code] in said
    for text in (as_html(document), as_markdown(document, "s")[0]):
        plain = re.sub(r"&nbsp;|[\u00a0\u202f]", " ", text)
        box = plain[plain.index(document.sheet.stamp.word) :][:900]
        assert FAILURE[code] in box


def test_an_exception_is_never_smaller_than_the_probability(documents):
    words = words_of("en")
    [found] = [Finding.from_json(json.dumps(each)) for each in documents["en"].findings if each["question"] == "ratio"][
        :1
    ]
    assert words.exception(found) == ", except with probability 0.123 %"
    assert words.number(0.0012301, Direction.AT_MOST, Unit.PROBABILITY) == "0.124 %"
