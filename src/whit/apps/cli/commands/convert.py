"""`whit convert`: what another kind of promise follows, and by which theorems."""

from __future__ import annotations

import re
from typing import Any

import click

from whit.apps.cli.answers import Answers
from whit.apps.cli.json_option import json_option
from whit.apps.cli.progress import working
from whit.apps.cli.promise_options import promise_options
from whit.apps.cli.promises import NEIGHBOURS, Stated
from whit.apps.cli.tables import tell_table
from whit.apps.cli.written import Number, Word, number
from whit.assessment import promise_name
from whit.errors import WhitError
from whit.guarantees import (
    ApproxDP,
    Conversion,
    GaussianDP,
    Guarantee,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    SemanticPrivacy,
    ZeroConcentratedDP,
)
from whit.guarantees import convert as converted
from whit.setting import Neighbours
from whit.theory import Direction, Unit, number_text

KINDS: dict[str, type[Guarantee]] = {
    "epsilon": PureDP,
    "epsilon-delta": ApproxDP,
    "rho": ZeroConcentratedDP,
    "mu": GaussianDP,
    "renyi": RenyiDP,
    "probabilistic": ProbabilisticDP,
    "bounded": ProbabilisticallyBoundedDP,
    "beliefs": SemanticPrivacy,
}
"""The kinds of promise by their words."""


@click.command(short_help="What another kind of promise follows, and by which theorems.")
@promise_options
@click.option("--to", "kind", required=True, type=Word(list(KINDS)), help="The kind of promise that is wanted.")
@click.option("--at-delta", type=Number(), help="The delta at which it is wanted.")
@click.option("--at-epsilon", type=Number(), help="The epsilon at which it is wanted.")
@click.option("--sides", type=click.IntRange(1, 2), help="For probabilistic: 1 or 2; 2 if not given.")
@click.option("--orders", metavar="LIST", help="For renyi: orders such as 2,8,32.")
@click.option("--failure", type=Number(), help="For beliefs: the chance that the statement may be false.")
@click.option("--population", type=int, help="For beliefs: how many people are in the data.")
@click.option("--under", type=click.Choice(list(NEIGHBOURS)), help="The relation that the result is to be about.")
@click.option("--group", type=click.IntRange(min=1), default=1, help="How many records it is to protect together.")
@json_option
def convert(stated: Stated, kind: str, under: str | None, group: int, as_json: bool, **free: Any) -> None:
    """The best promise of another kind that follows, and the theorems by which it does.

    From rho 2.56 to epsilon at a delta: --rho 2.56 --to epsilon-delta --at-delta 1e-10.
    """
    parameters = {name.removeprefix("at_"): value for name, value in free.items() if value is not None}
    if "orders" in parameters:
        parameters["orders"] = [number("orders", each) for each in parameters["orders"].split(",")]
    with working("Converting"):
        found = _converted(stated, KINDS[kind], None if under is None else NEIGHBOURS[under], group, parameters)
    asked = {"promise": repr(stated.promised), "to": kind, "group": group, "under": under, **parameters}
    told = {name: _plain(value) for name, value in found.result.parameters.items()}
    steps = [str(step) for step in found.path]
    result = {"promise": repr(found.result), "parameters": told, "steps": steps, "theorems": list(found.basis.theorems)}
    answers = Answers("convert", asked, notes=tuple(steps), result=result)
    rows = [[name, _rounded(value)] for name, value in told.items()]
    tell_table(answers, ("parameter", "value"), rows, as_json=as_json, title=f"{promise_name(found.result)}, by")


def _converted(
    stated: Stated, kind: type[Guarantee], under: Neighbours | None, group: int, free: dict[str, Any]
) -> Conversion:
    source = stated.promised
    try:
        return converted(source, to=kind, neighbours=under or stated.relation, group=group, **free)
    except WhitError as refused:
        value = stated.words if refused.value is source else refused.value
        way_out = re.sub(r"\b(delta|epsilon|orders)=\[?([\d., e-]*\d)\]?", _as_option, refused.way_out)
        raise type(refused)(refused.name, refused.rule, value, way_out) from refused


def _as_option(written: re.Match[str]) -> str:
    """A parameter of the result as an option: delta=1e-6 is --at-delta 1e-6."""
    name, value = written[1], written[2].replace(" ", "")
    return f"--{name} {value}" if name == "orders" else f"--at-{name} {value}"


def _rounded(value: Any) -> str:
    """A parameter in a table: of each larger is worse, so that it is rounded up; --json has all digits."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_rounded(each)}" for name, each in value.items())
    return number_text(value, Direction.AT_MOST, Unit.NUMBER, digits=6) if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    """A parameter as JSON has it."""
    if isinstance(value, float | int | str):
        return value
    if hasattr(value, "items"):
        return {str(key): each for key, each in value.items()}
    return getattr(value, "name", str(value))
