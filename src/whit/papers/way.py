"""How a quantity of a paper is recomputed, and how near it must come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whit.papers.case import Case
from whit.theory import Finding

CLOSE = 1e-12
"""How near a closed form must come, relative to the value."""


def middle(finding: Finding) -> float:
    """The number midway between the two ends of an exact finding."""
    assert finding.lower is not None
    assert finding.upper is not None
    return (float(finding.lower) + float(finding.upper)) / 2


@dataclass(frozen=True)
class Way:
    """A way of recomputing a quantity.

    Attributes:
        compute: the number of a case, by whit.
        within: the largest relative difference from the value that is put down to rounding.
    """

    compute: Callable[[Case], float]
    within: float = CLOSE
