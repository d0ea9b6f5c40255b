"""The losses that the risk rests on survive mixing, and are no larger than they must be."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from whit.curves import Order, Promise, largest_loss
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian, Geometric, Laplace
from whit.semantics.disclosure.risk import added_loss, losses, swapped_loss
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction

HALF = np.asarray(0.5)


def both(promised: Promise, failure: float = 0.0, swap: Promise | None = None) -> tuple[float, float]:
    found = losses(promised, failure, swap, inclusion=HALF, value=HALF)
    return float(found.inclusion), float(found.swap)


def test_a_pure_promise_loses_twice_as_much_by_a_replacement() -> None:
    assert both(PureDP(0.7)) == (0.7, 1.4)
    assert both(PureDP(0.7), failure=0.01) == (0.7, 1.4)


def test_one_count_loses_as_much_and_a_histogram_twice() -> None:
    for mechanism in (Geometric(1.0), Laplace(1.0)):
        assert both(mechanism) == (pytest.approx(1.0, rel=1e-12), pytest.approx(1.0, rel=1e-12))
    histogram = Laplace(1.0, sensitivity=Sensitivity.histogram())
    assert both(histogram) == (pytest.approx(1.0, rel=1e-12), pytest.approx(2.0, rel=1e-12))


def test_the_sure_losses_of_several_releases_add_up() -> None:
    assert both(Geometric(0.5).times(12)) == (pytest.approx(6.0, rel=1e-12), pytest.approx(6.0, rel=1e-12))


def test_what_is_said_of_a_replacement_counts_where_it_is_less() -> None:
    said = PureDP(0.9, neighbours=Neighbours.REPLACE)
    assert both(PureDP(0.7), swap=said) == (0.7, 0.9)
    assert both(PureDP(0.4), swap=said) == (0.4, 0.8)


def test_a_belief_that_needs_no_loss_asks_for_none() -> None:
    replaced = PureDP(1.0, neighbours=Neighbours.REPLACE)
    found = losses(replaced, 0.0, None, inclusion=np.asarray(1.0), value=HALF)
    assert (float(found.inclusion), float(found.swap)) == (0.0, 1.0)
    member = losses(Finite([0.6, 0.4], [0.4, 0.6]), 0.0, None, inclusion=HALF, value=np.asarray(1.0))
    assert float(member.inclusion) == pytest.approx(math.log(1.5), rel=1e-12)


def test_a_pair_of_laws_loses_at_most_twice_by_a_replacement() -> None:
    added, replaced = both(Finite([0.6, 0.4], [0.4, 0.6]))
    assert replaced == 2 * added
    added, replaced = both(Finite([0.6, 0.4], [0.4, 0.6]).curve())
    assert replaced == 2 * added


def test_the_tail_of_a_mechanism_is_not_used_but_its_profile() -> None:
    # The tail of a mixture can be larger than that of its parts, so the smaller number would not be proved.
    mechanism, failure = Gaussian(3.0), 0.01
    own = float(largest_loss(mechanism, failure, neighbours=Neighbours.ADD_REMOVE))
    mixed = float(added_loss(mechanism, failure).inclusion)
    assert own < mixed
    profile = replace(mechanism.curve(), order=Order.PROFILE, direction=Direction.AT_MOST)
    assert mixed == float(largest_loss(profile, failure))


def test_a_promise_that_mixing_breaks_is_used_by_its_profile() -> None:
    # (1, 0.001)-probabilistic privacy is (1, 0.001)-approximate; the loss at failure 0.01 is 1 - log(1 - 0.1) by T2.
    found = float(added_loss(ProbabilisticDP(1.0, 0.001), 0.01).inclusion)
    truth = 1 - mpmath.log(1 - mpmath.mpf("0.001") / mpmath.mpf("0.01"))
    assert truth <= found <= truth * (1 + 1e-6)


def test_a_concentrated_promise_keeps_its_own_tail() -> None:
    rho, failure = 0.07, 0.01
    truth = rho + 2 * mpmath.sqrt(rho * mpmath.log(1 / mpmath.mpf(failure)))
    found = float(added_loss(ZeroConcentratedDP(rho), failure).inclusion)
    assert truth <= found <= truth * (1 + 1e-9)


def test_a_promise_with_a_delta_has_no_sure_loss() -> None:
    assert both(ApproxDP(1.0, 1e-6)) == (math.inf, math.inf)
    assert both(GaussianDP(0.5)) == (math.inf, math.inf)


@pytest.mark.parametrize("promise", [ApproxDP(0.5, 1e-6), ZeroConcentratedDP(0.01), GaussianDP(0.2)])
def test_more_failure_is_less_loss(promise: Promise) -> None:
    chances = np.array([1e-5, 1e-3, 0.05, 0.5])
    found = losses(promise, chances, None, inclusion=HALF, value=HALF)
    assert np.all(np.diff(found.inclusion) <= 0)
    assert np.all(np.diff(found.swap) <= 0)
    assert np.all(found.inclusion <= found.swap)


def test_the_two_losses_share_one_chance_of_failure() -> None:
    basis = losses(ApproxDP(1.0, 1e-6), 0.01, None, inclusion=HALF, value=HALF).basis
    assert [each.probability for each in basis.failures] == [0.01]
    assert losses(PureDP(1.0), 0.01, None, inclusion=HALF, value=HALF).basis.failures == ()


def test_a_swap_needs_to_be_about_replacing() -> None:
    with pytest.raises(Exception, match="does not follow from one under local|is not known") as caught:
        swapped_loss(PureDP(1.0), 0.0, Finite([0.5, 0.5], [0.4, 0.6]))
    assert "neighbours replace" in str(caught.value)
