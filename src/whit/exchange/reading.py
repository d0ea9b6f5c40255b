"""The one way in: an object of another library, or a file of it, as what was learned from it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from whit.errors import InvalidInput, Unavailable
from whit.exchange.autodp import from_autodp, is_autodp
from whit.exchange.budgets import from_smartnoise, from_tumult, is_smartnoise, is_tumult, is_tumult_session
from whit.exchange.dp_accountants import from_dp_accountant, is_dp_accountant
from whit.exchange.dp_events import from_dp_event, is_dp_event
from whit.exchange.learned import Learned
from whit.exchange.loss_distributions import from_loss_distribution, is_loss_distribution
from whit.exchange.opacus import from_opacus, is_opacus
from whit.exchange.opendp import from_opendp, is_opendp
from whit.exchange.pipeline_dp import from_pipeline_dp, is_pipeline_dp
from whit.exchange.prv import from_prv, is_prv
from whit.exchange.registry import from_registry, is_registry, tree_of_yaml
from whit.exchange.releases import ListedRelease, from_releases, is_table, releases_in_csv, releases_in_parquet
from whit.files import content_of, place_of
from whit.notations import from_json, from_toml
from whit.spec import AsWritten

LARGEST_FILE = 50_000_000
"""Bytes; a description of releases is far smaller."""

READERS: tuple[tuple[Callable[[object], bool], Callable[[Any], Learned]], ...] = (
    (is_dp_event, from_dp_event),
    (is_dp_accountant, from_dp_accountant),
    (is_loss_distribution, from_loss_distribution),
    (is_opacus, from_opacus),
    (is_prv, from_prv),
    (is_autodp, from_autodp),
    (is_tumult, from_tumult),
    (is_tumult_session, from_tumult),
    (is_pipeline_dp, from_pipeline_dp),
    (is_smartnoise, from_smartnoise),
    (is_registry, from_registry),
    (is_table, from_releases),
)
"""How something is recognised, and how it is then read."""

TABLES = (".csv", ".parquet")
"""How the names of files with tables of releases end."""

_OBJECT = "the object"
_KNOWN = (
    "Pass an event, an accountant or a privacy loss distribution of dp-accounting, an accountant of Opacus, riskcal, "
    "prv-accountant or PipelineDP, a measurement of OpenDP, a mechanism of autodp, a budget of Tumult, an odometer of "
    "SmartNoise, a record of the registry, or a table of releases."
)
_KEYS = AsWritten(
    "whit looks for class_name (an event of dp-accounting), pessimistic_pmf (a privacy loss distribution), history and "
    "mechanism (Opacus), __function__ and __kwargs__ (OpenDP), total_epsilon (PipelineDP), steps (SmartNoise), "
    "epsilon, delta or rho alone (Tumult), or deployment and url_slug (a record of the registry)."
)
_OURS = "Ask about it by --from, as in whit assess --from release.toml."
_NAMES = "A named tuple becomes a list in JSON: write the _asdict() of the event and of every event inside."
_EXPORT = "Export the object as JSON. Pickled objects and checkpoints are not opened."


def learn(value: object, *, d_in: float | None = None) -> Learned:
    """What an object of another library says about the privacy of a release.

    value   the object, or its tree
    d_in    for a measurement of OpenDP: the distance between neighbouring inputs

    >>> print(learn({"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}).source)
    event GaussianDpEvent
    """
    if isinstance(value, Learned):
        return value
    if is_opendp(value):
        return from_opendp(value, d_in=d_in)
    for recognises, read in READERS:
        if recognises(value):
            return read(value)
    if isinstance(value, Mapping):
        if "promise" in value:
            raise InvalidInput(_OBJECT, "must come from another library", "a release file of whit", _OURS)
        keys = ", ".join(map(str, value)) or "none"
        raise InvalidInput(_OBJECT, "must have keys that whit knows", keys, _KEYS)
    kind = f"a {type(value).__module__}.{type(value).__name__}"
    raise InvalidInput(_OBJECT, "must be one that whit can read", kind, _KNOWN)


def learn_from_file(path: str | os.PathLike[str], *, d_in: float | None = None) -> Learned:
    """The same from a file: JSON or TOML, the YAML of a registry record, or a table of releases in CSV or Parquet.

    Pickled objects and checkpoints are refused: opening one runs its code.
    """
    place = place_of(path)
    if place.suffix.lower() in TABLES:
        return from_releases(releases_in_file(place), name=place.name)
    tree = _tree(place)
    if isinstance(tree, list) and len(tree) > 1 and str(tree[1]).endswith("DpEvent"):
        raise InvalidInput("the event", "must have its fields by name", "a list without names", _NAMES)
    try:
        return _learned(tree, place.name, d_in)
    except RecursionError as error:
        raise InvalidInput("the file", "must be less deep", place.name, "Flatten the composition.") from error


def _learned(tree: object, file: str, d_in: float | None) -> Learned:
    """What the tree of a file says; an object that nobody knows is said to be the file's."""
    try:
        return learn(_history_in(tree), d_in=d_in)
    except InvalidInput as wrong:
        if wrong.name != _OBJECT:
            raise
        raise wrong.renamed(file) from wrong


def releases_in_file(path: str | os.PathLike[str]) -> tuple[ListedRelease, ...]:
    """The releases of a CSV or Parquet file, row by row."""
    place = place_of(path)
    content = _bytes(place)
    if place.suffix.lower() == ".parquet":
        return releases_in_parquet(content, name=place.name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput("the file", "must be text in UTF-8", place.name, "Save it again.") from error
    return releases_in_csv(text, name=place.name)


def _tree(place: Path) -> object:
    """The plain values of a file, by how its name ends."""
    text = _bytes(place)
    try:
        if place.suffix.lower() in (".yaml", ".yml"):
            return tree_of_yaml(text.decode("utf-8-sig"), place.name)
        if place.suffix.lower() == ".toml":
            return from_toml(text.decode("utf-8-sig"), place.name)
        return from_json(text, place.name)
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        kind = "TOML" if place.suffix.lower() == ".toml" else "JSON"
        raise InvalidInput("the file", f"must be {kind}", place.name, _EXPORT) from error


def _bytes(place: Path) -> bytes:
    """What is in a file, if it is not too large."""
    try:
        return content_of(place, most=LARGEST_FILE)
    except OSError as error:
        if error.errno == errno.EFBIG:
            rule = f"must be at most {LARGEST_FILE} bytes"
            raise InvalidInput("the file", rule, place.name, "Export the history alone, not the model.") from error
        rule = f"must be readable ({error.strerror or error})"
        name = place.name or str(place)
        raise Unavailable(f"the file {name}", rule, name, "Give the path of a file that was exported.") from error


def _history_in(tree: object) -> object:
    """What is read of a tree: a state of an accountant may stand inside of a checkpoint's tree."""
    inside = "privacy_accountant_state_dict"
    return tree[inside] if isinstance(tree, Mapping) and inside in tree else tree
