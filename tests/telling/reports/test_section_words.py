"""The risks in words: one number for one thing, and nothing said twice."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from pathlib import Path

import pytest

from whit.spec import parsed, release_of
from whit.telling.reports import Table
from whit.telling.reports.appendix import appendix
from whit.telling.reports.cases import answer_release
from whit.telling.reports.comparison import comparison
from whit.telling.reports.formats import as_html
from whit.telling.reports.main_part import people, summary, words_section
from whit.telling.reports.making import document_of
from whit.telling.words import explain
from whit.theory import ASSUMPTIONS, THEOREMS, Formula, Verifier

EXCLUSIVE = ("knows-all-but-one-fact", "others-do-not-depend-on-person")
DEMO = Path(__file__).parents[3] / "demo" / "release.toml"
ONE = DEMO.read_text("utf-8").replace("gaussian = 10", "gaussian = 5").replace("releases = 4", "releases = 1")
"""The same loss in one release, which takes less time."""


@pytest.fixture(scope="module")
def work():
    return answer_release(release_of(parsed(ONE, "release.toml")))


@pytest.fixture(scope="module")
def parts(work):
    *said, _, _ = words_section(work).parts
    return {part.title: [block.text for block in part.blocks] for part in said}


@pytest.fixture(scope="module")
def hold(work):
    return part_of(work, "What must hold").rows


def part_of(work, title):
    """The table of a part; the sensitivity of noise may be said above it."""
    (found,) = (part for part in words_section(work).parts if part.title == title)
    return next(block for block in found.blocks if isinstance(block, Table))


def rows(section):
    return next(block.rows for block in section.blocks if hasattr(block, "rows"))


def test_the_belief_of_each_adversary_is_that_of_the_summary_and_the_only_one(work, parts):
    for row, texts in zip(rows(summary(work)), parts.values(), strict=False):
        said = [re.search(r"the posterior of the truth is at most ([0-9.]+ %)\. That is", text) for text in texts]
        assert [found[1] for found in said if found] == [row[3]]
        assert not any("disclosure becomes" in text for text in texts)


def test_the_text_for_the_people_rounds_the_same_belief_up_to_whole_people(work):
    belief = float(rows(summary(work))[0][3].removesuffix(" %"))
    said = " ".join(block.text for block in people(work).blocks if hasattr(block, "text"))
    found = int(re.search(r"Afterwards, they think it is at most (\d+) out of 100", said)[1])
    assert belief <= found < belief + 1


def test_no_paragraph_and_no_answer_without_a_prior_is_told_twice(parts):
    told = [text for texts in parts.values() for text in texts]
    assert len(set(told)) == len(told)
    assert sum("who accepts a false-positive rate" in text for text in told) == 1
    assert not any(".." in text for text in told)


def test_each_assumption_is_listed_once_with_who_checks_it_and_what_needs_it(work, hold):
    plain = [" ".join(ASSUMPTIONS[key].plain.split()) for key in work.basis.assumptions]
    plain[work.basis.assumptions.index("neighbours-as-stated")] = work.words("as_stated.add_remove")
    stated = [row for row in hold if row[0] not in work.changes]
    assert [row[0] for row in stated] == plain
    for (_, who, needing, _), key in zip(stated, work.basis.assumptions, strict=True):
        assert {"curator": "the curator", "software": "the software team"}.get(
            ASSUMPTIONS[key].verifier.value, "whoever chose the model"
        ) == who
        assert needing


def test_assumptions_that_exclude_each_other_are_not_needed_by_the_same_numbers(work):
    """An adversary who knows everyone else and one who may believe anything: each number needs one of them."""
    known = {key: {id(found) for *_, found in work.findings() if key in found.basis.assumptions} for key in EXCLUSIVE}
    assert all(known.values())
    first, second = known.values()
    assert not first & second


def test_assumptions_that_exclude_each_other_name_different_adversaries(work, hold):
    named = {key: row[3] for key in EXCLUSIVE for row in hold if row[0] == " ".join(ASSUMPTIONS[key].plain.split())}
    assert len(named) == len(EXCLUSIVE)
    sides = [set(names.split("; ")) for names in named.values()]
    assert sides[0].isdisjoint(sides[1])
    assert set().union(*sides) == {case.asker.name for case in work.cases}


def test_a_report_with_one_adversary_names_none_in_the_table_of_assumptions(work):
    alone = part_of(replace(work, cases=work.cases[:1]), "What must hold")
    assert len(alone.header) == 3


def test_without_a_failure_probability_no_number_needs_the_assumption_about_it(hold):
    certain = release_of(parsed(ONE.replace("failure = 0.01", "failure = 0"), "release.toml"))
    plain = ASSUMPTIONS["belief-is-right"].plain
    listed = [row[0] for row in part_of(answer_release(certain), "What must hold").rows]
    assert plain not in listed
    assert plain in [row[0] for row in hold]


def test_the_software_assumption_of_the_texts_is_in_the_report(work, hold):
    software = [row for row in hold if row[1] == "the software team"]
    said = explain(work.cases[0].assessment, "officer").text
    needed = [each for each in ASSUMPTIONS.values() if each.verifier is Verifier.SOFTWARE]
    told = [each for each in needed if " ".join(each.plain.split()) in said]
    assert told
    assert {" ".join(each.plain.split()) for each in told} <= {row[0] for row in software}


def test_the_appendix_says_whose_bound_is_larger_and_has_one_number_for_each_thing(work):
    first, *_ = appendix(work)
    assert "The bound for any belief about the others is at least as large" in first.blocks[0].text
    for part in first.parts:
        asked = [row[0] for row in part.blocks[1].rows]
        assert "Posterior" in asked
        assert not {"Absolute risk", "Relative risk"} & set(asked)
    assert "knows the records of everyone else" in first.parts[1].blocks[0].text
    assert "may believe anything about the other people" in first.parts[0].blocks[0].text


def test_releases_are_compared_with_their_neighbours_named(work):
    found = {row[0]: row[2] for row in rows(comparison(work))}
    assert {text for name, text in found.items() if "This release" in name} == {"added or removed"}
    assert {text for name, text in found.items() if "redistricting" in name} == {"replaced"}


def test_gaussian_noise_has_the_power_that_gaussian_noise_has(work):
    ours, *others = rows(comparison(work))
    assert ours[-1] == ours[-2] != "–"
    assert any(row[-1] != row[-2] for row in others)  # a promise alone allows for more


def _stated(promise, unit="person"):
    """The demo with another promise, and its comparison in words and rows."""
    text = ONE.replace('name = "person"', f'name = "{unit}"').replace("gaussian = 5 ", promise)
    text = "\n".join(line for line in text.splitlines() if not line.startswith('sensitivity = "histogram'))
    found = comparison(answer_release(release_of(parsed(text, "release.toml"))))
    return " ".join(block.text for block in found.blocks if hasattr(block, "text")), rows(found)


def test_a_dash_beside_a_power_is_explained_where_there_is_one():
    said, table = _stated("discrete_gaussian = 5 ")
    assert table[0][-1] == "–"
    assert "A dash there means that the noise is another one" in said
    said, table = _stated("gaussian = 5 ")
    assert "–" not in {row[-1] for row in table}
    assert "The last column gives that power for Gaussian noise." in said
    assert "dash" not in said


def test_a_column_of_nothing_but_dashes_is_left_out():
    said, table = _stated("epsilon = 1 ", unit="victim")
    assert {len(row) for row in table} == {5}
    assert "–" not in {row[-1] for row in table}
    assert "last column" not in said


def test_the_promise_and_the_bound_that_decides_are_set_as_formulas_without_an_appendix(work):
    """Gaussian noise has one profile; what decides is a risk profile, and so the bound on the relative risk."""
    said = part_of(work, "As formulas").rows
    assert [title for title, _ in said] == [
        "The profile of Gaussian noise",
        "Relative risk with the loss of a replacement",
    ]
    sources = [[each.source for each in text.parts if isinstance(each, Formula)] for _, text in said]
    assert "D(t) = Phi(mu/2 - t/mu) - e^t Phi(-mu/2 - t/mu)" in sources[0]
    assert "1 / (pq + p(1-q) e^(-e_swap) + (1-p) e^(-e_in))" in sources[1]
    page = as_html(document_of(release_of(parsed(ONE, "release.toml")), date=datetime.date(2026, 1, 31)))
    assert page.count("<math") == sum(map(len, sources))


@pytest.mark.parametrize(
    ("language", "part", "header"),
    [
        ("en", "As formulas", "What it says"),
        ("de", "Als Formeln", "Was es sagt (englisch)"),
        ("fr", "En formules", "Ce qu’il dit (en anglais)"),
    ],
)
def test_formulas_without_a_limit_are_those_of_the_posterior_and_stand_in_their_sentences(language, part, header):
    """In German and in French the sentences were dropped, which left "[−ε, ε]; (ε, 0)"."""
    asked = '[[adversary]]\nname = "c"\nfact = "d"\nprior = 0.1\n'
    text = f'[release]\nname = "a"\npublisher = "b"\n[unit]\nname = "person"\n[promise]\nepsilon = 1\n{asked}'
    table = part_of(answer_release(release_of(parsed(text, "release.toml")), language=language), part)
    assert table.header[1] == header
    assert "p / (p + (1 - p) e^(-t))" in table.rows[-1][1].source
    whole = {" ".join(each.statement.source.split()) for each in THEOREMS.values()}
    assert {prose.source for _, prose in table.rows} <= whole


def test_an_assumption_about_the_failure_of_some_is_not_said_of_all(hold):
    """A neighbour who knows everyone else has bounds that fail over the noise alone."""
    [row] = [row for row in hold if row[0] == " ".join(ASSUMPTIONS["belief-is-right"].plain.split())]
    assert row[-1] == "an employer; an insurer with a list of addresses"
