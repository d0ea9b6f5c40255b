"""Each number once, in order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.numerics import distinct

numbers = st.lists(st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 5e-324, 1.0, 1.0 + 2**-52, np.inf]), max_size=12)


@given(numbers)
def test_every_number_is_there_once_and_in_order(values):
    assert distinct(values).tolist() == sorted(set(values))


@pytest.mark.parametrize("shape", [(0,), (), (3, 2)])
def test_any_shape_becomes_a_list(shape):
    assert distinct(np.zeros(shape)).shape == (min(1, np.zeros(shape).size),)
