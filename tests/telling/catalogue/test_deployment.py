"""A deployment is valid once built, and its promise is the one that its source states."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.setting import Neighbours
from whit.telling.catalogue import deployments

ONE = deployments()[0]


@pytest.mark.parametrize(
    ("parameters", "promise"),
    [
        ({"epsilon": "0.5"}, PureDP(0.5, neighbours=Neighbours.REPLACE)),
        ({"epsilon": "0.5", "delta": "1e-6"}, ApproxDP(0.5, 1e-6, neighbours=Neighbours.REPLACE)),
        ({"rho": "2.56"}, ZeroConcentratedDP(2.56, neighbours=Neighbours.REPLACE)),
        ({"mu": "0.3"}, GaussianDP(0.3, neighbours=Neighbours.REPLACE)),
    ],
)
def test_the_promise_has_the_parameters_and_the_neighbours(parameters, promise):
    given = tuple((name, Decimal(value)) for name, value in parameters.items())
    assert replace(ONE, parameters=given).promise == promise


def test_parameters_of_two_promises_at_once_are_refused():
    both = (("epsilon", Decimal(1)), ("rho", Decimal(1)))
    with pytest.raises(Incompatible, match="must be one promise; got epsilon, rho"):
        replace(ONE, parameters=both)


def test_a_deployment_without_a_source_is_refused():
    with pytest.raises(InvalidInput, match="source must be a text"):
        replace(ONE, source="")
