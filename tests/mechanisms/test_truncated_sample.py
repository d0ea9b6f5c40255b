"""A Poisson sample that is cut at a largest size, against all samples and all cuts of small datasets, in fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import mpmath
import numpy as np
import pytest

from whit.curves import ToldMixture
from whit.errors import InvalidInput, NotImplied
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, PoissonSubsampled, TruncatedPoissonSample
from whit.setting import Neighbours, Sensitivity

HALF = Fraction(1, 2)
EITHER_WAY = Sensitivity(add_remove=1, replace=2)


def released(values: list[int], rate: Fraction, largest: int, reach: int = 30) -> dict[int, Fraction]:
    """The law of the noisy sum, with two-sided geometric noise whose chances halve at each step."""
    sums: dict[int, Fraction] = {}
    for drawn in product((False, True), repeat=len(values)):
        chance = math.prod((rate if each else 1 - rate for each in drawn), start=Fraction(1))
        chosen = [value for value, each in zip(values, drawn, strict=True) if each]
        cuts = list(combinations(chosen, largest)) if len(chosen) > largest else [tuple(chosen)]
        for kept in cuts:
            sums[sum(kept)] = sums.get(sum(kept), Fraction(0)) + chance / len(cuts)
    law: dict[int, Fraction] = {}
    for total, chance in sums.items():
        for step in range(-reach, reach + 1):
            noise = HALF ** abs(step) / 3 if abs(step) < reach else HALF ** (reach - 1) / 3
            law[total + step] = law.get(total + step, Fraction(0)) + chance * noise
    return law


def profile(p: dict[int, Fraction], q: dict[int, Fraction], ratio: Fraction) -> float:
    zero = Fraction(0)
    return float(sum((max(p.get(o, zero) - ratio * q.get(o, zero), zero) for o in {*p, *q}), start=zero))


# The noise above is cut off: what lies beyond 30 steps is less than this.
BEYOND = 2.0**-26
RATIOS = [Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(3)]


@pytest.mark.slow
def test_no_small_dataset_beats_the_bound_in_either_order() -> None:
    rng = np.random.default_rng(20261116)
    for _ in range(40):
        people, largest = int(rng.integers(1, 6)), int(rng.integers(1, 4))
        values = [int(each) for each in rng.integers(-1, 2, people)]
        rate = Fraction(int(rng.integers(1, 16)), 16)
        noise = Geometric(math.log(2.0), sensitivity=EITHER_WAY)
        release = TruncatedPoissonSample(noise, float(rate), largest=largest, population=people)
        with_them, without = released(values, rate, largest), released(values[1:], rate, largest)
        other = released([-1 if values[0] > 0 else 1, *values[1:]], rate, largest)
        face = release.curve().face
        for ratio in RATIOS:
            epsilon = math.log(ratio)
            removed, added = (float(np.exp(each.log_delta(epsilon).upper)) for each in (face, face.reverse()))
            assert profile(with_them, without, ratio) <= removed + BEYOND
            assert profile(without, with_them, ratio) <= added + BEYOND
            replaced = float(release.delta(epsilon, neighbours=Neighbours.REPLACE).upper)
            assert profile(with_them, other, ratio) <= replaced + BEYOND


def test_without_the_cut_a_bound_would_be_beaten() -> None:
    noise = Geometric(math.log(2.0), sensitivity=EITHER_WAY)
    with_them, without = released([1, -1, -1], HALF, 1, reach=60), released([-1, -1], HALF, 1, reach=60)
    truth = profile(with_them, without, Fraction(3, 2))
    assert truth > float(PoissonSubsampled(noise, 0.5).delta(math.log(1.5)).upper) + 0.02
    assert truth <= float(TruncatedPoissonSample(noise, 0.5, largest=1, population=3).delta(math.log(1.5)).upper)


def test_a_sample_that_is_never_cut_is_the_whole_one() -> None:
    noise = Gaussian(1.0, sensitivity=EITHER_WAY)
    whole = PoissonSubsampled(noise, 0.1)
    same = TruncatedPoissonSample(noise, 0.1, largest=50, population=50)
    assert same.cut == 0.0
    assert float(same.delta(0.5).upper) == float(whole.delta(0.5).upper)
    seldom = TruncatedPoissonSample(noise, 0.1, largest=40, population=51)
    assert float(seldom.times(10).epsilon(1e-6).upper) == pytest.approx(float(whole.times(10).epsilon(1e-6)), rel=1e-4)


def test_where_replacing_changes_no_more_nothing_is_lost() -> None:
    for noise in (Gaussian(1.0), Geometric(1.0), DiscreteGaussian(2.0)):
        release = TruncatedPoissonSample(noise, 0.5, largest=1, population=100)
        assert float(release.delta(0.3).upper) == float(PoissonSubsampled(noise, 0.5).delta(0.3).upper)


@pytest.mark.parametrize(("population", "rate", "largest"), [(5, 0.25, 3), (9, 0.75, 4), (40, 0.5, 30), (3, 0.9, 3)])
def test_the_chance_of_a_full_sample_is_that_of_the_binomial_law(population: int, rate: float, largest: int) -> None:
    exact = Fraction(rate)
    others = population - 1
    truth = sum(math.comb(others, k) * exact**k * (1 - exact) ** (others - k) for k in range(largest, others + 1))
    cut = TruncatedPoissonSample(Gaussian(1.0), rate, largest=largest, population=population).cut
    assert Fraction(cut) >= truth
    assert cut == pytest.approx(float(truth), rel=1e-11)


def test_large_populations_are_bounded_from_above() -> None:
    summed = TruncatedPoissonSample(Gaussian(1.0), 0.01, largest=10_500, population=10**6).cut
    bounded = TruncatedPoissonSample(Gaussian(1.0), 0.01, largest=10_500, population=10**6 + 2).cut
    assert summed < bounded < 30 * summed
    assert TruncatedPoissonSample(Gaussian(1.0), 0.01, largest=10**6, population=10**9).cut == 1.0


def test_the_bound_is_attained_where_a_record_takes_the_place_of_another() -> None:
    """With one of three kept, whoever is kept beside others has taken the place of one who changed the sum by -1."""
    noise = Geometric(math.log(2.0), sensitivity=EITHER_WAY)
    release = TruncatedPoissonSample(noise, 0.5, largest=1, population=3)
    with_them, without = released([1, -1, -1], HALF, 1, reach=60), released([-1, -1], HALF, 1, reach=60)
    truth = profile(with_them, without, Fraction(3, 2))
    assert truth <= float(release.delta(math.log(1.5)).upper) <= truth * (1 + 1e-9)


def test_a_chance_that_is_only_bounded_makes_no_bound_too_small() -> None:
    """One of 10^6 + 2 people has the number 1, the others 0; of those drawn, at rate 1e-9, one is kept.

    With hardly any noise this one is told apart whenever it is kept: if it is drawn, and chosen among those drawn.
    """
    people, rate = 10**6 + 2, Fraction(1e-9)
    kept = -math.expm1(people * math.log1p(-float(rate))) / people
    noise = Gaussian(0.05, sensitivity=EITHER_WAY)
    release = TruncatedPoissonSample(noise, float(rate), largest=1, population=people)
    assert kept <= float(release.delta(0.0).upper) <= 1.01 * kept


def test_where_it_is_always_cut_few_of_many_are_seen() -> None:
    noise = Gaussian(1.0, sensitivity=EITHER_WAY)
    cut = TruncatedPoissonSample(noise, 1.0, largest=100, population=1000)
    few = PoissonSubsampled(Gaussian(0.5), 0.1)
    assert float(few.delta(0.5)) <= float(cut.delta(0.5).upper) <= 1.05 * float(few.delta(0.5))


def test_a_population_that_fills_the_sample_tells_no_less() -> None:
    noise = Gaussian(1.0, sensitivity=EITHER_WAY)
    populations = [
        float(TruncatedPoissonSample(noise, 0.1, largest=10, population=n).delta(0.5).upper) for n in (5, 60)
    ]
    assert populations[:2] == sorted(populations[:2])


def test_the_power_is_the_lowest_line_of_the_profile() -> None:
    release = TruncatedPoissonSample(Gaussian(1.0, sensitivity=EITHER_WAY), 0.2, largest=30, population=100)
    face = release.curve().face
    assert isinstance(face, ToldMixture)
    epsilons = np.linspace(-12.0, 12.0, 48_001)
    for level in (1e-6, 0.01, 0.3):
        lowest = float(np.min(np.exp(face.log_delta(epsilons).upper) + np.exp(epsilons) * level))
        assert float(np.exp(face.log_power(math.log(level)).upper)) == pytest.approx(lowest, rel=1e-6)


def test_what_is_no_such_sample_is_refused() -> None:
    with pytest.raises(InvalidInput, match="largest must be a whole number of at least 1; got 0"):
        TruncatedPoissonSample(Gaussian(1.0), 0.1, largest=0, population=10)
    with pytest.raises(InvalidInput, match="mechanism must be noise whose loss on a sample is known"):
        TruncatedPoissonSample(PoissonSubsampled(Gaussian(1.0), 0.1), 0.1, largest=1, population=10)
    crossed = Geometric(1.0, sensitivity=Sensitivity(add_remove=2, replace=(1, 1)))
    with pytest.raises(NotImplied, match="needs one change that is the larger one"):
        TruncatedPoissonSample(crossed, 0.5, largest=1, population=10).curve()


def test_many_cut_samples_are_not_above_the_number_of_a_library():
    """The epsilon at 1e-6 of dp-accounting 0.6.0, which takes all cut samples as one case."""
    cut = TruncatedPoissonSample(Gaussian(1.0, sensitivity=EITHER_WAY), 0.01, largest=150, population=10_000)
    assert float(cut.times(100).epsilon(1e-6, neighbours=Neighbours.ADD_REMOVE)) <= 0.9599282723125415


def test_cut_samples_with_a_replaced_record_are_not_above_the_numbers_of_a_library():
    """The epsilons at 1e-6 of dp-accounting 0.6.0: of one sample and of 100."""
    cut = TruncatedPoissonSample(Gaussian(1.0, sensitivity=EITHER_WAY), 0.01, largest=150, population=10_000)
    assert float(cut.epsilon(1e-6, neighbours=Neighbours.REPLACE)) <= 0.3740626760689739
    assert float(cut.times(100).epsilon(1e-6, neighbours=Neighbours.REPLACE)) <= 1.114676973587827


@pytest.mark.parametrize("trials", [10**7, 10**12, 10**16, 10**18, 10**20])
@pytest.mark.parametrize("rate", [1e-6, 0.3, 0.999])
def test_the_chance_of_a_cut_is_no_smaller_than_it_is_for_any_number_of_records(trials: int, rate: float) -> None:
    """One standard deviation above the mean it is 0.1587 by the normal law, and Chernoff's bound lies above it."""
    with mpmath.workdps(60):
        q = mpmath.mpf(rate)
        wanted = int(mpmath.ceil(trials * q + mpmath.sqrt(trials * q * (1 - q))))
        share = mpmath.mpf(wanted) / trials
        divergence = share * mpmath.log(share / q) + (1 - share) * mpmath.log((1 - share) / (1 - q))
        chernoff = mpmath.exp(-trials * divergence)
    cut = TruncatedPoissonSample(Gaussian(1.0), rate, largest=wanted, population=trials + 1).cut
    assert cut >= chernoff > 0.1587
    assert trials > 10**7 or cut == pytest.approx(float(chernoff), rel=1e-6)
