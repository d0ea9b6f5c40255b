"""The graph of conversions: the best path, the free parameters, and what is said when nothing follows."""

from __future__ import annotations

import math
import re

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, FinitePair, GaussianLoss, Order
from whit.errors import Incompatible, InvalidInput, NotImplied, Unreachable
from whit.guarantees import (
    FDP,
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedCurve,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    SemanticPrivacy,
    ZeroConcentratedDP,
)
from whit.guarantees.conversions import EDGES, along, convert, edge, edges, reachable
from whit.setting import Knowledge, Neighbours
from whit.theory import THEOREMS, Basis, Direction


def test_every_edge_names_a_theorem() -> None:
    assert {each.theorem for each in EDGES} <= set(THEOREMS)
    assert len({(each.source, each.target, each.theorem) for each in EDGES}) == len(EDGES)


def test_the_best_of_several_paths_is_taken() -> None:
    """Far out the tails of zCDP beat the way by an (epsilon, delta) point; the tight conversion beats the textbook."""
    promise = ZeroConcentratedDP(0.07)
    best = convert(promise, to=ProbabilisticDP, delta=1e-12)
    path = (
        edge(ZeroConcentratedDP, ApproxDP, "zcdp-to-approximate"),
        edge(ApproxDP, ProbabilisticDP, "approximate-to-probabilistic"),
    )
    assert [step.theorem for step in best.path] == ["zcdp-tails"]
    assert best.result.stated_epsilon < along(promise, path, delta=1e-12).result.stated_epsilon
    tight = convert(promise, to=ApproxDP, delta=1e-6).result.stated_epsilon
    textbook = along(promise, path[:1], delta=1e-6).result.stated_epsilon
    assert textbook == pytest.approx(0.07 + 2 * math.sqrt(0.07 * math.log(1e6)), rel=1e-13)
    assert tight < textbook


def test_the_choice_in_the_middle_is_the_best_one() -> None:
    """Against a grid of deltas in the middle."""
    path = (
        edge(ZeroConcentratedDP, ApproxDP, "zcdp-to-approximate"),
        edge(ApproxDP, ProbabilisticDP, "approximate-to-probabilistic"),
    )
    found = along(ZeroConcentratedDP(0.3), path, delta=0.01).result.stated_epsilon
    deltas = np.logspace(-6, -2.001, 4000)
    points = 0.3 + 2 * np.sqrt(0.3 * np.log(1 / deltas))
    grid = np.log((0.01 * np.exp(points) + deltas) / (0.01 - deltas))
    assert found <= grid.min() * (1 + 1e-13)
    assert found == pytest.approx(grid.min(), rel=1e-6)


def test_a_conversion_says_how_it_was_found() -> None:
    text = str(convert(GaussianDP(1.0), to=ZeroConcentratedDP))
    assert text.startswith("ZeroConcentratedDP(rho=0.5")
    assert "The divergences of Gaussian privacy (DRS22" in text
    assert "nothing better follows) from GaussianDP(mu=1.0)" in text
    assert str(convert(PureDP(1.0), to=PureDP)) == "PureDP(epsilon=1.0) as it stands"


def test_the_basis_names_the_theorems_of_all_steps() -> None:
    found = convert(ApproxDP(1.0, 1e-6), to=ProbabilisticDP, delta=0.01)
    assert found.basis == Basis.of("approximate-to-probabilistic")
    through = convert(PureDP(1.0), to=ApproxDP, epsilon=0.5)
    assert "dominating-randomized-response" in through.basis.theorems


def test_exact_points() -> None:
    assert convert(PureDP(1.0), to=ApproxDP, epsilon=1.0).result == ApproxDP(1.0, 0.0)
    randomized = convert(PureDP(1.0), to=ApproxDP, epsilon=0.0).result.stated_delta
    assert randomized == pytest.approx(math.tanh(0.5), rel=1e-13)
    assert convert(ApproxDP(1.0, 0.0), to=PureDP).result == PureDP(1.0)
    assert convert(RenyiDP({2: 0.5, math.inf: 1.0}), to=PureDP).result == PureDP(1.0)
    assert convert(ZeroConcentratedDP(0.5), to=RenyiDP, orders=[2, 4]).result.orders[4.0] == pytest.approx(2.0)
    assert convert(RenyiDP({8: 0.5}), to=RenyiDP, orders=[2]).result == RenyiDP({2: 0.5})


def test_sides() -> None:
    one = ProbabilisticDP(1.0, 0.01, sides=1)
    assert convert(one, to=ProbabilisticDP, delta=0.01, sides=1).path == ()
    wide = convert(one, to=ProbabilisticDP, delta=0.01 * (1 + math.exp(-1.0)) * (1 + 1e-12)).result
    assert wide.stated_epsilon == pytest.approx(1.0)
    assert convert(one, to=ProbabilisticDP, delta=0.011).result.stated_epsilon == pytest.approx(math.log(10.0))
    two = ProbabilisticDP(1.0, 0.01)
    assert convert(two, to=ProbabilisticDP, delta=0.01, sides=1).result == ProbabilisticDP(1.0, 0.01, sides=1)


def test_trade_off_functions_and_pbdp() -> None:
    bounded = convert(FDP(GaussianLoss(1.0)), to=ProbabilisticallyBoundedCurve).result
    back = convert(bounded, to=FDP).result
    levels = [0.01, 0.1, 0.5]
    np.testing.assert_allclose(back.power(levels).value, FDP(GaussianLoss(1.0)).power(levels).value, rtol=1e-12)
    point = convert(back, to=ProbabilisticallyBoundedDP, delta=0.1).result
    test = GaussianDP(1.0).power(0.1 * math.exp(-point.stated_epsilon))
    assert float(test) == pytest.approx(0.1, rel=1e-11)
    certain = convert(PureDP(1.0), to=ProbabilisticallyBoundedDP, delta=0.2).result
    assert certain.stated_epsilon == pytest.approx(1.0, rel=1e-12)


def test_semantic_privacy() -> None:
    replace = PureDP(1.0, neighbours=Neighbours.REPLACE)
    assert convert(replace, to=SemanticPrivacy).result.level == pytest.approx(math.tanh(0.5), rel=1e-13)
    known = convert(replace, to=SemanticPrivacy, knows=Knowledge.EVERYONE_ELSE).result
    assert known.level == pytest.approx(math.tanh(0.25), rel=1e-13)
    add_remove = convert(PureDP(1.0), to=SemanticPrivacy, knows=Knowledge.EVERYONE_ELSE).result
    assert add_remove.level == pytest.approx(math.tanh(0.5), rel=1e-13)
    found = convert(ApproxDP(1.0, 1e-12), to=SemanticPrivacy, failure=4e-4, population=10_000).result
    assert 0.4821 < found.level <= 0.4822
    assert found.stated_delta == 4e-4


def test_neighbours_and_groups() -> None:
    found = convert(PureDP(1.0), to=PureDP, neighbours=Neighbours.REPLACE)
    assert found.result == PureDP(2.0, neighbours=Neighbours.REPLACE)
    assert [step.theorem for step in found.path] == ["replacing-is-removing-and-adding"]
    assert convert(GaussianDP(1.0), to=GaussianDP, group=3).result == GaussianDP(3.0)
    both = convert(ZeroConcentratedDP(0.1), to=ApproxDP, delta=1e-6, neighbours=Neighbours.REPLACE)
    assert both.result.neighbours is Neighbours.REPLACE
    direct = convert(ZeroConcentratedDP(0.4, neighbours=Neighbours.REPLACE), to=ApproxDP, delta=1e-6).result
    assert both.result.stated_epsilon == pytest.approx(direct.stated_epsilon, rel=1e-12)
    with pytest.raises(NotImplied, match="does not follow for groups of 1 under add-remove"):
        convert(PureDP(1.0, neighbours=Neighbours.REPLACE), to=PureDP, neighbours=Neighbours.ADD_REMOVE)


@pytest.mark.parametrize("group", [1, 4])
def test_a_delta_that_is_too_small_is_refused_with_one_that_is_not(group) -> None:
    promise = ApproxDP(1.0, 1e-6)
    least = mpmath.mpf(1e-6) * mpmath.expm1(group) / mpmath.expm1(1)
    with pytest.raises(Unreachable, match="must be at least that of the promise") as refused:
        convert(promise, to=ApproxDP, delta=float(least) / 2, group=group)
    offered = float(re.findall(r"delta (\S+) or more", refused.value.way_out)[0])
    assert least <= offered <= 1.01 * least
    assert convert(promise, to=ApproxDP, delta=offered, group=group).result.stated_delta == offered


def test_a_curve_is_a_source_too() -> None:
    curve = Curve.exact(FinitePair.of([0.98, 0.015, 0.005], [0.98, 0.005, 0.015]))
    exact = convert(curve, to=ProbabilisticDP, delta=0.0151, sides=1)
    assert [step.theorem for step in exact.path] == ["loss-tail"]
    assert exact.result.stated_epsilon == pytest.approx(0.0, abs=1e-14)
    assert convert(curve, to=ProbabilisticDP, delta=0.0199).result.stated_epsilon == pytest.approx(math.log(3.0))
    labelled = convert(curve, to=FDP, neighbours=Neighbours.REPLACE).result
    assert labelled.neighbours is Neighbours.REPLACE
    np.testing.assert_allclose(labelled.power([0.01]).value, convert(curve, to=FDP).result.power([0.01]).value)
    profile_only = Curve(GaussianLoss(1.0), Direction.AT_MOST, Order.PROFILE, Basis.of("hockey-stick"))
    assert [s.theorem for s in convert(profile_only, to=ProbabilisticDP, delta=0.1).path][-1] != "loss-tail"
    with pytest.raises(NotImplied, match="a promise cannot be made of a curve that is no upper bound; got AT_LEAST"):
        convert(Curve(GaussianLoss(1.0), Direction.AT_LEAST, Order.LOSS, Basis.of("hockey-stick")), to=FDP)


def test_a_small_tail_is_no_pure_privacy() -> None:
    """A delta that is too small for a double must not turn into 0 on the way."""
    with pytest.raises(NotImplied, match="PureDP does not follow.*From here one can reach"):
        convert(ZeroConcentratedDP(0.1), to=PureDP)
    assert PureDP not in reachable(ZeroConcentratedDP)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: convert(PureDP(1.0), to=ApproxDP),
            "free parameters of the result must be delta or epsilon; got nothing",
        ),
        (
            lambda: convert(PureDP(1.0), to=ApproxDP, delta=0.1, epsilon=1.0),
            "must be delta or epsilon; got delta, epsilon. Give delta=1e-06 or epsilon=1.0",
        ),
        (
            lambda: convert(PureDP(1.0), to=ZeroConcentratedDP, delta=0.1),
            "delta does not apply to this kind of promise; got 0.1. Leave it out.",
        ),
        (lambda: convert(PureDP(1.0), to=ApproxDP, delta=1.5), r"delta must be a probability in \[0, 1\]; got 1.5"),
        (lambda: convert(PureDP(1.0), to=float), "to must be a kind of promise; got .*float"),
        (lambda: convert(1.0, to=ApproxDP, delta=0.1), "promise must be a promise, a mechanism or a curve; got 1.0"),
        (lambda: convert(PureDP(1.0), to=RenyiDP, orders=[]), "orders must be a list of at least one order"),
        (lambda: convert(PureDP(1.0), to=RenyiDP, orders=[1.0]), "orders must be above 1"),
        (lambda: convert(PureDP(1.0), to=ProbabilisticDP, delta=0.1, sides=3), "sides must be 1 or 2; got 3"),
        (lambda: convert(PureDP(1.0), to=SemanticPrivacy, knows="all"), "knows must be one of Knowledge; got all"),
        (lambda: edge(PureDP, ApproxDP, "magic"), "theorem must be that of an edge from PureDP to ApproxDP; got magic"),
        (lambda: along(PureDP(1.0), []), "path must have an edge"),
        (lambda: convert(PureDP(1.0), to=ProbabilisticallyBoundedDP, delta=0), "delta must be above 0 for pbdp"),
    ],
)
def test_bad_questions_are_refused(call, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()


def test_beliefs_under_a_promise_with_a_delta_need_a_failure() -> None:
    with pytest.raises(Incompatible, match="failure must be given where the promise has a delta"):
        convert(ApproxDP(1.0, 0.1), to=SemanticPrivacy)


def test_a_delta_below_that_of_the_promise_is_refused() -> None:
    with pytest.raises(Unreachable, match="delta must be above the delta of the promise, 0.1"):
        convert(ApproxDP(1.0, 0.1), to=ProbabilisticDP, delta=0.05)


def test_extremes_are_finite() -> None:
    for promise in (PureDP(0.0), PureDP(1e-12), PureDP(1e4), ApproxDP(710.0, 1e-300)):
        found = convert(promise, to=ProbabilisticDP, delta=0.01).result
        assert math.isfinite(found.stated_epsilon)
    for rho in (1e-12, 1e4):
        assert math.isfinite(convert(ZeroConcentratedDP(rho), to=ApproxDP, delta=1e-6).result.stated_epsilon)


def test_the_list_of_edges_between_two_kinds() -> None:
    assert [each.theorem for each in edges(PureDP, ZeroConcentratedDP)] == ["pure-to-zcdp", "pure-to-zcdp-textbook"]
