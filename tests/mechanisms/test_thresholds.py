"""Keys by a threshold against whole laws of geometric noise, and chances of keys against their recursion."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from mpmath import erfc, exp, mpf, sqrt

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.mechanisms import Gaussian, Geometric, Laplace, PartitionSelection, ThresholdedNoise
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction


def told(value: int, threshold: int, reach: int = 60) -> list[Fraction]:
    """The law of what is told under geometric noise with e^-epsilon = 1/2.

    Nothing comes first, then the values from the threshold on; the last one stands for all beyond it as well.
    """
    mass = [Fraction(1, 3) * Fraction(1, 2) ** abs(x - value) for x in range(threshold, reach)]
    last = Fraction(1, 3) * Fraction(1, 2) ** (reach - value) * 2
    return [1 - sum(mass) - last, *mass, last]


SILENT = [Fraction(1), *[Fraction(0)] * (len(told(0, 5)) - 1)]


def delta(p: list[Fraction], q: list[Fraction], t: float) -> mpf:
    factor = exp(mpf(t))
    terms = (
        mpf(x.numerator) / x.denominator - factor * (mpf(y.numerator) / y.denominator)
        for x, y in zip(p, q, strict=True)
    )
    return sum((term for term in terms if term > 0), mpf(0))


def cases(threshold: int) -> list[tuple[list[Fraction], list[Fraction]]]:
    """One key that nobody else has, and keys that some others have; with the person and without."""
    return [(told(1, threshold), SILENT), *((told(n + 1, threshold), told(n, threshold)) for n in range(1, 10))]


GEOMETRIC = Geometric(math.log(2.0))


def test_no_key_beats_the_bound():
    release = ThresholdedNoise(GEOMETRIC, 5.0)
    for p, q in cases(5):
        for t in (0.0, 0.2, 0.5, 0.69, 0.7, 1.5):
            assert max(delta(p, q, t), delta(q, p, t)) <= float(release.delta(t))
    new = delta(*cases(5)[0], 0.7)
    assert float(release.delta(0.7)) <= new * (1 + mpf("1e-9"))  # and the new key reaches it


def test_no_two_keys_beat_the_bound():
    release = ThresholdedNoise(GEOMETRIC, 4.0, 2)
    laws = [(told(1, 4, 12), [Fraction(1), *[Fraction(0)] * (len(told(0, 4, 12)) - 1)])]
    laws += [(told(n + 1, 4, 12), told(n, 4, 12)) for n in (1, 3, 5)]
    for first, second in product(laws, repeat=2):
        p, q = ([a * b for a in one for b in other] for one, other in zip(first, second, strict=True))
        for t in (0.0, 0.7, 1.0, 1.4):
            assert max(delta(p, q, t), delta(q, p, t)) <= float(release.delta(t)) * (1 + 1e-12)


def test_the_corner_of_pure_noise_is_told_without_loss():
    for keys in (1, 3, 20):
        release = ThresholdedNoise(Laplace(2.0), 30.0, keys)
        chance = exp(-mpf(29) / 2) / 2
        corner = float(release.delta(keys * 0.5 * (1 + 1e-6)))
        truth = 1 - (1 - chance) ** keys
        assert truth <= corner <= truth * (1 + mpf("1e-6"))


def test_gaussian_noise_is_bounded_by_its_two_parts_and_not_by_their_sum():
    sigma, threshold, t = 5.0, 25.0, 0.5
    release = ThresholdedNoise(Gaussian(sigma), threshold)
    new = erfc((mpf(threshold) - 1) / sigma / sqrt(2)) / 2
    noise = mpf(float(Gaussian(sigma).delta(t)))
    found = float(release.delta(t))
    assert max(new, noise) * (1 - mpf("1e-9")) <= found < new + noise
    assert float(release.new_key()) >= new


def test_the_distance_to_the_threshold_is_rounded_down():
    change, threshold = 0.1, 0.3  # their difference is no double
    release = ThresholdedNoise(Laplace(0.01, sensitivity=Sensitivity(add_remove=change, replace=change)), threshold)
    truth = exp(-(mpf(threshold) - mpf(change)) / mpf(0.01)) / 2
    assert truth <= float(release.new_key()) <= truth * (1 + mpf("1e-12"))


def test_what_is_said_of_keys_is_an_upper_bound():
    for release in (ThresholdedNoise(Laplace(1.0), 10.0), PartitionSelection(1.0, 1e-6)):
        assert release.curve().direction is Direction.AT_MOST
        assert not release.is_exact
        assert release.relations == (Neighbours.ADD_REMOVE,)
        with pytest.raises(NotImplied, match="the loss of keys depends on who else has the keys"):
            release.loss()


def test_samples_tell_what_reaches_the_threshold():
    drawn = ThresholdedNoise(Laplace(0.1), 10.0).sample(np.random.default_rng(1), 5, values=[1.0, 30.0])
    assert np.all(np.isnan(drawn[:, 0]))
    assert np.all(drawn[:, 1] > 20)
    keys = PartitionSelection(1.0, 1e-6).sample(np.random.default_rng(1), 7, people=[0, 100])
    assert keys.tolist() == [[False, True]] * 7


def recursion(factor: Fraction, chance: Fraction, people: int) -> list[Fraction]:
    """The largest chances that (epsilon, delta) allows from one person to the next, with e^epsilon = factor."""
    found = [Fraction(0)]
    for _ in range(people):
        before = found[-1]
        found.append(min(factor * before + chance, 1 - (1 - before - chance) / factor, Fraction(1)))
    return found


@pytest.mark.parametrize(("factor", "chance"), [(2, "1/10"), ("3/2", "1/10"), (3, "1/100000"), ("11/10", "1/50")])
def test_chances_are_those_of_the_recursion(factor, chance):
    factor, chance = Fraction(factor), Fraction(chance)
    selection = PartitionSelection(math.log(factor), float(chance))
    truth = recursion(factor, chance, 60)
    found = selection.keep(np.arange(61))
    assert np.asarray(found.value) == pytest.approx([float(x) for x in truth], rel=1e-10)
    assert np.all(np.asarray(found.lower) <= np.array([float(x) for x in truth]) * (1 + 1e-10))


def test_chances_keep_epsilon_and_delta_and_no_larger_ones_do():
    """Each step meets one of the two bounds, so that raising one chance breaks a step."""
    factor, chance = Fraction(3, 2), Fraction(1, 20)
    pi = recursion(factor, chance, 40)
    for before, after in pairwise(pi):
        pairs = ((after, before), (before, after), (1 - after, 1 - before), (1 - before, 1 - after))
        slacks = [factor * y + chance - x for x, y in pairs]
        assert min(slacks) >= 0
        assert min(slacks) == 0 or after == 1


def test_a_key_needs_so_many_people():
    late, soon = PartitionSelection(1.0, 1e-3, people=5), PartitionSelection(1.0, 1e-3)
    assert np.all(np.asarray(late.keep(np.arange(5)).value) == 0.0)
    assert float(late.keep(9)) == float(soon.keep(5))


def test_keys_share_epsilon_and_delta():
    selection = PartitionSelection(1.0, 1e-3, keys=4)
    assert 1 - (1 - mpf(selection.key_delta)) ** 4 == pytest.approx(1e-3, rel=1e-12)
    assert float(selection.delta(1.0)) == pytest.approx(1e-3, rel=1e-9)
    assert float(selection.delta(0.5)) < float(PartitionSelection(1.0, 1e-3).delta(0.5))


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.02), (1e-20, 0.02), (50.0, 1e-200), (1.7e308, 1e-200)])
def test_extremes_are_chances(epsilon, delta):
    chances = np.asarray(PartitionSelection(epsilon, delta).keep(np.arange(80)).value)
    assert np.all((chances >= 0.0) & (chances <= 1.0) & np.isfinite(chances))
    assert np.all(np.diff(chances) >= 0.0)
    assert chances[1] == pytest.approx(delta, rel=1e-9)
    assert chances[-1] == 1.0


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: ThresholdedNoise(Laplace(1.0), 0.5), Incompatible, "threshold must be at least the change of a value"),
        (lambda: ThresholdedNoise(1.0, 5.0), InvalidInput, "noise must be added to one value for each key; got 1.0"),
        (lambda: ThresholdedNoise(Laplace(1.0), math.inf), InvalidInput, "threshold must be a finite number; got inf"),
        (lambda: ThresholdedNoise(Laplace(1.0), 5.0, 0), InvalidInput, "keys must be a whole number of at least 1"),
        (lambda: PartitionSelection(1.0, 0.0), InvalidInput, "delta must be .*; got 0.0. Use a small number"),
        (lambda: PartitionSelection(1.0, 0.1).keep(1.5), InvalidInput, "people must be whole numbers of at least 0"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(build, error, message):
    with pytest.raises(error, match=message):
        build()
