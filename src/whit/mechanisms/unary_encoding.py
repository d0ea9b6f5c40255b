"""Unary encoding: a category as one bit for each category, each of which is flipped by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves import Array, FinitePair, identical
from whit.errors import InvalidInput, require
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import EXACT_ANSWER, Mechanism
from whit.mechanisms.noise import drawn
from whit.numerics import ULP, count, finite_nonnegative
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Finding

_LOG_TWO = math.log(2.0)


@dataclass(frozen=True, init=False, repr=False)
class UnaryEncoding(Mechanism):
    """Each person reports one bit for each category, that of their own category raised and the others not.

    The optimised form tells a raised bit with probability 1/2, and raises another with probability 1/(1 + e^epsilon).
    The symmetric form flips every bit with probability 1/(1 + e^(epsilon/2)).

    Two categories differ in two bits. Often neither tells them apart: the optimised form then has half the delta of
    randomized response.

    >>> print(UnaryEncoding(1.0).delta(0.5))
    delta is 0.144 (rounded up)
    >>> print(UnaryEncoding(1.0, symmetric=True).delta(0.5))
    delta is 0.153 (rounded up)
    """

    all_or_nothing = True

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "unary_encoding",
        "EPSILON",
        "Optimised unary encoding with this epsilon.",
        rising=True,
        bounded=True,
        keeps=(("epsilon", lambda epsilon: epsilon),),
    )

    details = (
        Detail("symmetric", "", "The symmetric form of unary encoding, and not the optimised one.", Written.YES_NO),
        Detail("categories", "K", "How many answers can be given. 2 if not given.", Written.WHOLE),
    )

    stated_epsilon: float
    symmetric: bool
    categories: int

    def __init__(self, epsilon: float, *, symmetric: bool = False, categories: int = 2) -> None:
        """Keep the parameters.

        Args:
            epsilon: the largest loss between two categories.
            symmetric: whether both values of a bit are flipped with one probability.
            categories: how many there are; the loss does not depend on it, what a report looks like does.
        """
        many = count("categories", categories, "Use the number of answers that can be given, such as 2.")
        require(many >= 2, name="categories", rule="must be at least 2", value=many, way_out="Use 2 for yes or no.")
        known = isinstance(symmetric, bool)
        way_out = "Use False for the optimised form."
        require(known, name="symmetric", rule="must be True or False", value=symmetric, way_out=way_out)
        loss = finite_nonnegative("epsilon", epsilon, "Use a number such as 1.")
        self._keep(stated_epsilon=loss, symmetric=symmetric, categories=many)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Any two answers of the one who reports are neighbours; a report that is missing is not protected."""
        return (Neighbours.LOCAL, Neighbours.REPLACE)

    noise_theorem: ClassVar[str] = "unary-encoding"
    basis = Basis.of("unary-encoding")
    """The losses of the two bits."""

    def _loss(self, neighbours: Neighbours) -> FinitePair:
        """Loss epsilon if both bits speak for the truth, -epsilon if both speak against it, else 0."""
        if self.stated_epsilon == 0.0:
            return identical()
        losses = np.array([-self.stated_epsilon, 0.0, self.stated_epsilon])
        told, kept = self._log_told
        hidden, lied = self._log_hidden
        log_masses = np.array([hidden + lied, np.logaddexp(told + lied, hidden + kept), told + kept])
        return FinitePair(losses, log_masses, mass_error=ULP * (16 + 4 * float(np.max(np.abs(log_masses)))))

    @property
    def _log_told(self) -> tuple[float, float]:
        """Log of the probability that a raised bit is reported as raised, and that another one is."""
        if self.symmetric:
            true = -math.log1p(math.exp(-self.stated_epsilon / 2))
            return true, true
        return -_LOG_TWO, -math.log1p(math.exp(-self.stated_epsilon))

    @property
    def _log_hidden(self) -> tuple[float, float]:
        """Log of the probability that a raised bit is reported as not raised, and that another one is raised."""
        told, kept = self._log_told
        if self.symmetric:
            return told - self.stated_epsilon / 2, kept - self.stated_epsilon / 2
        return -_LOG_TWO, kept - self.stated_epsilon

    def probability_of_exact_answer(self) -> Finding:
        """The probability that no bit at all is flipped."""
        told, kept = self._log_told
        log = told + (self.categories - 1) * kept
        return self._about_noise(EXACT_ANSWER, math.exp(log), slack=ULP * (16 + 8 * abs(log)))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, truth: int = 0) -> NDArray[np.int64]:
        """The bits of somebody whose true category is given, for simulation; not for release."""
        if truth not in range(self.categories):
            rule = f"must be a whole number from 0 to {self.categories - 1}"
            raise InvalidInput("truth", rule, truth, "Use 0 for the first category.")
        chances: Array = np.full(self.categories, math.exp(self._log_hidden[1]))
        chances[truth] = math.exp(self._log_told[0])
        return (rng.random((*drawn(size), self.categories)) < chances).astype(np.int64)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        form = ", symmetric=True" if self.symmetric else ""
        return f"UnaryEncoding(epsilon={self.stated_epsilon!r}{form}, categories={self.categories!r})"
