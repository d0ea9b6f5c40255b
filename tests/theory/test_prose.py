"""Formulas of the registry: each can be set in all three ways, and none is left outside the dollar signs."""

from __future__ import annotations

import copy
import pickle
import re
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import pytest
from offenders import check_all

from whit.errors import InvalidInput
from whit.telling.reports.mathematics import as_tree
from whit.theory import ASSUMPTIONS, THEOREMS, Formula, Prose, theorem

TEXTS = {
    **{f"{key}, statement": entry.statement for key, entry in THEOREMS.items()},
    **{f"{key}, corrected": entry.corrected for key, entry in THEOREMS.items()},
    **{f"{key}, exact": entry.exact for key, entry in ASSUMPTIONS.items()},
}
GREEK = "alpha|delta|epsilon|eta|gamma|kappa|mu|phi|Phi|rho|sigma|tau"
LEFT_OUT = re.compile(rf"[\^=<>_|]|[A-Za-z]\(\w|\b(?:{GREEK}|sqrt)\b|(?<!['.])\b[b-zB-Z]\b(?!['.:-])")
SCENARIOS = re.compile(r"Scenarios C to H|0\.952 for C,")


def formulas() -> Iterator[tuple[str, Formula]]:
    for name, text in TEXTS.items():
        yield from ((name, part) for part in text.parts if isinstance(part, Formula))


def left_out(text: Prose) -> list[str]:
    """What looks like mathematics and stands between no dollar signs; scenarios of a paper have letters too."""
    return [part for part in text.parts if isinstance(part, str) and LEFT_OUT.search(SCENARIOS.sub("", part))]


def test_no_formula_is_left_outside_the_dollar_signs():
    check_all(TEXTS, left_out)


def test_what_is_left_outside_is_found():
    assert left_out(Prose("at most e^t times, for $t > 0$")) == ["at most e^t times, for "]
    assert all(left_out(Prose(text)) for text in ("the largest epsilon", "at level x it is", "as D(t)"))
    assert left_out(Prose("One prior is enough, and a test of it (one-sided) too.")) == []


def signs_of(tree: object) -> str:
    """All letters and signs of a tree in their order."""
    if isinstance(tree, list):
        parts = tree[2:] if tree[0] == "sign" else tree[1:]
        return "".join(signs_of(part) for part in parts)
    return tree if isinstance(tree, str) else ""


def kept(text: str) -> str:
    """Letters and digits only, which no way of setting a formula may lose; exp is Euler's number with a power."""
    level = unicodedata.normalize("NFKC", text).replace("exp", "e")  # what stands above the line is lowered to it
    return "".join(sign for sign in level if sign.isalnum() and sign not in "√")


def faults(formula: Formula) -> list[str]:
    """The ways in which a formula cannot be set, or loses something."""
    page = kept(signs_of(as_tree(formula.tree)))
    browser = kept("".join(ElementTree.fromstring(formula.mathml).itertext()))
    line = kept(formula.plain.replace("floor", ""))
    named = {"page": page, "browser": browser}
    return [name for name, letters in named.items() if letters != line]


def test_every_formula_is_set_on_the_page_and_in_the_browser_with_every_letter_of_the_line():
    found = {f"{name}: {formula.source}": formula for name, formula in formulas()}
    assert len(found) > 800
    check_all(found, faults)


def test_the_plain_text_has_signs_for_names_and_no_mark():
    assert [formula.plain for _, formula in formulas() if re.search(rf"\b(?:{GREEK})\b|<=|>=", formula.plain)] == []
    assert "$" not in "".join(TEXTS.values())
    assert theorem("gaussian-profile").statement.endswith(
        "D(t) = Φ(μ/2 - t/μ) - eᵗ Φ(-μ/2 - t/μ); at a smaller change the profile is smaller."
    )


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("mu^2/2", "μ²/2"),
        ("2^(-10) and 2^-10", "2⁻¹⁰ and 2⁻¹⁰"),
        ("(1-p)^(n-k) x^pq", "(1-p)ⁿ⁻ᵏ xᵖq"),
        ("e^epsilon - 1", "exp(ε) - 1"),
        ('e^"loss"', "exp(loss)"),
        ("e^(-(t-rho)^2/(4 rho)) e^(-t)", "exp(-(t-ρ)²/(4 ρ)) e⁻ᵗ"),
        ("e^e_in + b_i^2", "exp(e_in) + b_i²"),
        ("(1 - delta)^(1/k)", "(1 - δ)^(1/k)"),  # no slash stands above the line
    ],
)
def test_powers_stand_above_the_line_where_unicode_has_the_signs(source, line):
    assert Formula(source).plain == line


def test_hardly_a_formula_has_a_mark_for_a_power():
    marked = {formula.plain for _, formula in formulas() if "^" in formula.plain}
    assert all(re.search(r"\)\^(\(1/k\)|α)", each) for each in marked)  # no slash and no alpha above the line


def test_a_notebook_shows_the_statement_set():
    shown = theorem("tail-from-profile")._repr_html_()
    wanted = ("A tail bound from the profile", "<math", "<mfrac>", "Kazan et al. (2025)")
    assert [text for text in wanted if text not in shown] == []
    assert "$" not in shown


def test_a_text_survives_copies():
    text = theorem("tail-from-profile").statement
    for again in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text)):
        assert (again, again.source) == (text, text.source)


def test_a_text_with_half_a_formula_is_refused():
    with pytest.raises(InvalidInput, match="must have its dollar signs in pairs"):
        Prose("at most $e^t")
