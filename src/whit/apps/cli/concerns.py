"""The options that name what about their record somebody wants kept, and the plan that it is about."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from whit.errors import InvalidInput
from whit.plans import About, Anywhere, Concern, Plan, Presence, Settled, WholeRecord, Within, census_2020, load

Command = Callable[..., Any]

CENSUS = "census-2020"
"""The word for the plan of the 2020 Census redistricting data."""

_CONCERN = "Use --about race, --place 'Block within Tract', --whole-record, --presence, or --scenario A for the Census."
_NAMES = ("about", "place", "whole_record", "presence", "scenario")
_OPTIONS = (
    click.option("--about", metavar="ATTRIBUTES", help="The concern: these attributes of the record, with commas."),
    click.option("--place", metavar="TEXT", help='The concern: "Block within Tract", or "anywhere".'),
    click.option("--whole-record", is_flag=True, help="The concern: everything about the record."),
    click.option("--presence", is_flag=True, help="The concern: being in the data at all."),
    click.option("--scenario", metavar="LETTER", help="A concern of the Census paper, A to H."),
)


def plan_of(file: str) -> Plan:
    """The plan of a file, or that of the Census."""
    return census_2020.plan() if file == CENSUS else load(file)


def concern_options(command: Command) -> Command:
    """Give a command the options, and hand it what they name as `concerns`."""

    @wraps(command)
    def with_concern(**options: Any) -> Any:
        return command(concerns=_named(**{name: options.pop(name) for name in _NAMES}), **options)

    decorated: Command = with_concern
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def the_one(concerns: tuple[Concern, ...]) -> Concern:
    """The concern that was named; none or several are refused."""
    if len(concerns) == 1:
        return concerns[0]
    raise InvalidInput("the concern", "must be named once", f"{len(concerns)} of them", _CONCERN)


def _named(
    *, about: str | None, place: str | None, whole_record: bool, presence: bool, scenario: str | None
) -> tuple[Concern, ...]:
    own: list[Concern] = [] if about is None and place is None else [_about(about, place)]
    own += [WholeRecord()] if whole_record else []
    own += [Presence()] if presence else []
    own += [] if scenario is None else [census_2020.scenario(scenario).exposure.concern]
    return tuple(own)


def _about(about: str | None, place: str | None) -> Concern:
    attributes = [] if about is None else [name.strip() for name in about.split(",")]
    return About(tuple(attributes), _place(place))


def _place(text: str | None) -> Within | Anywhere | Settled:
    if text is None:
        return Settled()
    if text.strip().lower() == "anywhere":
        return Anywhere()
    level, within, larger = (part.strip() for part in text.partition(" within "))
    if not within:
        raise InvalidInput("--place", "must name a place within a larger one", text, _CONCERN)
    return Within(level, larger)
