"""One query: what cannot be is refused, with the column in the sentence."""

from __future__ import annotations

import pytest

from whit.errors import Incompatible, InvalidInput
from whit.mechanisms import Laplace
from whit.plans import Cells, Epsilon, Kind, Query, Rho


def test_a_record_that_moves_touches_cells_in_two_places():
    assert Cells().moved == 2
    assert Cells(add_remove=3, replace=4).moved == 6


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"add_remove": 0}, "add_remove must be above 0"),
        ({"add_remove": -1}, "add_remove must be a whole number of at least 0"),
        ({"replace": 1.5}, "replace must be a whole number"),
        ({"replace": 3}, "replace must be at most twice add_remove.*3 against 1"),
        ({"change": 0}, "change must be above 0"),
    ],
)
def test_impossible_cells_are_refused(cells, said):
    with pytest.raises(InvalidInput, match=said):
        Cells(**cells)


def test_the_parameter_must_be_one_of_the_noise():
    with pytest.raises(Incompatible, match="epsilon cannot be the parameter of DiscreteGaussian noise"):
        Kind((), "State", Epsilon(1))
    with pytest.raises(Incompatible, match=r"rho cannot be the parameter of Laplace noise.*Give epsilon"):
        Kind((), "State", Rho(1), law=Laplace)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"attributes": "age"}, "attributes must be a list of names; got 'age'"),
        ({"attributes": [1]}, "an attribute must be a text"),
        ({"level": ""}, "level must be a text"),
        ({"parameter": 1}, "parameter must be an amount or a share; got 1"),
        ({"law": "Gaussian"}, "law must be a class of noise"),
        ({"cells": 2}, "cells must be Cells"),
        ({"counts": " x"}, "counts must be a text"),
        ({"cells": Cells(change="1/2")}, "change must be whole, as the noise is"),
    ],
)
def test_a_kind_that_cannot_be_is_refused(given, said):
    with pytest.raises(InvalidInput, match=said):
        Kind(**{"attributes": (), "level": "State", "parameter": Rho(1), **given})


def test_an_attribute_named_twice_counts_once():
    assert Kind(("age", "sex", "age"), "State", Rho(1)).attributes == ("age", "sex")


def test_a_query_has_a_name_and_a_kind():
    with pytest.raises(InvalidInput, match="the name of a query must be a text"):
        Query("", Kind((), "State", Rho(1)))
    with pytest.raises(InvalidInput, match="kind must be a Kind"):
        Query("age", "State")
