"""What a number comes from and what it rests on: its inputs, its theorems, and what may still go wrong.

Four things that are not one are kept apart here: the delta of a promise is part of the inputs and appears nowhere in
a basis; the chance that a statement fails is a Failure, one for each randomness; rounding is slack; mass that was
cut off is truncation.

A theorem is named by its key. Keys are known without reading the texts: a module that cites a theorem is checked
against them when it is imported, which happens at every start; the texts are read when somebody wants to read one.

Inputs are plain trees, which can be written to JSON and read back without loss.
"""

from __future__ import annotations

import math
import os.path
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from whit import theory
from whit.errors import BY_KEY, UnknownKey, nearest, require, require_kind
from whit.numerics import add_up, finite_nonnegative, probability
from whit.theory.quantity import Direction, Unit, number_text

Tree: TypeAlias = "bool | int | float | str | list[Tree] | dict[str, Tree] | None"
"""A plain tree: a bool, a number, a text, a list of trees, trees by name, or nothing."""

Key = TypeVar("Key")
Item = TypeVar("Item")

INFINITE = "$float"
"""JSON has no infinity: inside a tree it is written {"$float": "inf"}, so that it is not taken for a text."""

LONGEST = 1000
"""The most numbers of one array that are repeated; a longer one is given by its size and its two ends."""

FOLDER = os.path.dirname(__file__)
"""Where the texts are. (Not a Path: importing pathlib would cost as much as reading them.)"""

_TABLE = re.compile(r"^\[(.+)\]$", flags=re.MULTILINE)
_ENTRY = re.compile(r"^@\w+\{(.+),$", flags=re.MULTILINE)


class Randomness(Enum):
    """The chance over which a statement may fail."""

    MECHANISM = "the noise of the release"
    BELIEF = "the noise of the release and data drawn from the adversary's own belief"
    SIMULATION = "the draws of a simulation"


@dataclass(frozen=True)
class Failure:
    """The probability that a statement is false, and over which randomness."""

    probability: float
    over: Randomness

    def __post_init__(self) -> None:
        way_out = "Give the chance that the statement is false, such as 0.01."
        object.__setattr__(self, "probability", probability("the probability of failure", self.probability, way_out))
        way_out = "Use Randomness.MECHANISM, Randomness.BELIEF or Randomness.SIMULATION."
        require_kind(Randomness, self.over, name="the randomness of a failure", way_out=way_out)


@dataclass(frozen=True)
class Basis:
    """The theorems that a number follows from, and how far it may be trusted.

    A basis brings itself into one form: each theorem once, in the order of first mention; one failure for each
    randomness, by the union bound; no failure of probability 0.

    Attributes:
        theorems: keys of the registry.
        failures: the chances that the statement is false.
        slack: relative rounding error, already added on the safe side of a bound.
        truncation: probability mass that was cut off, already added on the safe side of a bound.
    """

    theorems: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    slack: float = 0.0
    truncation: float = 0.0

    def __post_init__(self) -> None:
        for key in self.theorems:
            require_theorem(key)
        object.__setattr__(self, "theorems", tuple(dict.fromkeys(self.theorems)))
        object.__setattr__(self, "failures", _one_per_randomness(self.failures))
        for name in ("slack", "truncation"):
            way_out = "Use 0 where nothing was rounded or cut off."
            object.__setattr__(self, name, finite_nonnegative(name, getattr(self, name), way_out))

    @classmethod
    def of(cls, *keys: str) -> Basis:
        """The basis of a result that follows from these theorems, with nothing else to say.

        >>> Basis.of("gaussian-profile").assumptions
        ('neighbours-as-stated', 'unit-as-stated', 'noise-as-modelled')
        """
        return _of_keys(keys)

    @property
    def exception(self) -> str:
        """With which probability the statement may be false, as the end of a sentence; empty where it always holds.

        >>> Basis(("hockey-stick",), (Failure(0.01, Randomness.MECHANISM),)).exception
        'except with probability 1 %'
        """
        chances = [number_text(each.probability, Direction.AT_MOST, Unit.PROBABILITY) for each in self.failures]
        if len(chances) > 1:
            chances = [f"{chance} over {each.over.value}" for chance, each in zip(chances, self.failures, strict=True)]
        return f"except with probability {' and '.join(chances)}" if chances else ""

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Keys of the assumptions that the theorems make, each once."""
        return tuple(dict.fromkeys(name for key in self.theorems for name in theory.theorem(key).assumptions))

    def with_instead(self, key: str, other: str) -> Basis:
        """The same with another theorem in the place of one, where it rests on that one.

        >>> Basis.of("losses-add", "hockey-stick").with_instead("losses-add", "dominating-pairs-compose").theorems
        ('dominating-pairs-compose', 'hockey-stick')
        """
        return replace(self, theorems=tuple(other if each == key else each for each in self.theorems))

    def __or__(self, other: Basis) -> Basis:
        """The basis of a result that needs both: theorems joined, failures, slack and truncation added."""
        if not isinstance(other, Basis):
            return NotImplemented
        return _joined(self, other)


def following(exception: str, said: str) -> str:
    """An exception behind what a sentence says; in brackets behind a number that is exceeded or may be.

    It is an exception to a bound: to say "may exceed 99.9 %, except with probability 1 %" would turn it around.

    >>> following("except with probability 1 %", "is at most 12 %")
    ', except with probability 1 %'
    >>> following("except with probability 1 %", "may exceed 99.9 %")
    ' (failure probability 1 %)'
    """
    if not exception:
        return ""
    return (
        f" ({exception.replace('except with', 'failure')})"
        if said.startswith("may ") or "more than" in said
        else f", {exception}"
    )


# The same few bases are built and joined in every answer.
@lru_cache(maxsize=1024)
def _of_keys(keys: tuple[str, ...]) -> Basis:
    return Basis(theorems=keys)


@lru_cache(maxsize=1024)
def _joined(first: Basis, second: Basis) -> Basis:
    return Basis(
        theorems=first.theorems + second.theorems,
        failures=first.failures + second.failures,
        slack=float(add_up(first.slack, second.slack)),
        truncation=float(add_up(first.truncation, second.truncation)),
    )


def _one_per_randomness(failures: tuple[Failure, ...]) -> tuple[Failure, ...]:
    """The union bound for each randomness, rounded up and cut at 1; failures that cannot happen are left out."""
    totals = dict.fromkeys(Randomness, 0.0)
    for failure in failures:
        totals[failure.over] = min(1.0, float(add_up(totals[failure.over], failure.probability)))
    return tuple(Failure(total, over) for over, total in totals.items() if total > 0.0)


def theorem_files(folder: str) -> list[str]:
    """The files of a folder that hold theorems, in order."""
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".toml")]


@cache
def theorem_keys() -> frozenset[str]:
    """The keys of all theorems."""
    return frozenset(key for path in theorem_files(os.path.join(FOLDER, "theorems")) for key in _heads(_TABLE, path))


@cache
def reference_keys() -> frozenset[str]:
    """The keys of all publications."""
    return frozenset(_heads(_ENTRY, os.path.join(FOLDER, "references.bib")))


def require_theorem(key: str) -> None:
    """Refuse a key that is no theorem's."""
    require_key("a theorem", key, theorem_keys())


def require_reference(key: str) -> None:
    """Refuse a key that is no publication's."""
    require_key("a reference", key, reference_keys())


def require_key(what: str, key: object, known: Collection[str]) -> None:
    """Refuse a key that is not known, and name those most like it."""
    if isinstance(key, str) and key in known:
        return
    near, some = nearest(str(key), known), ", ".join(sorted(known)[:3])
    way_out = f"Did you mean {' or '.join(near)}?" if near else f"There are {len(known)}, such as {some}."
    raise UnknownKey(what, BY_KEY, key, way_out)


def _heads(head: re.Pattern[str], path: str) -> list[str]:
    """What the lines that begin an entry of a file name."""
    with open(path, encoding="utf-8") as file:
        return head.findall(file.read())


class Frozen(Mapping[Key, Item]):
    """A mapping that cannot be changed, and that can be pickled and copied as any other value.

    >>> Frozen({"block": 3})
    {'block': 3}
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Key, Item]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: Key) -> Item:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)


class Inputs(Frozen[str, Tree]):
    """What a finding came from, by name: the echo of each value, in a mapping that cannot be changed.

    >>> Inputs({"levels": (0.05, 0.1)})
    {'levels': [0.05, 0.1]}
    """

    __slots__ = ()

    def __init__(self, values: Mapping[str, object]) -> None:
        # What has been echoed once is not walked through again: inputs may be long and are shared by many findings.
        super().__init__(values if isinstance(values, Inputs) else {name: echo(v) for name, v in values.items()})


def echo(value: object) -> Tree:
    """A copy of the value as a plain tree: by its own to_dict if it has one, else by its repr if it is no plain value.

    >>> echo({"levels": (0.05, 0.1), "rounds": np.int64(3)})
    {'levels': [0.05, 0.1], 'rounds': 3}
    >>> echo(np.linspace(0.0, 1.0, 5000))
    {'count': 5000, 'smallest': 0.0, 'largest': 1.0}
    """
    if type(value) is float:  # the most frequent one, and it costs the most to be none of the others
        return _leaf(value)
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, list | tuple):
        return [echo(item) for item in value]
    if isinstance(value, Mapping):
        return _branches(value)
    to_dict = getattr(value, "to_dict", None)
    return echo(to_dict()) if callable(to_dict) else _leaf(value)


def spell_infinities(tree: Tree) -> Tree:
    """The tree with each infinite number replaced by what stands for it in JSON."""
    if isinstance(tree, list):
        return [spell_infinities(item) for item in tree]
    if isinstance(tree, dict):
        return {name: spell_infinities(item) for name, item in tree.items()}
    return {INFINITE: str(tree)} if isinstance(tree, float) and math.isinf(tree) else tree


def read_infinities(tree: Tree) -> Tree:
    """The tree that `spell_infinities` made this one of."""
    if isinstance(tree, list):
        return [read_infinities(item) for item in tree]
    if isinstance(tree, dict):
        if isinstance(infinite := tree.get(INFINITE), str):
            return float(infinite)
        return {name: read_infinities(item) for name, item in tree.items()}
    return tree


def spell_numbers(tree: Any) -> Tree:
    """Numbers in nested lists as JSON has them, the infinite ones as texts."""
    if isinstance(tree, list):
        return [spell_numbers(item) for item in tree]
    return str(tree) if tree in (float("inf"), float("-inf")) else float(tree)


def read_numbers(tree: Tree) -> NDArray[np.float64]:
    """The number or array that `spell_numbers` spelled."""

    def read(part: Any) -> Any:
        return [read(item) for item in part] if isinstance(part, list) else float(part)

    return np.asarray(read(tree), dtype=np.float64)


def _array(values: NDArray[Any]) -> Tree:
    """The echo of an array, without looking at each element where all are numbers; of very many, count and ends."""
    if values.dtype.kind not in "biuf":
        return echo(values.tolist())
    if values.dtype.kind == "f":
        _refuse_nan(bool(np.isnan(values).any()))
    if values.size > LONGEST:
        return {"count": values.size, "smallest": values.min().item(), "largest": values.max().item()}
    plain: Tree = values.tolist()
    return plain


def _branches(value: Mapping[Any, object]) -> dict[str, Tree]:
    """The echo of a mapping; what is no name becomes the text for it."""
    rule = f"must not be named {INFINITE}, which stands for an infinite number"
    require(INFINITE not in value, name="an input", rule=rule, value=dict(value), way_out="Use another name.")
    return {str(name): echo(item) for name, item in value.items()}


def _leaf(value: object) -> bool | int | float | str:
    """The echo of a number, or of what is none."""
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if not isinstance(value, float | np.floating):
        return repr(value)
    _refuse_nan(math.isnan(value))
    return float(value)


def _refuse_nan(found: bool) -> None:
    """Refuse an input that is nan: it would not even be equal to itself."""
    require(not found, name="an input", rule="must not be nan", value="nan", way_out="Leave it out, or use None.")
