"""A universe lists every dataset once and knows which are neighbours."""

from __future__ import annotations

from itertools import product

import pytest

from whit.errors import InvalidInput, NotImplied, TooCostly
from whit.setting import Neighbours
from whit.worlds import ABSENT, Universe
from whit.worlds.universe import LARGEST

TWO = Universe(2, ("ill", "well"))
PRESENT = Universe(3, (0, 1), all_present=True)


@pytest.mark.parametrize("universe", [TWO, PRESENT])
def test_every_dataset_is_there_once_and_is_found_at_its_place(universe: Universe) -> None:
    options = universe.records if universe.all_present else (ABSENT, *universe.records)
    assert sorted(map(repr, universe.datasets)) == sorted(map(repr, product(options, repeat=universe.people)))
    assert [universe.place(dataset) for dataset in universe.datasets] == list(range(len(universe.datasets)))
    assert universe.place(list(universe.datasets[3])) == 3


def differing(universe: Universe, a: int, b: int) -> list[tuple[object, object]]:
    pairs = zip(universe.datasets[a], universe.datasets[b], strict=True)
    return [(first, second) for first, second in pairs if first != second]


@pytest.mark.parametrize("universe", [TWO, PRESENT, Universe(2, (0, 1, 2))])
@pytest.mark.parametrize("relation", list(Neighbours))
def test_neighbours_differ_in_one_person_as_the_relation_says(universe: Universe, relation: Neighbours) -> None:
    if relation is Neighbours.ADD_REMOVE and universe.all_present:
        with pytest.raises(NotImplied, match="the universe has no neighbours under Neighbours.ADD_REMOVE"):
            universe.neighbours(relation)
        return
    size = range(len(universe.datasets))
    one = {frozenset((a, b)) for a in size for b in size if len(differing(universe, a, b)) == 1}
    gone = {pair for pair in one if any(ABSENT in swap for swap in differing(universe, *pair))}
    expected = gone if relation is Neighbours.ADD_REMOVE else one - gone
    found = universe.neighbours(relation)
    assert {frozenset(pair) for pair in found} == expected
    assert len(found) == len(expected)


def test_one_record_leaves_no_neighbours_by_replacement() -> None:
    with pytest.raises(NotImplied, match="has no neighbours under Neighbours.REPLACE"):
        Universe(2, (1,)).neighbours(Neighbours.REPLACE)


def test_a_record_is_altered_and_a_person_left_out() -> None:
    place = TWO.place(("ill", ABSENT))
    assert TWO.datasets[TWO.altered(place, 1, "well")] == ("ill", "well")
    assert TWO.rest(place, 0) == (ABSENT,)


@pytest.mark.parametrize("dataset", [("ill",), ("ill", "dead"), 3, None, ("ill", [])])
def test_an_unknown_dataset_is_refused(dataset: object) -> None:
    with pytest.raises(InvalidInput, match="a dataset must have one of"):
        TWO.place(dataset)


@pytest.mark.parametrize("person", [-1, 2, 0.0, True, "0"])
def test_an_unknown_person_is_refused(person: object) -> None:
    with pytest.raises(InvalidInput, match="person must be a whole number from 0 to 1"):
        TWO.person(person)


@pytest.mark.parametrize("record", ["dead", None, []])
def test_an_unknown_record_is_refused(record: object) -> None:
    with pytest.raises(InvalidInput, match="record must be one of the records"):
        TWO.option(record)
    with pytest.raises(InvalidInput, match="record must be one of the records"):
        PRESENT.option(ABSENT)


@pytest.mark.parametrize("records", [(), ("a", "a"), (ABSENT,), "ab", None, ([],)])
def test_records_are_different_and_not_absent(records: object) -> None:
    with pytest.raises(InvalidInput, match="records must be a list of different records"):
        Universe(1, records)  # type: ignore[arg-type]


@pytest.mark.parametrize("people", [0, 1.0, -3])
def test_there_is_at_least_one_person(people: object) -> None:
    with pytest.raises(InvalidInput, match="people must be a whole number of at least 1"):
        Universe(people, (1,))  # type: ignore[arg-type]


def test_a_universe_that_is_too_large_is_refused_before_it_is_listed() -> None:
    assert len(Universe(16, (1,)).datasets) == 2**16 <= LARGEST
    with pytest.raises(TooCostly, match="a universe must have at most 100000 datasets; got 131072. Use fewer people"):
        Universe(17, (1,))
    with pytest.raises(TooCostly, match="a universe must have at most 100000 datasets"):
        Universe(10**4, (1,))


def test_other_relations_are_refused() -> None:
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours"):
        TWO.neighbours("replace")  # type: ignore[arg-type]
