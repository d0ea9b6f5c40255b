"""What every profile keeps: bounds on boxes are below its limits, its closed form decides, it is a frozen value."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput, UnknownKey
from whit.policy.profiles import (
    ByPrior,
    ClosedForm,
    Domain,
    RiskProfile,
    absolute_cap,
    box,
    capped,
    constant,
    custom,
    difference,
    strictest,
    table,
)
from whit.policy.profiles.profile import epsilon_at, prior_up, quotient_down, tight, void
from whit.semantics.disclosure import safe_epsilon

GRID = table([(p, q, 1.5 + 1 / (10 * p * q)) for p in (0.05, 0.3, 1.0) for q in (0.1, 0.6, 1.0)])

PROFILES: dict[str, RiskProfile] = {
    "constant": constant(3.0),
    "box": box(2.5, inclusion=(0.1, 0.8), value=(0.2, 1.0)),
    "box from 0": box(2.5, inclusion=(0.0, 0.6), value=(0.4, 0.7)),
    "capped": capped(relative=3.0, absolute=0.25),
    "capped at a value": capped(relative=2.0, absolute=0.2, value=0.6),
    "capped at an inclusion": capped(relative=3.0, absolute=0.1, inclusion=0.05),
    "ratio at a small value": capped(relative=3.0, absolute=0.1, value=0.2),
    "cap": absolute_cap(0.4, inclusion=(0.0, 0.5), value=(0.1, 0.7)),
    "difference": difference(0.2),
    "table": GRID,
    "table at a value": table({0.01: 10.0, 0.1: 3.0, 1.0: 1.5}, value=1.0),
    "by prior": ByPrior((0.01, 0.1, 0.5), (0.05, 0.3, 0.7)),
    "by prior at an inclusion": ByPrior((0.01, 0.1), (0.05, 0.3), inclusion=0.2),
    "custom": custom(lambda p, q: 4.0 - 2.0 * p * q, lipschitz=2.0),
    "strictest": strictest({"ratio": constant(2.0), "difference": difference(0.2), "table": GRID}),
}

each_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


def places(domain: Domain, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random adversaries of a domain, among them some with tiny beliefs."""
    ends = [domain.inclusion, domain.value]
    scale = [np.where(rng.random(count) < 0.2, 10 ** -rng.uniform(0, 6, count), rng.random(count)) for _ in ends]
    p, q = (
        low + (high - low) * np.where(low > 0, x, np.maximum(x, 1e-9))
        for (low, high), x in zip(ends, scale, strict=True)
    )
    return np.minimum(p, domain.inclusion[1]), np.minimum(q, domain.value[1])


@each_profile
def test_a_bound_on_a_box_is_below_every_limit_in_it(profile: RiskProfile) -> None:
    rng = np.random.default_rng(3)
    p, q = places(profile.domain, rng, 40)
    r, s = places(profile.domain, rng, 40)
    box_of = (np.minimum(p, r), np.maximum(p, r), np.minimum(q, s), np.maximum(q, s))
    bounds = profile.lower_bound(*box_of)
    for share_p in np.linspace(0, 1, 7):
        for share_q in np.linspace(0, 1, 7):
            inner_p = np.clip(box_of[0] + share_p * (box_of[1] - box_of[0]), box_of[0], box_of[1])
            inner_q = np.clip(box_of[2] + share_q * (box_of[3] - box_of[2]), box_of[2], box_of[3])
            assert np.all(bounds <= profile.limit(inner_p, inner_q) * (1 + 1e-14))


@each_profile
def test_a_bound_on_a_small_box_is_close(profile: RiskProfile) -> None:
    p, q = places(profile.domain, np.random.default_rng(4), 40)
    low = profile.lower_bound(p * (1 - 1e-9), p, q * (1 - 1e-9), q)
    limit = profile.limit(p, q)
    finite = np.isfinite(limit)
    assert np.all(low[finite] >= limit[finite] * (1 - 1e-6))


@each_profile
def test_the_whole_square_can_be_bounded(profile: RiskProfile) -> None:
    assert float(profile.lower_bound(0.0, 1.0, 0.0, 1.0)) <= float(
        profile.limit(*places(profile.domain, np.random.default_rng(5), 1))[0]
    )


@each_profile
def test_limits_are_at_least_1_and_calling_gives_them(profile: RiskProfile) -> None:
    p, q = places(profile.domain, np.random.default_rng(6), 60)
    assert np.all(profile.limit(p, q) >= 1.0)
    assert np.array_equal(profile(p, q), profile.limit(p, q))


@each_profile
def test_a_profile_is_a_frozen_value_with_notices(profile: RiskProfile) -> None:
    assert all(said.endswith(".") for said in profile.notices())
    first = dataclasses.fields(profile)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign"):
        setattr(profile, first, None)


@each_profile
def test_a_closed_form_is_the_least_epsilon_of_all_adversaries(profile: RiskProfile) -> None:
    closed = profile.closed_form()
    p, q = places(profile.domain, np.random.default_rng(7), 4000)
    least = safe_epsilon(profile.limit(p, q), p, q).min()
    if closed is None:
        assert np.isfinite(least)
        return
    assert closed.epsilon <= least * (1 + 1e-12)
    near = [max(belief, 1e-9) for belief in closed.binding]
    if closed.epsilon < math.inf:
        assert float(safe_epsilon(profile.limit(*near), *near)) == pytest.approx(closed.epsilon, rel=1e-6)


def test_outside_of_the_domain_there_is_no_limit() -> None:
    profile = capped(relative=3.0, absolute=0.1, value=1.0)
    assert list(profile.limit([0.5, 0.5], [1.0, 0.9])) == [3.0, math.inf]
    assert float(profile.lower_bound(0.1, 0.2, 0.3, 0.9)) == math.inf


def test_a_domain_says_what_it_holds() -> None:
    domain = Domain((0.0, 0.5), (1.0, 1.0))
    assert list(domain.contains([0.1, 0.5, 0.6], 1.0)) == [True, True, False]
    assert domain.value_fixed
    assert not domain.inclusion_fixed


def test_a_closed_form_names_a_theorem_that_exists() -> None:
    with pytest.raises(UnknownKey, match="No theorem has the key"):
        ClosedForm(1.0, (1.0, 1.0), "profile-imagined")


def test_wrong_domains_and_beliefs_are_refused() -> None:
    with pytest.raises(InvalidInput, match="the range of inclusion must be two probabilities in increasing order"):
        Domain(inclusion=(0.5, 0.1))
    with pytest.raises(InvalidInput, match="the range of value must be two probabilities"):
        Domain(value=(0.0, 0.0))
    with pytest.raises(InvalidInput, match="the range of value must be two probabilities"):
        Domain(value=0.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="inclusion must be above 0"):
        constant(3.0).limit(0.0, 0.5)
    with pytest.raises(Incompatible, match="inclusion and value must have shapes that go together"):
        constant(3.0).limit([0.1, 0.2], [0.1, 0.2, 0.3])


parts = st.integers(0, 1000).map(lambda n: Fraction(n, 1000))


@given(st.fractions(1, 50, max_denominator=10**6), parts, parts)
def test_the_largest_epsilon_at_one_adversary_solves_its_equation_from_below(
    limit: Fraction, p: Fraction, q: Fraction
) -> None:
    found = epsilon_at(limit, p, q)
    c, u, v = (mpmath.mpf(x.numerator) / x.denominator for x in (1 / limit - p * q, 1 - p, p * (1 - q)))
    if c <= 0:
        assert found == math.inf
        return
    truth = -mpmath.log(2 * c / (u + mpmath.sqrt(u * u + 4 * v * c)))
    assert truth * (1 - mpmath.mpf(10) ** -13) - mpmath.mpf(10) ** -30 <= found <= max(truth, 0)


def test_a_limit_is_void_from_its_reciprocal_on() -> None:
    assert void(4.0, Domain()) == (
        "Where the prior is 0.25 or more, a relative risk of 4 allows certainty. There the profile limits nothing.",
    )
    assert void(4.0, Domain((0.0, 0.25))) == ()
    assert "everywhere" in void(4.0, Domain((0.5, 1.0), (0.5, 1.0)))[0]


def test_room_is_narrow_below_a_hundredth() -> None:
    assert tight(ClosedForm(0.02, (1.0, 0.0), "profile-constant")) == ()
    assert tight(ClosedForm(0.005, (1.0, 0.1), "profile-constant")) == (
        "At inclusion 1 and value 0.1 the profile leaves hardly any room: epsilon is 0.005 at most.",
    )
    assert "no gain at all" in tight(ClosedForm(0.0, (1.0, 0.1), "profile-constant"))[0]


def test_a_quotient_by_nothing_is_no_limit_and_any_other_is_rounded_down() -> None:
    b = np.array([0.0, 0.3, 1.0])
    found = quotient_down(0.7, b)
    assert found[0] == math.inf
    assert found[2] == 0.7
    assert found[1] == pytest.approx(7 / 3, rel=1e-15)
    assert Fraction(found[1]) < Fraction(0.7) / Fraction(0.3)


def test_a_prior_is_exact_where_one_belief_is_certain_and_never_too_small() -> None:
    x = np.array([0.1, 0.3, 0.7, 1.0])
    assert list(prior_up(x, np.ones(4))) == list(prior_up(np.ones(4), x)) == list(x)
    for p, q, product in zip(x, x[::-1], prior_up(x, x[::-1]), strict=True):
        assert Fraction(float(product)) >= Fraction(p) * Fraction(q)
