"""A bound for somebody who may believe anything of the others holds for every mixture of the others' records.

A kernel has a row for each choice of the others' records and each of two records of the person. Whoever draws the
others from a law of their own compares two mixtures of rows. No bound on their posterior is smaller than the mixtures
give, at any chance of failure; and the bound for somebody who knows the others is, which shows that the law can fail.
"""

from __future__ import annotations

import numpy as np
import pytest

from whit.assessment import Unanswered, assess
from whit.curves import largest_loss
from whit.errors import InvalidInput
from whit.guarantees import ProbabilisticDP
from whit.mechanisms import Finite, FullChange, Kernel
from whit.semantics import membership
from whit.setting import Adversary, Knowledge, Neighbours

FAILURES = np.array([0.0, 0.01, 0.05, 0.2, 0.5, 0.8])


def mixtures(random: np.random.Generator) -> tuple[Kernel, Finite]:
    """A kernel over three choices of the others, and the two mixtures that one belief about them makes."""
    outcomes = int(random.integers(2, 6))
    ps, qs = random.dirichlet(np.full(outcomes, 0.5), size=(2, 3))
    weights = random.dirichlet(np.ones(3))
    rows = [row for pair in zip(ps, qs, strict=True) for row in pair]
    kernel = Kernel(rows, [(0, 1), (2, 3), (4, 5)], neighbours=Neighbours.REPLACE)
    p, q = (np.clip(weights @ each, 0.0, 1.0) for each in (ps, qs))
    return kernel, Finite(p / p.sum(), q / q.sum(), neighbours=Neighbours.REPLACE)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_no_mixture_is_told_more_than_the_bound(seed, sides):
    random = np.random.default_rng([21, sides, seed])
    for _ in range(5):
        kernel, mixed = mixtures(random)
        asked = {"failure": FAILURES, "sides": sides, "knows": Knowledge.ANY_BELIEF}
        bound = np.asarray(membership.odds_ratio(kernel, **asked).value)
        own = np.exp(np.asarray(largest_loss(FullChange(mixed), FAILURES, sides=sides).value))
        assert np.all(own <= bound * (1 + 1e-9)), (kernel, mixed, own, bound)
        average = float(membership.expected_posterior(mixed, 0.3))
        assert average <= float(membership.expected_posterior(kernel, 0.3, knows=Knowledge.ANY_BELIEF)) + 1e-9


def test_the_bound_for_a_known_rest_would_break_the_law():
    """The example of the proof page: each pair exceeds 1 with probability 0.01 at most, and the mixture with 0.37."""
    a, b = np.e / (1 + np.e), 1 / (1 + np.e)
    rows = [[a, b, 0.0], [b, a, 0.0], [0.01, 0.0, 0.99], [0.0, 0.01, 0.99]]
    kernel = Kernel(rows, [(0, 1), (2, 3)], neighbours=Neighbours.REPLACE)
    mixture = (np.add(rows[0], rows[2]) / 2, np.add(rows[1], rows[3]) / 2)
    truth = mixture[0][0] / (mixture[0][0] + mixture[1][0])
    known, anybody = (
        float(membership.posterior(kernel, 0.5, failure=0.02, knows=knows))
        for knows in (Knowledge.EVERYONE_ELSE, Knowledge.ANY_BELIEF)
    )
    assert known < 0.7311 < 0.7337 < truth <= anybody


def test_a_promise_about_the_tail_says_nothing_to_somebody_who_does_not_know_the_others_at_its_own_delta():
    promise = ProbabilisticDP(1.0, 0.01, sides=1)
    anybody, informed = (Adversary(prior=0.5, knows=knows) for knows in Knowledge)
    assert float(assess(promise, informed, failure=0.01).posterior) == pytest.approx(np.e / (1 + np.e))
    refused = assess(promise, anybody, failure=0.01).posterior
    assert isinstance(refused, Unanswered)
    assert "Ask with failure=0.05 or more" in refused.reason
    assert float(assess(promise, anybody, failure=0.05).posterior) > 0.7337


def test_only_at_most_holds_of_an_average_over_the_others():
    kernel, _ = mixtures(np.random.default_rng(1))
    asked = {name: assess(kernel, Adversary(prior=0.5, knows=knows)) for name, knows in Knowledge.__members__.items()}
    said = {name: str(found.expected_posterior) for name, found in asked.items()}
    assert "is at most" in said["ANY_BELIEF"]
    assert "rounded up" in said["EVERYONE_ELSE"]
    basis = {name: found.expected_posterior.basis.assumptions for name, found in asked.items()}
    assert "others-do-not-depend-on-person" in basis["ANY_BELIEF"]
    assert "knows-all-but-one-fact" in basis["EVERYONE_ELSE"]


def test_that_others_depend_on_the_person_is_refused_with_a_way_out():
    with pytest.raises(InvalidInput, match="if others may depend on this person, say how many, with a block"):
        Adversary(prior=0.5, knows="twins")
