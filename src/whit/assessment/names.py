"""What is promised, in a few words: the same on the command line, in reports and in pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from whit.curves import Curve, Promise
from whit.errors import shown
from whit.guarantees import Guarantee
from whit.mechanisms import Composed
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Unit, number_text

# The parameters by which a guarantee is known without its name.
_KNOWN_BY = ({"epsilon"}, {"epsilon", "delta"}, {"rho"}, {"mu"})
_RELATIONS = {Neighbours.REPLACE: "one record replaced", Neighbours.LOCAL: "local"}
_PEOPLE = ("Gaussian", "Laplace", "Renyi")
# Of these less is worse, of all other parameters more.
_NOISE = ("sigma", "scale")


def promise_name(promised: Promise) -> str:
    """What is promised, in a few words; numbers are given to six digits, rounded to the safe side.

    >>> from whit.guarantees import ApproxDP
    >>> promise_name(ApproxDP(1.0, 1e-6))
    'epsilon = 1, delta = 1e-6'
    """
    if isinstance(promised, Curve):
        return "a curve"
    if isinstance(promised, Guarantee):
        return _guarantee(promised)
    if isinstance(promised, Composed):
        return " and ".join(in_each(promise_name(part), times) for part, times in promised.parts)
    return _mechanism(vars(promised), promised)


def in_each(name: str, releases: int) -> str:
    """The name of so many releases of one kind.

    >>> in_each("Gaussian noise, sigma = 5.5", 5)
    'Gaussian noise, sigma = 5.5, in each of 5 releases'
    """
    return name if releases == 1 else f"{name}, in each of {releases} releases"


def _guarantee(promise: Guarantee) -> str:
    numbers = _numbers(promise.parameters)
    points = [_points(value) for value in promise.parameters.values() if isinstance(value, Mapping)]
    if not numbers:
        return shown(", ".join([_spaced(promise), *points]) if points else promise)
    kind = [] if set(numbers) in _KNOWN_BY else [_spaced(promise)]
    relation = [_RELATIONS[promise.neighbours]] if promise.neighbours in _RELATIONS else []
    return ", ".join([*kind, *numbers.values(), *relation])


def _points(parameter: Mapping[float, float]) -> str:
    """A parameter that has a number at each of several points."""
    return ", ".join(f"{_plain(value)} at {_plain(point)}" for point, value in parameter.items())


def _mechanism(known: Mapping[str, object], promised: Promise) -> str:
    """Noise or an answer by its parameters; a sample by what is done to it."""
    if set(known) == {"mechanism", "rate"}:
        return f"{promise_name(known['mechanism'])}, on a sample at rate {_plain(known['rate'])}"  # type: ignore[arg-type]
    numbers, change = _numbers(known), known.get("sensitivity")
    if not numbers or not all(isinstance(each, float | int | Sensitivity) for each in known.values()):
        return shown(promised)
    if not isinstance(change, Sensitivity):
        return ", ".join([_spaced(promised), *numbers.values()])
    return ", ".join([f"{_spaced(promised)} noise", *numbers.values(), *_changed(change)])


def _numbers(known: Mapping[str, object]) -> dict[str, str]:
    """The parameters that are single numbers, each as a text."""
    named = {name.removeprefix("stated_"): value for name, value in known.items()}
    return {name: f"{name} = {_plain(value, name)}" for name, value in named.items() if isinstance(value, float | int)}


def _changed(change: Sensitivity) -> list[str]:
    """The sensitivity, unless it is that of a count."""
    if change == Sensitivity.count():
        return []
    ends = [_cells(change.add_remove), _cells(change.replace)]
    return [f"sensitivity {ends[0]}" if ends[0] == ends[1] else f"sensitivity {ends[0]}, or {ends[1]} if replaced"]


def _cells(changes: Sequence[float]) -> str:
    return "+".join(map(_plain, changes)) or "0"


def _plain(number: object, name: str = "") -> str:
    """A parameter as text: the last digit or two of a double are rounding, and are left out first."""
    side = Direction.AT_LEAST if name in _NOISE else Direction.AT_MOST
    return number_text(float(f"{number:.14g}"), side, Unit.NUMBER, digits=6)


def _spaced(thing: object) -> str:
    """The name of a class in words, in small letters but for people and abbreviations.

    >>> from whit.mechanisms import DiscreteGaussian
    >>> _spaced(DiscreteGaussian(1.0))
    'discrete Gaussian'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(thing).__name__).split()
    return " ".join(word if word in _PEOPLE or word.isupper() else word.lower() for word in words)
