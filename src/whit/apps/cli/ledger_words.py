"""The ledger on a terminal: where accounts stand, what entries cost, why a release is refused and what would fit."""

from __future__ import annotations

from whit import spec
from whit.apps.cli.output import short
from whit.assessment import promise_name
from whit.errors import NotImplied
from whit.ledger import Entry, Refusal, Status, share_text


def fitting(refusal: Refusal, series: spec.Series) -> str:
    """The sentence about the largest release of the same kind that fits; none if there is none, or no parameter."""
    try:
        found = refusal.fits(series.one, releases=series.releases)
    except NotImplied:
        return ""
    return "" if found is None else f" It would fit with {promise_name(found)}."


def refusal_rows(refusal: Refusal) -> list[tuple[str, str]]:
    """Why, and what would fit."""
    rows = [("why", f"It {refusal.rule}.")]
    for name, risk in (("risk before", refusal.risk_before), ("risk after", refusal.risk_after)):
        rows.append((name, "no bound" if risk is None else short(risk)))
    rows += [(f"entry {number}", f"holds {share} of what is allowed") for number, share in refusal.holders]
    return rows


def title(status: Status) -> str:
    """The account, whom it is about, and how many releases it has."""
    period = f", {status.account.period}" if status.account.period else ""
    failure = f"{float(status.account.failure):g}"
    return f"{status.account.name} ({status.population.name}{period}): {status.entries} releases, failure {failure}"


def status_rows(status: Status) -> list[tuple[str, str, str]]:
    """Each limit with its risk so far, and how much of it is used."""
    rows = []
    for each in status.limits:
        risk = "no bound" if each.risk is None else short(each.risk)
        used = "no book is left" if each.used is None else share_text(float(each.used))
        rows.append((each.limit, risk, used if each.kept else f"{used}: NOT KEPT"))
    return rows


def charged(entry: Entry) -> str:
    """What an entry costs, by book, in few digits."""
    shown = {
        word: "closed" if amount is None else "+".join(f"{float(each):.4g}" for each in amount)
        for word, amount in entry.charges.items()
    }
    return ", ".join(f"{word} {text}" for word, text in shown.items())
