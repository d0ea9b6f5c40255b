"""Examples 4.9, 5.8 and 7.2 and Theorem 6.2 of Kifer et al. (2022), by brute force and in worlds of a few datasets."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import referee
from digits import coin, fraction

from whit.curves import FinitePair
from whit.guarantees import ProbabilisticallyBoundedDP, ProbabilisticDP
from whit.mechanisms import Finite, Mixture
from whit.papers import read_cases
from whit.setting import Neighbours
from whit.worlds import Belief, Has, Resampled, Universe, World

CASES = {case.key: case for case in read_cases("KAA22")}
RELATIVE = 1e-12
JESSIE = 0


def value(key: str) -> float:
    return CASES[key].expected


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_example_4_9_processing_can_raise_the_tail_of_the_loss(epsilon: str) -> None:
    """Two answers, of which processing keeps the first."""
    before, after, e = value(f"004-ex4.9-M-{epsilon}"), value(f"004-ex4.9-A2-{epsilon}"), float(epsilon)
    heads = 1 / (1 + math.exp(-e))
    p, q = np.array([heads, 1 - heads]), np.array([1 - heads, heads])
    both = [list(np.outer(side, side).ravel()) for side in (p, q)]
    raw, processed = referee.tail(both[0], both[1], e / 2), referee.tail(list(p), list(q), e / 2)
    assert (float(raw), float(processed)) == pytest.approx((before, after), rel=RELATIVE)
    # What the release promises, its own output does not keep; pbdp is proof against processing and covers both.
    assert processed > ProbabilisticDP(e / 2, float(raw), sides=1).stated_delta
    assert processed <= _pbdp_delta(both, e / 2)
    four = Finite(*both, neighbours=Neighbours.LOCAL)
    first = four.then([[1, 0], [1, 0], [0, 1], [0, 1]])
    assert float(four.tail(e / 2)) == pytest.approx(before, rel=RELATIVE)
    assert float(first.tail(e / 2)) == pytest.approx(after, rel=RELATIVE)
    assert float(first.delta(e / 2).upper) <= float(four.delta(e / 2).upper)


def _pbdp_delta(pair: list[list[float]], epsilon: float) -> float:
    """The smallest delta with which the pair is (epsilon, delta)-pbdp, over a fine grid of deltas."""
    deltas = np.linspace(0.001, 1.0, 1000)
    power = np.exp(FinitePair.of(*pair).log_power(np.log(deltas) - epsilon).upper)
    return float(deltas[power <= deltas][0])


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_example_4_9_processing_can_raise_the_chance_of_a_large_posterior(epsilon: str) -> None:
    """Two answers by coins raise a belief of 1/2 above logistic(epsilon/2) less often than the first answer alone."""
    truth, lie = coin(epsilon)
    jessie = Universe(1, ("cancer", "none"), all_present=True)
    once = World(Belief.uniform(jessie), [[truth, lie], [lie, truth]])
    twice = World(once.belief, [[a * b for a in row for b in row] for row in once.kernel])
    threshold = fraction(1 / (1 + mpmath.exp(-mpmath.mpf(epsilon) / 2)))
    laws = [world.law_of_posterior(Has(0, "cancer"), truth=("cancer",)) for world in (once, twice)]
    assert [law.chance_beyond(threshold) for law in laws] == [truth, truth**2]


HEADS = math.e / (1 + math.e)
FIRST = [[HEADS, 1 - HEADS, 0.0, 0.0], [1 - HEADS, HEADS, 0.0, 0.0]]
SECOND = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.01, 0.99]]
MIXTURE = [[(a + b) / 2 for a, b in zip(*rows, strict=True)] for rows in zip(FIRST, SECOND, strict=True)]


def test_example_5_8_a_point_of_pbdp_is_not_convex() -> None:
    """Two releases with (1.01, 0.02)-pbdp; half of each has not. Every test is tried, the paper's own as well."""
    promise = ProbabilisticallyBoundedDP(1.01, 0.02)
    level = promise.stated_delta * math.exp(-promise.stated_epsilon)
    for release in (FIRST, SECOND):
        assert all(referee.power(p, q, level) <= promise.stated_delta for p, q in (release, release[::-1]))
    assert referee.power(MIXTURE[1], MIXTURE[0], level) > promise.stated_delta
    test = [0.0, 0.05, 1.0, 0.0]  # the probability with which each output is rejected
    found = [np.dot(side, test) for side in MIXTURE]
    assert found == pytest.approx([value("004-ex5.8-a"), value("004-ex5.8-b")], rel=RELATIVE)
    assert level == pytest.approx(value("004-ex5.8-c"), rel=RELATIVE)
    assert float(referee.power(SECOND[1], SECOND[0], level)) == pytest.approx(value("004-ex5.8-M2"), rel=RELATIVE)


def test_example_5_8_the_mixture_is_that_of_the_mechanisms() -> None:
    parts = [Finite([HEADS, 1 - HEADS], [1 - HEADS, HEADS]), Finite([0.0, 1.0], [0.01, 0.99])]
    epsilons = [0.0, 0.5, 1.0, 1.01, 2.0]
    told = Mixture(parts, [0.5, 0.5]).delta(epsilons).value
    np.testing.assert_allclose(told, Finite(*MIXTURE).delta(epsilons).value, rtol=RELATIVE)


def wildly_wrong_belief(prior: Fraction) -> World:
    """Example 7.2: Jessie and 99 others are Hispanic, and the adversary is certain that the 99 are not.

    The others are one place of the dataset, which holds how many of them are. The outcome is either within half a
    millionth of 101.3, or not; the probability of the first is so small that no double holds it.
    """
    people = Universe(2, (0, 1, 99), all_present=True)
    belief = Belief.knowing_everyone_else(people, JESSIE, {1: prior, 0: 1 - prior}, (0,))

    def law(dataset: tuple[int, int]) -> tuple[Fraction, Fraction]:
        distance = mpmath.mpf("101.3") - sum(dataset)
        here = fraction(mpmath.exp(-(distance**2) / 2) / mpmath.sqrt(2 * mpmath.pi) / 10**6)
        return here, 1 - here

    return World.releasing(belief, law)


def test_example_7_2_posterior_and_ratio_by_bayes_rule() -> None:
    prior, output = (mpmath.mpf(CASES["004-ex7.2-post"].inputs[name]) for name in ("prior", "output"))
    likely, unlikely = (mpmath.exp(-((output - count) ** 2) / 2) for count in (1, 0))
    doubt = (1 - prior) * unlikely / (prior * likely + (1 - prior) * unlikely)
    assert float(doubt) == pytest.approx(value("004-ex7.2-post"), rel=RELATIVE)
    assert (1 - doubt) / prior < 100
    assert float((1 - doubt) / prior) == pytest.approx(value("004-ex7.2-ratio"), rel=RELATIVE)


def test_example_7_2_posterior_and_ratio() -> None:
    """The ratio of the posteriors has no bound where the belief is wrong, whatever the privacy parameters."""
    world = wildly_wrong_belief(Fraction(1, 100))
    hispanic = Has(JESSIE, 1)
    certain = world.exact.posterior([hispanic(x) for x in world.universe.datasets], 0)
    assert float(1 - certain) == pytest.approx(value("004-ex7.2-post"), rel=RELATIVE)
    without = world.counterfactual_posterior(Resampled(JESSIE), hispanic, 0)
    assert without.lower <= 0.01 <= without.upper <= np.nextafter(0.01, 1.0)
    ratio = float(world.posterior_ratio(Resampled(JESSIE), hispanic, 0))
    assert ratio == pytest.approx(value("004-ex7.2-ratio"), rel=RELATIVE)
    wilder = wildly_wrong_belief(Fraction(1, 10**6))
    assert float(wilder.posterior_ratio(Resampled(JESSIE), hispanic, 0)) > 999_999


def test_example_7_2_the_belief_itself_all_but_excludes_the_outcome() -> None:
    """If the belief is right, the ratio exceeds 1.01 with a probability that no double holds; in truth it does not."""
    world = wildly_wrong_belief(Fraction(1, 100))
    law = world.law_of_posterior_ratio(Resampled(JESSIE), Has(JESSIE, 1))
    assert 0 < law.chance_beyond(1.01) < Fraction(1, 10**2000)
    said = law.beyond(1.01)
    assert float(said.lower) == 0.0 < float(said.upper) < 1e-322
    true = world.law_of_posterior_ratio(Resampled(JESSIE), Has(JESSIE, 1), truth=(1, 99))
    density = mpmath.npdf(mpmath.mpf("1.3")) / 10**6  # at a distance of 1.3, in millionths
    assert float(true.beyond(1.01)) == pytest.approx(float(density), rel=1e-9)


@pytest.mark.parametrize("key", ["004-thm6.2-1", "004-thm6.2-2"])
def test_theorem_6_2_is_attained_also_when_the_rest_is_random(key: str) -> None:
    """A release that gives Jessie's record away with probability delta, and else answers by a coin."""
    inputs = {name: Fraction(text) for name, text in CASES[key].inputs.items()}
    truth, lie = ((1 - inputs["delta"]) * part for part in coin(CASES[key].inputs["eps"]))
    people = Universe(2, (0, 1), all_present=True)
    rows = ((inputs["delta"], 0, truth, lie), (0, inputs["delta"], lie, truth))
    rest = {(0,): Fraction(1, 3), (1,): Fraction(2, 3)}
    null, alternative = (Belief.about(people, JESSIE, {record: 1}, rest) for record in (1, 0))
    world = World.releasing(null, lambda dataset: rows[dataset[JESSIE]])
    found = float(world.power(inputs["level"], null=null, alternative=alternative))
    assert found == pytest.approx(value(key), rel=RELATIVE)
    known = float(world.power(inputs["level"], null=(1, 0), alternative=(0, 0)))
    assert found == pytest.approx(known, rel=1e-15)
