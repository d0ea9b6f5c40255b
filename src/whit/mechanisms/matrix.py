"""Gaussian noise on the steps of a linear release: matrix factorisation, DP-FTRL and trees of partial sums.

A strategy C turns the contributions of all steps into C x, which is released with independent Gaussian noise; what is
made of it afterwards, such as the prefix sums B C x, is processing. One person enters the steps that the participation
allows, each time with a vector of norm at most 1.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves import Array, Curve, GaussianLoss, LossDistribution, Order, identical
from whit.errors import NotImplied, TooCostly, require
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import drawn
from whit.mechanisms.participation import Epochs, Once, Participation, Separated
from whit.numerics import ULP, count, finite_positive, real_array, square_root
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction

# More multiplications of whole numbers than this are not made; then doubles are used, with room for their rounding.
MOST_EXACT = 3_000_000
# Sets of steps are gone through one by one up to so many steps.
FEW_STEPS = 12
# Larger matrices are not multiplied at all.
MOST_STEPS = 3000

PARTICIPATION = Detail(
    "participation",
    "TEXT",
    'Which steps one person enters: once if not given, "10 epochs", "100 apart at most 5 times".',
    Written.PARTICIPATION,
)
"""Which steps one person enters."""

ROUNDS = Detail("rounds", "K", "How many steps; for trees, also one number for each.", Written.WHOLE, needed=True)
"""How many steps there are."""

MOST_ROUNDS = 10**6
"""Of up to so many steps the numbers of a column are listed."""

_STRATEGY = "Give the strategy row by row, one column for each step, such as [[1, 0], [0.5, 1]]."


@dataclass(frozen=True)
class Square:
    """The square of the largest change of C x, and whether some person attains it or it is only an upper bound."""

    value: Fraction
    attained: bool


def sigma_of(word: str, meaning: str) -> Parameter:
    """Sigma as the number by which one of these mechanisms is stated."""
    return Parameter("sigma", word, "SIGMA", meaning, rising=False, bounded=False)


@dataclass(frozen=True)
class LinearNoise(Mechanism):
    """Gaussian noise of standard deviation sigma on C x; only the largest change of C x counts.

    Adding or removing a person adds or removes all their contributions and leaves the steps as they are; replacing one
    changes each contribution by a vector of norm at most 2.
    """

    sigma: float
    _square: Square = field(init=False, repr=False, compare=False)

    noise_theorem: ClassVar[str] = "gaussian-noise"

    def __post_init__(self) -> None:
        """Refuse a sigma that is not a positive number."""
        way_out = "It is the standard deviation of the noise, over the bound on the norm of a contribution."
        self._keep(sigma=finite_positive("sigma", self.sigma, way_out))
        self._keep(_square=self._largest())

    @abstractmethod
    def _largest(self) -> Square:
        """The square of the largest change of C x by one person; refuses what does not fit together."""

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Adding or removing all contributions of one person, and replacing them."""
        return (Neighbours.ADD_REMOVE, Neighbours.REPLACE)

    def _mu(self, neighbours: Neighbours) -> float:
        change = 2 if neighbours is Neighbours.REPLACE else 1
        square = self._square.value * change**2 / Fraction(self.sigma) ** 2
        return square_root(square) if square else 0.0

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        if not self._square.attained:
            way_out = "Use curve(), which is an upper bound."
            raise NotImplied("the law of the loss", "is only bounded for this participation", self, way_out)
        mu = self._mu(neighbours)
        return GaussianLoss(mu) if mu > 0 else identical()

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the largest change; an upper bound where that is one."""
        relation = self.relation(neighbours)
        if self._square.attained:
            return super().curve(relation)
        # An upper bound on mu, rounded up: a Gaussian profile grows with it.
        face = GaussianLoss(self._mu(relation) * (1 + 4 * ULP))
        return Curve(face, Direction.AT_MOST, Order.PROFILE, self.basis)

    def to_dict(self) -> dict[str, Any]:
        """The mechanism as a plain tree; the participation in the words that options and files have for it."""
        named = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        return {"kind": type(self).__name__, **{name: _plain(value) for name, value in named.items()}}

    @property
    @abstractmethod
    def rows(self) -> int:
        """How many numbers C x has for each dimension of a contribution."""

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Noise on the rows of C x, for simulation. Not for release: floating-point noise gives the data away."""
        return rng.normal(scale=self.sigma, size=(*drawn(size), self.rows))


@dataclass(frozen=True)
class MatrixMechanism(LinearNoise):
    """Gaussian noise of standard deviation sigma on C x, where x has the contributions of each step.

    sigma           of the noise on each row of C x, relative to the bound on the norm of one contribution
    strategy        C, row by row: one column for each step
    participation   which steps one person may enter: `Once()`, `Epochs(k)` or `Separated(by, at_most)`

    Where columns of one person can have products of both signs, the change is bounded by the absolute values.

    >>> MatrixMechanism(2.0, [[1.0, 0.0], [0.5, 1.0]]).loss()
    GaussianLoss(mu=0.5590169943749475)
    """

    parameter: ClassVar[Parameter] = sigma_of("matrix", "Gaussian noise with this sigma on a linear release in steps.")
    details = (
        Detail("strategy", "ROWS", "The matrix of the release, one column a step.", Written.ROWS, needed=True),
        PARTICIPATION,
    )

    strategy: Sequence[Sequence[float]]
    participation: Participation = field(default_factory=Once)

    basis = Basis.of("gaussian-profile", "matrix-mechanism")
    """The profile of Gaussian noise, and the largest change that the participation allows."""

    def _largest(self) -> Square:
        matrix = real_array("strategy", self.strategy, _STRATEGY)
        good = matrix.ndim == 2 and matrix.size > 0 and bool(np.all(np.isfinite(matrix)))
        require(good, name="strategy", rule="must be a matrix of numbers", value=self.strategy, way_out=_STRATEGY)
        self._keep(strategy=tuple(map(tuple, matrix.tolist())))
        return _of_matrix(matrix, required_participation(self.participation))

    @property
    def rows(self) -> int:
        """Those of the strategy."""
        return len(self.strategy)


@dataclass(frozen=True)
class ToeplitzMechanism(LinearNoise):
    """Gaussian noise on C x where every column of C is the first one, moved down: 10,000 steps are no trouble.

    sigma           of the noise on each row of C x, relative to the bound on the norm of one contribution
    coefficients    the first column, from the diagonal down; what is missing is 0
    rounds          how many steps there are
    participation   which steps one person may enter: `Once()`, `Epochs(k)` or `Separated(by, at_most)`

    >>> ToeplitzMechanism(2.0, [1.0, 0.5], 10_000, Separated(by=100, at_most=4)).loss()
    GaussianLoss(mu=1.118033988749895)
    """

    parameter: ClassVar[Parameter] = sigma_of("toeplitz", "The same, each column of the matrix being the first, moved.")
    details = (
        Detail("coefficients", "LIST", "The first column of the matrix: 1 0.5.", Written.NUMBERS, needed=True),
        ROUNDS,
        PARTICIPATION,
    )

    coefficients: Sequence[float]
    rounds: int
    participation: Participation = field(default_factory=Once)

    basis = Basis.of("gaussian-profile", "matrix-mechanism")
    """The profile of Gaussian noise, and the largest change that the participation allows."""

    def _largest(self) -> Square:
        way_out = "Give the first column of the strategy, such as [1, 0.5, 0.375]."
        column = real_array("coefficients", self.coefficients, way_out)
        steps = listed_rounds(self.rounds)
        good = column.ndim == 1 and column.size > 0 and bool(np.all(np.isfinite(column)))
        require(good, name="coefficients", rule="must be a list of numbers", value=self.coefficients, way_out=way_out)
        self._keep(coefficients=tuple(column.tolist()), rounds=steps)
        full = np.concatenate([column[:steps], np.zeros(max(steps - column.size, 0))])
        return of_column(full, required_participation(self.participation))

    @property
    def rows(self) -> int:
        """One for each step."""
        return self.rounds


@dataclass(frozen=True)
class TreeAggregation(LinearNoise):
    """Gaussian noise of standard deviation sigma on every node of binary trees of partial sums, as in DP-FTRL.

    sigma          of the noise on each node, relative to the bound on the norm of one contribution
    rounds         how many steps each tree has: one number, or one for each tree between two restarts
    in_each_tree   whether one person enters every tree, once each; else one tree only (a single epoch)

    >>> TreeAggregation(2.0, 1600).loss()
    GaussianLoss(mu=1.6583123951777)
    """

    parameter: ClassVar[Parameter] = sigma_of(
        "tree_aggregation", "Gaussian noise with this sigma on trees of partial sums."
    )
    details = (
        Detail("rounds", "K", ROUNDS.meaning, Written.WHOLES, needed=True),
        Detail("in_each_tree", "", "One person enters every tree, once each, and not one of them.", Written.YES_NO),
    )

    rounds: int | Sequence[int]
    in_each_tree: bool = False

    basis = Basis.of("gaussian-profile", "tree-aggregation")
    """The profile of Gaussian noise, and in how many nodes one person is."""

    def _largest(self) -> Square:
        way_out = "Use the number of steps of each tree, such as 1600 or [400, 400]."
        listed = list(self.rounds) if isinstance(self.rounds, Iterable) else [self.rounds]
        require(len(listed) > 0, name="rounds", rule="must be of one tree at least", value=self.rounds, way_out=way_out)
        trees = tuple(count("rounds", each, way_out) for each in listed)
        self._keep(rounds=trees)
        # The first step is in one node of 1, of 2, of 4, ... steps, as far as these are complete.
        depths = [each.bit_length() for each in trees]
        return Square(Fraction(sum(depths) if self.in_each_tree else max(depths)), True)

    @property
    def rows(self) -> int:
        """One for each node that is complete."""
        assert not isinstance(self.rounds, int)  # as it is kept
        return sum(each >> level for each in self.rounds for level in range(each.bit_length()))


def _plain(value: Any) -> Any:
    return value.words if isinstance(value, Participation) else value


def listed_rounds(rounds: object) -> int:
    """The number of steps, few enough that a number can be listed for each."""
    steps = count("rounds", rounds, "Use the number of steps, such as 1000.")
    rule = f"must be at most {MOST_ROUNDS:,}"
    require(steps <= MOST_ROUNDS, name="rounds", rule=rule, value=f"{steps:,}", way_out="Use fewer steps.")
    return steps


def required_participation(participation: object) -> Participation:
    """The participation, if it is one."""
    way_out = "Use Once(), Epochs(10) or Separated(by=100, at_most=5)."
    known = isinstance(participation, Participation)
    require(known, name="participation", rule="must be a participation", value=participation, way_out=way_out)
    assert isinstance(participation, Participation)
    return participation


def of_column(column: Array, participation: Participation) -> Square:
    """The largest change where every column of the strategy is the first one, moved down."""
    steps, distance = len(column), participation.distance(len(column))
    whole, unit = _whole(column)
    # The column of a later step is shorter.
    squares = np.cumsum(whole * whole)[::-1]
    bands = int(np.max(np.flatnonzero(column), initial=0)) + 1
    if bands <= distance:
        return Square(Fraction(int(participation.heaviest(squares))) / unit**2, True)
    # With no negative products, earlier columns have the larger ones, and closer ones too if the column falls.
    falls = isinstance(participation, Epochs) or bool(np.all(np.diff(column) <= 0))
    if falls and np.all(column >= 0):
        total = np.zeros(steps, dtype=object)
        for each in range(participation.most(steps)):
            total[each * distance :] += whole[: steps - each * distance]
        return Square(Fraction(int(np.sum(total * total))) / unit**2, True)
    _require_in_reach(steps)
    places = np.subtract.outer(np.arange(steps), np.arange(steps))
    return _of_matrix(np.where(places >= 0, column[places], 0.0), participation)


def _of_matrix(matrix: Array, participation: Participation) -> Square:
    steps, distance = matrix.shape[1], participation.distance(matrix.shape[1])
    participation.most(steps)
    whole, unit = _whole(matrix)
    squares = np.sum(whole * whole, axis=0)
    if distance >= steps or _orthogonal(matrix, distance):
        return Square(Fraction(int(participation.heaviest(squares))) / unit**2, True)
    _require_in_reach(steps)
    sets = _sets(participation, steps, len(matrix))
    if sets is not None:
        return _best_of(whole, sets, unit)
    products = np.abs(matrix.T @ matrix)
    # A product of columns is rounded by less than this; so are the sums over sets of steps.
    products = products + (len(matrix) + 4) * ULP * (np.abs(matrix).T @ np.abs(matrix))
    bound = float(participation.heaviest(participation.heaviest(products))) * (1 + 4 * steps * ULP)
    return Square(Fraction(bound), False)


def _orthogonal(matrix: Array, distance: int) -> bool:
    """Whether no two columns so far apart share a row."""
    used = matrix != 0
    rows = [np.flatnonzero(row) for row in used]
    return all(len(each) == 0 or each[-1] - each[0] < distance for each in rows)


def _sets(participation: Participation, steps: int, rows: int) -> list[NDArray[np.intp]] | None:
    """The sets of steps, where they can be gone through: those of epochs, or all of few steps; the largest only."""
    if isinstance(participation, Epochs) and rows * steps * participation.number <= MOST_EXACT:
        length = participation.distance(steps)
        return [np.arange(start, steps, length) for start in range(length)]
    if isinstance(participation, Separated) and steps <= FEW_STEPS:
        sizes = range(1, participation.most(steps) + 1)
        chosen = [np.array(each, dtype=np.intp) for size in sizes for each in combinations(range(steps), size)]
        return [each for each in chosen if np.all(np.diff(each) >= participation.by)]
    return None


def _best_of(whole: NDArray[Any], sets: list[NDArray[np.intp]], unit: Fraction) -> Square:
    """The largest sum of absolute products over the sets; attained where one with that sum has none below 0."""
    best, attained = 0, True
    for each in sets:
        products = whole[:, each].T @ whole[:, each]
        total, signed = int(np.sum(np.abs(products))), int(np.sum(products))
        if total > best:
            best, attained = total, total == signed
        elif total == best:
            attained = attained or total == signed
    return Square(Fraction(best) / unit**2, attained)


def _require_in_reach(steps: int) -> None:
    if steps > MOST_STEPS:
        way_out = "Use a banded strategy with a separation of as many steps, or Toeplitz coefficients that fall to 0."
        raise TooCostly(
            "the products of all columns", f"are not formed for more than {MOST_STEPS} steps", steps, way_out
        )


def _whole(numbers: Array) -> tuple[NDArray[Any], Fraction]:
    """The numbers times a power of two that makes them all whole, as Python's integers, and that power."""
    parts, exponents = np.frexp(numbers)
    least = int(np.min(exponents[numbers != 0], initial=1024))
    digits = np.ldexp(parts, 53).astype(np.int64).astype(object)
    shifts = np.where(numbers != 0, exponents - least, 0).astype(object)
    return digits * 2**shifts, Fraction(2) ** (53 - least)
