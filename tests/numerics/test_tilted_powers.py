"""Convolutions of many vectors at once, against powers of whole numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from whit.numerics import convolved_powers, rest_is_small, tilted_powers
from whit.numerics.tilted_powers import _Weights

Array = NDArray[np.float64]
Parts = list[tuple[Array, int]]
# Digits of a whole number wide enough for every sum of products of some numbers that are multiples of 2^-SHIFT.
SHIFT = 200


def exactly(parts: Parts) -> list[Fraction]:
    """The convolution of all of them, each number a multiple of 2^-SHIFT, as one product of whole numbers."""
    copies = sum(count for _, count in parts)
    width = (SHIFT + 16) * copies // 8 * 8 + 64
    product, size = 1, 1
    for numbers, count in parts:
        digits = b"".join(int(Fraction(float(x)) * 2**SHIFT).to_bytes(width // 8, "little") for x in numbers)
        product *= int.from_bytes(digits, "little") ** count
        size += count * (len(numbers) - 1)
    whole = product.to_bytes((size + 1) * width // 8, "little")
    places = (whole[k * width // 8 : (k + 1) * width // 8] for k in range(size))
    return [Fraction(int.from_bytes(place, "little"), 2 ** (SHIFT * copies)) for place in places]


def drawn(seed: int, kinds: int) -> Parts:
    """Vectors that fall off on both sides, some with a heavy tail and holes, each taken some times."""
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(kinds):
        size = int(rng.integers(20, 60))
        at = np.arange(size) - rng.uniform(5, 15)
        numbers = np.exp(-0.5 * (at / rng.uniform(1, 3)) ** 2) + 1e-9 * np.exp(-0.2 * np.maximum(at, 0.0))
        numbers = np.where(rng.random(size) < 0.2, 0.0, numbers)
        rounded = np.array([math.ldexp(round(math.ldexp(float(x), 150)), -150) for x in numbers])
        parts.append((rounded, int(rng.integers(1, 6))))
    return parts


@pytest.mark.parametrize("seed", range(8))
def test_the_truth_lies_between_both_sides(seed: int) -> None:
    parts = drawn(seed, 1 + seed % 3)
    truth = exactly(parts)
    below, above = (convolved_powers(parts, side=side) for side in (-1, 1))
    for low, high, exact in zip(below, above, truth, strict=True):
        assert Fraction(float(low)) <= exact <= Fraction(float(high))
    large = np.array([float(exact) for exact in truth]) > 1e-25 * float(max(truth))
    assert np.all((above - below)[large] <= 1e-6 * above[large])


@pytest.mark.parametrize("seed", range(8, 16))
def test_in_a_window_the_truth_lies_between_both_sides_whatever_wraps_around(seed: int) -> None:
    parts = [(numbers, 6 * count) for numbers, count in drawn(seed, 1)]
    truth = exactly(parts)
    totals = np.cumsum([float(each) for each in truth])
    middle, reach = int(np.searchsorted(totals, totals[-1] / 2)), 25 + 5 * (seed % 3)
    window = (max(middle - reach, 0), min(middle + reach, len(truth)))
    assert window[1] - window[0] < len(truth) / 2  # else nothing wraps around
    below, above = (convolved_powers(parts, side=side, window=window) for side in (-1, 1))
    for low, high, exact in zip(below, above, truth[window[0] : window[1]], strict=True):
        assert Fraction(float(low)) <= exact <= Fraction(float(high))


@pytest.mark.parametrize("seed", range(16, 24))
@pytest.mark.parametrize("short", [1, 2**17])
def test_closely_the_truth_lies_between_both_sides_and_less_is_allowed(
    seed: int, short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the transform is short, so that sums wrap around, which from above does no harm."""
    monkeypatch.setattr(tilted_powers, "SHORT", short)
    parts = [(numbers, 3 * count) for numbers, count in drawn(seed, 1 + seed % 2)]
    truth = exactly(parts)
    totals = np.cumsum([float(each) for each in truth])
    window = tuple(int(np.searchsorted(totals, share * totals[-1])) for share in (0.001, 0.999999))
    below, above = (convolved_powers(parts, side=side, window=window, closely=True) for side in (-1, 1))
    inside = truth[window[0] : window[1]]
    for low, high, exact in zip(below, above, inside, strict=True):
        assert Fraction(float(low)) <= exact <= Fraction(float(high))
    excess = max(float(Fraction(float(high)) / exact - 1) for high, exact in zip(above, inside, strict=True) if exact)
    assert excess < 1e-9 or short == 1


def test_a_wide_window_keeps_the_digits_of_sums_that_are_small() -> None:
    at = np.arange(-60, 61)
    numbers = np.exp(-0.5 * (at / 4.0) ** 2) / (math.sqrt(2 * math.pi) * 4)
    below, above = (convolved_powers([(numbers, 400)], side=side, window=(23_000, 25_000)) for side in (-1, 1))
    # A sum of Gaussian numbers at the places of a lattice is Gaussian but for far less than 1e-60.
    places = np.arange(23_000, 25_000) - 24_000.0
    logs = -0.5 * math.log(2 * math.pi * 6400) - places**2 / 12800
    shown = np.abs(places) < 800
    assert np.all(np.log(below[shown]) <= logs[shown] + 1e-9)
    assert np.all(np.log(above[shown]) >= logs[shown] - 1e-9)
    assert np.all(np.log(above[shown]) - np.log(below[shown]) < 1e-5)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("log_rest", [-5.0, -30.0])
def test_from_the_place_named_on_little_is_left(seed: int, log_rest: float) -> None:
    parts = [(numbers / numbers.sum(), count) for numbers, count in drawn(seed, 2)]
    truth = exactly(parts)
    place = rest_is_small(parts, log_rest)
    assert sum(truth[place:], Fraction(0)) <= Fraction(math.exp(log_rest))
    assert sum(truth[max(place - 40, 0) :], Fraction(0)) > Fraction(math.exp(log_rest)) * Fraction(1, 10**12)


def test_numbers_a_length_apart_are_added_up_also_where_the_last_row_is_short() -> None:
    weights = _Weights(np.arange(10.0), 0.0, 1.0, 1)
    assert weights.folded(4).tolist() == [0.0 + 4 + 8, 1.0 + 5 + 9, 2.0 + 6, 3.0 + 7]
    assert weights.folded(10).tolist() == list(range(10))


def test_the_place_of_a_small_rest_is_never_too_early_and_ends_beyond_the_last() -> None:
    one = np.array([0.0, math.exp(-1) * (1 + 2e-8)])
    assert rest_is_small([(one, 5)], -5.0) == 6  # at 5 there is a little more than e^-5
    assert rest_is_small([(np.array([0.5, 0.5]), 3)], -1e5) == 4
