"""How much better somebody predicts the data after a release without noise: persuasive scores, by a named prior.

A release without noise says one thing about each dataset, so the chance of what is published is 0 or 1, and an
exception over the mechanism buys nothing. The exception here is over the data, as the prior predicts them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property

from whit.errors import require
from whit.persuasion import PREDICTED_SCORE, RELATIVE_SCORE
from whit.theory import Direction, Finding, Quantity, Unit
from whit.worlds import Number, finding, probability, rational

BRIER_GAIN = Quantity("gain in the Brier score", Unit.NUMBER)

KEY = "belief-in-what-is-left"
_PRIOR = "Give a probability for each dataset, such as {0: 1/2, 1: 1/2}."
_DELTA = "Use a small probability such as 1/20, or 0 for every dataset."


class Persuaded:
    """A release without noise, read by somebody with a prior over finitely many datasets.

    prior     the probability of each dataset, or of each value
    release   what is published about each of them

    >>> from whit.audit import Persuaded
    >>> tenth = Fraction(1, 10)
    >>> rounded = Persuaded(dict.fromkeys(range(10), tenth), lambda value: (value + 2) // 5 * 5)
    >>> rounded.factors
    {0: Fraction(10, 3), 5: Fraction(2, 1), 10: Fraction(5, 1)}
    >>> print(rounded.kappa_predicted(Fraction(1, 5)))
    relative privacy score for data that the prior predicts is at most 1.21
    """

    def __init__(self, prior: Mapping[Hashable, Number], release: Callable[[Hashable], Hashable]) -> None:
        chances = {each: rational("prior", chance, _PRIOR) for each, chance in prior.items()}
        fits = bool(chances) and min(chances.values()) >= 0 and sum(chances.values()) == 1
        rule = "must be probabilities that add up to 1"
        require(fits, name="prior", rule=rule, value=str(sum(chances.values())), way_out=_PRIOR)
        self.prior = {each: chance for each, chance in chances.items() if chance}
        self.published = {each: release(each) for each in self.prior}

    @cached_property
    def outcomes(self) -> dict[Hashable, Fraction]:
        """How likely each thing is to be published, as the prior predicts."""
        found: dict[Hashable, Fraction] = defaultdict(Fraction)
        for each, chance in self.prior.items():
            found[self.published[each]] += chance
        return dict(found)

    @cached_property
    def factors(self) -> dict[Hashable, Fraction]:
        """By how much each thing that may be published multiplies the probability of the true dataset."""
        return {outcome: 1 / chance for outcome, chance in self.outcomes.items()}

    def kappa(self) -> Finding:
        """The largest gain in the log score of any dataset."""
        return self._log(RELATIVE_SCORE, max(self.factors.values()), delta=0)

    def kappa_predicted(self, delta: Number) -> Finding:
        """The same, except with probability delta over data drawn as the prior predicts."""
        gains = ((self.factors[outcome], chance) for outcome, chance in self.outcomes.items())
        return self._log(PREDICTED_SCORE, smallest_beyond(gains, delta), delta=delta)

    def brier_gain(self, dataset: Hashable) -> Fraction:
        """By how much the Brier score of a dataset is smaller after the release, if it is the true one."""
        told = self.published[dataset]
        after = {
            each: chance / self.outcomes[told] for each, chance in self.prior.items() if self.published[each] == told
        }
        return _brier(self.prior, dataset) - _brier(after, dataset)

    def brier_predicted(self, delta: Number) -> Finding:
        """The largest gain in the Brier score, except with probability delta over data drawn as the prior predicts."""
        gains = ((self.brier_gain(each), chance) for each, chance in self.prior.items())
        return finding(BRIER_GAIN, smallest_beyond(gains, delta), Direction.EXACTLY, {"delta": delta}, KEY)

    def _log(self, quantity: Quantity, factor: Fraction, **inputs: object) -> Finding:
        """The logarithm of a factor, rounded up; its numerator and denominator may be larger than doubles."""
        value = math.log(factor.numerator) - math.log(factor.denominator)
        size = math.log(factor.numerator) + math.log(factor.denominator)
        bound = Fraction(value) + Fraction(size) / 2**50 if factor != 1 else Fraction(0)
        return finding(quantity, bound, Direction.AT_MOST, inputs, KEY)


def smallest_beyond(gains: Iterable[tuple[Fraction, Fraction]], delta: Number) -> Fraction:
    """The smallest number that gains exceed with probability delta or less.

    >>> smallest_beyond([(Fraction(5), Fraction(1, 5)), (Fraction(2), Fraction(4, 5))], Fraction(1, 5))
    Fraction(2, 1)
    """
    left = probability("delta", delta, _DELTA)
    ordered = sorted(gains, reverse=True)
    for gain, chance in ordered:
        left -= chance
        if left < 0:
            return gain
    return ordered[-1][0]


def _brier(belief: Mapping[Hashable, Fraction], dataset: Hashable) -> Fraction:
    """The sum of the squares by which a belief misses the truth."""
    return 1 - 2 * belief[dataset] + sum(chance**2 for chance in belief.values())
