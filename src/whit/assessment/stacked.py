"""Several assessments as one: their answers along a new first axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import reduce

import numpy as np

from whit.assessment.answers import Assessment, Unanswered
from whit.errors import Incompatible
from whit.semantics.membership import WorstPrior, WorstPriors
from whit.theory import Answer, Basis, Direction, Finding

_ONE_BY_ONE = "Assess the promises one by one."


def stacked(assessments: Sequence[Assessment]) -> Assessment:
    """One assessment whose answers hold those of all; a question that one of them leaves open is left open."""
    names = [each.name for each in fields(Assessment)]
    return Assessment(**{name: _stack([getattr(each, name) for each in assessments]) for name in names})


def widest(answer: Answer) -> Answer:
    """One answer for two neighbouring inputs along the first axis: the safe end of both, and the other end of both."""
    if not isinstance(answer, Finding):
        return answer
    safe, other = (np.min, np.max) if answer.is_lower_end else (np.max, np.min)
    end = None if answer.other_end is None else other(np.asarray(answer.other_end), axis=0)
    return replace(answer, value=safe(np.asarray(answer.value), axis=0), other_end=end)


def _stack(answers: Sequence[Answer]) -> Answer:
    """One answer; where exact ones and bounds meet, all are taken as bounds."""
    refused = next((answer for answer in answers if isinstance(answer, Unanswered)), None)
    if refused is not None:
        return refused
    worst = [answer for answer in answers if isinstance(answer, WorstPrior)]
    if len(worst) == len(answers):
        return WorstPrior(_priors([each.ratio for each in worst]), _priors([each.difference for each in worst]))
    return _findings([answer for answer in answers if isinstance(answer, Finding)])


def _priors(measures: Sequence[WorstPriors]) -> WorstPriors:
    return WorstPriors(
        _findings([each.when_true for each in measures]), _findings([each.when_false for each in measures])
    )


def _findings(findings: Sequence[Finding]) -> Finding:
    """One finding with the values of all, in the direction that holds for each of them."""
    quantities = dict.fromkeys(each.quantity for each in findings)
    if len(quantities) > 1:
        rule = "must be about one quantity to be stacked"
        raise Incompatible("answers", rule, ", ".join(each.name for each in quantities), _ONE_BY_ONE)
    direction = Direction.combine(*(each.direction for each in findings))
    both_known = direction is not Direction.AT_LEAST and all(each.other_end is not None for each in findings)
    other = np.stack(np.broadcast_arrays(*(np.asarray(each.other_end) for each in findings))) if both_known else None
    # Beside lower bounds an exact number counts by its lower end.
    ends = [each.lower if direction is Direction.AT_LEAST else each.value for each in findings]
    values = np.stack(np.broadcast_arrays(*map(np.asarray, ends)))
    basis = reduce(_joined, (each.basis for each in findings))
    inputs = {**findings[0].inputs, "promise": [each.inputs.get("promise") for each in findings]}
    return Finding(findings[0].quantity, values, direction, inputs, basis, other)


def _joined(one: Basis, other: Basis) -> Basis:
    """What both rest on; each statement stands by itself, so failures and errors are the larger and not the sum."""
    by_randomness = {failure.over: failure for failure in (*one.failures, *other.failures)}
    for failure in one.failures:
        if failure.probability > by_randomness[failure.over].probability:
            by_randomness[failure.over] = failure
    return Basis(
        theorems=one.theorems + other.theorems,
        failures=tuple(by_randomness.values()),
        slack=max(one.slack, other.slack),
        truncation=max(one.truncation, other.truncation),
    )
