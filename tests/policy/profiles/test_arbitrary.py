"""Any function as a profile."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.policy.profiles import custom


def test_a_function_of_numbers_is_asked_place_by_place() -> None:
    profile = custom(lambda p, _q: 3.0 if p > 0.5 else 5.0, lipschitz=100.0)
    assert list(profile.limit([0.4, 0.6], 0.5)) == [5.0, 3.0]


def test_a_constant_is_a_function_too() -> None:
    assert list(custom(lambda _p, _q: 2.0).limit([0.1, 0.2], 0.5)) == [2.0, 2.0]


def test_without_a_slope_nothing_is_proved_between_points() -> None:
    profile = custom(lambda p, _q: 2.0 + p)
    assert not profile.proved
    with pytest.raises(NotImplied, match="cannot be bounded between points.*lipschitz"):
        profile.lower_bound(0.1, 0.2, 0.1, 0.2)


def test_a_slope_bounds_the_function_between_points() -> None:
    profile = custom(lambda p, q: 2.0 + np.abs(np.sin(5 * p)) + q, lipschitz=5.0)
    assert profile.proved
    low = float(profile.lower_bound(0.2, 0.4, 0.5, 0.6))
    inside = profile.limit(np.linspace(0.2, 0.4, 50)[:, None], np.linspace(0.5, 0.6, 50))
    assert low <= inside.min()


def test_nan_is_named_with_its_place() -> None:
    profile = custom(lambda p, _q: np.where(p > 0.5, np.nan, 2.0))
    with pytest.raises(InvalidInput, match=r"must return a number everywhere; got nan at inclusion 0.7 and value 0.1"):
        profile.limit([0.3, 0.7], 0.1)


def test_what_is_no_number_is_named_with_its_place() -> None:
    with pytest.raises(InvalidInput, match="must return a number; got 'many' at inclusion 0.3 and value 0.1"):
        custom(lambda _p, _q: "many").limit(0.3, 0.1)
    with pytest.raises(InvalidInput, match="function must be a function of inclusion and value"):
        custom(3.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="lipschitz must be a finite number"):
        custom(lambda _p, _q: 2.0, lipschitz=-1.0)


def test_where_it_is_impossible_or_void_is_noticed() -> None:
    said = custom(lambda p, _q: 0.5 + 2 * p).notices()
    assert "the limit is below 1: no release meets it" in said[0]
    assert "allows some adversaries certainty" in custom(lambda p, _q: np.full(np.shape(p), 10.0)).notices()[0]


def test_no_limit_is_infinite() -> None:
    profile = custom(lambda _p, _q: math.inf, lipschitz=0.0)
    assert float(profile.limit(0.5, 0.5)) == math.inf
    assert float(profile.lower_bound(0.1, 0.5, 0.1, 0.5)) == math.inf


def _fails(p, q):
    raise RuntimeError(f"no idea at {p} and {q}")


def _warns(p, q):
    warnings.warn("beware", stacklevel=1)
    return 3.0 + 0 * p * q


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (_fails, "must take inclusion and value and return a number; got at inclusion .* and value .* RuntimeError"),
        (lambda p: 3.0 + p, "must take inclusion and value and return a number; got at inclusion .* TypeError"),
        (lambda p, q: 10**400 + int(p + q), "must return a number that fits a double; got a larger one at inclusion"),
        (_warns, "got at inclusion .* UserWarning: beware"),
    ],
)
def test_a_function_that_fails_is_refused_with_the_place(function, said):
    with pytest.raises(InvalidInput, match=said):
        custom(function).limit([0.25, 0.5], 0.5)


def test_a_function_may_divide_by_zero_where_it_sets_no_limit():
    assert custom(lambda p, q: 1.0 / (1.0 - p) + 0 * q).limit([0.5, 1.0], 0.5).tolist() == [2.0, np.inf]


def test_nothing_is_noticed_where_every_limit_can_be_met_and_none_is_void() -> None:
    assert custom(lambda p, q: np.clip(0.99 / (p * q), 1.0, 1.5)).notices() == ()


def test_certainty_is_noticed_from_the_least_prior_at_which_the_limit_leaves_no_doubt() -> None:
    [said] = custom(lambda p, q: 1.5 + 0.0 * p * q).notices()  # 1.5 p q > 1 above 2/3
    prior = float(said.partition("From a prior of ")[2].partition(" ")[0])
    assert 2 / 3 < prior < 0.75


def test_a_bound_between_points_asks_only_within_the_box_and_loses_the_slope_over_half_of_it() -> None:
    asked = []

    def function(p: float, q: float) -> float:
        asked.append((p, q))
        return 4.0

    low = float(custom(function, lipschitz=2.0).lower_bound(0.2, 0.4, 0.5, 0.6))
    assert low == pytest.approx(4.0 - 2.0 * (0.1 + 0.05), rel=1e-12)
    assert all(np.all((p >= 0.2) & (p <= 0.4) & (q >= 0.5) & (q <= 0.6)) for p, q in asked)
