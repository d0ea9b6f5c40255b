"""Guarantees and mechanisms compose: nothing that keeps all of them exceeds the curve, and it is close to what does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp, mpf

from whit import curves
from whit.assessment import assess
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import ApproxDP, Composition, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Composed, Gaussian, Laplace, PartitionSelection, PoissonSubsampled, Together, compose
from whit.setting import Adversary, Neighbours

EPSILONS = (0.0, 0.5, 1.0, 2.0, 4.0)


def _gaussian(mu: mpf, epsilon: mpf) -> mpf:
    """The profile of Gaussian noise at an epsilon of either sign."""
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def _coin_and_gaussian(delta: mpf, size: mpf, mu: mpf, epsilon: mpf) -> mpf:
    """The profile of randomized response with a chance of telling all, beside Gaussian noise: by the two coins."""
    heads = mp.exp(size) / (1 + mp.exp(size))
    beside = heads * _gaussian(mu, epsilon - size) + (1 - heads) * _gaussian(mu, epsilon + size)
    return delta + (1 - delta) * beside


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize(("size", "sigma", "copies"), [(0.5, 4.0, 3), (2.0, 1.0, 1), (1e-3, 50.0, 40)])
def test_a_promise_beside_gaussian_noise_is_the_product_of_both(
    delta: float, size: float, sigma: float, copies: int
) -> None:
    together = compose(ApproxDP(size, delta) if delta else PureDP(size), Gaussian(sigma).times(copies))
    with mp.workdps(40):
        mu = mp.sqrt(copies) / mpf(sigma)
        truth = np.array([float(_coin_and_gaussian(mpf(delta), mpf(size), mu, mpf(e))) for e in EPSILONS])
    found = np.asarray(together.delta(EPSILONS).value)
    assert np.all(found >= truth)
    # The lattice adds less than a thousandth of the delta, or what is far below every delta in use.
    assert np.all(found <= truth * (1 + 1e-3) + 1e-15)


@pytest.mark.parametrize("rho", [1e-9, 0.1, 2.0])
def test_a_concentrated_promise_covers_gaussian_noise_of_its_rho(rho: float) -> None:
    together = compose(ZeroConcentratedDP(rho), Gaussian(2.0))
    kept = math.nextafter(1 / math.sqrt(2 * rho), math.inf)
    exact = Composed((Gaussian(kept), 1), (Gaussian(2.0), 1))
    assert np.all(np.asarray(together.delta(EPSILONS).value) >= np.asarray(exact.delta(EPSILONS).lower))
    by_sum = ZeroConcentratedDP(rho + 1 / 8)
    # Knowing the noise of one of both is worth more than the chords cost.
    assert float(together.epsilon(1e-6)) < float(by_sum.epsilon(1e-6))


def test_bounds_on_divergences_are_added_up_before_they_are_composed() -> None:
    split = Together(((ZeroConcentratedDP(0.05), 2), (PureDP(1.0), 1)))
    whole = Together(((ZeroConcentratedDP(0.1), 1), (PureDP(1.0), 1)))
    assert float(split.epsilon(1e-6)) == float(whole.epsilon(1e-6))


def test_a_list_of_divergences_says_no_less_than_a_mechanism_that_keeps_it() -> None:
    orders = (2.0, 4.0, 16.0)
    listed = RenyiDP({order: order * 0.1 for order in orders})
    together, exact = (
        compose(listed, Laplace(2.0)),
        Composed((Gaussian(math.sqrt(5) * (1 + 1e-12)), 1), (Laplace(2.0), 1)),
    )
    assert np.all(np.asarray(together.delta(EPSILONS).value) >= np.asarray(exact.delta(EPSILONS).lower))
    assert math.isfinite(float(together.epsilon(1e-6)))


def test_noise_on_a_sample_composes_with_promises() -> None:
    sampled = PoissonSubsampled(Gaussian(2.0), 0.01).times(1000)
    together = compose(ApproxDP(1.0, 1e-6).times(3), sampled)
    # At most the sum, if the promise takes its 3e-6 of the delta; at least what the noise alone has.
    assert float(sampled.epsilon(1e-5)) < float(together.epsilon(1e-5)) <= float(sampled.epsilon(7e-6)) + 3.0


def test_two_records_that_come_and_go_stand_for_one_that_is_replaced() -> None:
    mixed = compose(PureDP(1.0), PureDP(1.0, neighbours=Neighbours.REPLACE))
    assert mixed.relation() is Neighbours.REPLACE
    assert float(mixed.sure_loss().value) == pytest.approx(3.0, rel=1e-12)
    assert float(mixed.epsilon(0.0)) >= 3.0


def test_without_common_neighbours_it_is_refused() -> None:
    keys = PartitionSelection(1.0, delta=1e-6)
    assert keys.relations == (Neighbours.ADD_REMOVE,)
    with pytest.raises(Incompatible, match="must be known under a common relation between datasets"):
        compose(PureDP(1.0, neighbours=Neighbours.REPLACE), keys)
    with pytest.raises(NotImplied, match="is not known under"):
        compose(PureDP(1.0), keys).curve(Neighbours.REPLACE)


def test_the_rule_of_one_kind_is_kept_where_there_is_one() -> None:
    assert isinstance(compose(PureDP(1.0), GaussianDP(1.0)), Composition)
    assert isinstance(compose(ZeroConcentratedDP(1.0), RenyiDP({2.0: 1.0})), Composition)
    assert isinstance(compose(Gaussian(1.0), Laplace(1.0)), Composed)
    assert isinstance(compose(compose(PureDP(1.0), Gaussian(1.0)), Laplace(1.0)), Together)


def test_what_was_composed_before_is_not_lost() -> None:
    before = Together(((PureDP(1.0), 1),))
    assert compose(before, PureDP(2.0)) == Together(((PureDP(1.0), 1), (PureDP(2.0), 1)))


@pytest.mark.parametrize("rho", [0.0, 1e-300, 1e-19, 300.0, 3000.0, 1e9])
def test_extreme_promises_stay_on_the_safe_side(rho: float) -> None:
    together = compose(ZeroConcentratedDP(rho), Laplace(2.0))
    found = np.asarray(together.delta([0.0, 1.0, 400.0]).value)
    assert np.all(np.isfinite(found) & (found >= 0) & (found <= 1))
    assert found[0] >= float(Laplace(2.0).delta(0.0).lower)
    if rho >= 300.0:
        assert found[1] > 0.99


def test_every_question_that_a_curve_answers_is_answered() -> None:
    together = compose(ApproxDP(1.0, 1e-6), Gaussian(2.0).times(3))
    found = assess(together, Adversary(prior=0.1), failure=0.01)
    assert not found.unanswered
    truth = 1 / (1 + 9 * math.exp(-float(curves.largest_loss(together, 0.01))))
    assert float(found.posterior) == pytest.approx(truth, rel=1e-9)


def test_an_infinite_loss_is_said_where_a_part_is_known_to_have_it() -> None:
    assert float(assess(compose(PureDP(1.0), Gaussian(2.0))).posterior.worst) == 1.0  # type: ignore[arg-type]
    unproved = compose(ZeroConcentratedDP(1.0), PureDP(1.0))
    assert "not answered" in str(assess(unproved).posterior)


def test_it_is_rebuilt_from_its_expression() -> None:
    together = compose(PureDP(1.0), Gaussian(2.0).times(3))
    assert eval(repr(together)) == together
    assert [each["releases"] for each in together.to_dict()["parts"]] == [1, 3]


@pytest.mark.parametrize(
    "other", [curves.Curve.exact(curves.GaussianLoss(1.0)), "a count", None], ids=["curve", "text", "nothing"]
)
@pytest.mark.parametrize("promise", [PureDP(1.0), Gaussian(1.0), compose(PureDP(1.0), PureDP(2.0))])
def test_what_is_neither_promise_nor_mechanism_is_refused_and_not_left_out(promise, other):
    for releases in ((promise, other), (other, promise), (other,)):
        with pytest.raises(InvalidInput, match="what is composed must be a promise or a mechanism"):
            compose(*releases)


def test_a_list_of_promises_is_refused_with_how_to_hand_them_over():
    with pytest.raises(InvalidInput, match=r"Leave out the brackets: compose\(a, b\)"):
        compose([PureDP(1.0), Gaussian(1.0)])
