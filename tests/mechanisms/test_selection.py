"""Selections against their exact probabilities: rational for permute-and-flip, integrated for Laplace noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from mpmath import exp, mp, mpf, quad

from whit.curves import Order
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, BoundedRange, PureDP, RenyiDP, ZeroConcentratedDP, convert
from whit.mechanisms import ExponentialMechanism, Laplace, PermuteAndFlip, ReportNoisyMax, compose
from whit.setting import Neighbours
from whit.theory import Direction

EPSILON = float(np.log(2.0)) * 2  # then e^{epsilon/2} is 2, and whole scores have rational weights


def rational_permute_and_flip(scores: tuple[int, ...]) -> list[Fraction]:
    """Every order of the candidates, and every fall of the coins: by the definition."""
    best = max(scores)
    accept = [Fraction(1, 2 ** (best - score)) for score in scores]
    found = [Fraction(0)] * len(scores)
    orders = list(permutations(range(len(scores))))
    for order in orders:
        left = Fraction(1, len(orders))
        for candidate in order:
            found[candidate] += left * accept[candidate]
            left *= 1 - accept[candidate]
    return found


def rational_exponential(scores: tuple[int, ...]) -> list[Fraction]:
    weights = [Fraction(2) ** score for score in scores]
    return [weight / sum(weights) for weight in weights]


def judge(mechanism, p: list, q: list) -> float:
    """The largest share of its bound that an event reaches; the bound is never exceeded."""
    largest = 0.0
    for event in product((False, True), repeat=len(p)):
        b, a = (float(sum(x for x, chosen in zip(law, event, strict=True) if chosen)) for law in (p, q))
        power = float(mechanism.power(min(a, 1.0)))
        assert b <= power * (1 + 1e-13)
        largest = max(largest, (b - a) / (power - a) if power - a > 1e-9 else 0.0)
    for t in (0.0, 0.3, 0.9, 1.2):
        delta = float(sum(max(x - exp(mpf(t)) * y, 0) for x, y in zip(p, q, strict=True)))
        assert delta <= float(mechanism.delta(t)) * (1 + 1e-13) + 1e-300
    return largest


def moves(count: int, monotone: bool) -> list[tuple[int, ...]]:
    return list(product((0, 1) if monotone else (-1, 0, 1), repeat=count))


@pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip])
@pytest.mark.parametrize("monotone", [False, True])
def test_no_table_of_whole_scores_beats_the_bound(kind, monotone):
    law = rational_exponential if kind is ExponentialMechanism else rational_permute_and_flip
    mechanism = kind(EPSILON, monotone=monotone)
    random = np.random.default_rng(2)
    reached = 0.0
    for _ in range(25):
        scores = tuple(int(score) for score in random.integers(-2, 3, size=random.integers(2, 5)))
        move = random.choice(moves(len(scores), monotone))
        moved = tuple(int(score + step) for score, step in zip(scores, move, strict=True))
        reached = max(reached, judge(mechanism, law(moved), law(scores)))
    assert reached > 0.6


def test_two_candidates_reach_the_bounds():
    assert judge(PermuteAndFlip(EPSILON), rational_permute_and_flip((0, 2)), rational_permute_and_flip((1, 1))) > 0.999
    assert judge(ExponentialMechanism(EPSILON), rational_exponential((0, 2)), rational_exponential((1, 1))) > 0.999


def test_permute_and_flip_has_no_range_of_epsilon():
    """Its losses on some table are further apart than epsilon, so that nothing of the kind is said."""
    p, q = rational_permute_and_flip((0, 0, 2)), rational_permute_and_flip((1, 1, 1))
    ratios = [x / y for x, y in zip(p, q, strict=True)]
    assert max(ratios) / min(ratios) > 4  # e^epsilon
    assert PermuteAndFlip(EPSILON).kept is None


def laplace_maximum(scores: tuple[float, ...], rate: float) -> list[mpf]:
    """The probability that each noisy score is the largest, by integration."""

    def below(x, score):
        return exp(rate * (x - score)) / 2 if x < score else 1 - exp(-rate * (x - score)) / 2

    def at(x, i):
        others = mp.fprod(below(x, score) for j, score in enumerate(scores) if j != i)
        return rate / 2 * exp(-rate * abs(x - scores[i])) * others

    ends = sorted({*scores, min(scores) - 60 / rate, max(scores) + 60 / rate})
    return [quad(lambda x, i=i: at(x, i), ends) for i in range(len(scores))]


@pytest.mark.parametrize(
    ("scores", "moved", "monotone"),
    [
        ((0.0, 0.0), (1.0, -1.0), False),
        ((0.0, 0.5, 1.0), (1.0, -0.5, 0.0), False),
        ((0.0, 0.0, 0.0), (1.0, -1.0, -1.0), False),
        ((2.0, 0.5), (2.0, 1.5), True),
    ],
)
def test_laplace_noise_stays_below_the_bound(scores, moved, monotone):
    p, q = laplace_maximum(moved, mpf(0.5)), laplace_maximum(scores, mpf(0.5))
    assert abs(sum(p) - 1) < mpf("1e-12")
    assert judge(ReportNoisyMax(1.0, monotone=monotone), p, q) > 0.3


def test_what_is_said_is_an_upper_bound_and_no_law():
    for mechanism in (ExponentialMechanism(1.0), PermuteAndFlip(1.0), ReportNoisyMax(1.0)):
        curve = mechanism.curve()
        assert (curve.direction, curve.order) == (Direction.AT_MOST, Order.PROFILE)
        assert not mechanism.is_exact
        assert float(mechanism.sure_loss()) == 1.0
        with pytest.raises(NotImplied, match="the loss of a selection depends on scores that are not known; got"):
            mechanism.loss()


def test_the_exponential_mechanism_keeps_its_range():
    mechanism = ExponentialMechanism(1.0, monotone=True)
    assert mechanism.kept == BoundedRange(0.5)
    assert convert(mechanism, to=ZeroConcentratedDP).result == ZeroConcentratedDP(0.5**2 / 8)
    assert convert(mechanism, to=PureDP).result == PureDP(0.5)
    assert convert(mechanism.times(3), to=RenyiDP, orders=[np.inf]).result == RenyiDP({np.inf: 1.5})
    assert float(mechanism.times(100).epsilon(1e-6)) == float(BoundedRange(0.5, 100).epsilon(1e-6))
    both = compose(ExponentialMechanism(1.0), ExponentialMechanism(0.5))
    assert convert(both, to=ZeroConcentratedDP).result == ZeroConcentratedDP((1.0 + 0.25) / 8)
    beside = compose(ExponentialMechanism(1.0), Laplace(1.0))
    assert float(beside.delta(0.5)) > float(Laplace(1.0).delta(0.5))
    assert beside.curve().direction is Direction.AT_MOST


def test_permute_and_flip_is_pure_and_composes_as_laplace_noise():
    assert convert(PermuteAndFlip(1.0), to=PureDP).result == PureDP(1.0)
    point = convert(PermuteAndFlip(0.2).times(10), to=ApproxDP, delta=1e-6).result
    assert isinstance(point, ApproxDP)
    assert point.stated_epsilon == pytest.approx(float(Laplace(5.0).times(10).epsilon(1e-6)), rel=1e-6)


@pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip, ReportNoisyMax])
def test_a_larger_epsilon_is_never_less_risk_to_the_extremes(kind):
    epsilons, levels = np.array([0.0, 1e-12, 0.5, 30.0, 1e4]), np.array([0.0, 1e-300, 1e-3, 0.5, 1.0])
    before = np.zeros(5), levels * (1 - 1e-13)
    for epsilon in (0.0, 1e-12, 1.0, 2.0, 710.0, 1e4):
        found = kind(epsilon).delta(epsilons).value, kind(epsilon).power(levels).value
        for smaller, larger in zip(before, found, strict=True):
            assert np.all((smaller <= np.asarray(larger) * (1 + 1e-12)) & (np.asarray(larger) <= 1.0))
        before = found


def test_samples_have_the_probabilities_of_the_law():
    scores = (1, 0, 2)
    for mechanism, law in (
        (ExponentialMechanism(EPSILON), rational_exponential(scores)),
        (PermuteAndFlip(EPSILON), rational_permute_and_flip(scores)),
        (ReportNoisyMax(EPSILON), laplace_maximum(tuple(map(float, scores)), mpf(EPSILON) / 2)),
    ):
        drawn = mechanism.sample(np.random.default_rng(4), 20000, scores=scores)
        shares = np.bincount(drawn, minlength=3) / 20000
        # Five standard deviations of a share, for nine shares: a false alarm in a hundred thousand runs.
        assert np.all(np.abs(shares - np.array([float(x) for x in law])) < 5 * 0.5 / np.sqrt(20000))
    exact = [float(x) for x in rational_exponential(scores)]
    assert ExponentialMechanism(EPSILON).probabilities(scores) == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: ExponentialMechanism(-1.0), "epsilon must be a finite number of at least 0; got -1.0. Use a number"),
        (lambda: PermuteAndFlip(1.0, monotone=1), "monotone must be True or False; got 1. Use True if a record"),
        (lambda: ReportNoisyMax(1.0, neighbours="swap"), "neighbours must be one of Neighbours; got swap"),
        (
            lambda: PermuteAndFlip(1.0).sample(np.random.default_rng(1), scores=[]),
            "scores must be a list of finite numbers",
        ),
    ],
)
def test_bad_input_is_answered_in_one_sentence(build, message):
    with pytest.raises(InvalidInput, match=message):
        build()


def test_the_relation_is_the_one_that_the_sensitivity_is_about():
    mechanism = ExponentialMechanism(1.0, neighbours=Neighbours.REPLACE)
    assert mechanism.relations == (Neighbours.REPLACE,)
    assert convert(mechanism, to=PureDP).result == PureDP(1.0, neighbours=Neighbours.REPLACE)
