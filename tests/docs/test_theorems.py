"""The page of a theorem says all that the registry knows, and where the theorem is used."""

from __future__ import annotations

import ast
import re

from _generate.theorems import assumptions_page, references_page, theorem_page, theorem_pages, topics
from _generate.uses import Use, named, uses
from offenders import check_all

from whit.theory import ASSUMPTIONS, REFERENCES, THEOREMS, Theorem

INDEX = "reference/theorems/index.md"


def lacks(entry: Theorem, text: str) -> list[str]:
    """What the page of a theorem does not say, or should not say."""
    said = {
        "title": text.startswith("# "),
        "key": f"Key: `{entry.key}`" in text,
        "source": "../references.md#" in text,
        "hypotheses": all(f"| {words} |" in text for words in entry.hypotheses.in_words().values()),
        "assumptions": all(f"`{key}`" in text for key in entry.assumptions),
        "correction": ("**What differs from the print.**" in text) == bool(entry.corrected),
        "proof": ("∎" in text) == entry.proof,
        "use": "\n- " in text.partition("## Where it is used")[2].partition("## Proof")[0],
    }
    return [part for part, is_right in said.items() if not is_right]


def test_a_page_has_statement_source_assumptions_use_and_proof():
    check_all(THEOREMS, lambda entry: lacks(entry, theorem_page(entry)))


def test_a_page_that_does_not_say_all_is_found():
    entry = next(entry for entry in THEOREMS.values() if entry.proof and entry.corrected and entry.assumptions)
    parts = ["title", "key", "source", "hypotheses", "assumptions", "correction", "proof", "use"]
    assert lacks(entry, "") == parts
    assert lacks(entry, f"# Title\n\nKey: `{entry.key}`\n## Where it is used\n## Proof\n- a list\n∎") == [
        "source",
        "hypotheses",
        "assumptions",
        "correction",
        "use",
    ]


def test_there_is_a_page_for_each_theorem_and_a_list():
    pages = theorem_pages()
    menus = {path for path in pages if path.startswith("reference/theorems/topics/")}
    assert set(pages) - menus == {f"reference/theorems/{key}.md" for key in [*THEOREMS, "index"]}
    assert all(f"[`{key}`]({key}.md)" in pages["reference/theorems/index.md"] for key in THEOREMS)


def test_the_menu_has_every_theorem_below_its_topic():
    pages = theorem_pages()
    for topic, keys in topics().items():
        [path] = [path for path, text in pages.items() if text.startswith(f"# {topic}\n")]
        assert re.search(
            rf"^{path.removeprefix('reference/theorems/').removesuffix('.md')}$", pages[INDEX], re.MULTILINE
        )
        assert re.findall(r"^\.\./([\w-]+)$", pages[path], re.MULTILINE) == list(keys)
        assert all(f"](../{key}.md)" in pages[path] for key in keys)


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
