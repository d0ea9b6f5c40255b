"""No release and no prior beats what is said about membership (KSZJY25, Section 3), and some come up to it.

The adversary knows everyone else, and the record that the person has if they are in the data. The bounds are written
out here once more, as fractions: with R = e^epsilon they need no exponentials. The referee goes through all outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from worlds_random import (
    HAIR,
    KERNELS,
    PRIVATE,
    delta,
    factor,
    largest_ratio,
    ordered_pairs,
    prior,
    promises,
    renyi,
    rho,
    tail,
    worlds,
)

from whit.curves import Curve, FinitePair, Orientation, largest_loss, posterior_tail
from whit.setting import Neighbours
from whit.worlds import ABSENT, Belief, Law, Present, Universe, World

ADD = Neighbours.ADD_REMOVE
TWO = Universe(2, ("a", "b"))

many = pytest.mark.parametrize("number", [120, pytest.param(3000, marks=pytest.mark.slow)])


@dataclass(frozen=True)
class Case:
    """A world in which one person is there or not, and all else is known."""

    world: World
    person: int
    prior: Fraction
    present: tuple[object, ...]
    absent: tuple[object, ...]

    @property
    def event(self) -> Present:
        return Present(self.person)

    def posteriors(self) -> list[Law]:
        """The law of the posterior, with the person in the data and without."""
        return [self.world.law_of_posterior(self.event, truth=truth) for truth in (self.present, self.absent)]

    def rows(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        places = (self.world.universe.place(dataset) for dataset in (self.present, self.absent))
        p, q = (self.world.kernel[place] for place in places)
        return p, q


def case_of(rng: np.random.Generator, world: World, start: Fraction) -> Case:
    person = int(rng.integers(0, world.universe.people))
    others = world.universe.rest(int(rng.integers(0, len(world.kernel))), person)
    record = world.universe.records[int(rng.integers(0, len(world.universe.records)))]
    belief = Belief.knowing_everyone_else(world.universe, person, {record: start, ABSENT: 1 - start}, others)
    present, absent = ((*others[:person], own, *others[person:]) for own in (record, ABSENT))
    return Case(World(belief, world.kernel), person, start, present, absent)


def cases(
    seed: int, number: int, kernels: tuple[Callable[..., object], ...] = KERNELS
) -> Iterator[tuple[np.random.Generator, Case]]:
    for rng, world in worlds(seed, number, TWO, kernels=kernels):
        yield rng, case_of(rng, world, prior(rng))


def ends(p: Fraction, ratio: Fraction) -> tuple[Fraction, Fraction]:
    """The interval of Theorem 3.2."""
    return p / (p + (1 - p) * ratio), p / (p + (1 - p) / ratio)


def outside(law: Law, low: Fraction, high: Fraction) -> Fraction:
    """The probability of values below the one or above the other."""
    assert law.undefined == 0
    return 1 - law.chance_beyond(low, closed=True) + law.chance_beyond(high)


def moved_too_far(law: Law, p: Fraction, ratio: Fraction) -> Fraction:
    """The probability that the belief moves by more than tanh(epsilon/4), for e^epsilon = ratio.

    |x - p| > (r - 1)/(r + 1) for r = e^(epsilon/2) if, and only if, ((1 + |x - p|)/(1 - |x - p|))^2 > r^2.
    """
    atoms = zip(law.values, law.chances, strict=True)
    gone = ((abs(Fraction(value) - p), chance) for value, chance in atoms)
    return sum((chance for gap, chance in gone if gap == 1 or ((1 + gap) / (1 - gap)) ** 2 > ratio), start=Fraction(0))


def one_person(rows: list[list[Fraction]], start: Fraction) -> Case:
    """The person is absent (first row) or present."""
    universe = Universe(1, ("a",))
    world = World(Belief(universe, [1 - start, start]), rows)
    return Case(world, 0, start, ("a",), (ABSENT,))


def coin(ratio: Fraction) -> list[list[Fraction]]:
    """Randomized response with odds."""
    return [[1 / (1 + ratio), ratio / (1 + ratio)], [ratio / (1 + ratio), 1 / (1 + ratio)]]


# Theorem 3.1 and Corollaries 3.6 to 3.8: pure differential privacy.


@many
def test_the_posterior_is_the_loss_pushed_through_bayes_rule(number: int) -> None:
    for _, case in cases(31, number):
        p, q = case.rows()
        for outcome, (a, b) in enumerate(zip(p, q, strict=True)):
            if a > 0:
                odds = case.prior / (1 - case.prior)
                found = case.world.exact.posterior(np.array([x == case.present for x in TWO.datasets]), outcome)
                assert found == (1 if b == 0 else odds * (a / b) / (1 + odds * (a / b)))


@many
def test_pure_differential_privacy_bounds_posterior_ratio_and_difference(number: int) -> None:
    for _, case in cases(36, number, PRIVATE):
        ratio = largest_ratio(case.world, ADD)
        assert ratio is not None
        for law in case.posteriors():
            assert outside(law, *ends(case.prior, ratio)) == 0
            assert outside(law, case.prior / ratio, case.prior * ratio) == 0
            assert moved_too_far(law, case.prior, ratio) == 0


@pytest.mark.parametrize("root", [Fraction(3, 2), Fraction(3), Fraction(20)])
def test_randomized_response_attains_all_three(root: Fraction) -> None:
    ratio = root**2
    case = one_person(coin(ratio), 1 / (1 + root))  # the worst prior for the difference
    law = case.posteriors()[0]
    assert law.values[-1] == ends(case.prior, ratio)[1]
    assert Fraction(law.values[-1]) - case.prior == (root - 1) / (root + 1)
    small = Fraction(1, 10**9)
    assert one_person(coin(ratio), small).posteriors()[0].values[-1] > small * ratio * (1 - Fraction(1, 10**6))


# Theorems 3.2, 3.3, 3.5: probabilistic differential privacy.


@many
def test_the_posterior_leaves_its_interval_exactly_as_often_as_the_loss_does(number: int) -> None:
    """Theorem 3.2 in both directions: for each prior, not only for the worst."""
    for rng, case in cases(32, number):
        ratio, (p, q) = factor(rng), case.rows()
        for law, first, second in zip(case.posteriors(), (p, q), (q, p), strict=True):
            both = tail(first, second, ratio) + tail(first, second, ratio, far=True)
            assert outside(law, *ends(case.prior, ratio)) == both


@many
def test_ratio_and_difference_fail_at_most_as_often_as_the_loss_exceeds(number: int) -> None:
    for rng, case in cases(33, number):
        ratio, (p, q) = factor(rng), case.rows()
        for law, first, second in zip(case.posteriors(), (p, q), (q, p), strict=True):
            both = tail(first, second, ratio) + tail(first, second, ratio, far=True)
            assert outside(law, case.prior / ratio, case.prior * ratio) <= both
            assert moved_too_far(law, case.prior, ratio) <= both


@many
def test_small_differences_for_all_priors_imply_small_tails(number: int) -> None:
    """Theorem 3.5(2), with the condition e^(epsilon/2) < 3 that it needs for its second half."""
    for rng, case in cases(35, number):
        root = 1 + Fraction(int(rng.integers(1, 300)), 100)
        priors = (1 / (1 + root), root / (1 + root), Fraction(1, 2))
        laws = [(p, law) for p in priors for law in case_of_same(case, p).posteriors()]
        failing = max(moved_too_far(law, p, root**2) for p, law in laws)
        p, q = case.rows()
        for first, second in ((p, q), (q, p)):
            assert tail(first, second, root**2) + tail(first, second, root**2, far=True) <= 2 * failing
            if root < 3:
                wider = (3 * root - 1) / (3 - root)
                assert tail(first, second, wider) + tail(first, second, wider, far=True) <= failing


def case_of_same(case: Case, start: Fraction) -> Case:
    """The same release and person, with another prior."""
    record, others = case.present[case.person], case.present[: case.person] + case.present[case.person + 1 :]
    belief = Belief.knowing_everyone_else(TWO, case.person, {record: start, ABSENT: 1 - start}, others)
    return Case(World(belief, case.world.kernel), case.person, start, case.present, case.absent)


# T1 and T2, Theorem 3.9 and Corollaries 3.10 to 3.12: approximate differential privacy.


@many
def test_the_far_side_is_smaller(number: int) -> None:
    for rng, case in cases(1, number):
        ratio, (p, q) = factor(rng), case.rows()
        assert tail(p, q, ratio, far=True) <= tail(q, p, ratio) / ratio


@many
def test_approximate_differential_privacy_bounds_the_tails(number: int) -> None:
    for rng, case in cases(2, number):
        small, large = sorted((factor(rng), factor(rng)))
        if small == large:
            continue
        d, (p, q) = delta(case.world, ADD, small), case.rows()
        one = d / (1 - small / large)
        late = (small - 1 + d) / (small - 1 / large)
        for first, second in ((p, q), (q, p)):
            near = tail(first, second, large, closed=True)
            assert near <= min(one, late)
            assert near + tail(first, second, large, far=True, closed=True) <= one * (1 + 1 / large)


@many
def test_approximate_differential_privacy_bounds_posterior_ratio_and_difference(number: int) -> None:
    told = 0
    for rng, case in cases(39, number):
        small = factor(rng)
        d = delta(case.world, ADD, small)
        failure = d + (1 - d) * Fraction(int(rng.integers(1, 1000)), 1000)
        if failure <= d:
            continue
        ratio = (failure * small + d) / (failure - d)
        for law in case.posteriors():
            assert outside(law, *ends(case.prior, ratio)) <= failure
            assert outside(law, case.prior / ratio, case.prior * ratio) <= failure
            assert moved_too_far(law, case.prior, ratio) <= failure
            told += 0 < d < failure < 1
    assert told > number // 2


def test_a_release_attains_the_tail_of_approximate_differential_privacy() -> None:
    small, large, d = Fraction(2), Fraction(4), Fraction(1, 16)
    a = d / (1 - small / large)
    rest = 1 - a - a / large
    case = one_person([[a / large, a, rest], [a, a / large, rest]], Fraction(1, 3))
    assert delta(case.world, ADD, small) == d
    near, far = (tail(*case.rows(), large, far=far, closed=True) for far in (False, True))
    assert near == a
    assert near + far == d * (1 + 1 / large) / (1 - small / large)
    assert case.posteriors()[0].chance_beyond(ends(case.prior, large)[1], closed=True) == a


def test_where_that_is_too_much_for_a_probability_another_release_attains_the_sharper_bound() -> None:
    small, large, d = Fraction(11, 10), Fraction(33, 20), Fraction(3, 10)
    a = (small - 1 + d) / (small - 1 / large)
    case = one_person([[a / large, 1 - a / large], [a, 1 - a]], Fraction(1, 2))
    assert delta(case.world, ADD, small) == d
    assert tail(*case.rows(), large, closed=True) == a < d / (1 - small / large)


# T3 to T5: the whole curve, concentrated privacy, known noise.


@many
def test_the_tail_is_the_profile_minus_its_slope(number: int) -> None:
    """The slope from the right is -e^t Q[Z > t]: here it is taken between two points with no knot in between."""
    for rng, case in cases(3, number):
        p, q = case.rows()
        start = factor(rng)
        knots = [a / b for a, b in zip(p, q, strict=True) if b > 0 and a / b > start]
        end = (start + min(knots, default=start + 1)) / 2
        profile = [sum(max(a - each * b, Fraction(0)) for a, b in zip(p, q, strict=True)) for each in (start, end)]
        assert tail(p, q, start) == profile[0] - start * (profile[1] - profile[0]) / (end - start)


@many
def test_concentrated_differential_privacy_bounds_both_tails(number: int) -> None:
    for rng, case in cases(4, number, PRIVATE):
        budget, ratio = rho(case.world, ADD), factor(rng)
        t = math.log(ratio)
        near = math.exp(-((t - budget) ** 2) / (4 * budget)) if t > budget else 1.0
        far = math.exp(-((t + budget) ** 2) / (4 * budget)) if t > budget else math.exp(-t)
        p, q = case.rows()
        for law, first, second in zip(case.posteriors(), (p, q), (q, p), strict=True):
            assert tail(first, second, ratio) <= near * HAIR
            assert tail(first, second, ratio, far=True) <= far * HAIR
            assert outside(law, *ends(case.prior, ratio)) <= (near + far) * HAIR


@many
def test_renyi_differential_privacy_bounds_both_tails_at_each_order(number: int) -> None:
    for rng, case in cases(44, number, PRIVATE):
        order, ratio = 1 + 10 ** rng.uniform(-1, 1.5), factor(rng)
        t, gamma = math.log(ratio), float(renyi(case.world, ADD, order))
        p, q = case.rows()
        for first, second in ((p, q), (q, p)):
            assert tail(first, second, ratio) <= math.exp(min(0.0, (order - 1) * (gamma - t))) * HAIR
            assert tail(first, second, ratio, far=True) <= math.exp(min(0.0, (order - 1) * gamma - order * t)) * HAIR


@many
def test_the_law_of_the_posterior_is_what_the_curve_says(number: int) -> None:
    for rng, case in cases(5, number):
        start, threshold = float(case.prior), float(rng.uniform(0, 1))
        curve = Curve.exact(FinitePair.of(*([float(a) for a in row] for row in case.rows())))
        said = posterior_tail(curve, threshold, prior=start, orientation=Orientation.FORWARD)
        true = case.posteriors()[0].chance_beyond(threshold)
        assert said.lower <= true <= said.upper


# The largest loss, as whit.curves.largest_loss reports it.


@pytest.mark.parametrize("number", [2, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("sides", [1, 2])
def test_the_loss_exceeds_the_largest_one_at_most_as_often_as_stated(number: int, sides: int) -> None:
    told = 0
    for rng, world in worlds(60 + sides, number, Universe(1, ("a",))):
        failures = np.array([1e-4, 0.01, 0.3])
        for promised in (*promises(rng, world, ADD), world.mechanism(ADD)):
            limits = np.asarray(largest_loss(promised, failures, sides=sides).value)
            for failure, limit in zip(failures, limits, strict=True):
                if limit < 700:
                    check_that_no_pair_exceeds(world, limit, failure, sides)
                    told += 1
    assert told > number


def check_that_no_pair_exceeds(world: World, limit: float, failure: float, sides: int) -> None:
    ratio = Fraction(math.exp(limit)) * (1 + Fraction(1, 10**12))
    for p, q in ordered_pairs(world, ADD):
        assert tail(p, q, ratio) + (tail(p, q, ratio, far=True) if sides == 2 else 0) <= failure
