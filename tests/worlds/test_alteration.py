"""The altered release sees the altered data; the belief is about the true data."""

from __future__ import annotations

from fractions import Fraction

import pytest
from worlds_random import worlds

from whit.errors import InvalidInput
from whit.worlds import ABSENT, Belief, Dropped, Has, Replaced, Resampled, Universe, World

TWO = Universe(2, ("ill", "well"))
PRESENT = Universe(2, (0, 1), all_present=True)


def without(dataset, person, record):
    return tuple(record if k == person else own for k, own in enumerate(dataset))


@pytest.mark.parametrize("person", [0, 1])
def test_dropping_and_replacing_move_the_rows(person: int) -> None:
    for _, world in worlds(4, 20, TWO):
        rows = dict(zip(TWO.datasets, world.kernel, strict=True))
        for alteration, record in ((Dropped(person), ABSENT), (Replaced(person, "well"), "well")):
            found = world.altered(alteration)
            assert found.belief == world.belief
            assert found.kernel == tuple(rows[without(x, person, record)] for x in TWO.datasets)


def test_drawing_anew_follows_the_displayed_formula() -> None:
    """KAA22, Section 7.2: the counterfactual posterior, summed as it is printed."""
    for _, world in worlds(5, 40, PRESENT):
        weight = dict(zip(PRESENT.datasets, world.belief.weights, strict=True))
        rows = dict(zip(PRESENT.datasets, world.kernel, strict=True))
        for outcome in world.exact.outcomes:
            rests = [rest for rest in (0, 1) if weight[0, rest] + weight[1, rest] > 0]
            total = {rest: weight[0, rest] + weight[1, rest] for rest in rests}
            mixed = {
                rest: sum(weight[r, rest] / total[rest] * rows[r, rest][outcome] for r in (0, 1)) for rest in rests
            }
            bottom = sum(total[rest] * mixed[rest] for rest in rests)
            if bottom > 0:
                top = sum(weight[1, rest] * mixed[rest] for rest in rests)
                found = world.altered(Resampled(0)).after(outcome)
                posterior = sum(w for x, w in zip(PRESENT.datasets, found.weights, strict=True) if Has(0, 1)(x))
                assert posterior == top / bottom


def test_where_the_rest_is_ruled_out_the_record_stays() -> None:
    belief = Belief(PRESENT, {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 2)})
    world = World(belief, [[1, 0], [0.5, 0.5], [0, 1], [0.25, 0.75]])
    assert world.altered(Resampled(0)).kernel == ((0.5, 0.5), (0.5, 0.5), (0.5, 0.5), (0.25, 0.75))


@pytest.mark.parametrize(
    ("alteration", "message"),
    [
        (Dropped(0), "a dropped record needs people who can be absent"),
        (Replaced(0, 2), "record must be one of the records"),
        (Replaced(2, 0), "person must be a whole number from 0 to 1"),
        (Resampled(-1), "person must be a whole number from 0 to 1"),
        ("dropped", "an alteration must say what becomes of one record"),
    ],
)
def test_what_cannot_be_altered_is_refused(alteration, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        World(Belief.uniform(PRESENT), [[1]] * 4).altered(alteration)
