"""The assessment as it concerns one adversary: one number for each thing, by what they know of the others.

The posterior of somebody who knows everyone else is bounded by the loss of one pair of datasets. For somebody who may
believe anything of the others, the bound on the probability of disclosure takes its place, which is as large or larger.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from whit.assessment.answers import Assessment, Unanswered, Unasked
from whit.assessment.assess import QUESTIONS, assess
from whit.curves import Promise
from whit.semantics.membership import POSTERIOR_OF_TRUTH, RATIO_OF_TRUTH
from whit.setting import Adversary, Knowledge
from whit.theory import Answer, Finding

RISKS = ("relative_risk", "absolute_risk")
"""What is asked about somebody who may believe anything of the others."""

OF_A_KNOWN_REST = ("difference", "odds", "worst_prior")
"""What is only known about somebody who knows everyone else."""

_ELSEWHERE = Unasked("it is told by another number")


def assess_one(
    promise: Promise, adversary: Adversary, *, questions: Iterable[str] | None = None, sides: int = 1, **asked: Any
) -> Assessment:
    """Every question that concerns an adversary with what they know; or those that are named.

    >>> from whit.mechanisms import Gaussian
    >>> knows, believes = (Adversary(prior=0.5, knows=each) for each in (Knowledge.EVERYONE_ELSE, Knowledge.ANY_BELIEF))
    >>> print(assess_one(Gaussian(1.0), knows, failure=0.01).posterior)
    posterior probability of the truth is at most 94.5 %
    >>> print(assess_one(Gaussian(1.0), believes, failure=0.01).posterior)
    posterior probability of the truth is at most 95.8 %

    Args:
        promise: a guarantee or a mechanism.
        adversary: what they believe, and what they know of the others.
        questions: the names of those to answer; all that concern the adversary if none are named.
        sides: 2 to bound drops of the belief as well.
        asked: what else `assess` is asked with: failure, level, people, neighbours.
    """
    names = None if questions is None else tuple(questions)
    if adversary.knows is Knowledge.EVERYONE_ELSE and adversary.value == 1.0:
        chosen = [name for name in QUESTIONS if name not in RISKS] if names is None else names
        return assess(promise, adversary, questions=chosen, sides=sides, **asked)
    found = assess(promise, adversary, questions=None if names is None else {*names, *RISKS}, sides=sides, **asked)
    if isinstance(found.absolute_risk, Unanswered):  # nothing is known that holds whatever is believed of the others
        return found if names is None else _only(found, names)
    posterior = _one_sided if sides == 2 else _restated(found.absolute_risk, POSTERIOR_OF_TRUTH, adversary)
    ratio = _one_sided if sides == 2 else _restated(found.relative_risk, RATIO_OF_TRUTH, adversary)
    told = replace(found, posterior=posterior, ratio=ratio, **dict.fromkeys(OF_A_KNOWN_REST, _of_a_known_rest))
    left_out = {*OF_A_KNOWN_REST, *RISKS}
    return _only(told, [name for name in QUESTIONS if name not in left_out] if names is None else names)


_of_a_known_rest = Unanswered("it is only known of somebody who knows everyone else.")
_one_sided = Unanswered("drops are only bounded for somebody who knows everyone else; ask with one side.")


def _restated(answer: Answer, quantity: Any, adversary: Adversary) -> Answer:
    """What holds whatever is believed of the others, as the answer to the question about the belief."""
    if not isinstance(answer, Finding):
        return answer
    inputs = {**answer.inputs, "prior": adversary.prior}
    return Finding(quantity, answer.value, answer.direction, inputs, answer.basis)


def _only(found: Assessment, names: Iterable[str]) -> Assessment:
    """The answers of these names."""
    kept = set(names)
    return replace(found, **{name: _ELSEWHERE for name in QUESTIONS if name not in kept})
