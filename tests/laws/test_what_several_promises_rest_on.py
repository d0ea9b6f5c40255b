"""Every answer about several promises names the rule by which they add up, and that each release draws fresh noise."""

from __future__ import annotations

import numpy as np
import pytest

from whit.assessment import assess
from whit.curves import GaussianLoss, Promise
from whit.guarantees import (
    FDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    ProbabilisticallyBoundedCurve,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    compose,
    convert,
)
from whit.policy import check, limits
from whit.setting import Adversary, Knowledge, Neighbours

KINDS: tuple[Guarantee, ...] = (
    PureDP(0.3),
    ApproxDP(0.3, 1e-4),
    ProbabilisticDP(0.3, 1e-4),
    ProbabilisticallyBoundedDP(0.3, 1e-4),
    ProbabilisticallyBoundedCurve(GaussianLoss(0.3)),
    FDP(GaussianLoss(0.3)),
    BoundedRange(0.3),
    ZeroConcentratedDP(0.1),
    GaussianDP(0.3),
    RenyiDP({2: 0.1, 8: 0.4}),
)
"""One of each kind."""

RULES = {
    ZeroConcentratedDP(0.1): "zcdp-composition",
    GaussianDP(0.3): "gaussian-composition",
    RenyiDP({2: 0.1, 8: 0.4}): "renyi-composition",
    BoundedRange(0.3): "bounded-range-composition",
}
"""The kinds of which nothing is lost by adding up, with their rules."""

ADVERSARIES = (
    Adversary(prior=0.1),
    Adversary(prior=0.1, knows=Knowledge.EVERYONE_ELSE),
    Adversary(prior=0.1, block=2),
)


def unfounded(promise: Promise, adversary: Adversary, neighbours: Neighbours | None = None) -> list[str]:
    """The questions whose answer does not say that noise is fresh."""
    found = assess(promise, adversary, failure=0.01, neighbours=neighbours)
    assert found.answered
    return [
        name
        for name, answer in found.answered.items()
        for each in answer.findings
        if "independent-noise" not in each.basis.assumptions
    ]


@pytest.mark.parametrize("adversary", ADVERSARIES, ids=["any-belief", "knows-the-rest", "household"])
@pytest.mark.parametrize("promise", KINDS, ids=lambda promise: type(promise).__name__)
def test_every_answer_about_repeated_promises_rests_on_fresh_noise(promise, adversary):
    assert unfounded(promise.times(3), adversary) == []


@pytest.mark.parametrize("promise", KINDS, ids=lambda promise: type(promise).__name__)
def test_one_release_assumes_nothing_about_others(promise):
    assert unfounded(promise.times(1), ADVERSARIES[0]) != []


@pytest.mark.parametrize("promise", RULES, ids=lambda promise: type(promise).__name__)
def test_the_rule_is_named_under_a_replaced_record_too(promise):
    many, relation = promise.times(3), Neighbours.REPLACE
    if not isinstance(promise, RenyiDP):
        assert unfounded(many, ADVERSARIES[0], relation) == []
    for found in (many.delta(0.5, neighbours=relation), many.tail(0.5, neighbours=relation)):
        assert {RULES[promise], "group-privacy"} <= set(found.basis.theorems)


@pytest.mark.parametrize(
    "promises",
    [
        (ZeroConcentratedDP(0.1), ZeroConcentratedDP(0.2)),
        (GaussianDP(0.3), GaussianDP(0.4)),
        (RenyiDP({2: 0.1}), ZeroConcentratedDP(0.1)),
    ],
    ids=["rho", "mu", "orders"],
)
def test_every_answer_about_unequal_promises_rests_on_fresh_noise(promises):
    for adversary in ADVERSARIES:
        assert unfounded(compose(*promises), adversary) == []


@pytest.mark.parametrize("promise", RULES, ids=lambda promise: type(promise).__name__)
def test_the_numbers_are_those_of_the_one_promise_that_they_add_up_to(promise):
    many, one = promise.times(3), promise.added_up(3)
    points, levels = np.array([0.1, 0.5, 1.5]), np.array([1e-6, 0.01, 0.5])
    for name, at in [
        ("delta", points),
        ("log_delta", points),
        ("epsilon", levels),
        ("power", levels),
        ("tail", points),
        ("lower_tail", points),
        ("two_sided_tail", points),
        ("bounded_delta", points),
        ("bounded_epsilon", levels),
    ]:
        ours, theirs = getattr(many, name)(at), getattr(one, name)(at)
        assert np.array_equal(ours.value, theirs.value), name
        assert RULES[promise] in ours.basis.theorems, name
    assert float(many.sure_loss()) == float(one.sure_loss())
    assert many.stated_under(Neighbours.ADD_REMOVE) == one.parameters
    assert many == promise.times(3)
    assert hash(many) == hash(promise.times(3))
    # A range is not kept by mixtures of what a household may hold: these compose by their curves, one by one.
    for adversary in ADVERSARIES[: 2 if isinstance(promise, BoundedRange) else 3]:
        ours, theirs = (assess(each, adversary, failure=0.01).answered for each in (many, one))
        assert [[each.value for each in answer.findings] for answer in ours.values()] == [
            [each.value for each in answer.findings] for answer in theirs.values()
        ]


@pytest.mark.parametrize("to", [{"to": ApproxDP, "delta": 1e-6}, {"to": RenyiDP, "orders": (2, 8)}])
def test_a_conversion_names_the_rule_first_and_loses_nothing_by_it(to):
    found = convert(ZeroConcentratedDP(0.1).times(3), **to)
    assert found.result == convert(ZeroConcentratedDP(0.1).times(3), **to).result
    assert found.path[0].theorem == "zcdp-composition"
    assert "independent-noise" in found.basis.assumptions


def test_a_verdict_on_releases_after_others_names_the_rule():
    limit = limits.posterior(0.9, prior=0.1)
    for promise, rule in RULES.items():
        verdict = check(promise, limit, releases=3, failure=0.01)
        assert rule in verdict.number.basis.theorems
