"""`whit recommend`: the least noise that meets a limit or a risk profile."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import FamilyCommand, answer, asks, json_option


@click.command(cls=FamilyCommand, short_help="The least noise that meets a limit or a risk profile.")
@asks("recommend")
@json_option
def recommend(as_json: bool, **values: Any) -> None:
    """Find the least noise, or the largest parameter, that meets your limits; rounded to the safe side.

    Twelve counts a year, and nobody's belief rises by more than 20 percentage points, except with probability 1 %:
    --limit "difference=0.2" --for gaussian --releases 12 --failure 0.01. With --from FILE, the promise in the file
    gives the kind of noise, the number of releases and the sensitivity, and its limits and profiles count too. With
    another kind by --for, all else stays. If the file has several promises, the noise of all is raised by one factor;
    --for names the one that is looked for instead, and the rest counts as spent.
    """
    answer("recommend", values, as_json=as_json)
