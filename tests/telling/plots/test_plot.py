"""One picture for every kind of result."""

from __future__ import annotations

import pytest

from whit.assessment import assess
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Geometric
from whit.plans import census_2020, expose
from whit.policy import frontier, limits, profiles, recommend
from whit.semantics import membership, testing
from whit.telling.plots import Picture, plot

ALONG = profiles.capped(relative=3.0, absolute=0.25, value=1.0)

CASES = {
    "a promise": (lambda: PureDP(1.0), "What an adversary may come to believe"),
    "a promise with a delta": (lambda: ApproxDP(1.0, 1e-6), "What an adversary may come to believe"),
    "noise": (lambda: Gaussian(2.0), "What an adversary may come to believe"),
    "several": (
        lambda: {"rho": ZeroConcentratedDP(0.1), "epsilon": PureDP(0.5)},
        "What an adversary may come to believe",
    ),
    "a profile": (lambda: ALONG, "What is accepted, and the epsilon that it allows"),
    "profiles": (lambda: {"a": ALONG}, "What is accepted, and the epsilon that it allows"),
    "a free profile": (lambda: profiles.constant(3.0), "The epsilon that a profile allows, belief by belief"),
    "a law": (lambda: membership.distribution(Gaussian(1.0), 0.5), "How the posterior varies, from a prior of 50 %"),
    "a frontier": (lambda: frontier([ALONG], Geometric), "Risk against accuracy"),
    "an assessment": (lambda: assess(PureDP(1.0)), "Somebody may come to believe that you are in the data"),
    "a power": (lambda: testing.power(Gaussian(1.0), 0.05), "Somebody may come to believe"),
    "a recommendation": (lambda: recommend(ALONG, PureDP, releases=3), "What an adversary may come to believe"),
    "a limit": (
        lambda: recommend(limits.difference(0.2), Gaussian, failure=0.01),
        "What an adversary may come to believe",
    ),
    "a limit on tests": (lambda: recommend(limits.power(0.5, level=0.05), Gaussian), "How often an adversary is right"),
    "an exposure": (lambda: expose(census_2020.plan(), census_2020.SCENARIOS["C"]), "What each query tells"),
    "a plan": (census_2020.plan, "What each query tells"),
}


@pytest.mark.parametrize("case", CASES)
def test_every_result_has_a_picture_that_says_what_it_shows(case):
    result, title = CASES[case]
    picture = plot(result())
    assert isinstance(picture, Picture)
    assert title in picture.title
    assert picture.chart.to_dict()["description"] == picture.alt
    assert picture.title in picture.alt or "icon arrays" in picture.alt
    assert len(picture.table.rows()) >= 1


def test_a_chance_of_failure_is_allowed_only_where_nothing_holds_always():
    assert "except with" not in plot(PureDP(1.0)).alt
    assert "except with probability 1 %" in plot(Gaussian(1.0)).alt
    assert "except with probability 0.1 %" in plot(Gaussian(1.0), failure=0.001).alt


def test_a_recommendation_keeps_below_what_is_allowed():
    table = plot(recommend(ALONG, PureDP)).table
    drawn, allowed = (table[name] for name in table if name.startswith("posterior"))
    inside = [(one, other) for one, other, prior in zip(drawn, allowed, table["prior"], strict=True) if prior > 0]
    assert all(one <= other * (1 + 1e-12) for one, other in inside)
    assert min(other - one for one, other in inside) < 2e-3


@pytest.mark.parametrize("x", [3.0, "epsilon 1", None, object()])
def test_what_has_no_picture_is_refused(x):
    with pytest.raises(InvalidInput, match="must be a result that has a picture|steps must be"):
        plot(x)


def test_what_does_not_fit_is_refused_in_a_sentence():
    with pytest.raises(Incompatible, match="must be the power of one test"):
        plot(membership.posterior(PureDP(1.0), 0.5))
    with pytest.raises(Incompatible, match="must be the power of one test"):
        plot(testing.power(PureDP(1.0), [0.05, 0.1]))
    with pytest.raises(Incompatible, match="without earlier releases"):
        plot(recommend(ALONG, PureDP, spent=PureDP(0.1)))
    with pytest.raises(InvalidInput, match=r"colour is not an option .* got red\. Leave it out\. It has allowed, fail"):
        plot(PureDP(1.0), colour="red")
    with pytest.raises(InvalidInput, match=r"releases is not an option of the picture posterior_against_prior; got 36"):
        plot(PureDP(1.0), releases=36)
    with pytest.raises(InvalidInput, match="Leave it out. It has language"):
        plot(ALONG, epsilon=2.0)
