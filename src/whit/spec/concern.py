"""What about their record somebody wants kept, and the plan that it is about."""

from __future__ import annotations

from whit.errors import InvalidInput, unknown_name
from whit.plans import About, Anywhere, Concern, Plan, Presence, Settled, WholeRecord, Within, census_2020
from whit.spec.given import Given
from whit.spec.plan_file import load_plan

CENSUS = "census-2020"
"""The word for the plan of the 2020 Census redistricting data."""

CONCERN = ("about", "place", "whole_record", "presence", "scenario")
"""By what a concern is named."""

_CONCERN = "Use --about race, --place 'Block within Tract', --whole-record, --presence, or --scenario A for the Census."


def plan_named(file: str) -> Plan:
    """The plan of a file, or that of the Census."""
    return census_2020.plan() if file == CENSUS else load_plan(file)


def concern_of(given: Given) -> Concern:
    """The one concern that is named.

    >>> print(concern_of(Given({"about": "race", "place": "Block within Tract"})))
    race; Block within Tract
    """
    given.only(CONCERN)
    named = [key for key in CONCERN if key in given and not (key == "place" and "about" in given)]
    if len(named) != 1:
        raise InvalidInput("the concern", "must be named once", given.keys(named), _CONCERN)
    if named[0] == "scenario":
        letter = given.words("scenario").upper()
        if letter not in census_2020.SCENARIOS:
            raise unknown_name(given.place("scenario"), letter, census_2020.SCENARIOS, parameter="scenario")
        return census_2020.SCENARIOS[letter]
    if named[0] in ("whole_record", "presence"):
        return WholeRecord() if named[0] == "whole_record" else Presence()
    attributes = tuple(name.strip() for name in given.words("about").split(",")) if "about" in given else ()
    with given.placed(attributes="about"):
        return About(attributes, _place(given))


def _place(given: Given) -> Within | Anywhere | Settled:
    if "place" not in given:
        return Settled()
    text = given.words("place")
    if text.lower() == "anywhere":
        return Anywhere()
    level, within, larger = (part.strip() for part in text.partition(" within "))
    if not within:
        raise given.refuse("place", "must name a place within a larger one", "Use 'Block within Tract', or 'anywhere'.")
    return Within(level, larger)
