"""Several releases of different kinds whose noise grows by one common factor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from whit.curves import Promise, sure_loss
from whit.display import at_work
from whit.guarantees import Guarantee
from whit.mechanisms import AdditiveNoise, arguments, compose, inside, parameter_of, restated
from whit.policy.families import Family
from whit.policy.recommendation import Recommendation, Requirement, criterion_of, recommend_by
from whit.setting import Neighbours

PROMISES = 4
"""Of up to so many promises, the noise is looked for where nobody asks for it by name: it takes seconds."""

IN_COMMON = 12
"""Of up to so many, one common factor is looked for where nobody asks: one search for all, and not one for each."""

RELEASES = 10**6
"""The same of up to so many releases: of more, one answer may take as long as all others together."""

_LARGEST = 1e300
"""No parameter is looked at beyond this number, or below its inverse."""


@dataclass(frozen=True)
class CommonFactor(Family):
    """Releases of several kinds, each as often as its count says; only the factor between them and more noise is open.

    With a factor of 2 every sigma and scale is doubled, every epsilon and mu is halved, and every rho is a quarter: the
    privacy loss of each then is about half of what it was. A delta stays.
    """

    parts: tuple[tuple[Promise, int], ...]

    @property
    def parameter(self) -> str:
        """The factor by which the noise of each grows."""
        return "factor"

    @property
    def rising(self) -> bool:
        """False: more noise tells less."""
        return False

    @property
    def called(self) -> str:
        """All of them at once."""
        return "the whole release"

    @property
    def advised(self) -> str:
        """What the factor is on."""
        return " on the noise of each"

    @property
    def bounded(self) -> bool:
        """Whether the losses of all of them are."""
        return math.isfinite(float(sure_loss(self.one(1.0), None).value))

    @property
    def steady(self) -> bool:
        """Whether more noise is always safer, for each of them."""
        return all(parameter_of(part).steady for part, _ in self.parts)

    @property
    def reach(self) -> float:
        """The least of theirs."""
        return min(parameter_of(part).reach for part, _ in self.parts)

    def first(self, loss: float, *, sure: bool) -> float:
        """The noise as it is."""
        return 1.0

    def one(self, value: float) -> Any:
        """All of them as one, with this factor."""
        several: Any = [scaled(part, value).times(times) for part, times in self.parts]
        return compose(*several)

    def all(self, value: float, relation: Neighbours) -> Promise:
        """The same: they are counted as they are."""
        found: Promise = self.one(value)
        return found


def scaled(promise: Promise, factor: float) -> Promise:
    """The same release with so many times the noise.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> from whit.mechanisms import Gaussian
    >>> scaled(Gaussian(3.0), 2.0), scaled(ZeroConcentratedDP(0.4), 2.0).parameter.name
    (Gaussian(sigma=6.0), 'rho')
    """
    value = own_number(promise)
    parameter = parameter_of(promise)
    if not parameter.rising:
        value *= factor
    else:
        value /= factor * factor if parameter.name == "rho" else factor
    return restated(promise, min(max(value, 1 / _LARGEST), _LARGEST))


def own_number(promise: Promise) -> float:
    """The number that a release is stated by, below all that is made of it.

    >>> from whit.mechanisms import Laplace, PoissonSubsampled
    >>> own_number(PoissonSubsampled(Laplace(2.0), 0.1))
    2.0
    """
    one = promise
    while (within := inside(one)) is not None:
        one = within
    return float(arguments(one)[parameter_of(one).name])


def are_quick(releases: Sequence[tuple[Promise, int]], *, most: int = PROMISES) -> bool:
    """Whether a search for the noise of several promises ends soon: not beside noise on a sample, or of many."""
    quick = all(isinstance(each, Guarantee | AdditiveNoise) for each, _ in releases)
    return quick and 1 < len(releases) <= most and sum(times for _, times in releases) <= RELEASES


@at_work("Looking for the least noise")
def recommend_together(
    requirement: Sequence[Requirement],
    releases: Sequence[tuple[Promise, int]],
    *,
    failure: float = 0.0,
    neighbours: Neighbours | None = None,
    sides: int = 1,
    precision: float = 0.0,
) -> Recommendation:
    """The least factor by which the noise of several releases must grow so that together they meet all that is asked.

    Args:
        requirement: all that they must meet together.
        releases: each release, and how often it is made.
        failure: the probability over the noise that the requirement is not met; 0 if it must always be met.
        neighbours: the relation of the promises, or the one that a limit speaks about; adding or removing if not given.
        sides: for limits: 1 to bound rises of the belief, 2 to bound drops as well.
        precision: the share of itself by which the factor may be larger than the least; as close as is known if 0.

    >>> from whit.mechanisms import Gaussian
    >>> from whit.policy import limits
    >>> several = [(Gaussian(1.0), 4), (Gaussian(2.0), 1)]
    >>> print(recommend_together([limits.power(0.2, level=0.05)], several).parameter)
    smallest factor that meets the limit is at most 2.57
    """
    family = CommonFactor(1, tuple(releases))
    criterion = criterion_of(list(requirement), failure=failure, sides=sides, neighbours=neighbours)
    return recommend_by(criterion, family, (), precision=precision)
