"""Random finite pairs, the best critics of a bound: skewed, with zeros, with nearly equal entries."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Vectors = tuple[NDArray[np.float64], NDArray[np.float64]]

_weights = st.one_of(
    st.just(0.0),
    st.floats(0.01, 1.0),
    st.floats(-12.0, 0.0).map(lambda exponent: 10.0**exponent),
)


def normalised(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights as probabilities that add up to 1 within rounding."""
    return np.asarray(weights / weights.sum())


@st.composite
def finite_pairs(draw: st.DrawFn, largest: int = 6, zeros: bool = True) -> Vectors:
    """Two probability vectors over the same two to so many outcomes."""
    size = draw(st.integers(2, largest))
    weights = _weights if zeros else _weights.filter(lambda w: w > 0)
    p, q = (np.array(draw(st.lists(weights, min_size=size, max_size=size))) for _ in range(2))
    p[draw(st.integers(0, size - 1))] += 0.3
    q[draw(st.integers(0, size - 1))] += 0.3
    if draw(st.booleans()):  # a pair that is hard to tell apart
        q = normalised(p) * (1 + draw(st.sampled_from([1e-3, 1e-9])) * normalised(q))
    return normalised(p), normalised(q)


@st.composite
def distinct_pairs(draw: st.DrawFn, largest: int = 6) -> Vectors:
    """Two vectors whose probabilities and likelihood ratios are far enough apart to be found again from doubles."""
    size = draw(st.integers(2, largest))
    weights = st.one_of(st.just(0.0), st.integers(1, 20).map(float))
    p, q = (np.array(draw(st.lists(weights, min_size=size, max_size=size))) for _ in range(2))
    p[draw(st.integers(0, size - 1))] += 3
    q[draw(st.integers(0, size - 1))] += 3
    return normalised(p), normalised(q)


def random_pair(rng: np.random.Generator, size: int) -> Vectors:
    """A pair of random vectors of spread-out size, without zeros."""
    return normalised(rng.exponential(size=size) ** 2 + 1e-9), normalised(rng.exponential(size=size) ** 2 + 1e-9)
