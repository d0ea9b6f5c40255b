"""The normal law against mpmath at 60 digits and more, over the whole range of each function."""

import math

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.numerics import normal

DIGITS = 60
RESERVE = 4  # the constants promise this much more than what is seen


def draw(*ranges, seed=20250101):
    """150 numbers from each range: (low, high) uniformly, ("log", sign, low, high) by powers of ten."""
    generator = np.random.default_rng(seed)
    parts = [
        r[1] * 10.0 ** generator.uniform(r[2], r[3], 150) if r[0] == "log" else generator.uniform(*r, 150)
        for r in ranges
    ]
    return np.concatenate(parts)


def exact_tail(x):
    """The probability above x."""
    return mpmath.erfc(mpmath.mpf(x) / mpmath.sqrt(2)) / 2


def exact_mills(x):
    """M(x), by its asymptotic series where that is exact to 60 digits."""
    x = mpmath.mpf(x)
    if x < 3000:
        return mpmath.sqrt(mpmath.pi / 2) * mpmath.exp(x * x / 2) * mpmath.erfc(x / mpmath.sqrt(2))
    total, term = mpmath.mpf(0), mpmath.mpf(1)
    for k in range(30):
        total, term = total + term, -term * (2 * k + 1) / x**2
    return total / x


def exact_log_cdf(x):
    x = mpmath.mpf(x)
    if x > 0:
        return mpmath.log1p(-exact_tail(x))
    return mpmath.log(exact_mills(-x)) - x * x / 2 - mpmath.log(2 * mpmath.pi) / 2


def worst(values, truth, *arguments, digits=DIGITS):
    """The largest relative error of the values against the truth at the arguments."""
    with mpmath.workdps(digits):
        rows = zip(values.tolist(), *(a.tolist() for a in arguments), strict=True)
        return max(float(abs(mpmath.mpf(value) / truth(*args) - 1)) for value, *args in rows)


def test_mills_is_accurate_from_the_left_end_to_far_right():
    x = draw((-37.0, 0.0), (0.0, 10.0), ("log", 1, -300, 300))
    assert worst(normal.mills(x), exact_mills, x) < normal.MILLS_ERROR / RESERVE


def test_both_tails_are_accurate():
    x = draw((0.0, 36.0), ("log", 1, -300, 1.5))
    assert worst(normal.sf(x), exact_tail, x) < normal.TAIL_ERROR / RESERVE
    assert np.array_equal(normal.cdf(-x), normal.sf(x))


def test_logarithms_of_tails_are_accurate_near_one_and_near_zero():
    x = draw((-40.0, 36.0), ("log", -1, -20, 10), ("log", 1, -20, 1.5))
    assert worst(normal.log_cdf(x), exact_log_cdf, x) < normal.LOG_TAIL_ERROR / RESERVE
    assert np.array_equal(normal.log_sf(-x), normal.log_cdf(x))


def test_density_and_its_logarithm():
    x = draw((-37.0, 37.0))

    def density(x):
        return mpmath.exp(-(mpmath.mpf(x) ** 2) / 2) / mpmath.sqrt(2 * mpmath.pi)

    assert worst(normal.pdf(x), density, x) < 1e-15
    assert worst(normal.log_pdf(x), lambda x: mpmath.log(density(x)), x) < 1e-15


@pytest.mark.parametrize(
    ("a", "scale"),
    [
        (draw((-37.0, -6.0)), 1.0),
        (draw((-6.0, 0.0)), 1.0),
        (draw((0.0, 6.0)), 1.0),
        (draw(("log", 1, -5, 8)), 1e-4),
    ],
    ids=["far left", "left", "right", "far right"],
)
def test_mills_difference_is_accurate_however_close_the_ends(a, scale):
    generator = np.random.default_rng(7)
    tiny = 10.0 ** generator.uniform(-12, 4, a.size)
    comparable = np.maximum(np.abs(a), 1.0) * generator.uniform(0.0, 1.5, a.size)
    for mu in (tiny, comparable, np.maximum(np.abs(a), 1.0) * scale):
        result = normal.mills_difference(a, mu)
        error = worst(result, lambda a, mu: exact_mills(a) - exact_mills(mpmath.mpf(a) + mu), a, mu, digits=140)
        assert error < normal.MILLS_DIFFERENCE_ERROR / RESERVE


def test_mills_difference_at_the_ends_of_its_range():
    result = normal.mills_difference([0.0, math.inf, 1e300, 5.0, -37.0], [0.0, 1.0, 1.0, math.inf, math.inf])
    assert result[:3].tolist() == [0.0, 0.0, 0.0]
    assert result[3:].tolist() == normal.mills([5.0, -37.0]).tolist()


def test_mills_difference_of_the_least_step_is_the_slope():
    slope = 1.0 - 2.0 * float(normal.mills(2.0))  # -M'(x) = 1 - x M(x)
    assert normal.mills_difference(2.0, 1e-290) / 1e-290 == pytest.approx(slope, rel=1e-14)


def test_mills_difference_in_blocks_is_the_same_as_one_by_one():
    a = np.linspace(-1.0, 3.0, 9000).reshape(3, 3000)
    together = normal.mills_difference(a, 0.01)
    assert together.shape == (3, 3000)
    apart = [float(normal.mills_difference(x, 0.01)) for x in a[1, ::500]]
    assert together[1, ::500] == pytest.approx(apart, rel=1e-15)


def test_mills_difference_gives_the_gaussian_profile():
    """delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) = pdf(a) (M(a) - M(a + mu)), a = eps/mu - mu/2."""
    mu, epsilon = 0.7, 0.3
    a = epsilon / mu - mu / 2
    plain = normal.cdf(-a) - math.exp(epsilon) * normal.cdf(-a - mu)
    assert normal.pdf(a) * normal.mills_difference(a, mu) == pytest.approx(float(plain), rel=1e-13)


@pytest.mark.parametrize(("a", "mu", "rule"), [(-37.5, 1.0, "a must be at least -37"), (0.0, -1e-9, "mu must be at")])
def test_mills_difference_refuses_what_is_out_of_range(a, mu, rule):
    with pytest.raises(InvalidInput, match=rule):
        normal.mills_difference([0.0, a], [1.0, mu])


def newton(x, excess):
    """The zero of an increasing function with the slope of the cdf, from a good guess."""
    x = mpmath.mpf(x)
    for _ in range(3):
        x -= excess(x) * mpmath.sqrt(2 * mpmath.pi) * mpmath.exp(x * x / 2)
    return x


def exact_quantile(p):
    p = mpmath.mpf(p)
    if p > 0.5:
        return -newton(-float(normal.quantile(float(p))), lambda x: exact_tail(-x) - (1 - p))
    return newton(float(normal.quantile(float(p))), lambda x: exact_tail(-x) - p)


def test_quantiles_are_accurate_in_both_tails_and_about_one_half():
    offsets = draw(("log", 1, -16, -1))
    p = np.concatenate([draw((0.0, 1.0), ("log", 1, -300, 0)), 1.0 - offsets, 0.5 + offsets, 0.5 - offsets])
    p = p[(p < 1.0) & (p != 0.5)]
    assert worst(normal.quantile(p), exact_quantile, p) < normal.QUANTILE_ERROR / RESERVE


def exact_quantile_of_log(log_p):
    """Newton for the logarithm of the cdf, of which the slope is 1 / M(-x)."""
    x = mpmath.mpf(float(normal.quantile_of_log(log_p)))
    for _ in range(3):
        x -= (exact_log_cdf(x) - log_p) * exact_mills(-x)
    return x


def test_quantiles_of_logarithms_are_accurate_far_into_the_tail():
    log_p = draw(("log", -1, 0, 16))
    assert worst(normal.quantile_of_log(log_p), exact_quantile_of_log, log_p) < normal.QUANTILE_ERROR / RESERVE


def test_quantiles_of_logarithms_are_accurate_for_probabilities_near_one():
    log_p = draw(("log", -1, -300, 0))[::3]
    x = normal.quantile_of_log(log_p)
    with mpmath.workdps(400):
        for value, log_probability in zip(x.tolist(), log_p.tolist(), strict=True):
            beyond = -mpmath.expm1(mpmath.mpf(log_probability))
            truth = -newton(-value, lambda x, beyond=beyond: exact_tail(-x) - beyond)
            assert abs(value - truth) < normal.QUANTILE_ERROR / RESERVE * max(1.0, abs(value))


def test_values_at_the_ends():
    assert normal.cdf([-math.inf, 0.0, math.inf]).tolist() == [0.0, 0.5, 1.0]
    assert normal.log_cdf([-math.inf, -1e200, math.inf, 50.0]).tolist() == [-math.inf, -math.inf, 0.0, 0.0]
    assert normal.mills([-math.inf, -38.0, math.inf]).tolist() == [math.inf, math.inf, 0.0]
    assert normal.pdf([math.inf, -1e300]).tolist() == [0.0, 0.0]
    assert normal.quantile([0.0, 0.5, 1.0]).tolist() == [-math.inf, 0.0, math.inf]
    assert normal.quantile_of_log([-math.inf, 0.0]).tolist() == [-math.inf, math.inf]
    assert normal.quantile_of_log([-1e300, -1.7e308]) == pytest.approx([-math.sqrt(2e300), -math.sqrt(3.4) * 1e154])


def test_numbers_give_arrays_without_axes():
    results = [normal.cdf(0.3), normal.log_cdf(-5.0), normal.mills(2.0), normal.mills_difference(1.0, 0.1)]
    results += [normal.quantile(0.3), normal.quantile_of_log(-3.0), normal.pdf(0.0), normal.log_pdf(0.0)]
    assert all(isinstance(x, np.ndarray) for x in results)
    assert {x.shape for x in results} == {()}


@pytest.mark.parametrize("function", [normal.cdf, normal.log_sf, normal.mills, normal.quantile, normal.quantile_of_log])
def test_nan_is_refused(function):
    with pytest.raises(InvalidInput, match="x must be a number; got nan"):
        function([-0.5, math.nan])


@pytest.mark.parametrize(("function", "value"), [(normal.quantile, -0.1), (normal.quantile, 1.1)])
def test_quantiles_of_what_is_no_probability_are_refused(function, value):
    with pytest.raises(InvalidInput, match=r"p must be at least 0; got .* Give a probability\."):
        function(value)


def test_the_logarithm_of_what_is_above_one_is_refused():
    with pytest.raises(InvalidInput, match="-log_p must be at least 0; got -0.1"):
        normal.quantile_of_log(0.1)


def test_one_number_is_what_it_is_among_many():
    """Few numbers are summed one after the other, many at once, by the same operations."""
    x = np.linspace(-37.0, 80.0, 500)
    assert [float(normal.mills(each)) for each in x] == normal.mills(x).tolist()


@pytest.mark.parametrize("p", [0.1, 0.25, 0.4, 0.499, 0.5, 0.6, 0.925])
def test_a_quantile_about_one_half_has_all_its_digits(p):
    with mpmath.workdps(40):
        truth = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(p) - 1)
    assert float(normal.quantile(p)) == pytest.approx(float(truth), rel=normal.QUANTILE_ERROR, abs=0.0)


@pytest.mark.parametrize("x", [0.0, 0.5, 5.9, 6.0, 6.1, 40.0])
def test_a_tail_in_the_middle_of_the_range_of_its_series_has_all_its_digits(x):
    with mpmath.workdps(40):
        truth = mpmath.log(exact_tail(x))
    assert float(normal.log_sf(x)) == pytest.approx(float(truth), rel=1e-14, abs=0.0)
