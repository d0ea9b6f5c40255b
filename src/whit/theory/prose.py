"""Sentences with formulas between dollar signs: as plain text, as HTML, and in parts for whoever sets pages.

The same source serves the terminal (Unicode), the documentation, notebooks and reports. Plain text needs no more than
other signs for some names, so that nothing is parsed to print it, and the modules that do are loaded by those who set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from whit import theory
from whit.errors import require

GREEK: Final = {
    "alpha": "α",
    "delta": "δ",
    "epsilon": "ε",
    "eta": "η",
    "gamma": "γ",
    "kappa": "κ",
    "mu": "μ",
    "phi": "φ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "theta": "θ",
    "Phi": "Φ",
}
LARGE: Final = {"sum": "∑", "product": "∏"}
OTHER: Final = {"infinity": "∞"}

_FORMULA: Final = re.compile(r"\$([^$]*)\$")
_PLAIN: Final = {**GREEK, **LARGE, **OTHER, "sqrt": "√", "<=": "≤", ">=": "≥", "||": "∥", "...": "…", '"': "", "'": "′"}
_WORDS: Final = "|".join(name for name in _PLAIN if name.isalpha())
_NAMES: Final = re.compile(rf"<=|>=|\|\||\.\.\.|[\"']|(?<![A-Za-z])(?:{_WORDS})(?![A-Za-z])")
_ABOVE: Final = dict(
    zip(
        "0123456789+-abcdefghijklmnoprstuvwxyz",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
        strict=True,
    )
)
"""The signs that Unicode has above the line; it has no q and no slash, and hardly any Greek letter."""
_EULER: Final = re.compile(r"(?<![A-Za-z])e$")
_POWER: Final = re.compile(rf"[-+]?(?:\d+(?:\.\d+)?|(?:{_WORDS})(?![A-Za-z])|[A-Za-z]|\"[^\"]+\")?(?:_\w+|\d+)?")
# No line breaks between a formula and what follows it closely, such as a comma.
_UNBROKEN: Final = re.compile(r"(</math>)(?=\S)")
_LINE_END: Final = re.compile(r"[ \t\n]+")


def plain_formula(source: str) -> str:
    """A formula as a line of Unicode text, with powers above the line where Unicode has the signs.

    >>> plain_formula("D(t) <= Phi(mu/2 - t/mu)")
    'D(t) ≤ Φ(μ/2 - t/μ)'
    >>> plain_formula("e^(-t) (1-p)^(n-k) mu^2 <= e^(-e_swap) 2^(2/3)")
    'e⁻ᵗ (1-p)ⁿ⁻ᵏ μ² ≤ exp(-e_swap) 2^(2/3)'
    """
    return _NAMES.sub(lambda match: _PLAIN[match[0]], _raised(source) if "^" in source else source)


def _raised(source: str) -> str:
    """The formula with its powers above the line; of Euler's number the others are those of exp."""
    before, sign, after = source.partition("^")
    if not sign:
        return source
    power, rest = _split_power(after)
    inner = power[1:-1] if power.startswith("(") else power
    if inner and all(letter in _ABOVE for letter in inner) and not _NAMES.search(inner):
        shown = f"{before}{''.join(_ABOVE[letter] for letter in inner)}"
    elif _EULER.search(before):
        shown = f"{before[:-1]}exp({_raised(inner)})"
    else:
        shown = f"{before}^{_raised(power)}"
    return shown + _raised(rest)


def _split_power(text: str) -> tuple[str, str]:
    """What a ^ takes, a bracketed part or a sign with one name or number and its index, and what follows it."""
    if not text.startswith("("):
        found = _POWER.match(text)
        end = found.end() if found else 0
        return text[:end], text[end:]
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return text[: place + 1], text[place + 1 :]
    return text, ""


class Prose(str):
    """A text whose formulas stand between dollar signs; as a string it is plain text.

    >>> text = Prose("at most $e^epsilon$ times")
    >>> text
    'at most exp(ε) times'
    >>> text.source
    'at most $e^epsilon$ times'
    """

    source: str

    def __new__(cls, source: str) -> Prose:
        """Plain text of the source, which is kept."""
        whole, rule = source.count("$") % 2 == 0, "must have its dollar signs in pairs"
        way_out = "Put one before and one after each formula."
        require(whole, name="a text with formulas", rule=rule, value=source, way_out=way_out)
        made = super().__new__(cls, _FORMULA.sub(lambda match: plain_formula(match[1]), source))
        made.source = source
        return made

    def __reduce__(self) -> tuple[type[Prose], tuple[str]]:
        """By its source."""
        return Prose, (self.source,)

    @cached_property
    def parts(self) -> tuple[str | Formula, ...]:
        """Texts and formulas in turn, with all white space as one space."""
        return tuple(self._parts())

    def _parts(self) -> Iterator[str | Formula]:
        for place, part in enumerate(_LINE_END.sub(" ", self.source.strip()).split("$")):
            if place % 2:
                yield Formula(part)
            elif part:
                yield part

    @property
    def html(self) -> str:
        """The text as HTML, its formulas as MathML."""
        return _UNBROKEN.sub(r"\1&#8288;", "".join(map(_as_html, self.parts)))


def _as_html(part: str | Formula) -> str:
    from html import escape  # only who sets a page needs it

    return part.mathml if isinstance(part, Formula) else escape(part)


class Formula:
    """A formula by its source: as plain text, as a tree, as MathML."""

    def __init__(self, source: str) -> None:
        self.source = source

    @property
    def plain(self) -> str:
        """As a line of Unicode text."""
        return plain_formula(self.source)

    @cached_property
    def tree(self) -> theory.Node:
        """As mathematics."""
        return theory.parsed(self.source)

    @property
    def mathml(self) -> str:
        """As MathML, with the plain text for those who do not see it."""
        return theory.as_mathml(self.tree, self.plain)
