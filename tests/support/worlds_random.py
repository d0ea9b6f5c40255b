"""Random small worlds, the critics of a theorem about beliefs: kernels with zeros, nearly without noise, as private as
they may be; beliefs that are spread, correlated, nearly certain, or know everyone else.

All probabilities are multiples of 2^-44, or of 2^-50, so that they are doubles, their sums are exact, and a kernel of
doubles is the same release to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.guarantees import ApproxDP, Guarantee, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.setting import Neighbours
from whit.worlds import Belief, Universe, World

Row = tuple[Fraction, ...]
UNIT = 2**44


def dyadic(weights: ArrayLike) -> Row:
    """Nonnegative weights as multiples of 2^-44 with sum 1; what is 0 stays 0, what is not stays so."""
    given = np.asarray(weights, dtype=np.float64)
    counts = [0 if w == 0 else max(1, round(float(w) / float(given.sum()) * UNIT)) for w in given]
    counts[int(np.argmax(given))] += UNIT - sum(counts)
    assert min(counts) >= 0
    return tuple(Fraction(each, UNIT) for each in counts)


def spread(rng: np.random.Generator, rows: int, outcomes: int) -> list[Row]:
    """Rows that have nothing to do with each other."""
    return [dyadic(rng.dirichlet(np.ones(outcomes)) + 1e-9) for _ in range(rows)]


def with_zeros(rng: np.random.Generator, rows: int, outcomes: int) -> list[Row]:
    """Rows in which some outcomes are impossible."""
    kept = rng.random((rows, outcomes)) < 0.6
    kept[np.arange(rows), rng.integers(0, outcomes, rows)] = True
    return [dyadic(here * (rng.random(outcomes) + 1e-6)) for here in kept]


def nearly_certain(rng: np.random.Generator, rows: int, outcomes: int) -> list[Row]:
    """Rows of which each has one outcome that nearly always comes."""
    rest = 10.0 ** -rng.integers(1, 10)
    sure = rng.integers(0, outcomes, rows)
    return [dyadic(rest * rng.dirichlet(np.ones(outcomes)) + (np.arange(outcomes) == at)) for at in sure]


def alike(rng: np.random.Generator, rows: int, outcomes: int) -> list[Row]:
    """Rows that are hard to tell apart, but for a small part of each: small delta at small epsilon."""
    common = rng.dirichlet(np.ones(outcomes))
    share = 10.0 ** -rng.uniform(1, 6)
    noise = 10.0 ** -rng.uniform(0.5, 3)
    return [
        dyadic(
            (1 - share) * common * (1 + noise * rng.random(outcomes)) + share * rng.dirichlet(np.full(outcomes, 0.2))
        )
        for _ in range(rows)
    ]


def as_private_as(rng: np.random.Generator, rows: int, outcomes: int) -> list[Row]:
    """Rows at the edge of pure differential privacy: each outcome has one of two probabilities, a factor R apart.

    The outcomes come in pairs that answer a random yes-or-no question about the dataset, each by a coin of odds R.
    """
    stay = Fraction(int(rng.integers(33, 64)), 64)
    questions = max(1, outcomes // 2)
    shares = dyadic(rng.dirichlet(np.ones(questions)))
    answers = rng.integers(0, 2, (questions, rows))
    return [
        tuple(
            share * (stay if answers[k, row] == side else 1 - stay) for k, share in enumerate(shares) for side in (0, 1)
        )
        for row in range(rows)
    ]


def two_levels(rng: np.random.Generator, rows: int, outcomes: int) -> list[Row]:
    """As the one before, but the last outcome takes what the others leave."""
    factor = int(rng.integers(2, 9))
    low = [Fraction(int(rng.integers(1, 2**20)), 2**20 * factor * outcomes) for _ in range(outcomes - 1)]
    low = [Fraction(int(each * UNIT), UNIT) for each in low]
    chosen = rng.integers(0, 2, (rows, outcomes - 1))
    table = [[each * (factor if here else 1) for each, here in zip(low, row, strict=True)] for row in chosen]
    return [(*row, Fraction(1) - sum(row)) for row in table]


KERNELS: tuple[Callable[[np.random.Generator, int, int], list[Row]], ...] = (
    spread,
    with_zeros,
    nearly_certain,
    alike,
    as_private_as,
    two_levels,
)
PRIVATE = (spread, nearly_certain, alike, as_private_as, two_levels)
"""Those of which no outcome is impossible on one dataset and possible on another."""


def belief(rng: np.random.Generator, universe: Universe) -> Belief:
    """A belief of some kind: spread, on two datasets only, independent, in lockstep, or nearly certain."""
    size = len(universe.datasets)
    kind = int(rng.integers(0, 5))
    if kind == 0:
        return Belief(universe, dyadic(rng.dirichlet(np.ones(size))))
    if kind == 1:
        weights = np.zeros(size)
        weights[rng.choice(size, 2, replace=False)] = rng.uniform(0.01, 1, 2)
        return Belief(universe, dyadic(weights))
    if kind == 2:
        laws = [dyadic(rng.dirichlet(np.ones(len(universe.options)))) for _ in range(universe.people)]
        return Belief.product(universe, [dict(zip(universe.options, law, strict=True)) for law in laws])
    if kind == 3:  # all people have the same record
        weights = np.array([float(len(set(dataset)) == 1) for dataset in universe.datasets])
        return Belief(universe, dyadic(weights * rng.uniform(0.01, 1, size)))
    weights = 10.0 ** -rng.uniform(0, 10, size)
    return Belief(universe, dyadic(weights))


def prior(rng: np.random.Generator) -> Fraction:
    """A probability strictly between 0 and 1, often an extreme one."""
    value = float(rng.choice([rng.uniform(0, 1), 10.0 ** -rng.uniform(1, 12), 1 - 10.0 ** -rng.uniform(1, 12)]))
    return Fraction(min(max(round(value * UNIT), 1), UNIT - 1), UNIT)


def knowing_everyone_else(rng: np.random.Generator, universe: Universe, person: int) -> Belief:
    """A belief that is certain of all but one person, about whom it is of any kind."""
    others = universe.rest(int(rng.integers(0, len(universe.datasets))), person)
    own = dict(zip(universe.options, dyadic(rng.uniform(0.001, 1, len(universe.options)) ** 6), strict=True))
    return Belief.knowing_everyone_else(universe, person, own, others)


def worlds(
    seed: int,
    number: int,
    universe: Universe,
    *,
    kernels: tuple[Callable[[np.random.Generator, int, int], list[Row]], ...] = KERNELS,
    beliefs: Callable[[np.random.Generator, Universe], Belief] = belief,
) -> Iterator[tuple[np.random.Generator, World]]:
    """So many random worlds over one universe, each with the generator that made it."""
    rng = np.random.default_rng(seed)
    for at in range(number):
        rows = kernels[at % len(kernels)](rng, len(universe.datasets), int(rng.integers(2, 6)))
        yield rng, World(beliefs(rng, universe), rows)


# What the release itself is, between all neighbours in both orders, without rounding.


def ordered_pairs(world: World, relation: Neighbours) -> list[tuple[Row, Row]]:
    """The rows of all neighbours, in both orders."""
    pairs = world.universe.neighbours(relation)
    return [
        (world.kernel[a], world.kernel[b]) for first, second in pairs for a, b in ((first, second), (second, first))
    ]


def largest_ratio(world: World, relation: Neighbours) -> Fraction | None:
    """e^epsilon of pure differential privacy; nothing if there is none."""
    pairs = [pair for p, q in ordered_pairs(world, relation) for pair in zip(p, q, strict=True)]
    return None if any(a > 0 == b for a, b in pairs) else max(a / b for a, b in pairs if b > 0)


def delta(world: World, relation: Neighbours, factor: Fraction) -> Fraction:
    """The smallest delta at e^epsilon = factor."""
    excess = (
        sum((max(a - factor * b, Fraction(0)) for a, b in zip(p, q, strict=True)), start=Fraction(0))
        for p, q in _once(world, relation)
    )
    return max(excess, default=Fraction(0))


def tail(p: Row, q: Row, factor: Fraction, *, far: bool = False, closed: bool = False) -> Fraction:
    """P[Z > log factor]; the far side P[Z < -log factor]; with >= and <= if closed."""
    pairs = [(b, a, a) for a, b in zip(p, q, strict=True)] if far else [(a, b, a) for a, b in zip(p, q, strict=True)]
    return sum((mass for a, b, mass in pairs if a > factor * b or (closed and a == factor * b)), start=Fraction(0))


def renyi(world: World, relation: Neighbours, orders: ArrayLike) -> NDArray[np.float64]:
    """The smallest gamma of Rényi differential privacy at each order above 1, raised by a hair for the rounding."""
    alpha = np.asarray(orders, dtype=np.float64)[..., None, None]
    table = np.array(list(_once(world, relation)) or [(world.kernel[0],) * 2], dtype=np.float64)
    seen = table[:, 0] > 0
    with np.errstate(divide="ignore"):
        p, q = (np.where(seen, np.log(table[:, side]), 0.0) for side in (0, 1))
        logs = np.where(seen, alpha * p + (1 - alpha) * q, -np.inf)
    found = np.logaddexp.reduce(logs, axis=-1).max(axis=-1) / (alpha[..., 0, 0] - 1)
    return np.asarray(np.maximum(found, 0.0) * (1 + 1e-12) + 1e-13 / (alpha[..., 0, 0] - 1))


ORDERS = 1.02 ** np.arange(1, 500)


def rho(world: World, relation: Neighbours) -> float:
    """A rho of zero-concentrated differential privacy that the release keeps; the divergence rises with the order."""
    pure = largest_ratio(world, relation)
    if pure is None:
        return np.inf
    found = np.append(renyi(world, relation, ORDERS), np.log(float(pure)) * (1 + 1e-15))
    return float((found / np.append(1.0, ORDERS)).max()) * (1 + 1e-12) + 1e-15


def _once(world: World, relation: Neighbours) -> set[tuple[Row, Row]]:
    return {pair for pair in ordered_pairs(world, relation) if pair[0] != pair[1]}


# The smallest promises that the release keeps.

HAIR = 1 + 1e-9


def factor(rng: np.random.Generator) -> Fraction:
    """e^t for a random t > 0."""
    return 1 + Fraction(int(10 ** rng.uniform(0, 6)), 10**5)


def promises(rng: np.random.Generator, world: World, relation: Neighbours) -> Iterator[Guarantee]:
    """Of each kind one that the release just keeps, with a hair for the rounding of its parameters."""
    pure, small = largest_ratio(world, relation), factor(rng)
    epsilon = math.log(small) * HAIR
    yield ApproxDP(epsilon, min(1.0, float(delta(world, relation, small)) * HAIR), neighbours=relation)
    both = max(tail(p, q, small) + tail(p, q, small, far=True) for p, q in ordered_pairs(world, relation))
    yield ProbabilisticDP(epsilon, min(1.0, float(both) * HAIR), neighbours=relation)
    if pure is not None:
        orders = (1.5, 2.0, 8.0)
        gammas = dict(zip(orders, map(float, renyi(world, relation, orders)), strict=True))
        yield PureDP(math.log(pure) * HAIR, neighbours=relation)
        yield ZeroConcentratedDP(rho(world, relation), neighbours=relation)
        yield RenyiDP(gammas, neighbours=relation)
