"""The texts are whole, each one is used, and what is used is there."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from offenders import check_all

from whit.errors import InvalidInput, UnknownKey
from whit.theory import (
    ASSUMPTIONS,
    REFERENCES,
    THEOREMS,
    Assumption,
    Theorem,
    Verifier,
    assumption,
    basis,
    reference,
    registry,
    theorem,
)

SOURCE = Path(__file__).parents[2] / "src" / "whit"

TABLE = """[key]
title = "Title"
statement = "Statement."
reference = "KR24"
locator = "Theorem 1"
assumptions = ["independent-noise"]
hypotheses = { neighbours = "any", order = "any", sides = "any", knowledge = "any", randomness = "any", \
adaptivity = [] }
corrected = ""
proof = false
"""
ASSUMPTION_TABLE = '[key]\nplain = "Plain."\nexact = "Exact."\nverifier = "curator"\n'


def texts_in(source: str) -> set[str]:
    """Every text constant of a source; a docstring that mentions a key is not a use of it."""
    nodes = ast.walk(ast.parse(source))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def keys_used(source: str) -> Iterator[str]:
    """The theorem keys that a source names where it makes findings: by="key" and Basis.of("key")."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            named = [keyword.value for keyword in node.keywords if keyword.arg == "by"]
            listed = node.args if ast.unparse(node.func) == "Basis.of" else []
            texts = [item.value for item in [*named, *listed] if isinstance(item, ast.Constant)]
            yield from (text for text in texts if isinstance(text, str))


SOURCES = [path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))]
TEXTS = set().union(*map(texts_in, SOURCES))


def test_every_theorem_is_used():
    assert set(THEOREMS) - TEXTS == set()


def test_every_key_in_the_sources_is_a_theorem():
    used = {key for source in SOURCES for key in keys_used(source)}
    assert used <= set(THEOREMS)


def test_keys_are_found_where_findings_are_made():
    source = 'Basis.of("a", "b")\n@reported(Q, by="c", direction=D)\ndef f():\n    "mentions by=\'d\'"\n'
    assert set(keys_used(source)) == {"a", "b", "c"}
    assert "d" not in texts_in(source)


def test_every_assumption_is_made_by_a_theorem():
    assert {name for entry in THEOREMS.values() for name in entry.assumptions} == set(ASSUMPTIONS)


def faults(entry: Theorem) -> list[str]:
    """What is wrong with the entry of a theorem."""
    right = {
        "assumptions": len(set(entry.assumptions)) == len(entry.assumptions),
        "statement": entry.statement.endswith("."),
        "locator": entry.locator != "",
    }
    return [part for part, is_right in right.items() if not is_right]


def faults_of_an_assumption(entry: Assumption) -> list[str]:
    """What is wrong with the entry of an assumption."""
    right = {
        "plain": entry.plain.endswith(".") and entry.plain != entry.exact,
        "exact": entry.exact.endswith("."),
        "verifier": entry.verifier in Verifier,
    }
    return [part for part, is_right in right.items() if not is_right]


def test_a_theorem_is_whole():
    check_all(THEOREMS, faults)


def test_what_a_theorem_names_is_found_by_its_key():
    assert all(theorem(key) is entry and entry.key == key for key, entry in THEOREMS.items())
    assert all(reference(entry.reference) is REFERENCES[entry.reference] for entry in THEOREMS.values())
    assert all(assumption(name) is ASSUMPTIONS[name] for entry in THEOREMS.values() for name in entry.assumptions)


def test_an_assumption_is_two_sentences_and_somebody_who_can_check():
    check_all(ASSUMPTIONS, faults_of_an_assumption)


def test_a_fault_of_an_entry_is_found():
    assert faults(Theorem("k", "T", "No stop", "KR24", "", ("a", "a"), theorem("cells").hypotheses, "", False)) == [
        "assumptions",
        "statement",
        "locator",
    ]
    assert faults_of_an_assumption(Assumption("k", "Same.", "Same.", Verifier.CURATOR)) == ["plain"]
    assert faults_of_an_assumption(Assumption("k", "Plain", "Exact", Verifier.CURATOR)) == ["plain", "exact"]


def test_keys_are_lower_case_words_joined_by_hyphens():
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", key) for key in [*THEOREMS, *ASSUMPTIONS])


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError, match="does not support item assignment"):
        THEOREMS["new"] = theorem("cells")


@pytest.mark.parametrize(
    ("look_up", "key", "message"),
    [
        (
            theorem,
            "hockey",
            "No theorem has the key hockey. Did you mean hockey-stick",
        ),
        (assumption, "unit", "No assumption has the key unit. .*unit-as-stated"),
        (reference, "KR23", "No reference has the key KR23. .*KR24"),
        (
            theorem,
            "zzz",
            r"the key zzz. There are \d+, such as advanced-composition, ",
        ),
    ],
)
def test_an_unknown_key_is_answered_with_those_most_like_it(look_up, key, message):
    with pytest.raises(UnknownKey, match=message):
        look_up(key)


def test_every_key_is_seen_without_reading_the_texts():
    assert basis.theorem_keys() == set(THEOREMS)
    assert basis.reference_keys() == set(REFERENCES)


def test_a_key_that_is_not_seen_is_refused_when_the_texts_are_read():
    with pytest.raises(InvalidInput, match="the theorems must have keys that are seen without reading them; got b, c"):
        registry.check_keys("the theorems", ["a", "b"], ["a", "c"])


@pytest.mark.parametrize(
    ("refuse", "key", "message"),
    [
        (basis.require_theorem, "hockey", "No theorem has the key hockey. .*hockey-stick"),
        (basis.require_reference, "KR23", "No reference has the key KR23. .*KR24"),
    ],
)
def test_a_citation_of_an_unknown_key_is_refused(refuse, key, message):
    with pytest.raises(UnknownKey, match=message):
        refuse(key)


def test_the_texts_are_read_when_one_is_asked_for():
    code = f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\nfrom whit.theory import THEOREMS, Basis\n"
    code += "basis = Basis.of('cells')\nprint('tomllib' in sys.modules)\n"
    code += "len(basis.assumptions)\nprint('tomllib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.split() == ["False", "True"]


# A broken file is refused when it is read


@pytest.fixture
def read(tmp_path):
    """Read theorems from a text."""

    def read(*texts: str) -> dict[str, Theorem]:
        for number, text in enumerate(texts):
            (tmp_path / f"{number}.toml").write_text(text, encoding="utf-8")
        return registry.read_theorems(str(tmp_path))

    return read


def check(theorems: dict[str, Theorem]) -> None:
    registry.check_cross_references(theorems, ASSUMPTIONS, REFERENCES)


def test_a_whole_table_is_read(read):
    entry = read(TABLE)["key"]
    assert entry == Theorem(
        "key", "Title", "Statement.", "KR24", "Theorem 1", ("independent-noise",), entry.hypotheses, "", False
    )
    check({"key": entry})


def test_a_key_stands_in_one_file_only(read):
    with pytest.raises(
        InvalidInput, match="theorems/1.toml must not hold a theorem that another file holds .* got key"
    ):
        read(TABLE, TABLE)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Title"\n', "", "theorem 'key' must have exactly the fields .*; got title missing"),
        ('title = "Title"', 'titel = "Title"', "got titel, title missing, empty or unknown"),
        ('locator = "Theorem 1"', 'locator = ""', "got locator missing, empty or unknown"),
    ],
)
def test_a_table_with_other_fields_is_refused(read, old, new, message):
    with pytest.raises(InvalidInput, match=message):
        read(TABLE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("KR24", "KR23", "the reference of theorem 'key' cannot be KR23"),
        ("independent-noise", "loud-noise", "No assumption of theorem 'key' has the key loud-noise"),
    ],
)
def test_a_reference_or_assumption_that_nobody_defines_is_refused(read, old, new, message):
    theorems = read(TABLE.replace(old, new))
    with pytest.raises(UnknownKey, match=message):
        check(theorems)


@pytest.mark.parametrize(("key", "proof"), [("key", "true"), ("cells", "false")])
def test_a_proof_page_is_there_if_and_only_if_it_is_promised(read, key, proof):
    theorems = read(TABLE.replace("[key]", f"[{key}]").replace("proof = false", f"proof = {proof}"))
    with pytest.raises(InvalidInput, match=f"must say proof = true if, and only if, it has a proof page.*{key}.md"):
        check(theorems)


def test_a_verifier_that_does_not_exist_is_refused(tmp_path):
    file = tmp_path / "assumptions.toml"
    file.write_text(ASSUMPTION_TABLE.replace("curator", "nobody"), encoding="utf-8")
    with pytest.raises(
        InvalidInput, match="the verifier of assumption 'key' must be one of curator, software, modelling"
    ):
        registry.read_assumptions(str(file))
