"""Numbers of Bon, Bailie, Rousseau and Robert (2026): scores, Proposition 6 as a whole, and Proposition 7."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from published import golden

from whit.errors import InvalidInput
from whit.mechanisms import Finite
from whit.semantics.persuasion import (
    AveragePriors,
    FiniteBelief,
    IntervalScore,
    LogProbability,
    Table,
    interval_hit,
    linear_release,
    probabilistic_delta,
    relative_score,
    smallest_delta,
)

CASES = golden("golden_persuasion.json", "BBRR26")
GAUSSIAN = ["003-prop7-tight2", "003-prop7-sign", "003-prop7-tight3", "003-prop7-corr"]
EMPTY = [key for key in CASES if "r2min" in key]
GAINS = [key for key in CASES if key.startswith("003-ex2-")]
SHIFTS = [key for key in CASES if key.startswith("003-ex1-shift-")]


def numbers(rows) -> np.ndarray:
    return np.array(rows, dtype=object).astype(float)


def test_the_cases_were_found():
    assert len(CASES) == 16
    assert (len(EMPTY), len(GAINS), len(SHIFTS)) == (3, 3, 2)


def test_the_log_score_is_positive_as_it_was_meant():
    case = CASES["003-def9"]
    weight = Fraction(case["inputs"]["w"])
    found = LogProbability().of(FiniteBelief([weight, 1 - weight]), 0).bracket()
    assert found[0] <= float(case["value"]) <= found[1]
    assert not case["agrees"]


@pytest.mark.parametrize("key", GAINS)
def test_the_gain_of_a_two_point_prior(key):
    # An output with ratio e: probabilities are scaled so that all are below 1. The ratio of the doubles is e to 1e-16.
    case = CASES[key]
    p = 0.5
    mechanism = Finite([p, 1 - p], [p / math.e, 1 - p / math.e])
    weight = Fraction(case["inputs"]["w"])
    found = relative_score(mechanism, FiniteBelief([weight, 1 - weight]), 0, 0)
    assert float(found) == pytest.approx(float(case["value"]), rel=1e-12)


def standard_normal() -> FiniteBelief:
    """The standard normal law on a grid of step 1/20, which is fine enough to place an interval."""
    points = [Fraction(place, 20) for place in range(-160, 161)]
    weights = np.exp(-0.5 * np.array([float(point) for point in points]) ** 2)
    return FiniteBelief((weights / weights.sum()).tolist(), points)


def test_the_best_interval_of_a_normal_belief_is_about_its_median():
    case = CASES["003-ex1"]
    length = Fraction(case["inputs"]["s"])
    start = IntervalScore(length).decision(standard_normal())
    assert abs(start + length / 2) <= Fraction(1, 20)
    found = interval_hit(float(length), deviation=float(case["inputs"]["sd"]))
    assert 1 - float(found.mid) == pytest.approx(float(case["value"]), rel=1e-12)


@pytest.mark.parametrize("key", SHIFTS)
def test_an_interval_elsewhere_holds_less(key):
    case = CASES[key]
    length, off = float(case["inputs"]["s"]), float(case["inputs"]["m"])
    found = interval_hit(length, off_centre=off)
    assert float(found.mid) == pytest.approx(float(case["value"]), rel=1e-12)
    assert float(found.lower) <= float(case["value"]) <= float(found.upper)
    assert float(found.upper) < float(interval_hit(length).lower)


def test_four_hundred_random_mechanisms_agree():
    """Deltas of probabilistic and of persuasive privacy are the same number, for as many mechanisms as in the case."""
    case = CASES["003-prop6-random"]
    random = np.random.default_rng(case["inputs"]["seed"])
    agree = 0
    for _ in range(400):
        counts = random.integers(0, 6, size=(3, 4)) + np.eye(3, 4, dtype=int)
        rows = [[Fraction(int(each), int(row.sum())) for each in row] for row in counts]
        table, epsilon = Table(rows, [(0, 1), (1, 2), (0, 2)]), float(random.uniform(0, 2))
        agree += smallest_delta(table, epsilon).value.upper.value == probabilistic_delta(table, epsilon).upper.value
    assert agree / 400 == float(case["value"])


@pytest.mark.parametrize("key", GAUSSIAN)
def test_the_relative_score_of_the_average(key):
    case = CASES[key]
    s, mean, x = (numbers(case["inputs"][name]) for name in ("Sigma", "mu", "x"))
    n = len(x)
    average = np.full((1, n), 1.0 / n)
    found = linear_release(average, s, mean=mean).relative_scores(average @ x, x)
    assert float(found.value.max()) == pytest.approx(float(case["value"]), rel=1e-12)
    assert linear_release(average, s, mean=mean).kappa(average @ x).value.max() >= float(case["value"])


@pytest.mark.parametrize(("key", "r1", "r2"), [("003-prop7-tight2", 2.0, 2.0), ("003-prop7-tight3", 5.0, 2.5)])
def test_the_promise_of_the_class_is_attained(key, r1, r2):
    found = AveragePriors(r1, r2, len(CASES[key]["inputs"]["x"])).kappa()
    assert float(found.lower) <= float(CASES[key]["value"]) <= float(found.upper)


def test_the_last_line_of_the_proof_is_too_small():
    case = CASES["003-prop7-sign"]
    r1, r2 = (float(each) for each in AveragePriors.needed(numbers(case["inputs"]["x"]), np.eye(2), [0.0, 0.0]))
    printed = float(case["printed"].removeprefix("<= "))
    assert printed == pytest.approx(r1 - math.log(r2), rel=1e-7)
    assert printed < float(case["value"])
    assert not case["agrees"]


def test_a_correlated_prior_keeps_what_the_class_promises():
    case = CASES["003-prop7-corr"]
    s, mean, x = (numbers(case["inputs"][name]) for name in ("Sigma", "mu", "x"))
    r1, r2 = (float(each) for each in AveragePriors.needed(x, s, mean))
    assert r1 == pytest.approx(0.471153846154, rel=1e-11)
    assert r2 == pytest.approx(4.10323081018, rel=1e-11)
    assert float(AveragePriors(r1, r2, 3).kappa()) == pytest.approx(1.88292851204, rel=1e-11)
    assert float(case["value"]) < 1.88292851204


def test_no_prior_of_twenty_thousand_breaks_the_promise():
    case = CASES["003-prop7-random"]
    random, broken = np.random.default_rng(case["inputs"]["seed"]), 0
    for n in range(2, 8):
        count = 20_000 // 6 + 1
        root = random.normal(size=(count, n, n))
        s = root @ root.transpose(0, 2, 1) + 1e-3 * np.eye(n)
        distance = random.normal(size=(count, n)) * 3
        deviation = np.sqrt(np.einsum("aii->ai", s))
        eigenvalues = np.linalg.eigvalsh(s / deviation[:, :, None] / deviation[:, None, :])
        others = 1 - (deviation**2).max(axis=1) / (deviation**2).sum(axis=1)
        r1 = distance.mean(axis=1) ** 2 / s.mean(axis=(1, 2))
        promised = r1 + np.log(eigenvalues[:, -1] / eigenvalues[:, 0] / others)
        c, v = s.mean(axis=2), s.mean(axis=(1, 2))[:, None]
        shift, left = c / v * distance.mean(axis=1)[:, None], deviation**2 - c * c / v
        gains = (distance / deviation) ** 2 - (distance - shift) ** 2 / left - np.log(left / deviation**2)
        broken += int(np.sum(gains.max(axis=1) > promised + 1e-9 * (1 + promised)))
    assert broken == int(case["value"])


@pytest.mark.parametrize("key", EMPTY)
def test_the_class_of_priors_is_empty_below(key):
    case = CASES[key]
    n = case["inputs"]["n"]
    assert float(AveragePriors.least_r2(n)) == pytest.approx(float(case["value"]), rel=1e-12)
    with pytest.raises(InvalidInput, match="no prior at all is in the class"):
        AveragePriors(1.0, (1 + float(case["value"])) / 2, n)
