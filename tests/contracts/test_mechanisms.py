"""What every mechanism keeps: add a new one to MECHANISMS, and to NOISIER if it has a scale, and it is held to it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

import whit.mechanisms
import whit.setting
from whit.curves import ComposedLoss, Face, FinitePair, LossDistribution, Order, Orientation
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import PureDP
from whit.mechanisms import (
    AdditiveNoise,
    Composed,
    CorrelatedGaussian,
    Deterministic,
    DiscreteGaussian,
    Epochs,
    ExponentialMechanism,
    Finite,
    Gaussian,
    Geometric,
    Kernel,
    Laplace,
    MatrixMechanism,
    Mechanism,
    Mixture,
    MixtureOfGaussians,
    PermuteAndFlip,
    PoissonSubsampled,
    PostProcessed,
    RandomizedResponse,
    Rappor,
    ReportNoisyMax,
    Separated,
    Shuffled,
    SimpleRandomSample,
    SparseVector,
    Staircase,
    ToeplitzMechanism,
    TreeAggregation,
    Tulap,
    UnaryEncoding,
    compose,
)
from whit.setting import Neighbours, Sensitivity
from whit.theory import Finding, echo, theorem

HISTOGRAM = Sensitivity.histogram()
THREE = Sensitivity(add_remove=3, replace=5)
COVARIANCE = [[4.0, 1.0], [1.0, 2.0]]
TABLE = [[0.5, 0.3, 0.2], [0.4, 0.3, 0.3], [0.2, 0.3, 0.5]]

MECHANISMS: list[Mechanism] = [
    Laplace(1.0),
    Laplace(3.0, sensitivity=THREE),
    Gaussian(1.0),
    Gaussian(2.5, sensitivity=HISTOGRAM),
    CorrelatedGaussian(COVARIANCE, add_remove=[[1, 0], [0, 1]], replace=[[1, -1]]),
    MatrixMechanism(1.5, [[1.0, 0.0], [0.5, 1.0]], Separated(by=1)),
    MatrixMechanism(1.5, [[1.0, -1.0], [0.5, 1.0]], Separated(by=1)),
    ToeplitzMechanism(2.0, [1.0, 0.5, 0.375], 6, Epochs(2)),
    TreeAggregation(2.0, [5, 8], in_each_tree=True),
    MixtureOfGaussians(1.5, [0.0, 1.0, 2.0], [0.5, 0.25, 0.25]),
    Geometric(0.7),
    Geometric(0.3, sensitivity=THREE),
    Geometric(0.5, sensitivity=HISTOGRAM),
    Staircase(1.0),
    Staircase(0.4, gamma=0.8, step=2.0, sensitivity=THREE),
    Staircase(0.5, sensitivity=HISTOGRAM),
    Tulap(1.0),
    Tulap(0.4, 1e-3, step=2.0, sensitivity=Sensitivity(add_remove=2, replace=2)),
    Tulap(0.5, 0.01, sensitivity=HISTOGRAM),
    DiscreteGaussian(0.6),
    DiscreteGaussian(4.0, sensitivity=HISTOGRAM),
    DiscreteGaussian(2.0, sensitivity=Sensitivity(add_remove=(1, 2), replace=(1, 2))),
    Deterministic(),
    RandomizedResponse(1.0),
    RandomizedResponse(2.0, categories=5),
    RandomizedResponse(0.0),
    UnaryEncoding(1.0),
    UnaryEncoding(2.0, symmetric=True, categories=4),
    Rappor(0.5, p=0.5, q=0.75, hashes=2),
    Rappor(0.25, p=0.4, q=0.6, reports=None),
    Shuffled(RandomizedResponse(1.0), 50),
    SimpleRandomSample(size=3, population=10),
    SimpleRandomSample(size=10, population=10),
    Finite([0.9, 0.05, 0.05], [0.9, 0.1, 0.0]),
    Kernel(TABLE, [(0, 1), (1, 2)], neighbours=Neighbours.REPLACE),
    Mixture([Geometric(1.0), Geometric(0.5)], [0.25, 0.75]),
    Mixture([RandomizedResponse(1.0), RandomizedResponse(2.0)], [0.5, 0.5], published=False),
    PostProcessed(Laplace(2.0), "cut at zero"),
    ExponentialMechanism(1.0),
    ExponentialMechanism(0.3, monotone=True, neighbours=Neighbours.REPLACE),
    ExponentialMechanism(0.0),
    PermuteAndFlip(1.0),
    ReportNoisyMax(2.0, monotone=True),
    SparseVector(1.0, positives=3),
    Geometric(0.2).times(7),
    PoissonSubsampled(Gaussian(1.0), 0.1).times(200),
    compose(Gaussian(3.0), Gaussian(4.0, sensitivity=HISTOGRAM)),
]

# From the least to the most noise, the extremes included. Discrete Gaussian noise goes in large steps: a little more of
# it moves the lattice of losses, and at one epsilon the risk may rise (tests/mechanisms/test_discrete_gaussian.py).
NOISIER: dict[str, list[Mechanism]] = {
    "Laplace": [Laplace(scale) for scale in (1e-4, 1 / 710, 0.5, 1.0, 1.0001, 30.0, 1e12)],
    "Gaussian": [Gaussian(sigma) for sigma in (0.007, 0.5, 1.0, 1.0001, 30.0, 7e5)],
    "Geometric": [Geometric(epsilon, sensitivity=HISTOGRAM) for epsilon in (1e4, 710.0, 2.0, 0.7, 0.5, 1e-12)],
    "Staircase": [Staircase(epsilon, gamma=0.5) for epsilon in (1e4, 710.0, 2.0, 0.7, 0.5, 1e-12)],
    "Tulap": [Tulap(epsilon, 1e-3) for epsilon in (1e4, 710.0, 2.0, 0.7, 0.5, 1e-12)],
    "DiscreteGaussian": [DiscreteGaussian(sigma) for sigma in (0.007, 0.5, 1.0, 2.0, 30.0, 7e5)],
    "RandomizedResponse": [RandomizedResponse(epsilon) for epsilon in (1e4, 710.0, 2.0, 1.0, 1e-12, 0.0)],
    "UnaryEncoding": [UnaryEncoding(epsilon) for epsilon in (1e4, 710.0, 2.0, 1.0, 1e-12, 0.0)],
    "Rappor": [Rappor(f, p=0.5, q=0.75, hashes=2) for f in (0.0, 1e-12, 0.25, 0.5, 0.999, 1.0)],
    "CorrelatedGaussian": [
        CorrelatedGaussian(np.array(COVARIANCE) * s, add_remove=[[1, 0], [0, 1]], replace=[[1, -1]])
        for s in (1e-4, 1.0, 1.01, 1e11)
    ],
    "SimpleRandomSample": [SimpleRandomSample(size, 1000) for size in (1000, 999, 500, 10, 1)],
}

EPSILONS = np.array([0.0, 1e-12, 0.1, 0.5, 1.0, 2.0, 5.0, 30.0, 710.0, 1e4])
ROUNDING = 1e-13

# What can be asked about the noise: the arguments, and which mechanisms have an answer.
NOISY = (AdditiveNoise, CorrelatedGaussian)
ERRORS = {
    "standard_deviation": ((), NOISY),
    "error_quantile": (([0.0, 0.5, 0.99],), NOISY),
    "probability_of_exact_answer": ((), (*NOISY, RandomizedResponse, UnaryEncoding)),
    "noise_tail": (([-1.0, 0.0, 1.0],), (AdditiveNoise,)),
}
LEVELS = np.array([0.0, 1e-300, 1e-15, 1e-3, 0.05, 0.5, 0.99, 1.0])


def said(mechanism: Mechanism) -> str:
    return repr(mechanism)[:70]


each_mechanism = pytest.mark.parametrize("mechanism", MECHANISMS, ids=said)
CASES = [(mechanism, relation) for mechanism in MECHANISMS for relation in mechanism.relations]
each_case = pytest.mark.parametrize(("mechanism", "relation"), CASES, ids=lambda x: getattr(x, "name", None) or said(x))
each_family = pytest.mark.parametrize("family", NOISIER)


def lower(answer: Finding) -> np.ndarray:
    return np.asarray(answer.lower)


def upper(answer: Finding) -> np.ndarray:
    return np.asarray(answer.upper)


def thresholds(face: Face) -> np.ndarray:
    """Where the smallest line can lie: at the losses of a finite pair, anywhere for a density."""
    pair = getattr(face, "below", face)
    if isinstance(pair, FinitePair):
        return pair.losses
    return np.linspace(-60, 60, 401 if isinstance(face, ComposedLoss) else 4001)


def smallest_line(face: Face, level: float) -> float:
    """The power from the profile: the smallest D(t) + e^t level, by a search that closes in on it."""

    def lines(t: np.ndarray) -> np.ndarray:
        return np.logaddexp(face.log_delta(t).mid, t + np.log(level))

    points = np.append(thresholds(face), -700.0)
    best = points[lines(points).argmin()]
    # A numerical composition is known less closely than a search among a hundred points finds it.
    count, widths = (101, (0.3, 0.01, 1e-4)) if isinstance(face, ComposedLoss) else (801, (0.03, 1e-4, 1e-6, 1e-8))
    for width in widths:
        around = best + np.linspace(-width, width, count)
        best = around[lines(around).argmin()]
    return float(np.exp(min(lines(points).min(), lines(np.array([best])).min())))


@each_mechanism
def test_its_repr_rebuilds_it(mechanism: Mechanism) -> None:
    names = {**vars(whit.mechanisms), **vars(whit.setting), "PureDP": PureDP, "inf": np.inf}
    rebuilt = eval(repr(mechanism), names)
    assert rebuilt == mechanism
    assert repr(rebuilt) == repr(mechanism)


@each_mechanism
def test_it_cannot_be_changed(mechanism: Mechanism) -> None:
    for name in [field.name for field in fields(mechanism)]:
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(mechanism, name, None)


@each_mechanism
def test_what_is_no_relation_is_refused(mechanism: Mechanism) -> None:
    with pytest.raises(InvalidInput, match=r"neighbours must be one of Neighbours; got add_remove\. Use Neigh"):
        mechanism.delta(1.0, neighbours="add_remove")


@each_mechanism
def test_a_relation_under_which_it_is_not_known_is_refused(mechanism: Mechanism) -> None:
    for relation in set(Neighbours) - set(mechanism.relations):
        with pytest.raises(NotImplied, match=r"loss is not known under the neighbours .*\. Use Neighbours\."):
            mechanism.curve(relation)
    assert mechanism.relation() is mechanism.relations[0]


@each_case
def test_its_findings_say_what_they_rest_on(mechanism: Mechanism, relation: Neighbours) -> None:
    answer = mechanism.delta(1.0, neighbours=relation)
    assert answer.inputs["promise"] == echo(mechanism)
    assert answer.inputs["neighbours"] == relation.name
    # Where only profiles are known, they compose by another theorem than losses do.
    by_profile = mechanism.curve(relation).order is Order.PROFILE
    expected = set(mechanism.basis.theorems) - ({"losses-add"} if by_profile else set())
    assert expected <= set(answer.basis.theorems)
    assert all(theorem(key).statement for key in answer.basis.theorems)


def accuracy(face: Face) -> float:
    """The relative width that is asked of a face: what a numerical composition was asked for, else rounding."""
    return 4 * face.relative_width if isinstance(face, ComposedLoss) else 1e-9


@each_case
def test_the_profile_falls_and_the_power_grows(mechanism: Mechanism, relation: Neighbours) -> None:
    delta, power = mechanism.delta(EPSILONS, neighbours=relation), mechanism.power(LEVELS, neighbours=relation)
    assert np.all(np.diff(upper(delta)) <= ROUNDING * upper(delta)[:-1])
    assert np.all(np.diff(upper(power)) >= -ROUNDING)
    assert np.all(upper(power) >= LEVELS)
    assert upper(power)[-1] == 1.0
    if delta.lower is not None:
        assert np.all(lower(delta) <= upper(delta))
        # At the largest loss itself the profile is zero up to the rounding of that loss.
        width = accuracy(mechanism.curve(relation).face)
        assert np.all((upper(delta) - lower(delta) <= width * upper(delta)) | (upper(delta) < ROUNDING))


@each_case
def test_the_power_is_the_smallest_line_of_the_profile(mechanism: Mechanism, relation: Neighbours) -> None:
    curve = mechanism.curve(relation)
    for level in (1e-6, 0.01, 0.05, 0.3, 0.9):
        log_power = curve.face.log_power(np.log(level))
        power = np.exp(log_power.mid)
        line = smallest_line(curve.face, level)
        # Of several pairs each has its own best test; the lines of all of them together may lie higher.
        width = accuracy(curve.face)
        assert power <= line * (1 + 1e-12) if isinstance(mechanism, Kernel) else power == pytest.approx(line, rel=width)
        for t in (-1.0, 0.0, 0.7, 3.0):
            bound = np.exp(curve.face.log_delta(t).upper) + np.exp(t) * level
            assert np.exp(log_power.lower) <= bound * (1 + 1e-15)


@each_case
def test_the_other_order_follows_from_the_profile(mechanism: Mechanism, relation: Neighbours) -> None:
    """D_rev(t) = 1 - e^t + e^t D(-t)."""
    curve = mechanism.curve(relation)
    t = np.array([-3.0, -0.7, 0.0, 1e-6, 0.4, 2.0])
    if isinstance(mechanism, Kernel):  # the worst of several pairs is not one pair
        assert curve.face.reverse() is curve.face
        return
    forward, backward = (np.exp(face.log_delta(s * t).mid) for face, s in ((curve.face, -1), (curve.face.reverse(), 1)))
    np.testing.assert_allclose(backward, 1 - np.exp(t) + np.exp(t) * forward, atol=2e-13)


@each_case
def test_tails_are_at_least_the_profile(mechanism: Mechanism, relation: Neighbours) -> None:
    if mechanism.curve(relation).order is Order.PROFILE:
        with pytest.raises(NotImplied, match="the tail of the privacy loss .*tail_from_profile"):
            mechanism.tail(1.0, neighbours=relation)
        return
    assert isinstance(mechanism.loss(relation), LossDistribution)
    tail, delta = mechanism.tail(EPSILONS, neighbours=relation), mechanism.delta(EPSILONS, neighbours=relation)
    assert np.all(np.diff(upper(tail)) <= ROUNDING)
    assert np.all(lower(delta) <= upper(tail))


@each_case
def test_epsilon_undoes_delta(mechanism: Mechanism, relation: Neighbours) -> None:
    deltas = np.array([1e-300, 1e-9, 1e-3, 0.2])
    epsilons = upper(mechanism.epsilon(deltas, neighbours=relation))
    reached = upper(mechanism.delta(epsilons, neighbours=relation))
    assert np.all((reached <= deltas * (1 + 1e-12)) | np.isinf(epsilons))
    assert np.all(epsilons[1:] <= epsilons[:-1])


@each_case
def test_both_orientations_are_within_the_worst(mechanism: Mechanism, relation: Neighbours) -> None:
    curve = mechanism.curve(relation)
    worst = upper(curve.delta(EPSILONS))
    both = [upper(curve.delta(EPSILONS, orientation=o)) for o in (Orientation.FORWARD, Orientation.BACKWARD)]
    np.testing.assert_array_equal(np.maximum(*both), worst)


@each_mechanism
@pytest.mark.parametrize("question", ERRORS)
def test_its_error_is_told_or_refused(mechanism: Mechanism, question: str) -> None:
    arguments, answering = ERRORS[question]
    if not isinstance(mechanism, answering):
        with pytest.raises(
            NotImplied, match="is not defined for a mechanism that adds no noise to a number; got .* Ask"
        ):
            getattr(mechanism, question)(*arguments)
        return
    answer = getattr(mechanism, question)(*arguments)
    assert np.all(np.asarray(answer.value) >= 0)
    assert answer.inputs["promise"] == echo(mechanism)


@each_mechanism
def test_the_same_seed_gives_the_same_sample(mechanism: Mechanism) -> None:
    if isinstance(mechanism, Composed | PostProcessed | Shuffled):
        with pytest.raises(NotImplied, match="Sample"):
            mechanism.sample(np.random.default_rng(1))
        return
    first = mechanism.sample(np.random.default_rng(1), (3, 4))
    np.testing.assert_array_equal(first, mechanism.sample(np.random.default_rng(1), (3, 4)))
    assert first.shape[:2] == (3, 4)
    assert "ot for release" in (type(mechanism).sample.__doc__ or "") or isinstance(mechanism, Deterministic)


@each_family
def test_more_noise_is_never_more_risk(family: str) -> None:
    for less, more in zip(NOISIER[family], NOISIER[family][1:], strict=False):
        for relation in less.relations:
            for ask in ("delta", "power"):
                points = EPSILONS if ask == "delta" else LEVELS
                risky, safe = (getattr(each, ask)(points, neighbours=relation) for each in (less, more))
                assert np.all(lower(safe) <= upper(risky))
            assert upper(more.delta(0.1, neighbours=relation)) <= upper(less.delta(0.1, neighbours=relation))


@each_family
def test_extremes_are_numbers(family: str) -> None:
    for mechanism in NOISIER[family]:
        for relation in mechanism.relations:
            curve = mechanism.curve(relation)
            delta, power = curve.delta(EPSILONS), curve.log_power([-1e4, -700.0, -1.0])
            assert np.all((lower(delta) >= 0) & (upper(delta) <= 1))
            assert np.all((lower(power) <= upper(power)) & (upper(power) <= 0))
            assert lower(power)[2] >= -1.0 - 1e-9


def test_the_law_on_more_noise_would_find_less_noise() -> None:
    less, more = Laplace(1.0), Laplace(1.0001)
    assert lower(less.delta(0.1)) > upper(more.delta(0.1))
