"""The choice of nodes: nothing that matters is skipped, and what is skipped is accounted for."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves.contour.composition import TooManyNodes
from whit.curves.contour.inversion import FEW, cover


def peaks(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """log of e^{-distance to the nearest multiple of 1000}, bounded over each range."""
    middle, half = 0.5 * (first + last), 0.5 * (last - first)
    distance = np.abs(np.mod(middle + 500, 1000) - 500) - half
    return -np.maximum(distance, 0.0)


def test_all_nodes_that_matter_are_summed() -> None:
    found = cover(peaks, 10_000, 1e-12, 1e9)
    nodes = np.concatenate(found.chunks(100))
    assert len(nodes) == len(set(nodes.tolist())) == found.nodes
    everything = np.arange(10_001)
    missing = np.setdiff1d(everything, nodes)
    true = np.exp(-np.abs(np.mod(missing + 500, 1000) - 500.0))
    assert float(true.sum()) <= found.skipped
    assert found.skipped < 1e-8
    assert found.nodes < 2_000


def test_few_nodes_are_all_summed() -> None:
    found = cover(peaks, FEW, 1e-12, 1e9)
    assert found.nodes == FEW + 1
    assert found.skipped == 0.0


def test_too_many_nodes_are_announced() -> None:
    with pytest.raises(TooManyNodes, match=r"\d+") as refused:
        cover(lambda first, last: np.zeros(len(first + last)), 50_000_000, 1e-12, 1e9)
    assert refused.value.nodes > 4_000_000


def test_nodes_beyond_the_whole_numbers_of_the_machine_are_too_many():
    with pytest.raises(TooManyNodes, match=r"\d+"):
        cover(peaks, 10**30, 1e-12, 1e9)
