"""The technical appendix: every answer, every assumption under who must check it, every theorem, and the file."""

from __future__ import annotations

from collections.abc import Mapping

from whit.telling.reports.cases import AnsweredRelease, Case
from whit.telling.reports.document import Listing, Paragraph, Points, Section, Table
from whit.telling.reports.figures import technical_figures
from whit.telling.reports.sentences import capital, percent, whole
from whit.theory import Answer, Assumption, Basis, Prose, Theorem, Verifier, assumption, reference, theorem

_WHO = {
    Verifier.CURATOR: "For the curator of the data to check",
    Verifier.SOFTWARE: "For those who run the software to check",
    Verifier.MODELLING: "For whoever chose the model to defend",
}


_WHOSE = (
    "Beliefs are bounded for what each adversary knows. If they may believe anything about the others, the bound is as "
    "large or larger than for somebody who knows the records of everyone else and doubts one fact."
)


def appendix(work: AnsweredRelease) -> tuple[Section, ...]:
    """The sections of the appendix."""
    return (_answers(work), assumptions_of(work.basis), theorems_of(work.basis), _reproduce(work))


def _answers(work: AnsweredRelease) -> Section:
    opening = Paragraph(f"The last column gives the numbers of the theorems that an answer follows from. {_WHOSE}")
    numbers = numbered(work.basis)
    parts = tuple(_case(case, numbers) for case in work.cases)
    return Section("Appendix: all answers", (opening, *technical_figures(work.request.series)), parts)


def _case(case: Case, numbers: Mapping[str, int]) -> Section:
    belief = case.asker.adversary
    about = (
        f"{capital(case.asker.fact)}. Inclusion {percent(belief.inclusion)}, value {percent(belief.value)}, prior "
        f"{percent(belief.prior)}. {belief.knows.value}"
    )
    name = capital(case.asker.name)
    return Section(
        name, (Paragraph(about), answers_table(f"What {case.asker.name} may learn", case.assessment, numbers))
    )


def answers_table(caption: str, answers: object, numbers: Mapping[str, int]) -> Table:
    """Questions by name with their answers, and the numbers of the theorems behind each."""
    rows = tuple(
        (capital(name.replace("_", " ")), whole(answer), _by(answer, numbers))
        for name, answer in answers  # type: ignore[attr-defined]
    )
    return Table(caption, ("Question", "Answer", "Theorems"), rows, (3, 8, 3))


def numbered(basis: Basis) -> dict[str, int]:
    """The theorems of a report by key, with the numbers that they get in it."""
    return {key: number for number, key in enumerate(basis.theorems, start=1)}


def _by(answer: Answer, numbers: Mapping[str, int]) -> str:
    keys = dict.fromkeys(key for found in answer.findings for key in found.basis.theorems)
    return ", ".join(str(number) for number in sorted(numbers[key] for key in keys)) or "–"


def assumptions_of(basis: Basis) -> Section:
    """The assumptions behind the numbers of a report, under who must verify them."""
    needed = tuple(assumption(key) for key in basis.assumptions)
    numbers = numbered(basis)
    parts = tuple(_checked(who, [each for each in needed if each.verifier is who], numbers) for who in Verifier)
    opening = (
        "The numbers of this report hold if all of the following do. Nobody can check them from the report alone. The "
        "last column gives the theorems that need an assumption: an answer needs what its own theorems need."
    )
    return Section("Appendix: assumptions", (Paragraph(opening),), tuple(part for part in parts if part.blocks))


def _checked(who: Verifier, assumptions: list[Assumption], numbers: Mapping[str, int]) -> Section:
    rows = tuple((each.plain, _one_line(each.exact.source), each.key, _needing(each, numbers)) for each in assumptions)
    columns = ("In plain words", "Exactly", "Key", "Theorems")
    table = Table(f"What must hold: {_WHO[who].lower()}", columns, rows, (5, 6, 2, 2))
    return Section(_WHO[who], (table,) if rows else ())


def _needing(needed: Assumption, numbers: Mapping[str, int]) -> str:
    return ", ".join(str(number) for key, number in numbers.items() if needed.key in theorem(key).assumptions)


def theorems_of(basis: Basis) -> Section:
    """The theorems behind the numbers of a report, and the publications they come from."""
    used = tuple(theorem(key) for key in basis.theorems)
    rows = tuple(
        (f"{number}. {each.title}", _statement(each), _where(each)) for number, each in enumerate(used, start=1)
    )
    table = Table("Every theorem behind a number of this report", ("Theorem", "What it says", "Where"), rows, (3, 8, 3))
    cited = (reference(key) for key in dict.fromkeys(each.reference for each in used))
    books = tuple(f"{book.key}: {book.short}, {book.title}. {book.venue}. {book.link}" for book in cited)
    return Section("Appendix: theorems and references", (table,), (Section("References", (Points(books),)),))


def _statement(entry: Theorem) -> Prose:
    corrected = f" Differs from the publication: {entry.corrected.source}" if entry.corrected else ""
    return _one_line(f"{entry.statement.source}{corrected}")


def _where(entry: Theorem) -> str:
    ours = "; with a proof of our own" if entry.proof else ""
    return f"{entry.reference}, {entry.locator}{ours}. Key: {entry.key}"


def _one_line(source: str) -> Prose:
    return Prose(" ".join(source.split()))


def _reproduce(work: AnsweredRelease) -> Section:
    ledger, same = "nothing else", "The same file"
    if work.outlook is not None:
        number, head = work.outlook.accounts[0].now.head
        ledger, same = f"the ledger up to event {number}, {head}", "The same file, the same ledger"
    said = (
        f"This report was made from the file below and {ledger}. {same} and the same version of whit give the same "
        "report, but for the date."
    )
    return Section("Appendix: how to make this report again", (Paragraph(said), Listing(work.request.text)))
