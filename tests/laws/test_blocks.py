"""Where people depend on each other, a promise to the whole block bounds what is learnt of one of them, exactly.

A world has a block of one to four people, who depend on each other in any way, and somebody outside who depends on
nobody. All is known in fractions: the release, what it promises to one person, and what an adversary comes to believe.
No bound for the block is passed by any outcome. The same promise taken for one person alone is passed by some, which
shows that the block is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import pytest

from whit import spec
from whit.assessment import assess, promise_name
from whit.curves import Promise
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian, Laplace, RandomizedResponse, SampledWithoutReplacement
from whit.policy import limits, recommend
from whit.semantics import disclosure, membership, testing
from whit.setting import Adversary, Knowledge, Neighbours
from whit.telling import plots
from whit.telling.words import explain
from whit.worlds import ABSENT, Belief, Has, Present, Universe, World

# Outcomes have probabilities in units of this; each person moves some of them from one outcome to another.
UNITS = 2**10
OUTCOMES = 4
FAILURES = (0.0, 0.02, 0.1, 0.3)
LEVELS = (1 / 64, 1 / 4)
ODDS = Fraction(9, 8)

ADDED, SWAPPED = Neighbours.ADD_REMOVE, Neighbours.REPLACE


def shares(random: np.random.Generator, number: int) -> list[Fraction]:
    """Probabilities with sum 1, some of them 0."""
    parts = [int(each) for each in random.integers(1, 9, size=number) * (random.random(number) < 0.6)]
    parts[int(random.integers(number))] += 1
    return [Fraction(part, sum(parts)) for part in parts]


def moved(random: np.random.Generator, most: int) -> np.ndarray:
    """What one record adds to the probabilities of the outcomes, in units; together nothing."""
    first, second = random.choice(OUTCOMES, size=2, replace=False)
    amount, change = int(random.integers(most // 4, most)), np.zeros(OUTCOMES, dtype=int)
    change[first], change[second] = amount, -amount
    return change


@dataclass(frozen=True)
class Household:
    """A world whose first people are a block, and the relation by which the person in question may differ."""

    world: World
    people: int
    relation: Neighbours

    @classmethod
    def drawn(cls, random: np.random.Generator, people: int, relation: Neighbours, *, alike: bool = False) -> Household:
        """A random belief about the block, another about the one outside, and a random release.

        If they are alike, all in the block have equal records, or are all absent, more often than not, and all of them
        move the same two outcomes.
        """
        present = relation is SWAPPED
        universe, blocks = (Universe(number, (0, 1), all_present=present) for number in (people + 1, people))
        inside = dict(zip(blocks.datasets, shares(random, len(blocks.datasets)), strict=True))
        for same in (1, 0 if present else ABSENT) if alike else ():
            inside[(same,) * people] += 1
        inside = {data: share / sum(inside.values()) for data, share in inside.items()}
        outside = dict(zip(universe.options, shares(random, len(universe.options)), strict=True))
        weights = [inside[data[:-1]] * outside[data[-1]] for data in universe.datasets]
        most = UNITS // (OUTCOMES * (people + 2))
        moves = {(at, record): moved(random, most) for at in range(people + 1) for record in (0, 1)}
        if alike:
            moves |= {(at, record): moves[0, record] for at in range(people) for record in (0, 1)}

        def law(data: tuple[object, ...]) -> list[Fraction]:
            parts = np.full(OUTCOMES, UNITS // OUTCOMES)
            for at, record in enumerate(data):
                parts = parts + (0 if record is ABSENT else moves[at, record])  # type: ignore[index]
            return [Fraction(int(part), UNITS) for part in parts]

        return cls(World.releasing(Belief(universe, weights), law), people, relation)

    @cached_property
    def pairs(self) -> list[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]:
        """The laws on all neighbours, in both orders."""
        found = self.world.universe.neighbours(self.relation)
        return [(self.world.kernel[x], self.world.kernel[y]) for a, b in found for x, y in ((a, b), (b, a))]

    @property
    def promises(self) -> Iterator[Promise]:
        """What the release promises to one person: in one number, in two, and all that there is to say."""
        odds = max(p / q for pair in self.pairs for p, q in zip(*pair, strict=True))
        yield PureDP(math.log(odds) * (1 + 1e-15) + 1e-15, neighbours=self.relation)
        delta = max(sum(max(p - ODDS * q, Fraction(0)) for p, q in zip(*pair, strict=True)) for pair in self.pairs)
        epsilon = math.log(ODDS) * (1 + 1e-15)
        yield ApproxDP(epsilon, math.nextafter(float(delta), 1.0), neighbours=self.relation)
        if self.people < 3 and self.relation is SWAPPED:  # larger ones are slow
            yield self.world.mechanism(self.relation)

    @property
    def fact(self) -> Has | Present:
        """What is asked about the first person."""
        return Present(0) if self.relation is ADDED else Has(0, 1)

    @cached_property
    def prior(self) -> Fraction:
        """The probability of the fact before the release."""
        held = [self.holds(data) for data in self.world.universe.datasets]
        return sum((w for w, here in zip(self.world.belief.weights, held, strict=True) if here), Fraction(0))

    def holds(self, data: tuple[object, ...]) -> bool:
        """Whether the fact is true of a dataset."""
        return data[0] is not ABSENT if self.relation is ADDED else data[0] == 1

    def given(self, *, true: bool) -> Belief:
        """The belief of somebody who learns whether the fact is true."""
        universe = self.world.universe
        kept = zip(universe.datasets, self.world.belief.weights, strict=True)
        total = self.prior if true else 1 - self.prior
        return Belief(universe, [w / total if self.holds(data) is true else Fraction(0) for data, w in kept])


def passed(house: Household, size: int) -> list[str]:
    """The bounds that are passed, where they count on so many people in the block."""
    if house.prior in (0, 1):
        return []
    found: list[str] = []
    for promise in house.promises:
        whole = promise.block(size)
        parts = (of_beliefs(house, whole), of_tests(house, whole), of_disclosure(house, whole))
        found += [f"{promise!r}: {what}" for part in parts for what in part]
    return found


def of_beliefs(house: Household, whole: Promise) -> Iterator[str]:
    """Posteriors beyond their bound more often than the failure says, and their mean."""
    asked = {"neighbours": house.relation, "knows": Knowledge.ANY_BELIEF}
    for true, prior in ((True, house.prior), (False, 1 - house.prior)):
        law = house.world.law_of_posterior(house.fact, truth=house.given(true=true))
        found = [(value if true else 1 - value, chance) for value, chance in zip(law.values, law.chances, strict=True)]
        start = min(math.nextafter(float(prior), 1.0), 1.0)  # bounds rise with the prior
        for failure in FAILURES:
            try:
                bound = membership.posterior(whole, start, failure=failure, **asked)
            except NotImplied:
                continue
            beyond = sum((chance for value, chance in found if value > Fraction(float(bound))), Fraction(0))
            if beyond > Fraction(failure):
                yield f"{bound}, but with {float(beyond)}"
        mean = sum((value * chance for value, chance in found), Fraction(0))
        bound = membership.expected_posterior(whole, start, **asked)
        if mean > Fraction(float(bound)):
            yield f"{bound}, but it is {float(mean)}"


def of_tests(house: Household, whole: Promise) -> Iterator[str]:
    """Powers above their bound, either way round."""
    for true in (True, False):
        null, alternative = house.given(true=not true), house.given(true=true)
        for level in LEVELS:
            bound = testing.power(whole, level, neighbours=house.relation, knows=Knowledge.ANY_BELIEF)
            power = house.world.power(level, null=null, alternative=alternative)
            if float(power) > float(bound):
                yield f"{bound}, but it is {power}"


def of_disclosure(house: Household, whole: Promise) -> Iterator[str]:
    """Posterior over prior above its bound, that the person is in the data with the record 1."""
    exact, event = house.world.exact, Has(0, 1)
    weights = zip(house.world.universe.datasets, house.world.belief.weights, strict=True)
    chances = {option: Fraction(0) for option in house.world.universe.options}
    for data, weight in weights:
        chances[data[0]] += weight
    inclusion = 1 - chances.get(ABSENT, Fraction(0))
    if not 0 < chances[1] < inclusion:
        return
    ratio = max(
        Fraction(float(house.world.ratio(event, outcome))) for outcome in exact.outcomes if exact.expects(outcome)
    )
    try:
        bound = disclosure.relative_risk(whole, inclusion=float(inclusion), value=float(chances[1] / inclusion))
    except NotImplied:
        return
    if ratio > Fraction(float(bound)) * (1 + Fraction(1, 10**13)):  # the two beliefs are rounded to doubles
        yield f"{bound}, but it is {float(ratio)}"


@pytest.mark.parametrize("relation", [ADDED, SWAPPED])
@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_no_bound_for_the_block_is_passed(people, relation):
    random = np.random.default_rng([16, people])
    for number in range(6 if people < 4 else 2):
        assert passed(Household.drawn(random, people, relation, alike=number % 2 == 0), people) == []


@pytest.mark.parametrize("relation", [ADDED, SWAPPED])
@pytest.mark.parametrize("people", [2, 3, 4])
def test_bounds_for_one_person_alone_are_passed_where_others_depend_on_them(people, relation):
    random = np.random.default_rng([17, people])
    assert any(passed(Household.drawn(random, people, relation, alike=True), 1) for _ in range(6))


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_equal_records_reach_the_bound_of_the_block_and_pass_that_of_any_smaller_one(people):
    universe = Universe(people, (0, 1), all_present=True)
    belief = Belief(universe, {(0,) * people: Fraction(1, 2), (1,) * people: Fraction(1, 2)})
    lie, outcomes = Fraction(1, 4), Universe(people, (0, 1), all_present=True).datasets  # everybody answers by a coin

    def law(data: tuple[object, ...]) -> list[Fraction]:
        told = ([1 - lie if one == other else lie for one, other in zip(data, out, strict=True)] for out in outcomes)
        return [math.prod(each, start=Fraction(1)) for each in told]

    largest = World.releasing(belief, law).law_of_posterior(Has(0, 1)).values[-1]
    assert largest == Fraction(3**people, 3**people + 1)
    epsilon = math.log(3)
    for promise in (PureDP(epsilon, neighbours=SWAPPED), RandomizedResponse(epsilon)):
        bounds = [float(membership.posterior(promise.block(size), 0.5)) for size in range(1, people + 1)]
        assert largest <= Fraction(bounds[-1]) <= largest * (1 + Fraction(1, 10**12))
        assert all(bound < largest for bound in bounds[:-1])


@pytest.mark.parametrize(
    ("promise", "same"),
    [
        (PureDP(0.3, neighbours=SWAPPED), PureDP(0.9, neighbours=SWAPPED)),
        (PureDP(0.3), PureDP(1.5)),  # one person comes or goes, two others are replaced
        (ZeroConcentratedDP(0.01, neighbours=SWAPPED), ZeroConcentratedDP(0.09, neighbours=SWAPPED)),
        (GaussianDP(0.1), GaussianDP(0.5)),
        (PureDP(0.3, neighbours=Neighbours.LOCAL), PureDP(0.9, neighbours=Neighbours.LOCAL)),
        (Gaussian(6.0), Gaussian(2.0)),
        (Laplace(6.0), Laplace(2.0)),
    ],
)
def test_a_block_of_three_is_told_what_three_steps_come_to(promise, same):
    asked = {"failure": 0.01, "knows": Knowledge.ANY_BELIEF}
    whole, known = (membership.posterior(each, 0.3, **asked) for each in (promise.block(3), same))
    assert float(whole) == pytest.approx(float(known), rel=1e-9)
    assert "beliefs-within-a-block" in whole.basis.theorems
    assert float(testing.power(promise.block(3), 0.05)) == pytest.approx(
        float(testing.power(same, 0.05, knows=Knowledge.ANY_BELIEF)), rel=1e-9
    )


def test_what_is_asked_of_the_adversary_is_asked_of_the_block_in_every_school_but_the_counterfactual_one():
    promise = PureDP(0.5)
    one, three = (assess(promise, Adversary(prior=0.2, block=size)) for size in (1, 3))
    for name in ("posterior", "ratio", "difference", "odds", "expected_posterior", "relative_risk", "power"):
        assert float(getattr(three, name)) > float(getattr(one, name)), name
    for name in ("advantage", "best_guess", "positive_predictive_value", "absolute_risk"):
        assert "beliefs-within-a-block" in getattr(three, name).basis.theorems, name
    # These hold for every belief about the others as they are.
    assert three.total_variation == one.total_variation
    assert three.posterior_ratio == one.posterior_ratio


def test_whoever_knows_those_outside_may_believe_anything_of_the_block():
    asked = {"failure": 0.01, "sides": 2}
    one, other = (membership.posterior(Gaussian(3.0).block(2), 0.5, knows=knows, **asked) for knows in Knowledge)
    assert float(one) == float(other)
    assert one.basis == other.basis
    assert "knows-all-but-one-fact" not in other.basis.assumptions


def test_a_limit_is_about_the_block_that_it_names():
    household = limits.posterior(0.9, prior=0.5, block=2)
    assert repr(household) == "PosteriorLimit(posterior=0.9, prior=0.5, block=2)"
    assert household.keeps(PureDP(0.7))
    assert not household.keeps(PureDP(0.74))  # three times 0.74 is more than the log of 9
    assert limits.posterior(0.9, prior=0.5).keeps(PureDP(2.1))


@pytest.mark.parametrize("kind", [PureDP, Gaussian])
def test_a_recommendation_keeps_to_the_limit_for_the_block_and_says_so(kind):
    household = limits.posterior(0.9, prior=0.5, block=3)
    found = recommend(household, kind, failure=0.01)
    promise = kind(float(found.parameter))
    asked = {"failure": 0.01, "knows": Knowledge.ANY_BELIEF}
    assert 0.8999 < float(membership.posterior(promise.block(3), 0.5, **asked)) <= 0.9
    assert "such as your family" in str(explain(found))
    assert "promise to the whole block" in str(explain(found, "officer"))
    assert "beliefs-within-a-block" in str(explain(found, "technical"))
    assert "such as your family" not in str(explain(recommend(limits.posterior(0.9, prior=0.5), kind, failure=0.01)))


def test_options_files_and_limits_say_it_in_one_word(tmp_path):
    file = tmp_path / "release.toml"
    asker, limit = "[[adversary]]\nprior = 0.5\nblock = 2\n", "[limit.posterior]\nlimit = 0.9\nprior = 0.5\nblock = 2\n"
    file.write_text(f"[promise]\nepsilon = 1\n{asker}{limit}", encoding="utf-8")
    form = spec.Form.of_file(file)
    assert form.askers[0].adversary == Adversary(prior=0.5, block=2)
    assert form.requirements.limits[0][1] == limits.posterior(0.9, prior=0.5, block=2)
    assert spec.limits_of(spec.pairs("a limit", "power=0.1, level=0.05, block=4"))[0][1].block == 4
    with pytest.raises(InvalidInput, match="block"):
        spec.limits_of(spec.pairs("a limit", "power=0.1, level=0.05, block=0"))


def test_a_caption_says_how_many_are_allowed_for():
    promise = Gaussian(5.0)
    one, four = (plots.level_and_power(promise.block(size)).alt for size in (1, 4))
    assert "The bound allows for up to 4 people who depend on each other" in four
    assert "everyone outside the block" in four
    assert "depend on each other" not in one
    assert "up to 4 people" in plots.posterior_against_prior(promise.block(4), failure=0.01).alt
    assert promise_name(promise.block(4)) == "Gaussian noise, sigma = 5, for 4 people who depend on each other"


@pytest.mark.parametrize(
    "promise", [Finite([0.5, 0.5], [0.4, 0.6]), SampledWithoutReplacement(Gaussian(2.0), size=5, population=50)]
)
def test_what_says_nothing_of_a_block_is_refused(promise):
    with pytest.raises(NotImplied, match="a promise to people who depend on each other"):
        membership.posterior(promise.block(2), 0.5, failure=0.1, neighbours=ADDED)


def test_of_a_tail_only_what_mixing_keeps_is_left():
    point = ProbabilisticDP(0.5, 1e-4, neighbours=SWAPPED)
    with pytest.raises(NotImplied, match="not bounded by this promise"):
        membership.posterior(point.block(2), 0.5, failure=1e-4)
    same = ApproxDP(0.5, 1e-4, neighbours=SWAPPED)
    found = [float(membership.posterior(each.block(2), 0.5, failure=0.01)) for each in (point, same)]
    assert found[0] == pytest.approx(found[1], abs=1e-6)


@pytest.mark.parametrize("size", [0, 1.5, "two", True])
def test_a_block_is_a_number_of_people(size):
    with pytest.raises(InvalidInput, match="block"):
        PureDP(1.0).block(size)
    with pytest.raises(InvalidInput, match="block"):
        Adversary(prior=0.5, block=size)
