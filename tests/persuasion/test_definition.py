"""Definition 3 is decided exactly on finite universes, with the worst case named."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from whit.errors import InvalidInput
from whit.mechanisms import Finite, Kernel
from whit.persuasion import (
    AnyBelief,
    Brier,
    CustomScore,
    FiniteBelief,
    LogProbability,
    PromiseStatus,
    SampledBelief,
    Table,
    satisfies,
    side_by_side,
    smallest_delta,
    smallest_kappa,
)
from whit.theory import Direction

COIN = Finite([0.75, 0.25], [0.25, 0.75])


def test_randomized_response_is_private_from_log_three_on():
    above, below = math.nextafter(math.log(3), 2), math.nextafter(math.log(3), 0)
    assert satisfies(COIN, kappa=above).answer is PromiseStatus.YES
    assert satisfies(COIN, kappa=below).answer is PromiseStatus.NO
    assert satisfies(COIN, kappa=below, delta=0.75).answer is PromiseStatus.YES


def test_kappa_and_delta_are_inverse_to_each_other():
    kernel = Kernel([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.1, 0.1, 0.8]], [(0, 1), (1, 2)])
    for delta in (0.0, 0.1, 0.2, 0.5):
        kappa = float(smallest_kappa(kernel, delta).value.upper)
        assert float(smallest_delta(kernel, kappa).value.upper) <= delta
        lower = float(smallest_kappa(kernel, delta).value.lower) * (1 - 1e-12)
        assert float(smallest_delta(kernel, lower).value.lower) > delta


def test_an_exact_release_has_no_kappa_for_two_neighbours():
    exact = Table([[1, 0], [0, 1]], [(0, 1)])
    assert float(smallest_kappa(exact).value) == math.inf
    assert float(smallest_delta(exact, 1e300).value) == 1.0


def test_an_exact_release_can_be_private_for_beliefs_that_know_little():
    # The parity of three coins, for a belief in fair coins: the score of one dataset gains log 2 whatever comes out.
    parity = Table([[1 - bin(x).count("1") % 2, bin(x).count("1") % 2] for x in range(8)])
    coin = FiniteBelief([Fraction(1, 2), Fraction(1, 2)])
    fair = FiniteBelief.product(coin, coin, coin)
    found = smallest_kappa(parity, priors=fair).value
    assert float(found.lower) <= math.log(2) <= float(found.upper)


def test_the_worst_of_several_scores_is_named():
    found = smallest_kappa(COIN, scores=[Brier(), LogProbability()])
    assert found.worst.score == "LogProbability()"
    table = side_by_side(COIN, [Brier(), LogProbability()])
    assert float(found.value) == float(table["LogProbability()"].value)
    assert float(table["Brier()"].value.upper) < float(table["LogProbability()"].value.lower)


def test_nothing_found_is_not_called_proved():
    tame = CustomScore(lambda *_: 0)
    assert satisfies(COIN, kappa=1.0, scores=tame).answer is PromiseStatus.NOT_REFUTED
    assert not satisfies(COIN, kappa=1.0, scores=tame)
    assert satisfies(COIN, kappa=0.01, priors=AnyBelief(), scores=Brier()).answer is PromiseStatus.NO


def test_estimated_beliefs_give_estimates():
    drawn = SampledBelief.of_draws([0, 1], 2)
    assert smallest_kappa(COIN, priors=drawn).value.direction is Direction.ABOUT
    assert satisfies(COIN, kappa=9.0, priors=drawn).answer is PromiseStatus.NOT_REFUTED


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda: satisfies(COIN, kappa=-1.0), "kappa must be a number of at least 0"),
        (lambda: satisfies(COIN, kappa=math.nan), "kappa must be a number"),
        (lambda: satisfies(COIN, kappa=1.0, delta=2.0), "delta must be a probability"),
        (lambda: smallest_kappa(COIN, scores=[]), "scores must be one score or several"),
        (lambda: smallest_kappa(COIN, scores="log"), "scores must be one score or several"),
        (lambda: smallest_kappa(COIN, scores=3), "scores must be one score or several"),
    ],
)
def test_a_wrong_question_is_answered_with_a_sentence(question, message):
    with pytest.raises(InvalidInput, match=message):
        question()
