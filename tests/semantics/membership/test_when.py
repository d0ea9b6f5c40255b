"""Beliefs at the end and at every moment: the counts that are printed with the theorem, and what does not change."""

from __future__ import annotations

from math import sqrt

import pytest

from whit import Gaussian, Knowledge, PureDP, RandomizedResponse, When, ZeroConcentratedDP
from whit.errors import InvalidInput
from whit.semantics import membership
from whit.theory import Randomness

DAILY, COUNTS = ZeroConcentratedDP(rho=0.01), Gaussian(sigma=sqrt(50))


@pytest.mark.parametrize(
    ("promise", "knows", "when", "day"),
    [
        (COUNTS, Knowledge.EVERYONE_ELSE, When.END, 112),
        (COUNTS, Knowledge.EVERYONE_ELSE, When.EVER, 102),
        (COUNTS, Knowledge.ANY_BELIEF, When.END, 97),
        (COUNTS, Knowledge.ANY_BELIEF, When.EVER, 97),
        (DAILY, Knowledge.EVERYONE_ELSE, When.END, 79),
        (DAILY, Knowledge.EVERYONE_ELSE, When.EVER, 79),
    ],
)
def test_the_first_day_on_which_99_per_cent_is_not_excluded(promise, knows, when, day):
    asked = {"failure": 0.01, "knows": knows, "when": when}
    found = membership.releases_until(promise, membership.PosteriorFrom(0.5), 0.99, **asked)
    assert found.first_beyond == day
    assert ("at-every-moment" in found.count.basis.theorems) is (when is When.EVER)


def test_the_posterior_of_gaussian_noise_ever():
    """At mu 1 and a failure of 1 % the end allows 94.5 % and every moment 95.4 %."""
    end, ever = (membership.posterior(Gaussian(1.0), 0.5, failure=0.01, when=when) for when in When)
    assert f"{float(end):.3f} {float(ever):.3f}" == "0.944 0.954"
    assert ever.inputs["when"] == "EVER"
    assert "when" not in end.inputs
    assert [each.over for each in ever.basis.failures] == [Randomness.MECHANISM]


def test_what_always_holds_holds_at_every_moment():
    for question in (membership.posterior, membership.ratio, membership.difference, membership.odds):
        end, ever = (float(question(PureDP(1.0), 0.3, when=when)) for when in When)
        assert end == ever
    for of_any_prior in (membership.largest_ratio, membership.largest_difference, membership.odds_ratio):
        end, ever = (float(of_any_prior(PureDP(1.0), when=when)) for when in When)
        assert end == ever


def test_more_releases_never_mean_less_risk_at_every_moment():
    """At the end nine reports can tell more than ten; somebody who watches all the way has seen the nine."""
    asked = {"failure": 0.01, "when": When.EVER}
    found = [float(membership.posterior(RandomizedResponse(0.5).times(n), 0.5, **asked)) for n in range(1, 14)]
    assert found == sorted(found)


def test_a_moment_that_is_none_is_refused():
    with pytest.raises(InvalidInput, match=r"when must be one of When; got always"):
        membership.posterior(PureDP(1.0), 0.5, when="always")
