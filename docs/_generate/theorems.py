"""A page for each theorem, and pages of assumptions and of references, from the registry of theory."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from _generate.markdown import code, link, page, plain, table, with_formulas
from _generate.names import described_as
from _generate.places import ROOT, moved, outside_code
from _generate.uses import Use, uses
from whit.theory import ASSUMPTIONS, REFERENCES, THEOREMS, Reference, Theorem, Verifier

FOLDER = "reference/theorems"

TOPICS = {
    "promises": "Curves, promises and mechanisms",
    "membership": "Membership: beliefs about one fact",
    "membership_releases": "Membership: from beliefs to promises, and many releases",
    "disclosure": "Disclosure: the risk of a value",
    "moments": "At every moment",
    "filters": "Budgets, and choices on the way",
    "counterfactual": "Counterfactual: with and without a person",
    "testing": "Testing: level and power",
    "persuasion": "Persuasion: scores",
    "worlds": "Worlds: small universes, exactly",
    "audit": "Releases without noise",
    "policy": "The choice of a parameter",
    "plans": "Release plans",
}
"""What the theorems are about, by the file of the registry that holds them."""

CHECKED_BY = {
    Verifier.CURATOR: "the curator of the data",
    Verifier.SOFTWARE: "the software that adds the noise",
    Verifier.MODELLING: "whoever chose the model",
}


def theorem_pages() -> dict[str, str]:
    """A page for each theorem, one for each topic, and the list of them all."""
    pages = {f"{FOLDER}/{key}.md": theorem_page(entry) for key, entry in THEOREMS.items()}
    by_topic = {f"{FOLDER}/{_stem(topic)}.md": _topic_page(topic, keys) for topic, keys in topics().items()}
    return {**pages, **by_topic, f"{FOLDER}/index.md": _list_of_theorems()}


def theorem_page(entry: Theorem) -> str:
    """What a theorem says, where it comes from, what it assumes, why it holds and where it is used."""
    return page(
        plain(entry.title),
        f"Key: {code(entry.key)}",
        with_formulas(entry.statement),
        f"**Where it comes from.** {_place(entry)}",
        f"**What differs from the print.** {with_formulas(entry.corrected)}" if entry.corrected else "",
        "## What it holds for",
        _held(entry),
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
            with_formulas(e.exact),
            CHECKED_BY[e.verifier],
        ]
        for e in entries
    ]
    return table(["assumption", "in plain words", "exactly", "checked by"], rows)


def _held(entry: Theorem) -> str:
    rows = [list(each) for each in entry.hypotheses.in_words().items()]
    return table(["hypothesis", "it holds for"], rows)


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


def topics() -> dict[str, tuple[str, ...]]:
    """The keys of the theorems by topic; a topic is a file of the registry."""
    files = {topic: (ROOT / "src/whit/theory/theorems" / f"{name}.toml").read_text() for name, topic in TOPICS.items()}
    return {topic: tuple(tomllib.loads(text)) for topic, text in files.items()}


def _stem(topic: str) -> str:
    """Where the page of a topic stands, below the folder of the theorems."""
    return f"topics/{next(name for name, title in TOPICS.items() if title == topic).replace('_', '-')}"


def _topic_page(topic: str, keys: Sequence[str]) -> str:
    """The theorems of a topic, which the menu of the site shows below it."""
    return page(topic, _table(keys, "../"), _menu(f"../{key}" for key in keys))


def _table(keys: Sequence[str], folder: str = "") -> str:
    rows = (_row(THEOREMS[key], folder) for key in keys)
    return f"````{{container}} theorems\n{table(['key', 'theorem', 'where it comes from', ''], rows)}\n````"


def _menu(entries: Iterable[str]) -> str:
    return "```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```"


def _row(entry: Theorem, folder: str) -> list[str]:
    source = plain(f"{REFERENCES[entry.reference].short}, {entry.locator}")
    return [link(code(entry.key), f"{folder}{entry.key}.md"), plain(entry.title), source, _marks(entry)]


def _list_of_theorems() -> str:
    proved = sum(entry.proof for entry in THEOREMS.values())
    return page(
        "Theorems",
        f"Every number that whit gives names the theorems that it rests on. There are {len(THEOREMS)} of them. "
        f"{proved} claim more than their source does: these have a proof of our own, with a check that is run by the "
        "tests. Where a printed statement needed a correction, its page says so.",
        *(
            part
            for topic, keys in topics().items()
            for part in (f"## {link(topic, f'{_stem(topic)}.md')}", _table(keys))
        ),
        _menu(map(_stem, topics())),
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
            f"**Exactly.** {with_formulas(entry.exact)}",
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
