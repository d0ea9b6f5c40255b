"""What a promise is called, in a few words: the same on the command line, in notebooks, in reports and in pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from whit.curves.block import Block
from whit.curves.promise import Promise
from whit.errors import shown
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Unit, number_text

# The parameters by which a guarantee is known without its name.
_KNOWN_BY = ({"epsilon"}, {"epsilon", "delta"}, {"rho"}, {"mu"})
_RELATIONS = {Neighbours.REPLACE: "one record replaced", Neighbours.LOCAL: "local"}
_PEOPLE = ("Gaussian", "Gaussians", "Laplace", "Toeplitz", "Rappor", "Renyi", "Tulap")
# Up to so many numbers of a list are named one by one.
FEW = 4

_COUNT = Sensitivity.count()

# Of these less is worse, of all other parameters more.
_NOISE = ("sigma", "scale")


def promise_name(promised: Promise) -> str:
    """What is promised, in a few words; numbers are given to six digits, rounded to the safe side.

    >>> from whit.guarantees import ApproxDP
    >>> promise_name(ApproxDP(1.0, 1e-6))
    'epsilon = 1, delta = 1e-6'
    """
    if isinstance(promised, Block):
        return f"{promise_name(promised.promise)}, for {promised.people} people who depend on each other"
    if promised.relation() is None:
        return "a curve"
    if promised.composed_of:
        return all_of([(promise_name(part), times) for part, times in promised.composed_of])
    if promised.is_stated:
        return _guarantee(promised)
    return _mechanism(vars(promised), promised)


def in_each(name: str, releases: int) -> str:
    """The name of so many releases of one kind.

    >>> in_each("Gaussian noise, sigma = 5.5", 5)
    'Gaussian noise, sigma = 5.5, in each of 5 releases'
    """
    return name if releases == 1 else f"{name}, in each of {releases:,} releases"


def all_of(parts: Sequence[tuple[str, int]]) -> str:
    """The names of releases of several kinds, each with how many there are of it; nothing of that where each is alone.

    >>> all_of([("epsilon = 2", 1), ("Gaussian noise, sigma = 5", 4)])
    'epsilon = 2, once; Gaussian noise, sigma = 5, in each of 4 releases'
    >>> all_of([("epsilon = 2", 1), ("rho = 0.1", 1)])
    'epsilon = 2 and rho = 0.1'
    """
    if len(parts) == 1 or all(releases == 1 for _, releases in parts):
        return " and ".join(in_each(*part) for part in parts)
    return "; ".join(f"{name}, once" if releases == 1 else in_each(name, releases) for name, releases in parts)


def listed(names: Sequence[str], kind: str) -> str:
    """Names in a row, or how many things of a kind there are where they are more than a few.

    >>> listed(["epsilon = 1", "rho = 0.1"], "promises")
    'epsilon = 1; rho = 0.1'
    """
    return "; ".join(names) if len(names) <= FEW else f"{len(names):,} {kind}"


def titled(name: str, relation: Neighbours | None) -> str:
    """The name of a promise with the relation between datasets, if one was named; several promises share it.

    >>> titled("Gaussian noise, sigma = 5.5", Neighbours.REPLACE)
    'Gaussian noise, sigma = 5.5, neighbours replace'
    >>> titled("epsilon = 2, once; Gaussian noise, sigma = 5, in each of 4 releases", Neighbours.REPLACE)
    'epsilon = 2, once; Gaussian noise, sigma = 5, in each of 4 releases; neighbours replace'
    """
    joint = ";" if "; " in name else ","
    return name if relation is None else f"{name}{joint} neighbours {relation.word}"


def _guarantee(promise: Promise) -> str:
    parameters, neighbours = promise.stated_under(), promise.relation()
    numbers = _numbers(parameters)
    points = [_points(value) for value in parameters.values() if isinstance(value, Mapping)]
    if not numbers:
        return shown(", ".join([_spaced(promise), *points]) if points else promise)
    goes_without_saying = set(numbers) in _KNOWN_BY and hasattr(type(promise), "parameter")
    kind = [] if goes_without_saying else [_spaced(promise)]
    relation = [_RELATIONS[neighbours]] if neighbours in _RELATIONS else []
    return ", ".join([*kind, *numbers.values(), *relation])


def _points(parameter: Mapping[float, float]) -> str:
    """A parameter that has a number at each of several points."""
    return ", ".join(f"{_plain(value)} at {_plain(point)}" for point, value in parameter.items())


def _mechanism(known: Mapping[str, object], promised: Promise) -> str:
    """Noise or an answer by its values; what is made of another one by what is done to it."""
    around = getattr(type(promised), "around", None)
    if around is not None:
        values = {each.name: _plain(known[each.name]) for each in around.details} | _by_word(around.details, known)
        usual = {each.name: each.default for each in fields(promised) if each.name in around.also}  # type: ignore[arg-type]
        besides = "".join(around.also[name] for name, value in usual.items() if known[name] != value)
        return f"{promise_name(known[around.inner])}, {(around.phrase + besides).format_map(values)}"  # type: ignore[arg-type]
    if set(known) == {"mechanism"}:
        return f"{promise_name(known['mechanism'])}, changed in full"  # type: ignore[arg-type]
    if set(known) == {"mechanism", "size"}:
        return f"{promise_name(known['mechanism'])}, for a group of {known['size']:,} records"  # type: ignore[arg-type]
    change = known.get("sensitivity")
    details = getattr(type(promised), "details", ())
    words, spoken = _by_word(details, known), {each.name: each.word for each in details}
    texts = {
        name: _value(spoken.get(name, name) if isinstance(value, tuple) else name, value)
        for name, value in known.items()
        if not name.startswith("_")
    }
    texts |= {name: f"{name} = {word}" for name, word in words.items()}
    said = [text for text in texts.values() if text]
    if not said or None in texts.values():
        return shown(promised)
    if not isinstance(change, Sensitivity):
        return ", ".join([_spaced(promised), *said])
    return ", ".join([f"{_spaced(promised)} noise", *said, *_changed(change)])


def _by_word(details: Sequence[Any], known: Mapping[str, object]) -> dict[str, str]:
    """The values that have a word of their own."""
    named = {(each.name, value): word for each in details for word, value in each.words.items()}
    return {name: named[name, known[name]] for name in {key for key, _ in named} if (name, known[name]) in named}


def _value(name: str, value: object) -> str | None:
    """A value of a mechanism with its name; empty where it goes without saying, None where no words are known."""
    if isinstance(value, float | int):
        return _numbers({name: value}).get(name.removeprefix("stated_"), "")
    if value is None or isinstance(value, Sensitivity) or value is Neighbours.ADD_REMOVE:
        return ""
    if isinstance(value, Neighbours):
        return _RELATIONS[value]
    if isinstance(value, tuple):
        return _several(name, value)
    words = getattr(value, "words", None)
    return words if isinstance(words, str) else None


def _several(name: str, values: tuple[object, ...]) -> str | None:
    """Several numbers with their name: one by one if they are few, else how many there are."""
    if values and all(isinstance(each, float | int) for each in values):
        listed = " ".join(map(_plain, values))
        return f"{name} = {listed}" if len(values) <= FEW else f"{len(values)} {name}"
    widths = {len(each) for each in values if isinstance(each, tuple)}
    return f"{name} of {len(values)} by {widths.pop()}" if len(widths) == 1 else None


def _numbers(known: Mapping[str, object]) -> dict[str, str]:
    """The parameters that are single numbers, each as a text; of those that hold or do not, the ones that hold."""
    named = {name.removeprefix("stated_"): value for name, value in known.items() if value is not False}
    texts = {name: value for name, value in named.items() if isinstance(value, float | int)}
    said = {name: name.replace("_", " ") for name in texts}
    return {
        name: said[name] if value is True else f"{said[name]} = {_plain(value, name)}" for name, value in texts.items()
    }


def _changed(change: Sensitivity) -> list[str]:
    """The sensitivity, unless it is that of a count."""
    if change == _COUNT:
        return []
    added = _cells(change.add_remove)
    if added == _cells(change.replace):
        return [f"sensitivity {added}"]
    return [f"sensitivity {added} ({_replaced(change.replace)})"]


def _replaced(changes: Sequence[float]) -> str:
    """What a replaced record changes."""
    if len(changes) > 1 and len(set(changes)) == 1:
        return f"a replaced record changes {len(changes)} cells by {_plain(changes[0])}"
    return f"{_cells(changes)} if a record is replaced"


def _cells(changes: Sequence[float]) -> str:
    """The changes of the cells of one record."""
    if len(changes) > 1 and len(set(changes)) == 1:
        return f"{_plain(changes[0])} in each of {len(changes)} cells"
    return "+".join(map(_plain, changes)) or "0"


def _plain(number: object, name: str = "") -> str:
    """A parameter as text: the last digit or two of a double are rounding, and are left out first."""
    side = Direction.AT_LEAST if name in _NOISE else Direction.AT_MOST
    return number_text(float(f"{number:.14g}"), side, Unit.NUMBER, digits=6)


def _spaced(thing: object) -> str:
    """The name of a class in words, in small letters except people and abbreviations.

    >>> from whit.mechanisms import DiscreteGaussian
    >>> _spaced(DiscreteGaussian(1.0))
    'discrete Gaussian'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(thing).__name__).split()
    return " ".join(word if word in _PEOPLE or word.isupper() else word.lower() for word in words)
