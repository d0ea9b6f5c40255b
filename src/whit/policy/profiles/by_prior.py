"""A profile by the largest posterior at some priors: what answers to simple questions amount to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from whit.errors import require
from whit.numerics import ULP, probability, up
from whit.policy.profiles.profile import Array, Domain, RiskProfile, fixed

TINY = float(np.finfo(np.float64).tiny)
"""No prior is taken to be smaller: the limit of a smaller one is at least as large."""


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
