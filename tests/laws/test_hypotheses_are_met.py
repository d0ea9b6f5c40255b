"""No number is given where a hypothesis of a theorem behind it is not met by what was asked.

The registry says for each theorem between which neighbours, in which order, for which sides of the loss, for whom, over
which chance and at which moments it holds. Random promises are asked random questions by random adversaries, and every
finding is compared with its theorems. What was asked is known here by itself, and not from the finding.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypotheses_met import Asked, unmet

from whit.assessment import assess
from whit.curves import Promise
from whit.guarantees import (
    ApproxDP,
    BoundedRange,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from whit.mechanisms import (
    BestOfRuns,
    DiscreteGaussian,
    ExponentialMechanism,
    Finite,
    FullChange,
    Gaussian,
    Geometric,
    Laplace,
    MixtureOfGaussians,
    PartitionSelection,
    PermuteAndFlip,
    PoissonSubsampled,
    RandomizedResponse,
    Rappor,
    SampledWithoutReplacement,
    Shuffled,
    SimpleRandomSample,
    SparseVector,
    Staircase,
    ThresholdedNoise,
    TreeAggregation,
    Tulap,
    UnaryEncoding,
    compose,
)
from whit.setting import Adversary, Knowledge, Neighbours, When
from whit.theory import Basis, Failure, Finding, Randomness

REPLACE, LOCAL = Neighbours.REPLACE, Neighbours.LOCAL

PROMISES: tuple[Promise, ...] = (
    PureDP(1.0),
    PureDP(0.5, neighbours=REPLACE),
    PureDP(0.5, neighbours=LOCAL),
    PureDP(0.1).times(5),
    ApproxDP(1.0, 1e-6),
    ApproxDP(1.0, 1e-6, neighbours=REPLACE),
    ApproxDP(0.1, 1e-7).times(5),
    ProbabilisticDP(1.0, 1e-3),
    ProbabilisticDP(1.0, 1e-3, sides=1),
    ProbabilisticallyBoundedDP(1.0, 0.01),
    ZeroConcentratedDP(0.1),
    ZeroConcentratedDP(2.0, neighbours=REPLACE),
    ZeroConcentratedDP(0.05).times(3),
    RenyiDP({2.0: 0.1, 32.0: 1.6}),
    GaussianDP(1.0),
    GaussianDP(0.3).times(4),
    BoundedRange(1.0),
    Gaussian(2.0),
    Gaussian(2.0).times(12),
    Laplace(2.0),
    Laplace(2.0).times(3),
    FullChange(Laplace(2.0)),
    Geometric(1.2),
    Geometric(0.5).times(10),
    DiscreteGaussian(2.0),
    RandomizedResponse(1.0),
    RandomizedResponse(0.5).times(10),
    RandomizedResponse(1.0, categories=3),
    compose(Gaussian(1.0), Laplace(2.0)),
    PoissonSubsampled(Gaussian(1.0), 0.1),
    PoissonSubsampled(Laplace(1.0), 0.1),
    PoissonSubsampled(Geometric(1.0), 0.1),
    SampledWithoutReplacement(Gaussian(1.0), size=10, population=100),
    SimpleRandomSample(size=10, population=1000),
    Staircase(1.0),
    Tulap(1.0, 1e-3),
    Shuffled(RandomizedResponse(1.0), 100),
    UnaryEncoding(1.0),
    Rappor(0.5, p=0.5, q=0.75, hashes=2),
    ExponentialMechanism(1.0),
    PermuteAndFlip(1.0),
    Finite([0.5, 0.3, 0.2], [0.2, 0.3, 0.5]),
    MixtureOfGaussians(1.0, [0.0, 1.0], [0.5, 0.5]),
    ThresholdedNoise(Laplace(1.0), 10.0),
    PartitionSelection(1.0, 1e-5),
    SparseVector(1.0, positives=3),
    TreeAggregation(2.0, 1600),
)
DEAR: tuple[Promise, ...] = (
    PoissonSubsampled(Gaussian(1.0), 0.1).times(3),
    DiscreteGaussian(2.0).times(2),
    compose(Laplace(1.0), RandomizedResponse(1.0)),
    FullChange(Laplace(2.0).times(3)),
    BestOfRuns(PureDP(0.1), mean=10.0),
)


def drawn(promise: Promise, draws: random.Random) -> Asked:
    """A question about a promise, of somebody with some belief and some knowledge."""
    beliefs = draws.choice([{"prior": 0.3}, {"inclusion": 0.4, "value": 0.2}, {"inclusion": 1.0, "value": 0.2}])
    who = {"knows": draws.choice(list(Knowledge)), "when": draws.choice(list(When)), "baseline": draws.random()}
    return Asked(
        promise,
        Adversary(**beliefs, **who),
        failure=draws.choice([0.0, 0.01, 0.05]),
        sides=draws.choice([1, 2]),
        neighbours=draws.choice([None, None, *Neighbours]),
    )


def offences(asked: Asked) -> list[str]:
    """What is not met of the theorems behind any answer."""
    assessment = assess(asked.promise, asked.adversary, **asked.options)  # type: ignore[arg-type]
    return [
        f"{name}: {each}"
        for name, answer in assessment
        for finding in answer.findings
        for each in unmet(name, finding, asked)
    ]


@pytest.mark.parametrize("promise", PROMISES, ids=lambda each: str(each)[:60])
def test_what_was_asked_meets_the_hypotheses_of_every_theorem(promise):
    draws = random.Random(f"hypotheses {promise}")
    for _ in range(2):
        asked = drawn(promise, draws)
        assert offences(asked) == [], asked


@pytest.mark.slow
@pytest.mark.parametrize("promise", [*PROMISES, *DEAR], ids=lambda each: str(each)[:60])
def test_what_was_asked_meets_the_hypotheses_of_every_theorem_often(promise):
    draws = random.Random(f"more hypotheses {promise}")
    for _ in range(12):
        asked = drawn(promise, draws)
        assert offences(asked) == [], asked


def posterior(promise: Promise, asked: Asked) -> Finding:
    """The posterior that was asked about."""
    found = assess(promise, asked.adversary, questions=["posterior"], **asked.options).posterior  # type: ignore[arg-type]
    assert isinstance(found, Finding)
    return found


INFORMED = Adversary(prior=0.3, knows=Knowledge.EVERYONE_ELSE)
WATCHING = Adversary(prior=0.3, knows=Knowledge.EVERYONE_ELSE, when=When.EVER)
KNOWN = Asked(Gaussian(2.0), INFORMED, failure=0.05)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"adversary": Adversary(prior=0.3)}, "loss-tail: knowledge any-belief"),
        ({"adversary": Adversary(prior=0.3)}, "loss-tail: order profile"),
        ({"adversary": WATCHING}, "no theorem about every moment"),
        ({"adversary": WATCHING}, "loss-tail: stopping"),
        ({"failure": 0.0}, "a chance of failure that was not asked for"),
        ({"failure": 0.01}, "a chance of 0.05, where 0.01 was asked for"),
    ],
)
def test_an_answer_to_another_question_is_found(change, found):
    finding = posterior(KNOWN.promise, KNOWN)
    assert unmet("posterior", finding, KNOWN) == []
    assert found in unmet("posterior", finding, replace(KNOWN, **change))


@pytest.mark.parametrize(
    ("key", "change", "found"),
    [
        ("posterior-ratio-any-record", {"sides": 2}, "posterior-ratio-any-record: sides two"),
        ("poisson-subsampling", {"neighbours": REPLACE}, "poisson-subsampling: neighbours ['replace']"),
        ("beliefs-but-for-failure", {}, "beliefs-but-for-failure: randomness mechanism"),
        ("dominating-pairs-compose", {}, "no common order"),
    ],
)
def test_a_theorem_that_does_not_belong_there_is_found(key, change, found):
    asked = replace(KNOWN, **change)
    finding = posterior(Gaussian(2.0), KNOWN)
    foreign = replace(finding, basis=finding.basis | Basis.of(key))
    assert any(each.startswith(found) for each in unmet("posterior", foreign, asked))


def test_a_failure_over_the_wrong_chance_is_found():
    asked = Asked(ApproxDP(1.0, 1e-6), Adversary(prior=0.3), failure=0.05)
    finding = posterior(asked.promise, asked)
    assert unmet("posterior", finding, asked) == []
    wrong = replace(finding, basis=replace(finding.basis, failures=(Failure(0.05, Randomness.MECHANISM),)))
    assert unmet("posterior", wrong, asked) == ["beliefs-when-the-rest-is-random: randomness mechanism"]


def test_a_promise_about_added_records_names_the_step_to_replaced_ones():
    asked = Asked(PureDP(1.0), Adversary(prior=0.3), neighbours=REPLACE)
    finding = posterior(asked.promise, asked)
    assert "replacing-is-removing-and-adding" in finding.basis.theorems
    silent = replace(finding, basis=Basis.of("pure-is-probabilistic"))
    assert unmet("posterior", silent, asked) == ["no theorem from added to replaced records"]
