"""RAPPOR, from the probabilities of all its reports, bit by bit."""

from __future__ import annotations

import math
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest

from whit.curves import largest_loss
from whit.errors import InvalidInput, TooCostly
from whit.mechanisms import Rappor
from whit.setting import Neighbours

LEVELS = (0.01, 0.2, 0.7)


def law(f, p, q, raised: list[bool], reports: int) -> dict[tuple[int, ...], mpmath.mpf]:
    """The probability of every sequence of reports about some bits, each bit with its own coin kept for all of them."""
    f, p, q = (mpmath.mpf(x) for x in (f, p, q))

    def bit(is_raised: bool, told: tuple[int, ...]) -> mpmath.mpf:
        one = 1 - f / 2 if is_raised else f / 2
        said = [mpmath.fprod(x if each else 1 - x for each in told) for x in (q, p)]
        return one * said[0] + (1 - one) * said[1]

    each = list(product((0, 1), repeat=reports))
    return {
        sum(told, ()): mpmath.fprod(bit(up, part) for up, part in zip(raised, told, strict=True))
        for told in product(each, repeat=len(raised))
    }


def delta(one: dict, other: dict, at: float) -> mpmath.mpf:
    return mpmath.fsum(max(one[told] - mpmath.exp(at) * other[told], 0) for told in one)


CASES = [
    ((0.5, 0.5, 0.75), 1, 1),
    ((0.5, 0.5, 0.75), 2, 1),
    ((0.25, 0.35, 0.65), 1, 3),
    ((0.25, 0.65, 0.35), 1, 3),
    ((0.1, 0.0, 1.0), 1, 2),
    ((0.0, 0.2, 0.9), 2, 1),
    ((0.0, 0.0, 0.5), 1, 2),
    ((0.3, 0.0, 0.4), 1, 2),
    ((0.75, 0.3, 0.3000001), 1, 2),
]


@pytest.mark.parametrize(("chances", "hashes", "reports"), CASES)
@pytest.mark.parametrize("at", [0.0, 0.1, 0.7, 2.0])
def test_the_profile_is_that_of_all_reports_in_full(chances, hashes: int, reports: int, at: float) -> None:
    f, p, q = chances
    one, other = ([place < hashes] * hashes + [place >= hashes] * hashes for place in (0, hashes))
    truth = delta(law(f, p, q, one, reports), law(f, p, q, other, reports), at)
    found = Rappor(f, p=p, q=q, hashes=hashes, reports=reports).delta(at)
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(found.upper) - float(found.lower) <= 1e-11


@pytest.mark.parametrize("chances", [(0.5, 0.5, 0.75), (0.25, 0.2, 0.6)])
def test_values_with_bits_in_common_are_told_apart_less(chances) -> None:
    """Hashes that meet leave fewer bits, on the one side, the other, or both."""
    f, p, q = chances
    found = Rappor(f, p=p, q=q, hashes=2, reports=1)
    for one, other in (([True], [False]), ([True, True], [False, False]), ([True, True, False], [False, False, True])):
        for at in (0.0, 0.3, 0.8):
            truth = delta(law(f, p, q, one, 1), law(f, p, q, other, 1), at)
            assert truth <= float(found.delta(at).upper)


def test_the_tail_of_beliefs_covers_values_with_bits_in_common() -> None:
    """Two of three equal bits have the larger chance of a small loss; a bound for everybody is above theirs."""
    f, p, q = 0.5, 0.3, 0.6
    found = Rappor(f, p=p, q=q, hashes=2)
    for failure in (0.05, 0.2, 0.5):
        bound = float(largest_loss(found, failure).value)
        for fallen, risen in product(range(3), repeat=2):
            if fallen + risen == 0:
                continue
            one = law(f, p, q, [True] * fallen + [False] * risen, 1)
            other = law(f, p, q, [False] * fallen + [True] * risen, 1)
            beyond = mpmath.fsum(
                mass for told, mass in one.items() if mpmath.log(mass / other[told]) > bound * (1 + 1e-12)
            )
            assert beyond <= failure


def test_one_report_and_all_of_them_have_the_epsilons_of_the_paper() -> None:
    """EPK14: h log(q'(1-p')/(p'(1-q'))) for one report, 2h log((1-f/2)/(f/2)) for all."""
    f, p, q, h = mpmath.mpf("0.5"), mpmath.mpf("0.5"), mpmath.mpf("0.75"), 2
    one, zero = (f * (p + q) / 2 + (1 - f) * x for x in (q, p))
    once = h * mpmath.log(one * (1 - zero) / (zero * (1 - one)))
    for found, truth in (
        (Rappor(0.5, p=0.5, q=0.75, hashes=2), once),
        (Rappor(0.5, p=0.5, q=0.75, hashes=2, reports=None), 4 * mpmath.log(3)),
    ):
        epsilon = found.epsilon(0.0)
        assert float(epsilon.lower) <= truth <= float(epsilon.upper)
        assert float(epsilon.upper) <= truth * (1 + 1e-13)


def test_more_reports_tell_more_and_never_more_than_what_was_kept() -> None:
    levels = np.array(LEVELS)
    powers = [Rappor(0.4, p=0.4, q=0.7, reports=k).power(levels) for k in (1, 2, 5, 20, 80, 400, None)]
    for fewer, more in pairwise(powers):
        assert np.all(fewer.lower <= more.upper)
    # 400 reports all but give the kept bits away.
    np.testing.assert_allclose(powers[-2].upper, powers[-1].upper, rtol=1e-4)


@pytest.mark.parametrize("reports", [1, 3, None])
def test_extremes_are_answered(reports: int | None) -> None:
    nothing = Rappor(1.0, p=0.0, q=1.0, reports=reports)
    assert float(nothing.delta(0.0).upper) == 0.0
    everything = Rappor(0.0, p=0.0, q=1.0, reports=reports)
    assert float(everything.delta(5.0).upper) == pytest.approx(1.0)
    assert math.isinf(float(everything.epsilon(1e-6).upper))
    faint = Rappor(1e-300, p=0.5, q=0.75, reports=reports)
    assert float(faint.epsilon(0.0).upper) <= 2 * math.log(2e300) * (1 + 1e-12)


def test_bits_are_told_as_often_as_they_should_be() -> None:
    f, p, q, h = 0.5, 0.25, 0.75, 2
    draws = Rappor(f, p=p, q=q, hashes=h, reports=4).sample(np.random.default_rng(8), 40_000)
    one = (1 - f / 2) * q + f / 2 * p
    np.testing.assert_allclose(draws.mean(axis=0) / 4, [one] * h + [1 - one] * h, atol=0.01)
    kept = Rappor(f, p=p, q=q, hashes=h, reports=None).sample(np.random.default_rng(8), 40_000, truth=False)
    np.testing.assert_allclose(kept.mean(axis=0), [f / 2] * h + [1 - f / 2] * h, atol=0.01)


def test_only_reports_are_protected() -> None:
    assert Rappor(0.5, p=0.5, q=0.75).relations == (Neighbours.LOCAL, Neighbours.REPLACE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"f": 1.5, "p": 0.5, "q": 0.75}, "f must be a probability in \\[0, 1\\]; got 1.5. It is the probability"),
        ({"f": 0.5, "p": -0.5, "q": 0.75}, "p must be a probability in \\[0, 1\\]; got -0.5. It is the probability"),
        ({"f": 0.5, "p": 0.5, "q": 0.75, "hashes": 0}, "hashes must be a whole number of at least 1; got 0. Use"),
        ({"f": 0.5, "p": 0.5, "q": 0.75, "reports": 0}, "reports must be a whole number of at least 1; got 0. Use 1"),
    ],
)
def test_what_is_no_rappor_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Rappor(**arguments)


def test_many_reports_are_asked_about_as_any_number() -> None:
    with pytest.raises(TooCostly, match="reports must be at most 10000; got 20000. Use reports=None"):
        Rappor(0.5, p=0.5, q=0.75, reports=20_000)
