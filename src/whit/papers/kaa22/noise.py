"""The discrete Gaussian noise of the 2020 Census, composed exactly where the paper drew a million samples.

Every composition is made once: that of everything takes in 71 queries with 142 cells of 38 different variances.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from whit.papers.case import Case, Way, middle
from whit.plans import Exposed, Exposure, WholeRecord, census_2020, expose
from whit.semantics import testing

COMPOSED = 1e-9
"""How near a numerical composition comes.

At the level of blocks the losses lie on a lattice, which moves the power by parts in 10^11 from the value of the cases,
the one of Gaussian noise (erratum 004.14).
"""

EVERYTHING = "everything"
"""The concern of somebody for whom any part of the record matters."""

_WIDTH = 1e-10
"""How narrow the brackets are: the discrete and the continuous Gaussian differ by less than 10^-9."""


@cache
def exposure(concern: str) -> Exposure:
    """The plan of the Census as somebody with one of the concerns A to H meets it, or with everything at stake."""
    about = WholeRecord() if concern == EVERYTHING else census_2020.SCENARIOS[concern]
    return expose(census_2020.plan(), about)


@cache
def exact(concern: str) -> Exposed:
    """The noise of all queries that the concern is exposed to, between narrow brackets."""
    return exposure(concern).composed(relative_width=_WIDTH)


def _power(case: Case) -> float:
    return middle(testing.power(exact(case.inputs["concern"]), case.given("level")))


WAYS: Mapping[str, Way] = {
    "largest power against the discrete Gaussian noise": Way(_power, within=COMPOSED),
    "largest power against Gaussian noise at the rho of the tables": Way(
        lambda case: middle(testing.power(exposure(case.inputs["scenario"]).continuous, case.given("level")))
    ),
    "epsilon of pbdp of the discrete Gaussian noise": Way(
        lambda case: middle(exact(EVERYTHING).bounded_epsilon(case.given("delta"))), within=COMPOSED
    ),
}
"""What recomputes each of these quantities."""
