"""The largest posterior over the adversaries of a profile: nobody with the prior lies above it, and one lies on it."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import Incompatible
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian
from whit.policy import check, posterior_line, profiles
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
