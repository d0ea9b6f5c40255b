"""Short texts about answers, for the cells of tables."""

from __future__ import annotations

from whit.assessment import Unanswered
from whit.theory import Answer, Direction, Unit, number_text

_GIVEN_DIGITS = 6
"""As many digits as somebody is taken to write for a limit."""

_ROUNDING = 1e-12
"""How far the product of numbers that were given may be from the one that is meant, for its size."""


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """The text with a small letter in front, to follow a colon."""
    return text[:1].lower() + text[1:]


def percent(probability: float) -> str:
    """A probability that was given, as percent."""
    return f"{100.0 * probability:.6g} %"


def given_number(number: float) -> str:
    """A limit that follows from what was given: the shortest decimal within rounding, else rounded down.

    Not for a bound that was worked out, which is never moved to the unsafe side.

    >>> given_number(0.25 / (0.05 * 0.2)), given_number(2 / 3)
    ('25', '0.666')
    """
    for digits in range(1, _GIVEN_DIGITS + 1):
        decimal = float(f"{number:.{digits}g}")
        if abs(decimal - number) <= _ROUNDING * abs(number):
            return number_text(decimal, Direction.EXACTLY, Unit.NUMBER, digits=digits)
    return number_text(number, Direction.AT_LEAST, Unit.NUMBER)


def top(answer: Answer) -> str:
    """The largest that a number may be, with the word for how sure that is, if it is not an upper bound.

    >>> from whit.guarantees import PureDP
    >>> from whit.semantics.membership import posterior
    >>> top(posterior(PureDP(1.0), 0.1))
    '23.2 %'
    """
    if answer.worst is None:
        return "not known"
    found = answer.worst.bound
    text = number_text(float(found), found.direction, found.quantity.unit)
    return f"about {text}" if found.direction is Direction.ABOUT else text


def whole(answer: Answer) -> str:
    """The answer as a sentence."""
    if isinstance(answer, Unanswered):
        return f"Not answered. {capital(answer.reason)}"
    return f"{capital(str(answer))}."
