"""The notation of formulas, part by part."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.theory.formula import (
    Fenced,
    Fraction,
    Letter,
    Number,
    Root,
    Row,
    Scripts,
    Sign,
    Word,
    parsed,
)
from whit.theory.mathml import as_mathml

a, b, p, q, t = (Letter(sign) for sign in "abpqt")
euler = Letter("e", upright=True)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("pq", Row((p, q))),
        ("epsilon", Letter("ε")),
        ("P1", Scripts(Letter("P"), Number("1"))),
        ("log2 t", Row((Scripts(Word("log"), Number("2")), t))),
        ("e^e", Scripts(euler, None, Letter("e"))),
        ("e^-36", Scripts(euler, None, Row((Sign("−"), Number("36"))))),
        ("e_swap", Scripts(Letter("e"), Word("swap", is_function=False))),
        ("e^e_in", Scripts(euler, None, Scripts(Letter("e"), Word("in", is_function=False)))),
        ("p_(t-1)", Scripts(p, Row((t, Sign("−"), Number("1"))))),
        ("b'", Scripts(b, None, Sign("′"))),
        ("sqrt(2)", Root(Number("2"))),
        ("floor(t)", Fenced("⌊", t, "⌋")),
        ("infinity", Letter("∞", upright=True)),
        ('e^"loss"', Scripts(euler, None, Word("loss", is_function=False))),
        ("(t)+", Scripts(Fenced("(", t, ")"), Sign("+"))),
        ("a + b", Row((a, Sign("+"), b))),
        ("(0, t]", Fenced("(", Row((Number("0"), Sign(","), t)), "]")),
        ("a <= b", Row((a, Sign("≤"), b))),
        ("|t| > a", Row((Fenced("|", t, "|"), Sign(">"), a))),
        ("p(a|b)", Row((p, Fenced("(", Row((a, Sign("|"), b)), ")")))),
        ("sum_t a", Row((Scripts(Sign("∑"), t), a))),
    ],
)
def test_a_part_is_read_as_what_it_is(text: str, tree: object) -> None:
    assert parsed(text) == tree


def test_below_a_slash_stands_what_follows_closely() -> None:
    two_q = Row((Number("2"), q))
    assert parsed("(p + t)/2q a") == Row((Fraction(Row((p, Sign("+"), t)), two_q, is_bar=True), a))


def test_above_a_slash_with_a_space_stands_the_whole_product() -> None:
    assert parsed("a b / (1 - t)") == Fraction(Row((a, b)), Row((Number("1"), Sign("−"), t)), is_bar=True)
    assert parsed("a b/(1 - t)") == Row((a, Fraction(b, Row((Number("1"), Sign("−"), t)), is_bar=True)))


def test_a_slash_stays_one_between_single_signs_and_within_scripts() -> None:
    assert parsed("a/2") == Fraction(a, Number("2"), is_bar=False)
    inside = Fraction(Fenced("(", Row((a, Sign("+"), b)), ")"), Number("2"), is_bar=False)
    assert parsed("e^((a + b)/2)") == Scripts(euler, None, inside)


@pytest.mark.parametrize("text", ["", "a +(", "e^", "(a", "a)", "sqrt 2", "a # b", "()", "a / "])
def test_what_is_no_formula_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InvalidInput, match="must be in the notation of formulas"):
        parsed(text)


def test_signs_that_markdown_or_html_would_read_are_written_as_numbers() -> None:
    made = as_mathml(parsed("P[t < a]|b"), "P[t < a]|b")
    assert not set("[]|*_`") & set(made)
    assert "&lt;" in made
