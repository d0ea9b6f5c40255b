"""Reports that people make noisy themselves, and that come out in random order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves import Clones, ClonesProfile, Curve, LossDistribution, Order, identical, sure_loss
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import PureDP
from whit.mechanisms.details import Around, Detail, Written
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.randomized_response import RandomizedResponse
from whit.numerics import count, down
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

# More people are counted as so many, among whom a report is hidden no better.
MOST_PEOPLE = 10**9

_REPORT = "Pass a report such as RandomizedResponse(1.0), or PureDP(1.0, neighbours=Neighbours.LOCAL)."


def _told_by_one(report: object) -> bool:
    """Whether it is what one person tells: noise that is known, or a guarantee, between any two answers of theirs."""
    if isinstance(report, Mechanism):
        return Neighbours.LOCAL in report.relations
    return isinstance(report, PureDP) and report.neighbours is Neighbours.LOCAL


@dataclass(frozen=True, repr=False)
class Shuffled(Mechanism):
    """One noisy report of each of many people, all made in the same way, sent in random order.

    Whoever sees them does not know whose report is whose, and each hides among those of the others. What is known is an
    upper bound, between two answers of one person: it holds whatever the others answer, and even if their answers are
    known. It rests on a shuffler that is trusted, and on all the people taking part as they should.

    report   how each person reports: a mechanism, or a promise of pure privacy between any two answers
    people   how many take part, the person in question among them

    >>> print(Shuffled(RandomizedResponse(1.0), 10_000).epsilon(1e-6))
    epsilon is at most 0.0433
    >>> print(Shuffled(PureDP(1.0, neighbours=Neighbours.LOCAL), 10_000).epsilon(1e-6))
    epsilon is at most 0.0531
    """

    around: ClassVar[Around] = Around(
        inner="report",
        takes=_told_by_one,
        goes_with="what one person tells",
        way_out="Use {randomized_response}, or {epsilon} with local neighbours.",
        phrase="shuffled among {people} people",
        details=(
            Detail(
                "people",
                "PEOPLE",
                "Reports of so many people in random order; each report is what is stated.",
                Written.WHOLE,
                "shuffled",
            ),
        ),
        relation=Neighbours.LOCAL,
    )

    report: Mechanism | PureDP
    people: int

    def __post_init__(self) -> None:
        """Refuse what is no report of one person, and one without a largest loss."""
        report: object = self.report
        if not _told_by_one(report):
            raise InvalidInput("report", "must be what one person tells, with local neighbours", report, _REPORT)
        self._keep(people=count("people", self.people, "Use the number of people who report, such as 10000."))
        if not math.isfinite(self._loss_of_one):
            way_out = "Use a report whose loss is never above some epsilon, such as RandomizedResponse(1.0)."
            raise NotImplied("what shuffling hides", "needs a report with a largest loss", report, way_out)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Any two answers of one person are neighbours; how many people there are is no secret."""
        return (Neighbours.REPLACE,)

    @property
    def basis(self) -> Basis:
        """What the report rests on, and that it hides among the others."""
        known = self.report.basis if isinstance(self.report, Mechanism) else Basis.of("hockey-stick")
        return known | Basis.of("shuffled-reports")

    @property
    def _loss_of_one(self) -> float:
        return float(sure_loss(self.report, Neighbours.LOCAL).value)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """An upper bound on the profile."""
        self.relation(neighbours)
        loss, direction = self._loss_of_one, Direction.AT_MOST
        if loss == 0.0:
            return Curve(identical(), direction, Order.PROFILE, self.basis)
        alike = isinstance(self.report, RandomizedResponse)
        return Curve(_among(loss, min(self.people, MOST_PEOPLE) - 1, alike), direction, Order.PROFILE, self.basis)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        way_out = "Use curve(), which is an upper bound."
        raise NotImplied("the loss of shuffled reports", "is not known", self, way_out)

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """That of one report: however many others there are, all of them may fall to the other side."""
        self.relation(neighbours)
        return sure_loss(self.report, Neighbours.LOCAL)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: what comes out depends on all answers. Sample the reports, and shuffle them. Not for release."""
        raise NotImplied("a sample of shuffled reports", "needs all answers", self, "Sample .report for each person.")

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"Shuffled({self.report!r}, {self.people!r})"


@lru_cache(maxsize=32)
def _among(loss: float, others: int, alike: bool) -> ClonesProfile:
    """The profile of a report among others; each of them is a clone with probability e^-loss, or 2/(e^loss + 1).

    The second holds for randomized response. Fewer clones tell more, so that probability is rounded down.
    """
    share = math.exp(-loss)
    chance = down(2 * share / (1 + share) if alike else share, 4)
    return ClonesProfile.among(Clones(loss, others, max(float(chance), 0.0)))
