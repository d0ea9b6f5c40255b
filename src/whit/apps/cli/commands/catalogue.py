"""`whit catalogue`: releases that were really made, with their risks."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import Command, completed, json_option
from whit.apps.cli.output import Answers, Named, say, short, show, speak, working
from whit.errors import Incompatible, UnknownKey, unknown_name
from whit.telling.catalogue import (
    CHANGED,
    FAILURE,
    LEVEL,
    PRIOR,
    Deployment,
    Risks,
    by_unit,
    deployments,
    risks,
    undisclosed,
)
from whit.telling.plots import Columns, power_by_unit

HEAD = ("key", "release", "stated", "neighbours", "posterior", "power", "if Gaussian")
"""The columns."""

_ASKED = (
    f"The posterior starts from a prior of {PRIOR:g}. It holds except with probability {FAILURE:g}, and always where "
    f"only an epsilon is stated. The power is that of a test with a false-positive rate of {LEVEL:g}."
)
_APART = (
    "Releases with different units, or with a record that is replaced beside one that is added or removed, cannot be "
    "ranked against each other. A local promise is about what each device sends."
)
_NOTES = (_ASKED, _APART)


@click.command(cls=Command, short_help="Releases that were really made, with their risks.")
@click.argument("key", required=False, shell_complete=completed(lambda: [each.key for each in deployments()]))
@click.option("--unit", metavar="WORD", default="", help="Only releases whose unit of privacy has this word.")
@click.option("--out", metavar="PATH", help="Draw the releases as dots, by unit; .svg, .png, .pdf or .html.")
@click.option("--csv", "as_csv", is_flag=True, help="Answer as CSV, with a line for each release.")
@json_option
def catalogue(key: str | None, unit: str, out: str | None, as_csv: bool, as_json: bool) -> None:
    """Releases with public parameters, grouped by unit of privacy, their risks worked out anew.

    With a KEY, one of them with its source.
    """
    if as_csv and as_json:
        raise Incompatible("--csv", "does not go with --json", "both", "Leave out one of them.")
    chosen = [each for each in deployments() if key in (None, each.key) and unit.lower() in each.unit.sentence.lower()]
    if not chosen:
        raise _unknown(key, unit)
    with working("Working out the risks"):
        found = {each.key: risks(each) for each in chosen}
        written = None if out is None else str(power_by_unit(chosen).save(out))
    if as_json:
        _tell_json(chosen, found, written)
    elif as_csv:
        say(_table(chosen, found).csv().rstrip("\n"))
    elif written is not None:
        say(f"Written: {written}")
    else:
        _show(chosen, found, of_one=key is not None)


def _show(chosen: list[Deployment], found: dict[str, Risks], *, of_one: bool) -> None:
    """A table for each unit, and what to know of them."""
    for group, members in by_unit().items():
        rows = [_row(each, found[each.key]) for each in members if each.key in found]
        if rows:
            show(HEAD, rows, title=group.sentence)
            say("")
    for note in _details(chosen[0]) if of_one else _NOTES:
        speak(note)


def _table(chosen: list[Deployment], found: dict[str, Risks]) -> Columns:
    """A line for each release; numbers have all their digits, on the safe side."""
    plain = [_tree(each) for each in chosen]
    stated = [each | {"parameters": one.stated} for each, one in zip(plain, chosen, strict=True)]
    columns = {name: [each[name] for each in stated] for name in stated[0]}
    known = [found[each.key] for each in chosen]
    gaussian = [str(float(risk.if_gaussian[0])) if risk.if_gaussian else "" for risk in known]
    numbers = {"posterior_at_most": [float(risk.posterior) for risk in known]}
    numbers |= {"power_at_most": [float(risk.power) for risk in known]}
    return Columns({**columns, **numbers, "power_if_gaussian": gaussian})


def _unknown(key: str | None, unit: str) -> UnknownKey:
    """The error about a key or a unit that the catalogue does not have."""
    if key is None:
        return unknown_name("a unit of privacy", unit, sorted({each.unit.name for each in deployments()}))
    return unknown_name("a release of the catalogue", key, [each.key for each in deployments()])


def _tell_json(chosen: list[Deployment], found: dict[str, Risks], written: str | None) -> None:
    named = tuple(answer for each in chosen for answer in _named(each, found[each.key]))
    hidden = [{"key": each.key, "curator": each.curator, "reason": each.reason} for each in undisclosed()]
    result: dict[str, Any] = {"deployments": [_tree(each) for each in chosen], "undisclosed": hidden}
    result |= {} if written is None else {"written": written}
    asked = {"prior": PRIOR, "level": LEVEL, "failure": FAILURE}
    say(Answers("catalogue", asked, named, _NOTES, result).document())


def _named(deployment: Deployment, risk: Risks) -> list[Named]:
    some = [("posterior", risk.posterior), ("power", risk.power), *(("if_gaussian", each) for each in risk.if_gaussian)]
    return [Named(name, deployment.key, told) for name, told in some]


def _row(deployment: Deployment, risk: Risks) -> tuple[str, ...]:
    title = f"{deployment.curator}: {deployment.product}, {deployment.year}"
    numbers = (short(risk.posterior), short(risk.power), " ".join(map(short, risk.if_gaussian)))
    return deployment.key, title, deployment.stated, CHANGED[deployment.neighbours], *numbers


def _details(deployment: Deployment) -> tuple[str, ...]:
    source = f"Source: {deployment.source}. {deployment.link} (checked {deployment.checked.isoformat()})"
    return (deployment.model.value, source, *([deployment.note] if deployment.note else []))


def _tree(deployment: Deployment) -> dict[str, Any]:
    """A release as plain values."""
    return {
        "key": deployment.key,
        "curator": deployment.curator,
        "product": deployment.product,
        "year": deployment.year,
        "model": deployment.model.name,
        "parameters": {name: float(value) for name, value in deployment.parameters},
        "neighbours": deployment.neighbours.name,
        "unit": deployment.unit.name,
        "period": deployment.unit.period,
        "source": deployment.source,
        "link": deployment.link,
        "checked": deployment.checked.isoformat(),
        "note": deployment.note,
    }
