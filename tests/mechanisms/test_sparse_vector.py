"""Sparse vector against its own probabilities, by integration over the noise of the threshold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP, convert
from whit.mechanisms import SparseVector
from whit.setting import Neighbours


def laws(answers: np.ndarray, threshold_scale: float, answer_scale: float, positives: int) -> dict[tuple, float]:
    """The probability of every list of what is told, by a fine sum over the noise of the threshold."""
    z = np.linspace(-40 * threshold_scale, 40 * threshold_scale, 20001)
    density = np.exp(-np.abs(z) / threshold_scale) / (2 * threshold_scale) * (z[1] - z[0])
    gap = z[None, :] - answers[:, None]
    tail = np.where(gap > 0, np.exp(-np.abs(gap) / answer_scale) / 2, 1 - np.exp(-np.abs(gap) / answer_scale) / 2)
    found: dict[tuple, float] = {}
    for told in product((0, 1), repeat=len(answers)):
        stop = next((i + 1 for i in range(len(told)) if sum(told[: i + 1]) == positives), len(told))
        chances = np.prod([tail[i] if told[i] else 1 - tail[i] for i in range(stop)], axis=0)
        found[told[:stop]] = float(density @ chances)
    return found


def largest_ratio(scales: tuple[float, float], positives: int, monotone: bool, count: int = 4) -> float:
    random = np.random.default_rng(6)
    largest = 0.0
    for _ in range(12):
        answers = random.normal(scale=4.0, size=count)
        move = random.choice([0.0, 1.0] if monotone else [-1.0, 1.0], size=count)
        p, q = (laws(each, *scales, positives) for each in (answers, answers + move))
        assert sum(p.values()) == pytest.approx(1.0, abs=1e-5)
        largest = max(largest, *(abs(np.log(p[told] / q[told])) for told in p))
    return largest


@pytest.mark.parametrize(("positives", "monotone"), [(1, False), (2, False), (1, True), (2, True)])
def test_no_output_has_a_larger_loss(positives, monotone):
    search = SparseVector(1.0, positives=positives, monotone=monotone)
    found = largest_ratio((search.threshold_scale, search.answer_scale), positives, monotone)
    assert 0.4 < found <= 1.0 + 1e-5


def test_noise_that_does_not_grow_with_the_positives_is_found_out():
    search = SparseVector(1.0, positives=1)
    assert largest_ratio((search.threshold_scale, search.answer_scale), 4, False) > 1.05


def test_the_shares_add_up_to_epsilon():
    for positives, monotone in ((1, False), (7, False), (7, True)):
        search = SparseVector(0.8, positives=positives, monotone=monotone)
        spent = 1 / search.threshold_scale + (1 if monotone else 2) * positives / search.answer_scale
        assert spent == pytest.approx(0.8, rel=1e-14)


def test_the_best_share_has_the_least_noise_in_a_comparison():
    def noise(share: float) -> float:
        search = SparseVector(1.0, positives=3, threshold_share=share)
        return search.threshold_scale**2 + search.answer_scale**2

    best = SparseVector(1.0, positives=3).threshold_share
    assert all(noise(best) < noise(best * factor) for factor in (0.9, 0.99, 1.01, 1.1))


def test_it_keeps_pure_privacy():
    search = SparseVector(0.5, neighbours=Neighbours.REPLACE)
    assert search.kept == PureDP(0.5, neighbours=Neighbours.REPLACE)
    assert convert(search, to=PureDP).result == search.kept
    assert float(search.times(10).epsilon(1e-6)) < 5.0


def test_samples_stop_after_the_positives():
    told = SparseVector(50.0, positives=2).sample(np.random.default_rng(1), 3, answers=[-9, 9, -9, 9, 9], threshold=0.0)
    assert told.tolist() == [[0, 1, 0, 1, -1]] * 3


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: SparseVector(0.0), "epsilon must be a finite number above 0; got 0.0. Use a number such as 1"),
        (lambda: SparseVector(1.0, positives=0), "positives must be a whole number of at least 1; got 0"),
        (lambda: SparseVector(1.0, monotone="yes"), "monotone must be True or False; got yes"),
        (lambda: SparseVector(1.0, threshold_share=1.0), "threshold_share must be .*; got 1.0. Use a share"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(build, message):
    with pytest.raises(InvalidInput, match=message):
        build()
