"""Example 7.2 of Kifer et al. (2022): for an adversary who is wrong about the data, nothing follows with failures.

99 of 100 people are believed not to be in the group that all of them are in; a count of the group is released with unit
Gaussian noise, and comes out as 101.3. And the numbers of Theorems 7.3 and 7.5.
"""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from published import golden

from whit.errors import NotImplied
from whit.guarantees import RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.semantics.counterfactual import Record, posterior_ratio, ratio_exceeded
from whit.setting import Knowledge, Neighbours

CASES = golden("golden_counterfactual.json", "KAA22")
THEOREMS = {
    key: case
    for file in ("golden_conversions.json", "golden_guarantees.json")
    for key, case in golden(file, "KAA22").items()
    if key.startswith(("004-thm7.3", "004-thm7.5"))
}
RELATIVE = 1e-12


def inputs(case) -> dict[str, float]:
    return {name: float(text) for name, text in case["inputs"].items()}


def posteriors() -> tuple[mpmath.mpf, mpmath.mpf]:
    """One minus the posterior that Jessie is in the group, and the posterior with a sampled record, by Bayes' rule."""
    prior, output = (mpmath.mpf(CASES["004-ex7.2-post"]["inputs"][name]) for name in ("prior", "omega"))
    likely, unlikely = (mpmath.exp(-((output - count) ** 2) / 2) for count in (1, 0))
    without = (1 - prior) * unlikely / (prior * likely + (1 - prior) * unlikely)
    mixed = prior * likely + (1 - prior) * unlikely  # the law of the output without Jessie's own record
    return without, prior * mixed / (prior * mixed + (1 - prior) * mixed)


def test_example_7_2_the_posterior_is_all_but_certain():
    assert float(posteriors()[0]) == pytest.approx(float(CASES["004-ex7.2-post"]["value"]), rel=RELATIVE)


def test_example_7_2_the_ratio_is_all_but_100():
    doubt, other = posteriors()
    ratio = (1 - doubt) / other
    assert float(ratio) == pytest.approx(float(CASES["004-ex7.2-ratio"]["value"]), rel=RELATIVE)
    assert ratio < 100


def test_example_7_2_no_bound_that_always_holds_is_claimed():
    with pytest.raises(NotImplied, match="unless the failure may be above 0"):
        posterior_ratio(Gaussian(1.0))


def test_example_7_2_an_adversary_who_is_right_sees_such_a_ratio_with_the_stated_chance_at_most():
    """The ratio exceeds 50 where the output exceeds a threshold; its chance if Jessie is the only one in the group."""
    prior = 0.01
    threshold = 0.5 + math.log((1 - prior) / (1 / 50 - prior))
    chance = float(mpmath.ncdf(1 - threshold))
    for knowledge in Knowledge:
        assert chance <= float(ratio_exceeded(Gaussian(1.0), 50.0, knowledge=knowledge))
    belief = prior * chance + (1 - prior) * float(mpmath.ncdf(-threshold))
    found = ratio_exceeded(Gaussian(1.0), 50.0, record=Record.ANY, knowledge=Knowledge.EVERYONE_ELSE)
    assert belief <= float(found)


@pytest.mark.parametrize("key", THEOREMS)
def test_theorems_7_3_and_7_5_are_never_exceeded(key):
    """Ours uses more of the divergences, and is the smaller one."""
    given = inputs(THEOREMS[key])
    promise = (
        ZeroConcentratedDP(given["rho"], neighbours=Neighbours.REPLACE)
        if "rho" in given
        else RenyiDP({given["alpha"]: given["gamma"]}, neighbours=Neighbours.REPLACE)
    )
    asked = {"record": Record.ANY, "knowledge": Knowledge.EVERYONE_ELSE} if "7.3" in key else {}
    printed = float(THEOREMS[key]["value"])
    found = float(ratio_exceeded(promise, math.exp(given["eps"]), **asked))
    assert printed / 3 < found <= printed * (1 + RELATIVE)
    bound = float(posterior_ratio(promise, failure=printed, **asked))
    assert bound <= math.exp(given["eps"]) * (1 + RELATIVE)


@pytest.mark.parametrize("rho", [2.63, 0.1115])
def test_theorem_7_3_below_rho_is_e_to_the_minus_epsilon(rho):
    """Errata 004.8: the left part of Figures 3 and 7."""
    epsilons = np.array([0.1, 0.5, 1.0]) * rho
    promise = ZeroConcentratedDP(rho, neighbours=Neighbours.REPLACE)
    asked = {"record": Record.ANY, "knowledge": Knowledge.EVERYONE_ELSE}
    found = ratio_exceeded(promise, np.exp(epsilons), **asked).value
    assert np.all(found <= np.exp(-epsilons) * (1 + RELATIVE))


def test_the_bounds_do_not_fall_with_rho():
    """Errata 004.7: the text has them non-increasing."""
    asked = {"record": Record.ANY, "knowledge": Knowledge.EVERYONE_ELSE}
    found = [
        float(ratio_exceeded(ZeroConcentratedDP(rho, neighbours=Neighbours.REPLACE), 5.0, **asked))
        for rho in (0.01, 0.1, 0.5, 1.0)
    ]
    assert found == sorted(found)
    assert found[0] < found[-1]
