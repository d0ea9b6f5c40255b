"""The technical appendix: every answer, every assumption under who must check it, every theorem, and the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whit.setting import Neighbours
from whit.telling.reports.cases import AnsweredRelease, Case
from whit.telling.reports.comparison import sources
from whit.telling.reports.document import Listing, Paragraph, Points, Section, Table
from whit.telling.reports.figures import technical_figures
from whit.telling.reports.sentences import lowered, plain_text
from whit.telling.reports.wording import Words, capital
from whit.theory import Answer, Assumption, Basis, Prose, Theorem, Verifier, assumption, reference, theorem


def appendix(work: AnsweredRelease) -> tuple[Section, ...]:
    """The sections of the appendix."""
    basis, words = work.basis, work.words
    told = (assumptions_of(basis, words, work.assumptions, work.request.series.neighbours), theorems_of(basis, words))
    return (_answers(work), *told, *sources(work), _reproduce(work))


def _answers(work: AnsweredRelease) -> Section:
    words, numbers = work.words, numbered(work.basis)
    opening = Paragraph(f"{words('appendix.answers_opening')} {words('appendix.answers_whose')}")
    parts = tuple(_case(case, numbers, words) for case in work.cases)
    figures = technical_figures(work.request.series, words)
    return Section(words("appendix.answers"), (opening, *figures), parts)


def _case(case: Case, numbers: Mapping[str, int], words: Words) -> Section:
    belief = case.asker.adversary
    about = words(
        "appendix.case",
        fact=capital(case.asker.fact),
        inclusion=words.percent(belief.inclusion),
        value=words.percent(belief.value),
        prior=words.percent(belief.prior),
        knows=words(f"knows.{belief.knows.name.lower()}"),
    )
    caption = words("appendix.case_caption", name=case.asker.name)
    table = answers_table(caption, case.assessment, numbers, words)
    return Section(capital(case.asker.name), (Paragraph(about), table))


def answers_table(caption: str, answers: object, numbers: Mapping[str, int], words: Words) -> Table:
    """Questions by name with their answers, and the numbers of the theorems behind each."""
    rows = tuple(
        (_question(name, words), words.whole(answer), _by(answer, numbers))
        for name, answer in answers  # type: ignore[attr-defined]
    )
    return Table(caption, words.names("appendix.answers_header"), rows, (3, 8, 3))


def _question(name: str, words: Words) -> str:
    """The name of a question of an assessment; of another number its own name."""
    return capital(words(f"question.{name}") if words.language.has(f"question.{name}") else name)


def numbered(basis: Basis) -> dict[str, int]:
    """The theorems of a report by key, with the numbers that they get in it."""
    return {key: number for number, key in enumerate(basis.theorems, start=1)}


def _by(answer: Answer, numbers: Mapping[str, int]) -> str:
    keys = dict.fromkeys(key for found in answer.findings for key in found.basis.theorems)
    return ", ".join(str(number) for number in sorted(numbers[key] for key in keys)) or "–"


def assumptions_of(basis: Basis, words: Words, keys: Iterable[str], neighbours: Neighbours | None = None) -> Section:
    """The assumptions with these keys, under who must verify them; each with the theorems that need it."""
    needed = tuple(map(assumption, keys))
    numbers = numbered(basis)
    plain = {each.key: plain_text(each, words, neighbours) for each in needed}
    parts = tuple(
        _checked(who, {each: plain[each.key] for each in needed if each.verifier is who}, numbers, words)
        for who in Verifier
    )
    opening = Paragraph(words("appendix.assumptions_opening"))
    return Section(words("appendix.assumptions"), (opening,), tuple(part for part in parts if part.blocks))


def _checked(who: Verifier, assumptions: Mapping[Assumption, str], numbers: Mapping[str, int], words: Words) -> Section:
    name = words.language.name
    rows = tuple(
        (
            plain,
            _one_line(name("exact", each.key, each.exact.source)),
            each.key,
            _needing(each, numbers),
        )
        for each, plain in assumptions.items()
    )
    title = words(f"verifier.{who.value}")
    caption = words("appendix.assumptions_caption", who=lowered(title))
    table = Table(caption, words.names("appendix.assumptions_header"), rows, (5, 6, 2, 2))
    return Section(title, (table,) if rows else ())


def _needing(needed: Assumption, numbers: Mapping[str, int]) -> str:
    return ", ".join(str(number) for key, number in numbers.items() if needed.key in theorem(key).assumptions)


def theorems_of(basis: Basis, words: Words) -> Section:
    """The theorems behind the numbers of a report, and the publications they come from."""
    used = tuple(theorem(key) for key in basis.theorems)
    rows = tuple(
        (
            f"{number}. {words.language.name('theorem', each.key, each.title)}",
            _statement(each, words),
            _where(each, words),
        )
        for number, each in enumerate(used, start=1)
    )
    table = Table(words("appendix.theorems_caption"), words.names("appendix.theorems_header"), rows, (3, 8, 3))
    cited = (reference(key) for key in dict.fromkeys(each.reference for each in used))
    books = tuple(f"{book.key}: {book.short}, {book.title}. {book.venue}. {book.link}" for book in cited)
    return Section(words("appendix.theorems"), (table,), (Section(words("appendix.references"), (Points(books),)),))


def _statement(entry: Theorem, words: Words) -> Prose:
    corrected = words("appendix.corrected", text=entry.corrected.source) if entry.corrected else ""
    return _one_line(f"{entry.statement.source} {corrected}")


def _where(entry: Theorem, words: Words) -> str:
    proof = words("appendix.proved") if entry.proof else ""
    return words("appendix.where", reference=entry.reference, locator=entry.locator, proof=proof, key=entry.key)


def _one_line(source: str) -> Prose:
    return Prose(" ".join(source.split()))


def _reproduce(work: AnsweredRelease) -> Section:
    words = work.words
    said = words("appendix.again_said")
    if work.outlook is not None:
        number, head = work.outlook.accounts[0].now.head
        said = words("appendix.again_ledger", number=words.count(number), head=head)
    if work.request.table is not None:
        said = f"{said} {words('audit.again', file=work.request.table.name)}"
    return Section(words("appendix.again"), (Paragraph(said), Listing(work.request.text)))
