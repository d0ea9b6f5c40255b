"""Whether a score is proper on a family of beliefs, and what breaks it if not; and the receiver who harms most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from whit.errors import NotImplied, require
from whit.numerics import doubles_around
from whit.persuasion.amount import DIGITS, Amount
from whit.persuasion.beliefs import FiniteBelief
from whit.persuasion.scores import PrivacyFunction, Score
from whit.theory import Basis, Direction, Finding, Quantity, Unit

_ROUNDING = Fraction(1, 10**20)  # of a sum of products to 28 digits; less than this is no gain

AVERAGE_PRIVACY = Quantity("privacy left on average", Unit.NUMBER)
SHORTFALL = Quantity("expected score that is gained by stating another belief than one's own", Unit.NUMBER)


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

    >>> from whit.persuasion.scores import Brier
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
    for held in beliefs:
        for stated in beliefs:
            gain = _saved(score, held, stated)
            if gain > 0:
                found = Finding(
                    SHORTFALL,
                    doubles_around(gain)[0],
                    Direction.AT_LEAST,
                    {"score": score.name, "held": repr(held), "stated": repr(stated)},
                    Basis.of("privacy-score-proper"),
                )
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
    privacy left on average is exactly 0.25
    """
    aims = function if receiver is None else receiver
    for each in (function, aims):
        good = isinstance(each, PrivacyFunction)
        require(
            good,
            name="what is minimised",
            rule="must be a PrivacyFunction",
            value=each,
            way_out="Give a table of privacy.",
        )
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
        total = context.add(total, context.multiply(weight, _middle(difference, context)))
    return max(Fraction(total) - _ROUNDING, Fraction(0))


def _middle(amount: Amount, context: Context) -> Decimal:
    lower, upper = amount.enclosed(DIGITS[0])
    return context.divide(context.add(lower, upper), Decimal(2))
