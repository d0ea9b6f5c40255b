"""Several mechanisms together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.curves import FinitePair
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import PureDP
from whit.mechanisms import Composed, Finite, Gaussian, Geometric, RandomizedResponse, compose
from whit.setting import Neighbours


def test_different_mechanisms_compose() -> None:
    both = compose(Geometric(0.5), RandomizedResponse(0.5))
    assert both.relations == (Neighbours.REPLACE, Neighbours.LOCAL)
    loss = both.loss()
    assert isinstance(loss, FinitePair)
    np.testing.assert_allclose(loss.losses, [-1.0, 0.0, 1.0], atol=1e-15)


def test_compositions_of_compositions_are_flat() -> None:
    inner = Gaussian(2.0).times(3)
    assert compose(inner, Gaussian(1.0)) == Composed((Gaussian(2.0), 3), (Gaussian(1.0), 1))
    assert inner.times(2).loss().mu == pytest.approx(math.sqrt(6) / 2, rel=1e-15)


def test_what_has_no_relation_in_common_is_refused() -> None:
    with pytest.raises(Incompatible, match="mechanisms must be known under a common relation between datasets; got"):
        compose(Finite([1.0], [1.0]), RandomizedResponse(1.0))


def test_nothing_cannot_be_composed() -> None:
    with pytest.raises(InvalidInput, match=r"mechanisms must be at least one; got \(\). Pass mechanisms"):
        compose()


def test_promises_are_composed_by_their_own_rule() -> None:
    both = compose(PureDP(1.0), PureDP(0.5))
    assert both.promise == PureDP(1.5)
    assert both.theorem == "basic-composition"


def test_mechanisms_and_promises_do_not_mix() -> None:
    with pytest.raises(Incompatible, match=r"mechanisms and promises cannot be composed .* Use whit.curves.composed"):
        compose(Gaussian(1.0), PureDP(1.0))  # type: ignore[call-overload]
