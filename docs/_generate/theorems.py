"""A page for each theorem, and pages of assumptions and of references, from the registry of theory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from _generate.markdown import code, link, page, plain, table
from _generate.names import described_as
from _generate.places import ROOT, moved, outside_code
from _generate.uses import Use, uses
from whit.theory import ASSUMPTIONS, REFERENCES, THEOREMS, Reference, Theorem, Verifier

FOLDER = "reference/theorems"

CHECKED_BY = {
    Verifier.CURATOR: "the curator of the data",
    Verifier.SOFTWARE: "the software that adds the noise",
    Verifier.MODELLING: "whoever chose the model",
}


def theorem_pages() -> dict[str, str]:
    """A page for each theorem, and the list of them all."""
    pages = {f"{FOLDER}/{key}.md": theorem_page(entry) for key, entry in THEOREMS.items()}
    return {**pages, f"{FOLDER}/index.md": _list_of_theorems()}


# So many entries would drown the others in the list of pages beside each page; the page of all theorems leads to them.
_NOT_LISTED = "---\norphan: true\n---\n\n"


def theorem_page(entry: Theorem) -> str:
    """What a theorem says, where it comes from, what it assumes, why it holds and where it is used."""
    return _NOT_LISTED + page(
        plain(entry.title),
        f"Key: {code(entry.key)}",
        plain(entry.statement),
        f"**Where it comes from.** {_place(entry)}",
        f"**What differs from the print.** {plain(entry.corrected)}" if entry.corrected else "",
        "## What it assumes",
        _assumed(entry.assumptions),
        "## Where it is used",
        _used(_uses()[entry.key]),
        "## Proof",
        _proof(entry),
    )


def _place(entry: Theorem) -> str:
    source = REFERENCES[entry.reference]
    words = link(plain(source.short), f"../references.md#{anchor(source.key)}")
    return f"{words}, {plain(entry.locator)}."


def anchor(key: str) -> str:
    """The anchor of an entry among the references or the assumptions."""
    return key.lower()


def _assumed(keys: Sequence[str]) -> str:
    if not keys:
        return "Nothing about the world: it is a statement about two distributions."
    entries = [ASSUMPTIONS[key] for key in keys]
    rows = [
        [
            link(code(e.key), f"../assumptions.md#{anchor(e.key)}"),
            plain(e.plain),
            plain(e.exact),
            CHECKED_BY[e.verifier],
        ]
        for e in entries
    ]
    return table(["assumption", "in plain words", "exactly", "checked by"], rows)


@cache
def _uses() -> Mapping[str, tuple[Use, ...]]:
    return uses(THEOREMS)


def _used(found: Sequence[Use]) -> str:
    """The definitions that name the theorem; public ones lead to their description."""
    return "\n".join(f"- {_reference(use)}" for use in found)


def _reference(use: Use) -> str:
    if not use.name:
        return code(use.module)
    public = described_as(f"{use.module}.{use.name}")
    return f"{{py:obj}}`{use.name} <{public}>` in `{use.module}`" if public else code(f"{use.module}.{use.name}")


def _proof(entry: Theorem) -> str:
    """The proof of our own, with its check, or where to find one."""
    if not entry.proof:
        return f"In the publication: {_place(entry)}"
    origin = f"src/whit/theory/proofs/{entry.key}.md"
    text, _ = moved((ROOT / origin).read_text(encoding="utf-8"), origin)
    body = re.sub(r"\A# .*\n", "", text).strip()
    return outside_code(body, lambda part: re.sub(r"^#", "##", part, flags=re.MULTILINE))


def _list_of_theorems() -> str:
    rows = [
        [
            link(plain(entry.title), f"{key}.md"),
            plain(f"{REFERENCES[entry.reference].short}, {entry.locator}"),
            _marks(entry),
        ]
        for key, entry in sorted(THEOREMS.items(), key=lambda item: item[1].title.lower())
    ]
    proved = sum(entry.proof for entry in THEOREMS.values())
    return page(
        "Theorems",
        f"Every number that whit gives names the theorems that it rests on. There are {len(THEOREMS)} of them. "
        f"{proved} claim more than their source does: these have a proof of our own, with a check that is run by the "
        "tests. Where a printed statement needed a correction, its page says so.",
        table(["theorem", "where it comes from", ""], rows),
    )


def _marks(entry: Theorem) -> str:
    marks = [*(["proof here"] if entry.proof else []), *(["corrected"] if entry.corrected else [])]
    return ", ".join(marks)


def assumptions_page() -> str:
    """What must hold in the world, and which theorems ask for it."""
    parts = []
    for key, entry in ASSUMPTIONS.items():
        made_by = [link(code(t.key), f"theorems/{t.key}.md") for t in THEOREMS.values() if key in t.assumptions]
        parts += [
            f"({anchor(key)})=\n## {plain(entry.plain)}",
            f"Key: {code(key)}. Checked by {CHECKED_BY[entry.verifier]}.",
            f"**Exactly.** {plain(entry.exact)}",
            f"**Assumed by** {', '.join(made_by)}.",
        ]
    intro = "What must hold in the world for the theorems to speak about it. Every number names the ones that it needs."
    return page("Assumptions", intro, *parts)


def cited(entry: Reference) -> str:
    """A publication as a list of references has it."""
    authors, title, venue = plain(", ".join(entry.authors)), plain(entry.title), plain(entry.venue)
    return f"{authors}. *{title}.* {venue}, {entry.year}. <{entry.link}>"


def references_page() -> str:
    """The publications, and the theorems that come from each."""
    parts = []
    for entry in sorted(REFERENCES.values(), key=lambda each: (each.authors, each.year)):
        taken = [link(code(t.key), f"theorems/{t.key}.md") for t in THEOREMS.values() if t.reference == entry.key]
        parts += [
            f"({anchor(entry.key)})=\n## {plain(entry.short)}",
            cited(entry),
            f"From it: {', '.join(taken)}." if taken else "",
        ]
    return page("References", "Where the theorems come from.", *parts)
