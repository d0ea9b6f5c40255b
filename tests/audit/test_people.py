"""Counts, means and medians of a few people: every dataset that fits, as the article and a referee have it."""

from __future__ import annotations

import random
import statistics
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from whit.audit import Between, Exact, Group, People, Person, Statement, Statistic, Suppressed
from whit.errors import Incompatible, InvalidInput, UnknownKey

TRAITS = {"sex": ("F", "M"), "race": ("B", "W"), "married": ("S", "M")}
FEWER_THAN_THREE = Suppressed(Between(0, 2))
NO_CHILDREN = [Group({"married": "M"}, most=14)]


def block(withheld: Statement, *, without: tuple[str, ...] = ()) -> People:
    """The block of Garfinkel, Abowd and Martindale 2018: seven people, 14 statistics, seven of them suppressed."""
    published = [
        Statistic("1A", Group(), Exact(7), "30.0", "38.0"),
        Statistic("2A", Group({"sex": "F"}), Exact(4), "30.0", "33.5"),
        Statistic("2B", Group({"sex": "M"}), Exact(3), "30.0", "44.0"),
        Statistic("2C", Group({"race": "B"}), Exact(4), "51.0", "48.5"),
        Statistic("2D", Group({"race": "W"}), Exact(3), "24.0", "24.0"),
        Statistic("3A", Group({"married": "S"}, least=18), withheld),
        Statistic("3B", Group({"married": "M"}, least=18), Exact(4), "51.0", "54.0"),
        Statistic("4A", Group({"sex": "F", "race": "B"}), Exact(3), "36.0", "36.7"),
        Statistic("4B", Group({"sex": "M", "race": "B"}), withheld),
        Statistic("4C", Group({"sex": "M", "race": "W"}), withheld),
        Statistic("4D", Group({"sex": "F", "race": "W"}), withheld),
        Statistic("5A", Group(most=4), withheld),
        Statistic("5B", Group(most=17), withheld),
        Statistic("5C", Group(least=64), withheld),
    ]
    kept = [each for each in published if each.name not in without]
    return People(7, (0, 125), TRAITS, kept, excluded=NO_CHILDREN)


def short(person: Person) -> str:
    return f"{person.number}{''.join(person.traits)}"


@pytest.mark.slow
def test_seven_people_are_reconstructed_from_fourteen_statistics():
    [dataset] = block(FEWER_THAN_THREE).datasets
    assert [short(each) for each in dataset] == ["8FBS", "18MWS", "24FWS", "30MWM", "36FBM", "66FBM", "84MBM"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("without", "read", "mute"),
    [(("2A",), 1, 1), (("2B",), 1, 1), (("2C",), 1, 1), (("2D",), 1, 1), (("2A", "2B"), 6, 8), (("4A",), 2, 2)],
    ids=str,
)
def test_fewer_statistics_leave_as_many_datasets_as_the_article_has(without, read, mute):
    assert block(FEWER_THAN_THREE, without=without).number == read
    assert block(Suppressed(), without=without).number == mute


@pytest.mark.slow
def test_four_people_are_known_without_two_of_the_statistics():
    found = block(FEWER_THAN_THREE, without=("2A", "2B"))
    assert [short(each) for each in found.in_all] == ["8FBS", "36FBM", "66FBM", "84MBM"]
    women = sum(any(short(each).startswith("24F") for each in dataset) for dataset in found.datasets)
    assert Fraction(women, found.number) == Fraction(1, 2)


@pytest.mark.parametrize(("youngest", "number"), [(0, 31), (1, 30)])
def test_three_men_have_as_many_ages_as_the_article_counts(youngest, number):
    men = Statistic("2B", Group(), Exact(3), "30.0", "44.0")
    assert People(3, (youngest, 125), {}, [men]).number == number


def rounded_to_half(value: Fraction) -> str:
    """A mean or a median of whole numbers with two decimals; halves of the last decimal do not occur below 8 people."""
    return f"{float(value):.2f}"


def drawn(rng: random.Random) -> tuple[list[Person], list[Statistic]]:
    people = [Person(rng.randrange(5), (rng.choice("ab"), rng.choice("xy"))) for _ in range(rng.randrange(2, 4))]
    groups = [Group(), Group({"t": "a"}), Group({"u": "x"}), Group({"t": "b", "u": "y"}), Group({"t": "a"}, least=3)]
    published = []
    for at, group in enumerate(rng.sample(groups, 3)):
        inside = [each.number for each in people if group.holds(each, ("t", "u"))]
        if not inside or rng.random() < 0.3:
            withheld = Suppressed(Between(0, max(2, len(inside))))
            published.append(Statistic(f"s{at}", group, withheld if rng.random() < 0.5 else Exact(len(inside))))
            continue
        middle, mean = statistics.median(inside), Fraction(sum(inside), len(inside))
        published.append(
            Statistic(
                f"s{at}",
                group,
                Exact(len(inside)),
                rounded_to_half(Fraction(middle)) if rng.random() < 0.7 else None,
                rounded_to_half(mean) if rng.random() < 0.7 else None,
            )
        )
    return people, published


def fits(dataset: tuple[Person, ...], statistic: Statistic) -> bool:
    """Whether an office that holds the dataset prints the statistic, by the definition of each part."""
    inside = [each.number for each in dataset if statistic.group.holds(each, ("t", "u"))]
    if isinstance(statistic.count, Exact):
        if len(inside) != statistic.count.value:
            return False
    elif not 0 <= len(inside) <= statistic.count.tells.high:
        return False
    half = Fraction(1, 200)
    middle = statistic.median is None or abs(Fraction(statistics.median(inside)) - Fraction(statistic.median)) <= half
    mean = statistic.mean is None or abs(Fraction(sum(inside), len(inside)) - Fraction(statistic.mean)) <= half
    return middle and mean


@pytest.mark.parametrize("seed", range(12))
def test_the_datasets_are_those_that_a_referee_finds_one_by_one(seed):
    people, published = drawn(random.Random(seed))
    universe = [Person(n, own) for n in range(5) for own in product("ab", "xy")]
    every = combinations_with_replacement(universe, len(people))
    expected = {each for each in every if all(fits(each, one) for one in published)}
    found = People(len(people), (0, 4), {"t": "ab", "u": "xy"}, published)
    assert set(found.datasets) == expected
    assert found.number == len(expected)
    assert tuple(sorted(people)) in expected


def test_statistics_that_no_dataset_fits_are_refused():
    wrong = [Statistic("sum", Group(), Exact(2), mean="5.0"), Statistic("middle", Group(), Exact(2), median="4.0")]
    with pytest.raises(Incompatible, match="the statistics must leave at least one dataset"):
        _ = People(2, (0, 9), {}, wrong).in_all


def test_a_mean_without_an_exact_count_is_refused():
    with pytest.raises(InvalidInput, match="the count of men must be exact"):
        Statistic("men", Group(), Suppressed(), mean="3.0")


def test_a_trait_that_nobody_has_is_refused():
    with pytest.raises(UnknownKey, match="race"):
        People(2, (0, 9), {"sex": "FM"}, [Statistic("some", Group({"race": "B"}), Exact(1))])
