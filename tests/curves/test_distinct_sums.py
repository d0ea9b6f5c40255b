"""Sums of losses on a lattice against exact convolution in whole numbers."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, FinitePair, composed
from whit.curves.distinct_sums import Lattice, convolved_logs, few_distinct_sums, summed
from whit.mechanisms import RandomizedResponse

Exact = dict[int, Fraction]

# Pairs of dyadic vectors: their losses are whole multiples of log 2, their masses exact.
TRIPLE = ([0.5, 0.25, 0.25], [0.25, 0.25, 0.5])
SKEWED = ([0.5, 0.25, 0.125, 0.125], [0.125, 0.25, 0.5, 0.125])
ENDLESS = ([0.5, 0.25, 0.25, 0.0], [0.25, 0.25, 0.25, 0.25])


def exact_sum(vectors: list[tuple[tuple[list[float], list[float]], int]]) -> Exact:
    """The masses under P of the finite losses, counted in units of log 2, without rounding."""
    law: Exact = {0: Fraction(1)}
    for (p, q), copies in vectors:
        one: Counter[int] = Counter()
        for a, b in zip(p, q, strict=True):
            if a > 0 and b > 0:
                one[round(math.log2(a / b))] += Fraction(a)  # type: ignore[assignment]
        for _ in range(copies):
            longer: Counter[int] = Counter()
            for x, mass in law.items():
                for y, other in one.items():
                    longer[x + y] += mass * other  # type: ignore[assignment]
            law = dict(longer)
    return law


def whole(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def exact_delta(law: Exact, infinity: Fraction, odds: Fraction) -> Fraction:
    return infinity + sum(
        (mass - odds * mass / Fraction(2) ** step for step, mass in law.items() if Fraction(2) ** step > odds),
        Fraction(0),
    )


def exact_power(law: Exact, infinity: Fraction, level: Fraction) -> Fraction:
    """The Neyman-Pearson test: the largest losses first, the last one by chance."""
    power, left = infinity, level
    for step in sorted(law, reverse=True):
        null = law[step] / Fraction(2) ** step
        share = min(left / null, Fraction(1))
        power, left = power + share * law[step], left - share * null
    return power


@pytest.mark.parametrize(
    "vectors",
    [[(TRIPLE, 210)], [(SKEWED, 120)], [(TRIPLE, 90), (SKEWED, 61)], [(ENDLESS, 150)], [(ENDLESS, 7), (TRIPLE, 200)]],
)
def test_delta_power_and_tail_hold_the_exact_ones(vectors: list[tuple[tuple[list[float], list[float]], int]]) -> None:
    law = exact_sum(vectors)
    infinity = 1 - sum(law.values())
    pairs = {FinitePair.of(*each): copies for each, copies in vectors}
    lattice = few_distinct_sums(pairs)
    assert lattice is not None
    loss = summed(pairs, lattice)
    assert len(loss.losses) == len(law)
    with mpmath.workdps(60):
        for log2_odds in (-3.5, 0.0, 2.0, 11.3, 60.0):
            odds = Fraction(2.0**log2_odds)
            truth = mpmath.log(whole(exact_delta(law, infinity, odds)))
            # e^epsilon is the odds but for the rounding of epsilon: the truth lies between the hairs.
            epsilon = math.log(odds)
            hair = 4 * 2.0**-53 * (1 + abs(epsilon))
            assert loss.log_delta(epsilon + hair).lower <= truth <= loss.log_delta(epsilon - hair).upper
            bracket = loss.log_delta(epsilon)
            assert bracket.upper - bracket.lower < 1e-10
        for exponent in (-1, -5, -40, -300):
            level = Fraction(2) ** exponent
            truth = mpmath.log(whole(exact_power(law, infinity, level)))
            log_level = exponent * math.log(2)
            hair = 4 * 2.0**-53 * abs(log_level)
            assert loss.log_power(log_level - hair).lower <= truth <= loss.log_power(log_level + hair).upper
            bracket = loss.log_power(log_level)
            assert bracket.upper - bracket.lower < 1e-9  # a level may be exactly that of an atom, which rounding splits
        for step in (-4, 0, 9):
            middle = (step + 0.5) * math.log(2)
            truth = mpmath.log(whole(infinity + sum(mass for place, mass in law.items() if place > step)))
            assert loss.log_tail(middle).lower <= truth <= loss.log_tail(middle).upper


def test_a_tail_at_an_atom_tells_both_sides_of_it() -> None:
    """The losses of randomized response are exact multiples of epsilon, and so are their sums in small numbers."""
    law = exact_sum([(TRIPLE, 210)])
    loss = composed({Curve.exact(FinitePair.of(*TRIPLE)): 210}).face
    assert isinstance(loss, FinitePair)
    beyond = float(sum(mass for place, mass in law.items() if place > 30))
    at_least = float(sum(mass for place, mass in law.items() if place >= 30))
    t = 30 * math.log(2)
    assert math.exp(loss.log_tail(t + 1e-9).mid) == pytest.approx(beyond, rel=1e-10)
    assert math.exp(loss.log_tail(t - 1e-9).mid) == pytest.approx(at_least, rel=1e-10)


@pytest.mark.parametrize(("epsilon", "categories", "copies"), [(2.0, 3, 210), (1.0, 4, 300), (0.3, 10, 1000)])
def test_randomized_response_stays_on_its_lattice(epsilon: float, categories: int, copies: int) -> None:
    curve = RandomizedResponse(epsilon, categories=categories).curve().times(copies)
    assert isinstance(curve.face, FinitePair)
    assert len(curve.face.losses) == 2 * copies + 1
    power = curve.face.log_power(np.log([0.1, 0.01, 1e-6, 1e-30]))
    assert np.all(power.upper - power.lower < 1e-9)


def test_randomized_responses_of_several_epsilons_share_a_lattice() -> None:
    parts = {RandomizedResponse(epsilon).curve(): 300 for epsilon in (0.5, 1.0)}
    face = composed(parts).face
    assert isinstance(face, FinitePair)
    # 300 coins of 0.5 and 300 of 1.0, in steps of 1.0 from -450 to 450.
    assert len(face.losses) == 901
    assert face.losses[-1] == pytest.approx(450.0, rel=1e-12)


def test_a_lattice_is_the_coarsest_one() -> None:
    uneven = FinitePair.of([1 / 16, 1 / 16, 7 / 8], [1 / 32, 1 / 2, 15 / 32])
    # Losses log 2, -3 log 2 and log(28/15): no lattice holds them.
    assert Lattice.of([uneven]) is None
    one, two = (FinitePair.of(*each) for each in (TRIPLE, SKEWED))
    lattice = Lattice.of([one, two])
    assert lattice is not None
    assert lattice.unit == pytest.approx(math.log(2), rel=1e-12)
    assert lattice.steps(two).tolist() == [0, 2, 4]


def test_what_lies_off_the_lattice_is_an_error_of_the_loss() -> None:
    losses = np.array([-1.0, 1e-15, 1.0])
    masses = np.array([1.0, 1.0, math.e]) / (2 + math.e)
    masses[0] = masses[2] / math.e
    pair = FinitePair(losses, np.log(masses), mass_error=1e-14, loss_error=2e-15)
    lattice = Lattice.of([pair])
    assert lattice is not None
    whole_sum = summed({pair: 100}, lattice)
    assert whole_sum.loss_error >= 100 * (2e-15 + 1e-15)
    assert whole_sum.loss_error < 1e-10


def test_logs_are_convolved_however_small_the_masses() -> None:
    first, second = np.array([-2000.0, -np.inf, -3.0]), np.array([-1000.0, 0.0])
    logs, error = convolved_logs(first, second)
    truth = [-3000.0, -2000.0, -1003.0, -3.0]
    assert np.all(np.abs(logs - truth) <= error)
    assert error < 1e-11
