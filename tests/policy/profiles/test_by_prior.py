"""The largest posterior at some priors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.policy.profiles import ByPrior

PROFILE = ByPrior((0.01, 0.1, 0.5), (0.05, 0.3, 0.7))


def test_the_posterior_is_met_at_the_priors_and_linear_between_them() -> None:
    for prior, posterior in zip(PROFILE.priors, PROFILE.posteriors, strict=True):
        for p in (1.0, 0.8):
            assert float(PROFILE.limit(p, prior / p)) * prior == pytest.approx(posterior, rel=1e-14)
    assert float(PROFILE.limit(1.0, 0.3)) * 0.3 == pytest.approx(0.5, rel=1e-14)


def test_it_depends_on_the_prior_alone() -> None:
    p = np.linspace(0.25, 1.0, 30)
    assert np.allclose(PROFILE.limit(p, 0.2 / p), float(PROFILE.limit(1.0, 0.2)), rtol=1e-14)


def test_below_the_first_prior_the_posterior_stays_and_above_the_last_there_is_no_limit() -> None:
    assert float(PROFILE.limit(0.001, 1.0)) * 0.001 == pytest.approx(0.05, rel=1e-14)
    assert float(PROFILE.limit(0.8, 0.8)) == math.inf
    assert PROFILE.notices() == ("There is no limit for adversaries who start above 0.5.",)


def test_a_box_across_the_last_prior_is_bounded_by_what_is_limited_in_it() -> None:
    assert float(PROFILE.lower_bound(0.5, 1.0, 0.5, 1.0)) == pytest.approx(0.7 / 0.5, rel=1e-14)
    assert float(PROFILE.lower_bound(0.9, 1.0, 0.9, 1.0)) == math.inf


def test_a_tiny_prior_has_a_huge_limit() -> None:
    assert float(PROFILE.limit(1e-200, 1e-200)) > 1e300


@pytest.mark.parametrize(
    ("priors", "posteriors", "said"),
    [
        ((0.1, 0.1), (0.2, 0.3), "priors must be probabilities above 0 that rise"),
        ((), (), "priors must be probabilities above 0 that rise"),
        ((0.0, 0.1), (0.2, 0.3), "priors must be probabilities above 0 that rise"),
        ((0.1, 0.2), (0.5, 0.4), "posteriors must be one probability above each prior, and must not fall"),
        ((0.1, 0.2), (0.1, 0.4), "posteriors must be one probability above each prior"),
        ((0.1, 0.2), (0.3,), "posteriors must be one probability above each prior"),
    ],
)
def test_what_is_no_profile_is_refused(priors: tuple[float, ...], posteriors: tuple[float, ...], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        ByPrior(priors, posteriors)


@pytest.mark.parametrize("priors", [("a",), 0.1, [[0.1]], (10**400,), (True,), "a"])
def test_priors_and_posteriors_are_lists_of_probabilities(priors):
    with pytest.raises(InvalidInput, match="priors must be a"):
        ByPrior(priors, (0.5,))
    with pytest.raises(InvalidInput, match="posteriors must be a"):
        ByPrior((0.1,), priors)


def test_an_answer_within_a_box_that_is_stricter_than_both_ends_bounds_the_box() -> None:
    profile = ByPrior((0.1, 0.5, 0.9), (0.5, 0.55, 1.0))
    bound = float(profile.lower_bound(0.1, 0.9, 1.0, 1.0))
    assert bound <= 0.55 / 0.5
    assert bound == pytest.approx(0.55 / 0.5, rel=1e-12)


def test_answers_may_stay_the_same_but_not_fall() -> None:
    assert float(ByPrior((0.1, 0.2), (0.5, 0.5)).limit(1.0, 0.2)) == pytest.approx(2.5, rel=1e-14)
    with pytest.raises(InvalidInput, match="must not fall"):
        ByPrior((0.1, 0.2), (0.5, 0.49))
