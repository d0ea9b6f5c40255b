"""Compositions at random beside the accountant of dp-accounting by loss distributions, at the lattice that it takes.

Its delta and its epsilon are upper bounds, apart from the rounding of its transforms, which it does not count: some
units of a double, added up over many places. So its delta is taken to be known to ROUNDING. Beyond that, and TINY of
itself, whit is nowhere above it; and what it says is nowhere below what whit knows from below.
"""

from __future__ import annotations

import math
import random

import pytest
from dp_accounting import NeighboringRelation, pld
from dp_accounting import dp_event as events
from known_truths import TINY

from whit.exchange import learn

pytestmark = pytest.mark.filterwarnings("ignore")

ADD, REPLACE = NeighboringRelation.ADD_OR_REMOVE_ONE, NeighboringRelation.REPLACE_ONE
DELTAS = (1e-3, 1e-6, 1e-9)
ROUNDING = 1e-15
COARSE = 1e-5
"""Where losses reach far, a release is followed to its share of this part of delta, or of less."""


def about(numbers: random.Random, low: float, high: float) -> float:
    """A number between two others, as likely small as large, with three digits."""
    return float(f"{math.exp(numbers.uniform(math.log(low), math.log(high))):.3g}")


def gaussian(numbers: random.Random) -> events.DpEvent:
    return events.GaussianDpEvent(about(numbers, 0.8, 8.0))


def laplace(numbers: random.Random) -> events.DpEvent:
    return events.LaplaceDpEvent(about(numbers, 1.0, 8.0))


def sampled(numbers: random.Random) -> events.DpEvent:
    return events.PoissonSampledDpEvent(about(numbers, 0.003, 0.5), events.GaussianDpEvent(about(numbers, 0.7, 3.0)))


def sampled_laplace(numbers: random.Random) -> events.DpEvent:
    return events.PoissonSampledDpEvent(about(numbers, 0.003, 0.5), events.LaplaceDpEvent(about(numbers, 0.5, 3.0)))


def geometric(numbers: random.Random) -> events.DpEvent:
    return events.DiscreteLaplaceDpEvent(about(numbers, 0.1, 1.0), numbers.randint(1, 3))


KINDS = {ADD: (gaussian, laplace, sampled, sampled, sampled_laplace, geometric), REPLACE: (gaussian, sampled, sampled)}


def drawn(number: int) -> tuple[NeighboringRelation, events.DpEvent]:
    """One to three kinds of releases with noise that is not little, one to forty of them together."""
    numbers = random.Random(number)
    relation = REPLACE if number % 4 == 0 else ADD
    kinds = [numbers.choice(KINDS[relation])(numbers) for _ in range(numbers.randint(1, 3))]
    most = round(about(numbers, 1.0, 40.0)) // len(kinds)
    return relation, events.ComposedDpEvent(
        [events.SelfComposedDpEvent(kind, numbers.randint(1, max(most, 1))) for kind in kinds]
    )


def check_beside(relation: NeighboringRelation, event: events.DpEvent, part: float) -> None:
    """Assert that whit is above the accountant by no more than this part of its number, at some deltas and epsilons."""
    accountant = pld.PLDAccountant(neighboring_relation=relation)
    accountant.compose(event)
    found = learn(accountant)
    [neighbours] = found.relations
    for delta in DELTAS:
        own = accountant.get_epsilon(delta)
        assert float(found.promise.epsilon(delta + ROUNDING, neighbours=neighbours)) <= own * (1 + part)
    for epsilon in (own / 4, own / 2, own):
        own_delta, known = accountant.get_delta(epsilon), found.promise.delta(epsilon, neighbours=neighbours)
        assert known.lower is None or float(known.lower) <= own_delta + ROUNDING
        assert float(known) <= own_delta * (1 + part) + ROUNDING


@pytest.mark.parametrize("number", range(60))
def test_a_composition_at_random_is_not_above_the_number_of_the_accountant(number):
    check_beside(*drawn(number), TINY)


def steps(rate: float, noise: float, count: int) -> events.DpEvent:
    return events.SelfComposedDpEvent(events.PoissonSampledDpEvent(rate, events.GaussianDpEvent(noise)), count)


@pytest.mark.parametrize(
    ("relation", "event"),
    [
        (ADD, steps(0.434, 0.382, 4)),
        (ADD, events.ComposedDpEvent([steps(0.3, 0.35, 3), events.LaplaceDpEvent(0.5)])),
        (REPLACE, steps(0.3, 0.45, 2)),
    ],
)
def test_losses_that_reach_far_are_followed_less_closely(relation, event):
    check_beside(relation, event, COARSE)
