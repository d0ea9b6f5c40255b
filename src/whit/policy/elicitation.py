"""From answers to a profile: somebody starts at 10 %; up to where may the release take them?

>>> for question in questions((0.01, 0.1)):
...     print(question)
Somebody gives the fact a probability of 1 % before the release. Up to what probability may the release take them?
Somebody gives the fact a probability of 10 % before the release. Up to what probability may the release take them?
>>> profile = profile_from({0.01: 0.05, 0.1: 0.3, 0.5: 0.7}, value=1.0)
>>> print(profile.limit([0.1, 0.5], 1.0).round(6))
[3.  1.4]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from whit.errors import Incompatible, InvalidInput, require
from whit.numerics import probability
from whit.policy.profiles.by_prior import ByPrior
from whit.policy.profiles.profile import fixed

PRIORS = (0.001, 0.01, 0.1, 0.25, 0.5)
"""The starting points that are asked about if no others are named: from a rare fact to an open question."""

_ANSWERS = "Pass answers by prior, such as {0.01: 0.05, 0.1: 0.3, 0.5: 0.7}."
_PRIOR = "Use a probability above 0 and below 1, such as 0.1."


@dataclass(frozen=True)
class Question:
    """How far an adversary of one prior may get."""

    prior: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", _checked_prior(self.prior))

    def __str__(self) -> str:
        start = f"Somebody gives the fact a probability of {_percent(self.prior)} before the release."
        return f"{start} Up to what probability may the release take them?"


def questions(priors: tuple[float, ...] = PRIORS) -> tuple[Question, ...]:
    """A short series of questions, from the smallest prior to the largest."""
    given: object = priors
    listed = isinstance(given, tuple | list)
    require(listed, name="priors", rule="must be a list of priors", value=priors, way_out="Use (0.01, 0.1, 0.5), say.")
    return tuple(sorted((Question(prior) for prior in priors), key=lambda question: question.prior))


def profile_from(
    answers: Mapping[float, float], *, inclusion: float | None = None, value: float | None = None
) -> ByPrior:
    """The risk profile that the answers amount to; answers that contradict each other are named.

    Between two answers the largest posterior is linear. For smaller priors than were asked about, the first answer
    stays the largest posterior; for larger ones there is no limit. An answer of 1 means that certainty is acceptable.

    Args:
        answers: the largest acceptable posterior by prior.
        inclusion: the fact is a value of people who are in the data with this probability; 1 if they are known to be.
        value: the fact is being in the data, with a value of this probability; 1 if only being in the data counts.
            With neither, the answers are about every adversary of the prior.
    """
    given: object = answers
    good = isinstance(given, Mapping) and len(given) > 0
    require(good, name="answers", rule="must be posteriors by prior", value=answers, way_out=_ANSWERS)
    checked = sorted((_checked_prior(prior), _posterior(prior, answer)) for prior, answer in answers.items())
    _require_order(checked)
    for name, belief in (("inclusion", inclusion), ("value", value)):
        if fixed(name, belief)[1] < checked[-1][0]:
            rule = "must be at least the largest prior asked about, which is a part of it"
            raise Incompatible(name, rule, f"{belief!r} with a prior of {checked[-1][0]!r}", "Leave that prior out.")
    return ByPrior(tuple(p for p, _ in checked), tuple(x for _, x in checked), inclusion, value)


def _checked_prior(prior: object) -> float:
    number = probability("prior", prior, _PRIOR)
    rule = "must be above 0 and below 1, since whoever is certain learns nothing"
    require(0.0 < number < 1.0, name="prior", rule=rule, value=prior, way_out=_PRIOR)
    return number


def _posterior(prior: float, answer: object) -> float:
    """An answer above its prior."""
    name = f"the answer for a prior of {_percent(prior)}"
    number = probability(name, answer, "Use a probability above the prior.")
    way_out = "Raise it above the prior: not even a release that says nothing takes anybody below where they start."
    require(number > prior, name=name, rule="must be above the prior", value=answer, way_out=way_out)
    return number


def _require_order(checked: list[tuple[float, float]]) -> None:
    """Refuse a higher prior with a lower posterior."""
    for (p, x), (q, y) in pairwise(checked):
        if y < x:
            name = f"the answers for priors of {_percent(p)} and {_percent(q)}"
            rule = "must not fall, since whoever starts higher ends at least as high"
            way_out = f"Raise the second to {_percent(x)} or more, or lower the first."
            raise InvalidInput(name, rule, f"{_percent(x)} and {_percent(y)}", way_out)


def _percent(probability: float) -> str:
    return f"{100 * probability:.6g} %"
