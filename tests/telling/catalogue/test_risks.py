"""The risks of the catalogue are worked out anew, and agree with closed forms in high precision."""

from __future__ import annotations

import mpmath as mp
import pytest

from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.telling.catalogue import FAILURE, LEVEL, Noise, belief, deployments, risks

FOUND = {each.key: (each, risks(each)) for each in deployments()}
PURE = [each.key for each, _ in FOUND.values() if isinstance(each.promise, PureDP)]
NOISY = [each.key for each, _ in FOUND.values() if each.noise is not Noise.NOT_USED]


@pytest.mark.parametrize("key", PURE)
def test_a_pure_promise_takes_even_odds_to_the_logistic_of_epsilon(key):
    deployment, found = FOUND[key]
    truth = 1 / (1 + mp.exp(-mp.mpf(str(dict(deployment.parameters)["epsilon"]))))
    assert float(found.posterior) >= truth
    assert float(found.posterior) == pytest.approx(float(truth), rel=1e-12)
    assert found.posterior.direction.value == "at most"


@pytest.mark.parametrize("key", PURE)
def test_a_pure_promise_gives_the_power_of_two_lines(key):
    deployment, found = FOUND[key]
    e = mp.exp(mp.mpf(str(dict(deployment.parameters)["epsilon"])))
    truth = min(e * LEVEL, 1 - (1 - LEVEL) / e)
    assert float(found.power.upper) >= truth
    assert float(found.power.upper) == pytest.approx(float(truth), rel=1e-9)


@pytest.mark.parametrize("key", NOISY)
def test_gaussian_noise_of_a_rho_has_the_power_of_the_normal_law(key):
    deployment, found = FOUND[key]
    mu = mp.sqrt(2 * mp.mpf(str(dict(deployment.parameters)["rho"])))
    truth = mp.ncdf(mu + mp.sqrt(2) * mp.erfinv(2 * mp.mpf(LEVEL) - 1))
    assert float(found.if_gaussian[0].upper) >= truth
    assert float(found.if_gaussian[0].upper) == pytest.approx(float(truth), rel=1e-9)
    assert float(found.power.upper) >= float(found.if_gaussian[0].upper)


@pytest.mark.parametrize(
    ("key", "power"),
    [
        ("us-census-redistricting-persons", 0.73),
        ("us-census-dhc-persons", 0.93),
        ("us-census-dhc-units", 0.99),
        ("google-gboard-spanish", 0.36),
        ("wikimedia-pageviews-current", 0.07),
    ],
)
def test_known_noise_gives_the_powers_that_were_worked_out_before(key, power):
    assert float(FOUND[key][1].if_gaussian[0].upper) == pytest.approx(power, abs=0.006)


def test_rho_is_bounded_by_its_own_tail():
    rho = 2.56
    t = rho + 2 * mp.sqrt(rho * mp.log(1 / mp.mpf(FAILURE)))  # where e^(-(t - rho)^2 / 4 rho) is the failure
    found = FOUND["us-census-redistricting-persons"][1].posterior
    assert float(found) == pytest.approx(float(1 / (1 + mp.exp(-t))), rel=1e-9)


def test_where_the_noise_is_not_documented_nothing_is_said_of_it():
    assert FOUND["google-community-mobility"][1].if_gaussian == ()


def test_a_smaller_rho_leaves_a_smaller_belief():
    assert float(belief(ZeroConcentratedDP(0.01))) < float(belief(ZeroConcentratedDP(0.02)))
