"""The plan of the 2020 Census redistricting data, production settings."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib.resources import files

from whit.plans.linked import Linked
from whit.plans.plan import Plan
from whit.plans.tables import plan_of


@cache
def plan(linked: Linked = Linked.AS_THE_PERSON) -> Plan:
    """Eleven queries about persons and one about housing units, at six levels.

    One of the 72 has no share and is not asked. State totals, housing units and group quarters are published as they
    are; the plan lists them as not protected.

    Args:
        linked: how a person's move is taken to change housing units; as the paper counts them, unless another reading
            is given.
    """
    text = files("whit.plans.census_2020").joinpath("data.toml").read_text(encoding="utf-8")
    return replace(plan_of(tomllib.loads(text, parse_float=Decimal)), linked=linked)
