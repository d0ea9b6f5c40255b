"""The decision sheet: one page with the verdict, who decides, one picture, what would do instead and what is open."""

from __future__ import annotations

from collections.abc import Iterator

from whit.guarantees import Guarantee
from whit.policy import Outcome
from whit.setting import UnitOfPrivacy
from whit.telling.reports.cases import AnsweredRelease, Case, Ruling
from whit.telling.reports.document import Paragraph, Points, Section, Sheet, Signatures, Stamp, Table, clipped
from whit.telling.reports.figures import belief_figure
from whit.telling.reports.hazards import HAZARDS, open_hazards
from whit.telling.reports.instead import changes
from whit.telling.reports.ledger import room
from whit.telling.reports.sentences import OUTCOMES, SIGNS, decided_by, in_words, verdict_word, why
from whit.telling.reports.wording import capital
from whit.telling.words.numbers import ALMOST_ALL
from whit.theory import ASSUMPTIONS, Verifier

LIMITS = 4
"""So many limits are on the sheet, the worst first."""

TITLES = 4
"""So many open questions of the checklist are named."""

TEXT = 170
"""So many letters of what somebody else has written fit in one cell."""

_WORST_FIRST = (Outcome.BROKEN, Outcome.OPEN, Outcome.KEPT)


def sheet(work: AnsweredRelease) -> Sheet:
    """The decision sheet of a release."""
    words, request = work.words, work.request
    found = request.questions.failure
    return Sheet(
        title=words("document.sheet"),
        stamp=stamp(work),
        beside=(Section(words("sheet.who"), (Paragraph(_decider(work)), Paragraph(_named(work)))), *_instead(work)),
        figure=belief_figure(request.series, request.requirements, found, words),
        below=(*_limits(work), Section(words("sheet.open"), (Points(open_points(work)),)), _signatures(work)),
    )


def stamp(work: AnsweredRelease) -> Stamp:
    """The verdict on all limits together, and how far the release is from the one that decides."""
    words, decisive = work.words, work.decisive
    margin = "" if decisive is None else f" {_why(decisive, work)}"
    return Stamp(work.outcome, SIGNS[work.outcome], words(f"verdict.{work.outcome}"), f"{overall(work)}{margin}")


def overall(work: AnsweredRelease) -> str:
    """The verdict on all limits together, as a sentence."""
    words, total = work.words, len(work.rulings)
    if not total:
        return words("overall.no_limit")
    publisher = clipped(work.request.publisher, TEXT)
    if total == 1:
        return words(f"overall.{work.outcome}_one", publisher=publisher)
    number = sum(OUTCOMES[each.outcome] == work.outcome for each in work.rulings)
    gaps = {} if work.outcome == "allowed" else {"number": words.count(number)}
    return words(f"overall.{work.outcome}", publisher=publisher, total=words.count(total), **gaps)


def _why(ruling: Ruling, work: AnsweredRelease) -> str:
    return capital(why(ruling.verdict, ruling.series, work.words))


def _decider(work: AnsweredRelease) -> str:
    decisive = work.decisive
    return work.words("decider.nobody") if decisive is None else decided_by(decisive.verdict, work.words)


def _named(work: AnsweredRelease) -> str:
    """The adversary of the file who comes to believe most, from which prior to which posterior."""
    words, case = work.words, max(work.cases, key=_posterior)
    number = work.request.releases
    found = case.assessment.posterior.worst
    gaps = {
        "name": capital(clipped(case.asker.name, TEXT)),
        "fact": clipped(case.asker.fact, TEXT),
        "prior": words.percent(case.asker.adversary.prior),
        "after": "" if number == 1 else words("sheet.after", number=words.count(number)),
    }
    if found is None:
        return words("sheet.unnamed", **gaps)
    if float(found.bound) == 1.0 and case.asker.adversary.prior < 1.0:
        return words("sheet.nothing", **gaps, posterior=words.percent(1.0))
    fails = {"except": words.exception(found)}
    if words.is_nearly_certain(found.bound):
        return words("sheet.nearly", **gaps, posterior=words.percent(ALMOST_ALL), **fails)
    return words("sheet.named", **gaps, posterior=words.top_alone(found.bound), **fails)


def _posterior(case: Case) -> float:
    found = case.assessment.posterior.worst
    return 2.0 if found is None else float(found.bound)


def _instead(work: AnsweredRelease) -> Iterator[Section]:
    """What would be within every limit, as a table."""
    if not work.rulings:
        return
    words, title = work.words, work.words(f"sheet.instead_{work.outcome}")
    rows = tuple(each.row(words) for each in changes(work))
    if rows:
        yield Section(title, (Table("", words.names("sheet.instead_header"), rows, (4, 6, 3)),))
    else:
        yield Section(title, (Paragraph(words("sheet.nothing_instead")),))


def _limits(work: AnsweredRelease) -> Iterator[Section]:
    """Each limit beside what the release comes to, the worst first."""
    words = work.words
    ruled = sorted(work.rulings, key=lambda each: _WORST_FIRST.index(each.outcome))
    rows = tuple(
        (
            clipped(in_words(each.verdict.requirement, words), 2 * TEXT),
            clipped(_why(each, work), 2 * TEXT),
            verdict_word(OUTCOMES[each.outcome], words),
        )
        for each in ruled[:LIMITS]
    )
    left = len(ruled) - LIMITS
    more = (Paragraph(words("sheet.more", number=words.count(left))),) if left > 0 else ()
    if rows:
        table = Table("", words.names("sheet.limits_header"), rows, (6, 6, 2))
        yield Section(words("sheet.limits"), (table, *more))


def open_points(work: AnsweredRelease) -> tuple[str, ...]:
    """What somebody has to see to, and what the file does not say."""
    words, request = work.words, work.request
    where = words("sheet.where_report", section=words("words.hold"))
    assumed = [key for key in work.basis.assumptions if ASSUMPTIONS[key].verifier is not Verifier.MODELLING]
    said = [*_booked(work), words("sheet.checks", number=words.count(len(assumed)), where=where), *_hazards(work)]
    said += [] if request.unprotected else [words("sheet.unprotected")]
    said += [] if request.readers else [words("sheet.readers")]
    said += [words("sheet.period")] if request.unit == UnitOfPrivacy(request.unit.name) else []
    said += [words("sheet.noise_unknown")] if isinstance(request.series.one, Guarantee) else []
    return tuple(said)


def _hazards(work: AnsweredRelease) -> Iterator[str]:
    """The questions of the checklist that nobody has answered."""
    words, left = work.words, open_hazards(work)
    if not left:
        return
    titles = ", ".join(each.title for each in left[:TITLES])
    if len(left) > TITLES:
        titles = words("sheet.hazards_more", titles=titles, number=words.count(len(left) - TITLES))
    yield words("sheet.hazards", number=words.count(len(left)), total=words.count(len(HAZARDS)), titles=titles)


def _booked(work: AnsweredRelease) -> Iterator[str]:
    """What is to be done about the ledger, if the file names one."""
    if work.outlook is not None:
        fits = work.outlook.refusal is None
        yield work.words("sheet.ledger") if fits else room(work.outlook, work.words)


def _signatures(work: AnsweredRelease) -> Section:
    words = work.words
    choices, header, roles = (words.names(f"sheet.{key}") for key in ("choices", "sign_header", "sign_rows"))
    return Section(words("sheet.signatures"), (Signatures(choices, header, roles),))
