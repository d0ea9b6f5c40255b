"""The one way in: an object of another library, or a JSON file of it, as what was learned from it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from whit.errors import InvalidInput, Unavailable
from whit.exchange.budgets import from_smartnoise, from_tumult, is_smartnoise, is_tumult
from whit.exchange.dp_events import from_dp_event, is_dp_event
from whit.exchange.learned import Learned
from whit.exchange.opacus import from_opacus, is_opacus
from whit.exchange.opendp import from_opendp, is_opendp

LARGEST_FILE = 50_000_000
"""Bytes; a description of releases is far smaller."""

READERS: tuple[tuple[Callable[[object], bool], Callable[[Any], Learned]], ...] = (
    (is_dp_event, from_dp_event),
    (is_opacus, from_opacus),
    (is_tumult, from_tumult),
    (is_smartnoise, from_smartnoise),
)
"""How something is recognised, and how it is then read."""

_KNOWN = (
    "Pass an event of dp-accounting, an accountant of Opacus, a measurement of OpenDP, a budget of Tumult or an "
    "odometer of SmartNoise."
)
_NAMES = "A named tuple becomes a list in JSON: write the _asdict() of the event and of every event inside."


def learn(value: object, *, d_in: float | None = None) -> Learned:
    """What an object of another library says about the privacy of a release.

    value   the object, or its tree
    d_in    for a measurement of OpenDP: the distance between neighbouring inputs

    >>> print(learn({"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}).source)
    event GaussianDpEvent
    """
    if is_opendp(value):
        return from_opendp(value, d_in=d_in)
    for recognises, read in READERS:
        if recognises(value):
            return read(value)
    kind = f"a {type(value).__module__}.{type(value).__name__}"
    raise InvalidInput("the object", "must be one that whit can read", kind, _KNOWN)


def learn_from_file(path: str | os.PathLike[str], *, d_in: float | None = None) -> Learned:
    """The same from a JSON file. Pickled objects and checkpoints are refused: opening one runs its code."""
    place = Path(path).expanduser()
    try:
        size = place.stat().st_size
        text = place.read_bytes() if size <= LARGEST_FILE else b""
    except OSError as error:
        raise Unavailable("the file", "must be readable", place.name, f"{error.strerror or error}.") from error
    if size > LARGEST_FILE:
        rule = f"must be at most {LARGEST_FILE} bytes"
        raise InvalidInput("the file", rule, size, "Export the history alone, not the model.")
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError) as error:
        way_out = "Export the object as JSON. Pickled objects and checkpoints are not opened."
        raise InvalidInput("the file", "must be JSON", place.name, way_out) from error
    if isinstance(tree, list) and len(tree) > 1 and str(tree[1]).endswith("DpEvent"):
        raise InvalidInput("the event", "must have its fields by name", "a list without names", _NAMES)
    try:
        return learn(_history_in(tree), d_in=d_in)
    except RecursionError as error:
        raise InvalidInput("the file", "must be less deep", place.name, "Flatten the composition.") from error


def _history_in(tree: object) -> object:
    """What is read of a tree: a state of an accountant may stand inside of a checkpoint's tree."""
    inside = "privacy_accountant_state_dict"
    return tree[inside] if isinstance(tree, Mapping) and inside in tree else tree
