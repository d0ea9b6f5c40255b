"""What an agency accepts, as a value: the largest relative risk for each adversary, and what is known about it.

An adversary is given by two beliefs, `inclusion` (p) and `value` (q), both above 0 and at most 1; their product is the
prior. A profile states for each of them the largest relative risk r*(p, q) that it accepts, posterior over prior.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, NotImplied, require
from whit.numerics import down, finite, paired, probability, probability_array, up
from whit.semantics.disclosure import root_down
from whit.theory import theorem as known

Array = NDArray[np.float64]

TINY = float(np.finfo(np.float64).tiny)
"""No prior is taken to be smaller: the limit of a smaller one is at least as large."""

SMALLEST = 1e-18
"""The belief that stands for those towards 0."""

NARROW = 0.01
"""An epsilon below which a profile is said to leave hardly any room."""

_BELIEF = "Use probabilities above 0, such as 0.05; an adversary who excludes the fact learns nothing about it."
_MEMBERS = 'Pass profiles by name, such as {"patients": constant(2.0), "staff": constant(4.0)}.'
_RANGE = "Give two probabilities in increasing order, such as (0.0, 0.5); for a single one write it twice."


@dataclass(frozen=True)
class Domain:
    """The adversaries that a profile speaks about: a range of inclusions and a range of values.

    Both ends belong to a range, except that a range from 0 begins just above it. A belief that is fixed is a range with
    two equal ends. Outside of its domain a profile sets no limit.

    >>> Domain(value=(1.0, 1.0)).value_fixed
    True
    """

    inclusion: tuple[float, float] = (0.0, 1.0)
    value: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "inclusion", _range("the range of inclusion", self.inclusion))
        object.__setattr__(self, "value", _range("the range of value", self.value))

    @property
    def inclusion_fixed(self) -> bool:
        """Whether there is a single inclusion."""
        return self.inclusion[0] == self.inclusion[1]

    @property
    def value_fixed(self) -> bool:
        """Whether there is a single value."""
        return self.value[0] == self.value[1]

    def contains(self, inclusion: ArrayLike, value: ArrayLike) -> NDArray[np.bool_]:
        """Whether the profile speaks about each of these adversaries."""
        p, q = beliefs(inclusion, value)
        inside_p = (p >= self.inclusion[0]) & (p <= self.inclusion[1])
        return np.asarray(inside_p & (q >= self.value[0]) & (q <= self.value[1]))

    def clipped(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> tuple[Array, Array, Array, Array]:
        """The part of each box that is in the domain; empty boxes come out with a low end above the high one."""
        p, q = self.inclusion, self.value
        return np.maximum(p_low, p[0]), np.minimum(p_high, p[1]), np.maximum(q_low, q[0]), np.minimum(q_high, q[1])

    def to_dict(self) -> dict[str, Any]:
        """The ranges of beliefs that are not whole, by their names."""
        ranges = {"inclusion": self.inclusion, "value": self.value}
        return {name: list(ends) for name, ends in ranges.items() if ends != (0.0, 1.0)}


@dataclass(frozen=True)
class ClosedForm:
    """The largest epsilon that meets a profile, by a formula, if replacing a record costs 2 epsilon.

    Attributes:
        epsilon: the largest pure epsilon (add/remove neighbours), rounded down; infinite where every epsilon will do.
        binding: the adversary (inclusion, value) who decides it; a 0 stands for the limit towards 0.
        theorem: key of the theorem that gives the formula.
    """

    epsilon: float
    binding: tuple[float, float]
    theorem: str

    def __post_init__(self) -> None:
        known(self.theorem)


class RiskProfile(ABC):
    """The largest relative risk that is accepted from each adversary; a frozen value, and a function of the beliefs."""

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The adversaries that the profile speaks about; it sets no limit to others."""

    @property
    def proved(self) -> bool:
        """Whether `lower_bound` is a proof, so that a global minimum over the profile can be proved."""
        return True

    @abstractmethod
    def _limit(self, p: Array, q: Array) -> Array:
        """The limit inside the domain, rounded down."""

    @abstractmethod
    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        """A lower bound of the limit on boxes that lie inside the domain."""

    def limit(self, inclusion: ArrayLike, value: ArrayLike) -> Array:
        """The largest relative risk r*(p, q) that is accepted, rounded down; infinite where there is no limit.

        Takes numbers or arrays, which are broadcast. A limit below 1 cannot be kept by any release.
        """
        p, q = beliefs(inclusion, value)
        inside = self.domain.contains(p, q)
        somewhere_p = np.where(inside, p, _inside(self.domain.inclusion))
        somewhere_q = np.where(inside, q, _inside(self.domain.value))
        return np.where(inside, self._limit(somewhere_p, somewhere_q), np.inf)

    def to_dict(self) -> dict[str, Any]:
        """The names and values that state it in options and files; of one that has none there, what it is."""
        return {"profile": type(self).__name__.lower()}

    def __call__(self, inclusion: ArrayLike, value: ArrayLike) -> Array:
        """The limit."""
        return self.limit(inclusion, value)

    def lower_bound(self, p_low: ArrayLike, p_high: ArrayLike, q_low: ArrayLike, q_high: ArrayLike) -> Array:
        """A proved lower bound of the limit on each box [p_low, p_high] x [q_low, q_high], low ends from 0 on.

        Takes numbers or arrays, which are broadcast; on a box of one point it is the limit. Infinite on a box outside
        of the domain. Raises NotImplied if nothing can be proved about the profile.
        """
        if not self.proved:
            rule = "cannot be bounded between points, since it is an arbitrary function"
            raise NotImplied("a risk profile", rule, self, "Say how fast it can change: custom(..., lipschitz=5.0).")
        given = {"p_low": p_low, "p_high": p_high, "q_low": q_low, "q_high": q_high}
        box = paired("Use arrays of one shape.", **{name: _corner(corner) for name, corner in given.items()})
        cut = self.domain.clipped(box[0], box[1], box[2], box[3])
        empty = (cut[0] > cut[1]) | (cut[2] > cut[3])
        ends = [_inside(self.domain.inclusion)] * 2 + [_inside(self.domain.value)] * 2
        whole = [np.where(empty, end, corner) for end, corner in zip(ends, cut, strict=True)]
        return np.where(empty, np.inf, self._lower_bound(*whole))

    def closed_form(self) -> ClosedForm | None:
        """The largest epsilon by a formula, for a replacement loss of 2 epsilon; None where there is none."""
        return None

    def notices(self) -> tuple[str, ...]:
        """Sentences about places where the profile says nothing, asks for the impossible, or nearly so."""
        return ()


@dataclass(frozen=True)
class Strictest(RiskProfile):
    """Profiles by name; for each adversary the smallest of their limits holds."""

    members: tuple[tuple[str, RiskProfile], ...]

    def __post_init__(self) -> None:
        pairs: object = self.members
        paired = isinstance(pairs, tuple) and all(isinstance(each, tuple) and len(each) == 2 for each in pairs)
        require(paired, name="members", rule="must be profiles by name", value=pairs, way_out=_MEMBERS)
        names: list[object] = [name for name, _ in self.members]
        good = len(names) > 0 and all(isinstance(name, str) and name.strip() for name in names)
        require(good, name="members", rule="must be profiles by name", value=names, way_out=_MEMBERS)
        for name, profile in self.members:
            known = isinstance(profile, RiskProfile)
            require(known, name=f"the profile {name!r}", rule="must be a risk profile", value=profile, way_out=_MEMBERS)

    @property
    def domain(self) -> Domain:
        """The smallest box that holds the domains of all."""
        domains = [profile.domain for _, profile in self.members]
        p, q = ([each.inclusion for each in domains], [each.value for each in domains])
        ranges = [(min(low for low, _ in ends), max(high for _, high in ends)) for ends in (p, q)]
        return Domain(*ranges)

    @property
    def proved(self) -> bool:
        """Whether every member is."""
        return all(profile.proved for _, profile in self.members)

    def _limit(self, p: Array, q: Array) -> Array:
        return np.asarray(np.min([profile.limit(p, q) for _, profile in self.members], axis=0))

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        bounds = [profile.lower_bound(p_low, p_high, q_low, q_high) for _, profile in self.members]
        return np.asarray(np.min(bounds, axis=0))

    def which(self, inclusion: ArrayLike, value: ArrayLike) -> NDArray[Any]:
        """The name of the profile that is strictest for each adversary, the first of equals; empty where none speaks.

        >>> from whit.policy.profiles import box, constant
        >>> both = strictest({"everybody": constant(3.0), "certain": box(2.0, inclusion=(1.0, 1.0))})
        >>> print(both.which([0.5, 1.0], 0.1))
        ['everybody' 'certain']
        """
        p, q = beliefs(inclusion, value)
        limits = np.stack([profile.limit(p, q) for _, profile in self.members])
        names = np.array([name for name, _ in self.members])[np.argmin(limits, axis=0)]
        return np.where(np.isfinite(limits.min(axis=0)), names, "")

    def binding_member(self) -> str | None:
        """The name of the profile that decides the largest epsilon, if all have a closed form."""
        found = self._closed_forms()
        return min(found, key=lambda each: each[1].epsilon)[0] if len(found) == len(self.members) else None

    def closed_form(self) -> ClosedForm | None:
        """The smallest of the members' epsilons, if all have a closed form."""
        found = self._closed_forms()
        return (
            min((each for _, each in found), key=lambda each: each.epsilon) if len(found) == len(self.members) else None
        )

    def notices(self) -> tuple[str, ...]:
        """Those of the members, each with its name."""
        return tuple(f"{name}: {said}" for name, profile in self.members for said in profile.notices())

    def _closed_forms(self) -> list[tuple[str, ClosedForm]]:
        forms = [(name, profile.closed_form()) for name, profile in self.members]
        return [(name, form) for name, form in forms if form is not None]


def strictest(members: Mapping[str, RiskProfile]) -> Strictest:
    """All these profiles at once: the smallest limit holds, and the result can say whose it is.

    >>> from whit.policy.profiles import constant, difference
    >>> both = strictest({"ratio": constant(2.0), "difference": difference(0.2)})
    >>> both.binding_member()
    'ratio'
    """
    require(
        isinstance(members, Mapping), name="members", rule="must be profiles by name", value=members, way_out=_MEMBERS
    )
    return Strictest(tuple(members.items()))


def beliefs(inclusion: ArrayLike, value: ArrayLike) -> tuple[Array, Array]:
    """The two beliefs as arrays of one shape, above 0 and at most 1."""
    p, q = (probability_array(name, x, _BELIEF) for name, x in (("inclusion", inclusion), ("value", value)))
    for name, x in (("inclusion", p), ("value", q)):
        if not bool(np.all(x > 0.0)):
            raise InvalidInput(name, "must be above 0", 0.0, _BELIEF)
    p, q = paired("Use numbers, or arrays of one shape.", inclusion=p, value=q)
    return p, q


def prior_up(p: Array, q: Array) -> Array:
    """The product of the two beliefs, rounded up; exact where one of them is 1."""
    product = p * q
    return np.where((p == 1.0) | (q == 1.0), product, np.nextafter(product, np.inf))


def quotient_down(a: ArrayLike, b: Array) -> Array:
    """a / b for b >= 0, rounded down; infinite where b is 0."""
    safe = np.where(b > 0.0, b, 1.0)
    with np.errstate(over="ignore", under="ignore"):
        quotient = np.asarray(a, dtype=np.float64) / safe
    return np.where(b > 0.0, np.where(safe == 1.0, quotient, down(quotient)), np.inf)


def relative_limit(name: str, limit: object) -> float:
    """A limit on the relative risk: a finite number of at least 1."""
    way_out = "Use the largest posterior over prior that is acceptable, such as 3."
    number = finite(name, limit, way_out)
    rule = "must be at least 1, since a release that says nothing has a relative risk of 1"
    require(number >= 1.0, name=name, rule=rule, value=limit, way_out=way_out)
    return number


def fixed(name: str, belief: float | None) -> tuple[float, float]:
    """The range of a belief that is fixed, or of all of them."""
    if belief is None:
        return (0.0, 1.0)
    number = probability(name, belief, _BELIEF)
    require(number > 0.0, name=name, rule="must be above 0", value=belief, way_out=_BELIEF)
    return (number, number)


@lru_cache(maxsize=256)
def epsilon_at(limit: Fraction, inclusion: Fraction, value: Fraction) -> float:
    """The largest epsilon that keeps one adversary to a limit of at least 1, rounded down; replacing loses twice that.

    Both beliefs may be 0, which stands for the limit towards it.

    >>> epsilon_at(Fraction(3), Fraction(1), Fraction(0))  # doctest: +ELLIPSIS
    0.549306144...
    """
    c = 1 / limit - inclusion * value
    if c <= 0:
        return math.inf
    u, v, gap = (np.asarray(float(x)) for x in (1 - inclusion, inclusion * (1 - value), 1 - 1 / limit))
    return float(root_down(up(float(c)), u, v, np.maximum(down(gap), 0.0)))


def void(relative: float, domain: Domain) -> tuple[str, ...]:
    """Where a relative risk allows certainty: its limit on the posterior is above 1."""
    if relative * domain.inclusion[1] * domain.value[1] <= 1.0:
        return ()
    if relative * domain.inclusion[0] * domain.value[0] >= 1.0:
        return (f"A relative risk of {relative:.4g} allows certainty everywhere in the profile, so it limits nothing.",)
    said = f"Where the prior is {1 / relative:.3g} or more, a relative risk of {relative:.4g} allows certainty."
    return (f"{said} There the profile limits nothing.",)


def tight(closed: ClosedForm) -> tuple[str, ...]:
    """Whether an adversary leaves hardly any room."""
    if closed.epsilon > NARROW:
        return ()
    p, q = closed.binding
    place = f"inclusion {p:.4g} and value {q:.4g}"
    if closed.epsilon == 0.0:
        return (f"At {place} the profile allows no gain at all: only epsilon 0 meets it.",)
    return (f"At {place} the profile leaves hardly any room: epsilon is {closed.epsilon:.2g} at most.",)


def _inside(ends: tuple[float, float]) -> float:
    """A belief of the range; its upper end, which is above 0."""
    return ends[1]


def _corner(values: ArrayLike) -> Array:
    return probability_array("a corner of a box", values, "Use probabilities such as 0.0 and 0.5.")


def _range(name: str, ends: object) -> tuple[float, float]:
    """Two probabilities in order, the second above 0."""
    rule = "must be two probabilities in increasing order, the second above 0"
    good = isinstance(ends, tuple | list) and len(ends) == 2
    require(good, name=name, rule=rule, value=ends, way_out=_RANGE)
    assert isinstance(ends, tuple | list)
    low, high = (probability(name, end, _RANGE) for end in ends)
    require(low <= high and high > 0.0, name=name, rule=rule, value=ends, way_out=_RANGE)
    return low, high
