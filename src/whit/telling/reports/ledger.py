"""The section about the ledger: the account that a release is to be charged to, and whether there is room for it."""

from __future__ import annotations

from dataclasses import replace

from whit.ledger import LimitStatus, Outlook, Prospect, percent_text
from whit.telling.reports.cases import AnsweredRelease
from whit.telling.reports.document import Block, Paragraph, Remark, Section, Table
from whit.telling.reports.figures import account_figures
from whit.telling.reports.wording import Words


def ledger_section(work: AnsweredRelease) -> tuple[Section, ...]:
    """The account, each limit now and with the release, how it came to that, and the head of the chain."""
    found, words = work.outlook, work.words
    if found is None:
        return ()
    number, head = found.accounts[0].now.head
    blocks: list[Block] = [Remark(room(found, words)), *(Paragraph(_about(each, words)) for each in found.accounts)]
    blocks += [_limits(each, words) for each in found.accounts]
    if found.refusal is not None:
        blocks.append(Paragraph(f"{found.refusal.way_out}{found.refusal.fitting(work.request.series)}"))
    blocks.append(Paragraph(words("ledger.asked")))
    blocks += [figure for each in found.accounts for figure in account_figures(each.courses, words)]
    events = {"number": words.count(number), "head": head, "kept": words("ledger.kept")}
    blocks.append(Paragraph(words("ledger.events", **events)))
    return (Section(words("ledger.title"), tuple(blocks)),)


def room(found: Outlook, words: Words) -> str:
    """Whether the release fits, as a sentence."""
    if found.refusal is not None:
        return words("ledger.no_room", rule=found.refusal.rule)
    names = [words("ledger.account", name=each.now.account.name) for each in found.accounts]
    said = names[0]
    for each in names[1:]:
        said = words("ledger.joined", one=said, other=each)
    return words("ledger.room", names=said)


def _about(each: Prospect, words: Words) -> str:
    account, population = each.now.account, each.now.population
    failure = percent_text(account.failure) if account.failure else ""
    chance = words("ledger.chance", failure=failure, unit=words.unit(population.unit.name)) if failure else ""
    return words(
        "ledger.about",
        name=account.name,
        population=population.name,
        period=words("ledger.period", period=account.period) if account.period else "",
        unit=words("fact.protected", unit=words.one(population.unit.name), period=words.period(population.unit.period)),
        neighbours=words(f"neighbours.{population.neighbours.name.lower()}", unit=words.one(population.unit.name)),
        number=words.count(each.now.entries),
        chance=chance,
        within=words("ledger.within", name=account.within) if account.within else "",
    )


def _limits(each: Prospect, words: Words) -> Table:
    rows = tuple(
        (*_risk(now, words), *_risk(then, words)[1:]) for now, then in zip(each.now.limits, each.then, strict=True)
    )
    caption = words("ledger.limits", name=each.now.account.name)
    return Table(caption, words.names("ledger.header"), rows, (5, 3, 2, 3, 2))


def _risk(status: LimitStatus, words: Words) -> tuple[str, str, str]:
    """The row of a limit, whose risk has its exception beside it."""
    limit, risk, share = replace(status, kept=True).row  # whose own word for the other case is English
    used = share if status.kept else words("ledger.exceeded", used=share)
    return limit, risk if status.risk is None else f"{risk}{words.exception(status.risk)}", used
