"""One plan beside another, concern by concern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whit.plans.concern import Concern
from whit.plans.exposed import Exposed
from whit.plans.exposure import Exposure, expose
from whit.plans.plan import Plan
from whit.theory import Finding

Question = Callable[[Exposed], Finding]
"""Anything that can be asked of a mechanism, such as its power at a level."""


@dataclass(frozen=True)
class Comparison:
    """Two plans as somebody with one concern meets them."""

    concern: Concern
    first: Exposure
    second: Exposure

    @property
    def rhos(self) -> tuple[Finding, Finding]:
        """The rho of each."""
        return self.first.rho, self.second.rho

    def asked(self, question: Question) -> tuple[Finding, Finding]:
        """Put one question to both plans."""
        return question(self.first.release), question(self.second.release)


def compare(first: Plan, second: Plan, concerns: Sequence[Concern]) -> tuple[Comparison, ...]:
    """Both plans, concern by concern.

    >>> from whit.plans import census_2020, scaled
    >>> from whit.semantics import testing
    >>> census = census_2020.plan()
    >>> [both] = compare(census, scaled(census, 2), [census_2020.SCENARIOS["A"]])
    >>> for power in both.asked(lambda release: testing.power(release, 0.05)):
    ...     print(power)
    power of the best test is 12.1 % (rounded up)
    power of the best test is 7.95 % (rounded up)
    """
    return tuple(Comparison(each, expose(first, each), expose(second, each)) for each in concerns)
