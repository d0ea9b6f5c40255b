"""Any function of the two beliefs as a profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, require
from whit.numerics import ULP, add_down, finite_nonnegative
from whit.policy.profiles.profile import Array, Domain, RiskProfile

Function = Callable[[Array, Array], ArrayLike]

_FUNCTION = "Return the largest acceptable posterior over prior, a number of at least 1, or inf for no limit."
_LIPSCHITZ = "Give the most that the limit changes when a belief changes by 1, such as 5.0."
_SAMPLES = 21


@dataclass(frozen=True)
class Custom(RiskProfile):
    """A function of inclusion and value; with a bound on its slope it can be followed between points."""

    function: Function
    lipschitz: float | None = None
    speaks_about: Domain = field(default_factory=Domain)

    def __post_init__(self) -> None:
        good = callable(self.function)
        require(
            good,
            name="function",
            rule="must be a function of inclusion and value",
            value=self.function,
            way_out=_FUNCTION,
        )
        if self.lipschitz is not None:
            object.__setattr__(self, "lipschitz", finite_nonnegative("lipschitz", self.lipschitz, _LIPSCHITZ))

    @property
    def domain(self) -> Domain:
        """The adversaries that the function is asked about."""
        return self.speaks_about

    @property
    def proved(self) -> bool:
        """Whether a bound on the slope was given."""
        return self.lipschitz is not None

    def _limit(self, p: Array, q: Array) -> Array:
        limits = self._called(p, q)
        wrong = np.isnan(limits)
        if wrong.any():
            place = f"nan at inclusion {float(p[wrong][0])!r} and value {float(q[wrong][0])!r}"
            raise InvalidInput("the function of a risk profile", "must return a number everywhere", place, _FUNCTION)
        return limits

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        assert self.lipschitz is not None  # or it is not asked
        p, q = p_low + (p_high - p_low) / 2, q_low + (q_high - q_low) / 2
        reach = np.maximum(p_high - p, p - p_low) + np.maximum(q_high - q, q - q_low)
        return add_down(self._limit(p, q), -self.lipschitz * reach * (1 + 4 * ULP))

    def notices(self) -> tuple[str, ...]:
        """Where the function falls below 1 or allows certainty, as far as a grid shows."""
        (p0, p1), (q0, q1) = self.domain.inclusion, self.domain.value
        p, q = np.meshgrid(np.linspace(p0, p1, _SAMPLES + 1)[1:], np.linspace(q0, q1, _SAMPLES + 1)[1:])
        limits = self.limit(p, q)
        below, free = limits < 1.0, limits * p * q > 1.0
        said = []
        if below.any():
            at = f"inclusion {p[below][0]:.3g} and value {q[below][0]:.3g}"
            said.append(f"At {at} the limit is below 1: no release meets it.")
        if free.any():
            least = float((p * q)[free].min())
            said.append(f"From a prior of {least:.3g} on, the profile allows some adversaries certainty.")
        return tuple(said)

    def _called(self, p: Array, q: Array) -> Array:
        """The function at all places, in one call if it takes arrays, else place by place."""
        try:
            with np.errstate(all="ignore"):  # what comes out infinite is no limit, and nan is refused
                limits = np.asarray(self.function(p, q), dtype=np.float64)
            if limits.shape == p.shape or limits.ndim == 0:
                return np.broadcast_to(limits, p.shape)
        except Exception:  # noqa: BLE001  (whatever it is, it may be that the function takes no arrays)
            pass
        return np.array([self._one(*place) for place in zip(p.ravel(), q.ravel(), strict=True)]).reshape(p.shape)

    def _one(self, p: float, q: float) -> float:
        at = f"at inclusion {float(p)!r} and value {float(q)!r}"
        try:
            with np.errstate(all="ignore"):
                found = self.function(np.asarray(p), np.asarray(q))
        except Exception as failed:
            rule = "must take inclusion and value and return a number"
            raise _refused(rule, f"{at} {type(failed).__name__}: {failed}") from failed
        try:
            return float(np.asarray(found, dtype=np.float64))
        except OverflowError as too_large:
            raise _refused("must return a number that fits a double", f"a larger one {at}") from too_large
        except (TypeError, ValueError) as no_number:
            raise _refused("must return a number", f"{found!r} {at}") from no_number


def _refused(rule: str, place: str) -> InvalidInput:
    return InvalidInput("the function of a risk profile", rule, place, _FUNCTION)


def custom(
    function: Function,
    *,
    lipschitz: float | None = None,
    inclusion: tuple[float, float] = (0.0, 1.0),
    value: tuple[float, float] = (0.0, 1.0),
) -> Custom:
    """Any function (inclusion, value) -> largest relative risk as a profile.

    Args:
        function: takes numbers or arrays, returns the largest acceptable posterior over prior.
        lipschitz: the most that the limit changes when inclusion or value changes by 1. Without it nothing can be
            proved between the points that a search looks at.
        inclusion: the range of inclusions that the profile speaks about.
        value: the range of values that it speaks about.

    >>> float(custom(lambda p, q: 4.0 - 2.0 * p * q, lipschitz=2.0).limit(0.5, 1.0))
    3.0
    """
    return Custom(function, lipschitz, Domain(inclusion, value))
