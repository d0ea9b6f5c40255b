"""A count without noise, read by somebody who does not know the others: these are the noise.

If each of the others is in the count with a stated probability, independently of each other and of this person, then
the published number has one law if the person is in and another one if not. The counts that are published as one number
form an interval, so the person is the more likely in, the larger the number is: the best tests ask whether it reaches a
threshold. All of it is arithmetic with whole numbers, exact or, for very many others, rounded to the safe side.

The randomness is that of the data. It holds for nobody who knows more of the others than their law, and it is used up:
a second release about the same people has the same others. So this is no promise, and no school takes it for one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NoReturn, TypeAlias

from whit.audit.classes import POSTERIOR, posterior_within
from whit.audit.law_of_others import MOST_OTHERS, LawOfOthers, grouped
from whit.audit.statement import Between, Exact, Halves, Rounded, Statement, Suppressed, whole
from whit.curves import POWER
from whit.errors import InvalidInput, NoPromise, NotImplied, TooCostly, require
from whit.theory import Direction, Finding, Quantity, Unit
from whit.worlds import Number, finding, probability

ADVANTAGE = Quantity("advantage of the best test", Unit.PROBABILITY, key="advantage")

Bounds: TypeAlias = tuple[int, int]
"""At least, and at most."""

KEY = "others-as-noise"

_CHANCE = "Use the probability that one of the others is in the count, such as 1/2."
_PRIOR = "Use the probability, before the release, that the person is in the count, such as 1/2."
_RANGES = "Give statements in rising order, such as [Between(0, 4), Between(5, 9), TopCoded(10)]."
_REUSED = (
    "does not follow from each alone, as the others are the same people in both: a count of five people and the count "
    "without one of them have the advantages 3/8 and 0, and together 1"
)
_JOINT = "Use noise that is drawn anew for each release, or ask `left` what all of them together leave."


@dataclass(frozen=True, init=False, repr=False)
class OthersAsNoise(NoPromise):
    """A count of people that is published without noise, to a reader who knows of the others only their law.

    Args:
        number: how many others may be in the count.
        chance: the probability that each of them is, independently of all others and of this person.

    Attributes:
        chances: the probability of each of the others, in rising order.
        given: what is published, for the smallest counts first; nothing if the count itself is.

    >>> four = OthersAsNoise(4, Fraction(1, 2))
    >>> print(four.advantage())
    advantage of the best test is exactly 37.5 %
    >>> print(four.rounded(5).largest_posterior(Fraction(1, 2)))
    posterior probability is 68.8 % (rounded up)
    """

    chances: tuple[Fraction, ...]
    given: tuple[Statement, ...]

    def __init__(self, number: int, chance: Number) -> None:
        size = whole("number", number)
        rule = f"must be from 0 to {MOST_OTHERS}"
        require(0 <= size <= MOST_OTHERS, name="number", rule=rule, value=number, way_out="Count the others.")
        self._keep((probability("chance", chance, _CHANCE),) * size, ())

    @classmethod
    def each(cls, chances: Iterable[Number]) -> OthersAsNoise:
        """Others with chances of their own: 1 for somebody who is known to be in, 0 for somebody known not to be.

        >>> print(OthersAsNoise.each([Fraction(1, 4), Fraction(3, 4)]).advantage())
        advantage of the best test is exactly 62.5 %
        """
        several: object = chances  # whatever a caller passes in spite of the annotation
        listed = isinstance(several, Iterable) and not isinstance(several, str)
        require(listed, name="chances", rule="must be a list of probabilities", value=several, way_out=_CHANCE)
        return cls._of(sorted(probability("chances", each, _CHANCE) for each in chances), ())

    @classmethod
    def _of(cls, chances: Sequence[Fraction], given: tuple[Statement, ...]) -> OthersAsNoise:
        made = cls.__new__(cls)
        made._keep(tuple(chances), given)
        return made

    def _keep(self, chances: tuple[Fraction, ...], given: tuple[Statement, ...]) -> None:
        object.__setattr__(self, "chances", chances)
        object.__setattr__(self, "given", given)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Everything that may be published, for the smallest counts first."""
        return self.given or tuple(Exact(each) for each in range(len(self.chances) + 2))

    def knowing(self, *, in_: int = 0, out: int = 0) -> OthersAsNoise:
        """The same for a reader who knows of some others that they are in the count, and of some that they are not.

        Args:
            in_: how many are known to be in the count.
            out: how many are known not to be.

        >>> print(OthersAsNoise(4, Fraction(1, 2)).knowing(out=2).advantage())
        advantage of the best test is exactly 50 %
        """
        inside, outside = whole("in_", in_), whole("out", out)
        unknown = [each for each in self.chances if 0 < each < 1]
        fits = min(inside, outside) >= 0 and inside + outside <= len(unknown)
        rule = f"must be 0 or more, and together at most the {len(unknown)} others who are not known"
        require(fits, name="in_ and out", rule=rule, value=(in_, out), way_out="Count those who are known.")
        if inside + outside and len(set(unknown)) > 1:
            rule, way_out = "does not say who is known, and the chances differ", "Use each, with the chances 1 and 0."
            raise NotImplied("a number of known people", rule, (in_, out), way_out)
        known = [Fraction(1)] * inside + [Fraction(0)] * outside
        sure = [each for each in self.chances if each in (0, 1)]
        return self._of(sorted(unknown[len(known) :] + known + sure), self.given)

    def rounded(self, base: int, *, halves: Halves | None = None) -> OthersAsNoise:
        """The same count, rounded to the nearest multiple of a base.

        Args:
            base: such as 5.
            halves: where a half goes, for an even base: Halves.UP or Halves.DOWN.
        """
        step = Rounded(0, base, halves).base
        if step % 2 == 0 and halves is Halves.EITHER:
            way_out = "Use Halves.UP or Halves.DOWN."
            raise NotImplied("the law of a rounded count", "needs a rule for halves", halves, way_out)
        multiples = range(0, len(self.chances) + 1 + step, step)
        return self.ranges([Rounded(each, step, halves) for each in multiples])

    def suppressed(self, *, below: int, zeros: bool = False) -> OthersAsNoise:
        """The same count, withheld if it is small; that it was withheld says that it is small.

        Args:
            below: the smallest count that is published.
            zeros: whether a count of 0 is published.
        """
        first, least = whole("below", below), int(bool(zeros))
        require(first > least, name="below", rule=f"must be above {least}", value=below, way_out="Use 5, for example.")
        shown = [Exact(each) for each in range(first, max(first, len(self.chances) + 1) + 1)]
        return self.ranges([*(Exact(0) for _ in range(least)), Suppressed(Between(least, first - 1)), *shown])

    def ranges(self, statements: Sequence[Statement]) -> OthersAsNoise:
        """The same count, published by statements: each count by the one that leaves it.

        Args:
            statements: in rising order, without gaps from 0 to all people.
        """
        given = tuple(statements)
        good = len(given) > 0 and all(isinstance(each, Statement) for each in given)
        require(good, name="statements", rule="must be statements about a count", value=statements, way_out=_RANGES)
        following: float = 0
        for at, each in enumerate(given):
            low, high = each.ends
            joins = (low is None or low <= 0) if at == 0 else low == following
            last = high is None and at == len(given) - 1
            rule = "must leave every count to one of them, in rising order"
            require(joins and (high is not None or last), name="statements", rule=rule, value=each, way_out=_RANGES)
            following = math.inf if high is None else high + 1
        rule = f"must reach the count of all people, {len(self.chances) + 1}"
        require(following > len(self.chances) + 1, name="statements", rule=rule, value=given[-1], way_out=_RANGES)
        return self._of(self.chances, given)

    def law(self, *, person_in: bool) -> Mapping[Statement, Fraction]:
        """The probability of everything that may be published, if the person is in the count and if not."""
        if not self._law.is_exact:
            way_out = "Use fewer others; posterior, advantage and power have bounds."
            raise TooCostly("the exact law of a count", "is not worked out for so many", len(self.chances), way_out)
        at, total = (0 if person_in else 1), self._law.above[-1]
        return {each: Fraction(masses[at][1], total) for each, masses in self._masses.items() if masses[at][1]}

    def posterior(self, prior: Number, outcome: Statement | int, *, within: Number = 1) -> Finding:
        """The probability that the person is in the count, after a number was published.

        Args:
            prior: that probability before.
            outcome: what was published: a number, or one of the statements.
            within: a factor; the bound then holds for every prior over all people whose density is within this factor
                of the one that is stated.
        """
        told = self._told(outcome)
        value = _bayes(probability("prior", prior, _PRIOR), *self._masses[told])
        if value is None:
            way_out = "Ask about a number that the prior and the law of the others allow."
            raise NotImplied("the posterior", "is not defined after an outcome of probability 0", told, way_out)
        if within != 1:
            return posterior_within(value, within)
        return self._finding(POSTERIOR, value, prior=prior, outcome=repr(told))

    def largest_posterior(self, prior: Number) -> Finding:
        """The probability that the person is in the count, after the number that raises it the most."""
        belief = probability("prior", prior, _PRIOR)
        each = (_bayes(belief, *masses) for masses in reversed(self._masses.values()))
        return self._finding(POSTERIOR, next(value for value in each if value is not None), prior=prior)

    def advantage(self) -> Finding:
        """By how much the best test finds a person who is in the count more often than it accuses one who is not.

        This is the total variation between the two laws.
        """
        steps = [after - before for before, after in pairwise(self._law.above)]
        thresholds = [each.ends[0] or 0 for each in self.given[1:]] if self.given else range(1, len(steps) + 1)
        best = max((steps[least - 1] for least in thresholds if 0 < least <= len(steps)), default=0)
        return self._finding(ADVANTAGE, min(Fraction(best, self._law.below[-1]), Fraction(1)))

    def power(self, level: Number) -> Finding:
        """The largest probability to find a person who is in the count.

        Args:
            level: the probability to accuse a person who is not, at most.
        """
        share = probability("level", level, "Use a false-positive rate such as 1/20.")
        return self._finding(POWER, min(self._power(share), Fraction(1)), level=level)

    def together(self, *releases: object) -> NoReturn:
        """Refused: what several releases tell together does not follow from what each tells alone."""
        raise NotImplied("what several releases about the same people tell", _REUSED, releases, _JOINT)

    def refuse(self) -> NoReturn:
        """Refuse to be taken for a promise."""
        rule = (
            "must hold whatever the reader knows of the others, and a count without noise does so only for one who "
            "knows nothing but their law; nor do two of them compose, as the others are the same people in both"
        )
        way_out = "Ask the count itself for its posterior, advantage or power; or add noise."
        raise InvalidInput("promise", rule, self, way_out)

    @cached_property
    def _law(self) -> LawOfOthers:
        return LawOfOthers.of(self.chances)

    @cached_property
    def _masses(self) -> dict[Statement, tuple[Bounds, Bounds]]:
        """For everything that may be published how likely it is with and without the person, times a constant."""
        masses = {}
        for each in self.statements:
            low, high = each.ends
            first, last = low or 0, len(self.chances) + 1 if high is None else high
            masses[each] = self._law.between(first - 1, last - 1), self._law.between(first, last)
        return masses

    @cached_property
    def _tests(self) -> tuple[tuple[int, int], ...]:
        """The tests that accuse from a threshold on, the highest first: the level at least, the power at most."""
        corners = [(0, 0)]
        for (_, power), (level, _) in reversed(self._masses.values()):
            corners.append((corners[-1][0] + level, corners[-1][1] + power))
        return tuple(corners)

    def _power(self, level: Fraction) -> Fraction:
        """The power at a level, by the line that touches it there: any line above all thresholds is a bound."""
        least, most = self._law.below[-1], self._law.above[-1]
        for (left, low), (right, high) in pairwise(self._tests):
            if level * most < right:
                slope = Fraction((high - low) * most, (right - left) * least)
                top, bottom = slope.numerator * least, slope.denominator * most
                reach = max(power * bottom - at * top for at, power in self._tests)
                return slope * level + Fraction(reach, bottom * least)
        return Fraction(1)

    def _told(self, outcome: Statement | int) -> Statement:
        """The statement that was published, or the one with this number."""
        if isinstance(outcome, Statement):
            found = [each for each in self.statements if each == outcome]
        else:
            number = whole("outcome", outcome)
            found = [each for each in self.statements if getattr(each, "value", None) == number]
        if found:
            return found[0]
        way_out = "Use one of the statements, or the number that was published."
        raise InvalidInput("outcome", "must be something that may be published", outcome, way_out)

    def _finding(self, quantity: Quantity, value: Fraction, **inputs: object) -> Finding:
        direction = Direction.EXACTLY if self._law.is_exact else Direction.AT_MOST
        return finding(quantity, value, direction, {"others": repr(self), **inputs}, KEY)

    def __repr__(self) -> str:
        """How many others, and with which chances."""
        groups = ", ".join(f"{size} with chance {chance}" for chance, size in grouped(self.chances).items())
        return f"<OthersAsNoise: {groups or 'no others'}; {len(self.given) or len(self.chances) + 2} outcomes>"


def _bayes(prior: Fraction, if_in: Bounds, if_out: Bounds) -> Fraction | None:
    """The posterior at most, from the prior and how likely the outcome is either way; None if it cannot happen."""
    inside, outside = prior * if_in[1], (1 - prior) * if_out[0]
    if inside == 0:
        return Fraction(0) if (1 - prior) * if_out[1] else None
    return inside / (inside + outside)
