"""Semantic privacy: what an adversary believes after the release hardly depends on whether a record was in the data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from whit.curves import Curve
from whit.errors import NotImplied
from whit.guarantees.epsilon_delta import DELTA_WAY_OUT, dominating_curve
from whit.guarantees.guarantee import Guarantee, Known, Properties, Property
from whit.numerics import ULP, count, probability
from whit.setting import Knowledge, Neighbours

_LEVEL_WAY_OUT = "Use the largest total variation distance between the two beliefs, such as 0.1."
_POPULATION_WAY_OUT = "Use the number of records in the data, such as 10000, or None where the promise does not use it."
_UNSTATED = Property(Known.UNKNOWN, "We know of no published statement either way.", "KS14", "section 2")
_WAY_OUT = "Convert the promise to PureDP or ApproxDP first."


@dataclass(frozen=True, repr=False, init=False)
class SemanticPrivacy(Guarantee):
    """(level, delta)-semantic privacy: beliefs with and without a record differ by at most `level` in total variation.

    With probability at least 1 - delta over the data, drawn from the adversary's own belief, and over the release, this
    holds for every record. With delta 0 it holds for every output. Its own relation is to replace a record by a default
    one.

    Attributes:
        level: largest total variation distance between the two posterior beliefs.
        stated_delta: probability that the bound fails.
        population: number of records for all of which it holds at once; None where the promise does not depend on it.
        knows: what the adversary is taken to know of the other records.

    >>> print(SemanticPrivacy(0.1).epsilon(0.0))
    epsilon is at most 0.402
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=_UNSTATED,
        convex=_UNSTATED,
        adaptive_composition=_UNSTATED,
        fully_adaptive_composition=_UNSTATED,
    )

    level: float
    stated_delta: float
    population: int | None
    knows: Knowledge

    def __init__(
        self,
        level: float,
        delta: float = 0.0,
        *,
        population: int | None = None,
        knows: Knowledge = Knowledge.ANY_BELIEF,
        neighbours: Neighbours = Neighbours.REPLACE,
    ) -> None:
        self._keep(
            level=probability("level", level, _LEVEL_WAY_OUT),
            stated_delta=probability("delta", delta, DELTA_WAY_OUT),
            population=None if population is None else count("population", population, _POPULATION_WAY_OUT),
            knows=Knowledge.checked(knows),
            neighbours=neighbours,
        )
        self.__post_init__()

    def _curve(self) -> Curve:
        """The curve of the differential privacy that follows; where none does, everything may be given away."""
        if self.neighbours is Neighbours.ADD_REMOVE:
            rule = "follows from semantic privacy only where a record is replaced by a default one"
            raise NotImplied("differential privacy under add/remove", rule, self, "Use Neighbours.REPLACE.")
        key = "semantic-to-pure" if self.stated_delta == 0.0 else "semantic-to-approximate"
        return dominating_curve(*self.approximate(), key)

    def approximate(self, prior: float | None = None) -> tuple[float, float]:
        """The epsilon and delta that follow from a prior: logit(prior + level) - logit(prior), and delta/prior.

        By default it is the prior with the smallest epsilon, (1 - level)/2, which gives 4 artanh(level). A larger prior
        has a smaller delta.
        """
        p = (1.0 - self.level) / 2 if prior is None else prior
        # The difference of 1, the prior and the level may be off by as much as this.
        rest = 1.0 - p - self.level - 4 * ULP
        if rest <= 0.0 or self.stated_delta >= p * (1 - 4 * ULP):
            return 0.0, 1.0
        return math.log1p(self.level / (p * rest)) * (1 + 16 * ULP), self.stated_delta / p * (1 + 4 * ULP)

    def added_up(self, count: int) -> NoReturn:
        """Refused: semantic privacy has no composition rule of its own."""
        raise NotImplied("the composition of semantic privacy", "follows from no rule of its own", self, _WAY_OUT)

    def group(self, size: int) -> NoReturn:
        """Refused: semantic privacy has no group rule of its own."""
        raise NotImplied("the semantic privacy of a group", "follows from no rule of its own", self, _WAY_OUT)
