"""What would do instead of several promises: more noise in all, the parameter of one, or one of them left out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from whit.errors import Unreachable, WhitError
from whit.guarantees import Guarantee
from whit.mechanisms import parameter_of, restated
from whit.numerics import round_down, round_up
from whit.policy import (
    IN_COMMON,
    Outcome,
    Recommendation,
    Verdict,
    are_quick,
    own_number,
    recommend,
    recommend_together,
    scaled,
)
from whit.spec.form import Questions
from whit.spec.promise import Series, together_of
from whit.spec.requirement import Requirements, check_series

MORE_DIGITS = (0, 3, 6, 9)
"""So many further digits of a parameter are tried: where more noise is not always safer, the fewest may not do."""

_STRICTER = "Make the limit stricter."
_ONE = "Look for the parameter of one of the promises."


@dataclass(frozen=True)
class Raised:
    """Several promises with more noise in all of them, by one common factor.

    Attributes:
        factor: the least one that meets every limit.
        promises: each promise with its parameter as it is written, rounded to the side of more noise.
        verdict: what was found for these very promises.
    """

    factor: Recommendation
    promises: tuple[Series, ...]
    verdict: Verdict


def are_searched(promises: Sequence[Series]) -> bool:
    """Whether the parameter of each promise is looked for beside the others; `whit recommend --for` always is."""
    return are_quick([(each.one, each.releases) for each in promises])


def are_raised(promises: Sequence[Series]) -> bool:
    """Whether one factor for all promises is looked for where nobody asks; `whit recommend` always looks for it."""
    return are_quick([(each.one, each.releases) for each in promises], most=IN_COMMON)


def raised_of(promises: Sequence[Series], wanted: Requirements, questions: Questions, *, digits: int = 5) -> Raised:
    """All promises with the least common factor of noise with which they are within every limit, as it is written.

    The promises are checked with the digits that are shown. Refused where no factor does, or where any would.
    """
    together = together_of(promises)
    several: Any = [each for _, each in wanted.named]
    parts = [(each.one, each.releases) for each in promises]
    sides = questions.sides if wanted.limits else 1
    found = recommend_together(
        several,
        parts,
        failure=questions.failure,
        sides=sides,
        neighbours=together.relation,
        precision=10.0 ** -(digits + 2),  # what is written rounds further than that
    )
    if found.unlimited:
        raise Unreachable("what is asked", "must set a limit, since without one no noise is needed", "none", _STRICTER)
    for more in MORE_DIGITS:
        written = tuple(_written(each, float(found.parameter), digits + more) for each in promises)
        verdict = check_series(together_of(written), wanted, questions)
        if verdict.outcome is Outcome.KEPT:
            return Raised(found, written, verdict)
    rule = "must have a value with few digits that meets what is asked"
    raise Unreachable("the common factor", rule, float(found.parameter), _ONE)


def _written(series: Series, factor: float, digits: int) -> Series:
    """A promise with so many times its noise, and so many digits of its parameter."""
    raised: Any = scaled(series.one, factor)
    rounded = round_down if parameter_of(raised).rising else round_up
    one: Any = restated(raised, float(rounded(Decimal(repr(own_number(raised))), digits)))
    return replace(series, one=one)


def remedies_of(promises: Sequence[Series], wanted: Requirements, questions: Questions) -> dict[int, Recommendation]:
    """For each of a few promises by its place, the parameter with which all are within every limit.

    One whose others exceed a limit by themselves has none. Commands and reports all take it from here.
    """
    found: dict[int, Recommendation] = {}
    for place, own in enumerate(promises if are_searched(promises) else ()):
        others = [each for each in promises if each is not own]
        alone = check_series(together_of(others), wanted, questions)
        with suppress(WhitError):
            found |= {place: _beside(others, own, wanted, questions)} if alone.kept else {}
    return found


def raised_quickly(promises: Sequence[Series], wanted: Requirements, questions: Questions) -> Raised | None:
    """All of a few promises with more noise by one factor; None where no factor does, or the search takes too long.

    Equal promises are one series, whose parameter is found as that of any other.
    """
    if are_raised(promises) and len({(each.one, each.neighbours) for each in promises}) > 1:
        with suppress(WhitError):
            return raised_of(promises, wanted, questions)
    return None


def without_one(promises: Sequence[Series], wanted: Requirements, questions: Questions) -> list[Outcome]:
    """For each of several promises by its place, what the others come to without it."""
    others = [together_of([each for each in promises if each is not own]) for own in promises]
    return [check_series(each, wanted, questions).outcome for each in others]


def _beside(others: Sequence[Series], own: Series, wanted: Requirements, questions: Questions) -> Recommendation:
    """The parameter of one promise, with what the others come to as spent."""
    like: dict[str, Any] = {"family": own.one, "neighbours": own.named, "releases": own.releases}
    searched = {"family": type(own.one), **own.search} if isinstance(own.one, Guarantee) else like
    sides, spent = questions.sides if wanted.limits else 1, [each.together for each in others]
    several: Any = [each for _, each in wanted.named]
    return recommend(several, **searched, failure=questions.failure, sides=sides, spent=spent)
