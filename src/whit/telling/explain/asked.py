"""What is asked of a promise that comes without an assessment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from whit.assessment import Unanswered, assess
from whit.curves import Promise, largest_loss
from whit.errors import NotImplied, TooCostly, Unreachable
from whit.semantics import membership, testing
from whit.setting import Adversary, Knowledge, Neighbours
from whit.telling.explain.language import Audience
from whit.theory import Answer

Answers: TypeAlias = tuple[tuple[str, Answer], ...]
"""Answers by the names that an assessment gives them."""

PRIOR = 0.5
"""The belief that an adversary starts from, unless another was asked about: as likely as not."""

FAILURE = 0.01
"""The chance of failure that is allowed where nothing is proved to hold always."""

LEVEL = 0.05
"""The rate of false alarms of the test that is told."""


def answers(
    promised: Promise,
    audience: Audience,
    *,
    neighbours: Neighbours | None = None,
    failure: float = 0.0,
    sides: int = 1,
) -> Answers:
    """The questions that an audience hears of, for even odds; without exception where the promise has such an answer.

    A curve that does not say between which neighbours it is can be asked about beliefs and tests only.
    """
    chance = failure if failure > 0.0 else usual_failure(promised, neighbours)
    if audience is Audience.PUBLIC or promised.relation(neighbours) is None:
        return _few(promised, chance, neighbours, sides)
    options: dict[str, Any] = {"failure": chance, "sides": sides, "neighbours": neighbours}
    return tuple(assess(promised, Adversary(prior=PRIOR), level=LEVEL, **options))


def _few(promised: Promise, failure: float, neighbours: Neighbours | None, sides: int) -> Answers:
    """Beliefs and tests, asked as an assessment asks; the average belief only where there is no bound on each."""
    options: dict[str, Any] = {"failure": failure, "sides": sides, "neighbours": neighbours}
    belief = _answered(lambda: membership.posterior(promised, PRIOR, **options))
    test = _answered(lambda: testing.power(promised, LEVEL, neighbours=neighbours, knows=Knowledge.ANY_BELIEF))
    if not isinstance(belief, Unanswered):
        return (("posterior", belief), ("power", test))
    average = _answered(lambda: membership.expected_posterior(promised, PRIOR, neighbours=neighbours))
    return (("posterior", belief), ("expected_posterior", average), ("power", test))


def _answered(ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except (NotImplied, TooCostly, Unreachable) as refused:
        return Unanswered(refused)


def usual_failure(promised: Promise, neighbours: Neighbours | None = None) -> float:
    """None where a bound on the loss always holds, else one in a hundred.

    >>> from whit.guarantees import ApproxDP, PureDP
    >>> usual_failure(PureDP(1.0)), usual_failure(ApproxDP(1.0, 1e-6))
    (0.0, 0.01)
    """
    try:
        sure = largest_loss(promised, 0.0, neighbours=neighbours)
    except NotImplied:
        return FAILURE
    return 0.0 if np.isfinite(float(sure)) else FAILURE
