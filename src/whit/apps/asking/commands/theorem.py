"""`whit theorem`: what a number rests on."""

from __future__ import annotations

from pathlib import Path

from whit.apps.asking.answers import Answers, Table, Told
from whit.apps.asking.fields import Field, yes_no
from whit.apps.asking.request import Command, Request
from whit.theory import THEOREMS, Theorem, assumption, reference
from whit.theory import theorem as known

KEY = Field("key", "The key, as the answers of other commands name it.", symbol="KEY", argument=True)
ABOUT = Field("about", "Only theorems whose key, title or statement has this word.", symbol="WORD", default="")
PROOF = yes_no("proof", "Print the proof, if whit has one of its own.")


def answer(request: Request) -> Told:
    """The theorem of a key; without a key, all theorems."""
    key = request.values.get("key")
    if key is None:
        return _listed(request.values["about"].lower())
    entry = known(key)
    proof = _proof(entry) if request.values["proof"] else ""
    hint = [] if proof or not entry.proof else ["", "Add --proof to see whit's own proof."]
    return Told(Answers("theorem", {"key": key}, result=_tree(entry)), "\n".join(_lines(entry) + hint), page=proof)


COMMAND = Command("theorem", answer, own=(KEY, ABOUT, PROOF))
"""What a number rests on."""


def _listed(about: str) -> Told:
    chosen = [each for each in THEOREMS.values() if about in _searched(each)]
    result = {"theorems": [_tree(each) for each in chosen]}
    rows = [[each.key, f"{each.reference}, {each.locator}", each.title] for each in chosen]
    notes = () if chosen else (f"No theorem has the word {about!r}. Leave out --about to list all theorems.",)
    answers = Answers("theorem", {"about": about}, notes=notes, result=result)
    return Told(answers, tables=(Table(("key", "where", "title"), rows),) if chosen else (), notes=notes)


def _searched(entry: Theorem) -> str:
    """What a word is looked for in: letters count by their names and by their signs."""
    return f"{entry.key} {entry.title} {entry.statement} {entry.statement.source}".lower()


def _tree(entry: Theorem) -> dict[str, object]:
    """A theorem as plain values."""
    assumed = [assumption(key) for key in entry.assumptions]
    return {
        "key": entry.key,
        "title": entry.title,
        "statement": entry.statement,
        "reference": entry.reference,
        "publication": _publication(entry.reference),
        "locator": entry.locator,
        "corrected": entry.corrected,
        "proof": entry.proof,
        "hypotheses": entry.hypotheses.to_dict(),
        "assumptions": [{"key": a.key, "plain": a.plain, "verifier": a.verifier.value} for a in assumed],
    }


def _lines(entry: Theorem) -> list[str]:
    found = [f"{entry.title}  [{entry.key}]", "", entry.statement.strip(), ""]
    found += [_publication(entry.reference), f"{entry.locator}"]
    found += ["", f"Corrected: {entry.corrected.strip()}"] if entry.corrected else []
    found += ["", "It holds for:"]
    found += [f"- {name}: {words}" for name, words in entry.hypotheses.in_words().items()]
    found += ["", "It assumes:"] if entry.assumptions else []
    found += [f"- {each.plain} ({each.verifier.value})" for each in map(assumption, entry.assumptions)]
    return found


def _publication(key: str) -> str:
    """Authors, year, title, venue and link in one line."""
    known = reference(key)
    return f"{', '.join(known.authors)} ({known.year}). {known.title}. {known.venue}. {known.link}"


def _proof(entry: Theorem) -> str:
    if not entry.proof:
        return "The reference has the proof; whit has none of its own."
    return Path(entry.proof_page).read_text(encoding="utf-8").strip()
