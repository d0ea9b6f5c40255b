"""Several steps from dataset to dataset: never below what lies so far apart, and close to the best of steps."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from whit.curves import FinitePair, GaussianLoss, LaplaceLoss, chained, identical
from whit.curves.steps import _Symmetric
from whit.guarantees import FDP
from whit.mechanisms import DiscreteGaussian, Geometric, Laplace, PoissonSubsampled
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.noise import surely_infinite
from whit.setting import Sensitivity

EPSILONS = np.array([0.0, 0.1, 0.4, 0.7, 1.1, 1.9, 2.6, 4.2])


def delta(p: np.ndarray, q: np.ndarray, epsilons: np.ndarray) -> np.ndarray:
    """The profile of two vectors of probabilities, by its definition."""
    return np.maximum(p - np.exp(epsilons)[:, None] * q, 0.0).sum(axis=1)


def power(p: np.ndarray, q: np.ndarray, level: np.ndarray) -> np.ndarray:
    """The power of the best test of q against p at a level, by the order of the likelihood ratios."""
    order = np.argsort(-p / q)
    return np.interp(level, np.append(0.0, np.cumsum(q[order])), np.append(0.0, np.cumsum(p[order])))


@pytest.mark.parametrize("seed", range(6))
def test_no_path_is_above_its_steps(seed):
    random = np.random.default_rng([30, seed])
    length = int(random.integers(2, 5))
    laws = random.dirichlet(np.full(4, 2.0), size=length + 1)
    steps = [(FinitePair.of(p, q),) for p, q in pairwise(laws)]
    bound = np.exp(chained(steps).log_delta(EPSILONS).upper)
    for ends in ((laws[0], laws[-1]), (laws[-1], laws[0])):
        assert np.all(delta(*ends, EPSILONS) <= bound * (1 + 1e-12))


@pytest.mark.parametrize("seed", range(6))
def test_two_steps_have_the_power_of_one_after_the_other(seed):
    random = np.random.default_rng([31, seed])
    p, q = random.dirichlet(np.full(3, 2.0), size=2)
    levels = np.array([0.001, 0.02, 0.1, 0.4])
    pair = FinitePair.of(p, q)
    worst = np.stack([power(p, q, levels), power(q, p, levels)])
    # The bound on one step is the concave hull of both orders; here by its lowest lines.
    slopes = np.concatenate([np.exp(np.linspace(-6.0, 6.0, 4001)), p / q, q / p])
    heights = np.maximum(delta(p, q, np.log(slopes)), delta(q, p, np.log(slopes)))

    def once(level: np.ndarray) -> np.ndarray:
        return np.minimum(np.min(heights + slopes * level[:, None], axis=1), 1.0)

    assert np.all(once(levels) >= worst.max(axis=0) - 1e-12)
    found = np.exp(chained([(pair,), (pair,)]).log_power(np.log(levels)).upper)
    assert found == pytest.approx(once(once(levels)), rel=2e-3)


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("noise", [Geometric(0.5), DiscreteGaussian(1.5)])
def test_steps_of_whole_noise_lose_next_to_nothing_against_one_shift(noise, size):
    steps = [(noise.curve().face,)] * size
    changed = {**noise.to_dict(), "sensitivity": Sensitivity(add_remove=size, replace=size)}
    whole = type(noise)(**{name: value for name, value in changed.items() if name != "kind"}).curve().face
    found, exact = (np.exp(face.log_delta(EPSILONS[:5]).upper) for face in (chained(steps), whole))
    assert np.all(found >= exact * (1 - 1e-11))
    assert found == pytest.approx(exact, rel=0.02)


@pytest.mark.parametrize("step", [GaussianLoss(0.3), GaussianLoss(2.0), LaplaceLoss(0.7)])
def test_the_table_is_close_above_the_closed_form(step):
    for size in (2, 4):
        table = _Symmetric.of((step,))
        for _ in range(size - 1):
            table = table.then(_Symmetric.of((step,)))
        exact = chained([(step,)] * size).log_delta(EPSILONS)
        found = table.log_delta(EPSILONS)
        assert np.all(found >= exact.lower)
        likely = exact.upper > np.log(1e-6)
        assert found[likely] == pytest.approx(exact.upper[likely], abs=3e-3)


def test_shifts_add_up():
    assert chained([(GaussianLoss(0.5),), (GaussianLoss(0.25), GaussianLoss(1.0))]) == GaussianLoss(1.5)
    assert chained([(LaplaceLoss(0.5),)] * 3) == LaplaceLoss(1.5)


def test_largest_losses_add_up_and_infinite_ones_stay():
    coin = FinitePair.of([0.75, 0.25], [0.25, 0.75])
    three = chained([(coin,)] * 3)
    assert float(three.epsilon(-np.inf).upper) == pytest.approx(3 * np.log(3.0), rel=1e-9)
    assert float(three.epsilon(-np.inf).upper) >= 3 * np.log(3.0)
    assert float(np.exp(chained([(coin,), (surely_infinite(),)]).log_delta(5.0).upper)) == 1.0
    alone = chained([(coin,), (identical(),)]).log_delta(EPSILONS).upper
    assert np.exp(alone) == pytest.approx(np.exp(coin.log_delta(EPSILONS).upper), abs=1e-9)


@pytest.mark.parametrize(
    "face", [PoissonSubsampled(Gaussian(1.0), 0.1).curve().face, Laplace(1.0).times(3).curve().face]
)
def test_a_step_whichever_its_face_is_no_larger_than_its_halves_allow(face):
    """For every v the sum of the two parts is a bound, so that none of them is below what was found but for chords."""
    found = np.exp(chained([(face,), (face,)]).log_delta(EPSILONS[:6]).upper)

    places = np.linspace(-1.0, 3.0, 401)
    first, second = (
        np.max([np.exp(each.log_delta(at).upper) for each in (face, face.reverse())], axis=0)
        for at in (places, EPSILONS[:6, None] - places)
    )
    best = np.min(first + np.exp(places) * second, axis=1)
    assert found == pytest.approx(best, rel=5e-3)


def test_a_trade_off_function_is_applied_to_itself():
    promise = FDP(lambda level: max(0.0, 1.0 - 2.0 * level, (1.0 - level) / 2.0))  # epsilon = log 2
    assert float(promise.group(2).power(0.05)) == pytest.approx(0.2, rel=0.01)
    assert float(promise.group(3).power(0.05)) == pytest.approx(0.4, rel=0.01)
    assert float(promise.group(2).power(0.05)) >= 0.2


@pytest.mark.parametrize("mu", [77.9894376, 1 / 3, 1e-320])
@pytest.mark.parametrize("steps", [2, 7, 1000])
def test_the_ends_of_many_equal_shifts_hold_their_sum(mu, steps):
    square = Fraction(mu) ** 2 * 5 / 3
    one = GaussianLoss.of_square(square)
    found = chained([(one,)] * steps)
    low, high = found.ends
    assert Fraction(low) ** 2 <= square * steps**2 <= Fraction(high) ** 2
