"""A report among clones: the sum over all numbers of clones, term by term and in many digits."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest

from whit.curves import Clones, ClonesProfile, clones


def delta(loss: float, others: int, share: float, at: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        g, x, p = mpmath.exp(mpmath.mpf(loss)), mpmath.exp(mpmath.mpf(at)), mpmath.mpf(share)
        total = mpmath.mpf(0)
        for c in range(others + 1):
            weight = mpmath.binomial(others, c) * p**c * (1 - p) ** (others - c) / mpmath.mpf(2) ** c / (g + 1)
            for a in range(c + 2):
                own, other = (mpmath.binomial(c, a - 1) if a else 0), mpmath.binomial(c, a)
                total += weight * max(g * own + other - x * (own + g * other), 0)
        return total


@pytest.mark.parametrize(("loss", "others", "share"), [(1.0, 0, 0.3), (0.5, 7, 0.0), (2.0, 20, 0.9), (3.0, 33, 0.02)])
def test_the_bound_is_just_above_the_sum(loss: float, others: int, share: float) -> None:
    for part in (0.0, 0.1, 0.5, 0.97):
        found = mpmath.exp(mpmath.mpf(float(Clones(loss, others, share).log_delta(np.array(part * loss)))))
        truth = delta(loss, others, share, part * loss)
        assert truth <= found <= truth * (1 + mpmath.mpf("1e-10"))


def test_numbers_of_clones_that_are_put_together_make_the_bound_larger(monkeypatch) -> None:
    """Few groups, and few outcomes in the tables: still no less than the sum, and not much more."""
    for name, few in (("CELLS", 64), ("FEWEST", 4), ("MOST", 6), ("FAR", 3.0), ("MORE", 4)):
        monkeypatch.setattr(clones, name, few)
    for part in (0.0, 0.05, 0.2, 0.6):
        found = mpmath.exp(mpmath.mpf(float(Clones(1.0, 60, 0.4).log_delta(np.array(part)))))
        truth = delta(1.0, 60, 0.4, part)
        assert truth <= found
        assert found <= 2 * truth or part > 0.2  # beyond, the outcomes are not in the tables


def test_fewer_clones_and_fewer_others_tell_more() -> None:
    at = np.array([0.0, 0.03, 0.1, 0.4])
    shares = [Clones(1.0, 300, share).log_delta(at) for share in (0.0, 0.1, 0.35, 0.8)]
    others = [Clones(1.0, number, 0.35).log_delta(at) for number in (0, 5, 80, 3000)]
    for row in (shares, others):
        assert all(np.all(more <= fewer + 1e-12) for fewer, more in itertools.pairwise(row))


def test_power_and_profile_are_those_of_one_pair() -> None:
    face = ClonesProfile.among(Clones(1.0, 40, 0.35))
    assert face.reverse() is face
    levels = np.log([1e-4, 0.05, 0.5])
    t = np.linspace(-1.0, 1.0, 20_001)
    lines = np.logaddexp(face.log_delta(t).upper, t + levels[:, None]).min(axis=1)
    np.testing.assert_allclose(face.log_power(levels).upper, lines, rtol=1e-5)
    assert np.all(face.log_power(levels).upper <= lines + 1e-8)
    # The pair of the chords, by which it is composed, is nowhere below.
    at = np.linspace(0.0, 0.99, 37)
    assert np.all(face.finite.log_delta(at).upper >= face.log_delta(at).upper - 1e-12)
    assert "among 40 others" in repr(face)


@pytest.mark.parametrize(("others", "share"), [(50_000, 0.3), (20_000, 0.01)])
def test_the_chances_of_each_number_of_clones_and_of_those_left_out_are_not_too_small(others, share) -> None:
    low, chances, more, fewer = Clones(1.0, others, share)._window
    high = low + len(chances) - 1
    assert 0 <= low < high < others
    with mpmath.workdps(40):
        p = mpmath.mpf(share)

        def law(k: int) -> mpmath.mpf:
            return mpmath.binomial(others, k) * p**k * (1 - p) ** (others - k)

        assert all(law(k) <= mpmath.mpf(chances[k - low]) for k in (low, (low + high) // 2, high))
        assert mpmath.fsum(law(k) for k in range(high + 1, high + 500)) <= more <= 2 * chances[-1] * others
        if low > 0:
            assert mpmath.fsum(law(k) for k in range(max(low - 500, 0), low)) <= fewer


def test_chances_of_heads_are_rounded_up_and_their_tails_down() -> None:
    found = Clones(1.0, 500, 0.4)
    coins, tails, error = found._coins
    assert error > 0.0
    for row in (0, len(coins) // 2, len(coins) - 1):
        number = int(found._numbers[row])
        middle = (number + 1) // 2
        for column in range(0, min(coins.shape[1], number - middle + 1), 7):
            chance = mpmath.binomial(number, middle + column) / mpmath.mpf(2) ** number
            tail = (
                mpmath.fsum(mpmath.binomial(number, k) for k in range(middle + column, number + 1))
                / mpmath.mpf(2) ** number
            )
            assert chance <= coins[row, column] * (1 + error) <= chance * (1 + 4 * error)
            assert tails[row, column] * (1 - error) <= tail
