"""`whit recommend`: the least noise that keeps to a risk profile or a limit."""

from __future__ import annotations

from typing import Any

import click

from whit import guarantees, mechanisms, spec
from whit.apps.cli.options import REQUIREMENTS, Command, Number, Whole, Word, filled_in, json_option, required, shared
from whit.apps.cli.output import Answers, Named, question_tables, tell, working
from whit.curves import LARGEST_LOSS
from whit.errors import InvalidInput
from whit.mechanisms import FullChange
from whit.policy import Recommendation, Rule
from whit.policy import recommend as recommended
from whit.theory import Direction, Finding

FAMILIES: dict[str, Any] = {
    **{kind.parameter.kind: kind for kind in guarantees.kinds()},
    **{kind.parameter.kind: kind for kind in mechanisms.kinds()},
}
"""What a parameter can be found for, by its words."""

RULES = {rule.name.lower().replace("_", "-"): rule for rule in Rule}
"""The rules of composition by their words."""

_ABOUT = {"ADD_REMOVE": "if a record is added or removed", "REPLACE": "if one is replaced"}


@click.command(cls=Command, short_help="The least noise that keeps to a risk profile or a limit.")
@filled_in(*REQUIREMENTS, "failure", "sides", promises=False)
@shared("from")
@click.option("--for", "family", type=Word(list(FAMILIES)), help="What a parameter is wanted for; the file may say it.")
@click.option("--releases", type=Whole(), help="How many releases about the same people. 1 if not given.")
@click.option("--delta", type=Number(), help="Of each release, for epsilon-delta.")
@click.option("--total-delta", type=Number(), help="Of all releases together, for rules that need it.")
@click.option("--rule", type=Word(list(RULES)), default="own", show_default=True, help="How promises compose.")
@shared("neighbours", "sensitivity")
@click.option("--sampling-rate", type=Number(), help="Of noise on a Poisson sample: the chance of each record.")
@click.option("--records", type=Whole(), help="Of noise on a sample: how many records one person has at most.")
@click.option("--spent", multiple=True, metavar="TEXT", help='A promise already made to them: "epsilon=0.5".')
@click.option("--digits", type=click.IntRange(1, 15), default=5, show_default=True, help="Digits of the parameter.")
@json_option
def recommend(form: spec.Form, from_: str | None, digits: int, as_json: bool, **options: Any) -> None:
    """The parameter that tells most and still keeps to what you accept, rounded to the safe side.

    Twelve counts a year, nobody's belief up by more than 20 points but for one time in a hundred:
    --limit "difference=0.2" --for gaussian --releases 12 --failure 0.01. With --from FILE the promise in the file says
    what it is for, for how many releases, and with which sensitivity; the file also says what is acceptable.
    """
    form = form if from_ is None else form.over(spec.Form.of_file(from_))
    wanted = required(form)
    family, given, arguments = _searched(form, **options)
    with working("Looking for the least noise"), given.placed():
        several = [each for _, each in wanted.named]
        thing = several[0] if len(several) == 1 else several
        found = recommended(thing, FAMILIES[family], failure=form.asked.failure, sides=form.asked.sides, **arguments)
    asked = {
        "wanted": [text for text, _ in wanted.named],
        "for": family,
        **{name: value for name, value in options.items() if value},
    }
    rounded = str(found.rounded(digits)) if not found.unlimited else str(float(found.parameter))
    result = {"parameter": found.family.parameter, "rounded": rounded, "release": _release(found)}
    decider = "" if found.unlimited else found.verdict.decider
    result["decided_by"] = decider
    notes = (*((f"Decided by {decider}.",) if decider else ()), *found.notices)
    answers = Answers("recommend", asked, _named(found, rounded), notes, result)
    tables = question_tables(answers, {"": f"{found.family.parameter} {rounded} for {family}"})
    tell(answers, *tables, as_json=as_json)


def _searched(
    form: spec.Form,
    *,
    family: str | None,
    neighbours_: str | None,
    sensitivity_: str | None,
    rule: str,
    spent: tuple[str, ...],
    **numbers: Any,
) -> tuple[str, spec.Given, dict[str, Any]]:
    """What is searched for, the options that say how, and the arguments of the search."""
    words = {"neighbours": neighbours_, "sensitivity": sensitivity_, "rule": None if rule == "own" else rule}
    given = spec.Given({name: value for name, value in {**numbers, **words}.items() if value is not None})
    found: dict[str, Any] = {}
    if form.promise:
        if isinstance(form.series.one, FullChange):
            rule = "cannot be full where a parameter is searched for, which is to hold for everybody"
            raise form.promise[0].refuse("changes", rule, "Leave it out.")
        kind = next((word for word, one in FAMILIES.items() if type(form.series.noise) is one), None)
        if kind is None and family is None:
            raise InvalidInput(
                "--for", "must say what a parameter is wanted for", form.series.words, "Use --for gaussian."
            )
        found, family = (form.series.search if family in (None, kind) else {}), family or kind
    if family is None:
        raise InvalidInput("--for", "must be given", "nothing", f"Use one of {', '.join(FAMILIES)}, or --from FILE.")
    found |= {name: value for name, value in numbers.items() if value is not None}
    found |= {"neighbours": given.word("neighbours", spec.NEIGHBOURS)} if neighbours_ else {}
    found |= {"sensitivity": spec.sensitivity_of(given)} if sensitivity_ else {}
    for name in FAMILIES[family].parameter.beside:
        if name not in found:
            raise InvalidInput(f"--{name}", f"must be given for {family}", "nothing", f"Use --{name} 1e-6.")
    earlier = [spec.promise_of(spec.pairs("a promise", text)).together for text in spent]
    return family, given, {**found, "rule": RULES[rule], "spent": earlier}


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
    """The number that decides beside its limit; one of several losses with what it is about."""
    for part in found.verdict.parts or (found.verdict,):
        if each is part.number:
            return part.reason.rstrip(".")
    losses = [one for one in found.findings if one.quantity == LARGEST_LOSS]
    about = _ABOUT.get(str(each.inputs.get("neighbours")), "")
    return f"{each}, {about}" if each in losses and len(losses) > 1 and about else ""
