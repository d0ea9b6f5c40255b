"""Every cell of the grid is answered or says why not; what it names is a theorem."""

from __future__ import annotations

import inspect

import pytest
from _generate.grid import SCHOOLS, Blank, Known, always, cells, told
from _generate.grid_page import TABLES, grid_page, shared
from _generate.subjects import Subject, subjects

import whit
from whit.assessment import Unanswered
from whit.guarantees import Guarantee
from whit.mechanisms import Mechanism
from whit.theory import THEOREMS

SUBJECTS = {subject.name: subject for subject in subjects()}
# The curves that take longest.
LONG = ("Gaussian", "noise on a Poisson sample", "ten times Laplace noise", "Gaussian and Laplace noise")
marked = [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in SUBJECTS]
each_subject = pytest.mark.parametrize("name", marked)


@each_subject
def test_every_cell_has_a_theorem_or_a_reason(name):
    row = cells(SUBJECTS[name].promised)
    assert list(row) == list(SCHOOLS)
    for cell in row.values():
        if isinstance(cell, Known):
            assert cell.theorems
            assert set(cell.theorems) <= set(THEOREMS)
        else:
            assert len(cell.reason) > 20
            assert cell.reason.endswith(".")
            assert "got" not in cell.reason
    assert any(isinstance(cell, Known) for cell in row.values())


def test_the_example_that_is_shown_is_the_one_that_is_asked():
    names = {**vars(whit), **{name: getattr(whit, name) for name in whit.__all__}}
    shown = [s for s in SUBJECTS.values() if not s.example.startswith(("FDP", "linear_release"))]
    assert len(shown) == len(SUBJECTS) - 2
    assert all(eval(subject.example, names) == subject.promised for subject in shown)


def test_every_guarantee_and_everyday_mechanism_has_a_row():
    kinds = {type(subject.promised) for subject in SUBJECTS.values()}
    public = {item for name in whit.__all__ if inspect.isclass(item := getattr(whit, name))}
    promises = {item for item in public if issubclass(item, Guarantee | Mechanism)}
    assert promises <= kinds


def test_every_question_of_an_assessment_has_a_column():
    questions = {name.replace("_", " ") for name, _ in whit.assess(whit.PureDP(1.0))}
    assert questions <= set(SCHOOLS)


def test_what_pure_differential_privacy_says_of_a_posterior_holds_always():
    assert "posterior-bounds" in always(whit.PureDP(1.0)).theorems


@pytest.mark.parametrize("promised", [whit.Gaussian(2.0), whit.ApproxDP(1.0, 1e-6)])
def test_a_bound_of_one_hundred_percent_is_no_answer(promised):
    assert isinstance(always(promised), Blank)


def test_a_refused_question_keeps_its_reason_and_its_way_out():
    refusal = "the posterior is not bounded by this promise; got ApproxDP(1.0, 0.5). Ask with more."
    assert told(Unanswered(refusal)) == Blank("The posterior is not bounded by this promise. Ask with more.")


def test_the_page_shows_theorems_as_links_and_numbers_the_reasons():
    row = {name: Blank("Not worked out.") for name in SCHOOLS} | {"power": Known(("neyman-pearson",), "at most")}
    text = grid_page([(Subject("guarantee", "one", "One()", None), row)])
    assert "*at most*<br>[neyman-pearson](theorems/neyman-pearson.md)" in text
    assert "| one | guarantee | `One()` |" in text
    assert "– ([1](#why-1))" in text
    assert "(why-1)=\n1\\. Not worked out." in text
    assert f"1 of {len(SCHOOLS)} cells have an answer; {len(SCHOOLS) - 1} are blank." in text


def test_every_school_has_a_table():
    assert {school for schools in TABLES.values() for school in schools} == set(SCHOOLS.values())


def test_what_all_answers_of_a_row_rest_on_is_said_once():
    row = [Known(("a", "b"), "at most"), Blank("Not worked out."), Known(("c", "a"), "at most")]
    assert shared(row) == ("a",)
    assert shared(row[:2]) == ()
