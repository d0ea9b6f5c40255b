"""What one record changes at most where noise is added: the sensitivity behind a number, as a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from whit.setting import Neighbours
from whit.telling.words.language import Language, language_of
from whit.theory import Direction, Finding, Unit, number_text

_DIGITS = 6


Named: TypeAlias = Sequence[tuple[Mapping[str, Any], str]]
"""Noise as a tree of inputs has it, and the name that whoever stated it has for it."""


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
    added = finding.inputs.get("neighbours", Neighbours.ADD_REMOVE.name) == Neighbours.ADD_REMOVE.name
    relation = "add_remove" if added else "replace"
    known = [(each, _text(each["sensitivity"], relation, words)) for each in noises(finding.inputs)]
    texts = dict.fromkeys(text for _, text in known)
    # Of several, each is said beside its name, or else the parameter of its noise.
    apart = dict.fromkeys(f"{_name(each, named) or _parameter(each, words)}{text}" for each, text in known)
    return tuple(texts if len(texts) < 2 else apart)


def noises(tree: Any) -> Iterator[Mapping[str, Any]]:
    """All noise within a tree of inputs that has a sensitivity for each relation."""
    if isinstance(tree, Mapping):
        if isinstance(tree.get("sensitivity"), Mapping):
            yield tree
        for each in tree.values():
            yield from noises(each)
    elif isinstance(tree, list | tuple):
        for each in tree:
            yield from noises(each)


def _text(sensitivity: Mapping[str, Any], relation: str, words: Language) -> str:
    changes = [float(each) for each in sensitivity[relation]] or [0.0]
    numbers = [_number(each, words) for each in changes]
    either = sensitivity["add_remove"] == sensitivity["replace"]
    record = words.say(f"change.{'record' if either else relation}")
    if len(changes) == 1:
        return words.say("change.one", record=record, number=numbers[0]).text
    if len({*changes}) == 1:
        cells = words.digits(f"{len(changes):,}")
        return words.say("change.cells", record=record, cells=cells, number=numbers[0]).text
    return words.say("change.several", record=record, changes=" + ".join(numbers)).text


def _name(noise: Mapping[str, Any], named: Named) -> str:
    """The names of noise, to stand before a sentence about it; empty if it has none."""
    names = ", ".join(dict.fromkeys(name for each, name in named if each == noise))
    return f"{names[:1].upper()}{names[1:]}: " if names else ""


def _parameter(noise: Mapping[str, Any], words: Language) -> str:
    """The parameter of noise, to stand before a sentence about it."""
    known = [f"{name} = {_number(each, words)}" for name, each in noise.items() if isinstance(each, float)]
    return f"{', '.join(known)}: " if known else ""


def _number(value: float, words: Language) -> str:
    return words.digits(number_text(value, Direction.AT_MOST, Unit.NUMBER, _DIGITS))
