"""What one record changes at most where noise is added, in the language of a text."""

from __future__ import annotations

from whit import theory
from whit.telling.words.language import Language, Passage, Said, language_of
from whit.theory import Finding, Named

_MARK = "\x1f"
"""What stands on both sides of a number until it is written in the language."""


def change_texts(finding: Finding, language: Language | None = None, named: Named = ()) -> tuple[str, ...]:
    """What must hold of the sensitivity of all noise that a number is about; nothing where no noise is stated.

    >>> from whit.mechanisms import Gaussian
    >>> from whit.semantics.membership import posterior
    >>> change_texts(posterior(Gaussian(10.0).times(12), 0.1, failure=0.01))
    ('One record changes the exact answer by at most 1.',)

    Args:
        finding: the number.
        language: that of the sentences; English if none is named.
        named: what is said before the sentence about noise in place of its parameter, where several are stated.
    """
    words = language_of("en") if language is None else language
    return tuple(each.text for each in change_passages(finding, words, named))


def change_passages(finding: Finding, words: Language, named: Named = ()) -> tuple[Passage, ...]:
    """The same sentences with the numbers in them."""
    marked = theory.change_texts(
        finding.inputs,
        finding.basis,
        lambda key, english: words.name("change", key, english),
        lambda number: f"{_MARK}{number}{_MARK}",
        named,
    )
    return tuple(_unmarked(text, finding, words) for text in marked)


def _unmarked(text: str, finding: Finding, words: Language) -> Passage:
    """A sentence whose every second piece is a number."""
    pieces = []
    for place, each in enumerate(text.split(_MARK)):
        number = Said(words.digits(each), float(each.replace(",", "")), finding, "change") if place % 2 else None
        pieces.append(Passage(each) if number is None else Passage.of(number))
    return Passage.joined(pieces, between="")
