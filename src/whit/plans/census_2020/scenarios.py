"""Scenarios A to H: eight concerns, the rho that is printed for each, and the rho that follows from the tables."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from whit.errors import UnknownKey
from whit.guarantees import GaussianDP
from whit.plans.concern import About, Within
from whit.plans.exact import root
from whit.plans.exposure import Exposure, expose
from whit.plans.plan import Plan
from whit.plans.query import Linked
from whit.plans.tables import plan_of
from whit.setting import Neighbours


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

PRINTED_RHOS: Mapping[str, Fraction] = MappingProxyType(
    {
        letter: Fraction(rho)
        for letter, rho in zip(
            "ABCDEFGH", ("0.1115", "0.926", "0.952", "0.945", "1.32", "0.555", "0.969", "0.968"), strict=True
        )
    }
)
"""The rhos as they are printed in section 8.2; from C on they do not follow from Tables 3 to 5."""

PRINTED_POWERS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "A": ("0.03", "0.12", "0.21"),
        "B": ("0.17", "0.39", "0.53"),
        "C": ("0.17", "0.40", "0.54"),
        "D": ("0.17", "0.39", "0.54"),
        "E": ("0.24", "0.49", "0.63"),
        "F": ("0.10", "0.28", "0.41"),
    }
)
"""The powers at levels 0.01, 0.05 and 0.10 as they are printed in section 8.2."""


@dataclass(frozen=True)
class Scenario:
    """One of the scenarios, with what is printed beside what follows from the tables.

    Attributes:
        letter: A to H.
        exposure: the queries, and the guarantee that follows.
        printed_rho: the rho in the text of section 8.2.
    """

    letter: str
    exposure: Exposure
    printed_rho: Fraction

    @property
    def follows(self) -> bool:
        """Whether the printed rho is that of the tables, as far as it is printed."""
        digits = len(str(float(self.printed_rho)).partition(".")[2])
        return abs(self.exposure.exact_rho - self.printed_rho) <= Fraction(1, 2 * 10**digits)

    @property
    def as_printed(self) -> GaussianDP:
        """What Gaussian noise with the printed rho would promise."""
        mu = math.nextafter(root(2 * self.printed_rho), math.inf)
        return GaussianDP(mu, neighbours=Neighbours.REPLACE)

    def __str__(self) -> str:
        verdict = "follows from the tables" if self.follows else "does not follow from the tables"
        rho = float(self.exposure.exact_rho)
        return f"{self.letter}: rho {rho:.5f}; printed {float(self.printed_rho):g}, which {verdict}"


def scenario(letter: str, *, linked: Linked = Linked.AS_THE_PERSON) -> Scenario:
    """One of the scenarios A to H.

    >>> print(scenario("A"))
    A: rho 0.11150; printed 0.1115, which follows from the tables
    >>> print(scenario("C"))
    C: rho 1.01029; printed 0.952, which does not follow from the tables
    """
    if letter not in SCENARIOS:
        raise UnknownKey("a scenario", "must be one of those of section 8.2", letter, "Use a letter from A to H.")
    return Scenario(letter, expose(plan(linked), SCENARIOS[letter]), PRINTED_RHOS[letter])
