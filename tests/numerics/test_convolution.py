"""Convolutions rounded to one side, against sums of products of whole numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from whit.numerics import convolution, convolved

Array = NDArray[np.float64]


def exactly(first: Array, second: Array) -> list[Fraction]:
    """The convolution of doubles, which are whole numbers over a power of two, as one product of two whole numbers."""
    width = 2**12
    wholes = [[int(Fraction(float(x)) * 2**1100) for x in each] for each in (first, second)]
    product = 1
    for each in wholes:
        product *= int.from_bytes(b"".join(x.to_bytes(width // 8, "little") for x in each), "little")
    size = len(first) + len(second) - 1
    digits = product.to_bytes((size + 1) * width // 8, "little")
    parts = (digits[k * width // 8 : (k + 1) * width // 8] for k in range(size))
    return [Fraction(int.from_bytes(part, "little"), 2**2200) for part in parts]


def assert_held(first: Array, second: Array) -> tuple[Array, Array, list[Fraction]]:
    below, above = convolved(first, second, side=-1), convolved(first, second, side=1)
    truth = exactly(first, second)
    for low, high, exact in zip(below, above, truth, strict=True):
        assert Fraction(float(low)) <= exact <= Fraction(float(high))
    return below, above, truth


def vectors(seed: int, size: int) -> tuple[Array, Array]:
    """Smooth, ragged and falling vectors with zeros in them, over many orders of magnitude."""
    rng = np.random.default_rng(seed)
    x = np.linspace(-1, 1, size)
    shapes = [
        np.exp(-((8 * x) ** 2)),
        np.exp(-60 * (x + 1)) + 1e-9,
        rng.random(size) ** 8,
        np.where(rng.random(size) < 0.3, 0.0, np.exp(rng.normal(size=size) * 20 - 60)),
    ]
    first, second = rng.choice(len(shapes), size=2)
    return shapes[first], shapes[second][: size - 7]


@pytest.mark.parametrize("seed", range(8))
def test_the_truth_lies_between_both_sides_by_the_transform(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convolution, "FEW", 0)
    monkeypatch.setattr(convolution, "LONGEST", 0)
    assert_held(*vectors(seed, 300))


@pytest.mark.parametrize("seed", range(8, 12))
def test_the_truth_lies_between_both_sides_term_by_term(seed: int) -> None:
    first, second = vectors(seed, 300)
    below, above, _ = assert_held(first, second)
    assert np.allclose(below, above, rtol=1e-12, atol=1e-280)
    assert_held(np.where(np.arange(300) % 9 == 0, first, 0.0), second)


def test_every_sum_keeps_its_digits_however_small_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums from 1 down to e^-120: without tilts the transform would know none below 1e-16."""
    monkeypatch.setattr(convolution, "LONGEST", 0)
    x = np.linspace(-11, 11, 2000)
    first, second = np.exp(-x * x / 2), np.exp(-x * x / 2) * (1 + 0.5 * np.sin(40 * x))
    below, above, truth = assert_held(first, second)
    assert min(truth) < 1e-52
    assert np.all(above - below <= 1e-7 * above)


def test_a_square_is_the_product_of_equal_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convolution, "LONGEST", 0)
    first, _ = vectors(1, 400)
    square, product = convolved(first, first, side=1), convolved(first, first.copy(), side=1)
    assert np.allclose(square, product, rtol=1e-10, atol=0)


def test_what_is_too_small_for_a_double_is_not_lost_from_above() -> None:
    tiny = np.array([1e-200, 1.0])
    below, above, _ = assert_held(tiny, tiny)
    assert below[0] == 0.0
    assert 0.0 < above[0] < 1e-280
