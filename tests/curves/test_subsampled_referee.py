"""One release on a Poisson sample against closed forms in 60 digits: rates from 1e-300 to 1, at the ends of the range.

The referee works with s = log(1 + (e^t - 1)/q) by expm1 and log1p, which lose nothing, so that 60 digits are enough.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from whit.curves import GaussianLoss, LaplaceLoss, Orientation, SubsampledLoss
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled
from whit.numerics import Bracket, doubles, ordinals

DIGITS = 60
Base = GaussianLoss | LaplaceLoss
Number: TypeAlias = "mpmath.mpf | float"


def above(base: Base, s: Number, *, closed: bool = False) -> Number:
    """P[l > s] or P[l >= s] of the loss l of the mechanism itself."""
    if isinstance(base, GaussianLoss):
        mu = mpmath.mpf(base.mu)
        return mpmath.ncdf(mu / 2 - s / mu)
    e = mpmath.mpf(base.largest)
    if s < -e or (closed and s == -e):
        return mpmath.mpf(1)
    if s > e or (not closed and s == e):
        return mpmath.mpf(0)
    return 1 - mpmath.exp((s - e) / 2) / 2


def above_on_the_other(base: Base, s: Number) -> Number:
    """Q[l > s]: each pair is symmetric, so it is P[l < -s]."""
    if isinstance(base, GaussianLoss):
        mu = mpmath.mpf(base.mu)
        return mpmath.ncdf(-mu / 2 - s / mu)
    e = mpmath.mpf(base.largest)
    if s < -e:
        return mpmath.mpf(1)
    return mpmath.mpf(0) if s >= e else mpmath.exp((-s - e) / 2) / 2


def profile(base: Base, s: Number) -> Number:
    """D(s) of the mechanism itself."""
    if isinstance(base, GaussianLoss):
        # About 0 the two terms cancel; the digits that they lose are those of mu and of s.
        with mpmath.workdps(4 * DIGITS):
            return above(base, s) - mpmath.exp(s) * above_on_the_other(base, s)
    e = mpmath.mpf(base.largest)
    if s >= e:
        return mpmath.mpf(0)
    return -mpmath.expm1((s - e) / 2) if s > -e else -mpmath.expm1(s)


def behind(t: Number, rate: float) -> Number | None:
    """The loss of the mechanism behind the sampled loss t of a removed record; None below all of them."""
    grown = mpmath.expm1(t) / mpmath.mpf(rate)
    return mpmath.log1p(grown) if grown > -1 else None


def delta(loss: SubsampledLoss, t: float) -> Number:
    """The profile of the mixture against Q, or of Q against the mixture."""
    q, x = mpmath.mpf(loss.rate), mpmath.mpf(t)
    s = behind(x if loss.removed else -x, loss.rate)
    if loss.removed:
        return -mpmath.expm1(x) if s is None else q * profile(loss.base, s)
    # The last of the 60 digits may take the product above 1, which is all that it can be.
    return mpmath.mpf(0) if s is None else min(q * mpmath.exp(x + s) * profile(loss.base, -s), mpmath.mpf(1))


def tail(loss: SubsampledLoss, t: float) -> Number:
    """P[Z > t] under the mixture, or under Q of the reversed loss."""
    q, x = mpmath.mpf(loss.rate), mpmath.mpf(t)
    s = behind(x if loss.removed else -x, loss.rate)
    if s is None:
        return mpmath.mpf(1 if loss.removed else 0)
    if loss.removed:
        return (1 - q) * above_on_the_other(loss.base, s) + q * above(loss.base, s)
    return above(loss.base, -s)


def level_and_power(loss: SubsampledLoss, s: float) -> tuple[Number, Number]:
    """Level and power of the test that rejects where the mechanism's loss is above s, or below -s for an added one."""
    q, x = mpmath.mpf(loss.rate), mpmath.mpf(s)
    power, level = above(loss.base, x), above_on_the_other(loss.base, x)
    if loss.removed:
        return level, (1 - q) * level + q * power
    return q * level + (1 - q) * power, power


def holds(bracket: Bracket, truth: Number) -> bool:
    """Whether a bracket of logs holds the log of the truth."""
    lower, upper = (mpmath.exp(mpmath.mpf(float(end))) for end in (bracket.lower, bracket.upper))
    return bool(lower <= truth <= upper)


def log_doubles(value: Number) -> tuple[float, float]:
    """Doubles around the log of a number."""
    log = mpmath.log(value)
    near = float(log)
    return math.nextafter(near, -math.inf), math.nextafter(near, math.inf)


RATES = st.one_of(
    st.floats(-300.0, 0.0).map(lambda x: 10.0**x),
    st.floats(-15.0, -1.0).map(lambda x: 1 - 10.0**x),
    st.sampled_from([5e-324, 1e-310, 1e-290, 1e-100, 1e-9, 0.01, 0.25, 0.5, 0.9, 1 - 2.0**-53]),
).filter(lambda rate: 0.0 < rate < 1.0)
BASES = st.one_of(
    st.floats(-3.0, 1.3).map(lambda x: GaussianLoss(10.0**x)), st.floats(-4.0, 1.5).map(lambda x: LaplaceLoss(10.0**x))
)
LOSSES = st.builds(SubsampledLoss, BASES, RATES, st.booleans())
STEPS = st.one_of(st.integers(-40, 40), st.integers(-(2**40), 2**40))


@st.composite
def losses_and_places(draw: st.DrawFn) -> tuple[SubsampledLoss, float]:
    """A loss, and a place in its range, at either end of it, or some doubles from there."""
    loss = draw(LOSSES)
    wide = 40.0 * loss.base.mu + loss.base.mu**2 if isinstance(loss.base, GaussianLoss) else loss.base.largest
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return loss, draw(st.floats(-40.0, 40.0))
    s = wide * (draw(st.floats(-1.1, 1.1)) if kind == 1 else 5.0 - 2 * kind)
    sampled = math.log1p(-loss.rate) if kind == 3 and draw(st.booleans()) else _sampled(s, loss.rate)
    place = sampled if loss.removed else -sampled
    if kind > 1:
        place = float(doubles(ordinals(place) + draw(STEPS)))
    return loss, place


def _sampled(s: float, rate: float) -> float:
    """The sampled loss of a loss s, as a double."""
    with mpmath.workdps(DIGITS):
        return float(mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(mpmath.mpf(s))))


KINK = SubsampledLoss(LaplaceLoss(1 / 29.378639263706976), 7.205279894581665e-10)
EDGE = SubsampledLoss(GaussianLoss(10.0), 0.5, removed=False)


@settings(max_examples=400)
@given(losses_and_places())
@example((KINK, 2.4947755302075924e-11))
@example((EDGE, math.log(2.0)))
def test_delta_lies_in_its_bracket_at_every_rate(asked: tuple[SubsampledLoss, float]) -> None:
    loss, t = asked
    bracket = loss.log_delta(t)
    with mpmath.workdps(DIGITS):
        assert holds(bracket, delta(loss, t))


@settings(max_examples=400)
@given(losses_and_places())
@example((EDGE, math.log(2.0)))
@example((EDGE.reverse(), -math.log(2.0)))
def test_the_tail_lies_in_its_bracket_at_every_rate(asked: tuple[SubsampledLoss, float]) -> None:
    loss, t = asked
    with mpmath.workdps(DIGITS):
        truth = tail(loss, t)
        assert holds(loss.log_tail(t), truth)
        # No double is the sampled loss of an atom (Lindemann and Weierstrass), so that the closed tail is the open one.
        assert holds(loss.log_tail_closed(t), truth)


@settings(max_examples=100)
@given(losses_and_places())
@example((KINK, 2.4947755302075924e-11))
def test_epsilon_lies_on_the_right_side_at_every_rate(asked: tuple[SubsampledLoss, float]) -> None:
    """Of a delta that is a hair larger the epsilon is smaller than t, of one that is a hair smaller it is larger."""
    loss, t = asked[0], abs(asked[1])
    with mpmath.workdps(DIGITS):
        truth = delta(loss, t)
        if truth == 0:
            assert loss.epsilon(-np.inf).lower <= t
            return
        smaller, larger = log_doubles(truth)
    assert loss.epsilon(smaller).upper >= t
    assert loss.epsilon(larger).lower <= t


@settings(max_examples=150)
@given(LOSSES, st.floats(-1.0, 1.0))
def test_power_lies_on_the_right_side_at_every_rate(loss: SubsampledLoss, place: float) -> None:
    wide = 30.0 * loss.base.mu + loss.base.mu**2 if isinstance(loss.base, GaussianLoss) else loss.base.largest
    with mpmath.workdps(DIGITS):
        level, power = level_and_power(loss, wide * place)
        if not 0 < level < 1:
            return
        smaller, larger = log_doubles(level)
        assert mpmath.exp(mpmath.mpf(float(loss.log_power(smaller).lower))) <= power
        assert mpmath.exp(mpmath.mpf(float(loss.log_power(min(larger, 0.0)).upper))) >= power


@pytest.mark.parametrize("rate", [0.25, 0.5, 0.9, 1e-3, 1e-20, 1e-300])
@pytest.mark.parametrize("base", [GaussianLoss(10.0), GaussianLoss(0.1), LaplaceLoss(1.0), LaplaceLoss(0.01)])
def test_no_loss_lies_above_the_epsilon_of_delta_0(base: Base, rate: float) -> None:
    """The largest loss of an added record is -log(1 - q), or less where the loss of the mechanism is bounded."""
    found = SubsampledLoss(base, rate, removed=False).epsilon(-np.inf)
    least = -mpmath.inf if isinstance(base, GaussianLoss) else -mpmath.mpf(base.largest)
    with mpmath.workdps(400):
        supremum = -mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(least))
        assert found.lower <= supremum <= found.upper
        assert found.upper <= supremum * (1 + mpmath.mpf(2) ** -45)


def test_a_tiny_rate_does_not_lower_delta_at_the_kink() -> None:
    found = PoissonSubsampled(Laplace(29.378639263706976), 7.205279894581665e-10).delta(2.4947755302075924e-11)
    assert found.upper >= 1.50167e-23


def test_the_tail_at_the_end_of_the_range_is_not_denied() -> None:
    """The largest loss is -log(1/2), a hair above the double: nearly the whole mass of Q lies between the two."""
    curve = PoissonSubsampled(Gaussian(0.1), 0.5).curve()
    found = curve.tail(math.log(2.0), orientation=Orientation.BACKWARD)
    with mpmath.workdps(DIGITS):
        truth = tail(SubsampledLoss(GaussianLoss(10.0), 0.5, removed=False), math.log(2.0))
    assert truth > 0.87
    assert found.upper >= truth
    assert found.lower <= truth
