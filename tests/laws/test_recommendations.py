"""A recommended parameter keeps to what it is for, everywhere, and little more of it would not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Geometric, Laplace
from whit.policy import limits
from whit.policy.minimise import Keeping, Losses
from whit.policy.planned import Planned
from whit.policy.profiles import absolute_cap, box, capped, constant, custom, difference, strictest, table
from whit.policy.recommendation import recommend
from whit.semantics.disclosure import relative_risk
from whit.setting import Sensitivity


def spread(ends, number):
    """Points of a range of beliefs: evenly and towards its lower end, both ends included but for 0."""
    low, high = ends
    if low == high:
        return np.array([low])
    start = max(low, 1e-9)
    return np.unique(np.concatenate([np.linspace(start, high, number // 2), np.geomspace(start, high, number // 2)]))


def worst_excess(profile, included, replaced, number=1000):
    """The largest relative risk over its limit, on a fine grid; the formula is written out anew."""
    p, q = np.meshgrid(spread(profile.domain.inclusion, number), spread(profile.domain.value, number))
    risk = 1 / (p * q + p * (1 - q) * math.exp(-replaced) + (1 - p) * math.exp(-included))
    return float(np.max(risk / profile.limit(p, q)))


def random_profile(random):
    """A profile of a random kind that can be bounded between points."""
    r, a = 1 + random.exponential(2.0), random.uniform(0.01, 0.9)
    belief = float(random.uniform(0.02, 1.0))
    p, q = (tuple(float(x) for x in np.sort(random.uniform(0, 1, 2))) for _ in range(2))
    b = float(random.uniform(0.02, 0.8))
    kinds = [
        lambda: constant(r),
        lambda: capped(relative=r, absolute=a),
        lambda: capped(relative=r, absolute=a, inclusion=belief),
        lambda: capped(relative=r, absolute=a, value=belief),
        lambda: box(r, inclusion=p, value=q),
        lambda: difference(b),
        lambda: absolute_cap(0.95, inclusion=(0.0, belief * 0.9)),
        lambda: strictest({"ratio": constant(r), "rise": difference(b)}),
        lambda: custom(lambda x, y: 1.2 + a + r * (x - belief) ** 2 + (y - b) ** 2, lipschitz=2 * r + 2),
    ]
    return kinds[random.integers(len(kinds))]()


def check_profile(profile, included, replaced):
    """The largest loss along a ray is kept on a million points; a thousandth more is not, unless all is allowed."""
    most = Keeping(profile).largest(included, replaced)
    if math.isinf(most):
        assert worst_excess(profile, 50.0 * included, 50.0 * replaced) <= 1 + 1e-12
        return
    assert worst_excess(profile, most * included, most * replaced) <= 1 + 1e-14
    # The worst adversary may lie between the points of the grid: look around the one that the proof names.
    assert not Keeping(profile)(Losses(1.001 * most * included, 1.001 * most * replaced))


@pytest.mark.parametrize("seed", range(24))
def test_the_largest_loss_keeps_to_a_random_profile_on_a_million_points(seed):
    random = np.random.default_rng(seed)
    check_profile(random_profile(random), 1.0, [1.0, 2.0, 1.4][seed % 3])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 220))
def test_the_largest_loss_keeps_to_many_more_random_profiles(seed):
    random = np.random.default_rng(seed)
    check_profile(random_profile(random), 1.0, float(random.uniform(0.5, 2.0)))


@pytest.mark.parametrize("seed", range(20))
def test_closed_forms_agree_with_the_search_by_boxes(seed):
    random = np.random.default_rng(1000 + seed)
    r, a, belief = 1 + random.exponential(2.0), random.uniform(0.01, 0.9), float(random.uniform(0.05, 1.0))
    profiles = [
        constant(r),
        capped(relative=r, absolute=a),
        capped(relative=r, absolute=a, inclusion=belief),
        capped(relative=r, absolute=a, value=belief),
        difference(a),
        box(r, inclusion=(belief / 2, belief), value=(a / 2, a)),
    ]
    profile = profiles[seed % len(profiles)]
    closed = profile.closed_form().epsilon
    searched = by_boxes(profile)
    assert searched <= closed * (1 + 1e-12) or math.isinf(closed)
    assert searched == pytest.approx(closed, rel=1e-9)


def by_boxes(profile):
    """The largest epsilon by the proof alone, without the closed form."""
    keeping = Keeping(profile)
    for part in keeping.parts:
        part._closed = None
    return keeping.largest(1.0, 2.0)


def test_a_search_that_is_a_little_too_bold_would_be_found():
    profile = capped(relative=3.0, absolute=0.25, value=1.0)
    epsilon = profile.closed_form().epsilon * 1.002
    assert worst_excess(profile, epsilon, 2 * epsilon, number=10**6) > 1


@pytest.mark.parametrize(
    ("relative", "absolute", "theirs"), [(3.0, 0.25, 1.30123), (6.0, 0.25, 2.03920)], ids=["three", "six"]
)
def test_the_published_program_is_beaten_on_its_own_examples(relative, absolute, theirs):
    asked = []

    def limit(p, q):
        asked.append(np.size(p))
        return np.maximum(absolute / (p * q), relative)

    best = math.log((relative - absolute) / (1 - absolute))
    found = recommend(custom(limit, value=(1.0, 1.0)), PureDP)
    assert float(found.parameter) <= best < theirs  # theirs breaks the profile between the points of its grid
    assert float(found.parameter) == pytest.approx(best, rel=1e-8)
    assert sum(asked) <= 10**6 / 100


def test_an_arbitrary_function_of_both_beliefs_takes_few_questions_as_well():
    asked = []

    def limit(p, q):
        asked.append(np.size(p))
        return np.maximum(0.25 / (p * q), 3.0)

    best = math.log(2.75 / 0.75) / 2
    found = recommend(custom(limit), PureDP)
    assert float(found.parameter) <= best
    assert float(found.parameter) == pytest.approx(best, rel=1e-6)
    assert sum(asked) <= 10**6 / 100


FAMILIES = [
    (PureDP, {}),
    (PureDP, {"releases": 12}),
    (Geometric, {}),
    (Geometric, {"sensitivity": Sensitivity.histogram()}),
    (Laplace, {"releases": 1}),
    (ApproxDP, {"failure": 0.01, "delta": 1e-6}),
    (Gaussian, {"failure": 0.01, "releases": 12}),
    pytest.param(ZeroConcentratedDP, {"failure": 0.01, "releases": 3}, marks=pytest.mark.slow),
    pytest.param(GaussianDP, {"failure": 0.01}, marks=pytest.mark.slow),
    pytest.param(Gaussian, {"failure": 0.01, "sensitivity": Sensitivity.histogram()}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("family", "options"), FAMILIES, ids=str)
def test_what_is_recommended_keeps_to_the_profile_by_the_risk_that_disclosure_reports(family, options):
    profile = capped(relative=3.0, absolute=0.25)
    found = recommend(profile, family, **options)
    one, failure = found.release, options.get("failure", 0.0)
    together = one if options.get("releases", 1) == 1 else one.times(options["releases"])
    p, q = (x.ravel() for x in np.meshgrid([1e-6, 1 / 12, 0.3, 1.0], [1e-6, 1 / 12, 0.3, 1.0]))
    risk = relative_risk(together, inclusion=p, value=q, failure=failure)
    assert np.all(risk.value <= profile.limit(p, q) * (1 + 1e-9))


@pytest.mark.parametrize(("family", "options"), FAMILIES, ids=str)
def test_a_thousandth_more_of_the_recommended_parameter_is_too_much(family, options):
    profile = capped(relative=3.0, absolute=0.25)
    found = recommend(profile, family, **options)
    bolder = float(found.parameter) * (1.001 if found.family.rising else 1 / 1.001)
    planned = type(found.criterion)(profile, options.get("failure", 0.0))  # type: ignore[call-arg]
    assert planned.fits(_planned(found, float(found.parameter)))
    assert not planned.fits(_planned(found, bolder))


def _planned(found, value):
    return Planned(found.family, value, found.spent)


SLOWER = [pytest.param(each, marks=pytest.mark.slow) for each in (ZeroConcentratedDP, GaussianDP, Gaussian, Geometric)]


@pytest.mark.parametrize("family", [PureDP, *SLOWER])
def test_more_releases_leave_less_for_each(family):
    limit = limits.difference(0.2)
    told = [float(recommend(limit, family, releases=k, failure=0.01).parameter) for k in (1, 4, 16)]
    ordered = told if recommend(limit, family, failure=0.01).family.rising else told[::-1]
    assert ordered[0] > ordered[1] > ordered[2]


def test_a_table_is_kept_between_its_points():
    rows = [(p, q, 1.5 + 1 / (p + q)) for p in (0.1, 0.4, 1.0) for q in (0.1, 0.5, 1.0)]
    profile = table(rows)
    most = Keeping(profile).largest(1.0, 2.0)
    assert worst_excess(profile, most, 2 * most) <= 1 + 1e-14
    assert not Keeping(profile)(Losses(1.001 * most, 2.002 * most))
