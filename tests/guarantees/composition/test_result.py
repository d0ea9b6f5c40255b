"""A composition says by which rule it holds."""

from __future__ import annotations

import pytest

from whit.errors import UnknownKey
from whit.guarantees import Composition, Known, PureDP


def test_a_rule_that_is_in_no_list_is_refused():
    with pytest.raises(UnknownKey, match="a theorem must be known by its key; got no-such-rule"):
        Composition(PureDP(1.0), "no-such-rule", Known.YES)


def test_the_basis_is_the_rule():
    assert Composition(PureDP(1.0), "basic-composition", Known.YES).basis.theorems == ("basic-composition",)
