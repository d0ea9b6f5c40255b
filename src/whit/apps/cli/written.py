"""`name=value, name=value`: how a promise, a profile or a limit is written in one option, and what its values mean."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

import click

from whit.errors import InvalidInput

Given = Mapping[str, object]
"""Parameters by name, as they were written: text from an option, numbers and lists from a file."""

PROBABILITIES = (
    "prior",
    "inclusion",
    "value",
    "posterior",
    "difference",
    "power",
    "level",
    "advantage",
    "predictive_value",
    "absolute",
    "failure",
    "delta",
    "at_delta",
    "total_delta",
    "sampling_rate",
)
"""What may also be written in percent."""

_PAIRS = 'Write it as "name=value", several with commas between them, such as "epsilon=1, delta=1e-6".'


def pairs(what: str, text: str) -> dict[str, object]:
    """The names and values of a text.

    >>> pairs("the promise", "epsilon=17.14, delta=1e-10")
    {'epsilon': '17.14', 'delta': '1e-10'}
    """
    found: dict[str, object] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise InvalidInput(what, "must be made of name=value", repr(text), _PAIRS)
        if plain(name) in found:
            raise InvalidInput(what, f"must give {name} once", repr(text), "Leave out one of them.")
        found[plain(name)] = value
    return found


def plain(name: str) -> str:
    """The name with hyphens and underscores made one."""
    return name.strip().lower().replace("-", "_")


def shown(name: str) -> str:
    """The name as options have it."""
    return name.replace("_", "-")


def in_shell(sentence: str) -> str:
    """The sentence with the chance of failure as an option has it, and not as an argument in Python.

    >>> in_shell("Ask with failure=1e-05 or more.")
    'Ask with --failure 1e-05 or more.'
    """
    both = re.sub(r"\bfailure=([\d.]+), population=([\d_]+)", r"--failure \1 --population \2", sentence)
    return re.sub(r"\bfailure=(?=[\d.])", "--failure ", both).replace("10_000", "10000")


def require_known(what: str, given: Collection[str], known: Collection[str]) -> None:
    """Refuse a name that nobody knows, and say which was perhaps meant."""
    for name in given:
        if name not in known:
            raise unknown(what, name, known)


def unknown(what: str, name: str, known: Collection[str]) -> InvalidInput:
    """The error about a name that nobody knows."""
    import difflib  # only a mistake needs it

    near = difflib.get_close_matches(plain(name), known, n=1)
    meant = f"Perhaps {shown(near[0])} is meant." if near else f"Use {', '.join(map(shown, known))}."
    return InvalidInput(what, f"does not know the name {shown(name)}", shown(name), meant)


def number(name: str, value: object) -> float:
    """One number, in percent if it is a probability; infinity and what is no number are refused.

    >>> number("epsilon", "17.14")
    17.14
    >>> number("posterior", "30 %")
    0.3
    """
    try:
        found = _read(name, value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, ArithmeticError):
        found = math.nan
    if not math.isfinite(found):
        raise InvalidInput(shown(name), "must be a number", repr(value), "Use a number such as 0.5 or 1e-6.")
    if plain(name) in PROBABILITIES:
        _require_probable(name, found)
    return found


def _require_probable(name: str, found: float) -> None:
    """Refuse a percentage without its sign, and a failure that is sure."""
    if 1.0 < found <= 100.0:
        rule, share = "must be a probability in [0, 1]", float(Decimal(repr(found)).scaleb(-2))
        raise InvalidInput(shown(name), rule, f"{found:g}", f"{found:g} % is {share:g}.")
    if plain(name) == "failure" and found == 1.0:
        rule = "must be below 1: what may be false for sure says nothing"
        raise InvalidInput(shown(name), rule, f"{found:g}", "Use a chance such as 0.01; 0 asks for what always holds.")


def _read(name: str, value: str | float) -> float:
    """The number that a text stands for; a percent sign moves the point before anything is rounded."""
    if isinstance(value, str) and value.rstrip().endswith("%") and plain(name) in PROBABILITIES:
        return float(Decimal(value.rstrip().removesuffix("%").strip()).scaleb(-2))
    return float(value)


class Word(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of several words; another one is refused with those most like it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word that was chosen."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            near = " or ".join(nearest(str(value), [str(each) for each in self.choices]))
            if not near:
                raise
            said = f"{value!r} is not known. Perhaps {near} is meant."
            raise click.BadParameter(said, ctx=ctx, param=param) from None


def nearest(asked: str, known: Collection[str]) -> list[str]:
    """The names most like the one asked for: those that begin with it, else those of nearly the same letters.

    >>> nearest("postrior", ["posterior", "power"])
    ['posterior']
    """
    import difflib  # only a mistake needs it

    begun = [name for name in known if asked and name.startswith(asked.lower())]
    return begun or difflib.get_close_matches(asked.lower(), known, n=2)


class Number(click.types.FloatParamType):
    """The number of an option."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that was written."""
        return number(str(param.name) if param is not None else "a number", value)


def whole(name: str, value: object) -> int:
    """One whole number of at least 1."""
    found = number(name, value)
    if found >= 1 and found == int(found):
        return int(found)
    raise InvalidInput(shown(name), "must be a whole number of at least 1", repr(value), "Use a number such as 12.")


def span(name: str, value: object) -> tuple[float, float]:
    """Two numbers, written as 0.1..0.6 or as a list; one number is both ends.

    >>> span("inclusion", "0.1..0.6")
    (0.1, 0.6)
    """
    ends = value.split("..") if isinstance(value, str) else value if isinstance(value, list) else [value]
    if len(ends) not in (1, 2):
        raise InvalidInput(shown(name), "must be a number or a range", repr(value), "Use 0.1 or 0.1..0.6.")
    return number(name, ends[0]), number(name, ends[-1])
