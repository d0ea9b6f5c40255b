"""A belief gives each dataset a probability, and they sum to 1 exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from worlds_random import belief as random_belief

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.setting import Adversary
from whit.worlds import ABSENT, Belief, Has, Present, Universe

TWO = Universe(2, ("ill", "well"))
HALF = Fraction(1, 2)


def chance(belief: Belief, event) -> Fraction:
    pairs = zip(belief.universe.datasets, belief.weights, strict=True)
    return sum((weight for dataset, weight in pairs if event(dataset)), start=Fraction(0))


def test_weights_come_as_a_list_or_by_dataset() -> None:
    listed = Belief(TWO, [0, 0, 0, 0, 0.5, 0, 0, 0, 0.5])
    assert listed == Belief(TWO, {("ill", "ill"): HALF, ("well", "well"): HALF})
    assert listed.possible == (("ill", "ill"), ("well", "well"))


def test_in_a_product_people_are_independent() -> None:
    belief = Belief.product(TWO, [{"ill": 0.25, ABSENT: 0.75}, {"well": Fraction(1, 3), "ill": Fraction(2, 3)}])
    assert sum(belief.weights) == 1
    assert chance(belief, Has(0, "ill")) == Fraction(1, 4)
    assert chance(belief, lambda x: x == ("ill", "well")) == Fraction(1, 12)


def test_one_person_is_independent_of_the_others_who_may_move_together() -> None:
    three = Universe(3, (0, 1), all_present=True)
    belief = Belief.about(three, 1, {0: HALF, 1: HALF}, {(0, 0): HALF, (1, 1): HALF})
    assert chance(belief, lambda x: x[0] == x[2]) == 1
    assert chance(belief, lambda x: x[0] == x[1]) == HALF


def test_everyone_else_is_known() -> None:
    belief = Belief.knowing_everyone_else(TWO, 1, {"ill": 0.125, ABSENT: 0.875}, ("well",))
    assert belief.possible == (("well", ABSENT), ("well", "ill"))
    assert chance(belief, Present(1)) == Fraction(1, 8)


def test_inclusion_and_value_are_those_of_the_adversary() -> None:
    universe = Universe(2, ("a", "b", "c"))
    others = {("a",): HALF, (ABSENT,): HALF}
    adversary = Adversary(inclusion=0.25, value=0.5)
    belief = Belief.of_adversary(universe, adversary, person=0, sensitive=("a", "b"), others=others)
    assert chance(belief, Present(0)) == Fraction(1, 4)
    assert chance(belief, Has(0, "a", "b")) == Fraction(1, 8)
    assert chance(belief, Has(0, "a")) == Fraction(1, 16)
    assert chance(belief, Has(1, "a")) == HALF


def test_a_value_needs_a_record_on_each_side() -> None:
    for value, sensitive in ((0.5, ("ill", "well")), (0.5, ()), (1.0, ())):
        adversary = Adversary(inclusion=0.5, value=value)
        with pytest.raises(Incompatible, match="sensitive must leave a record for each thing"):
            Belief.of_adversary(TWO, adversary, person=0, sensitive=sensitive, others={("ill",): 1})
    certain = Adversary(inclusion=1.0, value=1.0)
    present = Universe(1, ("ill",), all_present=True)
    assert Belief.of_adversary(present, certain, person=0, sensitive=("ill",), others={(): 1}).weights == (1,)


def test_learning_an_event_conditions_the_belief() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        belief = random_belief(rng, TWO)
        if 0 < chance(belief, Present(0)):
            given = belief.given(Present(0))
            assert sum(given.weights) == 1
            assert chance(given, Has(0, "ill")) == chance(belief, Has(0, "ill")) / chance(belief, Present(0))


def test_what_is_ruled_out_cannot_be_learned() -> None:
    with pytest.raises(NotImplied, match="the belief given an event needs an event that it holds possible"):
        Belief(TWO, {("ill", "ill"): 1}).given(Has(0, "well"))


def test_uniform_beliefs_hold_all_datasets_alike() -> None:
    assert set(Belief.uniform(TWO).weights) == {Fraction(1, 9)}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Belief(TWO, [0.5, 0.5]), "a belief must have a probability for each of 9 datasets; got 2 of them"),
        (lambda: Belief(TWO, [0.5] * 9), "a belief must be a list of probabilities with sum 1"),
        (lambda: Belief(TWO, {("ill", "dead"): 1}), "a dataset must have one of"),
        (lambda: Belief("x", [1]), "universe must be a Universe"),
        (lambda: Belief(TWO, None), "a belief must be a list of probabilities"),
        (lambda: Belief.product(TWO, [{"ill": 1}]), "people must have chances for each of 2 people"),
        (lambda: Belief.product(TWO, [1, 2]), "the chances of a person must be probabilities by record"),
        (lambda: Belief.product(TWO, [{"ill": 1}, {"dead": 1}]), "record must be one of the records"),
        (lambda: Belief.about(TWO, 0, {"ill": 1}, ["ill"]), "others must be probabilities by the records"),
        (lambda: Belief.about(TWO, 0, {"ill": 1}, {("dead",): 1}), "a dataset must have one of"),
        (lambda: Belief.about(TWO, 5, {"ill": 1}, {("ill",): 1}), "person must be a whole number"),
        (lambda: Belief.about(TWO, 0, {"ill": 1}, {7: 1}), "others must be probabilities by the records"),
        (lambda: Belief.knowing_everyone_else(TWO, 0, {"ill": 1}, "ill"), "others must be a tuple"),
        (
            lambda: Belief.of_adversary(TWO, 0.5, person=0, sensitive=("ill",), others={("ill",): 1}),
            "adversary must be an Adversary",
        ),
    ],
)
def test_what_is_no_belief_is_refused(make, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()
