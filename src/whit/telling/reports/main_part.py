"""The report proper: the risks in a table, the section for the people in the data, all in words, and what must hold."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from whit.assessment import QUESTIONS, Assessment, Unasked
from whit.policy import Outcome
from whit.policy.profiles import RiskProfile
from whit.setting import Adversary, Knowledge
from whit.telling.reports.audit import audit_row
from whit.telling.reports.audit_words import headline
from whit.telling.reports.cases import AnsweredRelease, Case, Ruling
from whit.telling.reports.document import Block, Paragraph, Points, Section, Table, clipped
from whit.telling.reports.facts import NAME
from whit.telling.reports.figures import people_figure
from whit.telling.reports.formulas import formulas
from whit.telling.reports.ledger import room
from whit.telling.reports.sentences import (
    OUTCOMES,
    decided_by,
    in_words,
    limit_text,
    needed,
    plain_text,
    verdict_word,
    why,
)
from whit.telling.reports.several import remedy_sentences
from whit.telling.reports.sheet import open_points
from whit.telling.reports.wording import Words, capital
from whit.telling.words import Audience, explain
from whit.theory import Answer, Direction, Failure, Finding, Unit, Verifier, assumed_keys, assumption


def summary(work: AnsweredRelease) -> Section:
    """The first section: each adversary before and after, each limit, and what is to be done."""
    request, words = work.request, work.words
    readers = words("summary.readers", readers=request.readers.rstrip(".")) if request.readers else ""
    described = [Paragraph(text) for text in (request.description, readers) if text]
    everybody = (Paragraph(words("summary.everybody")),) if request.requirements.profiles else ()
    return Section(
        words("summary.title"),
        (*described, _believed(work), *everybody, *_accepted(work)),
        (Section(words("summary.to_do"), (Points((*_not_kept(work), *open_points(work))),)),),
    )


def _believed(work: AnsweredRelease) -> Table:
    """From which prior to which posterior, for each adversary."""
    words, profile = work.words, work.request.requirements.profile
    header = [*words.names("summary.header")]
    rows = [_row(case, work) for case in work.cases]
    if profile is not None:
        header.append(words("summary.limit_header"))
        for row, case in zip(rows, work.cases, strict=True):
            row.append(_limit(profile, case.asker.adversary, words))
    if any(_failures(case) for case in work.cases):
        header.append(words("summary.except_header"))
        for row, case in zip(rows, work.cases, strict=True):
            row.append(_chances(case, words))
    widths = (6, 8, 4, 4, 4, 4, 5)[: len(header)]
    return Table(_caption(work), tuple(header), tuple(tuple(row) for row in rows), widths)


def _caption(work: AnsweredRelease) -> str:
    """What the table shows, and over which randomness its numbers may fail."""
    words = work.words
    kinds = dict.fromkeys(each.over.name.lower() for case in work.cases for each in _failures(case))
    over = [words(f"over.{each}") for each in sorted(kinds, key=len, reverse=True)]  # the noise alone comes first
    if not over:
        return words("summary.caption")
    said = over[0]
    for each in over[1:]:
        said = words("summary.or_over", one=said, other=each)
    return words("summary.caption_except", failure=words.percent(work.request.questions.failure), over=said)


def _failures(case: Case) -> tuple[Failure, ...]:
    """The chances with which the numbers of the table may be false."""
    found = (case.assessment.posterior.worst, case.assessment.ratio.worst)
    return tuple(failure for each in found if each is not None for failure in each.basis.failures)


def _row(case: Case, work: AnsweredRelease) -> list[str]:
    asker, words = case.asker, work.words
    return [
        capital(asker.name),
        capital(asker.fact),
        words.percent(asker.adversary.prior),
        _most(case.assessment.posterior, words),
        _most(case.assessment.ratio, words),
    ]


def _most(answer: Answer, words: Words) -> str:
    """The largest that a number may be; its exception stands at the end of the row."""
    return words.top(answer) if answer.worst is None else words.top_alone(answer.worst.bound)


def _chances(case: Case, words: Words) -> str:
    """With which probability the numbers of a row may be false."""
    chances = sorted({each.probability for each in _failures(case)})
    told = (words.number(each, Direction.AT_MOST, Unit.PROBABILITY) for each in chances)
    return ", ".join(told) or words("comparison.nothing")


def _limit(profile: RiskProfile, adversary: Adversary, words: Words) -> str:
    """What the profile accepts of an adversary; of one who excludes the fact it says nothing."""
    limit = float(profile.limit(adversary.inclusion, adversary.value)) if adversary.prior > 0.0 else math.inf
    return words("summary.no_limit") if math.isinf(limit) else words.given_number(limit)


def _accepted(work: AnsweredRelease) -> tuple[Block, ...]:
    """What is accepted, and whether the release is within it."""
    words = work.words
    tables = tuple((limit, verdict, said) for limit, said, verdict in audit_row(work))
    if not work.rulings and not tables:
        return (Paragraph(words("overall.no_limit")),)
    rows = tuple(
        (
            limit_text(each.verdict, words, failure=work.request.questions.failure),
            verdict_word(OUTCOMES[each.outcome], words),
            _reason(each, words),
        )
        for each in work.rulings
    )
    rows += tables
    caption = words("summary.accepted", publisher=work.request.publisher)
    return (Table(caption, words.names("summary.accepted_header"), rows, (5, 2, 6)),)


def _reason(ruling: Ruling, words: Words) -> str:
    """Why a ruling is as it is; of a profile that the release is not within, also who decides."""
    said = capital(why(ruling.verdict, ruling.series, words))
    if ruling.outcome is not Outcome.BROKEN or not isinstance(ruling.verdict.requirement, RiskProfile):
        return said
    return f"{needed(ruling.verdict, ruling.series, words)} {decided_by(ruling.verdict, words)}".strip()


def _not_kept(work: AnsweredRelease) -> tuple[str, ...]:
    """The limits that the release is not within, and what would be needed; the first thing to see to."""
    words, found = work.words, []
    for each in (ruling for ruling in work.rulings if ruling.outcome is not Outcome.KEPT):
        missing = needed(each.verdict, each.series, words)
        requirement = in_words(each.verdict.requirement, words, failure=work.request.questions.failure)
        over = "summary.over" if each.verdict.exceeds else "summary.possibly_over"
        unknown = over if each.outcome is Outcome.BROKEN else "summary.needed_unknown"
        key = "summary.needed" if missing else unknown
        found.append(words(key, requirement=requirement, **({"needed": missing} if missing else {})))
    if work.noisy_outcome == OUTCOMES[Outcome.BROKEN]:
        found += remedy_sentences(work.request.promises, work.remedies, work.raised, language=words.code)
    if work.audit is not None and work.request.table is not None and not work.audit.is_kept:
        found.append(words("audit.change", file=work.request.table.name, said=headline(work.audit, words)))
    if work.outlook is not None and work.has_no_room:
        found.append(room(work.outlook, words))
    return tuple(found)


_OF_TESTS = ("power", "advantage")
_OF_ALL = (*_OF_TESTS, "total_variation", "posterior_ratio")
"""The questions that no prior enters."""

_OF_EACH = tuple(name for name in QUESTIONS if name not in (*_OF_ALL, "worst_prior"))
_ELSEWHERE = Unasked("another part of the report gives it")


def words_section(work: AnsweredRelease) -> Section:
    """The officer's numbers in full: what differs, adversary by adversary, then what is the same for all, and why."""
    words = work.words
    if len(work.cases) == 1:
        parts = [_part(work.cases[0].asker.name, _numbers(work.cases[0].assessment, words))]
    else:
        parts = [_part(case.asker.name, _numbers(_only(case.assessment, _OF_EACH), words)) for case in work.cases]
        largest = {name: _largest(work.cases, name) for name in _OF_TESTS}
        common = _widest(work.cases).assessment.with_answers(largest)
        common = _only(common, _OF_ALL)
        parts.append(_part(words("words.for_all"), _numbers(common, words)))
    parts += [_must_hold(work), *formulas(work)]
    return Section(words("words.title"), (Paragraph(words("words.opening")),), tuple(parts))


def _widest(cases: tuple[Case, ...]) -> Case:
    """The one whose answers hold for all: an adversary who may believe anything may also know everyone else."""
    return next((case for case in cases if case.asker.adversary.knows is Knowledge.ANY_BELIEF), cases[0])


def _largest(cases: tuple[Case, ...], name: str) -> Answer:
    """The largest answer of all, which holds for each: somebody who asks about a value has other tests."""
    each: list[Answer] = [getattr(case.assessment, name) for case in cases]
    numbers = [answer for answer in each if isinstance(answer, Finding)]
    without = next((answer for answer in each if not isinstance(answer, Finding)), None)
    return without if without is not None else max(numbers, key=lambda number: number.largest)


def _only(assessment: Assessment, names: tuple[str, ...]) -> Assessment:
    left_out = [name for name in QUESTIONS if name not in names]
    return assessment.with_answers(dict.fromkeys(left_out, _ELSEWHERE))


def _numbers(assessment: Assessment, words: Words) -> list[str]:
    """The officer's paragraphs that give answers; what must hold for them has a table of its own."""
    said = explain(assessment, Audience.OFFICER, language=words.code).paragraphs
    hold = words.language.say("officer.see_to").text
    answers = said[: said.index(hold)] if hold in said else said
    return [text for text in answers if any(sign.isdigit() for sign in text)]


def _part(title: str, texts: Iterable[str]) -> Section:
    return Section(capital(title), tuple(Paragraph(text) for text in texts))


def _must_hold(work: AnsweredRelease) -> Section:
    """The sensitivity of the noise and every assumption: who can check it, and which numbers need it."""
    words = work.words
    needing = _needing(work)
    asked = tuple(dict.fromkeys(question for several in needing.values() for _, question in several))
    neighbours = work.request.series.neighbours
    checked = [(text, text, Verifier.CURATOR) for text in work.changes]
    assumptions = map(assumption, work.assumptions)
    checked += [(each.key, plain_text(each, words, neighbours), each.verifier) for each in assumptions]
    rows = tuple(
        (
            said,
            words(f"who_checks.{who.value}"),
            _questions(dict.fromkeys(question for _, question in needing[key]), asked, words),
            _adversaries(needing[key], work),
        )
        for key, said, who in checked
    )
    columns = 3 if len(work.cases) == 1 else 4  # one adversary needs no name
    header, widths = words.names("words.hold_header")[:columns], (12, 4, 11, 5)[:columns]
    table = Table(words("words.hold_caption"), header, tuple(row[:columns] for row in rows), widths)
    return Section(words("words.hold"), (table,))


def _needing(work: AnsweredRelease) -> dict[str, dict[tuple[str, str], None]]:
    """Who asks which question whose answer needs each assumption and sensitivity; of limits and the ledger, a name."""
    found: dict[str, dict[tuple[str, str], None]] = {key: {} for key in (*work.changes, *work.assumptions)}
    words = work.words
    ledger = words("ledger.title")
    of_ledger = ledger[:1].lower() + ledger[1:]  # in a list it begins no sentence
    for who, what, number in work.findings():
        question = f"question.{what.partition(',')[0]}"
        known = words.language.has(question)
        name = words(question) if known else words("words.verdict") if who == "publisher" else of_ledger
        for key in (*work.changes_of(number), *assumed_keys(number)):
            found[key][who, name] = None
    return found


def _adversaries(needing: Collection[tuple[str, str]], work: AnsweredRelease) -> str:
    """The adversaries whose own numbers need an assumption; not the verdict, nor what no prior enters.

    An assumption that only such a number needs is about every adversary.
    """
    words, names = work.words, [case.asker.name for case in work.cases]
    of_all = [words(f"question.{name}") for name in _OF_ALL]
    own = {who for who, question in needing if question not in of_all} & {*names}
    found = [name for name in names if name in (own or {who for who, _ in needing})]
    if len(found) == len(names):
        return words("words.every_adversary")
    return words.language.listed(found, "semicolon") or words("comparison.nothing")


def _questions(names: Collection[str], asked: Collection[str], words: Words) -> str:
    """The numbers that need an assumption, or the fewer ones that do not."""
    others = [name for name in asked if name not in names]
    if not others:
        return words("words.every_number")
    return words("words.all_except", names=", ".join(others)) if len(others) < len(names) else ", ".join(names)


_BEFORE = 2
"""The paragraphs that the picture shows: the gist, and the results with the person and without."""


def people(work: AnsweredRelease) -> Section:
    """The section that may be read out to the people in the data."""
    request, words, case = work.request, work.words, work.cases[0]
    fact, stated = case.asker.fact, enumerate(work.request.promises, start=1)
    parts = [
        (clipped(each.name, NAME) or words("fact.unnamed", number=words.count(at)), each.together)
        for at, each in stated
    ]
    said = explain(case.assessment, Audience.PUBLIC, language=words.code, fact=fact, parts=parts).paragraphs
    gaps = {"name": case.asker.name, "fact": case.asker.fact}
    number = request.releases
    about = words("people.about", **gaps)
    if number > 1:
        about = words("people.about_many", **gaps, number=words.count(number))
    return Section(
        words("people.title"),
        (
            Paragraph(about),
            *(Paragraph(text) for text in said[:_BEFORE]),
            *people_figure(case, request.questions.level, words),
            *(Paragraph(text) for text in said[_BEFORE:]),
        ),
        (Section(words("people.unprotected"), (Points(_unprotected(work)),)),),
    )


def _unprotected(work: AnsweredRelease) -> tuple[str, ...]:
    words, unit = work.words, work.request.unit
    exact = tuple(words("people.exact", what=each.rstrip(".")) for each in work.request.unprotected)
    beyond = words("people.beyond", unit=words.unit(unit.name), period=words.period(unit.period))
    table = work.request.table
    published = () if table is None else (words("people.table", file=table.name),)
    return (*exact, *published, beyond, words("people.everyone"))
