"""A count without noise to which the others are the noise: cases by hand, small universes, and who must be refused."""

from __future__ import annotations

import itertools
import pickle
import random
from fractions import Fraction
from math import comb

import mpmath
import pytest

import whit
from whit import Gaussian, PureDP
from whit.assessment import assess, compare
from whit.audit import Between, Exact, Halves, OthersAsNoise, Rounded, Suppressed, TopCoded
from whit.errors import InvalidInput, NotImplied, TooCostly
from whit.ledger import Ledger
from whit.policy import check, limits, recommend
from whit.semantics import counterfactual, disclosure, membership, testing
from whit.setting import Knowledge
from whit.theory import Direction, theorem
from whit.worlds import ABSENT, Belief, Has, Universe, World

HALF = Fraction(1, 2)
FOUR = OthersAsNoise(4, HALF)
GAP = 2.0**-52


def is_it(found, exact):
    """The finding is exact, and its number is the fraction to within one rounding."""
    assert found.direction is Direction.EXACTLY
    return 0 <= Fraction(float(found)) - exact <= GAP


def sixteenths(*parts):
    return {number: Fraction(part, 16) for number, part in parts}


@pytest.mark.parametrize(
    ("asked", "if_in", "if_out", "posteriors", "advantage"),
    [
        (
            FOUR,
            sixteenths((1, 1), (2, 4), (3, 6), (4, 4), (5, 1)),
            sixteenths((0, 1), (1, 4), (2, 6), (3, 4), (4, 1)),
            {number: Fraction(number, 5) for number in range(6)},
            Fraction(3, 8),
        ),
        (
            FOUR.knowing(out=2),
            sixteenths((1, 4), (2, 8), (3, 4)),
            sixteenths((0, 4), (1, 8), (2, 4)),
            {number: Fraction(number, 3) for number in range(4)},
            HALF,
        ),
        (
            FOUR.rounded(5),
            sixteenths((0, 5), (5, 11)),
            sixteenths((0, 11), (5, 5)),
            {0: Fraction(5, 16), 5: Fraction(11, 16)},
            Fraction(3, 8),
        ),
    ],
    ids=["exact", "two known to be out", "rounded to 5"],
)
def test_four_others_by_hand(asked, if_in, if_out, posteriors, advantage):
    for law, person_in in ((if_in, True), (if_out, False)):
        assert {each.value: chance for each, chance in asked.law(person_in=person_in).items()} == law
    for number, posterior in posteriors.items():
        assert is_it(asked.posterior(HALF, number), posterior)
    assert is_it(asked.largest_posterior(HALF), max(posteriors.values()))
    assert is_it(asked.advantage(), advantage)


def test_who_is_known_to_be_in_moves_the_count_and_is_no_noise():
    found = FOUR.knowing(in_=2).law(person_in=False)
    assert found == {Exact(2): Fraction(1, 4), Exact(3): HALF, Exact(4): Fraction(1, 4)}
    assert FOUR.knowing(in_=1, out=1).law(person_in=True) == OthersAsNoise.each([0, HALF, HALF, 1]).law(person_in=True)


def test_who_knows_all_others_learns_all():
    everybody = FOUR.knowing(in_=3, out=1)
    assert is_it(everybody.advantage(), 1)
    assert is_it(everybody.posterior(Fraction(1, 10**6), 4), 1)
    assert is_it(everybody.posterior(Fraction(1, 10**6), 3), 0)
    assert is_it(OthersAsNoise(0, HALF).power(0), 1)


def test_a_withheld_count_tells_that_it_is_small():
    zeros = FOUR.suppressed(below=3, zeros=True)
    assert zeros.statements[:3] == (Exact(0), Suppressed(Between(1, 2)), Exact(3))
    assert FOUR.suppressed(below=3).law(person_in=False)[Suppressed(Between(0, 2))] == Fraction(11, 16)
    assert is_it(FOUR.suppressed(below=3).posterior(HALF, Suppressed(Between(0, 2))), Fraction(5, 16))
    assert is_it(FOUR.suppressed(below=50).advantage(), 0)


def test_a_range_that_nobody_reaches_tells_nothing():
    assert is_it(FOUR.ranges([Between(-5, -1), Between(0, 9), TopCoded(10)]).advantage(), 0)
    assert is_it(FOUR.ranges([Suppressed()]).advantage(), 0)
    assert is_it(FOUR.ranges([Suppressed()]).power(Fraction(1, 4)), Fraction(1, 4))


def small_releases(pick):
    """Some others, with a way to publish the count of them and one person."""
    number = pick.randint(1, 4)
    chances = [Fraction(pick.randint(0, 8), 8) for _ in range(number)]
    start = OthersAsNoise.each(chances)
    cuts = sorted(pick.sample(range(1, number + 2), pick.randint(0, number)))
    cells = [Between(low, high - 1) for low, high in itertools.pairwise([0, *cuts])]
    ranges = start.ranges([*cells, TopCoded(cuts[-1] if cuts else 0)])
    ways = [start, start.rounded(3), start.rounded(2, halves=Halves.UP), start.rounded(4, halves=Halves.DOWN)]
    return chances, [*ways, ranges, start.suppressed(below=2), start.suppressed(below=3, zeros=True)]


def world_of(chances, prior, asked):
    """The same by all datasets, of person 0 and the others; the count goes to the statement that leaves it."""
    people = [prior, *chances]
    universe = Universe(len(people), ("in",))
    belief = Belief.product(universe, [{"in": chance, ABSENT: 1 - chance} for chance in people])

    def row(dataset):
        count = sum(record == "in" for record in dataset)
        return [Fraction(each.leaves(count)) for each in asked.statements]

    return World.releasing(belief, row)


@pytest.mark.parametrize("seed", range(25))
def test_every_answer_is_that_of_all_datasets(seed):
    pick = random.Random(seed)
    chances, ways = small_releases(pick)
    prior = Fraction(pick.randint(1, 9), 10)
    for asked in ways:
        world = world_of(chances, prior, asked)
        possible = {place: each for place, each in enumerate(asked.statements) if world.exact.expects(place)}
        event = [dataset[0] == "in" for dataset in world.universe.datasets]
        found = {place: world.exact.posterior(event, place) for place in possible}
        assert all(is_it(asked.posterior(prior, each), found[place]) for place, each in possible.items())
        assert is_it(asked.largest_posterior(prior), max(found.values()))
        null, alternative = (world.belief.given(Has(0, record)) for record in (ABSENT, "in"))
        assert float(asked.advantage()) == float(world.advantage(null=null, alternative=alternative))
        for level in (Fraction(0), Fraction(1, 20), Fraction(1, 3), Fraction(9, 10), Fraction(1)):
            assert float(asked.power(level)) == float(world.power(level, null=null, alternative=alternative))


@pytest.mark.parametrize("seed", range(25))
def test_a_coarser_publication_has_no_more_power_and_no_larger_posterior(seed):
    pick = random.Random(seed)
    exact = OthersAsNoise(pick.randint(1, 40), Fraction(pick.randint(1, 9), 10))
    third, coarser = exact.rounded(3), exact.rounded(9)
    for finer, coarse in ((exact, third), (third, coarser), (exact, exact.suppressed(below=5))):
        assert float(coarse.advantage()) <= float(finer.advantage())
        assert float(coarse.largest_posterior(0.3)) <= float(finer.largest_posterior(0.3))
        assert all(float(coarse.power(level)) <= float(finer.power(level)) for level in (0, 0.01, 0.1, 0.5, 0.9))


def test_a_reader_with_another_law_goes_beyond():
    stated = FOUR.rounded(5)
    knows_better = OthersAsNoise(4, Fraction(1, 10)).rounded(5)
    assert float(knows_better.posterior(HALF, 5)) > float(stated.largest_posterior(HALF))
    assert float(FOUR.knowing(out=2).advantage()) > float(FOUR.advantage())


def test_priors_near_the_stated_one_are_covered():
    """Every prior over person and others has densities of 1 or 3 times the stated one: the corners of the class."""
    asked, factor = OthersAsNoise(2, HALF).rounded(3), 3
    bound = Fraction(float(asked.posterior(HALF, 3, within=factor)))
    reached = Fraction(0)
    datasets = list(itertools.product((0, 1), repeat=3))
    for times in itertools.product((1, factor), repeat=8):
        left = [(dataset[0], weight) for dataset, weight in zip(datasets, times, strict=True) if sum(dataset) >= 2]
        reached = max(reached, Fraction(sum(w for person, w in left if person), sum(w for _, w in left)))
    assert 0 <= bound - reached <= GAP


def test_two_counts_of_the_same_people_tell_what_neither_does():
    """The count of all, and the count without the person, which has no advantage at all."""
    both: dict[int, set[tuple[int, int]]] = {person: set() for person in (0, 1)}
    for person, *others in itertools.product((0, 1), repeat=5):
        both[person].add((person + sum(others), sum(others)))
    assert both[0].isdisjoint(both[1])  # so that the advantage of both is 1
    assert is_it(FOUR.advantage(), Fraction(3, 8))
    with pytest.raises(NotImplied, match=r"advantages 3/8 and 0, and together 1"):
        FOUR.together(FOUR)


def ask_ledger(promise, where):
    with Ledger.create(str(where / "ledger.db"), actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=[limits.posterior(0.3, prior=0.1)], failure="0.01", books=["zcdp"])
        ledger.reserve("2026", promise, what="a count")


LIMIT = limits.posterior(0.3, prior=0.1)
QUESTIONS = {
    "posterior": lambda x, knows: membership.posterior(x, 0.5, knows=knows),
    "power": lambda x, knows: testing.power(x, 0.05, knows=knows),
    "advantage": lambda x, knows: testing.advantage(x, knows=knows),
    "posterior ratio": lambda x, knows: counterfactual.posterior_ratio(x, knows=knows),
    "total variation": lambda x, knows: counterfactual.total_variation(x, failure=0.01, knows=knows),
    "absolute risk": lambda x, _: disclosure.absolute_risk(x, inclusion=0.5, value=0.1),
    "assess": lambda x, knows: assess(x, whit.Adversary(prior=0.5, knows=knows)),
    "check": lambda x, _: check(x, LIMIT),
    "compose with itself": lambda x, _: whit.compose(x, x),
    "compose with a promise": lambda x, _: whit.compose(PureDP(1.0), x),
    "compose with noise": lambda x, _: whit.compose(Gaussian(1.0), x),
    "spent": lambda x, _: recommend(LIMIT, Gaussian, spent=[x]),
}


@pytest.mark.parametrize("knows", list(Knowledge), ids=lambda knows: knows.name)
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_school_takes_it_for_a_promise_whatever_is_known_of_the_others(question, knows):
    with pytest.raises(InvalidInput, match="promise must hold whatever the reader knows of the others"):
        QUESTIONS[question](FOUR, knows)


def test_it_is_not_compared_with_promises():
    with pytest.raises(InvalidInput, match="what is compared must be at least one promise"):
        compare({"noise": PureDP(1.0), "none": FOUR})


def test_no_ledger_takes_it_for_a_promise(tmp_path):
    with pytest.raises(InvalidInput, match="promise must hold whatever the reader knows"):
        ask_ledger(FOUR, tmp_path)


@pytest.mark.parametrize(("number", "chance"), [(2500, 0.3), (5000, Fraction(1, 100)), (6000, Fraction(7, 10))])
def test_many_others_are_bounded_just_above_the_truth(number, chance):
    asked, p = OthersAsNoise(number, chance), Fraction(chance)
    with mpmath.workdps(60):
        q = [mpmath.mpf(each.numerator) / each.denominator for each in (p, 1 - p)]
        law = [mpmath.binomial(number, k) * q[0] ** k * q[1] ** (number - k) for k in range(number + 1)]
        coarse = asked.rounded(5)
        starts = [each.ends[0] for each in coarse.statements[1:]]
        truths = {
            "exact": (asked.advantage(), max(law)),
            "rounded": (coarse.advantage(), max(law[c - 1] for c in starts if c <= number + 1)),
        }
        middle = int(number * p) // 5 * 5
        inside, outside = (mpmath.fsum(law[middle - 2 - shift : middle + 3 - shift]) for shift in (1, 0))
        truths["posterior"] = (coarse.posterior(0.25, middle), inside / (inside + 3 * outside))
        cut = middle + 3
        power, level = mpmath.fsum(law[cut - 1 :]), mpmath.fsum(law[cut:])
        truths["power"] = (coarse.power(Fraction(int(level * 2**80), 2**80)), power)
        for found, truth in truths.values():
            assert found.direction is Direction.AT_MOST
            assert -(mpmath.mpf(2) ** -70) <= mpmath.mpf(float(found)) - truth <= GAP


def test_a_million_others_are_not_too_many():
    found = OthersAsNoise(10**6, HALF).advantage()
    with mpmath.workdps(40):
        truth = mpmath.binomial(10**6, 5 * 10**5) / mpmath.mpf(2) ** (10**6)
        assert 0 <= mpmath.mpf(float(found)) - truth <= GAP


def test_far_from_the_middle_nothing_is_ruled_out_and_nothing_is_said_to_be_impossible():
    many = OthersAsNoise(10**5, HALF)
    assert float(many.posterior(HALF, 10**5)) == 1
    assert float(many.posterior(HALF, 0)) == 0
    assert float(many.posterior(0, 10**5)) == 0
    assert float(many.largest_posterior(HALF)) == 1


def test_both_ways_to_the_law_agree():
    """The exact law of 1,000 others lies between the bounds that are used for more of them."""
    from whit.audit.law_of_others import _bounded

    number, p = 1000, Fraction(3, 10)
    below, above = _bounded(number, p)
    middle = below.index(max(below))
    weights = [comb(number, k) * 3**k * 7 ** (number - k) for k in range(number + 1)]
    for low, high, weight in zip(below, above, weights, strict=True):
        assert low * weights[middle] <= weight * below[middle] <= high * weights[middle]


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: OthersAsNoise(-1, HALF), InvalidInput, "number must be from 0"),
        (lambda: OthersAsNoise(10**12, HALF), InvalidInput, "number must be from 0 to 1000000"),
        (lambda: OthersAsNoise(2.5, HALF), InvalidInput, "number must be a whole number"),
        (lambda: OthersAsNoise(4, 1.5), InvalidInput, "chance must be a probability"),
        (lambda: OthersAsNoise(4, float("nan")), InvalidInput, "chance must be a finite number"),
        (lambda: OthersAsNoise.each(3), InvalidInput, "chances must be a list"),
        (lambda: FOUR.knowing(in_=3, out=2), InvalidInput, "at most the 4 others"),
        (lambda: OthersAsNoise.each([0.25, 0.5]).knowing(out=1), NotImplied, "does not say who is known"),
        (lambda: FOUR.rounded(10), InvalidInput, "halves must be given for an even base"),
        (lambda: FOUR.rounded(10, halves=Halves.EITHER), NotImplied, "needs a rule for halves"),
        (lambda: FOUR.ranges([]), InvalidInput, "statements must be statements about a count"),
        (lambda: FOUR.ranges([Between(0, 1), TopCoded(3)]), InvalidInput, "must leave every count to one"),
        (lambda: FOUR.ranges([Between(0, 2), TopCoded(2)]), InvalidInput, "must leave every count to one"),
        (lambda: FOUR.ranges([TopCoded(0), Between(1, 9)]), InvalidInput, "must leave every count to one"),
        (lambda: FOUR.ranges([Between(0, 2), Between(3, 4)]), InvalidInput, "must reach the count of all people, 5"),
        (lambda: FOUR.suppressed(below=0), InvalidInput, "below must be above 0"),
        (lambda: FOUR.posterior(HALF, 6), InvalidInput, "outcome must be something that may be published"),
        (lambda: FOUR.posterior(HALF, Rounded(5, 5)), InvalidInput, "outcome must be something that may be published"),
        (lambda: FOUR.posterior(0, 5), NotImplied, "not defined after an outcome of probability 0"),
        (lambda: FOUR.posterior(2, 5), InvalidInput, "prior must be a probability"),
        (lambda: FOUR.power(-1), InvalidInput, "level must be a probability"),
        (lambda: OthersAsNoise(10**5, HALF).law(person_in=True), TooCostly, "is not worked out for so many"),
        (lambda: OthersAsNoise.each([0.1, 0.2] * 5000).advantage(), TooCostly, "others with different chances"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_sentence(ask, error, words):
    with pytest.raises(error, match=words):
        ask()


def test_it_is_a_value():
    again = pickle.loads(pickle.dumps(FOUR.rounded(5)))
    assert again == FOUR.rounded(5)
    assert hash(again) == hash(FOUR.rounded(5))
    assert FOUR != FOUR.rounded(5)
    assert repr(FOUR) == "<OthersAsNoise: 4 with chance 1/2; 6 outcomes>"


def test_the_finding_says_what_is_assumed():
    [key] = FOUR.advantage().basis.theorems
    assert {"others-as-stated", "one-release"} <= set(theorem(key).assumptions)
