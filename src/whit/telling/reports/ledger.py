"""The section about the ledger: the account that a release is to be charged to, and whether there is room for it."""

from __future__ import annotations

from whit.ledger import Outlook, Prospect, percent_text
from whit.spec import Release
from whit.telling.reports.document import Block, Paragraph, Remark, Section, Table
from whit.telling.reports.figures import account_figures

_ASKED = (
    "This is asked as if the release were not in the ledger yet, and about everybody in the population. Nothing was "
    "written: room is only kept for a release that was reserved."
)
_KEPT = (
    "Kept elsewhere, as in this report, the hash shows later that nothing was changed or taken out up to that event: "
    "whit ledger verify compares it."
)


def ledger_section(found: Outlook, request: Release) -> Section:
    """The account, each limit now and with the release, how it came to that, and the head of the chain."""
    now = found.accounts[0].now
    number, head = now.head
    blocks: list[Block] = [Remark(room(found)), *(Paragraph(_about(each)) for each in found.accounts)]
    blocks += [_limits(each) for each in found.accounts]
    if found.refusal is not None:
        blocks.append(Paragraph(f"{found.refusal.way_out}{found.refusal.fitting(request.series)}"))
    blocks.append(Paragraph(_ASKED))
    blocks += [figure for each in found.accounts for figure in account_figures(each.courses)]
    blocks.append(Paragraph(f"The ledger has {number} events. The hash of the last one is {head}. {_KEPT}"))
    return Section("The ledger", tuple(blocks))


def room(found: Outlook) -> str:
    """Whether the release fits, as a sentence."""
    if found.refusal is not None:
        return f"The release does not fit the ledger: it {found.refusal.rule}."
    names = " and ".join(f"account {each.now.account.name}" for each in found.accounts)
    return f"The release fits {names}: with it every limit is kept, at every moment."


def _about(each: Prospect) -> str:
    account, population = each.now.account, each.now.population
    period = f", {account.period}" if account.period else ""
    within = f" It is within account {account.within}, which is charged as well." if account.within else ""
    chance = (
        f" They may fail with a chance of at most {percent_text(account.failure)} for one {population.unit.name}."
        if account.failure
        else ""
    )
    return (
        f"Account {account.name} is about {population.name}{period}. {population.unit.sentence} "
        f"{population.neighbours.value} Releases that were charged so far: {each.now.entries}. Its limits hold at "
        f"every moment, and not only at the end.{chance}{within}"
    )


def _limits(each: Prospect) -> Table:
    rows = tuple((*now.row, *then.row[1:]) for now, then in zip(each.now.limits, each.then, strict=True))
    header = ("Limit", "Risk so far", "Used", "With this release", "Used then")
    return Table(f"The limits of account {each.now.account.name}", header, rows, (5, 3, 2, 3, 2))
