"""Numbers of one question get one shape, or are refused with two shapes that cannot be paired."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import Incompatible
from whit.semantics.shapes import paired


def test_all_get_the_shape_of_all():
    one, row, column = paired("", a=np.zeros(()), b=np.zeros(3), c=np.zeros((2, 1)))
    assert one.shape == row.shape == column.shape == (2, 3)


@pytest.mark.parametrize("shapes", [((), (2,), (3,)), ((2,), (1,), (3,)), ((2, 3), (3,), (3, 1))])
def test_the_first_two_that_do_not_pair_are_named(shapes):
    clash = {((), (2,), (3,)): "b and c", ((2,), (1,), (3,)): "a and c", ((2, 3), (3,), (3, 1)): "a and c"}[shapes]
    with pytest.raises(Incompatible, match=f"{clash} must have shapes that go together; got shapes .* Use one"):
        paired("Use one of each.", **dict(zip("abc", map(np.zeros, shapes), strict=True)))
