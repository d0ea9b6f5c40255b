"""Findings as JSON: what is written, and how it is read back to equality.

A text holds the version of whit that wrote it, the number of the layout, and one object under the name of what it is.
Numbers keep every bit; infinite values are the texts "inf" and "-inf"; theorems are written by key, and the
assumptions, which follow from them, are not written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, WhitError, require
from whit.theory.basis import Basis, Failure, Randomness
from whit.theory.inputs import Tree, read, written
from whit.theory.quantity import Quantity, Unit
from whit.version import VERSION

LAYOUT = 2
"""The number of the layout; it grows when an older reader would misunderstand a text."""

Read = TypeVar("Read")


def to_text(what: str, content: Mapping[str, Any]) -> str:
    """The JSON text of an object."""
    return json.dumps({"whit": VERSION, "layout": LAYOUT, what: dict(content)}, allow_nan=False, ensure_ascii=False)


def from_text(what: str, text: str, build: Callable[[Mapping[str, Any]], Read]) -> Read:
    """The object of a JSON text, made by the builder; a text that is none of ours is refused."""
    try:
        tree = json.loads(text)
        layout, content = tree["layout"], tree[what]
    except (TypeError, ValueError, KeyError, RecursionError) as broken:
        raise _not_ours(what, text) from broken
    require(
        layout == LAYOUT,
        name="the layout of a JSON text",
        rule=f"must be {LAYOUT}",
        value=layout,
        way_out="Read it with the version of whit that wrote it; the text names it.",
    )
    try:
        return build(content)
    except WhitError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as broken:
        raise _not_ours(what, text) from broken


def _not_ours(what: str, text: object) -> InvalidInput:
    """The error about a text that does not hold what it should."""
    return InvalidInput("a JSON text", f"must hold the {what} that its own to_json wrote", text, "Check its source.")


def number_out(value: float | NDArray[np.float64]) -> Tree:
    """A number or an array of numbers as JSON has it."""
    return _spelled(np.asarray(value).tolist())


def number_in(tree: Tree) -> NDArray[np.float64]:
    """The number or array that was written so."""
    return np.asarray(_unspelled(tree), dtype=np.float64)


def common_out(quantity: Quantity, inputs: Mapping[str, Tree], basis: Basis) -> dict[str, Tree]:
    """What every kind of finding has: quantity, inputs and basis."""
    return {
        "quantity": {"name": quantity.name, "unit": quantity.unit.name, "less_is_worse": quantity.less_is_worse},
        "inputs": written(dict(inputs)),
        "basis": {
            "theorems": list(basis.theorems),
            "failures": [{"probability": f.probability, "over": f.over.name} for f in basis.failures],
            "slack": basis.slack,
            "truncation": basis.truncation,
        },
    }


def quantity_in(content: Mapping[str, Any]) -> Quantity:
    """The quantity of a finding that was written so."""
    quantity = content["quantity"]
    return Quantity(quantity["name"], Unit[quantity["unit"]], quantity["less_is_worse"] is True)


def inputs_in(content: Mapping[str, Any]) -> dict[str, Tree]:
    """The inputs of a finding that was written so."""
    return {name: read(item) for name, item in content["inputs"].items()}


def basis_in(content: Mapping[str, Any]) -> Basis:
    """The basis of a finding that was written so."""
    basis = content["basis"]
    failures = tuple(Failure(f["probability"], Randomness[f["over"]]) for f in basis["failures"])
    return Basis(tuple(basis["theorems"]), failures, basis["slack"], basis["truncation"])


def _spelled(tree: Any) -> Tree:
    """Nested lists of numbers, the infinite ones as texts."""
    if isinstance(tree, list):
        return [_spelled(item) for item in tree]
    return str(tree) if tree in (float("inf"), float("-inf")) else float(tree)


def _unspelled(tree: Tree) -> Any:
    """Nested lists of numbers, from what was written."""
    return [_unspelled(item) for item in tree] if isinstance(tree, list) else float(tree)  # type: ignore[arg-type]
