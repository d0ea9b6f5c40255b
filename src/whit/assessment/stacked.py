"""Several assessments as one: their answers along a new first axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import reduce
from typing import Any

import numpy as np

from whit.assessment.answers import Answer, Assessment, Unanswered
from whit.errors import Incompatible
from whit.semantics.membership import Between, WorstPrior, WorstPriors
from whit.theory import Basis, Direction, Finding, Interval


def stacked(assessments: Sequence[Assessment]) -> Assessment:
    """One assessment whose answers hold those of all; a question that one of them leaves open is left open."""
    names = [each.name for each in fields(Assessment)]
    return Assessment(**{name: _stack([getattr(each, name) for each in assessments]) for name in names})


def widest(answer: Answer) -> Answer:
    """One answer for two neighbouring inputs along the first axis: the smaller lower bound, the larger upper one."""
    if isinstance(answer, Between):
        return Between(_reduced(answer.lower, np.min), _reduced(answer.upper, np.max))
    if isinstance(answer, Interval):
        lower, upper = _reduced(answer.lower, np.min), _reduced(answer.upper, np.max)
        return Interval(lower, _reduced(answer.mid, np.max), upper)
    return _reduced(answer, np.max) if isinstance(answer, Finding) else answer


def _reduced(finding: Finding, reduce_to: Callable[..., Any]) -> Finding:
    return replace(finding, value=reduce_to(np.asarray(finding.value), axis=0))


def _stack(answers: Sequence[Answer]) -> Answer:
    """One answer; where exact ones and bounds meet, all are taken as bounds."""
    refused = next((answer for answer in answers if isinstance(answer, Unanswered)), None)
    if refused is not None:
        return refused
    if all(isinstance(answer, WorstPrior) for answer in answers):
        return _worst_priors([answer for answer in answers if isinstance(answer, WorstPrior)])
    if all(isinstance(answer, Between) for answer in answers):
        pairs = [answer for answer in answers if isinstance(answer, Between)]
        return Between(_findings([each.lower for each in pairs]), _findings([each.upper for each in pairs]))
    if all(isinstance(answer, Interval) for answer in answers):
        whole = [answer for answer in answers if isinstance(answer, Interval)]
        parts = ([each.lower for each in whole], [each.mid for each in whole], [each.upper for each in whole])
        return Interval(*(_findings(part) for part in parts))
    return _findings([_bound(answer) for answer in answers])


def _bound(answer: Answer) -> Finding:
    """The answer as one finding: its upper bound where it has one, else the estimate."""
    if isinstance(answer, Finding) and answer.direction is not Direction.EXACTLY:
        return answer
    if isinstance(answer, Finding | Interval):
        return answer.upper
    rule = "must be of the same kind to be stacked"
    raise Incompatible("answers", rule, type(answer).__name__, "Assess the promises one by one.")


def _worst_priors(answers: Sequence[WorstPrior]) -> WorstPrior:
    def stack(measure: Sequence[WorstPriors]) -> WorstPriors:
        return WorstPriors(
            _findings([each.when_true for each in measure]), _findings([each.when_false for each in measure])
        )

    return WorstPrior(stack([each.ratio for each in answers]), stack([each.difference for each in answers]))


def _findings(findings: Sequence[Finding]) -> Finding:
    """One finding with the values of all, in the direction that holds for each of them."""
    quantities = dict.fromkeys(each.quantity for each in findings)
    if len(quantities) > 1:
        rule = "must be about one quantity to be stacked"
        found = ", ".join(each.name for each in quantities)
        raise Incompatible("answers", rule, found, "Assess the promises one by one.")
    values = np.stack(np.broadcast_arrays(*(np.asarray(each.value) for each in findings)))
    direction = Direction.combine(*(each.direction for each in findings))
    basis = reduce(_joined, (each.basis for each in findings))
    inputs = {**findings[0].inputs, "promise": [each.inputs.get("promise") for each in findings]}
    return Finding(findings[0].quantity, values, direction, inputs, basis)


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
