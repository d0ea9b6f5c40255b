"""The publications that results come from, read from a small part of BibTeX.

Understood is what references.bib needs: entries that begin with `@type{key,` on a line of their own, one
`name = {value},` on each line, a closing `}` on a line of its own; authors joined by `and`, each written
`Family, Given`; no markup inside the values.
"""

from __future__ import annotations

from dataclasses import dataclass

from whit.errors import require

VENUES = ("journal", "booktitle", "howpublished")


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
