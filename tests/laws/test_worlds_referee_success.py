"""No guess about a record succeeds more often than is said: its value, an attribute of it, or the name behind it.

The person has a record that the adversary believes in with some probabilities; everyone else is drawn from any law that
does not depend on it. Every way to guess from every outcome is tried, in fractions. The bound is that of all pairs of
neighbours, as the referee has it, and that of the promises and of the mechanism, as the school reports it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from worlds_random import PRIVATE, Row, dyadic, largest_ratio, promises, worlds

from whit.guarantees import PureDP
from whit.semantics.testing import success
from whit.setting import Neighbours
from whit.worlds import ABSENT, Belief, Universe, World
from whit.worlds.exact import hull, power_at, vertices

ADD, SWAP = Neighbours.ADD_REMOVE, Neighbours.REPLACE
TWO = Universe(2, (0, 1, 2))
PRIORS = 10

relations = pytest.mark.parametrize("relation", [ADD, SWAP])
many = pytest.mark.parametrize("number", [12, pytest.param(500, marks=pytest.mark.slow)])
some = pytest.mark.parametrize("number", [3, pytest.param(60, marks=pytest.mark.slow)])


@dataclass(frozen=True)
class Guessing:
    """Beliefs about the record of the first person, and which guesses are right for which records."""

    prior: Row
    right: tuple[tuple[bool, ...], ...]

    @property
    def baseline(self) -> Fraction:
        """The best chance of a right guess without the release."""
        return max(self._chance(self.prior, guess) for guess in range(len(self.right[0])))

    def success(self, laws: list[Row]) -> Fraction:
        """The best chance with it: after each outcome the best guess, given the law of the outcome for each record."""
        outcomes = zip(*laws, strict=True)
        joint = ([p * each for p, each in zip(self.prior, outcome, strict=True)] for outcome in outcomes)
        return sum(
            (max(self._chance(row, guess) for guess in range(len(self.right[0]))) for row in joint), start=Fraction(0)
        )

    def _chance(self, weights: Row | list[Fraction], guess: int) -> Fraction:
        return sum((w for w, right in zip(weights, self.right, strict=True) if right[guess]), start=Fraction(0))


def guessing(rng: np.random.Generator, records: int) -> Guessing:
    """A belief, and a task: the whole record, an attribute of it, one of several names, or anything."""
    prior = dyadic(rng.dirichlet(np.full(records, 0.5)) + 1e-12)
    task = int(rng.integers(0, 4))
    attribute, names = rng.integers(0, 2, records), rng.permutation(records)
    table = {
        0: [[record == guess for guess in range(records)] for record in range(records)],
        1: [[bool(attribute[record] == guess) for guess in (0, 1)] for record in range(records)],
        2: [[bool(names[record] == guess) for guess in range(records)] for record in range(records)],
        3: (rng.random((records, int(rng.integers(1, 5)))) < 0.5).tolist(),
    }[task]
    return Guessing(prior, tuple(map(tuple, table)))


def laws_of_records(rng: np.random.Generator, world: World) -> list[Row]:
    """The law of the outcome for each record of the first person, over the others as they are believed to be."""
    universe = world.universe
    rests = sorted({universe.rest(place, 0) for place in range(len(universe.datasets))}, key=repr)
    others = dict(zip(rests, dyadic(rng.uniform(0, 1, len(rests)) ** 4), strict=True))
    believed = [Belief.about(universe, 0, {record: 1}, others) for record in universe.records]
    return [tuple(world.exact.output(each.weights)) for each in believed]


def tried(seed: int, number: int) -> Iterator[tuple[np.random.Generator, World, list[Row], list[Guessing]]]:
    """Random releases, and random beliefs and tasks for each of them."""
    for rng, world in worlds(seed, number, TWO, kernels=PRIVATE):
        yield rng, world, laws_of_records(rng, world), [guessing(rng, len(TWO.records)) for _ in range(PRIORS)]


def without(relation: Neighbours) -> list[object]:
    """What may stand in the place of the record in the data to compare with."""
    return [ABSENT] if relation is ADD else list(TWO.records)


@many
@relations
def test_no_guess_beats_the_powers_between_all_neighbours(number: int, relation: Neighbours) -> None:
    """A level is of the data without the record, or with a fixed one; any fixed one gives a bound."""
    for _, world, laws, tasks in tried(1701, number):
        bounds = [_hull(world, default) for default in without(relation)]
        for task in tasks:
            assert task.success(laws) <= min(power_at(bound, task.baseline) for bound in bounds)


def _hull(world: World, default: object) -> tuple[tuple[Fraction, Fraction], ...]:
    """The concave curve above the powers of all tests of the default against a record, whatever the others are."""
    universe = world.universe
    places = [place for place, dataset in enumerate(universe.datasets) if dataset[0] == default]
    pairs = [(place, universe.altered(place, 0, record)) for place in places for record in universe.records]
    return hull(vertices(world.kernel[null], world.kernel[own]) for null, own in pairs)


@many
@relations
def test_no_guess_beats_what_pure_privacy_says(number: int, relation: Neighbours) -> None:
    for _, world, laws, tasks in tried(1702, number):
        ratio = largest_ratio(world, relation)
        assert ratio is not None
        for task in tasks:
            kappa = task.baseline
            assert task.success(laws) <= min(ratio * kappa, 1 - (1 - kappa) / ratio)


@some
@relations
def test_no_guess_beats_the_school(number: int, relation: Neighbours) -> None:
    """By every promise that the release keeps, and by the release itself."""
    for rng, world, laws, tasks in tried(1703, number):
        baselines = np.array([np.nextafter(float(task.baseline), 2.0) for task in tasks]).clip(0.0, 1.0)
        best = [task.success(laws) for task in tasks]
        for promise in (*promises(rng, world, relation), world.mechanism(relation)):
            bounds = np.asarray(success(promise, baselines, neighbours=relation).value)
            assert all(found <= Fraction(float(bound)) for found, bound in zip(best, bounds, strict=True)), promise


def test_a_release_reaches_the_bound() -> None:
    """Without the record both outcomes are as likely; with it the true one comes three times in four."""
    one = Universe(1, (0, 1))
    rows = {ABSENT: (0.5, 0.5), 0: (0.75, 0.25), 1: (0.25, 0.75)}
    world = World(Belief.uniform(one), [rows[dataset[0]] for dataset in one.datasets])
    task = Guessing((Fraction(1, 2),) * 2, ((True, False), (False, True)))
    found = task.success([tuple(map(Fraction, rows[record])) for record in one.records])
    assert found == Fraction(3, 4)
    assert task.baseline == Fraction(1, 2)
    assert float(success(PureDP(float(np.log(2.0))), 0.5)) == pytest.approx(0.75, rel=1e-12)
    assert float(success(world.mechanism(ADD), 0.5)) == pytest.approx(0.75, rel=1e-12)


def test_others_who_copy_the_record_beat_the_bound() -> None:
    """The law can fail: three people report one record, each by a coin of odds 3, and most of them are right."""
    yes, task = Fraction(3, 4), Guessing((Fraction(1, 2),) * 2, ((True, False), (False, True)))
    bound = Fraction(float(success(PureDP(math.log(3.0)), 0.5)))
    assert task.success([_reports(yes, 1), _reports(1 - yes, 1)]) <= bound
    assert task.success([_reports(yes, 3), _reports(1 - yes, 3)]) > bound


def _reports(yes: Fraction, copies: int) -> Row:
    """The law of how many of so many reports say yes."""
    return tuple(math.comb(copies, k) * yes**k * (1 - yes) ** (copies - k) for k in range(copies + 1))
