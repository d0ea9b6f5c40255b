"""The parameter of one of several promises that would do, if the others stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from whit.errors import WhitError
from whit.guarantees import Guarantee
from whit.mechanisms import AdditiveNoise
from whit.policy import Recommendation, recommend
from whit.spec.form import Questions
from whit.spec.promise import Series, together_of
from whit.spec.requirement import Requirements, check_series

PROMISES = 4
"""Of up to so many promises, the parameter of each is looked for beside the others, which takes seconds."""


def are_searched(promises: Sequence[Series]) -> bool:
    """Whether the parameter of each promise is looked for beside the others; `whit recommend --for` always is."""
    # A search beside noise on a sample takes minutes.
    quick = all(isinstance(each.one, Guarantee | AdditiveNoise) for each in promises)
    return quick and 1 < len(promises) <= PROMISES


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


def _beside(others: Sequence[Series], own: Series, wanted: Requirements, questions: Questions) -> Recommendation:
    """The parameter of one promise, with what the others come to as spent."""
    like: dict[str, Any] = {"family": own.one, "neighbours": own.named, "releases": own.releases}
    searched = {"family": type(own.one), **own.search} if isinstance(own.one, Guarantee) else like
    sides, spent = questions.sides if wanted.limits else 1, [each.together for each in others]
    several: Any = [each for _, each in wanted.named]
    return recommend(several, **searched, failure=questions.failure, sides=sides, spent=spent)
