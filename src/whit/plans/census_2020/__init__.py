"""The 2020 Census redistricting data as a release plan, from Tables 3 to 5 of Kifer et al. (2022).

`whit.papers.kaa22_census` sets what the paper prints about it beside what follows from the plan.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from whit.plans.concern import About, Within
from whit.plans.plan import Plan
from whit.plans.query import Linked
from whit.plans.tables import plan_of

__all__ = ["SCENARIOS", "plan"]


@cache
def plan(linked: Linked = Linked.AS_THE_PERSON) -> Plan:
    """Eleven queries about persons and one about housing units, at six levels.

    One of the 72 has no share and is not asked. State totals, housing units and group quarters are published as they
    are; the plan lists them as not protected.

    Args:
        linked: how a person's move is taken to change housing units; as the paper counts them, unless another reading
            is given.
    """
    text = files(__name__).joinpath("data.toml").read_text(encoding="utf-8")
    return replace(plan_of(tomllib.loads(text, parse_float=Decimal)), linked=linked)


_BLOCK = "Block"
_IN_GROUP, _IN_TRACT = Within(_BLOCK, "Custom Block Group"), Within(_BLOCK, "Tract")

SCENARIOS: Mapping[str, About] = MappingProxyType(
    {
        "A": About(place=_IN_GROUP, name="Scenario A"),
        "B": About(place=_IN_TRACT, name="Scenario B"),
        "C": About(("CENRACE",), name="Scenario C"),
        "D": About(("HISPANIC",), name="Scenario D"),
        "E": About(("CENRACE",), _IN_TRACT, name="Scenario E"),
        "F": About(("VOTINGAGE",), _IN_GROUP, name="Scenario F"),
        "G": About(("VOTINGAGE", "CENRACE"), _IN_GROUP, name="Scenario G"),
        "H": About(("VOTINGAGE", "HISPANIC"), _IN_GROUP, name="Scenario H"),
    }
)
"""The concerns of section 8.2, by their letters."""
