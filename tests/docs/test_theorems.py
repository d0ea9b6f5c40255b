"""The page of a theorem says all that the registry knows, and where the theorem is used."""

from __future__ import annotations

import ast

import pytest
from _generate.theorems import assumptions_page, references_page, theorem_page, theorem_pages, topics
from _generate.uses import Use, named, uses

from whit.theory import ASSUMPTIONS, REFERENCES, THEOREMS

each_theorem = pytest.mark.parametrize("entry", THEOREMS.values(), ids=list(THEOREMS))


@each_theorem
def test_a_page_has_statement_source_assumptions_use_and_proof(entry):
    text = theorem_page(entry)
    assert text.startswith("# ")
    assert f"Key: `{entry.key}`" in text
    assert "../references.md#" in text
    assert all(f"`{key}`" in text for key in entry.assumptions)
    assert ("**What differs from the print.**" in text) == bool(entry.corrected)
    assert ("∎" in text) == entry.proof
    assert "\n- " in text.partition("## Where it is used")[2].partition("## Proof")[0]


def test_there_is_a_page_for_each_theorem_and_a_list():
    pages = theorem_pages()
    assert set(pages) == {f"reference/theorems/{key}.md" for key in [*THEOREMS, "index"]}
    assert all(f"[`{key}`]({key}.md)" in pages["reference/theorems/index.md"] for key in THEOREMS)


def test_every_theorem_has_one_topic():
    listed = [key for keys in topics().values() for key in keys]
    assert sorted(listed) == sorted(THEOREMS)


def test_every_assumption_and_reference_has_its_anchor():
    assert all(f"({key})=" in assumptions_page() for key in ASSUMPTIONS)
    assert all(f"({key.lower()})=" in references_page() for key in REFERENCES)


def test_a_use_is_known_by_the_definition_around_it():
    function = 'A = of("a")\n@by("b")\ndef f():\n    return "c"\n'
    methods = 'class C:\n    def m(self):\n        return "d"\n    def _p(self):\n        return "e"\n'
    assert dict(named(ast.parse(function + methods))) == {"a": "", "b": "f", "c": "f", "d": "C.m", "e": "C"}


def test_a_docstring_that_names_a_key_within_a_sentence_is_no_use(tmp_path):
    (tmp_path / "m.py").write_text('def f():\n    """Rests on cells."""\n    return "cells"\n', encoding="utf-8")
    assert uses(["cells", "other"], tmp_path) == {"cells": (Use("m", "f"),), "other": ()}
