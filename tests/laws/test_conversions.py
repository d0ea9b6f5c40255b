"""Every edge of the graph of conversions is sound for random finite pairs, and going there and back never gains."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pairs import Vectors, finite_pairs

from whit.curves import Curve, FinitePair, GaussianLoss
from whit.errors import NotImplied, Unreachable
from whit.guarantees import (
    FDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    ProbabilisticallyBoundedCurve,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    SemanticPrivacy,
    ZeroConcentratedDP,
)
from whit.guarantees.conversions import EDGES, Edge, edges
from whit.numerics import normal
from whit.setting import Knowledge, Neighbours

Array = NDArray[np.float64]
ORDERS = (1.5, 2.0, 8.0)
# From one order to the next the divergence over the order rises by at most this factor.
GRID = 1.01 ** np.arange(1, 1200)
LEVELS = np.append(np.logspace(-9, -1, 9), np.linspace(0.1, 0.9, 9))
PRIORS = np.linspace(0.02, 0.98, 49)
HAIR = 1 + 1e-12


def both(vectors: Vectors) -> list[Vectors]:
    p, q = vectors
    return [(p, q), (q, p)]


def losses(p: Array, q: Array) -> Array:
    """The losses of the outcomes that P produces."""
    with np.errstate(divide="ignore"):
        return np.log(p[p > 0]) - np.log(q[p > 0])


def largest_loss(vectors: Vectors) -> float:
    return max(float(np.max(losses(p, q))) for p, q in both(vectors))


def profile(vectors: Vectors, epsilon: float) -> float:
    return max(float(np.maximum(p - math.exp(min(epsilon, 700.0)) * q, 0.0).sum()) for p, q in both(vectors))


def tail(vectors: Vectors, epsilon: float, sides: int) -> float:
    """The probability of losses that exceed epsilon by more than rounding."""
    threshold = epsilon * HAIR + 1e-13

    def one(p: Array, q: Array) -> float:
        z = losses(p, q)
        return float(p[p > 0][(z > threshold) | ((sides == 2) & (z < -threshold))].sum())

    return max(one(p, q) for p, q in both(vectors))


def divergence(p: Array, q: Array, alpha: float) -> float:
    z = losses(p, q)
    if np.any(np.isinf(z)):
        return math.inf
    return float(np.logaddexp.reduce(np.log(p[p > 0]) + (alpha - 1) * z)) / (alpha - 1)


def worst_divergence(vectors: Vectors, alpha: float) -> float:
    return max(divergence(p, q, alpha) for p, q in both(vectors))


def power(vectors: Vectors, level: float) -> float:
    return max(math.exp(float(FinitePair.of(p, q).log_power(math.log(level)).lower)) for p, q in both(vectors))


def vertices(p: Array, q: Array) -> tuple[Array, Array]:
    """Levels and powers of the tests that reject at the largest losses, all losses being finite."""
    p, q = p[p > 0], q[p > 0]
    order = np.argsort(-losses(p, q))
    return np.cumsum(q[order])[:-1], np.cumsum(p[order])[:-1]


def movement(vectors: Vectors, level: float) -> float:
    """The largest probability, over priors on the two datasets, of outputs that move the belief by more."""
    p, q = vectors
    failing = 0.0
    for prior in PRIORS:
        mixture = prior * p + (1 - prior) * q
        seen = mixture > 0
        moved = np.abs(prior * p[seen] / mixture[seen] - prior)
        failing = max(failing, float(mixture[seen][moved > level + 1e-12].sum()))
    return failing


# The smallest promise of each kind that the pair keeps, raised by a hair; epsilon and delta are those drawn.


def pure(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    return PureDP(largest_loss(vectors) * HAIR)


def approximate(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    found = profile(vectors, epsilon)
    return ApproxDP(epsilon, min(found * HAIR + 1e-16, 1.0) if found > 0 else 0.0)


def one_sided(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    return ProbabilisticDP(epsilon, min(tail(vectors, epsilon * (1 - 1e-11), 1) * HAIR, 1.0), sides=1)


def concentrated(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    found = [worst_divergence(vectors, alpha) / (alpha / 1.01) for alpha in GRID]
    return ZeroConcentratedDP(max([*found, largest_loss(vectors) / float(GRID[-1])]) * HAIR)


def renyi(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    infinite = {math.inf: largest_loss(vectors) * HAIR} if epsilon > 1.5 else {}
    return RenyiDP({alpha: worst_divergence(vectors, alpha) * HAIR + 1e-15 for alpha in ORDERS} | infinite)


def gaussian(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    if not math.isfinite(largest_loss(vectors)):
        raise ValueError("a loss that is not bounded")
    found = 0.0
    for p, q in both(vectors):
        levels, powers = vertices(p, q)
        inner = (levels > 1e-12) & (powers < 1 - 1e-12)
        if np.any(~inner & (levels < powers)):
            raise ValueError("a vertex too close to the corner")
        gaps = normal.quantile(powers[inner]) - normal.quantile(levels[inner])
        found = max(found, float(np.max(gaps, initial=0.0)))
    return GaussianDP(found * (1 + 1e-9) + 1e-9)


def whole_curve(kind: type[FDP | ProbabilisticallyBoundedCurve]) -> Callable[..., Guarantee]:
    def build(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
        step = edges(Curve, kind)[0]
        return step.apply(Curve.exact(FinitePair.of(*vectors)))

    return build


def bounded(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    step = edges(Curve, ProbabilisticallyBoundedDP)[0]
    return step.apply(Curve.exact(FinitePair.of(*vectors)), delta=delta)


def semantic(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    level = math.tanh(epsilon / 4)
    failing = movement(vectors, level)
    return SemanticPrivacy(level * HAIR, min(failing * 1.5 + 1e-12, 1.0) if failing else 0.0)


def curve(vectors: Vectors, epsilon: float, delta: float) -> Curve:
    return Curve.exact(FinitePair.of(*vectors))


def ranged(vectors: Vectors, epsilon: float, delta: float) -> Guarantee:
    p, q = (vector[(vectors[0] > 0) | (vectors[1] > 0)] for vector in vectors)
    with np.errstate(divide="ignore"):
        losses = np.log(p) - np.log(q)
    if not np.all(np.isfinite(losses)):
        raise Unreachable("a range", "must be finite", losses, "Draw other vectors.")
    return BoundedRange(float(np.max(losses) - np.min(losses)) * HAIR)


SMALLEST: dict[type, Callable[..., Guarantee | Curve]] = {
    BoundedRange: ranged,
    PureDP: pure,
    ApproxDP: approximate,
    ProbabilisticDP: one_sided,
    ZeroConcentratedDP: concentrated,
    RenyiDP: renyi,
    GaussianDP: gaussian,
    FDP: whole_curve(FDP),
    ProbabilisticallyBoundedCurve: whole_curve(ProbabilisticallyBoundedCurve),
    ProbabilisticallyBoundedDP: bounded,
    Curve: curve,
}

# What the pair must do for a promise of each kind to hold; a hair is left for the rounding of the referee.


def keeps(vectors: Vectors, promise: Guarantee) -> bool:
    if isinstance(promise, PureDP):
        return largest_loss(vectors) <= promise.stated_epsilon * HAIR + 1e-14
    if isinstance(promise, ApproxDP):
        return profile(vectors, promise.stated_epsilon) <= promise.stated_delta * HAIR + 1e-15
    if isinstance(promise, ProbabilisticDP):
        return tail(vectors, promise.stated_epsilon, promise.sides) <= promise.stated_delta * HAIR
    if isinstance(promise, ZeroConcentratedDP):
        return all(worst_divergence(vectors, alpha) <= alpha * promise.rho * HAIR + 1e-14 for alpha in (1.1, 2, 5, 50))
    if isinstance(promise, RenyiDP):
        return all(worst_divergence(vectors, alpha) <= gamma * HAIR + 1e-14 for alpha, gamma in promise.orders.items())
    if isinstance(promise, ProbabilisticallyBoundedDP):
        level = promise.stated_delta * math.exp(-promise.stated_epsilon)
        return level == 0.0 or power(vectors, level * (1 - 1e-12)) <= promise.stated_delta * HAIR
    if isinstance(promise, SemanticPrivacy):
        return movement(vectors, promise.level) <= promise.stated_delta * HAIR
    allowed = np.asarray(promise.power(LEVELS).value)
    return all(power(vectors, float(level)) <= most * HAIR for level, most in zip(LEVELS, allowed, strict=True))


def free_of(edge: Edge, epsilon: float, delta: float, sides: int) -> dict[str, object]:
    """Free parameters for the target of an edge, made of the numbers drawn."""
    free: dict[type, dict[str, object]] = {
        ApproxDP: {"epsilon": epsilon} if sides == 1 else {"delta": delta},
        ProbabilisticDP: {"delta": delta, "sides": sides},
        ProbabilisticallyBoundedDP: {"delta": delta},
        RenyiDP: {"orders": ORDERS[:sides]},
        SemanticPrivacy: {} if edge.source is PureDP else {"failure": delta, "population": 1},
    }
    return free.get(edge.target, {})


def name(edge: Edge) -> str:
    return f"{edge.source.__name__}-{edge.target.__name__}-{edge.theorem}"


SOUND = [edge for edge in EDGES if edge.source is not SemanticPrivacy]


@pytest.mark.parametrize("edge", SOUND, ids=name)
@settings(max_examples=8)
@given(finite_pairs(5), st.floats(0.0, 4.0), st.floats(0.001, 0.999), st.sampled_from([1, 2]))
def test_an_edge_is_sound(edge: Edge, vectors: Vectors, epsilon: float, delta: float, sides: int) -> None:
    free = free_of(edge, epsilon, delta, sides)
    try:
        source = SMALLEST[edge.source](vectors, epsilon, delta)
        result = edge.apply(source, **free)
    except ValueError:  # the pair keeps no promise of the kind, or the edge leads nowhere from it
        return
    assert keeps(vectors, result), (source, result)


# These start from noise of one kind only, and have laws of their own in tests/guarantees/conversions/test_kept.py.
OF_ONE_NOISE = {(Curve, GaussianDP), (Curve, ZeroConcentratedDP)}

USUAL = [
    (np.array([0.5, 0.3, 0.2]), np.array([0.3, 0.3, 0.4])),
    (np.array([0.55, 0.45]), np.array([0.45, 0.55])),
]


@pytest.mark.parametrize("edge", [e for e in SOUND if (e.source, e.target) not in OF_ONE_NOISE], ids=name)
def test_an_edge_leads_somewhere(edge: Edge) -> None:
    """From at least one usual pair: the test above would pass if an edge never led anywhere."""
    reached = 0
    for vectors in USUAL:
        for epsilon, sides in ((0.1, 1), (2.0, 2)):
            try:
                result = edge.apply(SMALLEST[edge.source](vectors, epsilon, 0.6), **free_of(edge, epsilon, 0.6, sides))
            except ValueError:
                continue
            assert keeps(vectors, result)
            reached += 1
    assert reached > 0


@settings(max_examples=40)
@given(finite_pairs(4), st.floats(0.05, 3.0))
def test_what_beliefs_imply_is_sound(vectors: Vectors, epsilon: float) -> None:
    """A pair that moves beliefs as little as promised is as private as the edges say."""
    source = semantic(vectors, epsilon, 0.0)
    assert isinstance(source, SemanticPrivacy)
    for edge in edges(SemanticPrivacy, ApproxDP):
        if source.level < 0.5 and source.stated_delta <= 0.5:
            assert keeps(vectors, edge.apply(source))
    limit = largest_loss(vectors)
    if math.isfinite(limit):
        exact = SemanticPrivacy(math.tanh(limit / 4) * HAIR if limit < 30 else 1.0)
        for edge in edges(SemanticPrivacy, PureDP):
            if exact.level < 1.0:
                assert keeps(vectors, edge.apply(exact))


EXAMPLES: tuple[Guarantee, ...] = (
    PureDP(1.3, neighbours=Neighbours.REPLACE),
    ApproxDP(0.7, 1e-5),
    ProbabilisticDP(0.9, 0.01),
    ProbabilisticDP(0.9, 0.01, sides=1),
    ZeroConcentratedDP(0.2),
    RenyiDP({2.0: 0.3, 8.0: 1.1}),
    GaussianDP(0.8),
    BoundedRange(0.9),
    FDP(GaussianLoss(0.8)),
    ProbabilisticallyBoundedCurve(GaussianLoss(0.8)),
    ProbabilisticallyBoundedDP(1.2, 0.05),
    SemanticPrivacy(0.2),
    SemanticPrivacy(0.2, 1e-4),
)
WAYS = [
    (promise, there, back)
    for promise in EXAMPLES
    for there in edges(type(promise), type(promise)) + tuple(e for e in EDGES if e.source is type(promise))
    for back in edges(there.target, type(promise))
]


def own_freedom(promise: Guarantee) -> dict[str, object]:
    """The free parameters with which a conversion would have to lead to this very promise."""
    if isinstance(promise, ApproxDP | ProbabilisticallyBoundedDP):
        return {"delta": promise.stated_delta}
    if isinstance(promise, ProbabilisticDP):
        return {"delta": promise.stated_delta, "sides": promise.sides}
    if isinstance(promise, RenyiDP):
        return {"orders": tuple(promise.orders)}
    if isinstance(promise, SemanticPrivacy):
        return {"failure": promise.stated_delta or 0.02, "population": 1}
    return {}


def no_better(result: Guarantee, promise: Guarantee) -> bool:
    """Whether the result promises no more than the promise, by more than rounding."""
    if isinstance(promise, RenyiDP):
        return all(result.orders[alpha] >= gamma / HAIR for alpha, gamma in promise.orders.items())
    for parameter in ("stated_epsilon", "rho", "mu", "level"):
        if hasattr(promise, parameter):
            return getattr(result, parameter) >= getattr(promise, parameter) / HAIR
    levels = np.array([0.01, 0.05, 0.3])
    return bool(np.all(np.asarray(result.power(levels).value) * HAIR >= np.asarray(promise.power(levels).value)))


@pytest.mark.parametrize(
    ("promise", "there", "back"), WAYS, ids=[f"{p!r}-{t.theorem}-{t.target.__name__}-{b.theorem}" for p, t, b in WAYS]
)
def test_there_and_back_never_gains(promise: Guarantee, there: Edge, back: Edge) -> None:
    free = free_of(there, 0.5, 0.02, 2)
    try:
        middle = there.apply(promise, **free)
        result = back.apply(middle, **own_freedom(promise))
    except (Unreachable, NotImplied):
        return
    assert no_better(result, promise)


def test_knowing_the_rest_is_lossless() -> None:
    """tanh(epsilon/4) and 4 artanh: the one pair of edges between pure and semantic privacy that loses nothing."""
    promise = PureDP(1.3, neighbours=Neighbours.REPLACE)
    middle = edges(PureDP, SemanticPrivacy)[0].apply(promise, knows=Knowledge.EVERYONE_ELSE)
    result = edges(SemanticPrivacy, PureDP)[0].apply(middle)
    assert result.stated_epsilon == pytest.approx(promise.stated_epsilon, rel=1e-13)
