"""Worlds of Kazan, Sharma, Zhang, Jiang and Yan (2025), a second way: Example 1.1, Theorem 3.5 and Example A.1.

The errata that are named here are places where the printed text needs a condition or a digit; the results stand.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from digits import coin, fraction

from whit.errors import InvalidInput
from whit.papers import read_cases
from whit.setting import Neighbours
from whit.worlds import ABSENT, Belief, Present, Universe, World

CASES = {case.key: case for case in read_cases("KSZJY25")}
ONE = Universe(1, ("yes",))
THERE, GONE = ("yes",), (ABSENT,)
RELATIVE = 1e-12
DIGITS = Fraction(1, 10**40)  # far above the rounding of fifty digits


def value(key: str) -> float:
    return CASES[key].expected


def membership(prior: Fraction, absent: list[Fraction], present: list[Fraction]) -> World:
    return World(Belief(ONE, {THERE: prior, GONE: 1 - prior}), [absent, present])


def responding(epsilon: object, prior: Fraction) -> World:
    """Randomized response about membership; outcome 1 says "present"."""
    truth, lie = coin(epsilon)
    return membership(prior, [truth, lie], [lie, truth])


def response_or_nothing(epsilon: mpmath.mpf, delta: Fraction, prior: Fraction) -> World:
    """Example A.1: randomized response with a small probability, and otherwise nothing.

    It needs e^(epsilon/2) < 3, and a delta for which the probability is one (errata 000.6).
    """
    root = mpmath.exp(epsilon / 2)
    ratio = fraction((3 * root - 1) / (3 - root))
    answers = delta * (1 + 1 / ratio)
    lie = answers / (1 + ratio)
    return membership(prior, [1 - answers, answers - lie, lie], [1 - answers, lie, answers - lie])


def test_example_1_1_interval() -> None:
    """Errata 000.11: the interval is 47.502 % to 52.498 %; 48 % to 52 % is it, rounded inwards."""
    law = responding("0.1", Fraction(1, 2)).law_of_posterior(Present(0))
    low, high = map(float, law.values)
    assert low == pytest.approx(value("000-ex1.1-pure-lo"), rel=RELATIVE)
    assert high == pytest.approx(value("000-ex1.1-pure-hi"), rel=RELATIVE)
    assert float(law.beyond(0.52)) == 0.5
    assert float(law.below(0.48)) == 0.5


@pytest.mark.parametrize("key", [key for key in CASES if key.startswith("000-thm3.5-diff")])
def test_theorem_3_5_difference(key: str) -> None:
    """The largest change of belief, attained by randomized response at the worst prior."""
    epsilon = mpmath.mpf(CASES[key].inputs["eps"])
    worst = fraction(1 / (1 + mpmath.exp(epsilon / 2)))
    found = responding(epsilon, worst).law_of_difference(Present(0)).largest()
    assert float(found) == pytest.approx(value(key), rel=RELATIVE)


def test_example_a_1_loss() -> None:
    world = response_or_nothing(mpmath.mpf(1), Fraction(1, 100), Fraction(1, 2))
    present, absent = world.kernel[ONE.place(THERE)], world.kernel[ONE.place(GONE)]
    losses = [
        mpmath.log(a.numerator * b.denominator) - mpmath.log(a.denominator * b.numerator)
        for a, b in zip(present, absent, strict=True)
    ]
    assert float(max(losses)) == pytest.approx(value("000-exA.1-epst"), rel=RELATIVE)
    within = sum(chance for loss, chance in zip(losses, present, strict=True) if abs(loss) <= 1)
    assert float(within) == pytest.approx(value("000-exA.1-pz"), rel=RELATIVE)
    assert within < 1 - Fraction(1, 100)


def test_example_a_1_beliefs() -> None:
    """Small changes of belief for every prior do not make the loss small: the converse of Theorem 3.5(1) fails."""
    limit = fraction(mpmath.tanh(mpmath.mpf(1) / 4)) + DIGITS
    least = Fraction(1)
    for k in range(1, 200):
        world = response_or_nothing(mpmath.mpf(1), Fraction(1, 100), Fraction(k, 200))
        for truth in (THERE, GONE):
            law = world.law_of_difference(Present(0), truth=truth)
            least = min(least, law.chance_beyond(-limit, closed=True) - law.chance_beyond(limit))
    assert float(least) == pytest.approx(value("000-exA.1-worst"), rel=RELATIVE)
    assert least >= Fraction(99, 100) - DIGITS


@pytest.mark.parametrize(("epsilon", "delta"), [("2.2", Fraction(1, 100)), ("1", Fraction(9, 10))])
def test_example_a_1_needs_a_small_epsilon_and_delta(epsilon: str, delta: Fraction) -> None:
    """Errata 000.6: beyond these there is no such release, its probabilities being negative."""
    with pytest.raises(InvalidInput, match="row 0 of the kernel must be a list of probabilities with sum 1"):
        response_or_nothing(mpmath.mpf(epsilon), delta, Fraction(1, 2))


def test_example_a_1_keeps_what_theorem_3_5_promises() -> None:
    """It is (epsilon~, delta)-probabilistically private; epsilon~ is the largest loss of its mechanism."""
    mechanism = response_or_nothing(mpmath.mpf(1), Fraction(1, 100), Fraction(1, 2)).mechanism(Neighbours.ADD_REMOVE)
    assert float(mechanism.epsilon(0.0).upper) == pytest.approx(value("000-exA.1-epst"), rel=1e-9)
