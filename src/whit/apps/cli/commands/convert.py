"""`whit convert`: a promise as another kind, and the theorems that show it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from whit import spec
from whit.apps.cli.options import Number, PromiseCommand, Whole, Word, filled_in, json_option
from whit.apps.cli.output import Answers, Table, named, short, tell, working
from whit.assessment import promise_name, views
from whit.curves import Promise
from whit.errors import InvalidInput
from whit.guarantees import Guarantee, ProbabilisticallyBoundedDP, ProbabilisticDP, RenyiDP, SemanticPrivacy, kinds
from whit.guarantees import convert as converted
from whit.setting import Neighbours
from whit.theory import Answer, Direction, Unit, echo, number_text

KINDS: dict[str, type[Guarantee]] = {
    **{kind.parameter.kind: kind for kind in kinds()},
    "renyi": RenyiDP,
    "probabilistic": ProbabilisticDP,
    "bounded": ProbabilisticallyBoundedDP,
    "beliefs": SemanticPrivacy,
}
"""The kinds of promise by their words."""

ALL = "all"
"""The word for a table of every kind."""

RELATIONS = [word.replace("_", "-") for word in spec.NEIGHBOURS]
"""The relations between datasets by their words."""

_OR_RELATIONS = " or ".join(RELATIONS)

_NAMES = {"delta": "at_delta", "epsilon": "at_epsilon", "neighbours": "under"}


@click.command(cls=PromiseCommand, short_help="Convert a promise to another kind, and show the theorems used.")
@filled_in()
@click.option(
    "--to",
    "kind",
    required=True,
    type=Word([*KINDS, ALL]),
    metavar="WORD",
    help=f"One of {', '.join(KINDS)}; or {ALL}.",
)
@click.option("--at-delta", type=Number(), help="The delta of the result.")
@click.option("--at-epsilon", type=Number(), help="The epsilon of the result.")
@click.option("--sides", type=click.IntRange(1, 2), help="For probabilistic: 1 or 2. The default is 2.")
@click.option("--orders", metavar="LIST", help="For renyi: orders such as 2,8,32.")
@click.option("--failure", type=Number(), help="For beliefs: the probability with which the statement may fail.")
@click.option("--population", type=Whole(), help="For beliefs: the number of people in the data.")
@click.option("--under", type=Word(RELATIONS), metavar="WORD", help=f"The neighbours of the result: {_OR_RELATIONS}.")
@click.option("--group", type=Whole(), default=1, help="The number of records that the result protects together.")
@json_option
def convert(form: spec.Form, kind: str, under: str | None, group: int, as_json: bool, **free: Any) -> None:
    """Convert a promise to the best one of another kind, and show the theorems used.

    For example from rho to epsilon: --rho 2.56 --to epsilon-delta --at-delta 1e-10.
    """
    click.get_current_context().meta["whit.names"] = _NAMES
    series, given = form.series, spec.Given({name: value for name, value in free.items() if value is not None})
    parameters: dict[str, Any] = {name.removeprefix("at_"): value for name, value in given.values.items()}
    if "orders" in given:
        listed = str(given.values["orders"]).split(",")
        parameters["orders"] = [spec.Given({"orders": each}).number("orders") for each in listed]
    relation = series.relation if under is None else spec.NEIGHBOURS[spec.plain(under)]
    if kind == ALL:
        _tell_all(series.together if group == 1 else series.together.group(group), relation, parameters, as_json)
        return
    with working("Converting"), given.placed(delta="at_delta", epsilon="at_epsilon"):
        found = converted(series.together, to=KINDS[kind], neighbours=relation, group=group, **parameters)
    asked = {"promise": echo(series.together), "to": kind, "group": group, "under": under, **parameters}
    values = {name: _plain(value) for name, value in found.result.parameters.items()}
    steps = [str(step) for step in found.path]
    theorems = list(found.basis.theorems)
    result = {"promise": echo(found.result), "parameters": values, "steps": steps, "theorems": theorems}
    answers = Answers("convert", asked, notes=tuple(steps), result=result)
    rows = [[name, _rounded(value)] for name, value in found.result.parameters.items()]
    opening = f"{series.title} implies {promise_name(found.result)}."
    told = replace(answers, notes=tuple(f"By: {step}" for step in steps))
    tell(answers if as_json else told, Table(("parameter", "value"), rows), as_json=as_json, opening=opening)


def _tell_all(promise: Promise, relation: Neighbours | None, parameters: dict[str, Any], as_json: bool) -> None:
    """The promise as every kind has it, with the theorems of each."""
    for name in parameters.keys() - {"delta", "epsilon", "orders"}:
        raise InvalidInput(
            f"--{name}", f"does not apply to --to {ALL}", parameters[name], "Leave it out, or name one kind."
        )
    with working("Converting"):
        found = views(promise, neighbours=relation, **parameters)
    asked = {"promise": echo(promise), "to": ALL, **parameters}
    rows = [
        (name, _shown(answer), ", ".join(answer.worst.basis.theorems if answer.worst else ()))
        for name, answer in found.items()
    ]
    answers = Answers("convert", asked, named(promise_name(promise), found.items()))
    tell(answers, Table(("kind", "value", "rests on"), rows, promise_name(promise)), as_json=as_json)


def _shown(answer: Answer) -> str:
    return short(answer) if answer.worst else "none"


def _rounded(value: Any) -> str:
    """A parameter in a table, rounded up because larger is worse; --json has all digits."""
    if hasattr(value, "items"):
        return ", ".join(f"{name}: {_rounded(each)}" for name, each in value.items())
    if isinstance(value, Neighbours):
        return value.name.lower().replace("_", "-")
    return number_text(value, Direction.AT_MOST, Unit.NUMBER, digits=6) if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    """A parameter as JSON has it."""
    if isinstance(value, float | int | str):
        return value
    if hasattr(value, "items"):
        return {str(key): each for key, each in value.items()}
    return getattr(value, "name", str(value))
