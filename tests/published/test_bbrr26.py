"""Bon, Bailie, Rousseau and Robert (2026): every number recomputed, and the same numbers by other roads.

Their definition of probabilistic privacy is one-sided, that of Kazan et al. two-sided, under one name (erratum 003.5).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from whit.curves import Curve, FinitePair
from whit.errors import InvalidInput, Unreachable
from whit.guarantees import ProbabilisticDP
from whit.guarantees.conversions import convert
from whit.mechanisms import Finite, Kernel
from whit.papers import Case, Recomputed, Verdict, read_cases
from whit.papers.bbrr26 import CLOSE_CALL, WAYS, close_calls, epsilon, matrix, room, vector
from whit.persuasion import (
    AveragePriors,
    FiniteBelief,
    IntervalScore,
    LogProbability,
    interval_hit,
    linear_release,
)

CASES = {case.key: case for case in read_cases("BBRR26")}
RELATIVE = 1e-12


def of(*quantities: str) -> pytest.MarkDecorator:
    """The cases of some quantities."""
    cases = [case for case in CASES.values() if case.quantity in quantities]
    assert cases
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.key)


def test_all_cases_are_there() -> None:
    assert len(CASES) == 25
    assert {case.quantity for case in CASES.values()} == set(WAYS)


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.key)
def test_the_number_is_recomputed(case: Case) -> None:
    way = WAYS[case.quantity]
    assert way.within == RELATIVE
    assert Recomputed(case, way.compute(case), way.within).as_expected


def test_what_is_wrong_has_its_erratum() -> None:
    wrong = {key: case.errata for key, case in CASES.items() if case.verdict is Verdict.WRONG}
    assert wrong == {
        "003-prop7-sign": "003.2",
        "003-prop7-r2min-2": "003.3",
        "003-prop7-r2min-3": "003.3",
        "003-prop7-r2min-10": "003.3",
        "003-def9": "003.1",
    }


def smallest_epsilon(curve: Curve, delta: float, sides: int) -> float:
    """The epsilon at a delta, infinite where the loss itself is with more than that probability."""
    try:
        return convert(curve, to=ProbabilisticDP, delta=delta, sides=sides).result.stated_epsilon
    except Unreachable:
        return math.inf


@of("smallest one-sided delta", "smallest two-sided delta")
def test_at_the_smallest_delta_the_epsilon_is_met_and_just_below_it_is_not(case: Case) -> None:
    sides, delta = (2 if "two-sided" in case.quantity else 1), case.expected
    curves = [Curve.exact(FinitePair.of(p, q)) for p, q in combinations(matrix(case, "rows"), 2)]
    enough = [smallest_epsilon(curve, min(delta * (1 + 1e-12), 1.0), sides) for curve in curves]
    less = [smallest_epsilon(curve, delta * (1 - 1e-9), sides) for curve in curves]
    assert max(enough) <= epsilon(case) * (1 + 1e-12)
    assert max(less) > epsilon(case)


@of("smallest one-sided delta")
def test_the_largest_tail_is_enclosed(case: Case) -> None:
    rows = matrix(case, "rows")
    tail = Kernel(rows, list(combinations(range(len(rows)), 2))).tail(epsilon(case))
    assert float(tail.lower) <= case.expected <= float(tail.upper)


def test_an_impossible_outcome_does_not_rule_out_probabilistic_privacy() -> None:
    """Erratum 003.4."""
    case = CASES["003-case2"]
    mechanism = Finite(*matrix(case, "rows"))
    assert case.errata == "003.4"
    assert float(np.exp(mechanism.loss().log_infinity)) == pytest.approx(0.05, rel=RELATIVE)
    assert float(mechanism.tail(epsilon(case))) < 1


def test_the_log_score_is_positive_as_it_was_meant() -> None:
    """Erratum 003.1."""
    case = CASES["003-def9"]
    weight = Fraction(case.inputs["w"])
    found = LogProbability().of(FiniteBelief([weight, 1 - weight]), 0).bracket()
    assert found[0] <= case.expected <= found[1]
    assert float(case.printed.rpartition(" ")[2]) == pytest.approx(-case.expected, abs=5e-6)


def standard_normal() -> FiniteBelief:
    """The standard normal law on a grid of step 1/20, which is fine enough to place an interval."""
    points = [Fraction(place, 20) for place in range(-160, 161)]
    weights = np.exp(-0.5 * np.array([float(point) for point in points]) ** 2)
    return FiniteBelief((weights / weights.sum()).tolist(), points)


def test_the_best_interval_of_a_normal_belief_is_about_its_median() -> None:
    length = Fraction(CASES["003-ex1"].inputs["s"])
    start = IntervalScore(length).decision(standard_normal())
    assert abs(start + length / 2) <= Fraction(1, 20)


@of("probability that an interval off the centre hits")
def test_an_interval_elsewhere_holds_less(case: Case) -> None:
    found = interval_hit(case.given("s"), off_centre=case.given("m"))
    assert float(found.lower) <= case.expected <= float(found.upper)
    assert float(found.upper) < float(interval_hit(case.given("s")).lower)


@of("largest relative score of a record")
def test_the_largest_score_over_all_values_of_a_record_is_not_undercut(case: Case) -> None:
    s, mean, x = matrix(case, "Sigma"), vector(case, "mu"), vector(case, "x")
    average = np.full((1, len(x)), 1.0 / len(x))
    assert linear_release(average, s, mean=mean).kappa(average @ x).value.max() >= case.expected


@pytest.mark.parametrize(("key", "r1", "r2"), [("003-prop7-tight2", 2.0, 2.0), ("003-prop7-tight3", 5.0, 2.5)])
def test_the_promise_of_the_class_is_attained(key: str, r1: float, r2: float) -> None:
    found = AveragePriors(r1, r2, len(vector(CASES[key], "x"))).kappa()
    assert float(found.lower) <= CASES[key].expected <= float(found.upper)


def test_the_last_line_of_the_proof_is_too_small() -> None:
    """Erratum 003.2."""
    case = CASES["003-prop7-sign"]
    r1, r2 = (float(each) for each in AveragePriors.needed(vector(case, "x"), np.eye(2), [0.0, 0.0]))
    printed = float(case.printed.removeprefix("<= "))
    assert printed == pytest.approx(r1 - math.log(r2), rel=1e-7)
    assert printed < case.expected


def test_a_correlated_prior_keeps_what_the_class_promises() -> None:
    case = CASES["003-prop7-corr"]
    r1, r2 = (
        float(each) for each in AveragePriors.needed(vector(case, "x"), matrix(case, "Sigma"), vector(case, "mu"))
    )
    assert r1 == pytest.approx(0.471153846154, rel=1e-11)
    assert r2 == pytest.approx(4.10323081018, rel=1e-11)
    assert float(AveragePriors(r1, r2, 3).kappa()) == pytest.approx(1.88292851204, rel=1e-11)
    assert case.expected < 1.88292851204


def random_priors(number: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(n)
    root = random.normal(size=(number, n, n))
    return root @ root.transpose(0, 2, 1) + 1e-3 * np.eye(n), 3 * random.normal(size=(number, n))


@pytest.mark.parametrize("n", range(2, 8))
def test_the_room_seen_at_a_glance_is_that_of_the_functions_for_one_prior(n: int) -> None:
    covariances, data = random_priors(10, n)
    average = np.full((1, n), 1.0 / n)
    for s, x, left in zip(covariances, data, room(covariances, data), strict=True):
        r1, r2 = (float(each) for each in AveragePriors.needed(x, s, np.zeros(n)))
        scores = linear_release(average, s).relative_scores(average @ x, x).value
        assert left == pytest.approx(r1 + math.log(r2) - scores.max(), rel=1e-9, abs=1e-9)


def test_a_close_call_is_looked_at() -> None:
    """Independent records with equal variances leave no room if one of them alone is off its mean: it is attained."""
    covariances, data = np.stack([np.eye(2), np.eye(2)]), np.array([[2.0, 0.0], [0.3, 0.3]])
    assert room(covariances, data)[0] == pytest.approx(0.0, abs=1e-12)
    assert room(covariances, data)[1] < CLOSE_CALL
    assert len(list(close_calls(covariances, data))) == 2
    far = [x for _, x in close_calls(*random_priors(100, 2))]
    assert len(far) < 50


@of("smallest r2 for which there is a prior")
def test_the_class_of_priors_is_empty_below(case: Case) -> None:
    """Erratum 003.3."""
    with pytest.raises(InvalidInput, match="no prior at all is in the class"):
        AveragePriors(1.0, (1 + case.expected) / 2, int(case.inputs["n"]))
