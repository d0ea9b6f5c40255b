"""Staircase noise against integrals at high precision, sums over a fine grid, and the formulas of its paper."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from contextlib import suppress
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.errors import InvalidInput, TooCostly, Unreachable
from whit.mechanisms import Geometric, Laplace, Staircase
from whit.policy import limits, recommend
from whit.setting import Neighbours, Sensitivity

CASES = [(1.0, None), (0.3, 0.0), (2.0, 1.0), (3.0, 0.25), (1.0, 0.9), (0.4, None), (20.0, None)]
CHANGES = [1.0, 5.0, 0.3, 1.5, 2.9, 1e-9, 3 + 1e-9]


class Density:
    """The density of the paper, one plateau after the other."""

    def __init__(self, noise: Staircase):
        self.gamma, self.b = mpmath.mpf(noise.gamma), mpmath.exp(-mpmath.mpf(noise.stated_epsilon))
        self.height = (1 - self.b) / (2 * (self.gamma + self.b * (1 - self.gamma)))

    def plateau(self, x) -> int:
        whole, part = divmod(abs(x), 1)
        return int(whole) + (part >= self.gamma)

    def __call__(self, x):
        return self.height * self.b ** self.plateau(x)

    def steps(self, far: int) -> list:
        """Where the density steps, up to a distance."""
        return [sign * (self.gamma + i) for i in range(far) for sign in (1, -1)]

    def mean(self, of, far: int):
        """The mean of what this is the integral of, on both sides, plateau by plateau."""
        points = sorted({mpmath.mpf(0), *(x for x in self.steps(far) if x > 0)})
        return 2 * mpmath.fsum((of(b) - of(a)) * self((a + b) / 2) for a, b in pairwise(points))


def masses(noise: Staircase, change: float, far: int = 400) -> dict[int, mpmath.mpf]:
    """The probabilities of the losses, by going through all places where one of the two staircases steps."""
    density, s = Density(noise), mpmath.mpf(change) / mpmath.mpf(noise.step)
    points = sorted({*density.steps(far), *(x - s for x in density.steps(far)), mpmath.mpf(0), -s})
    found: dict[int, mpmath.mpf] = defaultdict(mpmath.mpf)
    for a, b in pairwise(points):
        middle = (a + b) / 2
        found[density.plateau(middle + s) - density.plateau(middle)] += density(middle) * (b - a)
    return found


def reach(noise: Staircase) -> int:
    return math.ceil(60 / noise.stated_epsilon) + 10


@pytest.mark.parametrize(("epsilon", "gamma"), CASES)
@pytest.mark.parametrize("change", CHANGES)
def test_the_loss_is_that_of_the_two_staircases(epsilon, gamma, change):
    noise = Staircase(epsilon, gamma=gamma)
    pair = noise._cell_loss(change)
    with mpmath.workdps(30):
        truth = masses(noise, change, reach(noise))
        for loss, log_mass in zip(pair.losses, pair.log_masses, strict=True):
            mass = truth.pop(round(loss / epsilon))
            assert abs(mpmath.exp(mpmath.mpf(log_mass)) - mass) <= mass * pair.mass_error
        assert all(rest < mpmath.mpf("1e-20") for rest in truth.values())


@settings(max_examples=40)
@given(st.floats(0.3, 8.0), st.floats(0.0, 1.0), st.floats(1e-6, 6.0), st.floats(0.1, 10.0))
def test_the_profile_is_that_of_the_integral(epsilon, gamma, change, step):
    noise = Staircase(epsilon, gamma=gamma, step=step, sensitivity=Sensitivity(add_remove=change, replace=change))
    with mpmath.workdps(25):
        truth = masses(noise, change, math.ceil(change / step + 40 / epsilon) + 3)
        for t in (0.0, epsilon / 2, 2.3 * epsilon):
            terms = [mass * (1 - mpmath.exp(t - j * epsilon)) for j, mass in truth.items() if j * epsilon > t]
            assert float(noise.delta(t)) == pytest.approx(float(mpmath.fsum(terms)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("epsilon", "gamma"), [(1.0, None), (2.0, 0.7)])
@pytest.mark.parametrize("cells", [7, 20])
def test_the_loss_is_that_of_a_fine_grid(epsilon, gamma, cells):
    """Outcomes are cells of a grid on which both staircases step, as in a world of finitely many outcomes."""
    gamma = round((gamma or 0.0) * cells) / cells or round(cells / (1 + math.exp(epsilon / 2))) / cells
    noise, far = Staircase(epsilon, gamma=gamma), 60
    x = (np.arange(-far * cells, far * cells) + 0.5) / cells
    density = np.exp(-epsilon * np.floor(np.abs(x) + 1 - gamma))
    for shift in (1, cells // 2, cells, 2 * cells + 3):
        p, q = density[:-shift], density[shift:]
        for t in (0.0, 0.4 * epsilon, 1.5 * epsilon):
            total = np.maximum(p - math.exp(t) * q, 0).sum() / density.sum()
            change = shift / cells
            several = Staircase(epsilon, gamma=gamma, sensitivity=Sensitivity(add_remove=change, replace=change))
            assert float(several.delta(t)) == pytest.approx(total, rel=1e-6, abs=1e-9)
    assert float(noise.delta(0.0)) > 0.0


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("step", [1.0, 0.25, 3.0])
def test_it_is_purely_private_for_a_change_of_one_step_and_no_better(epsilon, step):
    one = Staircase(epsilon, step=step, sensitivity=Sensitivity(add_remove=step, replace=step))
    assert float(one.epsilon(0.0)) == epsilon
    assert float(one.delta(epsilon * (1 - 1e-9))) > 0.0
    more = Staircase(epsilon, step=step, sensitivity=Sensitivity(add_remove=1.001 * step, replace=2 * step))
    for relation in (Neighbours.ADD_REMOVE, Neighbours.REPLACE):
        assert float(more.epsilon(0.0, neighbours=relation)) == pytest.approx(2 * epsilon)


@given(st.floats(0.05, 5.0), st.floats(0.0, 1.0), st.floats(0.0, 4.0), st.floats(0.0, 1.5), st.floats(-3.0, 3.0))
def test_a_larger_change_is_easier_to_tell(epsilon, gamma, change, more, level):
    less, larger = (
        Staircase(epsilon, gamma=gamma, sensitivity=Sensitivity(add_remove=each, replace=each)).curve()
        for each in (change, change + more)
    )
    t = level * epsilon
    assert float(less.face.log_delta(t).lower) <= float(larger.face.log_delta(t).upper) + 1e-12


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 5.0])
def test_the_mean_absolute_error_is_that_of_the_paper_and_less_than_that_of_laplace_noise(epsilon):
    """Geng and Viswanath: the least mean of |x| is e^{epsilon/2}/(e^epsilon - 1), and 1/epsilon for Laplace noise."""
    noise = Staircase(epsilon)
    with mpmath.workdps(30):
        mean = Density(noise).mean(lambda x: x * x / 2, reach(noise))
        truth = mpmath.exp(mpmath.mpf(epsilon) / 2) / mpmath.expm1(epsilon)
        assert abs(mean - truth) < 1e-12
        assert truth < 1 / mpmath.mpf(epsilon)
        worse = [
            Density(Staircase(epsilon, gamma=g)).mean(lambda x: x * x / 2, reach(noise)) for g in (0.0, 0.1, 0.9, 1.0)
        ]
        assert all(each > truth for each in worse)


@pytest.mark.parametrize(("epsilon", "gamma"), CASES)
def test_the_spread_is_that_of_the_integral(epsilon, gamma):
    noise = Staircase(epsilon, gamma=gamma, step=2.0)
    with mpmath.workdps(40):
        truth = 2 * mpmath.sqrt(Density(noise).mean(lambda x: x**3 / 3, reach(noise)))
        found = noise.standard_deviation()
        assert mpmath.mpf(float(found.lower)) <= truth <= mpmath.mpf(float(found.upper))


@pytest.mark.parametrize(("epsilon", "gamma"), CASES)
def test_the_tail_is_that_of_the_integral_and_quantiles_undo_it(epsilon, gamma):
    noise = Staircase(epsilon, gamma=gamma)
    density = Density(noise)
    with mpmath.workdps(40):
        for x in (0.0, 0.1, 0.5, 1.0, 2.7):
            points = sorted({mpmath.mpf(x), *(p for p in density.steps(reach(noise)) if p > x)})
            pairs = pairwise(points)
            truth = mpmath.fsum(density((a + b) / 2) * (b - a) for a, b in pairs)
            tail = noise.noise_tail(x)
            assert float(tail) == pytest.approx(float(truth), rel=1e-12)
            assert float(noise.noise_tail(-x)) == pytest.approx(float(1 - truth), rel=1e-12)
    for chance in (1e-9, 0.01, 0.5, 0.9, 0.999):
        error = noise.error_quantile(chance)
        inside = 1 - 2 * float(noise.noise_tail(float(error)))
        assert inside == pytest.approx(chance, abs=1e-9)
    assert noise.error_quantile([0.0, 1.0]).value.tolist() == [0.0, math.inf]
    assert float(noise.probability_of_exact_answer()) == 0.0


def test_draws_follow_the_tail():
    noise = Staircase(1.0, step=2.0)
    draws = noise.sample(np.random.default_rng(5), 200_000)
    for x in (-3.0, 0.0, 0.5, 1.0, 2.6, 5.0):
        assert np.mean(draws >= x) == pytest.approx(float(noise.noise_tail(x)), abs=4e-3)
    assert np.mean(np.abs(draws)) == pytest.approx(2 * math.exp(0.5) / math.expm1(1.0), rel=0.01)


def test_several_cells_and_several_releases_compose():
    histogram = Staircase(0.5, sensitivity=Sensitivity.histogram())
    one = Staircase(0.5)
    both = float(histogram.delta(0.3, neighbours=Neighbours.REPLACE))
    assert both == pytest.approx(float(one.times(2).delta(0.3)), rel=1e-6)
    assert float(one.times(3).epsilon(0.0)) == pytest.approx(1.5)


def test_a_recommended_epsilon_is_that_of_a_pure_promise():
    found = recommend(limits.difference(0.2), Staircase)
    assert float(found.parameter) == pytest.approx(4 * math.atanh(0.2), rel=1e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"epsilon": 0.0}, "epsilon must be"),
        ({"epsilon": 1.0, "gamma": 1.5}, "gamma must be a probability"),
        ({"epsilon": 1.0, "gamma": -0.1}, "gamma must be a probability"),
        ({"epsilon": 1.0, "step": 0.0}, "step must be"),
        ({"epsilon": 1.0, "sensitivity": 2}, "sensitivity must be a Sensitivity"),
    ],
)
def test_what_makes_no_staircase_is_refused(arguments, said):
    with pytest.raises(InvalidInput, match=said):
        Staircase(**arguments)


def test_in_the_limit_of_small_steps_it_is_laplace_noise_and_on_whole_steps_it_tells_as_geometric_noise():
    fine = Staircase(0.001, step=0.001, sensitivity=Sensitivity.count())
    assert float(fine.power(0.05)) == pytest.approx(float(Laplace(1.0).power(0.05)), rel=2e-3)
    centre = Staircase(1.0, gamma=0.5)
    assert float(centre.delta(0.0)) == pytest.approx(float(Geometric(1.0).delta(0.0)), rel=1e-9)


@pytest.mark.parametrize("epsilon", [20.0, 700.0, 1420.0, 1450.0])
def test_the_error_of_hardly_any_noise_is_that_of_its_innermost_plateau(epsilon):
    with mpmath.workprec(6000):
        b, g = mpmath.exp(-mpmath.mpf(epsilon)), mpmath.mpf(Staircase(epsilon).gamma)
        exact = mpmath.mpf(0.5) * (g + b * (1 - g)) / (1 - b)
        assert Staircase(epsilon).error_quantile(0.5).value == pytest.approx(float(exact), rel=1e-6, abs=0.0)


@pytest.mark.parametrize("epsilon", [1500.0, 1e5, 3.402823466e38])
def test_a_centre_too_narrow_for_a_double_leaves_noise_that_is_uniform_on_a_step(epsilon):
    noise = Staircase(epsilon)
    assert noise.gamma == 0.0
    assert noise.standard_deviation().value == pytest.approx(1 / math.sqrt(3), rel=1e-12)
    assert 0.95 - 1e-9 <= noise.error_quantile(0.95).value < math.inf


def test_a_million_plateaus_take_no_longer_than_an_answer_may():
    before = time.process_time()
    loss = Staircase(2.0, step=1.284e-6).curve(Neighbours.ADD_REMOVE).face
    assert time.process_time() - before < 5.0
    assert len(loss.losses) > 1_000_000
    assert math.fsum(np.exp(loss.log_masses)) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1e-16, 1.0, 745.0, 1e10, 1e300])
@pytest.mark.parametrize("step", [5e-324, 1e-300, 0.37, 1.0, 1e300])
def test_extremes_are_answered_or_refused_without_a_warning(epsilon, step):
    """The tests turn warnings into errors; an overflow of Python was one already."""
    noise = Staircase(epsilon, step=step)
    tail = noise.noise_tail([0.0, 1e-300, 1.0, 1e300]).value
    assert np.all((np.diff(tail) <= 0.0) & (tail[1:] >= 0.0))
    for ask in (lambda: noise.delta([0.0, 1.0]), lambda: noise.epsilon(1e-6), lambda: noise.error_quantile(0.95)):
        with suppress(TooCostly, Unreachable):
            assert float(np.max(ask().value)) >= 0.0


def test_an_epsilon_whose_steps_no_double_holds_is_refused():
    with pytest.raises(InvalidInput, match=r"epsilon must be at most 1e\+300; got 1.7e\+308. Use a number such as 1;"):
        Staircase(1.7e308)
