"""Several promises answer by the curve of all of them; what is stated in parameters stays beside it."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from pairs import random_pair

from whit.curves import FinitePair
from whit.errors import NotImplied
from whit.guarantees import (
    FDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    advanced_composition,
    compose,
    convert,
    optimal_composition,
)
from whit.setting import Neighbours
from whit.theory import Direction, theorem

Outcomes = list[tuple[mpmath.mpf, mpmath.mpf]]


def outcomes(points: list[tuple[float, float]]) -> Outcomes:
    """Both probabilities of every outcome of the worst pairs of (epsilon, delta), one by one."""
    with mpmath.workdps(50):
        product: Outcomes = [(mpmath.mpf(1), mpmath.mpf(1))]
        for epsilon, delta in points:
            odds, rest = mpmath.exp(epsilon), 1 - mpmath.mpf(delta)
            coin = [
                (rest * odds / (1 + odds), rest / (1 + odds)),
                (rest / (1 + odds), rest * odds / (1 + odds)),
                (mpmath.mpf(delta), mpmath.mpf(0)),
                (mpmath.mpf(0), mpmath.mpf(delta)),
            ]
            product = [(p * a, q * b) for p, q in product for a, b in coin]
        return product


def true_delta(points: list[tuple[float, float]], epsilon: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        return mpmath.fsum(max(p - mpmath.exp(epsilon) * q, 0) for p, q in outcomes(points))


def true_power(points: list[tuple[float, float]], level: float) -> mpmath.mpf:
    """Neyman and Pearson: the outcomes are taken in the order of their ratio until the level is used up."""
    with mpmath.workdps(50):
        left, power = mpmath.mpf(level), mpmath.mpf(0)
        for p, q in sorted(outcomes(points), key=lambda pq: -pq[0] / pq[1] if pq[1] else -mpmath.inf):
            share = min(left / q, 1) if q else 1
            left, power = left - share * q, power + share * p
        return power


def promised(points: list[tuple[float, float]]) -> list[Guarantee]:
    return [PureDP(epsilon) if delta == 0.0 else ApproxDP(epsilon, delta) for epsilon, delta in points]


CASES = [
    [(1.0, 0.0), (2.0, 0.0)],
    [(1.0, 0.1), (2.0, 0.2)],
    [(0.3, 0.0), (0.3, 0.0), (0.3, 0.0), (1.7, 0.0)],
    [(0.5, 1e-6), (0.25, 0.0), (0.125, 1e-3)],
    [(0.0, 0.05), (0.7, 0.0)],
]


@pytest.mark.parametrize("points", CASES, ids=str)
def test_delta_is_that_of_the_worst_pairs_one_by_one(points):
    together = compose(*promised(points))
    for epsilon in (-0.5, 0.0, 0.2, 0.9, 1.5, 2.5, 3.0):
        found, truth = float(together.delta(epsilon)), true_delta(points, epsilon)
        assert truth <= found <= truth * (1 + mpmath.mpf(10) ** -12) + mpmath.mpf(10) ** -14


@pytest.mark.parametrize("points", CASES, ids=str)
def test_power_is_that_of_the_worst_pairs_one_by_one(points):
    together = compose(*promised(points))
    for level in (0.0, 1e-9, 0.01, 0.1, 0.5, 0.99):
        found, truth = float(together.power(level)), true_power(points, level)
        assert truth <= found <= truth * (1 + mpmath.mpf(10) ** -12) + mpmath.mpf(10) ** -14


def test_the_power_of_epsilon_1_and_2_together():
    """dp_accounting's test_epsilon_basic has 0.8286; epsilon 3 alone allows 0.955."""
    together = compose(PureDP(1.0), PureDP(2.0))
    assert float(together.power(0.1)) == pytest.approx(0.8286, abs=5e-5)
    assert float(together.promise.power(0.1)) == pytest.approx(0.955, abs=5e-4)
    assert together.promise == PureDP(3.0)


def test_the_corner_is_known_without_rounding():
    """1 - 0.9 x 0.8 = 0.28, in the doubles that stand for 0.1 and 0.2; the deltas add up to 0.3."""
    together = compose(ApproxDP(1.0, 0.1), ApproxDP(2.0, 0.2))
    exact = 1 - (1 - Fraction(0.1)) * (1 - Fraction(0.2))
    assert exact <= Fraction(0.28)
    assert exact <= Fraction(float(together.delta(3.0))) <= exact * (1 + Fraction(1, 2**52))
    assert float(together.epsilon(0.28)) == 3.0
    assert float(together.epsilon(math.nextafter(float(exact), 0.0))) == math.inf
    assert together.promise == ApproxDP(3.0, 0.30000000000000004)


def test_delta_is_zero_from_the_sum_of_pure_epsilons_on():
    together = compose(PureDP(0.1), PureDP(0.2), PureDP(0.4))
    assert float(together.delta(together.promise.stated_epsilon)) == 0.0
    assert float(together.epsilon(0.0)) == together.promise.stated_epsilon
    assert float(together.sure_loss()) == together.promise.stated_epsilon


@pytest.mark.parametrize("seed", range(10))
def test_releases_that_are_chosen_on_the_way_stay_below(seed):
    """The second release depends on what the first has put out; each keeps the promise that was fixed for it."""
    rng = np.random.default_rng(seed)
    first, choices = random_pair(rng, 2), [random_pair(rng, 3), random_pair(rng, 3)]

    def largest(*pairs):
        return max(float(np.max(np.abs(np.log(np.asarray(p) / np.asarray(q))))) for p, q in pairs)

    together = compose(PureDP(largest(first)), PureDP(largest(*choices)))
    p, q = (
        np.concatenate([first[side][outcome] * np.asarray(choices[outcome][side]) for outcome in (0, 1)])
        for side in (0, 1)
    )
    for epsilon in (0.0, 0.1, 0.5, 1.0):
        for forward, backward in ((p, q), (q, p)):
            truth = float(np.sum(np.maximum(forward - math.exp(epsilon) * backward, 0.0)))
            assert truth <= float(together.delta(epsilon)) + 1e-14


def test_the_answer_names_the_theorem_and_that_promises_are_fixed_beforehand():
    unequal = compose(PureDP(1.0), PureDP(2.0)).power(0.1)
    assert unequal.direction is Direction.AT_MOST
    assert "optimal-composition-heterogeneous" in unequal.basis.theorems
    assert "promises-fixed-beforehand" in unequal.basis.assumptions
    equal = compose(PureDP(1.0), PureDP(1.0)).power(0.1)
    assert "optimal-composition" in equal.basis.theorems
    assert "promises-fixed-beforehand" in theorem("optimal-composition").assumptions


def test_it_says_what_was_composed():
    together = compose(PureDP(1.0), ApproxDP(0.5, 1e-6), PureDP(1.0))
    assert together.composed_of == ((PureDP(1.0), 2), (ApproxDP(0.5, 1e-6), 1))
    assert "2 times PureDP(epsilon=1.0), ApproxDP(epsilon=0.5, delta=1e-06)" in repr(together)
    tree = together.to_dict()
    assert [part["releases"] for part in tree["parts"]] == [2, 1]
    assert tree["parts"][1]["promise"] == ApproxDP(0.5, 1e-6).to_dict()
    assert tree["theorem"] == "dominating-pairs-compose"
    assert together.power(0.1).inputs["promise"]


def test_equal_parts_are_equal_and_the_next_is_put_beside_them():
    assert compose(PureDP(1.0), PureDP(2.0)) == compose(PureDP(1.0), PureDP(2.0))
    nested = compose(compose(PureDP(1.0), PureDP(2.0)), PureDP(0.5))
    assert nested == compose(PureDP(1.0), PureDP(2.0), PureDP(0.5))
    assert compose(PureDP(1.0), PureDP(2.0)).times(2).parts == ((PureDP(1.0), 2), (PureDP(2.0), 2))


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_so_many_times_is_the_same_as_one_by_one(epsilon):
    twice = compose(PureDP(0.5), ApproxDP(0.25, 1e-3)).times(2)
    points = [(0.5, 0.0), (0.5, 0.0), (0.25, 1e-3), (0.25, 1e-3)]
    assert float(twice.delta(epsilon)) == pytest.approx(float(true_delta(points, epsilon)), rel=1e-9, abs=1e-14)


def test_under_another_relation_each_part_is_a_group_of_two():
    together = compose(PureDP(0.5), PureDP(0.25))
    replaced = true_delta([(1.0, 0.0), (0.5, 0.0)], 0.3)
    assert float(together.delta(0.3, neighbours=Neighbours.REPLACE)) == pytest.approx(float(replaced), rel=1e-12)
    assert float(together.group(2).delta(0.3)) == pytest.approx(float(replaced), rel=1e-12)
    assert together.group(2).promise == PureDP(1.5)


@pytest.mark.parametrize(
    ("promises", "same"),
    [
        ((ZeroConcentratedDP(0.1), ZeroConcentratedDP(0.2)), ZeroConcentratedDP(0.30000000000000004)),
        ((GaussianDP(3.0), GaussianDP(4.0)), GaussianDP(5.0)),
        ((RenyiDP({2: 0.1}), ZeroConcentratedDP(0.1)), RenyiDP({2: 0.30000000000000004})),
    ],
)
def test_where_nothing_is_lost_by_adding_up_the_sum_answers(promises, same):
    together = compose(*promises)
    assert together.promise == same
    levels, epsilons = [0.01, 0.5], [0.1, 1.0]
    assert np.array_equal(together.power(levels).value, same.power(levels).value)
    assert np.array_equal(together.delta(epsilons).value, same.delta(epsilons).value)
    assert np.array_equal(
        together.tail(epsilons).value, np.minimum(together.tail(epsilons).value, same.tail(epsilons).value)
    )


@pytest.mark.parametrize("sides", [1, 2])
def test_the_tail_is_never_above_that_of_the_sum_and_never_below_the_truth(sides):
    points = [(1.0, 0.01), (2.0, 0.0)]
    together = compose(ApproxDP(1.0, 0.01), ApproxDP(2.0, 0.0))
    for t in (0.5, 0.99, 1.5, 2.99, 3.0):
        found = float(together.beyond(t, sides=sides))
        assert found <= float(together.promise.beyond(t, sides=sides))
        near = sum(p for p, q in outcomes(points) if q == 0 or p > q * mpmath.exp(t))
        far = sum(p for p, q in outcomes(points) if q > 0 and p < q * mpmath.exp(-t)) if sides == 2 else 0
        assert near + far <= found


def test_tails_that_are_promised_add_up():
    together = compose(ProbabilisticDP(1.0, 0.01), ProbabilisticDP(0.5, 0.02))
    assert together.promise == ProbabilisticDP(1.5, math.nextafter(0.03, 1.0))
    assert float(together.two_sided_tail(1.5)) <= math.nextafter(0.03, 1.0)
    assert float(together.delta(1.0)) == pytest.approx(float(true_delta([(1.0, 0.01), (0.5, 0.02)], 1.0)), rel=1e-12)


@pytest.mark.parametrize("rule", ["advanced", "optimal"])
def test_other_rules_state_another_promise_of_the_same_curve(rule):
    equal = PureDP(0.05)
    if rule == "advanced":
        stated = advanced_composition(*[equal] * 100, delta=1e-6)
    else:
        stated = optimal_composition(equal, 100, delta=1e-6)
    assert stated.parts == ((equal, 100),)
    assert float(stated.delta(1.0)) == float(compose(*[equal] * 100).delta(1.0))
    assert float(stated.delta(stated.promise.stated_epsilon)) <= stated.promise.stated_delta


def test_a_composition_converts_by_its_curve():
    found = convert(compose(PureDP(0.1), PureDP(0.2)), to=ApproxDP, delta=1e-2).result
    assert found.stated_epsilon < 0.3
    assert float(true_delta([(0.1, 0.0), (0.2, 0.0)], found.stated_epsilon)) == pytest.approx(1e-2, rel=1e-9)


@pytest.mark.parametrize("count", [2, 4, 8])
def test_an_exact_sum_converts_exactly(count):
    """These doubles add up without rounding."""
    found = convert(compose(*[PureDP(1 / count)] * count), to=PureDP)
    assert found.result == PureDP(1.0)
    assert [step.theorem for step in found.path] == ["basic-composition"]
    replaced = convert(compose(*[PureDP(1 / count)] * count), to=PureDP, neighbours=Neighbours.REPLACE)
    assert replaced.result == PureDP(2.0, neighbours=Neighbours.REPLACE)
    both = convert(compose(*[ApproxDP(1 / count, 2.0**-20)] * count), to=ApproxDP, delta=count * 2.0**-20)
    assert both.result.stated_epsilon <= 1.0


def test_many_unequal_promises_are_bounded_from_above():
    """Sixteen promises have 65,536 sums, more than are enumerated; all are added up here."""
    epsilons = [0.01 * (1 + math.sqrt(i)) for i in range(16)]
    together = compose(*(PureDP(epsilon) for epsilon in epsilons))
    signs = np.array(list(itertools.product([-1.0, 1.0], repeat=16)))
    losses = signs @ np.array(epsilons)
    masses = np.exp(-np.logaddexp(0.0, -signs * np.array(epsilons)).sum(axis=1))
    for epsilon in (0.0, 0.2, 0.4):
        truth = math.fsum(masses * -np.expm1(np.minimum(epsilon - losses, 0.0)))
        assert truth <= float(together.delta(epsilon)) * (1 + 1e-12)
        assert float(together.delta(epsilon)) <= truth * (1 + 1e-4)
        assert truth > 1e-5
    assert float(together.delta(1.0)) <= float(together.promise.delta(1.0))


def test_what_has_no_pair_is_refused_beside_others():
    with pytest.raises(NotImplied, match="do not compose with promises of another kind"):
        compose(PureDP(1.0), ZeroConcentratedDP(0.5))


def test_mixed_kinds_are_a_trade_off_function_and_answer_alike():
    together = compose(PureDP(0.5), GaussianDP(1.0))
    assert isinstance(together.promise, FDP)
    assert float(together.power(0.1)) == pytest.approx(float(together.promise.power(0.1)), rel=1e-6)


def test_a_pair_of_the_world_stays_below():
    rng = np.random.default_rng(7)
    pairs = [random_pair(rng, 3), random_pair(rng, 4)]
    promises = [PureDP(float(np.max(np.abs(np.log(np.asarray(p) / np.asarray(q)))))) for p, q in pairs]
    p, q = (np.outer(pairs[0][side], pairs[1][side]).ravel() for side in (0, 1))
    truth = FinitePair.of(p / p.sum(), q / q.sum())
    levels = np.array([0.001, 0.05, 0.3])
    assert np.all(np.exp(truth.log_power(np.log(levels)).lower) <= compose(*promises).power(levels).value)
