"""The texts behind the numbers: theorems, assumptions and references, each written once and known by a key.

The texts are read from the files of this package when somebody first asks for one. A theorem that cites nothing, an
assumption that nobody defines or a proof page that is not there is then refused; so is a key that `basis` does not see.

References are read from a small part of BibTeX: entries that begin with `@type{key,` on a line of their own, one
`name = {value},` on each line, a closing `}` on a line of its own; authors joined by `and`, each written
`Family, Given`; no markup inside the values.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar

from whit import theory
from whit.errors import InvalidInput, require
from whit.theory.basis import FOLDER, reference_keys, require_key, theorem_files, theorem_keys
from whit.theory.hypotheses import Hypotheses
from whit.theory.prose import Prose

VENUES = ("journal", "booktitle", "howpublished")


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
        exact: the sentence for those who want to check it; its formulas can be set.
        verifier: who can check it.
    """

    key: str
    plain: str
    exact: Prose
    verifier: Verifier


@dataclass(frozen=True)
class Theorem:
    """A result that numbers are computed by.

    Attributes:
        key: its name in code.
        title: its name for people.
        statement: what it says, in our words; its formulas can be set.
        reference: key of the publication it comes from.
        locator: where in that publication.
        assumptions: keys of what it assumes.
        hypotheses: for which questions it holds, in words that a test can read.
        corrected: what differs from the publication and why; empty where nothing does.
        proof: whether proofs/<key>.md holds a proof.
    """

    key: str
    title: str
    statement: Prose
    reference: str
    locator: str
    assumptions: tuple[str, ...]
    hypotheses: Hypotheses
    corrected: Prose
    proof: bool

    @property
    def proof_page(self) -> str:
        """The file that holds the proof, if there is one."""
        return os.path.join(FOLDER, "proofs", f"{self.key}.md")

    def _repr_html_(self) -> str:
        """What a notebook shows: the statement with its formulas set, and where it comes from."""
        return theory.theorem_html(self)


@dataclass(frozen=True)
class Reference:
    """A publication.

    Attributes:
        key: its name in code.
        authors: family names, in order.
        title: its title.
        venue: the journal, the proceedings or the archive.
        year: when it appeared.
        link: where to find it.
    """

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    link: str

    @property
    def short(self) -> str:
        """The authors and the year, as a sentence cites them: two names in full, more as the first and others.

        >>> Reference("k", ("Kazan", "Reiter"), "t", "v", 2024, "l").short
        'Kazan and Reiter (2024)'
        """
        first, *others = self.authors
        names = f"{first} et al." if len(others) > 1 else " and ".join(self.authors)
        return f"{names} ({self.year})"


Entry = TypeVar("Entry", Assumption, Theorem, Reference)


class Texts(Mapping[str, Entry]):
    """Texts by key, read when one of them is first asked for; they cannot be changed."""

    def __init__(self, read: Callable[[], Mapping[str, Entry]]) -> None:
        self._read: Callable[[], Mapping[str, Entry]] = read

    @cached_property
    def _entries(self) -> Mapping[str, Entry]:
        return self._read()

    def __getitem__(self, key: str) -> Entry:
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def theorem(key: str) -> Theorem:
    """The theorem of this key.

    >>> theorem("gaussian-profile").locator
    'Theorem 8'
    """
    return _entry(THEOREMS, "a theorem", key)


def assumption(key: str) -> Assumption:
    """The assumption of this key."""
    return _entry(ASSUMPTIONS, "an assumption", key)


def reference(key: str) -> Reference:
    """The publication of this key."""
    return _entry(REFERENCES, "a reference", key)


def _entry(entries: Mapping[str, Entry], what: str, key: str) -> Entry:
    """The entry of this key, or an error that names the keys most like it."""
    require_key(what, key, entries)
    return entries[key]


def read_assumptions(path: str) -> dict[str, Assumption]:
    """The assumptions of a file by key, each with a verifier that exists."""
    return {key: _assumption(key, fields) for key, fields in _tables(path).items()}


def read_theorems(folder: str) -> dict[str, Theorem]:
    """The theorems of all files of a folder by key; a key stands in one file only."""
    found: dict[str, Theorem] = {}
    for path in theorem_files(folder):
        entries, name = _tables(path), os.path.basename(path)
        twice = ", ".join(entries.keys() & found.keys())
        rule = "must not hold a theorem that another file holds already"
        require(not twice, name=f"theorems/{name}", rule=rule, value=twice, way_out="Remove it from one of them.")
        found |= {key: _theorem(key, fields) for key, fields in entries.items()}
    return found


def read_bibliography(path: str) -> dict[str, Reference]:
    """The publications of a BibTeX file by key."""
    entries: dict[str, dict[str, str]] = {}
    key = ""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        name, equals, value = line.partition(" = {")
        if line.startswith("@"):
            key = line.partition("{")[2].rstrip(",")
            _require(key not in entries, key, "must be there once", "a second one")
            entries[key] = {}
        elif equals:
            whole = key in entries and value.endswith("},")
            _require(whole, key, "must have each value on one line, in braces", line.strip())
            entries[key][name.strip()] = value.removesuffix("},")
        else:
            _require(line in ("", "}"), path, "must have nothing but entries", line)
    return {key: _reference(key, fields) for key, fields in entries.items()}


def check_cross_references(
    theorems: Mapping[str, Theorem], assumptions: Mapping[str, Assumption], references: Mapping[str, Reference]
) -> None:
    """Refuse a theorem whose reference, assumption or promised proof page does not exist."""
    for entry in theorems.values():
        _entry(references, f"the reference of theorem {entry.key!r}", entry.reference)
        for key in entry.assumptions:
            _entry(assumptions, f"an assumption of theorem {entry.key!r}", key)
        if entry.proof != os.path.isfile(entry.proof_page):
            rule = "must say proof = true if, and only if, it has a proof page"
            way_out = f"Correct the entry, or write or remove proofs/{entry.key}.md."
            raise InvalidInput(f"theorem {entry.key!r}", rule, f"proof = {str(entry.proof).lower()}", way_out)


def check_keys(what: str, read: Collection[str], seen: Collection[str]) -> None:
    """Refuse texts whose keys are not those that a citation is checked against."""
    odd = ", ".join(sorted(set(read) ^ set(seen)))
    way_out = "Begin each entry with a line that holds nothing but its key in brackets."
    require(not odd, name=what, rule="must have keys that are seen without reading them", value=odd, way_out=way_out)


def _tables(path: str) -> dict[str, dict[str, Any]]:
    """The tables of a TOML file by name."""
    import tomllib  # only a reader of the texts needs it

    with open(path, "rb") as file:
        return tomllib.load(file)


def _assumption(key: str, fields: dict[str, Any]) -> Assumption:
    """One assumption from its table."""
    _require_fields(Assumption, key, fields)
    names = [verifier.value for verifier in Verifier]
    if fields["verifier"] not in names:
        name, rule = f"the verifier of assumption {key!r}", f"must be one of {', '.join(names)}"
        raise InvalidInput(name, rule, fields["verifier"], "Name whoever can check it.")
    return Assumption(key, fields["plain"], Prose(fields["exact"]), Verifier(fields["verifier"]))


def _theorem(key: str, fields: dict[str, Any]) -> Theorem:
    """One theorem from its table."""
    _require_fields(Theorem, key, fields)
    texts = {name: Prose(fields[name]) for name in ("statement", "corrected")}
    hypotheses = Hypotheses.of(key, fields["hypotheses"])
    listed = {"assumptions": tuple(fields["assumptions"]), "hypotheses": hypotheses}
    return Theorem(key=key, **{**fields, **texts, **listed})


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


def _reference(key: str, fields: dict[str, str]) -> Reference:
    """One publication from its fields."""
    venues = [fields[name] for name in VENUES if name in fields]
    missing = [name for name in ("author", "title", "year", "url") if not fields.get(name)]
    _require(not missing, key, "must have an author, a title, a year and a url", f"no {', '.join(missing)}")
    _require(len(venues) == 1, key, f"must have one of {', '.join(VENUES)}", f"{len(venues)} of them")
    families = tuple(name.partition(",")[0].strip() for name in fields["author"].split(" and "))
    return Reference(key, families, fields["title"], venues[0], int(fields["year"]), fields["url"])


def _require(condition: bool, key: str, rule: str, value: str) -> None:
    """Refuse an entry that breaks a rule."""
    require(condition, name=f"reference {key!r}", rule=rule, value=value, way_out="Correct its entry.")


def _references() -> dict[str, Reference]:
    """The publications, checked."""
    found = read_bibliography(os.path.join(FOLDER, "references.bib"))
    check_keys("references.bib", found, reference_keys())
    return found


def _theorems() -> dict[str, Theorem]:
    """The theorems, checked."""
    found = read_theorems(os.path.join(FOLDER, "theorems"))
    check_keys("the theorems", found, theorem_keys())
    check_cross_references(found, ASSUMPTIONS, REFERENCES)
    return found


REFERENCES = Texts(_references)
"""The publications by key."""

ASSUMPTIONS = Texts(lambda: read_assumptions(os.path.join(FOLDER, "assumptions.toml")))
"""What must hold in the world, by key."""

THEOREMS = Texts(_theorems)
"""The theorems by key."""
