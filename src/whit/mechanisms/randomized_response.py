"""Randomized response: the true category, or one of the others by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import FinitePair, identical
from whit.errors import InvalidInput, TooCostly, require
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.finite import Kernel
from whit.mechanisms.mechanism import EXACT_ANSWER, Mechanism
from whit.mechanisms.noise import drawn
from whit.numerics import ULP, count, finite_nonnegative
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Finding

# Beyond this e^-epsilon has lost digits or is 0, and a table of doubles would show an infinite loss.
LARGEST_TABLED = 700.0
MOST_TABLED = 1000


@dataclass(frozen=True, init=False, repr=False)
class RandomizedResponse(Mechanism):
    """Each person reports their true category with odds of e^epsilon against each of the others.

    It protects the answer of the one who reports: the neighbours are any two answers (LOCAL, or REPLACE).

    >>> print(RandomizedResponse(1.0).probability_of_exact_answer())
    probability of the exact answer is 73.1 % (rounded down)
    """

    all_or_nothing = True

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "randomized_response",
        "EPSILON",
        "Randomized response with this epsilon.",
        rising=True,
        bounded=True,
        keeps=(("epsilon", lambda epsilon: epsilon),),
    )

    details = (Detail("categories", "K", "How many answers can be given. 2 if not given.", Written.WHOLE),)

    stated_epsilon: float
    categories: int

    def __init__(self, epsilon: float, *, categories: int = 2) -> None:
        way_out = "Use a number such as 1."
        self._keep(stated_epsilon=finite_nonnegative("epsilon", epsilon, way_out))
        many = count("categories", categories, "Use 2 for a question that is answered by yes or no.")
        rule = "must be at least 2"
        require(many >= 2, name="categories", rule=rule, value=many, way_out="Use 2 for a yes-or-no question.")
        self._keep(categories=many)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Any two answers of the one who reports are neighbours; a report that is missing is not protected."""
        return (Neighbours.LOCAL, Neighbours.REPLACE)

    noise_theorem: ClassVar[str] = "randomized-response"
    basis = Basis.of("randomized-response")
    """The losses of a report."""

    def _loss(self, neighbours: Neighbours) -> FinitePair:
        """Loss epsilon at the true category, -epsilon at that of the neighbour, 0 at all others."""
        if self.stated_epsilon == 0.0:
            return identical()
        others = np.log([self.categories - 2]) if self.categories > 2 else np.zeros(0)
        losses = np.array([-self.stated_epsilon, *(0.0 for _ in others), self.stated_epsilon])
        log_masses = np.array([-self.stated_epsilon, *(others - self.stated_epsilon), 0.0]) + self._log_truth
        return FinitePair(losses, log_masses, mass_error=ULP * (16 + 4 * float(np.max(np.abs(log_masses)))))

    @property
    def _log_truth(self) -> float:
        """Log of the probability of the true category."""
        return -math.log1p((self.categories - 1) * math.exp(-self.stated_epsilon))

    def probability_of_exact_answer(self) -> Finding:
        """The probability of the true category."""
        return self._about_noise(EXACT_ANSWER, math.exp(self._log_truth), slack=16 * ULP)

    def kernel(self) -> Kernel:
        """The table of all probabilities, one row for each true category."""
        if self.stated_epsilon > LARGEST_TABLED or self.categories > MOST_TABLED:
            rule = f"is only made up to epsilon {LARGEST_TABLED:g} and {MOST_TABLED} categories"
            way_out = "Ask the mechanism itself, which needs no table."
            raise TooCostly("the table of probabilities", rule, self, way_out)
        truth = math.exp(self._log_truth)
        other = math.exp(self._log_truth - self.stated_epsilon)
        table = np.where(np.eye(self.categories) > 0, truth, other)
        edges = [(a, b) for a in range(self.categories) for b in range(a)]
        return Kernel(table, edges, neighbours=Neighbours.LOCAL)

    def then(self, channel: ArrayLike) -> Kernel:
        """The report passed through a channel: row i holds what becomes of category i."""
        return self.kernel().then(channel)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, truth: int = 0) -> NDArray[np.int64]:
        """Reports of somebody whose true category is given, for simulation; not for release."""
        if truth not in range(self.categories):
            rule = f"must be a whole number from 0 to {self.categories - 1}"
            raise InvalidInput("truth", rule, truth, "Use 0 for the first category.")
        shape = drawn(size)
        honest = rng.random(shape) < math.exp(self._log_truth)
        moved = (truth + rng.integers(1, self.categories, size=shape)) % self.categories
        return np.where(honest, truth, moved)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"RandomizedResponse(epsilon={self.stated_epsilon!r}, categories={self.categories!r})"
