"""A promise to a small unit of privacy as one to a larger unit: a person on one day, and that person over a year.

There are two ways, and they are not the same. If each release looks at one day only, the days of a person are as many
releases: a composition. If one release looks at all days together, they are as many records: a group. A group costs
more: k^2 rho where a composition costs k rho. Both need the promise that nobody contributes more units than counted,
which the data must be made to keep.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from whit.curves import Promise, require_promise
from whit.errors import require
from whit.semantics.membership.releases import counted
from whit.setting import UnitOfPrivacy
from whit.theory import Basis, Finding, Tree

Changed_co = TypeVar("Changed_co", bound=Promise, covariant=True)

_UNIT = 'Use a unit such as UnitOfPrivacy("person", period="one day").'
_AT_MOST = "Use the largest number of small units that one large unit contributes, such as 365."


@dataclass(frozen=True)
class UnitChange(Generic[Changed_co]):
    """A promise to a small unit, the promise to a large unit that follows from it, and why.

    Attributes:
        before: what is promised to the small unit.
        after: what is promised to the large unit.
        small: the unit of the promise before.
        large: the unit of the promise after.
        at_most: the largest number of small units that one large unit contributes.
        basis: the theorem, and through it what must hold of the data.
    """

    before: Promise
    after: Changed_co
    small: UnitOfPrivacy
    large: UnitOfPrivacy
    at_most: int
    basis: Basis

    @property
    def sentence(self) -> str:
        """What is protected now, and what must hold for it."""
        times = "once" if self.at_most == 1 else f"{self.at_most} times"
        return (
            f"{self.large.sentence} It is counted as at most {times} what one {self.small.name} contributes within "
            f"{self.small.period}: {self.before!r} becomes {self.after.in_one!r}. What goes beyond must be left out."
        )

    def carried(self, finding: Finding) -> Finding:
        """A finding about the promise after, with the change of unit among its inputs and in its basis.

        >>> from whit.guarantees import ZeroConcentratedDP
        >>> from whit.semantics.membership import posterior
        >>> day, year = UnitOfPrivacy("person", period="one day"), UnitOfPrivacy("person", period="one year")
        >>> change = by_composition(ZeroConcentratedDP(0.01), small=day, large=year, at_most=30)
        >>> found = change.carried(posterior(change.after, 0.5, failure=0.01))
        >>> print(found)
        posterior probability of the truth is at most 93.5 %, except with probability 1 %
        >>> "at-most-so-many-units" in found.basis.assumptions
        True
        """
        require(
            isinstance(finding, Finding),
            name="what is carried over",
            rule="must be a finding",
            value=finding,
            way_out="Pass a finding, such as posterior(change.after, 0.5).",
        )
        units: dict[str, Tree] = {
            "small unit": self.small.sentence,
            "large unit": self.large.sentence,
            "at most": self.at_most,
        }
        return replace(finding, inputs={**finding.inputs, **units}, basis=finding.basis | self.basis)

    def __str__(self) -> str:
        """The sentence."""
        return self.sentence


def by_composition(
    promise: Promise, *, small: UnitOfPrivacy, large: UnitOfPrivacy, at_most: int
) -> UnitChange[Promise]:
    """The change of unit where each release depends on one small unit of a large one only: so many releases.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> day, year = UnitOfPrivacy("person", period="one day"), UnitOfPrivacy("person", period="one year")
    >>> print(by_composition(ZeroConcentratedDP(0.0625), small=day, large=year, at_most=250))
    The promise covers all that one person contributes within one year. It is counted as at most 250 times what one
    person contributes within one day: ZeroConcentratedDP(rho=0.0625) becomes ZeroConcentratedDP(rho=15.625). What goes
    beyond must be left out.
    """
    require_promise(promise)
    number = _checked(small, large, at_most)
    basis = Basis.of("unit-change-by-composition")
    return UnitChange(promise, promise.times(number), small, large, number, basis)


def by_group(promise: Promise, *, small: UnitOfPrivacy, large: UnitOfPrivacy, at_most: int) -> UnitChange[Promise]:
    """The change of unit where one release may depend on all small units of a large one: a group of so many records.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> from whit.setting import PERSON
    >>> by_group(ZeroConcentratedDP(0.0625), small=UnitOfPrivacy("visit"), large=PERSON, at_most=5).after
    ZeroConcentratedDP(rho=1.5625)
    """
    require_promise(promise)
    number = _checked(small, large, at_most)
    basis = Basis.of("unit-change-by-group", "group-privacy")
    return UnitChange(promise, promise.group(number), small, large, number, basis)


def _checked(small: UnitOfPrivacy, large: UnitOfPrivacy, at_most: int) -> int:
    """The number, if the units are two."""
    for name, unit in (("small", small), ("large", large)):
        known = isinstance(unit, UnitOfPrivacy)
        require(known, name=name, rule="must be a unit of privacy", value=unit, way_out=_UNIT)
    require(small != large, name="large", rule="must be another unit than the small one", value=large, way_out=_UNIT)
    return counted("at_most", at_most, _AT_MOST)
