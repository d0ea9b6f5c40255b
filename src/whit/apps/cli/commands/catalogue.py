"""`whit catalogue`: releases that were really made, with their risks."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import Command, completed, json_option
from whit.apps.cli.output import Answers, Named, in_words, say, short, show, speak, working
from whit.errors import UnknownKey, unknown_name
from whit.telling.catalogue import FAILURE, LEVEL, PRIOR, Deployment, Risks, by_unit, deployments, risks, undisclosed

HEAD = ("key", "release", "stated", "neighbours", "belief after", "power", "if Gaussian")
"""The columns."""

_ASKED = f"a belief of {PRIOR:g} before, tests with {LEVEL:g} false alarms, a chance of {FAILURE:g} where one is needed"
_APART = (
    "All is said per unit of privacy and for the neighbours of each release: releases with others cannot be ranked "
    "against each other."
)
_NOTES = (f"Asked with {_ASKED}.", _APART)


@click.command(cls=Command, short_help="Releases that were really made, with their risks.")
@click.argument("key", required=False, shell_complete=completed(lambda: [each.key for each in deployments()]))
@click.option("--unit", metavar="WORD", default="", help="Only releases whose unit of privacy has this word.")
@json_option
def catalogue(key: str | None, unit: str, as_json: bool) -> None:
    """Releases with public parameters, grouped by unit of privacy, their risks worked out anew.

    With a KEY, one of them with its source.
    """
    chosen = [each for each in deployments() if key in (None, each.key) and unit.lower() in each.unit.sentence.lower()]
    if not chosen:
        raise _unknown(key, unit)
    with working("Working out the risks"):
        found = {each.key: risks(each) for each in chosen}
    if as_json:
        _tell_json(chosen, found)
        return
    for group, members in by_unit().items():
        rows = [_row(each, found[each.key]) for each in members if each.key in found]
        if rows:
            show(HEAD, rows, title=group.sentence)
            say("")
    for note in _details(chosen[0]) if key is not None else _NOTES:
        speak(note)


def _unknown(key: str | None, unit: str) -> UnknownKey:
    """The error about a key or a unit that the catalogue does not have."""
    if key is None:
        return unknown_name("a unit of privacy", unit, sorted({each.unit.name for each in deployments()}))
    return unknown_name("a release of the catalogue", key, [each.key for each in deployments()])


def _tell_json(chosen: list[Deployment], found: dict[str, Risks]) -> None:
    named = tuple(answer for each in chosen for answer in _named(each, found[each.key]))
    hidden = [{"key": each.key, "curator": each.curator, "reason": each.reason} for each in undisclosed()]
    result = {"deployments": [_tree(each) for each in chosen], "undisclosed": hidden}
    asked = {"prior": PRIOR, "level": LEVEL, "failure": FAILURE}
    say(Answers("catalogue", asked, named, _NOTES, result).document())


def _named(deployment: Deployment, risk: Risks) -> list[Named]:
    some = [("posterior", risk.posterior), ("power", risk.power), *(("if_gaussian", each) for each in risk.if_gaussian)]
    return [Named(name, deployment.key, told) for name, told in some]


def _row(deployment: Deployment, risk: Risks) -> tuple[str, ...]:
    title = f"{deployment.curator}: {deployment.product}, {deployment.year}"
    numbers = (short(risk.posterior), short(risk.power), " ".join(map(short, risk.if_gaussian)))
    return deployment.key, title, deployment.stated, in_words(deployment.neighbours), *numbers


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
