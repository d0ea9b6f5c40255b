"""Privacy functions, and the scores that they generate: how far a belief is from the truth, smaller being closer.

A privacy function says how private the data stay under each decision of the receiver. A receiver who decides as badly
as possible for the sender, on average, takes the Bayes act; the privacy that is left then is a proper score of the
belief. All scores here are of finite beliefs, and exact. Whether any other score is proper can be checked on a family
of beliefs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import Enum
from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import Any

from whit.errors import InvalidInput, NotImplied, require
from whit.numerics import doubles_around
from whit.persuasion.amount import DIGITS, Amount
from whit.persuasion.beliefs import FiniteBelief, exact
from whit.theory import Basis, Direction, Finding, Quantity, Unit

AVERAGE_PRIVACY = Quantity("average privacy after the release", Unit.NUMBER)
SHORTFALL = Quantity("expected gain from stating a belief other than one's own", Unit.NUMBER)

_ROUNDING = Fraction(1, 10**20)  # of a sum of products to 28 digits; less than this is no gain
_TABLE = "Give one row for each decision, with the privacy that it leaves on each dataset."


class Score(ABC):
    """A score of a belief once the truth is known; smaller is better for the receiver, worse for the sender."""

    @property
    def name(self) -> str:
        """What the score is called in a report."""
        return repr(self)

    @property
    def proper(self) -> bool:
        """Whether it is proved that no other belief has a better expectation than the belief held."""
        return True

    @abstractmethod
    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """The score of the belief if the truth is this dataset."""


def require_score(score: object) -> Score:
    """The score, if it is one."""
    if isinstance(score, Score):
        return score
    raise InvalidInput("score", "must be a score of beliefs", score, "Use LogProbability(), Brier() or another one.")


@dataclass(frozen=True)
class LogProbability(Score):
    """-log of the probability of the truth, infinite where the belief excludes it.

    >>> LogProbability().of(FiniteBelief([0.25, 0.75]), 0).bracket()[1]
    1.3862943611198908
    """

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """-log of the weight of the truth."""
        weight = belief.weights[truth]
        return Amount(log_of=1 / weight) if weight > 0 else Amount(sign=1)


@dataclass(frozen=True)
class Brier(Score):
    """The squared distance between the belief and certainty of the truth."""

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """The sum of squares of what the weights lack."""
        return Amount(sum((weight * weight for weight in belief.weights), 1 - 2 * belief.weights[truth]))


@dataclass(frozen=True)
class Spherical(Score):
    """Minus the weight of the truth, divided by the Euclidean length of the belief."""

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """Minus the cosine of the angle between the belief and certainty of the truth."""
        square = sum((weight * weight for weight in belief.weights), Fraction(0))
        return Amount(minus_root=belief.weights[truth] ** 2 / square)


@dataclass(frozen=True)
class RankedProbability(Score):
    """The integral of the squared distance between the distribution functions of belief and truth over the points.

    With points 0, 1, 2, ... it is the ranked probability score; with any points the continuous one.
    """

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """The sum over the gaps between neighbouring points."""
        order = sorted(range(belief.size), key=lambda place: belief.points[place])
        total = below = Fraction(0)
        for place, after in pairwise(order):
            below += belief.weights[place]
            reached = belief.points[truth] <= belief.points[place]
            total += (belief.points[after] - belief.points[place]) * (below - int(reached)) ** 2
        return Amount(total)


@dataclass(frozen=True, init=False, repr=False)
class IntervalScore(Score):
    """0 if the interval of the given length with the most probability holds the truth, else 1.

    Among several such intervals the receiver is taken to choose the one furthest to the left.
    """

    length: Fraction

    def __init__(self, length: object) -> None:
        way_out = "Use a length above 0, such as 1."
        clean = exact("length", length, way_out)
        require(clean > 0, name="length", rule="must be above 0", value=length, way_out=way_out)
        object.__setattr__(self, "length", clean)

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """0 or 1: an interval that starts at a point is as good as any other."""
        start = self.decision(belief)
        return Amount(Fraction(0 if start <= belief.points[truth] <= start + self.length else 1))

    def decision(self, belief: FiniteBelief) -> Fraction:
        """Where the interval starts that the receiver chooses."""
        places = sorted(belief.support(), key=lambda place: belief.points[place])
        points = [belief.points[place] for place in places]
        below = list(accumulate((belief.weights[place] for place in places), initial=Fraction(0)))
        ends = ((bisect_left(points, start), bisect_right(points, start + self.length)) for start in points)
        masses = [below[right] - below[left] for left, right in ends]
        return points[masses.index(max(masses))]

    def __repr__(self) -> str:
        """The expression that rebuilds the score."""
        return f"IntervalScore({float(self.length)})"


@dataclass(frozen=True)
class DawidSebastiani(Score):
    """log of the variance, plus the squared distance of the truth from the mean in units of the variance.

    A belief without variance scores minus infinity at its own point.
    """

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """From the mean and the variance of the points."""
        variance, distance = belief.variance(), belief.points[truth] - belief.mean()
        if variance == 0:
            return Amount(sign=1 if distance else -1)
        return Amount(distance * distance / variance, log_of=variance)


class Ties(Enum):
    """Which of several equally good decisions the receiver takes."""

    FIRST = "the first one listed"
    LEAST_PRIVATE = "the one that leaves the least privacy at the truth"


@dataclass(frozen=True, init=False)
class PrivacyFunction(Score):
    """Any privacy function over finitely many decisions, and the score that it generates by the Bayes act.

    privacy   one row for each decision: the privacy that it leaves on each dataset
    ties      what the receiver does if several decisions are equally good on average

    With ties broken at the truth the receiver does at least as well as with any fixed choice, but then the score need
    not be proper.

    >>> guess = PrivacyFunction([[0, 1], [1, 0]])
    >>> guess.decisions(FiniteBelief([0.5, 0.5]))
    (0, 1)
    """

    privacy: tuple[tuple[Fraction, ...], ...]
    ties: Ties

    def __init__(self, privacy: Sequence[Sequence[Any]], *, ties: Ties = Ties.FIRST) -> None:
        try:
            rows = tuple(tuple(exact("privacy", value, _TABLE) for value in row) for row in privacy)
        except TypeError as no_table:
            raise InvalidInput("privacy", "must be a table of numbers", privacy, _TABLE) from no_table
        good = len(rows) > 0 and len({len(row) for row in rows}) == 1 and len(rows[0]) > 0
        require(good, name="privacy", rule="must be a table with rows of one length", value=privacy, way_out=_TABLE)
        require(isinstance(ties, Ties), name="ties", rule="must be one of Ties", value=ties, way_out="Use Ties.FIRST.")
        object.__setattr__(self, "privacy", rows)
        object.__setattr__(self, "ties", ties)

    @property
    def name(self) -> str:
        """The number of decisions, and what is done about ties."""
        return f"PrivacyFunction of {len(self.privacy)} decisions, {self.ties.value} of equally good ones"

    @property
    def proper(self) -> bool:
        """True if the choice among equally good decisions does not look at the truth."""
        return self.ties is Ties.FIRST

    def expected(self, decision: int, belief: FiniteBelief) -> Fraction:
        """The privacy that a decision leaves on average over the belief."""
        row = self.privacy[decision]
        rule = f"must be about {len(row)} datasets, as the privacy function is"
        require(len(row) == belief.size, name="a belief", rule=rule, value=belief.size, way_out=_TABLE)
        return sum((w * value for w, value in zip(belief.weights, row, strict=True)), Fraction(0))

    def decisions(self, belief: FiniteBelief) -> tuple[int, ...]:
        """All Bayes acts: the decisions that leave the least privacy on average."""
        expected = [self.expected(decision, belief) for decision in range(len(self.privacy))]
        least = min(expected)
        return tuple(decision for decision, value in enumerate(expected) if value == least)

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """The privacy that the Bayes act leaves at the truth."""
        best = self.decisions(belief)
        taken = best[:1] if self.ties is Ties.FIRST else best
        return Amount(min(self.privacy[decision][truth] for decision in taken))


_FUNCTION = "Use a function such as lambda belief, truth: 1 - belief.weights[truth]."


@dataclass(frozen=True)
class CustomScore(Score):
    """A score given as a function of a belief and a dataset; nothing is known of it, not even that it is proper."""

    function: Callable[[FiniteBelief, int], Any]
    label: str = "custom score"

    def __post_init__(self) -> None:
        good, rule = callable(self.function), "must be a function of a belief and the number of a dataset"
        require(good, name="the function of a score", rule=rule, value=self.function, way_out=_FUNCTION)

    @property
    def name(self) -> str:
        """The label."""
        return self.label

    @property
    def proper(self) -> bool:
        """Not known, so not claimed."""
        return False

    def of(self, belief: FiniteBelief, truth: int) -> Amount:
        """What the function says, a double being taken for what it is; infinity is allowed."""
        try:
            value = self.function(belief, truth)
        except Exception as failed:
            said = f"at dataset {truth} {type(failed).__name__}: {failed}"
            rule = "must take a belief and the number of a dataset, and return a number"
            raise InvalidInput("the function of a score", rule, said, _FUNCTION) from failed
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            return Amount(sign=1 if value > 0 else -1)
        return Amount(exact("the value of a score", value, "Let the function return a number."))


@dataclass(frozen=True)
class Impropriety:
    """A belief that does better, on average, by posing as another: the score is not proper."""

    held: FiniteBelief
    stated: FiniteBelief
    gain: Finding


@dataclass(frozen=True)
class Propriety:
    """What was found on a finite family of beliefs: the pairs that were compared, and one that breaks the score."""

    score: Score
    pairs: int
    witness: Impropriety | None

    def __bool__(self) -> bool:
        return self.witness is None


def check_proper(score: Score, beliefs: Sequence[FiniteBelief]) -> Propriety:
    """Whether each of these beliefs expects no better score from stating another one of them.

    A check of finitely many pairs: a witness proves that the score is improper, none does not prove that it is proper.

    >>> bool(check_proper(Brier(), [FiniteBelief([0.5, 0.5]), FiniteBelief([0.2, 0.8])]))
    True
    """
    way_out = "Give two beliefs or more about the same datasets."
    require(len(beliefs) > 1, name="beliefs", rule="must be at least two", value=len(beliefs), way_out=way_out)
    for belief in beliefs:
        good = isinstance(belief, FiniteBelief)
        require(good, name="beliefs", rule="must be finite beliefs", value=belief, way_out=way_out)
    same = len({belief.size for belief in beliefs}) == 1
    require(same, name="beliefs", rule="must be about the same datasets", value="different sizes", way_out=way_out)
    for held, stated in product(beliefs, repeat=2):
        gain = _saved(score, held, stated)
        if gain > 0:
            inputs = {"score": score.name, "held": repr(held), "stated": repr(stated)}
            basis, least = Basis.of("privacy-score-proper"), doubles_around(gain)[0]
            found = Finding(SHORTFALL, least, Direction.AT_LEAST, inputs, basis)
            return Propriety(score, len(beliefs) ** 2, Impropriety(held, stated, found))
    return Propriety(score, len(beliefs) ** 2, None)


def require_proper(score: Score, beliefs: Sequence[FiniteBelief]) -> None:
    """Refuse a score that these beliefs show to be improper."""
    found = check_proper(score, beliefs)
    if found.witness is not None:
        rule = "must be proper: a receiver would gain by not deciding as they believe"
        value = f"{score.name}, by which {found.witness.held} does better as {found.witness.stated}"
        raise NotImplied("a privacy score", rule, value, "Use the score that the Bayes act of a PrivacyFunction gives.")


def average_privacy(
    function: PrivacyFunction, belief: FiniteBelief, *, receiver: PrivacyFunction | None = None
) -> Finding:
    """The privacy left on average if the receiver minimises something else (the privacy function itself if none).

    It is least for a receiver who minimises the privacy function: no other does the sender more harm on average.

    >>> print(average_privacy(PrivacyFunction([[0, 1], [1, 0]]), FiniteBelief([0.25, 0.75])))
    average privacy after the release is exactly 0.25
    """
    aims = function if receiver is None else receiver
    for each in (function, aims):
        good, way_out = isinstance(each, PrivacyFunction), "Give a table of privacy."
        require(good, name="what is minimised", rule="must be a PrivacyFunction", value=each, way_out=way_out)
    rule = f"must have the {len(function.privacy)} decisions of the privacy function"
    fits = len(aims.privacy) == len(function.privacy)
    require(fits, name="receiver", rule=rule, value=len(aims.privacy), way_out="Give a row for each decision.")
    value = function.expected(aims.decisions(belief)[0], belief)
    lower, upper = doubles_around(value)
    inputs = {"function": repr(function), "belief": repr(belief), "receiver": repr(aims)}
    return Finding(AVERAGE_PRIVACY, upper, Direction.EXACTLY, inputs, Basis.of("persuasion-worst-receiver"), lower)


def _saved(score: Score, held: FiniteBelief, stated: FiniteBelief) -> Fraction:
    """A lower bound on what stating another belief saves on average, 0 if it may be nothing."""
    context = Context(prec=DIGITS[0])
    total = Decimal(0)
    for truth in held.support():
        difference: Amount = score.of(held, truth).minus(score.of(stated, truth))
        if difference.sign:
            return Fraction(0) if difference.sign < 0 else Fraction(1)
        weight = Decimal(held.weights[truth].numerator) / Decimal(held.weights[truth].denominator)
        middle = context.divide(context.add(*difference.enclosed(DIGITS[0])), Decimal(2))
        total = context.add(total, context.multiply(weight, middle))
    return max(Fraction(total) - _ROUNDING, Fraction(0))
