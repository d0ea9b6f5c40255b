"""What comes back from an assessment: findings, and sentences where there is no answer; several as one.

And what the promise is called, in a few words: the same on the command line, in reports and in pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any, cast

import numpy as np

from whit import assessment
from whit.curves import Block, Promise
from whit.display import Row
from whit.errors import Incompatible, WhitError, shown
from whit.setting import Neighbours, Sensitivity
from whit.theory import Answer, Basis, Direction, Finding, Unit, number_text


@dataclass(frozen=True, repr=False, eq=False)
class Unanswered(Answer):
    """A question without an answer, and why: the promise does not imply one, or it would cost too much.

    Two of them are equal if they give the same reason.
    """

    refusal: WhitError | str

    @property
    def reason(self) -> str:
        """The sentence that says why."""
        return str(self.refusal)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """None."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The reason as a plain tree."""
        return {"unanswered": self.reason}

    def __str__(self) -> str:
        return f"not answered: {self.reason}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unanswered) and (type(other), other.reason) == (type(self), self.reason)

    def __hash__(self) -> int:
        return hash((type(self), self.reason))


class Unbounded(Unanswered):
    """A belief without a bound at the failure probability that was asked for: nothing is ruled out."""


class Unasked(Unanswered):
    """A question that was left out of what was asked."""


@dataclass(frozen=True, repr=False)
class Assessment(Answer):
    """Every question that one promise and one adversary raise, school by school.

    About an adversary's belief in one fact about a person, with what they know of the others:

    posterior, ratio, difference, odds     how far the release moves their belief in what is true
    worst_prior                            the priors that gain most
    expected_posterior                     what they believe on average, without any chance of failure

    About an adversary who may believe anything of the others, and gives the person an inclusion and a value:

    relative_risk, absolute_risk           how much more probable presence with that value becomes, and how probable
    total_variation                        how far their beliefs with and without the person lie apart
    posterior_ratio                        the belief in the true record, with the person in the data against without

    About a test of the one fact, with its false-positive rate (level):

    power, advantage, best_guess           what the best test achieves, and the best guess at the prior
    positive_predictive_value              the posterior after the test says yes

    About a guess at something in the record, of an adversary who has a baseline:

    success                                how often the best guess is right: a value, an attribute, a name

    Where only some of them were asked, the others are Unasked, and are passed over by all that goes through them.
    """

    posterior: Answer
    ratio: Answer
    difference: Answer
    odds: Answer
    worst_prior: Answer
    expected_posterior: Answer
    relative_risk: Answer
    absolute_risk: Answer
    total_variation: Answer
    posterior_ratio: Answer
    power: Answer
    advantage: Answer
    best_guess: Answer
    positive_predictive_value: Answer
    success: Answer

    def __iter__(self) -> Iterator[tuple[str, Answer]]:
        """The questions that were asked by name, with their answers."""
        found = ((each.name, getattr(self, each.name)) for each in fields(self))
        return ((name, answer) for name, answer in found if not isinstance(answer, Unasked))

    @property
    def answered(self) -> dict[str, Answer]:
        """The questions that have an answer."""
        return {name: answer for name, answer in self if answer.findings}

    @property
    def unanswered(self) -> dict[str, Unanswered]:
        """The questions that have none, each with its reason."""
        return {name: answer for name, answer in self if isinstance(answer, Unanswered)}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding among the answers."""
        return tuple(finding for _, answer in self for finding in answer.findings)

    def to_dict(self) -> dict[str, Any]:
        """The answers by question as a plain tree."""
        return {name: answer.to_dict() for name, answer in self}

    def to_rows(self) -> list[Row]:
        """A row for each number of each question; a question without an answer has its reason."""
        return assessment.assessment_rows(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: a table of questions, answers and words."""
        return assessment.assessment_html(self)

    def __str__(self) -> str:
        """A line for each question."""
        return "\n".join(_line(name, answer) for name, answer in self)


def _line(name: str, answer: Answer) -> str:
    if answer.worst is None:
        return f"{name.replace('_', ' ')}: {answer}"
    return str(answer.worst)


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


def larger(answers: Sequence[Answer]) -> Answer:
    """One answer for several pairs of neighbours, any of which may be the one: the largest, if each has one."""
    if len(answers) == 1 or not all(isinstance(answer, Finding) for answer in answers):
        return next((answer for answer in answers if not isinstance(answer, Finding)), answers[0])
    return widest(_stack(answers))


def _stack(answers: Sequence[Any]) -> Answer:
    """One answer, part by part; where exact ones and bounds meet, all are taken as bounds."""
    refused = next((answer for answer in answers if not answer.findings), None)
    if refused is not None:
        return cast(Answer, refused)
    if isinstance(answers[0], Finding):
        return _findings(answers)
    parts = {each.name: _stack([getattr(answer, each.name) for answer in answers]) for each in fields(answers[0])}
    return cast(Answer, replace(answers[0], **parts))


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


# The parameters by which a guarantee is known without its name.
_KNOWN_BY = ({"epsilon"}, {"epsilon", "delta"}, {"rho"}, {"mu"})
_RELATIONS = {Neighbours.REPLACE: "one record replaced", Neighbours.LOCAL: "local"}
_PEOPLE = ("Gaussian", "Gaussians", "Laplace", "Toeplitz", "Rappor", "Renyi", "Tulap")
# Up to so many numbers of a list are named one by one.
FEW = 4
# Of these less is worse, of all other parameters more.
_NOISE = ("sigma", "scale")


def promise_name(promised: Promise) -> str:
    """What is promised, in a few words; numbers are given to six digits, rounded to the safe side.

    >>> from whit.guarantees import ApproxDP
    >>> promise_name(ApproxDP(1.0, 1e-6))
    'epsilon = 1, delta = 1e-6'
    """
    if isinstance(promised, Block):
        return f"{promise_name(promised.promise)}, for {promised.people} people who depend on each other"
    if promised.relation() is None:
        return "a curve"
    if promised.composed_of:
        return all_of([(promise_name(part), times) for part, times in promised.composed_of])
    if promised.is_stated:
        return _guarantee(promised)
    return _mechanism(vars(promised), promised)


def in_each(name: str, releases: int) -> str:
    """The name of so many releases of one kind.

    >>> in_each("Gaussian noise, sigma = 5.5", 5)
    'Gaussian noise, sigma = 5.5, in each of 5 releases'
    """
    return name if releases == 1 else f"{name}, in each of {releases:,} releases"


def all_of(parts: Sequence[tuple[str, int]]) -> str:
    """The names of releases of several kinds, each with how many there are of it; nothing of that where each is alone.

    >>> all_of([("epsilon = 2", 1), ("Gaussian noise, sigma = 5", 4)])
    'epsilon = 2, once; Gaussian noise, sigma = 5, in each of 4 releases'
    >>> all_of([("epsilon = 2", 1), ("rho = 0.1", 1)])
    'epsilon = 2 and rho = 0.1'
    """
    if len(parts) == 1 or all(releases == 1 for _, releases in parts):
        return " and ".join(in_each(*part) for part in parts)
    return "; ".join(f"{name}, once" if releases == 1 else in_each(name, releases) for name, releases in parts)


def _guarantee(promise: Promise) -> str:
    parameters, neighbours = promise.stated_under(), promise.relation()
    numbers = _numbers(parameters)
    points = [_points(value) for value in parameters.values() if isinstance(value, Mapping)]
    if not numbers:
        return shown(", ".join([_spaced(promise), *points]) if points else promise)
    kind = [] if set(numbers) in _KNOWN_BY else [_spaced(promise)]
    relation = [_RELATIONS[neighbours]] if neighbours in _RELATIONS else []
    return ", ".join([*kind, *numbers.values(), *relation])


def _points(parameter: Mapping[float, float]) -> str:
    """A parameter that has a number at each of several points."""
    return ", ".join(f"{_plain(value)} at {_plain(point)}" for point, value in parameter.items())


def _mechanism(known: Mapping[str, object], promised: Promise) -> str:
    """Noise or an answer by its values; what is made of another one by what is done to it."""
    around = getattr(type(promised), "around", None)
    if around is not None:
        values = {each.name: _plain(known[each.name]) for each in around.details} | _by_word(around.details, known)
        usual = {each.name: each.default for each in fields(promised) if each.name in around.also}  # type: ignore[arg-type]
        besides = "".join(around.also[name] for name, value in usual.items() if known[name] != value)
        return f"{promise_name(known[around.inner])}, {(around.phrase + besides).format_map(values)}"  # type: ignore[arg-type]
    if set(known) == {"mechanism"}:
        return f"{promise_name(known['mechanism'])}, changed in full"  # type: ignore[arg-type]
    change = known.get("sensitivity")
    details = getattr(type(promised), "details", ())
    words, spoken = _by_word(details, known), {each.name: each.word for each in details}
    texts = {
        name: _value(spoken.get(name, name) if isinstance(value, tuple) else name, value)
        for name, value in known.items()
        if not name.startswith("_")
    }
    texts |= {name: f"{name} = {word}" for name, word in words.items()}
    said = [text for text in texts.values() if text]
    if not said or None in texts.values():
        return shown(promised)
    if not isinstance(change, Sensitivity):
        return ", ".join([_spaced(promised), *said])
    return ", ".join([f"{_spaced(promised)} noise", *said, *_changed(change)])


def _by_word(details: Sequence[Any], known: Mapping[str, object]) -> dict[str, str]:
    """The values that have a word of their own."""
    named = {(each.name, value): word for each in details for word, value in each.words.items()}
    return {name: named[name, known[name]] for name in {key for key, _ in named} if (name, known[name]) in named}


def _value(name: str, value: object) -> str | None:
    """A value of a mechanism with its name; empty where it goes without saying, None where no words are known."""
    if isinstance(value, float | int):
        return _numbers({name: value}).get(name.removeprefix("stated_"), "")
    if value is None or isinstance(value, Sensitivity) or value is Neighbours.ADD_REMOVE:
        return ""
    if isinstance(value, Neighbours):
        return _RELATIONS[value]
    if isinstance(value, tuple):
        return _several(name, value)
    words = getattr(value, "words", None)
    return words if isinstance(words, str) else None


def _several(name: str, values: tuple[object, ...]) -> str | None:
    """Several numbers with their name: one by one if they are few, else how many there are."""
    if values and all(isinstance(each, float | int) for each in values):
        listed = " ".join(map(_plain, values))
        return f"{name} = {listed}" if len(values) <= FEW else f"{len(values)} {name}"
    widths = {len(each) for each in values if isinstance(each, tuple)}
    return f"{name} of {len(values)} by {widths.pop()}" if len(widths) == 1 else None


def _numbers(known: Mapping[str, object]) -> dict[str, str]:
    """The parameters that are single numbers, each as a text; of those that hold or do not, the ones that hold."""
    named = {name.removeprefix("stated_"): value for name, value in known.items() if value is not False}
    texts = {name: value for name, value in named.items() if isinstance(value, float | int)}
    said = {name: name.replace("_", " ") for name in texts}
    return {
        name: said[name] if value is True else f"{said[name]} = {_plain(value, name)}" for name, value in texts.items()
    }


def _changed(change: Sensitivity) -> list[str]:
    """The sensitivity, unless it is that of a count."""
    if change == Sensitivity.count():
        return []
    added = _cells(change.add_remove)
    if added == _cells(change.replace):
        return [f"sensitivity {added}"]
    return [f"sensitivity {added} ({_replaced(change.replace)})"]


def _replaced(changes: Sequence[float]) -> str:
    """What a replaced record changes."""
    if len(changes) > 1 and len(set(changes)) == 1:
        return f"a replaced record changes {len(changes)} cells by {_plain(changes[0])}"
    return f"{_cells(changes)} if a record is replaced"


def _cells(changes: Sequence[float]) -> str:
    """The changes of the cells of one record."""
    if len(changes) > 1 and len(set(changes)) == 1:
        return f"{_plain(changes[0])} in each of {len(changes)} cells"
    return "+".join(map(_plain, changes)) or "0"


def _plain(number: object, name: str = "") -> str:
    """A parameter as text: the last digit or two of a double are rounding, and are left out first."""
    side = Direction.AT_LEAST if name in _NOISE else Direction.AT_MOST
    return number_text(float(f"{number:.14g}"), side, Unit.NUMBER, digits=6)


def _spaced(thing: object) -> str:
    """The name of a class in words, in small letters except people and abbreviations.

    >>> from whit.mechanisms import DiscreteGaussian
    >>> _spaced(DiscreteGaussian(1.0))
    'discrete Gaussian'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(thing).__name__).split()
    return " ".join(word if word in _PEOPLE or word.isupper() else word.lower() for word in words)
