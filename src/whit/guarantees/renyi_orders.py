"""Orders of Rényi divergences, each with a bound: a list, or all of them with bounds that grow with the order."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from whit.curves import Array
from whit.guarantees.concentrated_edge import Edge, edge
from whit.numerics import raised

Objective = Callable[[Array, Array], Array]
"""Maps excess orders and their bounds, along a last axis, to values that are valid bounds each."""

# The excess orders that a continuum is searched at first; then again and again around the best one.
EXCESSES = np.exp(np.linspace(math.log(1e-7), math.log(1e13), 78))
STEP = math.log(EXCESSES[1] / EXCESSES[0])
POINTS = 31
ZOOMS = 5
# For tests a smaller rho is taken as this one. It moves no power by more than rounding does, in whichever order.
LEAST_RHO = 1e-28
# Higher orders are not looked at, so that their products with an epsilon are doubles.
HIGHEST = 1e200
# At smaller excess orders a conversion says next to nothing. Steps that bring the best one to its last digits.
LEAST_EXCESS = 1e-150
NEWTON_STEPS = 5
# Among so many orders of a list the tangent is looked for: each is dear.
MOST_CANDIDATES = 48
# Up to this rho the conversion was found to be above the tangents of the table wherever there are any.
LARGEST_TABLED = 10.0


class Orders(ABC):
    """A set of orders with a bound on the divergence at each."""

    @abstractmethod
    def smallest(self, near: Array, objective: Objective) -> tuple[Array, Array]:
        """The smallest value of the objective over the orders for each element, and the excess order it is found at.

        Where a continuum is searched, it is also searched near the excess orders given.
        """

    @abstractmethod
    def bound(self, excesses: Array) -> Array:
        """The bound on the divergence at excess orders of the set."""

    @abstractmethod
    def implied(self, excesses: Array) -> Array:
        """What the bounds say of the divergence at any excess orders, rounded up; infinite where they say nothing."""

    @abstractmethod
    def candidates(self, excesses: Array) -> Array:
        """The excess orders among which the best one is near, along a last axis: the one given, or the whole list."""

    @abstractmethod
    def near(self, excesses: Array, factors: Array) -> Array:
        """Excess orders of the set near those given, along a last axis."""

    @property
    def edge(self) -> Edge | None:
        """A table of the best orders and coins; none if they have to be searched for."""
        return None

    def are_tabled(self, epsilons: Array) -> bool:
        """Whether a tangent of the table is no worse at any of these epsilons than the best conversion."""
        return False

    def log_conversion(self, epsilons: Array) -> tuple[Array, Array]:
        """Log of the best conversion to delta at each epsilon >= 0, and the excess order it is found at."""
        return self.smallest(np.zeros(epsilons.shape), lambda s, gamma: conversion_at(s, gamma, epsilons[..., None]))

    @property
    def of_tests(self) -> Orders:
        """The orders that the power of tests is found with."""
        return self

    @property
    def are_endless(self) -> bool:
        """Whether it is known that they leave some delta at every epsilon."""
        return False

    @property
    @abstractmethod
    def largest_loss(self) -> float:
        """What bounds the loss itself: the divergence of infinite order; infinite where it is not bounded."""


@dataclass(frozen=True)
class Concentrated(Orders):
    """All orders alpha > 1, each with the bound rho alpha."""

    rho: float

    def smallest(self, near: Array, objective: Objective) -> tuple[Array, Array]:
        """The smallest value by repeated search: every order is valid, so that what is missed costs tightness only."""
        everywhere = np.broadcast_to(np.append(0.0, EXCESSES), (*near.shape, 1 + len(EXCESSES)))
        excesses = np.concatenate([everywhere, near[..., None] * np.exp(np.linspace(-STEP, STEP, POINTS))], axis=-1)
        lowest, best = _lowest(objective(excesses, self.bound(excesses)), excesses)
        centre, step = np.where(best > 0.0, best, EXCESSES[0]), STEP
        for _ in range(ZOOMS):
            excesses = centre[..., None] * np.exp(np.linspace(-step, step, POINTS))
            value, centre = _lowest(objective(excesses, self.bound(excesses)), excesses)
            best = np.where(value < lowest, centre, best)
            lowest = np.minimum(lowest, value)
            step *= 2 / (POINTS - 1)
        return lowest, best

    def bound(self, excesses: Array) -> Array:
        """Rho times the order."""
        with np.errstate(over="ignore"):  # an order at which nothing is known
            return self.rho * (1.0 + excesses)

    def implied(self, excesses: Array) -> Array:
        """Rho times the order."""
        return raised(self.bound(excesses))

    def log_conversion(self, epsilons: Array) -> tuple[Array, Array]:
        """The conversion where its slope in s is 0, which is rho (1 + 2 s) - epsilon - log(1 + 1/s).

        The slope is concave and rises with s: Newton's steps from a point left of the zero come closer and never pass
        it. Since log(1 + 1/s) is at least 1/(s + 1/2), the zero of rho (1 + 2 s) - epsilon - 1/(s + 1/2) is such a
        point. So is the smaller of 1/(2 rho) and e^(epsilon - rho - 1), where 2 rho s is at most 1.
        """
        # A guess of the order is enough, so no rho is so small or so large that its products overflow.
        rho = min(max(self.rho, 1e-305), 1e150)
        with np.errstate(over="ignore", divide="ignore"):
            middle = (epsilons + np.hypot(epsilons, math.sqrt(8 * rho))) / rho / 4
            near_zero = np.minimum(np.exp(np.minimum(epsilons - rho - 1, 0.0)), 1 / (2 * rho))
            s = np.clip(np.maximum(middle - 0.5, near_zero), LEAST_EXCESS, HIGHEST)
            for _ in range(NEWTON_STEPS):
                slope = rho * (1 + 2 * s) - epsilons - np.log1p(1 / s)
                s = np.clip(s - slope / (2 * rho + 1 / s / (1 + s)), LEAST_EXCESS, HIGHEST)
        return conversion_at(s, self.bound(s), epsilons), s

    @property
    def edge(self) -> Edge | None:
        """The coins at the edge of what rho allows; none for a rho of no practical meaning."""
        return edge(self.rho)

    def are_tabled(self, epsilons: Array) -> bool:
        """Whether they lie within the table, of a rho that is not so large that deltas next to 1 count."""
        return self.rho <= LARGEST_TABLED and self.edge is not None and bool(np.all(epsilons <= self.edge.epsilons[-1]))

    def candidates(self, excesses: Array) -> Array:
        """The one given."""
        return excesses[..., None]

    def near(self, excesses: Array, factors: Array) -> Array:
        """Multiples: every order is in the set."""
        return excesses[..., None] * factors

    @property
    def of_tests(self) -> Orders:
        """Those of a rho that is not too small."""
        return Concentrated(max(self.rho, LEAST_RHO))

    @property
    def are_endless(self) -> bool:
        """Unless rho is 0: the bounds of a Gaussian mechanism, whose loss has no bound, are these."""
        return self.rho > 0.0

    @property
    def largest_loss(self) -> float:
        """Infinite: the bounds grow without end."""
        return math.inf


@dataclass(frozen=True)
class Listed(Orders):
    """Finitely many orders above 1, in increasing order, and a bound at infinity that may be infinite itself."""

    excesses: tuple[float, ...]
    bounds: tuple[float, ...]
    at_infinity: float

    @classmethod
    def of(cls, orders: Mapping[float, float]) -> Listed:
        """The orders of a mapping of alpha to gamma."""
        finite = sorted((alpha, gamma) for alpha, gamma in orders.items() if math.isfinite(alpha))
        excesses, bounds = tuple(alpha - 1.0 for alpha, _ in finite), tuple(gamma for _, gamma in finite)
        return cls(excesses, bounds, orders.get(math.inf, math.inf))

    def smallest(self, near: Array, objective: Objective) -> tuple[Array, Array]:
        """The smallest value over the list; 0 where the list is empty."""
        if not self.excesses:
            return np.zeros(near.shape), np.zeros(near.shape)
        excesses = np.broadcast_to(np.array(self.excesses), (*near.shape, len(self.excesses)))
        return _lowest(objective(excesses, np.broadcast_to(np.array(self.bounds), excesses.shape)), excesses)

    def bound(self, excesses: Array) -> Array:
        """The bound of each listed order."""
        return np.array((*self.bounds, math.inf))[np.searchsorted(self.excesses, excesses)]

    def implied(self, excesses: Array) -> Array:
        """By chords: the divergence times its excess order s is convex in s, and 0 at 0. And no less at higher orders.

        Beyond the last order it grows at most as fast as the bound at infinity.
        """
        s, gammas = np.append(0.0, self.excesses), np.array((0.0, *self.bounds))
        place = np.searchsorted(s, excesses)
        inside = place < len(s)
        with np.errstate(invalid="ignore"):  # where no order is above
            beyond = s[-1] * gammas[-1] + (excesses - s[-1]) * self.at_infinity
            chord = raised(np.where(inside, np.interp(excesses, s, s * gammas), beyond) / excesses)
        above = np.append(gammas, self.at_infinity)[place]
        return np.where(np.isin(excesses, s) | ~(chord < above), above, chord)

    def candidates(self, excesses: Array) -> Array:
        """The whole list; of a long one those next to the one given, and some from the first to the last."""
        whole = np.array(self.excesses)
        if len(whole) <= MOST_CANDIDATES:
            return np.broadcast_to(whole, (*excesses.shape, len(whole)))
        half = MOST_CANDIDATES // 2
        first = np.clip(np.searchsorted(whole, excesses) - half // 2, 0, len(whole) - half)
        near = whole[first[..., None] + np.arange(half)]
        some = whole[np.linspace(0, len(whole) - 1, MOST_CANDIDATES - half).astype(int)]
        return np.concatenate([near, np.broadcast_to(some, (*excesses.shape, len(some)))], axis=-1)

    def near(self, excesses: Array, factors: Array) -> Array:
        """The order itself: the list has no other near it."""
        return excesses[..., None]

    @property
    def largest_loss(self) -> float:
        """The bound at order infinity."""
        return self.at_infinity


def _lowest(values: Array, excesses: Array) -> tuple[Array, Array]:
    at = np.argmin(values, axis=-1)[..., None]
    return np.take_along_axis(values, at, -1)[..., 0], np.take_along_axis(excesses, at, -1)[..., 0]


def conversion_at(s: Array, gamma: Array, epsilons: Array) -> Array:
    """Log of e^{s (gamma - epsilon)} (s/(1+s))^s / (1+s)."""
    positive = np.where(s > 0, s, 1.0)
    with np.errstate(over="ignore"):  # a bound too large for a double says nothing
        return np.where(s > 0, positive * (gamma - epsilons - np.log1p(1 / positive)) - np.log1p(positive), 0.0)
