"""Recommendations: what they carry, what they rest on, and what is refused with which words."""

from __future__ import annotations

import math
from decimal import Decimal

import mpmath
import numpy as np
import pytest

from whit.curves import largest_loss
from whit.errors import Incompatible, InvalidInput, NotImplied, Unreachable
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import (
    DiscreteGaussian,
    ExponentialMechanism,
    Gaussian,
    Geometric,
    Laplace,
    PermuteAndFlip,
    RandomizedResponse,
    ReportNoisyMax,
    SparseVector,
)
from whit.policy import Rule, check, limits, naive_epsilon, profiles
from whit.policy.criteria import LimitCriterion
from whit.policy.family_of import family_of
from whit.policy.planned import Planned
from whit.policy.recommendation import recommend
from whit.semantics import testing
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Randomness

RISE = limits.difference(0.2)


def test_a_recommended_epsilon_is_rounded_down_and_a_sigma_up():
    epsilon, sigma = recommend(profiles.constant(3.0), PureDP), recommend(RISE, Gaussian, failure=0.01)
    assert epsilon.parameter.direction is Direction.AT_LEAST
    assert epsilon.rounded(3) == Decimal("0.549")
    assert sigma.parameter.direction is Direction.AT_MOST
    assert sigma.rounded(3) >= Decimal(float(sigma.parameter))


def test_the_deciding_adversary_is_named_with_risk_and_limit():
    found = recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP)
    verdict = found.verdict
    assert verdict.kept
    assert (verdict.adversary.inclusion, verdict.adversary.value) == (pytest.approx(1 / 12), 1.0)
    assert verdict.limit == pytest.approx(3.0)
    assert float(verdict.number) == pytest.approx(3.0, rel=1e-9)
    assert float(verdict.number) <= 3.0


def test_other_adversaries_have_more_room():
    found = recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP)
    assert float(found.headroom(inclusion=1 / 12, value=1.0)) == pytest.approx(1.0, rel=1e-6)
    assert float(found.headroom(inclusion=0.5, value=1.0)) > 1.5
    assert float(found.headroom(inclusion=0.5, value=0.3)) == math.inf  # the profile does not speak about them


def test_the_gain_over_the_naive_rule_is_reported():
    found = recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP, releases=4)
    naive, gain = found.comparisons
    assert float(naive) == pytest.approx(math.log(3.0) / 8)
    assert float(gain) == pytest.approx(math.log(2.75 / 0.75) / (math.log(3.0) / 2), rel=1e-9)


def test_the_chance_of_failure_is_on_record():
    found = recommend(RISE, Gaussian, failure=0.01)
    (failure,) = found.parameter.basis.failures
    assert (failure.probability, failure.over) == (0.01, Randomness.BELIEF)
    profile = recommend(profiles.constant(3.0), ZeroConcentratedDP, failure=0.02)
    assert profile.parameter.basis.failures[0].probability == 0.02
    assert "disclosure-with-failure" in profile.parameter.basis.theorems


def test_the_noise_of_a_release_is_among_the_findings():
    """Laplace noise with scale b stays within b log(20) with probability 95 %."""
    found = recommend(RISE, Laplace)
    deviation, error = found.findings[-2:]
    assert float(deviation) == pytest.approx(math.sqrt(2) * float(found.parameter))
    assert float(error) == pytest.approx(math.log(20) * float(found.parameter))


def test_a_mechanism_is_judged_by_its_own_loss():
    known = float(recommend(RISE, Gaussian, releases=12, failure=0.01).parameter)
    promised = math.sqrt(1 / (2 * float(recommend(RISE, ZeroConcentratedDP, releases=12, failure=0.01).parameter)))
    assert known < promised


@pytest.mark.slow
def test_whole_noise_is_recommended_by_its_exact_loss():
    """For adversaries with any belief about the others, who compare mixtures: the bound is that of the profile."""
    found = recommend(RISE, DiscreteGaussian, releases=12, failure=0.01)
    together = found.release.times(12)
    assert float(largest_loss(together.mixed(), 0.01)) <= float(RISE.allowed_loss())
    bolder = DiscreteGaussian(float(found.parameter) / 1.001).times(12)
    assert float(largest_loss(bolder.mixed(), 0.01)) > float(RISE.allowed_loss())


def test_for_one_count_replacing_costs_no_more_than_adding():
    count = float(recommend(profiles.constant(3.0), Geometric).parameter)
    histogram = float(recommend(profiles.constant(3.0), Geometric, sensitivity=Sensitivity.histogram()).parameter)
    assert count == pytest.approx(math.log(3.0), rel=1e-9)
    assert histogram == pytest.approx(math.log(3.0) / 2, rel=1e-9)


def test_a_promise_can_be_kept_by_noise():
    found = recommend(ApproxDP(1.0, 1e-6), Gaussian, releases=4)
    assert float(found.release.times(4).delta(1.0).upper) <= 1e-6
    assert float(Gaussian(float(found.parameter) * 0.999).times(4).delta(1.0).lower) > 1e-6
    assert recommend(PureDP(1.0), Laplace, releases=4).rounded(4) == Decimal("4")


def test_a_limit_on_power_or_advantage_is_inverted_as_well():
    power = recommend(limits.power(0.2, level=0.05), Gaussian)
    assert float(power.release.power(0.05).upper) <= 0.2
    assert float(power.release.power(0.05).lower) == pytest.approx(0.2, rel=1e-9)
    advantage = recommend(limits.advantage(0.1), ZeroConcentratedDP)
    assert float(testing.advantage(advantage.release)) <= 0.1
    assert float(testing.advantage(ZeroConcentratedDP(float(advantage.parameter) * 1.000001))) > 0.1


def test_promises_under_replacement_serve_people_who_are_known_to_be_in_the_data():
    census = profiles.capped(relative=3.0, absolute=0.25, inclusion=1.0)
    found = recommend(census, PureDP, neighbours=Neighbours.REPLACE)
    assert float(found.parameter) == pytest.approx(2 * census.closed_form().epsilon, rel=1e-9)


def test_a_profile_that_limits_nothing_leaves_every_parameter():
    found = recommend(profiles.box(3.0, inclusion=(0.5, 1.0), value=(0.7, 0.9)), PureDP)
    assert found.unlimited
    assert float(found.parameter) == math.inf
    assert any("Every parameter meets" in said for said in found.notices)
    assert found.parameter.direction is Direction.AT_LEAST


def test_that_an_arbitrary_function_limits_nothing_is_an_estimate():
    free = profiles.custom(lambda p, q: 5.0 + 0 * p * q, inclusion=(0.5, 1.0), value=(0.7, 0.9))
    found = recommend(free, PureDP)
    assert found.unlimited
    assert found.parameter.direction is Direction.ABOUT


def test_an_arbitrary_function_gives_an_estimate():
    found = recommend(profiles.custom(lambda p, q: 2.0 + p + 0 * q), PureDP)
    assert found.parameter.direction is Direction.ABOUT
    assert any("not a proof" in said for said in found.notices)


def test_a_limit_below_one_is_refused_with_its_place():
    profile = profiles.custom(lambda p, q: np.where((p > 0.4) & (p < 0.6), 0.8, 2.0 * q), value=(1.0, 1.0))
    with pytest.raises(Unreachable, match=r"at least 1, .*a limit of 0\.8 near inclusion 0\.[45]\d* and value 1"):
        recommend(profile, PureDP)


def test_a_function_that_returns_nan_is_refused_with_its_place():
    profile = profiles.custom(lambda p, q: np.where(p > 0.7, np.nan, 2.0 + q))
    with pytest.raises(InvalidInput, match="must return a number everywhere; got nan at inclusion"):
        recommend(profile, PureDP)


def test_a_table_with_a_hole_is_refused_with_its_place():
    rows = [(0.1, 0.5, 2.0), (0.1, 1.0, 2.0), (0.5, 0.5, 2.0)]
    with pytest.raises(InvalidInput, match=r"inclusion 0\.5.*value 1"):
        recommend(profiles.table(rows), PureDP)


def test_noise_without_a_sure_bound_needs_a_chance_of_failure():
    with pytest.raises(Unreachable, match=r"^Gaussian noise cannot meet this limit without .* failure=0\.01"):
        recommend(profiles.constant(3.0), Gaussian)


def test_what_was_spent_may_leave_nothing():
    with pytest.raises(Unreachable, match="check what counts as spent"):
        recommend(profiles.constant(3.0), PureDP, spent=[PureDP(1.0)])


def test_promises_under_replacement_do_not_serve_people_who_may_be_absent():
    with pytest.raises(NotImplied, match="needs the loss of adding or removing a record"):
        recommend(profiles.constant(3.0), PureDP, neighbours=Neighbours.REPLACE)


def test_sides_are_for_limits():
    with pytest.raises(Incompatible, match="sides is for limits"):
        recommend(profiles.constant(3.0), PureDP, sides=2)


@pytest.mark.parametrize("wanted", [3.0, "constant", None, ZeroConcentratedDP(0.5)])
def test_what_is_wanted_must_be_something_that_can_be_kept(wanted):
    with pytest.raises(InvalidInput, match="the requirement must be a risk profile, a limit, or a promise"):
        recommend(wanted, PureDP)


@pytest.mark.parametrize("failure", [-0.1, 1.5, math.nan, "1%"])
def test_the_chance_of_failure_is_a_probability(failure):
    with pytest.raises(InvalidInput, match="failure must be a probability"):
        recommend(RISE, PureDP, failure=failure)


def test_a_recommendation_is_told_in_one_sentence():
    said = str(recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP))
    assert said.startswith(
        "largest epsilon that meets the limit is at least 1.29, for 1 release; decided by an adversary"
    )


def _small(change):
    return Sensitivity(add_remove=change, replace=change)


@pytest.mark.parametrize("change", [1e-200, 1e-9, 1e-6, 1e13])
@pytest.mark.parametrize("wanted", [profiles.constant(3.0), limits.ratio(3.0)])
def test_noise_is_in_the_unit_of_the_sensitivity(change, wanted):
    found = recommend(wanted, Laplace, sensitivity=_small(change))
    assert not found.unlimited
    assert float(found.parameter) >= change / math.log(3.0) * (1 - 1e-15)
    assert float(found.parameter) == pytest.approx(change / math.log(3.0), rel=1e-9)


@pytest.mark.parametrize("change", [1e-9, 1e-6, 1e13])
def test_gaussian_noise_is_in_the_unit_of_the_sensitivity(change):
    one = float(recommend(limits.ratio(3.0), Gaussian, failure=0.01).parameter)
    found = recommend(limits.ratio(3.0), Gaussian, failure=0.01, sensitivity=_small(change))
    assert float(found.parameter) == pytest.approx(one * change, rel=1e-9)
    promised = recommend(ApproxDP(1.0, 1e-6), Gaussian, sensitivity=_small(change))
    assert float(promised.release.delta(1.0).upper) <= 1e-6
    assert float(promised.parameter) == pytest.approx(4.2246788893 * change, rel=1e-3)


def test_gaussian_noise_for_a_profile_is_in_the_unit_of_the_sensitivity():
    found = recommend(profiles.constant(3.0), Gaussian, failure=0.01, sensitivity=_small(1e-9))
    assert 2.5e-9 < float(found.parameter) < 2.6e-9


def test_a_large_epsilon_is_not_taken_for_no_limit():
    assert float(recommend(PureDP(1e5), PureDP).parameter) == pytest.approx(1e5, rel=1e-11)
    rho = float(recommend(ApproxDP(1e5, 1e-6), ZeroConcentratedDP).parameter)
    assert 9e4 < rho < 1e5


@pytest.mark.parametrize("above", [2.0**-52, 1e-15, 1e-12, 1e-9])
def test_a_limit_hardly_above_one_leaves_a_small_epsilon(above):
    best = mpmath.log(mpmath.mpf(1.0 + above)) / 2
    found = float(recommend(profiles.constant(1.0 + above), PureDP).parameter)
    assert found <= best
    assert found >= best * 0.4


def test_a_small_promise_is_followed():
    found = float(recommend(PureDP(1e-14), PureDP).parameter)
    assert found <= 1e-14
    assert found == pytest.approx(1e-14, rel=1e-11, abs=0.0)


@pytest.mark.parametrize(
    "wanted",
    [
        PureDP(0.0),
        profiles.constant(1.0),
        profiles.difference(0.0),
        profiles.capped(relative=1.0, absolute=0.5),
        profiles.capped(relative=1.0, absolute=0.0),
        limits.difference(0.0),
        limits.advantage(0.0),
    ],
)
def test_where_nothing_may_be_learnt_epsilon_is_zero_and_noise_is_refused(wanted):
    found = recommend(wanted, PureDP)
    assert float(found.parameter) == 0.0
    assert not found.unlimited
    assert found.release == PureDP(0.0)
    with pytest.raises(Unreachable, match="the scale must have a value"):
        recommend(wanted, Laplace)


@pytest.mark.parametrize("family", [Gaussian, DiscreteGaussian, ZeroConcentratedDP])
def test_no_amount_of_gaussian_noise_is_pure(family):
    with pytest.raises(Unreachable, match="cannot meet this promise without exception.*Accept a delta above 0"):
        recommend(PureDP(1.0), family)


@pytest.mark.parametrize(
    "wanted", [limits.advantage(1.0), limits.power(1.0, level=0.05), limits.posterior(1.0, prior=0.1)]
)
def test_a_limit_that_allows_certainty_leaves_every_parameter(wanted):
    assert recommend(wanted, PureDP).unlimited
    assert recommend(wanted, Laplace, sensitivity=_small(1e-6)).unlimited
    assert recommend(profiles.constant(3.0), Gaussian, sensitivity=_small(0.0)).unlimited


@pytest.mark.parametrize("kind", [PureDP, Gaussian])
def test_a_limit_that_may_fail_for_sure_is_refused(kind):
    with pytest.raises(InvalidInput, match="failure must be below 1: what may be false for sure says nothing; got 1"):
        recommend([limits.ratio(3.0), profiles.constant(3.0)], kind, failure=1)
    with pytest.raises(InvalidInput, match="failure must be below 1"):
        check(kind(1.0), limits.ratio(3.0), failure=1.0)


@pytest.mark.parametrize(("most", "releases"), [(1.7456256956227363, 1), (2.0, 5), (3.0, 2)])
def test_a_sigma_of_discrete_noise_is_short_meets_the_limit_and_is_the_least_of_its_digits(most, releases):
    wanted = limits.ratio(most)
    found = recommend(wanted, DiscreteGaussian, releases=releases, failure=0.2)
    sigma = Decimal(repr(float(found.parameter)))
    below = float(sigma - Decimal(1).scaleb(sigma.adjusted() - 4))
    assert len(sigma.as_tuple().digits) <= 5
    assert found.verdict.kept
    assert wanted.keeps(found.release.times(releases), failure=0.2)
    assert not wanted.keeps(DiscreteGaussian(below).times(releases), failure=0.2)
    assert found.rounded() == found.rounded(9) == sigma


def test_a_rounded_sigma_of_discrete_noise_still_keeps_to_the_limit():
    wanted = limits.ratio(1.7456256956227363)
    found = recommend(wanted, DiscreteGaussian, failure=0.2)
    for digits in (1, 2, 3):
        sigma = float(found.rounded(digits))
        assert sigma >= float(found.parameter)
        assert wanted.keeps(DiscreteGaussian(sigma), failure=0.2)
    assert any("a larger sigma" in said for said in found.notices)
    assert recommend(RISE, Laplace).notices == ()


def test_the_naive_rule_is_that_of_the_smallest_limit_of_all():
    found = recommend(profiles.table({0.01: 10.0, 0.1: 3.0, 1.0: 1.5}, inclusion=1.0), PureDP)
    assert float(found.comparisons[0]) == pytest.approx(math.log(1.5) / 2, rel=1e-9)
    assert float(found.comparisons[1]) >= 1.0


def test_the_deciding_adversary_is_shown_with_their_own_limit_however_small_their_belief():
    verdict = recommend(profiles.difference(1 - 1.2e-16), PureDP).verdict
    change = 1 - 1.2e-16
    assert verdict.adversary.value == (1 - change) / 2
    assert verdict.limit == pytest.approx(1 + change / verdict.adversary.value, rel=1e-9)
    assert float(verdict.number) == pytest.approx(verdict.limit, rel=1e-12)
    assert recommend(profiles.box(3.0, value=(0.0, 1e-15)), PureDP).verdict.limit == 3.0


@pytest.mark.parametrize("family", [[], {}, "PureDP", None, PureDP(1.0)])
def test_a_family_is_a_class(family):
    with pytest.raises(InvalidInput, match="family must be a class"):
        recommend(profiles.constant(3.0), family)


def test_too_many_releases_are_refused():
    with pytest.raises(InvalidInput, match="releases must be a whole number of at most"):
        recommend(profiles.constant(3.0), PureDP, releases=10**400)


@pytest.mark.parametrize("digits", [0, -1, "a", 2.0, 10**30])
def test_digits_are_a_small_whole_number(digits):
    with pytest.raises(InvalidInput, match="digits must be"):
        recommend(profiles.constant(3.0), PureDP).rounded(digits)


@pytest.mark.parametrize("belief", [[0.1, 0.2], "a", 0.0, 1.5])
def test_the_room_is_that_of_one_adversary(belief):
    with pytest.raises(InvalidInput, match="inclusion must be"):
        recommend(profiles.constant(3.0), PureDP).headroom(inclusion=belief, value=0.5)


def test_true_is_no_number_of_sides():
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        recommend(RISE, PureDP, sides=True)


def test_what_was_spent_before_noise_may_leave_nothing_and_is_told_soon():
    with pytest.raises(Unreachable, match="check what counts as spent"):
        recommend(profiles.constant(3.0), Laplace, spent=[PureDP(1.0)])


@pytest.mark.slow
def test_releases_with_two_different_losses_are_recommended_in_seconds():
    profile = profiles.capped(relative=3.0, absolute=0.25)
    found = recommend(profile, Laplace, failure=0.01, sensitivity=Sensitivity.histogram())
    assert found.criterion.fits(Planned(found.family, float(found.parameter), ()))
    assert not found.criterion.fits(Planned(found.family, float(found.parameter) * (1 - 1e-6), ()))


def test_of_several_requirements_all_are_kept_and_the_strictest_decides():
    several = [limits.difference(0.2), limits.power(0.1, level=0.05), profiles.constant(3.0), ApproxDP(1.0, 1e-3)]
    for family in (PureDP, Gaussian, DiscreteGaussian):
        found = recommend(several, family, failure=0.01)
        each = [float(recommend(one, family, failure=0.01).parameter) for one in several]
        strictest = min(each) if found.family.rising else max(each)
        assert float(found.parameter) == pytest.approx(strictest, rel=1e-6)
        decides = several[each.index(strictest)]
        assert found.verdict.kept
        assert [part.requirement for part in found.verdict.parts] == several
        assert found.verdict.number == found.verdict.parts[several.index(decides)].number
        assert check(found.release, several, failure=0.01).kept


def test_twelve_releases_of_cells_that_change_differently_are_answered_for_discrete_noise_as_for_gaussian():
    """A list of the losses of one release has 27 million atoms; noise of this size is Gaussian but for a hair."""
    cells = Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))
    posterior = limits.posterior(0.9, prior=0.5)
    found, smooth = (
        recommend(posterior, kind, failure=0.01, releases=12, sensitivity=cells)
        for kind in (DiscreteGaussian, Gaussian)
    )
    assert found.parameter.direction is Direction.AT_MOST
    assert float(found.parameter) == pytest.approx(float(smooth.parameter), rel=1e-3)


@pytest.mark.parametrize(
    ("requirement", "largest"),
    [
        (limits.ratio(2.0), mpmath.log(2)),
        (limits.posterior(0.8, prior=0.5), mpmath.log(4)),
        (limits.power(0.3, level=0.05), mpmath.log(6)),
        (PureDP(0.7, neighbours=Neighbours.LOCAL), mpmath.mpf("0.7")),
        (profiles.box(3.0, inclusion=(1.0, 1.0)), mpmath.log(3)),
    ],
)
def test_a_randomized_response_may_lose_as_much_as_is_allowed(requirement, largest):
    """Its posterior odds grow by e^epsilon, and a test of a small level has e^epsilon times that as its power."""
    found = recommend(requirement, RandomizedResponse)
    assert largest * (1 - mpmath.mpf("1e-6")) <= float(found.parameter) <= largest * (1 + mpmath.mpf("1e-15"))
    assert found.parameter.direction is Direction.AT_LEAST
    assert found.release == RandomizedResponse(float(found.parameter))
    truth = mpmath.exp(float(found.parameter)) / (1 + mpmath.exp(float(found.parameter)))
    assert float(found.findings[-1]) == pytest.approx(float(truth), rel=1e-12)


def delta_of_answers(epsilon, answers, at):
    """Delta of so many randomized responses to one question, by the law of the number of true answers."""
    with mpmath.workdps(40):
        e = mpmath.mpf(epsilon)
        truth = mpmath.exp(e) / (1 + mpmath.exp(e))
        p, q = (
            [mpmath.binomial(answers, k) * x**k * (1 - x) ** (answers - k) for k in range(answers + 1)]
            for x in (truth, 1 - truth)
        )
        return mpmath.fsum(max(a - mpmath.exp(at) * b, 0) for a, b in zip(p, q, strict=True))


def test_thirty_randomized_responses_keep_to_epsilon_and_delta_and_more_would_not():
    wanted = ApproxDP(1.0, 1e-6, neighbours=Neighbours.LOCAL)
    found = float(recommend(wanted, RandomizedResponse, releases=30).parameter)
    assert delta_of_answers(found, 30, 1) <= mpmath.mpf(1e-6)
    assert delta_of_answers(found * (1 + 1e-6), 30, 1) > mpmath.mpf(1e-6)


def test_reports_have_no_sensitivity_and_say_nothing_of_people_added():
    with pytest.raises(Incompatible, match="sensitivity is no option of the family RandomizedResponse"):
        recommend(RISE, RandomizedResponse, sensitivity=Sensitivity.count())
    with pytest.raises(NotImplied, match="the privacy loss is not known under the neighbours add-remove"):
        recommend(ApproxDP(1.0, 1e-6), RandomizedResponse)
    with pytest.raises(NotImplied, match="needs the loss of adding or removing a record"):
        recommend(profiles.constant(3.0), RandomizedResponse)


@pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip, ReportNoisyMax, SparseVector])
def test_a_selection_is_recommended_without_a_number_for_its_accuracy(kind):
    """How close a selection comes depends on the scores; the verdict is all that can be said."""
    found = recommend(limits.power(0.2, level=0.05), kind)
    assert found.findings == found.verdict.findings
    assert check(found.release, limits.power(0.2, level=0.05)).kept
    told = found.to_dict()["release"]
    assert (told["kind"], told["epsilon"]) == (kind.__name__, float(found.parameter))


@pytest.mark.parametrize("releases", [1, 2])
def test_a_loss_that_is_always_within_the_limit_is_found_where_the_tail_jumps(releases, monkeypatch):
    """Each of 3 cells has its largest loss with probability 1/2: all have with more than 1 %, and then 7 n / scale.

    That is log(3/2) twice for a rise of 20 percentage points. No search by halves finds it in so few tries.
    """
    tries, margin = [], LimitCriterion.margin

    def counted(self, planned):
        tries.append(planned)
        return margin(self, planned)

    monkeypatch.setattr(LimitCriterion, "margin", counted)
    cells = Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))
    found = recommend(limits.difference(0.2), Laplace, failure=0.01, releases=releases, sensitivity=cells)
    truth = 7 * releases / (2 * mpmath.log(mpmath.mpf(3) / 2))
    assert truth * (1 - mpmath.mpf("1e-14")) <= float(found.parameter) <= truth * (1 + mpmath.mpf("1e-6"))
    assert found.verdict.kept
    assert len(tries) < 25


def test_a_parameter_is_certain_and_only_the_limit_may_fail():
    found = recommend(limits.posterior(0.3, prior=0.1), Gaussian, failure=0.01)
    assert "(failure probability 1 %)" in str(found.parameter)
    assert "except" not in str(found.parameter)


def test_a_function_that_allows_nobody_anything_is_refused_with_its_place():
    nothing = profiles.custom(lambda p, q: np.where(p > 0.5, 0.0, 3.0) + 0.0 * q)
    with pytest.raises(Unreachable, match="must allow a relative risk of at least 1"):
        recommend(nothing, PureDP)


@pytest.mark.parametrize("risk", [1.0, 1.0 + 1e-9, 1.5, 2.0, 3.0, 50.0])
@pytest.mark.parametrize("releases", [1, 12])
def test_the_naive_rule_is_half_the_logarithm_divided_among_the_releases(risk, releases):
    truth = mpmath.log(mpmath.mpf(risk)) / 2 / releases
    assert float(naive_epsilon(risk, releases=releases)) == pytest.approx(float(truth), rel=1e-14, abs=0.0)


@pytest.mark.parametrize(("family", "least"), [(Gaussian, 0.0), (DiscreteGaussian, 0.0), (PureDP, math.inf)])
def test_where_nothing_is_limited_the_parameter_is_that_of_no_noise_at_all(family, least):
    found = recommend(profiles.box(3.0, inclusion=(0.5, 1.0), value=(0.7, 0.9)), family)
    assert found.unlimited
    assert float(found.parameter) == least
    assert found.digits == "any"
    assert float(found.rounded(3)) == least


def test_one_promise_by_a_rule_with_a_total_delta_has_that_delta():
    family = family_of(
        PureDP, releases=1, delta=None, neighbours=None, sensitivity=None, rule=Rule.OPTIMAL, total_delta=1e-6
    )
    together = family.all(1.0, Neighbours.ADD_REMOVE)
    assert together.stated_delta == 1e-6
    assert together.stated_epsilon <= 1.0
