"""The largest posterior over the adversaries of a profile: nobody with the prior lies above it, and one lies on it."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import Incompatible
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian, Laplace
from whit.policy import check, posterior_line, profiles
from whit.policy.criteria import PRECISION, EveryCriterion
from whit.policy.families import NoiseFamily
from whit.policy.planned import Planned
from whit.policy.profile_criterion import ProfileCriterion
from whit.semantics import disclosure
from whit.setting import Sensitivity
from whit.telling.plots import posterior_against_prior

AT = np.array([0.0, 0.01, 0.05, 0.2, 0.5, 0.9, 1.0])
NOISE = Gaussian(3.0, sensitivity=Sensitivity.histogram())
PROFILES = [
    profiles.capped(relative=3.0, absolute=0.25),
    profiles.capped(relative=3.0, absolute=0.25, value=1.0),
    profiles.box(3.0, inclusion=(0.2, 0.6), value=(0.1, 0.9)),
    profiles.constant(3.0),
]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("promised", [PureDP(0.7), NOISE])
def test_no_adversary_of_the_profile_learns_more_than_the_line_says(profile, promised):
    line = posterior_line(profile, promised, AT, failure=0.01).value
    (least_p, most_p), (least_q, most_q) = profile.domain.inclusion, profile.domain.value
    inclusions = np.clip(np.union1d(np.linspace(1e-3, 1.0, 23), AT[1:]), max(least_p, 1e-3), most_p)
    inclusion, place = np.meshgrid(inclusions, np.arange(len(AT)))
    value = AT[place] / inclusion
    meant = (least_q <= value) & (value <= most_q)
    risk = disclosure.absolute_risk(promised, inclusion=inclusion[meant], value=value[meant], failure=0.01)
    assert np.count_nonzero(meant) > 5
    assert np.all(risk.value <= line[place[meant]] * (1 + 1e-12))


def test_where_only_presence_is_in_doubt_it_is_bayes_rule_at_the_largest_odds():
    profile = profiles.capped(relative=3.0, absolute=0.25, value=1.0)
    line = posterior_line(profile, PureDP(1.0), AT, failure=0.0).value
    truth = AT * np.e / (1 - AT + AT * np.e)
    assert np.all(line >= truth)
    assert line == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize("sigma", [2.0, 2.5, 3.0, 3.2, 4.0])
def test_the_line_stays_in_the_shaded_part_exactly_where_the_profile_is_kept(sigma):
    promised = Gaussian(sigma, sensitivity=Sensitivity.histogram())
    priors = np.linspace(0.0, 1.0, 601)
    picture = posterior_against_prior(
        {"x": promised}, allowed=PROFILES[0], failure=0.01, priors=priors, by_profile=True
    )
    inside = np.array(picture.table["posterior at most: x"]) <= np.array(picture.table["posterior allowed"])
    assert bool(np.all(inside)) is check(promised, PROFILES[0], failure=0.01).kept


def test_what_is_judged_needs_a_profile():
    with pytest.raises(Incompatible, match="by_profile must come with a risk profile"):
        posterior_against_prior(PureDP(1.0), by_profile=True)


@pytest.mark.parametrize(
    "promised",
    [PureDP(0.7), Laplace(3.0, sensitivity=Sensitivity(add_remove=2.0, replace=1.0))],
    ids=["all", "absence"],
)
def test_some_adversary_of_the_profile_learns_as_much_as_the_line_says(promised):
    profile = PROFILES[2]
    (least_p, most_p), (least_q, most_q) = profile.domain.inclusion, profile.domain.value
    priors = np.array([0.03, 0.1, 0.15, 0.25, 0.5])
    line = posterior_line(profile, promised, priors, failure=0.0).value
    for prior, most in zip(priors, line, strict=True):
        inclusion = np.linspace(max(least_p, prior / most_q), min(most_p, prior / least_q), 41)
        risk = disclosure.absolute_risk(promised, inclusion=inclusion, value=prior / inclusion, failure=0.0)
        assert np.max(risk.value) == pytest.approx(float(most), rel=1e-12)


@pytest.mark.parametrize("relative", [1.2, 3.0])
@pytest.mark.parametrize("value", [None, 1.0])
def test_the_margin_is_positive_exactly_where_the_profile_is_met(relative, value):
    criterion = ProfileCriterion(profiles.capped(relative=relative, absolute=0.01, value=value), 0.01)
    met = set()
    for sigma in (0.5, 2.0, 5.0, 11.0, 13.0, 20.0, 50.0):
        planned = Planned(NoiseFamily(1, Gaussian, Sensitivity.count()), sigma, ())
        met.add(criterion.fits(planned))
        assert criterion.fits(planned) is (criterion.margin(planned) >= 0.0)
    assert met == {True, False}


def test_only_where_two_losses_are_needed_and_take_long_a_parameter_is_found_less_finely():
    both, presence = profiles.constant(3.0), profiles.capped(relative=3.0, absolute=0.25, value=1.0)
    histogram = Planned(NoiseFamily(1, Gaussian, Sensitivity.histogram()), 2.0, ())
    fine = {
        ProfileCriterion(both, 0.0).precision(histogram),
        ProfileCriterion(presence, 0.0).precision(histogram),
        ProfileCriterion(presence, 0.01).precision(histogram),
    }
    coarse = ProfileCriterion(both, 0.01)
    assert fine == {PRECISION}
    assert coarse.precision(histogram) > PRECISION
    assert EveryCriterion((coarse, ProfileCriterion(presence, 0.01)), 0.01).precision(histogram) == PRECISION


def test_a_loss_without_a_bound_has_no_room_in_a_profile_that_may_never_fail():
    criterion = ProfileCriterion(PROFILES[0], 0.0)
    for sigma in (1.0, 1000.0):
        planned = Planned(NoiseFamily(1, Gaussian, Sensitivity.histogram()), sigma, ())
        assert not criterion.fits(planned)
        assert criterion.margin(planned) < 0.0


def test_a_profile_that_allows_nothing_has_room_for_no_loss():
    criterion = ProfileCriterion(profiles.constant(1.0), 0.0)
    planned = Planned(NoiseFamily(1, Laplace, Sensitivity.count()), 10.0, ())
    assert not criterion.fits(planned)
    assert criterion.margin(planned) < 0.0


def test_several_criteria_may_never_fail_if_one_of_them_may_not():
    never, seldom = ProfileCriterion(PROFILES[0], 0.0), ProfileCriterion(PROFILES[0], 0.01)
    assert EveryCriterion((seldom, never), 0.01).always
    assert not EveryCriterion((seldom, seldom), 0.01).always


def test_a_risk_without_a_bound_is_any_number_of_times():
    """Towards an inclusion of 0 the factor that certainty amounts to, 1 / prior, exceeds every double."""
    found = check(Gaussian(1.0), profiles.box(3.0, inclusion=(0.0, 1e-320)))
    assert "may find the fact any number of times as probable; the limit is 3." in found.reason
