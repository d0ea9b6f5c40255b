"""Tables 2 and 6: level and power, by three arguments from the same noise."""

from __future__ import annotations

from dataclasses import dataclass

from whit.plans.census_2020.scenarios import SCENARIOS, plan
from whit.plans.concern import Concern, WholeRecord
from whit.plans.exposure import expose
from whit.semantics import testing
from whit.theory import Finding

LEVELS = (0.01, 0.05, 0.10)
"""The levels that are printed."""

PRINTED_2 = (("0.49", "0.49", "0.70"), ("0.74", "0.74", "0.95"), ("0.84", "0.84", "0.96"))
"""Table 2 as printed: for each level, Gaussian, discrete Gaussian, and the bound by rho."""

PRINTED_6 = (("0.03", "0.03", "0.04"), ("0.12", "0.12", "0.14"), ("0.21", "0.21", "0.24"))
"""Table 6 as printed."""


@dataclass(frozen=True)
class PowerRow:
    """The largest power at some levels, by three arguments.

    Attributes:
        levels: the rates of false alarms.
        gaussian: if the noise were Gaussian of the same variance.
        discrete: of the noise itself, the exact composition between certified bounds.
        bound: what rho alone proves of any noise.
        printed: the three as printed, for each level.
    """

    levels: tuple[float, ...]
    gaussian: Finding
    discrete: Finding
    bound: Finding
    printed: tuple[tuple[str, str, str], ...]


def table_2() -> PowerRow:
    """Table 2: anything about one person's record, all queries.

    >>> print(table_2().discrete)
    power of the best test is 84.5 % (rounded up; the largest of 3 values)
    """
    return _row(WholeRecord(), PRINTED_2)


def table_6() -> PowerRow:
    """Table 6: the block within the custom block group, Scenario A."""
    return _row(SCENARIOS["A"], PRINTED_6)


def _row(concern: Concern, printed: tuple[tuple[str, str, str], ...]) -> PowerRow:
    exposure = expose(plan(), concern)
    exact = exposure.composed(relative_width=1e-10)
    return PowerRow(
        levels=LEVELS,
        gaussian=testing.power(exposure.continuous, LEVELS),
        discrete=testing.power(exact, LEVELS),
        bound=testing.power(exposure.zcdp, LEVELS),
        printed=printed,
    )
