"""The values of mechanisms: numbers and rows written out or in a file, yes or no, and words that stand for a value."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.errors import InvalidInput, NotImplied, WhitError
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import (
    BestOfRuns,
    Gaussian,
    Geometric,
    Laplace,
    MatrixMechanism,
    Mixture,
    MixtureOfGaussians,
    PoissonSubsampled,
    Staircase,
    ToeplitzMechanism,
)
from whit.setting import Neighbours, Sensitivity
from whit.spec import Form, Given, pairs, parsed, promise_of, promise_to_toml, words_of

ROWS = [[1.0, 0.0], [0.5, 1.0]]


def one(values: dict):
    return promise_of(Given(values)).one


@pytest.mark.parametrize("text", ["1 0; 0.5 1", "1, 0; .5, 1", " 1 0 ;0.5 1; ", [[1, 0], [0.5, 1]]])
def test_rows_are_written_with_semicolons_or_as_lists(text):
    assert one({"matrix": "2", "strategy": text}) == MatrixMechanism(2.0, ROWS)


@pytest.mark.parametrize("content", ["1,0\n0.5,1\n", "1 0\n\n0.5 1", "\ufeff1\t0\r\n0.5\t1\r\n"])
def test_rows_are_those_of_a_file(tmp_path, content):
    file = tmp_path / "strategy.csv"
    file.write_text(content, encoding="utf-8")
    assert one({"matrix": "2", "strategy": str(file)}) == MatrixMechanism(2.0, ROWS)
    column = tmp_path / "column.txt"
    column.write_text("1\n0.5\n", encoding="utf-8")
    assert one({"toeplitz": "2", "coefficients": str(column), "rounds": "4"}) == ToeplitzMechanism(2.0, [1.0, 0.5], 4)


def test_a_file_of_numbers_lies_beside_the_file_that_names_it(tmp_path):
    (tmp_path / "strategy.csv").write_text("1,0\n0.5,1\n", encoding="utf-8")
    (tmp_path / "release.toml").write_text('[promise]\nmatrix = 2\nstrategy = "strategy.csv"\n', encoding="utf-8")
    assert Form.of_file(tmp_path / "release.toml").series.one == MatrixMechanism(2.0, ROWS)
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "release.toml").write_text('[promise]\nmatrix = 2\nstrategy = "../strategy.csv"\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"line 3, \[promise\] strategy must lie beside the one that names it"):
        _ = Form.of_file(inner / "release.toml").series


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"matrix": "2", "strategy": "1 0; 0.5 x"}, "--strategy must be made of numbers; got x"),
        ({"matrix": "2", "strategy": "nan"}, "--strategy must be a number"),
        ({"matrix": "2", "strategy": "1e999"}, "--strategy must be a number that a double holds"),
        ({"matrix": "2", "strategy": "1e-999"}, "--strategy must not be so small that a double"),
        ({"matrix": "2", "strategy": [1, 2]}, "--strategy must be rows of numbers"),
        ({"matrix": "2", "strategy": []}, "--strategy must be rows of numbers"),
        ({"matrix": "2", "strategy": "1 0; 1"}, "--strategy must"),
        ({"toeplitz": "2", "rounds": "9", "coefficients": [True]}, "--coefficients must be a number"),
        ({"tree_aggregation": "2", "rounds": "9 x"}, "--rounds must be a whole number; got x"),
        ({"tree_aggregation": "2", "rounds": "2.5"}, "--rounds must be a whole number"),
        ({"epsilon": "1", "runs": "10", "runs_shape": "binomial"}, "--runs-shape must be a number"),
        ({"epsilon": "1", "runs": "0.5"}, "--runs must be at least 1"),
    ],
)
def test_what_is_no_such_value_is_refused_by_its_name(values, said):
    with pytest.raises(WhitError, match=said):
        one(values)


def test_a_word_stands_for_its_value():
    best = one({"epsilon": "0.1", "runs": "10", "runs_shape": "Poisson"})
    assert best == BestOfRuns(PureDP(0.1), mean=10.0, shape=math.inf)
    assert words_of(best) == {"epsilon": 0.1, "runs": 10.0, "runs_shape": "poisson"}


def test_a_text_has_lists_with_blanks():
    text = "gaussian-mixture=1, amounts=0 1 2, chances=0.81 0.18 0.01, releases=3"
    series = promise_of(pairs("a promise", text))
    assert series.together == MixtureOfGaussians(1.0, [0.0, 1.0, 2.0], [0.81, 0.18, 0.01]).times(3)


@pytest.mark.parametrize(
    "promise",
    [
        ApproxDP(1.0, 1e-6, neighbours=Neighbours.REPLACE),
        Laplace(2.0, sensitivity=Sensitivity(add_remove=(1, 2), replace=(2, 4))),
        PoissonSubsampled(Gaussian(2.0, sensitivity=Sensitivity.histogram()), 0.1),
        BestOfRuns(PoissonSubsampled(Gaussian(9.0), 0.1), mean=3.0, shape=0.5),
    ],
    ids=repr,
)
def test_what_is_written_is_read_again(promise):
    assert Form.of(parsed(promise_to_toml(promise), "x.toml")).series.one == promise


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-6, 1e6), st.floats(0.0, 1.0, exclude_max=True, allow_subnormal=False), st.floats(1e-3, 1e3))
def test_every_double_keeps_its_digits(epsilon, gamma, step):
    noise = Staircase(epsilon, gamma=gamma, step=step)
    assert Form.of(parsed(promise_to_toml(noise, releases=4), "x.toml")).series.one == noise


def test_what_has_no_words_is_said_to_have_none():
    with pytest.raises(NotImplied, match="the parameters of this promise have no words in options and files"):
        promise_to_toml(Mixture([Geometric(1.0), Geometric(0.5)], [0.25, 0.75]))
