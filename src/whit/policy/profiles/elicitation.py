"""From answers to a profile by the largest posterior at some priors: who starts at 10 %, up to where may they get?

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

import numpy as np

from whit.errors import Incompatible, InvalidInput, require
from whit.numerics import ULP, probability, up
from whit.policy.profiles.profile import TINY, Array, Domain, RiskProfile, fixed

PRIORS = (0.001, 0.01, 0.1, 0.25, 0.5)
"""The starting points that are asked about if no others are named: from a rare fact to an open question."""

_ANSWERS = "Pass answers by prior, such as {0.01: 0.05, 0.1: 0.3, 0.5: 0.7}."
_PRIOR = "Use a probability above 0 and below 1, such as 0.1."
_PRIORS = "Use priors such as (0.01, 0.1) with posteriors such as (0.05, 0.3)."


@dataclass(frozen=True)
class ByPrior(RiskProfile):
    """The largest posterior at rising priors, linear between them; the limit depends on the prior pq alone.

    Below the first prior the largest posterior stays as it is there; above the last there is no limit.

    Attributes:
        priors: rising, above 0.
        posteriors: the largest posterior at each, above the prior; never falling.
        inclusion: speak only about adversaries with this inclusion.
        value: speak only about adversaries with this value.
    """

    priors: tuple[float, ...]
    posteriors: tuple[float, ...]
    inclusion: float | None = None
    value: float | None = None

    def __post_init__(self) -> None:
        for name in ("priors", "posteriors"):
            object.__setattr__(self, name, _listed(name, getattr(self, name)))
        rising = (
            len(self.priors) > 0 and all(0.0 < p <= 1.0 for p in self.priors) and _steady(self.priors, strictly=True)
        )
        require(
            rising, name="priors", rule="must be probabilities above 0 that rise", value=self.priors, way_out=_PRIORS
        )
        above = len(self.posteriors) == len(self.priors) and all(map(_room, self.priors, self.posteriors))
        rule = "must be one probability above each prior, and must not fall"
        good = above and _steady(self.posteriors, strictly=False)
        require(good, name="posteriors", rule=rule, value=self.posteriors, way_out=_PRIORS)
        for name, belief in (("inclusion", self.inclusion), ("value", self.value)):
            fixed(name, belief)

    @property
    def domain(self) -> Domain:
        """All adversaries, or those with the belief that is fixed; the last prior is not a border of a box."""
        return Domain(fixed("inclusion", self.inclusion), fixed("value", self.value))

    def _limit(self, p: Array, q: Array) -> Array:
        return self._lower_bound(p, p, q, q)

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        """The least at the ends of the range of priors and at the priors of the answers within: steady in between."""
        low = np.maximum(p_low * q_low * (1 - 2 * ULP), TINY)
        high = np.where((p_high == 1.0) | (q_high == 1.0), p_high * q_high, up(p_high * q_high))
        high = np.maximum(high, low)
        last = self.priors[-1]
        end = np.minimum(high, last)
        places = [np.minimum(low, end), end, *(np.clip(prior, np.minimum(low, end), end) for prior in self.priors)]
        least = np.min([self._at(place) for place in places], axis=0)
        return np.where(p_low * q_low > last, np.inf, least)

    def _at(self, prior: Array) -> Array:
        """The limit at a prior, rounded down, and never below the smallest of the answers around it."""
        with np.errstate(over="ignore"):
            limit = np.interp(prior, self.priors, self.posteriors) / prior * (1 - 16 * ULP)
        return np.maximum(limit, 1.0)

    def notices(self) -> tuple[str, ...]:
        """From which prior on there is no limit."""
        last = self.priors[-1]
        return () if last == 1.0 else (f"There is no limit for adversaries who start above {last:.3g}.",)


def _listed(name: str, numbers: object) -> tuple[float, ...]:
    """Probabilities as a tuple."""
    listed = isinstance(numbers, tuple | list | np.ndarray) and np.ndim(numbers) == 1
    require(listed, name=name, rule="must be a list of probabilities", value=numbers, way_out=_PRIORS)
    assert isinstance(numbers, tuple | list | np.ndarray)
    return tuple(probability(f"each of the {name}", number, _PRIORS) for number in numbers)


def _steady(numbers: tuple[float, ...], *, strictly: bool) -> bool:
    """Whether the numbers rise, or at least do not fall."""
    return all(a < b or (a == b and not strictly) for a, b in pairwise(numbers))


def _room(prior: float, posterior: float) -> bool:
    """Whether a posterior is above its prior; certainty may stay certain."""
    return prior < posterior <= 1.0 or prior == posterior == 1.0


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
