"""A finding says which fact it is about, and does not repeat ten million numbers."""

from __future__ import annotations

import pytest

from whit.curves import Curve, GaussianLoss
from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian, RandomizedResponse
from whit.semantics.membership import fact, posterior
from whit.setting import Neighbours


@pytest.mark.parametrize(
    ("promised", "neighbours", "word"),
    [
        (PureDP(1.0), None, "in the data"),
        (PureDP(1.0), Neighbours.REPLACE, "one of two given ones"),
        (PureDP(1.0, neighbours=Neighbours.LOCAL), None, "which the person holds"),
        (Gaussian(1.0), None, "in the data"),
        (Gaussian(1.0), Neighbours.REPLACE, "one of two given ones"),
        (Curve.exact(GaussianLoss(1.0)), None, "the curve compares"),
    ],
)
def test_the_inputs_name_the_fact(promised, neighbours, word):
    found = posterior(promised, 0.5, failure=0.01, neighbours=neighbours)
    assert word in found.inputs["fact"]


def test_every_relation_has_its_fact():
    assert set(fact.FACTS) == set(Neighbours)


def test_a_mechanism_answers_under_its_own_relation():
    found = posterior(RandomizedResponse(1.0), 0.5)
    assert found.inputs["neighbours"] == RandomizedResponse(1.0).relations[0].name


def test_what_is_no_relation_is_refused():
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours"):
        posterior(Curve.exact(GaussianLoss(1.0)), 0.5, failure=0.01, neighbours="replace")
