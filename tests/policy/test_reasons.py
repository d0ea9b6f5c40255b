"""The sentence of a verdict names the prior, and says no more of a bound than it shows."""

from __future__ import annotations

import math

import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian
from whit.policy import Outcome, Verdict, check, limits
from whit.setting import Knowledge


def test_the_prior_is_named() -> None:
    assert "at a prior of 10 %" in check(PureDP(1.0), limits.posterior(0.3, prior=0.1)).reason
    assert "prior of" not in check(PureDP(1.0), limits.power(0.3, level=0.1)).reason
    ranged = check(PureDP(1.0), limits.difference(0.2, prior=(0.05, 0.4))).reason
    assert "for priors from 5 % to 40 %" in ranged
    assert "all priors" not in ranged


def test_an_upper_bound_above_the_limit_may_be_reached() -> None:
    # e/20 is the power that epsilon 1 allows at level 0.05: 13.59 %, rounded up as in every other sentence.
    assert check(PureDP(1.0), limits.power(0.1, level=0.05)).reason == (
        "Power of the best test may reach 13.6 %; the limit is 10 %."
    )
    exact = check(Gaussian(2.0), limits.power(0.1, level=0.05, knows=Knowledge.EVERYONE_ELSE)).reason
    assert exact.startswith("Power of the best test is 1")
    assert "at most" not in exact


def test_a_verdict_knows_whether_the_risk_itself_is_above_the_limit() -> None:
    def power(most: float, knows: Knowledge) -> Verdict:
        return check(Gaussian(2.0), limits.power(most, level=0.05, knows=knows))

    exact, bounded, kept = (
        power(most, knows)
        for most, knows in ((0.1, Knowledge.EVERYONE_ELSE), (0.1, Knowledge.ANY_BELIEF), (0.2, Knowledge.EVERYONE_ELSE))
    )
    assert (exact.exceeds, bounded.exceeds, kept.exceeds) == (True, False, False)
    assert exact.outcome is bounded.outcome is Outcome.BROKEN
    assert Verdict.of_all([bounded, exact]).exceeds
    assert not Verdict.of_all([bounded, kept]).exceeds


def test_a_risk_above_its_limit_is_above_it_in_print() -> None:
    said = check(PureDP(1.0), limits.ratio(math.e - 1e-6)).reason
    assert said == "Largest ratio of posterior to prior over all priors may reach 2.72; the limit is 2.71828082846."


def test_a_risk_within_its_limit_is_within_it_in_print() -> None:
    said = check(PureDP(1.0), limits.ratio(math.e + 1e-6)).reason
    assert (
        said == "Largest ratio of posterior to prior over all priors is at most 2.718282; the limit is 2.71828282846."
    )
    assert check(PureDP(1.0), limits.ratio(2.8)).reason.endswith("is at most 2.72; the limit is 2.8.")


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("ends", [(0.05, 0.4), (0.38, 0.42), (0.001, 0.1), (0.7, 0.9), (0.55, 0.65)])
@pytest.mark.parametrize("epsilon", [0.1, 0.8, 2.0, 6.0])
def test_a_range_of_priors_is_the_worst_of_them(ends: tuple[float, float], sides: int, epsilon: float) -> None:
    def change(prior: float) -> float:
        """The larger of the rise and, of two sides, the fall, by Bayes."""
        rise, fall = (prior / (prior + (1 - prior) * math.exp(-loss)) - prior for loss in (epsilon, -epsilon))
        return max(rise, -fall if sides == 2 else 0.0)

    steps = 2000
    priors = [ends[0] + (ends[1] - ends[0]) * at / steps for at in range(steps + 1)]
    largest = max(map(change, priors))
    found = float(limits.difference(0.2, prior=ends).risk(PureDP(epsilon), sides=sides))
    assert largest <= found * (1 + 1e-15)
    assert found <= largest + 1e-6
    allowed = float(limits.difference(0.2, prior=ends).allowed_loss(sides=sides))
    assert limits.difference(0.2, prior=ends).keeps(PureDP(allowed * (1 - 1e-9)), sides=sides)
    assert not limits.difference(0.2, prior=ends).keeps(PureDP(allowed * (1 + 1e-9)), sides=sides)


def test_the_adversary_of_a_range_is_in_it() -> None:
    limit = limits.difference(0.2, prior=(0.1, 0.2))
    verdict = check(PureDP(2.0), limit)
    assert verdict.adversary is not None
    assert verdict.adversary.prior == 0.2
    assert float(limit.certainty()) == pytest.approx(0.9)


def test_other_limits_take_ranges_by_the_end_that_decides() -> None:
    assert limits.posterior(0.3, prior=(0.01, 0.1)) == limits.posterior(0.3, prior=0.1)
    assert limits.ratio(3.0, prior=(0.01, 0.1)) == limits.ratio(3.0, prior=0.01)
    assert limits.difference(0.3, prior=(0.1, 0.1)) == limits.difference(0.3, prior=0.1)
    limit = limits.difference(0.2, prior=(0.05, 0.4))
    assert repr(limit) == "DifferenceLimit(difference=0.2, prior=(0.05, 0.4))"
    assert limits.DifferenceLimit(difference=0.2, prior=(0.05, 0.4)) == limit  # type: ignore[arg-type]
    for wrong in ((0.2, 0.1), (0.1,), (0.1, 0.2, 0.3), (0.1, 2.0)):
        with pytest.raises(InvalidInput, match="prior must be"):
            limits.posterior(0.5, prior=wrong)  # type: ignore[arg-type]
