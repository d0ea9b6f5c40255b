"""Shuffled reports: against all reports of few people, and against the pair of the theorem in many digits."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.curves import largest_loss
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian, Kernel, RandomizedResponse, Shuffled, UnaryEncoding
from whit.setting import Neighbours
from whit.theory import Direction

LOCAL = Neighbours.LOCAL


def pair_delta(loss: float, others: int, alike: bool, at: float) -> mpmath.mpf:
    """Delta of the two binomial variables of the theorem, term by term."""
    with mpmath.workdps(60):
        g, x = mpmath.exp(mpmath.mpf(loss)), mpmath.exp(mpmath.mpf(at))
        chance = 2 / (g + 1) if alike else 1 / g
        total = mpmath.mpf(0)
        for c in range(others + 1):
            weight = (
                mpmath.binomial(others, c) * chance**c * (1 - chance) ** (others - c) / mpmath.mpf(2) ** c / (g + 1)
            )
            for a in range(c + 2):
                own, other = (mpmath.binomial(c, a - 1) if a else 0), mpmath.binomial(c, a)
                total += weight * max(g * own + other - x * (own + g * other), 0)
        return total


def shuffled_law(rows: list[list[Fraction]]) -> dict[tuple[int, ...], Fraction]:
    """The law of the sorted reports, without rounding."""
    law: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for reports in itertools.product(range(len(rows[0])), repeat=len(rows)):
        chance = Fraction(1)
        for row, report in zip(rows, reports, strict=True):
            chance *= row[report]
        law[tuple(sorted(reports))] += chance
    return law


def largest_delta(table: list[list[Fraction]], people: int, at: float) -> float:
    """The largest delta between two answers of one person, over all answers of the others."""
    factor, found = Fraction(math.exp(at)), Fraction(0)
    for others in itertools.combinations_with_replacement(table, people - 1):
        laws = [shuffled_law([row, *others]) for row in table]
        for p, q in itertools.permutations(laws, 2):
            found = max(found, sum((max(p[key] - factor * q[key], Fraction(0)) for key in p), Fraction(0)))
    return float(found)


def response_table(odds: int, categories: int) -> list[list[Fraction]]:
    whole = odds + categories - 1
    return [[Fraction(odds if i == j else 1, whole) for j in range(categories)] for i in range(categories)]


@pytest.mark.parametrize(("loss", "people"), [(1.0, 1), (1.0, 2), (0.1, 30), (2.0, 25), (6.0, 40), (1e-6, 12)])
@pytest.mark.parametrize("alike", [False, True])
def test_the_bound_is_just_above_the_pair_of_the_theorem(loss: float, people: int, alike: bool) -> None:
    report = RandomizedResponse(loss) if alike else PureDP(loss, neighbours=LOCAL)
    shuffled = Shuffled(report, people)
    for share in (0.0, 0.01, 0.3, 0.9, 0.999):
        found, truth = (
            mpmath.mpf(float(shuffled.delta(share * loss).value)),
            pair_delta(loss, people - 1, alike, share * loss),
        )
        assert truth <= found <= truth * (1 + mpmath.mpf("1e-9"))
    assert float(shuffled.delta(loss).value) == 0.0


@pytest.mark.parametrize(("odds", "categories", "people"), [(3, 2, 2), (3, 2, 5), (3, 3, 3), (12, 4, 2), (2, 2, 6)])
def test_no_answers_of_the_others_tell_more_than_the_bound(odds: int, categories: int, people: int) -> None:
    loss = math.log(odds)
    bound = Shuffled(RandomizedResponse(loss, categories=categories), people)
    for share in (0.0, 0.2, 0.5, 0.8):
        truth = largest_delta(response_table(odds, categories), people, share * loss)
        assert 0.5 * float(bound.delta(share * loss).value) <= truth * (1 + 1e-12)
        assert truth <= float(bound.delta(share * loss).value) * (1 + 1e-13)


def test_two_answers_reach_the_bound() -> None:
    truth = largest_delta(response_table(3, 2), 4, 0.8 * math.log(3))
    found = float(Shuffled(RandomizedResponse(math.log(3)), 4).delta(0.8 * math.log(3)).value)
    assert found == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_no_method_of_reporting_tells_more_than_the_bound(seed: int) -> None:
    random = np.random.default_rng(seed)
    weights = random.integers(1, 9, size=(3, 3)) + random.choice([0, 30], size=3)
    table = [[Fraction(int(x), int(row.sum())) for x in row] for row in weights]
    kernel = Kernel(np.array(table, dtype=float), [(0, 1), (0, 2), (1, 2)], neighbours=LOCAL)
    loss = math.log(max(p / q for a in table for b in table for p, q in zip(a, b, strict=True)))
    for report in (kernel, PureDP(loss * (1 + 1e-12), neighbours=LOCAL)):
        for share in (0.0, 0.3, 0.7):
            truth = largest_delta(table, 3, share * loss)
            assert truth <= float(Shuffled(report, 3).delta(share * loss).value) * (1 + 1e-12)


def test_bits_that_people_flip_are_shuffled() -> None:
    """Optimised unary encoding of three answers, whose reports are three bits each."""
    p, q = Fraction(1, 2), Fraction(1, 4)
    table = [
        [
            math.prod(
                (x if bit else 1 - x) for x, bit in zip([p if i == j else q for j in range(3)], bits, strict=True)
            )
            for bits in itertools.product((0, 1), repeat=3)
        ]
        for i in range(3)
    ]
    bound = Shuffled(UnaryEncoding(math.log(3), categories=3), 3)
    for at in (0.0, 0.4, 0.9):
        assert largest_delta(table, 3, at) <= float(bound.delta(at).value)


@pytest.mark.parametrize("loss", [0.5, 1.0, 4.0])
def test_more_people_hide_each_other_better(loss: float) -> None:
    epsilons = [float(Shuffled(RandomizedResponse(loss), n).epsilon(1e-6).value) for n in (1, 10, 10**3, 10**5, 10**7)]
    assert epsilons[0] <= loss
    assert all(more <= fewer for fewer, more in itertools.pairwise(epsilons))
    assert epsilons[-1] < 0.02 * loss


def test_groups_of_numbers_of_clones_cost_next_to_nothing() -> None:
    """A million people, by the sum over all numbers of clones with the normal law of their coins: five digits."""
    loss, people, at = 2.0, 10**6, 0.01
    found = float(Shuffled(PureDP(loss, neighbours=LOCAL), people).delta(at).value)
    clones = people * math.exp(-loss)
    slope = math.tanh(loss / 2) * 2 / math.sqrt(clones)  # the loss is about normal with this deviation
    z = mpmath.mpf(at) / slope
    about = float(slope * (mpmath.npdf(z) - z * mpmath.ncdf(-z)))
    assert found == pytest.approx(about, rel=0.02)


def test_the_answer_is_an_upper_bound_and_the_tail_is_not_known() -> None:
    shuffled = Shuffled(RandomizedResponse(1.0), 1000)
    assert shuffled.delta(0.05).direction is Direction.AT_MOST
    assert shuffled.relations == (Neighbours.REPLACE,)
    with pytest.raises(NotImplied, match="the loss of shuffled reports is not known"):
        shuffled.loss()
    with pytest.raises(NotImplied, match="a sample of shuffled reports needs all answers"):
        shuffled.sample(np.random.default_rng(1))
    bound = float(largest_loss(shuffled, 0.01).value)
    assert 0.0 < bound <= 1.0
    assert float(largest_loss(shuffled, 0.0).value) == 1.0


def test_several_rounds_are_composed() -> None:
    once, thrice = Shuffled(RandomizedResponse(1.0), 300), Shuffled(RandomizedResponse(1.0), 300).times(3)
    at = np.array([0.1, 0.5, 1.0])
    assert np.all(thrice.delta(at).value >= once.delta(at).value)
    # Three rounds of few people, term by term: losses add up.
    few = Shuffled(RandomizedResponse(1.0), 3)
    with mpmath.workdps(30):
        g = mpmath.e
        chance = 2 / (g + 1)
        atoms: dict = {}
        for c in range(3):
            weight = mpmath.binomial(2, c) * chance**c * (1 - chance) ** (2 - c) / mpmath.mpf(2) ** c / (g + 1)
            for a in range(c + 2):
                own, other = (mpmath.binomial(c, a - 1) if a else 0), mpmath.binomial(c, a)
                atoms[c, a] = (weight * (g * own + other), weight * (own + g * other))
        three = [
            [mpmath.fprod(atom[side] for atom in chosen) for side in (0, 1)]
            for chosen in itertools.product(atoms.values(), repeat=3)
        ]
        truth = mpmath.fsum(max(p - mpmath.exp(0.5) * q, 0) for p, q in three)
    found = float(few.times(3).delta(0.5).value)
    assert truth <= found <= truth * 1.01


@pytest.mark.parametrize("loss", [1e-12, 30.0, 700.0, 1e4])
@pytest.mark.parametrize("people", [1, 2, 10**12])
def test_extremes_are_answered(loss: float, people: int) -> None:
    shuffled = Shuffled(RandomizedResponse(loss), people)
    deltas = shuffled.delta([0.0, loss / 2, loss]).value
    assert np.all((deltas >= 0) & (deltas <= 1) & (np.diff(deltas, prepend=1.0) <= 0))
    assert deltas[-1] == 0.0
    assert 0.05 <= float(shuffled.power(0.05).value) <= 1.0
    assert float(shuffled.epsilon(0.0).value) == loss


def test_reports_that_say_nothing_say_nothing_together() -> None:
    assert float(Shuffled(RandomizedResponse(0.0), 5).delta(0.0).value) == 0.0


@pytest.mark.parametrize(
    ("report", "people", "error", "message"),
    [
        (PureDP(1.0), 5, InvalidInput, "report must be what one person tells, with local neighbours"),
        (RandomizedResponse(1.0), 0, InvalidInput, "people must be a whole number of at least 1; got 0"),
        (Gaussian(1.0), 5, NotImplied, "what shuffling hides needs a report with a largest loss"),
    ],
)
def test_what_cannot_be_shuffled_is_refused(report, people: int, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        Shuffled(report, people)
