"""`whit recommend`: the least noise that keeps to a risk profile or a limit."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.answers import Answers, Named
from whit.apps.cli.json_option import json_option
from whit.apps.cli.progress import working
from whit.apps.cli.promise_options import from_text
from whit.apps.cli.promises import NEIGHBOURS, sensitivity
from whit.apps.cli.tables import tell
from whit.apps.cli.wanted import Wanted, failure_option, wanted_options
from whit.apps.cli.written import Number
from whit.curves import LARGEST_LOSS
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, GaussianDP, Guarantee, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, Mechanism
from whit.policy import Recommendation, Rule, limits
from whit.policy import recommend as recommended
from whit.theory import Direction, Finding

FAMILIES: dict[str, type[Guarantee] | type[Mechanism]] = {
    "epsilon": PureDP,
    "epsilon-delta": ApproxDP,
    "rho": ZeroConcentratedDP,
    "mu": GaussianDP,
    "gaussian": Gaussian,
    "discrete-gaussian": DiscreteGaussian,
    "laplace": Laplace,
    "geometric": Geometric,
}
"""What a parameter can be found for, by its words."""

RULES = {rule.name.lower().replace("_", "-"): rule for rule in Rule}
"""The rules of composition by their words."""

SPARE = 1e-6
"""What is left below a limit is worth a word from here on."""

_ABOUT = {"ADD_REMOVE": "if a record is added or removed", "REPLACE": "if one is replaced"}
_WANTED = 'Say what is acceptable: --profile "relative=3", --limit "difference=0.2" or --keeping "epsilon=1".'


@click.command(short_help="The least noise that keeps to a risk profile or a limit.")
@wanted_options
@click.option(
    "--for", "family", required=True, type=click.Choice(list(FAMILIES)), help="What a parameter is wanted for."
)
@click.option("--releases", type=int, default=1, show_default=True, help="How many releases about the same people.")
@failure_option
@click.option("--sides", type=click.IntRange(1, 2), default=1, show_default=True, help="2 to bound drops as well.")
@click.option("--delta", type=Number(), help="Of each release, for epsilon-delta.")
@click.option("--total-delta", type=Number(), help="Of all releases together, for rules that need it.")
@click.option("--rule", type=click.Choice(list(RULES)), default="own", show_default=True, help="How promises compose.")
@click.option("--neighbours", type=click.Choice(list(NEIGHBOURS)), help="Which two datasets are compared.")
@click.option("--sensitivity", "change", metavar="CHANGE", help="As in other commands: count, histogram, a number, ...")
@click.option("--spent", multiple=True, metavar="TEXT", help='A promise already made to them: "epsilon=0.5".')
@click.option("--digits", type=click.IntRange(1, 15), default=5, show_default=True, help="Digits of the parameter.")
@json_option
def recommend(wanted: tuple[Wanted, ...], family: str, digits: int, as_json: bool, **options: Any) -> None:
    """The parameter that tells most and still keeps to what you accept, rounded to the safe side.

    Twelve counts a year, nobody's belief up by more than 20 points but for one time in a hundred:
    --limit "difference=0.2" --for gaussian --releases 12 --failure 0.01.
    """
    if not wanted:
        raise InvalidInput("what is acceptable", "must be said", "nothing", _WANTED)
    with working("Looking for the least noise"):
        found = recommended(wanted[0].thing, FAMILIES[family], **_arguments(**options))
    asked = {
        "wanted": repr(wanted[0].thing),
        "for": family,
        **{name: value for name, value in options.items() if value},
    }
    rounded = str(found.rounded(digits)) if not found.unlimited else str(float(found.parameter))
    result = {"parameter": found.family.parameter, "rounded": rounded, "release": _release(found)}
    result["decided_by"] = "; ".join(map(str, found.binding))
    answers = Answers("recommend", asked, _named(found, rounded), (*_decided(found), *found.notices), result)
    tell(answers, as_json=as_json, title=f"{found.family.parameter} {rounded} for {family}")


def _arguments(
    *, neighbours: str | None, change: str | None, rule: str, spent: tuple[str, ...], **rest: Any
) -> dict[str, Any]:
    """What the options say, as the library has it."""
    relation = None if neighbours is None else NEIGHBOURS[neighbours]
    moved = None if change is None else sensitivity(change)
    earlier = [from_text(text).promised for text in spent]
    return {**rest, "neighbours": relation, "sensitivity": moved, "rule": RULES[rule], "spent": earlier}


def _release(found: Recommendation) -> str:
    return "any" if found.unlimited else repr(found.release)


def _named(found: Recommendation, rounded: str) -> tuple[Named, ...]:
    """The findings, each with what a table says of it."""
    groups = {
        "parameter": {found.parameter: _digits(found, rounded)},
        "with_it": {each: _with_it(found, each) for each in found.findings},
        "compared": dict.fromkeys(found.comparisons, ""),
    }
    return tuple(Named(name, _release(found), *each) for name, some in groups.items() for each in some.items())


def _digits(found: Recommendation, rounded: str) -> str:
    """The parameter with the digits that were asked for, which are on the safe side of it."""
    parameter = found.parameter
    if found.unlimited or parameter.direction not in (Direction.AT_MOST, Direction.AT_LEAST):
        return ""
    return f"{parameter.quantity.name} is {parameter.direction.value} {rounded}"


def _with_it(found: Recommendation, each: Finding) -> str:
    """One of several losses with what it is about; next to nothing that is left of a limit as nothing."""
    if each.quantity in (limits.LOSS_LEFT, limits.RISK_LEFT) and 0.0 <= float(each) < SPARE:
        return "the limit is kept with nothing to spare"
    losses = [one for one in found.findings if one.quantity == LARGEST_LOSS]
    about = _ABOUT.get(str(each.inputs.get("neighbours")), "")
    return f"{each}, {about}" if each in losses and len(losses) > 1 and about else ""


def _decided(found: Recommendation) -> tuple[str, ...]:
    return tuple(f"Decided by {each}." for each in found.binding)
