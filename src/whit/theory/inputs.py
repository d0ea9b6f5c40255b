"""Inputs as plain trees: what can be written to JSON and read back without loss."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from whit.errors import require

Tree: TypeAlias = "bool | int | float | str | list[Tree] | dict[str, Tree] | None"
"""A plain tree: a bool, a number, a text, a list of trees, trees by name, or nothing."""

Key = TypeVar("Key")
Item = TypeVar("Item")

INFINITE = "$float"
"""JSON has no infinity: inside a tree it is written {"$float": "inf"}, so that it is not taken for a text."""

LONGEST = 1000
"""The most numbers of one array that are repeated; of more it is told how many, and between which two they lie."""


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
    described = getattr(value, "to_dict", None)
    return echo(described()) if callable(described) else _leaf(value)


def written(tree: Tree) -> Tree:
    """The tree with each infinite number replaced by what stands for it in JSON."""
    if isinstance(tree, list):
        return [written(item) for item in tree]
    if isinstance(tree, dict):
        return {name: written(item) for name, item in tree.items()}
    return {INFINITE: str(tree)} if isinstance(tree, float) and math.isinf(tree) else tree


def read(tree: Tree) -> Tree:
    """The tree that was written so."""
    if isinstance(tree, list):
        return [read(item) for item in tree]
    if isinstance(tree, dict):
        infinite = tree.get(INFINITE)
        return float(infinite) if isinstance(infinite, str) else {name: read(item) for name, item in tree.items()}
    return tree


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
    require(
        INFINITE not in value,
        name="an input",
        rule=f"must not be named {INFINITE}, which stands for an infinite number",
        value=dict(value),
        way_out="Use another name.",
    )
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
