"""Short texts about answers, for the cells of tables."""

from __future__ import annotations

from whit.assessment import Answer, Unanswered
from whit.semantics.membership import WorstPrior
from whit.theory import Direction, Finding, number_text


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """The text with a small letter in front, to follow a colon."""
    return text[:1].lower() + text[1:]


def percent(probability: float) -> str:
    """A probability that was given, as percent."""
    return f"{100.0 * probability:.6g} %"


def top(answer: Answer) -> str:
    """The largest that a number may be, with the word for how sure that is, if it is not an upper bound.

    >>> from whit.guarantees import PureDP
    >>> from whit.semantics.membership import posterior
    >>> top(posterior(PureDP(1.0), 0.1))
    '23.2 %'
    """
    if isinstance(answer, Unanswered):
        return "not known"
    if isinstance(answer, WorstPrior):
        return top(answer.difference.when_true)
    found = _upper(answer)
    text = number_text(float(found), found.direction, found.quantity.unit)
    return f"about {text}" if found.direction is Direction.ABOUT else text


def _upper(answer: object) -> Finding:
    if isinstance(answer, Finding):
        return answer if answer.direction in (Direction.ABOUT, Direction.AT_LEAST) else answer.upper
    found: Finding = answer.upper  # type: ignore[attr-defined]
    return found


def whole(answer: Answer) -> str:
    """The answer as a sentence."""
    if isinstance(answer, WorstPrior):
        return f"{capital(str(answer.difference.when_true))}."
    if isinstance(answer, Unanswered):
        return f"Not answered. {capital(answer.reason)}"
    return f"{capital(str(answer))}."
