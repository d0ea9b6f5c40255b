"""Whether the noise of a claim gives the epsilon that the claim states beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from whit.assessment import promise_name
from whit.errors import NotImplied, TooCostly, Unreachable
from whit.numerics import round_down, round_up
from whit.spec import Claim, EpsilonBesideNoise
from whit.telling.claims import drawing
from whit.theory import Direction, Finding, Unit, number_text


class Support(Enum):
    """What a noise shows of an epsilon; the value is the word that people read.

    SUPPORTED: the upper end of the epsilon that the noise has is at most the stated one.
    CONTRADICTED: its lower end is above the stated one.
    NOT_SHOWN: neither is known.
    """

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_SHOWN = "not shown"


@dataclass(frozen=True)
class JudgedEpsilon:
    """An epsilon that is stated beside a noise, and what the noise shows of it.

    Attributes:
        stated: the epsilon, its delta and the noise, as the claim states them.
        found: the epsilon that the noise has at this delta; none where it is not known.
        whose: the noise in a few words: as the subject of a sentence.
        assumed: the neighbours, where the claim does not name them; empty where it does.
        conditions: what must be so for the number to hold, or for it to be the one that is stated.
    """

    stated: EpsilonBesideNoise
    found: Finding | None
    whose: str
    assumed: str
    conditions: tuple[str, ...] = ()

    @property
    def support(self) -> Support:
        """What the noise shows of the epsilon."""
        found, epsilon = self.found, self.stated.epsilon
        if found is not None and found.upper is not None and float(found.upper) <= epsilon:
            return Support.SUPPORTED
        if found is not None and found.lower is not None and float(found.lower) > epsilon:
            return Support.CONTRADICTED
        return Support.NOT_SHOWN

    @property
    def sentence(self) -> str:
        """The number and what follows from it; rounded so that it stays on its side of the stated epsilon."""
        epsilon = f"the stated epsilon of {_given(self.stated.epsilon)}"
        so = {
            Support.SUPPORTED: f"which supports {epsilon}",
            Support.CONTRADICTED: f"which contradicts {epsilon}",
            Support.NOT_SHOWN: f"so {epsilon} is not shown",
        }[self.support]
        instead = "" if self.stated.delta or self._is_finite else " State the delta that belongs to it."
        return conditioned(self.conditions, f"{self.whose} {self._gives}{self._where}, {so}.{instead}")

    @property
    def _is_finite(self) -> bool:
        return self.found is not None and self.found.upper is not None and math.isfinite(float(self.found.upper))

    @property
    def _where(self) -> str:
        delta = f" at delta = {_given(self.stated.delta)}" if self.stated.delta else " without a delta"
        return f"{delta} (neighbours {self.assumed})" if self.assumed else delta

    @property
    def _gives(self) -> str:
        """The verb with the ends that are known."""
        if self.found is None or not self._is_finite:
            contradicted = self.support is Support.CONTRADICTED
            return f"gives an epsilon above {_given(self.stated.epsilon)}" if contradicted else "has no known epsilon"
        lower, upper = self.found.lower, float(self.found.upper_bound())
        most = f"at most {_above(upper, self.stated.epsilon)}"
        if self.support is not Support.CONTRADICTED or lower is None:
            return f"gives an epsilon of {most}"
        return f"gives an epsilon of at least {_below(float(lower), self.stated.epsilon)} and {most}"

    def to_dict(self) -> dict[str, Any]:
        """The epsilon and what the noise shows of it, as a plain tree."""
        return {
            "of": self.stated.series.title,
            "epsilon": self.stated.epsilon,
            "delta": self.stated.delta,
            "support": self.support.name,
            "found": None if self.found is None else self.found.to_dict(),
            "sentence": self.sentence,
        }


def judged_epsilons(claim: Claim) -> tuple[JudgedEpsilon, ...]:
    """Each epsilon that a claim states beside a noise, and what the noise shows of it."""
    # Where no number follows, both readings of one epsilon are the same sentence.
    twice = [each.is_read and each.for_each and drawing.refusal(claim, [each.noise]) for each in claim.beside]
    return tuple(_judged(claim, each) for each, again in zip(claim.beside, twice, strict=True) if not again)


def conditioned(conditions: Sequence[str], sentence: str) -> str:
    """A sentence after what must be so for it to hold."""
    return f"If {' and '.join(conditions)}, {sentence[0].lower()}{sentence[1:]}" if conditions else sentence


def _judged(claim: Claim, each: EpsilonBesideNoise) -> JudgedEpsilon:
    noise = each.noise
    name = f" ({noise.name or promise_name(noise.one)})" if len(claim.promises) > 1 else ""
    alone = ", in each release by itself," if each.for_each and noise.releases > 1 and not each.is_read else ""
    assumed = noise.neighbours.word if noise.named is None else ""
    if drawing.refusal(claim, [noise]):
        return JudgedEpsilon(each, None, f"The stated noise{name}{alone}", assumed)
    conditions = drawing.conditions(claim, [noise])
    if each.is_read:
        what = "each release by itself" if each.for_each else f"all {noise.releases:,} releases together"
        conditions.append(f"the stated epsilon is for {what}")
    return JudgedEpsilon(each, _found(each), f"The stated noise{name}{alone}", assumed, tuple(conditions))


def _found(each: EpsilonBesideNoise) -> Finding | None:
    """The epsilon of the noise at the stated delta, with both ends where they are known."""
    try:
        return each.series.together.epsilon(each.delta, neighbours=each.series.relation)
    except (NotImplied, TooCostly, Unreachable):
        return None


def _above(value: float, stated: float) -> str:
    """An upper end, with as many digits as show that it is within the stated epsilon if it is."""
    digits = next((each for each in range(3, 17) if round_up(value, each) <= Decimal(repr(stated))), 3)
    return number_text(value, Direction.AT_MOST, Unit.NUMBER, digits=digits)


def _below(value: float, stated: float) -> str:
    """A lower end, with as many digits as show that it is above the stated epsilon."""
    digits = next((each for each in range(3, 17) if round_down(value, each) > Decimal(repr(stated))), 17)
    return number_text(value, Direction.AT_LEAST, Unit.NUMBER, digits=digits)


def _given(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER, digits=17)
