"""The texts behind the numbers: theorems, assumptions and references, each written once and known by a key.

The texts are read from the files beside this module when it is imported. A theorem that cites nothing, an assumption
that nobody defines or a proof page that is not there stops the import.
"""

from __future__ import annotations

import os.path
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, TypeVar

from whit.errors import InvalidInput, UnknownKey, require
from whit.theory.bibliography import Reference, read_bibliography

_ONCE = "must not hold a theorem that another file holds already"

FOLDER = os.path.dirname(__file__)
"""Where the texts are. (Not a Path: importing pathlib would cost as much as reading them.)"""


class Verifier(Enum):
    """Who can check whether an assumption holds."""

    CURATOR = "curator"
    SOFTWARE = "software"
    MODELLING = "modelling"


@dataclass(frozen=True)
class Assumption:
    """Something that must hold for a theorem to say anything about the world.

    Attributes:
        key: its name in code.
        plain: the sentence for everybody.
        exact: the sentence for those who want to check it.
        verifier: who can check it.
    """

    key: str
    plain: str
    exact: str
    verifier: Verifier


@dataclass(frozen=True)
class Theorem:
    """A result that numbers are computed by.

    Attributes:
        key: its name in code.
        title: its name for people.
        statement: what it says, in our words.
        reference: key of the publication it comes from.
        locator: where in that publication.
        assumptions: keys of what it assumes.
        corrected: what differs from the publication and why; empty where nothing does.
        proof: whether proofs/<key>.md holds a proof.
    """

    key: str
    title: str
    statement: str
    reference: str
    locator: str
    assumptions: tuple[str, ...]
    corrected: str
    proof: bool

    @property
    def proof_page(self) -> str:
        """The file that holds the proof, if there is one."""
        return os.path.join(FOLDER, "proofs", f"{self.key}.md")


Entry = TypeVar("Entry", Assumption, Theorem, Reference)


def theorem(key: str) -> Theorem:
    """The theorem of this key.

    >>> theorem("gaussian-profile").locator
    'Theorem 8'
    """
    return _found(THEOREMS, "a theorem", key)


def assumption(key: str) -> Assumption:
    """The assumption of this key."""
    return _found(ASSUMPTIONS, "an assumption", key)


def reference(key: str) -> Reference:
    """The publication of this key."""
    return _found(REFERENCES, "a reference", key)


def _found(entries: Mapping[str, Entry], what: str, key: str) -> Entry:
    """The entry of this key, or an error that names the keys most like it."""
    try:
        return entries[key]
    except KeyError as unknown:
        import difflib  # only a mistake needs it

        near = difflib.get_close_matches(str(key), entries, n=3, cutoff=0.4) or sorted(entries)
        way_out = f"Perhaps one of these is meant: {', '.join(near)}."
        raise UnknownKey(what, "must be known by its key", key, way_out) from unknown


def read_assumptions(path: str) -> dict[str, Assumption]:
    """The assumptions of a file by key, each with a verifier that exists."""
    return {key: _assumption(key, fields) for key, fields in _tables(path).items()}


def read_theorems(folder: str) -> dict[str, Theorem]:
    """The theorems of all files of a folder by key; a key stands in one file only."""
    found: dict[str, Theorem] = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".toml"):
            entries = _tables(os.path.join(folder, name))
            twice = ", ".join(entries.keys() & found.keys())
            require(not twice, name=f"theorems/{name}", rule=_ONCE, value=twice, way_out="Remove it from one of them.")
            found |= {key: _theorem(key, fields) for key, fields in entries.items()}
    return found


def check_cross_references(
    theorems: Mapping[str, Theorem], assumptions: Mapping[str, Assumption], references: Mapping[str, Reference]
) -> None:
    """Refuse a theorem whose reference, assumption or promised proof page does not exist."""
    for entry in theorems.values():
        _found(references, f"the reference of theorem {entry.key!r}", entry.reference)
        for key in entry.assumptions:
            _found(assumptions, f"an assumption of theorem {entry.key!r}", key)
        require(
            entry.proof == os.path.isfile(entry.proof_page),
            name=f"theorem {entry.key!r}",
            rule="must say proof = true if, and only if, it has a proof page",
            value=f"proof = {str(entry.proof).lower()}",
            way_out=f"Correct the entry, or write or remove proofs/{entry.key}.md.",
        )


def _tables(path: str) -> dict[str, dict[str, Any]]:
    """The tables of a TOML file by name."""
    with open(path, "rb") as file:
        return tomllib.load(file)


def _assumption(key: str, fields: dict[str, Any]) -> Assumption:
    """One assumption from its table."""
    _require_fields(Assumption, key, fields)
    names = [verifier.value for verifier in Verifier]
    require(
        fields["verifier"] in names,
        name=f"the verifier of assumption {key!r}",
        rule=f"must be one of {', '.join(names)}",
        value=fields["verifier"],
        way_out="Name whoever can check it.",
    )
    return Assumption(key=key, plain=fields["plain"], exact=fields["exact"], verifier=Verifier(fields["verifier"]))


def _theorem(key: str, fields: dict[str, Any]) -> Theorem:
    """One theorem from its table."""
    _require_fields(Theorem, key, fields)
    return Theorem(key=key, **{**fields, "assumptions": tuple(fields["assumptions"])})


def _require_fields(record: type[Assumption | Theorem], key: str, fields: dict[str, Any]) -> None:
    """Refuse a table with a field too many, a field too few, or an empty text other than `corrected`."""
    wanted = set(record.__annotations__) - {"key"}
    odd = sorted(wanted ^ set(fields)) or sorted(n for n, v in fields.items() if v == "" and n != "corrected")
    if odd:
        raise InvalidInput(
            f"{record.__name__.lower()} {key!r}",
            f"must have exactly the fields {', '.join(sorted(wanted))}, none of them empty but `corrected`",
            f"{', '.join(odd)} missing, empty or unknown",
            "Correct its table.",
        )


REFERENCES = MappingProxyType(read_bibliography(os.path.join(FOLDER, "references.bib")))
ASSUMPTIONS = MappingProxyType(read_assumptions(os.path.join(FOLDER, "assumptions.toml")))
THEOREMS = MappingProxyType(read_theorems(os.path.join(FOLDER, "theorems")))
check_cross_references(THEOREMS, ASSUMPTIONS, REFERENCES)
