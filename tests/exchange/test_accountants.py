"""Accountants of dp-accounting, prv-accountant, riskcal and PipelineDP, by the public names that the live ones have."""

from __future__ import annotations

import math
from enum import Enum
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied, UnknownKey
from whit.exchange import OpenPoint, learn
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, RandomizedResponse
from whit.setting import Neighbours, Sensitivity

NORM = Sensitivity(add_remove=1.0, replace=2.0)
NOISE = {"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}
Relation = Enum("Relation", ["ADD_OR_REMOVE_ONE", "REPLACE_ONE", "REPLACE_SPECIAL", "SOMETHING_ELSE"])


def dp_accountant(event: object, relation: Any) -> Any:
    return SimpleNamespace(ledger=event, neighboring_relation=relation)


@pytest.mark.parametrize(
    ("relation", "neighbours"),
    [
        (Relation.ADD_OR_REMOVE_ONE, Neighbours.ADD_REMOVE),  # type: ignore[attr-defined]
        (Relation.REPLACE_SPECIAL, Neighbours.ADD_REMOVE),  # type: ignore[attr-defined]
        (Relation.REPLACE_ONE, Neighbours.REPLACE),  # type: ignore[attr-defined]
    ],
)
def test_an_accountant_says_between_which_neighbours_it_counts(relation: Any, neighbours: Neighbours) -> None:
    found = learn(dp_accountant(NOISE, relation))
    assert found.promise == Gaussian(2.0, sensitivity=NORM)
    assert found.relations == (neighbours,)
    assert OpenPoint.NEIGHBOURS not in found.open
    assert (OpenPoint.ZEROED in found.open) is (relation.name == "REPLACE_SPECIAL")


def test_reports_of_each_person_have_one_relation_whatever_the_accountant_says() -> None:
    event = {"class_name": "RandomizedResponseDpEvent", "noise_parameter": 0.5, "num_buckets": 2}
    found = learn(dp_accountant(event, Relation.ADD_OR_REMOVE_ONE))  # type: ignore[attr-defined]
    assert found.relations == (Neighbours.LOCAL,)
    assert isinstance(found.promise, RandomizedResponse)


@pytest.mark.parametrize(("noise", "answers"), [(0.5, 4), (0.01, 3), (0.9, 1000), (1e-9, 4)])
def test_a_report_beside_a_random_one_lies_just_above_the_truth(noise: float, answers: int) -> None:
    """The pair of the library, in fractions: the true answer and all others, beside an answer drawn at random."""
    event = {"class_name": "RandomizedResponseDpEvent", "noise_parameter": noise, "num_buckets": answers}
    found = learn(dp_accountant(event, Relation.REPLACE_SPECIAL))  # type: ignore[attr-defined]
    assert found.relations == (Neighbours.ADD_REMOVE,)
    assert OpenPoint.ZEROED in found.open
    share, part = Fraction(noise), Fraction(1, answers)
    report, random = (1 - share + share * part, share * (1 - part)), (part, 1 - part)
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(2)):
        orders = [zip(*pair, strict=True) for pair in ((report, random), (random, report))]
        truth = max(sum(max(p - ratio * q, Fraction(0)) for p, q in order) for order in orders)
        delta = float(found.promise.delta(math.log(ratio)).upper)
        assert float(truth) * (1 - 1e-15) <= delta <= float(truth) * (1 + 1e-9)


def test_runs_that_are_known_for_added_records_only_are_not_read_for_replaced_ones() -> None:
    runs = {"class_name": "RepeatAndSelectDpEvent", "event": NOISE, "mean": 10.0, "shape": 1.0}
    assert learn(dp_accountant(runs, Relation.ADD_OR_REMOVE_ONE)).relations == (Neighbours.ADD_REMOVE,)  # type: ignore[attr-defined]
    with pytest.raises(NotImplied, match="neighboring_relation .* must be one under which .* REPLACE_ONE"):
        learn(dp_accountant(runs, Relation.REPLACE_ONE))  # type: ignore[attr-defined]


def test_a_relation_that_nobody_knows_is_refused() -> None:
    with pytest.raises(UnknownKey, match="neighboring_relation of the accountant"):
        learn(dp_accountant(NOISE, Relation.SOMETHING_ELSE))  # type: ignore[attr-defined]


class PoissonSubsampledGaussianMechanism:
    p, sigma = np.longdouble(0.01), np.longdouble(1.0)


class LaplaceMechanism:
    mu = 0.5


class GaussianMechanism:
    mu = 0.25


class PureDPMechanism:
    eps = 0.5


class ApproximateDPMechanism:
    delta, pure_dp = 1e-6, PureDPMechanism()


class UnheardOfMechanism:
    pass


def prv(*each: object, counts: list[int]) -> Any:
    return SimpleNamespace(prvs=list(each), max_self_compositions=counts)


@pytest.mark.parametrize(
    ("one", "promise"),
    [
        (PoissonSubsampledGaussianMechanism(), PoissonSubsampled(Gaussian(1.0, sensitivity=NORM), 0.01)),
        (LaplaceMechanism(), Laplace(1.0, sensitivity=Sensitivity(add_remove=0.5, replace=1.0))),
        (GaussianMechanism(), Gaussian(1.0, sensitivity=Sensitivity(add_remove=0.25, replace=0.5))),
        (PureDPMechanism(), PureDP(0.5)),
        (ApproximateDPMechanism(), ApproxDP(0.5, 1e-6)),
    ],
)
def test_the_mechanisms_of_a_prv_accountant_are_those_of_whit(one: object, promise: object) -> None:
    found = learn(prv(one, counts=[1]))
    assert found.promise == promise
    assert OpenPoint.MOST in found.open


def test_equal_mechanisms_of_a_prv_accountant_are_counted_together() -> None:
    found = learn(prv(GaussianMechanism(), GaussianMechanism(), counts=[2, 3]))
    assert found.promise == learn(prv(GaussianMechanism(), counts=[5])).promise


@pytest.mark.parametrize(
    ("accountant", "error", "words"),
    [
        (prv(UnheardOfMechanism(), counts=[1]), UnknownKey, r"the class of prvs\[0\]"),
        (prv(GaussianMechanism(), counts=[-1]), InvalidInput, r"max_self_compositions\[0\] must be a whole number"),
    ],
)
def test_what_a_prv_accountant_should_not_have_is_refused(accountant: object, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        learn(accountant)


def test_the_accountant_of_riskcal_is_read_as_that_of_opacus() -> None:
    found = learn({"history": [(1.0, 0.01, 10)], "mechanism": "ctd"})
    assert found.source == "riskcal accountant"
    assert found.promise == learn({"history": [(1.0, 0.01, 10)], "mechanism": "rdp"}).promise


def spec(eps: float, delta: float, count: int = 1, *, deviation: bool = False) -> Any:
    return SimpleNamespace(eps=eps, delta=delta, count=count, standard_deviation_is_set=deviation)


def pipeline(*specs: Any, finalized: bool = True) -> Any:
    return SimpleNamespace(total_epsilon=1.0, total_delta=1e-6, mechanism_specs=list(specs), finalized=finalized)


def test_the_shares_of_a_pipeline_come_to_no_more_than_the_whole() -> None:
    shares = [spec(0.2, 0), spec(0.2, 2.5e-7, 3), spec(0.2, 2.5e-7)]
    found = learn(pipeline(*shares)).promise
    assert float(found.epsilon(1e-6)) <= 1.0 * (1 + 1e-9)
    assert float(found.epsilon(0.01)) < 1.0


@pytest.mark.parametrize(
    "accountant",
    [pipeline(), pipeline(spec(0.5, 0), finalized=False), pipeline(spec(0.5, 0, deviation=True))],
)
def test_a_pipeline_that_has_not_shared_out_counts_as_a_whole(accountant: Any) -> None:
    found = learn(accountant)
    assert found.promise == ApproxDP(1.0, 1e-6)
    assert OpenPoint.MOST in found.open


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({"total_epsilon": 1.0}, "accountant.total_delta must be there"),
        ({"total_epsilon": "x", "total_delta": 0}, "accountant.total_epsilon must be a finite number"),
        ({"total_epsilon": 1, "total_delta": 0, "mechanism_specs": [{"eps": 1}]}, r"specs\[0\].delta must be there"),
        ({"total_epsilon": 1, "total_delta": 0, "mechanism_specs": 3}, "mechanism_specs must be a list"),
        (
            {"total_epsilon": 1, "total_delta": 0, "mechanism_specs": [{"eps": 1, "delta": 0, "count": -1}]},
            r"specs\[0\].count must be a whole number",
        ),
    ],
)
def test_a_pipeline_without_its_numbers_is_refused_with_the_place(tree: object, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        learn(tree)


STEPS = {"prob": 0.01, "sigma": 1.0, "niter": 100, "PoissonSampling": True}


def autodp(name: str, **more: Any) -> Any:
    params = more.pop("params")
    return type(name, (), {"RenyiDP": None, "approxDP": None, "params": params, **more})()


@pytest.mark.parametrize(
    ("name", "params", "epsilon"),
    [
        ("PureDP_Mechanism", {"eps": 0.5}, 0.5),
        ("ExponentialMechanism", {"eps": 0.5, "rho": 1 / 32, "xi": 0}, 0.5),
        ("LaplaceMechanism", {"b": 2.0}, 0.5),
        ("RandresponseMechanism", {"p": 0.75}, np.log(3.0)),
        ("RandresponseMechanism", {"p": 0.25}, np.log(3.0)),
    ],
)
def test_a_mechanism_of_autodp_has_its_epsilon(name: str, params: dict[str, float], epsilon: float) -> None:
    found = float(learn(autodp(name, params=params)).promise.epsilon(0.0))
    assert epsilon * (1 - 1e-15) <= found <= epsilon * (1 + 1e-14)


def test_noise_of_autodp_is_relative_to_one_contribution() -> None:
    step = PoissonSubsampled(Gaussian(1.0, sensitivity=NORM), 0.01)
    assert learn(autodp("NoisySGD_Mechanism", params=STEPS)).promise == step.times(100)
    several = autodp("NoisyGD_Mechanism", params={"sigma_list": np.array([2.0, 2.0])})
    assert learn(several).promise == Gaussian(2.0, sensitivity=NORM).times(2)


@pytest.mark.parametrize(
    ("mechanism", "error", "words"),
    [
        (
            autodp("Mechanism", params={"Gaussian:sigma": 1.0}),
            NotImplied,
            "must be of a class that whit reads; got Mechanism",
        ),
        (autodp("GaussianMechanism", params={}), InvalidInput, "params.sigma must be there"),
        (autodp("GaussianMechanism", params={"sigma": 1.0}, group_size=2), NotImplied, "group_size must be 1"),
        (autodp("GaussianMechanism", params={"sigma": 1.0}, neighboring="replace_one"), NotImplied, "neighboring"),
        (autodp("RandresponseMechanism", params={"p": 1.0}), InvalidInput, "above 0 and below 1"),
        (autodp("zCDP_Mechanism", params={"rho": 1.0, "xi": 0.1}), NotImplied, "params.xi must be 0"),
        (
            autodp("NoisySGD_Mechanism", params={**STEPS, "PoissonSampling": False}),
            NotImplied,
            "PoissonSampling must be true",
        ),
    ],
)
def test_what_autodp_does_not_say_is_refused(mechanism: object, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        learn(mechanism)
