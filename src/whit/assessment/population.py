"""Of how many people a bound is expected to fail: the chance of failure, times the people.

A chance of one in a hundred sounds small, and is three million people of a country. The number is an expectation and no
more: a bad draw of the noise may fail many at once. What is random is what the chance is over. Over the noise, it holds
for the data as they are, and each person may have an adversary of their own. Over data drawn from a belief too, it is
the number that an adversary expects who believes so of all of them.
"""

from __future__ import annotations

import math
from dataclasses import replace

from whit.assessment.answers import QUESTIONS, Assessment
from whit.numerics import few, times_up
from whit.theory import Answer, Basis, Direction, Failure, Finding, Quantity, Randomness, Unit, number_text

PEOPLE_BEYOND = Quantity("expected number of people beyond the bound", Unit.NUMBER)

_POPULATION = "Use the number of people whom the bound is about, such as 330_000_000."
# From here on nobody wants to know about parts of a person.
_WHOLE = 10.0
_NOT_OF_PEOPLE = (Randomness.SIMULATION,)
_NO_CHANCES = ("worst_prior",)


def among(population: int | None, assessment: Assessment) -> Assessment:
    """The assessment with the population in every finding that may fail for some of them."""
    if population is None:
        return assessment
    people = few("population", population, _POPULATION)
    found = {name: getattr(assessment, name) for name in QUESTIONS}
    # Where a risk is largest is a place; only the risk itself may fail.
    return assessment.with_answers(
        {name: _among(people, answer) for name, answer in found.items() if name not in _NO_CHANCES}
    )


def people_beyond(finding: Finding, population: int | None = None) -> tuple[Finding, ...]:
    """The expected number of people for whom a bound fails, one for each randomness that its failure is over.

    None where it always holds, and where neither the finding nor the argument says how many people it is about.

    >>> from whit import ApproxDP, assess
    >>> posterior = assess(ApproxDP(1.0, 1e-9), failure=1e-6, population=330_000_000).posterior
    >>> print(*people_beyond(posterior))
    expected number of people beyond the bound is at most 330
    """
    given = finding.inputs.get("population") if population is None else population
    if given is None:
        return ()
    people = few("population", given, _POPULATION)
    return tuple(_beyond(finding, failure, people) for failure in _of_people(finding))


def number_of_people(found: Finding) -> str:
    """The expected number as text, rounded up: a whole number from ten on.

    >>> from whit import ApproxDP, assess
    >>> posterior = assess(ApproxDP(1.0, 1e-9), failure=1 / 128).posterior
    >>> [number_of_people(*people_beyond(posterior, people)) for people in (123_456, 32)]
    ['965', '0.25']
    """
    most = found.largest
    return f"{math.ceil(most):,}" if most >= _WHOLE else number_text(most, Direction.AT_MOST, Unit.NUMBER)


def _beyond(finding: Finding, failure: Failure, people: int) -> Finding:
    inputs = {**finding.inputs, "population": people, "failure": failure.probability, "over": failure.over.name}
    # The expectation itself has no chance of failure.
    basis = replace(finding.basis, failures=()) | Basis.of("expected-number-beyond")
    number = float(times_up(float(people), failure.probability))
    return Finding(PEOPLE_BEYOND, number, Direction.AT_MOST, {**inputs, "of": finding.quantity.name}, basis)


def _among(people: int, answer: Answer) -> Answer:
    if not isinstance(answer, Finding) or not _of_people(answer):
        return answer
    return replace(answer, inputs={**answer.inputs, "population": people})


def _of_people(finding: Finding) -> tuple[Failure, ...]:
    """The failures that are chances about a person; that a simulation misleads is none."""
    return tuple(each for each in finding.basis.failures if each.over not in _NOT_OF_PEOPLE)
