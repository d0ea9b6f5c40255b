"""Linear releases: the bound of each record, against the two scores themselves and against closed forms."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.persuasion import (
    Blocks,
    Brier,
    DawidSebastiani,
    Factors,
    Full,
    IntervalScore,
    LogProbability,
    Means,
    RankedProbability,
    Together,
    Totals,
    linear_release,
    side_by_side_scores,
)
from whit.theory import Direction

RANDOM = np.random.default_rng(31)


def conditioned(a, s, w, d) -> tuple[list, list]:
    """Posterior shifts and variances, to 50 digits."""
    a, s, w, d = (mpmath.matrix(np.atleast_2d(each).tolist()) for each in (a, s, w, d))
    c = s * a.T
    inverse = (a * c + w) ** -1
    shift, left = c * inverse * d.T, s - c * inverse * c.T
    return [shift[i] for i in range(s.rows)], [left[i, i] for i in range(s.rows)]


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_no_value_of_a_record_gains_more_than_its_kappa(noise):
    for _ in range(8):
        n, k = 5, 2
        a = RANDOM.normal(size=(k, n))
        root = RANDOM.normal(size=(n, n))
        s = root @ root.T + 0.1 * np.eye(n)
        s = (s + s.T) / 2
        release = linear_release(a, s, noise=noise)
        t = RANDOM.normal(size=k) * 3
        shift, left = conditioned(a, s, noise * np.eye(k), t)
        kappa = release.kappa(t)
        assert kappa.direction is Direction.AT_MOST
        for i in range(n):
            variance = mpmath.mpf(s[i, i])
            explained = 1 - left[i] / variance
            best = shift[i] / explained  # the value of the record at which the gain is largest
            gain = best**2 / variance - (best - shift[i]) ** 2 / left[i] - mpmath.log(left[i] / variance)
            assert gain <= kappa.value[i]
            assert kappa.value[i] <= gain * (1 + mpmath.mpf("1e-9"))


def test_bounds_hold_where_sums_cancel():
    # A common factor of size 1e5 that nearly cancels in the statistics: C and V are small differences of large numbers.
    for _ in range(8):
        loadings = 1e5 * (1.0 + 1e-6 * RANDOM.normal(size=(4, 1)))
        a = np.array([[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, 1.0, -2.0]])
        t, own = RANDOM.normal(size=2), RANDOM.uniform(0.5, 2.0, 4)
        found = linear_release(a, Factors(own, loadings), noise=0.1).kappa(t)
        u = mpmath.matrix(loadings.tolist())
        s = mpmath.diag(own.tolist()) + u * u.T
        c = s * mpmath.matrix(a.tolist()).T
        inverse = (mpmath.matrix(a.tolist()) * c + mpmath.mpf(0.1) * mpmath.eye(2)) ** -1
        shift, explained = c * inverse * mpmath.matrix(t.tolist()), c * inverse * c.T
        assert found.direction is Direction.AT_MOST
        for i in range(4):
            truth = shift[i] ** 2 / explained[i, i] - mpmath.log(1 - explained[i, i] / s[i, i])
            assert truth <= found.value[i]


def test_structures_of_the_prior_agree():
    households = [[[2.0, 1.0], [1.0, 2.0]]] * 3
    matrix = np.kron(np.eye(3), households[0])
    # A household of two with correlation 1/2: own variance 1, and a common factor of variance 1.
    loadings = np.kron(np.eye(3), np.ones((2, 1)))
    found = [
        linear_release(Totals([0, 0, 1, 1, 2, 0]), prior, noise=1.0).kappa([1.0, -2.0, 0.5]).value
        for prior in (Full(matrix), Blocks(households), Factors(np.ones(6), loadings))
    ]
    assert np.allclose(found[0], found[1], rtol=1e-10)
    assert np.allclose(found[0], found[2], rtol=1e-10)


def test_a_mean_and_a_total_of_a_cell_tell_the_same():
    total = linear_release(Totals([0, 0, 0, 1, 1]), np.ones(5)).kappa([3.0, -1.0])
    mean = linear_release(Means([0, 0, 0, 1, 1]), np.ones(5)).kappa([1.0, -0.5])
    assert np.allclose(total.value, mean.value, rtol=1e-10)


def test_a_table_without_noise_keeps_its_reach_and_the_size_of_its_cells():
    # A cell of m equal records explains 1/m of each.
    found = linear_release(Totals([0] * 10 + [1] * 4), np.full(14, 7.0)).kappa_within(2.0)
    expected = 2.0 - np.log1p(-1.0 / np.array([10.0] * 10 + [4.0] * 4))
    assert found.direction is Direction.AT_MOST
    assert np.all(found.value >= expected)
    assert np.allclose(found.value, expected, rtol=1e-12)


def test_a_record_that_is_pinned_has_no_bound_and_a_sentence_says_so():
    release = linear_release(Totals([0, 0, 1]), np.ones(3))
    found = release.kappa_within(1.0)
    assert found.value.tolist()[2] == math.inf
    assert np.isfinite(found.value[:2]).all()
    assert str(release.most_exposed(found)).startswith("record 2 is determined by the release")
    assert "exposed most" in str(release.most_exposed(linear_release(Totals([0, 0]), [1.0, 1.0]).kappa_within(1.0)))


def test_a_record_pinned_by_dependent_totals_is_found_too():
    # Row totals, and the total of all but the last record of the table: margins that depend on each other.
    release = linear_release(Together(Totals([0, 0, 1, 1], [0, 0, 0, 0]), Totals([0, 0, 0, -1])), np.ones(4))
    found = release.kappa_within(1.0)
    assert found.direction is Direction.ABOUT
    assert found.value[2] == found.value[3] == math.inf


def test_a_record_in_no_statistic_gains_nothing():
    release = linear_release(Totals([0, 0, -1]), np.ones(3))
    assert release.kappa([5.0]).value[2] == 0.0
    assert release.explained().value[2] == 0.0


def test_a_record_that_is_hardly_explained_can_still_gain_its_reach():
    # R^2 is 1e-240 and underflows on the way, but b^2/R^2 is as large as for any other record.
    found = linear_release([[1.0, 1.0]], [1e-240, 1.0]).kappa_within(1.0)
    assert found.value[0] >= 1.0
    assert linear_release([[1.0, 1.0]], [1e-240, 1.0]).kappa([1.0]).value[0] >= 1.0


@pytest.mark.parametrize("noise", [1e-300, 1e-12, 1.0, 1e300])
@pytest.mark.parametrize("delta", [1e-300, 1e-6, 1.0])
@pytest.mark.parametrize("reach", [0.0, 1e-12, 1e300])
def test_extremes_are_ordinary_inputs(noise, delta, reach):
    found = linear_release([[1.0, 1.0]], [1.0, 1.0], noise=noise).kappa_within(reach, delta)
    share = 1 / (mpmath.mpf(2) + noise)
    quiet = mpmath.mpf(noise) / (2 + mpmath.mpf(noise))
    middle = mpmath.sqrt(reach * (1 - quiet))
    if np.isfinite(found.value[0]):
        q = mpmath.sqrt(mpmath.mpf(found.value[0]) + mpmath.log(1 - share))
        spread = mpmath.sqrt(quiet)
        ends = [max(end / spread, mpmath.mpf(-1000)) for end in (middle - q, -middle - q)]  # further out mpmath fails
        assert sum(mpmath.ncdf(end) for end in ends) <= delta


def test_several_statistics_are_not_charged_for_each_other():
    # m^2 adds up over the cells; b^2/R^2 of a record is that of its own cell.
    release = linear_release(Totals(np.repeat(np.arange(50), 4)), np.ones(200))
    t = np.full(50, 2.0)
    assert np.allclose(release.kappa(t).value, 1.0 - math.log(0.75), rtol=1e-9)


def test_mixed_releases_lie_between_none_and_all_noise():
    table, ones = Totals([0, 0, 0, 1, 1, 1]), np.ones(6)
    none, some, full = (linear_release(table, ones, noise=w).explained().value for w in (0.0, [0.0, 3.0], 3.0))
    assert np.allclose(some, np.r_[none[:3], full[3:]], rtol=1e-10)
    assert np.all(full < none)


def test_the_probability_beyond_kappa_is_at_most_delta_over_the_noise():
    # One statistic, mean at the edge of the reach: the exact law of b/R is normal.
    release, reach, delta = linear_release([[1.0, 1.0]], [1.0, 1.0], noise=3.0), 4.0, 0.01
    kappa = release.kappa_within(reach, delta).value[0]
    explained = 1.0 / 5.0
    squared = mpmath.mpf(kappa) + mpmath.log(1 - mpmath.mpf(explained))
    q, centre, spread = mpmath.sqrt(squared), mpmath.sqrt(reach * 2 / mpmath.mpf(5)), mpmath.sqrt(3 / mpmath.mpf(5))
    beyond = mpmath.ncdf((centre - q) / spread) + mpmath.ncdf((-centre - q) / spread)
    assert beyond <= delta
    assert beyond == pytest.approx(delta, rel=1e-6)


def test_with_noise_nothing_is_certain():
    release = linear_release([[1.0, 1.0]], [1.0, 1.0], noise=3.0)
    assert release.kappa_within(4.0).value.tolist() == [math.inf, math.inf]


def test_the_prior_predicts_a_chi_square_of_one_degree():
    found = linear_release([[1.0, 1.0]], [1.0, 1.0]).kappa_predicted(0.05)
    assert np.allclose(found.value, 3.841458820694124 + math.log(2), rtol=1e-9)
    assert np.all(found.value >= 3.841458820694124 + math.log(2))


def test_scores_stand_side_by_side():
    release = linear_release(Totals([0, 0, 0]), [1.0, 1.0, 4.0])
    scores = [DawidSebastiani(), LogProbability(), RankedProbability(), IntervalScore(1)]
    found = side_by_side_scores(release, scores, [2.0])
    assert np.allclose(found["LogProbability()"].value, found["DawidSebastiani()"].value / 2)
    assert found["IntervalScore(1.0)"].value.tolist() == [1.0, 1.0, 1.0]
    assert np.all(found["RankedProbability()"].value > 0)


def test_a_score_without_a_known_gain_is_refused():
    with pytest.raises(NotImplied, match="a score of a normal belief must be one with a known largest gain"):
        linear_release([[1.0, 1.0]], [1.0, 1.0]).under(Brier(), [1.0])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda r: r.kappa([1.0, 2.0]), "published must be a list of 1 finite numbers"),
        (lambda r: r.kappa([math.inf]), "published must be a list of 1 finite numbers"),
        (lambda r: r.kappa([1e200]), "published must lie within 1e.100 standard deviations"),
        (lambda r: r.under("log", [1.0]), "score must be a score of beliefs"),
        (lambda _: linear_release([[1e-200, 1.0]], [1e-200, 1.0]), "weights times variances must not be too small"),
        (lambda r: r.kappa_within(-1.0), "reach must be a finite number of at least 0"),
        (lambda r: r.kappa_within(1.0, 2.0), "delta must be a probability"),
        (lambda r: r.relative_scores([1.0], [1.0]), "data must be a list of 2 finite numbers"),
        (lambda _: linear_release([[1.0, 1.0]], [1.0, 1.0], mean=[1.0, 2.0, 3.0]), "mean must be one number, or 2"),
        (lambda _: linear_release([[1.0, 1.0]], [1.0, 1.0], mean="high"), "mean must be one number, or 2"),
    ],
)
def test_a_wrong_question_is_answered_with_a_sentence(build, message):
    with pytest.raises(InvalidInput, match=message):
        build(linear_release([[1.0, 1.0]], [1.0, 1.0]))
