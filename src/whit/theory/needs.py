"""What must hold for a number: the assumptions of its theorems, and what one record changes where noise is added.

This decides which number needs which assumption, for notebooks, the command and reports alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from whit.theory.basis import Basis, Tree, echo
from whit.theory.finding import Finding
from whit.theory.quantity import Direction, Unit, number_text
from whit.theory.registry import Verifier, assumption

OF_FAILURE = "belief-is-right"
"""The assumption behind a failure probability."""

OF_NEIGHBOURS = "neighbours-as-stated"
"""The assumption of whatever compares neighbouring datasets; such a number needs to know what one record changes."""

CHANGE = {
    "record": "One record",
    "add_remove": "One record that is added or removed",
    "replace": "A replaced record",
    "one": "{record} changes the exact answer by at most {number}.",
    "cells": "{record} changes at most {cells} exact answers, each by at most {number}.",
    "several": "{record} changes the exact answers by at most {changes}, each in one cell.",
}
"""What one record changes, as sentences."""

_DIGITS = 6

Worded = Callable[[str, str], str]

Named: TypeAlias = Sequence[tuple[Mapping[str, Any], str]]
"""Noise as a tree of inputs has it, and the name that whoever stated it has for it."""


def assumed_keys(found: Finding) -> tuple[str, ...]:
    """Keys of the assumptions that a number needs; one that always holds needs none about its failure probability."""
    always = "failure" in found.inputs and not found.basis.failures
    return tuple(name for name in found.basis.assumptions if not (always and name == OF_FAILURE))


def assumed(found: Finding, named: Named = ()) -> tuple[tuple[Verifier, str], ...]:
    """Who checks what a number assumes, each in a sentence; the sensitivity of its noise first, by the name of it."""
    changes = [(Verifier.CURATOR, text) for text in change_texts(found.inputs, found.basis, named=named)]
    return (*changes, *((each.verifier, each.plain) for each in map(assumption, assumed_keys(found))))


def change_texts(
    inputs: Mapping[str, Any],
    basis: Basis,
    worded: Worded = lambda _, english: english,
    digits: Callable[[str], str] = str,
    named: Named = (),
) -> tuple[str, ...]:
    """What must hold of the sensitivity of all noise that a number is about; nothing where it compares no neighbours.

    Args:
        inputs: those of the number, in which the noise is found.
        basis: what the number rests on.
        worded: a sentence in another language by its key and its English text.
        digits: a number in the way of another language.
        named: what is said before the sentence about noise in place of its parameter, where several are stated.
    """
    if OF_NEIGHBOURS not in basis.assumptions:
        return ()
    relation = "add_remove" if inputs.get("neighbours", "ADD_REMOVE") == "ADD_REMOVE" else "replace"
    words = {key: worded(key, english) for key, english in CHANGE.items()}
    known = [(each, _text(each["sensitivity"], relation, words, digits)) for each in noises(inputs)]
    texts = dict.fromkeys(text for _, text in known)
    # Of several, each is said beside its name, or else the parameter of its noise.
    apart = dict.fromkeys(f"{_name(each, named) or _parameter(each, digits)}{text}" for each, text in known)
    return tuple(texts if len(texts) < 2 else apart)


def named_noises(promises: Sequence[tuple[str, object]]) -> Named:
    """The noise of each of several promises with the name of the promise; of one alone it needs no name."""
    several = promises if len(promises) > 1 else ()
    return tuple((noise, name) for name, each in several for noise in noises({"promise": echo(each)}))


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


def _text(sensitivity: Mapping[str, Any], relation: str, words: Mapping[str, str], digits: Callable[[str], str]) -> str:
    changes = [float(each) for each in sensitivity[relation]] or [0.0]
    numbers = [_number(each, digits, Direction.AT_LEAST) for each in changes]  # whoever checks it finds no more
    either = sensitivity["add_remove"] == sensitivity["replace"]
    record = words["record" if either else relation]
    if len(changes) == 1:
        return words["one"].format(record=record, number=numbers[0])
    if len({*changes}) == 1:
        return words["cells"].format(record=record, cells=digits(f"{len(changes):,}"), number=numbers[0])
    return words["several"].format(record=record, changes=" + ".join(numbers))


def _name(noise: Mapping[str, Tree], named: Named) -> str:
    """The names of noise, to stand before a sentence about it; empty if it has none."""
    names = ", ".join(dict.fromkeys(name for each, name in named if each == noise))
    return f"{names[:1].upper()}{names[1:]}: " if names else ""


def _parameter(noise: Mapping[str, Tree], digits: Callable[[str], str]) -> str:
    """The parameter of noise, to stand before a sentence about it."""
    known = [f"{name} = {_number(each, digits)}" for name, each in noise.items() if isinstance(each, float)]
    return f"{', '.join(known)}: " if known else ""


def _number(value: float, digits: Callable[[str], str], side: Direction = Direction.AT_MOST) -> str:
    return digits(number_text(value, side, Unit.NUMBER, _DIGITS))
