"""The decision sheet: one page with the verdict, who decides, one picture, what would do instead and what is open."""

from __future__ import annotations

import math
from collections.abc import Iterator

from whit.policy import Outcome, limits
from whit.policy.profiles import RiskProfile
from whit.setting import Knowledge, Neighbours, UnitOfPrivacy
from whit.telling.reports.audit import audit_row
from whit.telling.reports.audit_words import CellWords, headline
from whit.telling.reports.cases import AnsweredRelease, Case, Ruling
from whit.telling.reports.change import table_of
from whit.telling.reports.decided import decided_case, deciding_posterior, drawn_first
from whit.telling.reports.document import Paragraph, Points, Section, Sheet, Signatures, Stamp, Table, clipped
from whit.telling.reports.drafting import drafted
from whit.telling.reports.figures import belief_figure
from whit.telling.reports.hazards import HAZARDS, open_hazards
from whit.telling.reports.instead import ALLOWED, asks_for_noise, changes, noise_may_help
from whit.telling.reports.ledger import room
from whit.telling.reports.sentences import (
    OUTCOMES,
    SIGNS,
    decided_by,
    hardest,
    is_over,
    knowledge,
    knowledge_of,
    limit_text,
    may_fail,
    plain_text,
    uncovered,
    verdict_word,
    why,
)
from whit.telling.reports.several import not_searched
from whit.telling.reports.wording import capital, rules_nothing_out
from whit.telling.words.numbers import ALMOST_ALL
from whit.theory import Verifier, assumption

LIMITS = 4
"""So many limits are on the sheet, the worst first."""

TITLES = 4
"""So many open questions of the checklist are named."""

CHECKS = 6
"""Up to so many assumptions are said on the sheet."""

NAME = 80
"""So many letters of a name fit in the box of the verdict."""

SMALLEST_DOT = 0.01
"""Below this prior a dot would lie in the corner of the picture."""

TEXT = 170
"""So many letters of what somebody else has written fit in one cell."""

_WORST_FIRST = (Outcome.BROKEN, Outcome.OPEN, Outcome.KEPT)


def sheet(work: AnsweredRelease) -> Sheet:
    """The decision sheet of a release."""
    words, request = work.words, work.request
    found, who = request.questions.failure, (*_readers(work), *_adversaries(work))
    return Sheet(
        title=words("document.sheet"),
        stamp=stamp(work),
        beside=(Section(words("sheet.who"), tuple(map(Paragraph, who))), *_instead(work)),
        figure=belief_figure(request.series, drawn_first(work), found, words, decider=_decisive_prior(work)),
        below=(
            *_limits(work),
            Section(words("sheet.open"), (Points(open_points(work, alone=True)),)),
            _signatures(work),
        ),
    )


def stamp(work: AnsweredRelease) -> Stamp:
    """The verdict on all limits together, and how far the release is from the one that decides."""
    words, decisive = work.words, work.decisive
    margin = "" if decisive is None else f" {_for_the_board(decisive, work)}"
    if decisive is not None and _is_said_by_the_box(work):
        margin = f"{margin} {uncovered(decisive.verdict, words)}".rstrip()
    said = _with_account(_with_table(f"{overall(work)}{margin}", work), work)
    return Stamp(work.outcome, SIGNS[work.outcome], words(f"verdict.{work.outcome}"), said)


def _with_table(noisy: str, work: AnsweredRelease) -> str:
    """The verdict on what has noise, with that on the table without noise; first what is not allowed."""
    if work.audit is None or work.request.table is None:
        return noisy
    gaps = {"file": clipped(work.request.table.name, NAME), "said": headline(work.audit, work.words)}
    table = work.words("sheet.table", **gaps)
    return f"{noisy} {table}" if work.audit.is_kept else f"{table} {work.words('sheet.with_noise', said=noisy)}"


def _with_account(limits: str, work: AnsweredRelease) -> str:
    """The verdict on the limits of the file, after what the account refuses."""
    if work.outlook is None or not work.has_no_room:
        return limits
    return f"{room(work.outlook, work.words)} {work.words('sheet.but_for_account', said=limits)}"


def overall(work: AnsweredRelease) -> str:
    """The verdict on all limits together, as a sentence."""
    words, total = work.words, len(work.rulings)
    if not total:
        return words("overall.no_limit")
    publisher = clipped(work.request.publisher, TEXT)
    deciding = [each.verdict for each in work.rulings if OUTCOMES[each.outcome] == work.noisy_outcome]
    over = work.noisy_outcome == OUTCOMES[Outcome.BROKEN]
    key = f"overall.{work.noisy_outcome if not over or all(each.exceeds for each in deciding) else 'possibly_over'}"
    if total == 1:
        return words(f"{key}_one", publisher=publisher)
    if len(deciding) == total == 2 and work.noisy_outcome != "not_shown":
        return words(f"{key}_two", publisher=publisher)
    gaps = {} if work.noisy_outcome == "allowed" else {"number": words.count(len(deciding))}
    return words(key, publisher=publisher, total=words.count(total), **gaps)


def _for_the_board(ruling: Ruling, work: AnsweredRelease) -> str:
    """How far the release is from a limit: of a posterior, what somebody could come to believe."""
    limit, number, words = ruling.verdict.requirement, ruling.verdict.number, work.words
    if not isinstance(limit, limits.PosteriorLimit) or number is None:
        return _with_failure(hardest(ruling.verdict, words) or _why(ruling, work), ruling, work)
    if limit.knows is not Knowledge.ANY_BELIEF:  # the sentence must say what the adversary knows
        return _with_failure(_why(ruling, work), ruling, work)
    found, case = number.bound, decided_case(work)
    name = words("sheet.somebody") if case is None else capital(clipped(case.asker.name, NAME))
    gaps = {"name": name, "prior": words.percent(limit.prior), "limit": words.percent(limit.posterior)}
    failure = work.request.questions.failure
    gaps["asked"] = words("sheet.except", failure=words.percent(failure)) if failure else ""
    if is_over(ruling.verdict):
        return words("sheet.board_over", **gaps, posterior=words.reached(found), failing=words.failing(found))
    if rules_nothing_out(found) and not found.basis.failures:
        return f"{words('sheet.board_certain', **gaps)} {words('beside.nothing')}"
    nearly = words("amount.exceeded", number=words.percent(ALMOST_ALL)) if words.is_nearly_certain(found) else ""
    exception = {"except": words.exception(found)}
    return words("sheet.board", **gaps, posterior=nearly or words.most(found), **exception)


def _with_failure(said: str, ruling: Ruling, work: AnsweredRelease) -> str:
    """A sentence that ends with a limit, and the failure probability that the limit was asked with."""
    failure = work.request.questions.failure
    if not failure or not may_fail(ruling.verdict.requirement):
        return said
    return f"{said} {work.words('sheet.applies', failure=work.words.percent(failure))}"


def _readers(work: AnsweredRelease) -> Iterator[str]:
    """Who reads the table without noise, and learns more than they may."""
    words, table = work.words, work.request.table
    if work.audit is None or table is None or not work.audit.failing:
        return
    cells = CellWords(table, work.audit, words)
    names = dict.fromkeys(clipped(cells.reader(each.by), NAME) for each in work.audit.failing)
    yield words("sheet.reader", file=clipped(table.name, NAME), names=words.language.listed(names))


def _adversaries(work: AnsweredRelease) -> tuple[str, ...]:
    """The adversary whom the limit on what has noise is about."""
    case, words = decided_case(work), work.words
    if case is not None:
        return (f"{_named(case, work)} {knowledge(case.asker.adversary.knows, words)}",)
    widest, decisive = max(work.cases, key=_posterior), work.decisive
    said = None if decisive is None else knowledge_of(decisive.verdict.requirement, words)
    own = knowledge(widest.asker.adversary.knows, words)
    named = _named(widest, work)
    return _decider(work), named if own == said else f"{named} {own}"


def _why(ruling: Ruling, work: AnsweredRelease) -> str:
    return capital(why(ruling.verdict, ruling.series, work.words))


def _decider(work: AnsweredRelease) -> str:
    decisive = work.decisive
    return work.words("decider.nobody") if decisive is None else decided_by(decisive.verdict, work.words)


def _decisive_prior(work: AnsweredRelease) -> float | None:
    """The prior of the adversary who decides about a profile; None where its dot would say nothing."""
    profiled = (each.verdict for each in work.rulings if isinstance(each.verdict.requirement, RiskProfile))
    who = next((each.adversary for each in profiled), None)
    if who is None or not SMALLEST_DOT <= who.prior < 1.0:
        return None
    steps = 10_000 if who.prior < 0.1 else 1_000  # three digits of a percentage, as the text has them
    return math.floor(who.prior * steps) / steps


def _named(case: Case, work: AnsweredRelease) -> str:
    """An adversary of the file, from which prior to which posterior."""
    words, number, decisive = work.words, work.request.releases, deciding_posterior(case, work)
    found = case.assessment.posterior.worst if decisive is None else decisive.number
    gaps = {
        "name": capital(clipped(case.asker.name, TEXT)),
        "fact": clipped(case.asker.fact, TEXT),
        "prior": words.percent(case.asker.adversary.prior),
        "after": "" if number == 1 else words("sheet.after", number=words.count(number)),
    }
    if found is None:
        return words("sheet.unnamed", **gaps)
    if decisive is not None and is_over(decisive):
        return words("sheet.reached", **gaps, posterior=words.reached(found.bound), failing=words.failing(found))
    if rules_nothing_out(found.bound) and case.asker.adversary.prior < 1.0:
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
    if not work.rulings and not work.has_failing_table:
        return
    words, title = work.words, work.words(f"sheet.instead_{work.outcome}")
    found, left_open = changes(work), not_searched(work)
    beside = (Paragraph(left_open),) if left_open else ()
    if found:
        yield Section(title, (table_of(found, words), *beside))
    elif work.rulings:
        key = "sheet.nothing_room" if work.outcome == ALLOWED else "sheet.nothing_instead"
        yield Section(title, beside or (Paragraph(words(key)),))


def _limits(work: AnsweredRelease) -> Iterator[Section]:
    """Each limit beside what the release comes to, the worst first."""
    words = work.words
    ruled = sorted(work.rulings, key=lambda each: _WORST_FIRST.index(each.outcome))
    rows = tuple(
        (
            clipped(limit_text(each.verdict, words, failure=work.request.questions.failure), 2 * TEXT),
            clipped(_why(each, work), 2 * TEXT),
            verdict_word(OUTCOMES[each.outcome], words),
        )
        for each in ruled[:LIMITS]
    )
    rows += tuple((clipped(limit, 2 * TEXT), said, verdict) for limit, said, verdict in audit_row(work))
    if _is_said_by_the_box(work):
        return
    left = len(ruled) - LIMITS
    more = (Paragraph(words("sheet.more", number=words.count(left))),) if left > 0 else ()
    if rows:
        table = Table("", words.names("sheet.limits_header"), rows, (6, 6, 2))
        yield Section(words("sheet.limits"), (table, *more))


def _is_said_by_the_box(work: AnsweredRelease) -> bool:
    """Whether the box of the verdict says all about the limits: there is one, and it is about a number."""
    alone = work.audit is None and len(work.rulings) == 1
    return alone and isinstance(work.rulings[0].verdict.requirement, limits.Limit)


def open_points(work: AnsweredRelease, *, alone: bool = False) -> tuple[str, ...]:
    """What somebody has to see to, and what the file does not say.

    Args:
        work: the release.
        alone: for a page that stands alone: a few assumptions are said, and not only where they stand.
    """
    words, request = work.words, work.request
    said = [*_drafted(work), *_booked(work), *_checks(work, alone=alone), *_hazards(work)]
    said += [] if work.audit is None else [words("audit.any_prior")]
    listed = request.unprotected or "unprotected" in request.hazards or request.table
    said += [] if listed else [words("sheet.unprotected")]
    said += [] if request.readers else [words("sheet.readers")]
    said += [words("sheet.period")] if request.unit == UnitOfPrivacy(request.unit.name) else []
    said += [words("sheet.covers", number=words.count(request.releases))] if request.leaves_period_open else []
    said += [words("sheet.noise_unknown")] if noise_may_help(work) else []
    said += [words("sheet.counts", section=words(f"sheet.instead_{work.outcome}"))] if asks_for_noise(work) else []
    said += [] if request.table else _presence(work)
    return tuple(said)


def _presence(work: AnsweredRelease) -> list[str]:
    """What a promise about a replaced record or a report leaves out, since a fact may be any words."""
    left_out = {Neighbours.REPLACE: "sheet.presence_replace", Neighbours.LOCAL: "sheet.presence_local"}
    key = left_out.get(work.request.series.neighbours)
    return [] if key is None else [work.words(key)]


def _drafted(work: AnsweredRelease) -> Iterator[str]:
    """The words of a draft that nobody has replaced, or that are in another language."""
    words = work.words
    left = drafted(work.request, words.code)
    if left:
        yield words("sheet.draft", words=", ".join(words("sheet.quoted", text=each) for each in left))


def _checks(work: AnsweredRelease, *, alone: bool) -> Iterator[str]:
    """What must be checked: a few assumptions by whom, many by where they stand."""
    words, neighbours = work.words, work.request.series.neighbours
    assumed = [each for each in map(assumption, work.assumptions) if each.verifier is not Verifier.MODELLING]
    number = len(assumed) + len(work.changes)
    if not alone or number > CHECKS:
        yield words("sheet.checks", number=words.count(number), section=words("words.hold"))
        return
    for who in (Verifier.CURATOR, Verifier.SOFTWARE):
        changes = work.changes if who is Verifier.CURATOR else ()
        plain = [*changes, *(plain_text(each, words, neighbours) for each in assumed if each.verifier is who)]
        if plain:
            yield words(f"sheet.check_{who.value}", sentences=" ".join(plain))


def _hazards(work: AnsweredRelease) -> Iterator[str]:
    """The questions of the checklist that nobody has answered."""
    words, left = work.words, open_hazards(work)
    if left:
        titles = ", ".join(words("sheet.quoted", text=each.title) for each in left[:TITLES])
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
