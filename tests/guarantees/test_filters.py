"""Filters add up without rounding, refuse what passes the budget, and give nothing back."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput, NotImplied, Unreachable
from whit.guarantees import (
    FDP,
    AdvancedFilter,
    ApproxDP,
    BoundedRange,
    Filter,
    GaussianDP,
    IndividualFilter,
    Known,
    ProbabilisticallyBoundedCurve,
    PureDP,
    RenyiDP,
    SemanticPrivacy,
    ZeroConcentratedDP,
)
from whit.mechanisms import Gaussian, Laplace
from whit.setting import Neighbours
from whit.theory import theorem

THIRD = Fraction(1, 3)
BUDGETS = [PureDP(1.0), ApproxDP(1.0, 1e-6), ZeroConcentratedDP(0.5), GaussianDP(1.0), RenyiDP({2: 1.0, 8: 4.0})]


def test_three_thirds_are_one_and_a_third_more_is_refused():
    spent = Filter(PureDP(1.0)).after(THIRD).after(THIRD).after(THIRD)
    assert spent.spent == (1,)
    assert spent.left == (0,)
    assert not spent.fits(Fraction(1, 10**30))
    assert spent.fits(0)


def test_three_thousand_thirds_are_a_thousand():
    """Whoever adds doubles is off by then; a fraction is not."""
    found = Filter(ZeroConcentratedDP(1000.0))
    for _ in range(3000):
        found = found.after(THIRD)
    assert found.left == (0,)
    assert sum([1 / 3] * 3000) != 1000


def test_ten_doubles_near_a_tenth_are_more_than_one_and_ten_tenths_are_not():
    """The double 0.1 is a little more than a tenth, and a promise of it is charged as it stands."""
    by_promise, by_number = Filter(PureDP(1.0)), Filter(PureDP(1.0))
    for _ in range(9):
        by_promise, by_number = by_promise.after(PureDP(0.1)), by_number.after(Fraction(1, 10))
    assert not by_promise.fits(PureDP(0.1))
    assert by_number.fits(Fraction(1, 10))


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_budget_itself_fits_once(budget):
    start = Filter(budget)
    assert start.fits(budget)
    spent = start.after(budget)
    assert spent.left == (0,) * len(spent.limits)
    assert not spent.fits(budget)
    assert spent.budget == budget
    with pytest.raises(Incompatible, match=r"a release must not cost more than what is left, 0.*Ask fits before"):
        spent.after(budget)


@pytest.mark.parametrize("budget", BUDGETS)
def test_what_is_spent_only_grows(budget):
    found = Filter(budget)
    rng = np.random.default_rng(2)
    for _ in range(20):
        charge = tuple(Fraction(int(x), 10**9) for x in rng.integers(0, 50, len(found.limits)))
        before, found = found, found.after(charge) if found.fits(charge) else found
        assert all(a >= b for a, b in zip(found.spent, before.spent, strict=True))
    negative = (Fraction(-1, 2),) * len(found.limits)
    with pytest.raises(InvalidInput, match=r"a charge must be a promise, or \d exact number\(s\) of at least 0"):
        found.after(negative)


def test_a_charge_leaves_the_filter_before_as_it_was():
    start = Filter(PureDP(1.0))
    start.after(THIRD)
    assert start.spent == (0,)


def test_other_promises_are_charged_by_what_follows_from_them():
    """Against closed forms by mpmath: never less, and by no more than rounding."""
    with mpmath.workdps(40):
        tanh = mpmath.mpf(1) * mpmath.tanh(mpmath.mpf(1) / 2)
        mu = 2 * mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.e / (1 + mpmath.e) - 1)
        laplace = mpmath.mpf(1) + mpmath.exp(-1) - 1
    cases = [
        (ZeroConcentratedDP(5.0), PureDP(1.0), tanh),
        (ZeroConcentratedDP(5.0), Laplace(1.0), laplace),
        (ZeroConcentratedDP(5.0), GaussianDP(0.5), mpmath.mpf(1) / 8),
        (GaussianDP(5.0), PureDP(1.0), mu**2),
        (GaussianDP(5.0), Gaussian(2.0), mpmath.mpf(1) / 4),
        (RenyiDP({4: 5.0}), ZeroConcentratedDP(0.5), mpmath.mpf(2)),
    ]
    for budget, release, truth in cases:
        (cost,) = Filter(budget).cost(release)
        # The promise of a mechanism is found from its curve, which adds a few roundings.
        assert truth <= mpmath.mpf(cost.numerator) / cost.denominator <= truth * (1 + mpmath.mpf("1e-13")), release


def test_a_pure_release_has_no_delta_to_pay():
    assert Filter(ApproxDP(1.0, 1e-6)).cost(PureDP(0.5)) == (Fraction(1, 2), 0)
    assert Filter(ApproxDP(1.0, 1e-6)).cost(ApproxDP(0.5, 1e-7)) == (Fraction(1, 2), Fraction(1e-7))


def test_several_orders_must_all_have_room():
    found = Filter(RenyiDP({2: 1.0, 8: 1.0}))
    assert found.cost(RenyiDP({2: 0.5, 8: 2.0})) == (Fraction(1, 2), 2)
    assert not found.fits(RenyiDP({2: 0.5, 8: 2.0}))
    assert found.fits(RenyiDP({2: 0.5, 8: 0.5}))


def test_a_promise_under_another_relation_is_restated_before_it_is_charged():
    found = Filter(ZeroConcentratedDP(1.0, neighbours=Neighbours.REPLACE))
    assert found.cost(ZeroConcentratedDP(0.1)) == (4 * Fraction(0.1),)
    with pytest.raises(NotImplied, match="does not follow from one under"):
        Filter(PureDP(1.0)).cost(PureDP(0.1, neighbours=Neighbours.REPLACE))


@pytest.mark.parametrize(
    "budget",
    [
        FDP(lambda level: max(0.0, 1.0 - 2.0 * level)),
        ProbabilisticallyBoundedCurve(Gaussian(1.0).loss()),
        BoundedRange(1.0),
        SemanticPrivacy(0.1),
    ],
)
def test_no_filter_composes_whole_curves(budget):
    with pytest.raises(NotImplied, match="the budget of a filter must be of a kind whose parameters add up"):
        Filter(budget)


@pytest.mark.parametrize("kind", [FDP, ProbabilisticallyBoundedCurve])
def test_trade_off_functions_do_not_compose_where_they_are_chosen_on_the_way(kind):
    assert kind.properties.fully_adaptive_composition.known is Known.NO
    assert kind.properties.fully_adaptive_composition.cited == "TKRH26"


def test_a_kind_has_a_filter_if_its_promises_may_be_chosen_on_the_way():
    for budget in BUDGETS:
        assert type(budget).properties.fully_adaptive_composition.known is Known.YES
        (key,) = Filter(budget).basis.theorems
        assert theorem(key).hypotheses.adaptivity == ("mechanisms", "parameters", "order", "stopping")


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: Filter(PureDP(1.0)).fits(0.5), InvalidInput, r"a charge must be a promise, .*Fraction\(x\)"),
        (lambda: Filter(PureDP(1.0)).fits(True), InvalidInput, "a charge must be a promise"),
        (lambda: Filter(PureDP(1.0)).fits("0.5"), InvalidInput, "a charge must be a promise"),
        (lambda: Filter(ApproxDP(1.0, 0.1)).fits(THIRD), InvalidInput, "or 2 exact number"),
        (lambda: Filter(PureDP(1.0), Fraction(3, 2)), InvalidInput, "spent must not pass the budget"),
        (lambda: Filter(1.0), NotImplied, "the budget of a filter must be of a kind"),
        (lambda: Filter(PureDP(1.0)).fits(Gaussian(1.0)), NotImplied, "PureDP follows from it; .*State it by epsilon"),
        (lambda: Filter(ApproxDP(1.0, 0.1)).fits(GaussianDP(1.0)), NotImplied, "to=ApproxDP, delta=1e-6"),
        (lambda: Filter(RenyiDP({8: 1.0})).fits(RenyiDP({2: 0.1})), Unreachable, "orders must not exceed the largest"),
        (lambda: AdvancedFilter(PureDP(1.0)), InvalidInput, "the budget of an advanced filter"),
        (lambda: AdvancedFilter(ApproxDP(1.0, 1e-6), deltas=1e-6), InvalidInput, "deltas must be less than the delta"),
        (lambda: AdvancedFilter(ApproxDP(1.0, 0.0)), InvalidInput, "deltas must be less than the delta"),
        (lambda: IndividualFilter(PureDP(1.0)), InvalidInput, "each"),
        (
            lambda: IndividualFilter(Filter(PureDP(1.0, neighbours=Neighbours.REPLACE))),
            NotImplied,
            "accounts of each person are known where a record is added or removed",
        ),
    ],
)
def test_what_is_no_charge_or_budget_is_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


@pytest.mark.parametrize(("budget", "charge"), [(1e200, 1e200), (1e-200, 1e-200), (1e200, 1e-200), (5e-324, 5e-324)])
def test_no_amount_is_too_large_or_too_small_to_be_added(budget, charge):
    found = Filter(GaussianDP(budget))
    assert found.fits(GaussianDP(charge))
    assert found.after(GaussianDP(charge)).spent == (Fraction(charge) ** 2,)
    assert not found.after(GaussianDP(charge)).fits(GaussianDP(budget))


def test_a_filter_survives_pickling_and_is_found_by_its_value():
    spent = Filter(ZeroConcentratedDP(0.5)).after(THIRD)
    assert pickle.loads(pickle.dumps(spent)) == spent
    assert len({spent, Filter(ZeroConcentratedDP(0.5)).after(THIRD), Filter(ZeroConcentratedDP(0.5))}) == 2


@pytest.mark.parametrize(
    ("epsilon", "delta", "aside"), [(1.0, 1e-6, 0.0), (0.1, 1e-9, 5e-10), (8.0, 1e-5, 1e-6), (0.0, 1e-3, 0.0)]
)
def test_the_advanced_filter_keeps_its_delta_and_allows_more_than_the_closed_form(epsilon, delta, aside):
    """sqrt(2 s log(1/f)) + s/2 <= epsilon is the closed form, s twice rho; Gaussian noise of that rho keeps delta."""
    found = AdvancedFilter(ApproxDP(epsilon, delta), deltas=aside)
    log = math.log(1 / (delta - aside))
    assert found.rho > (math.sqrt(log + epsilon) - math.sqrt(log)) ** 2
    assert float(ZeroConcentratedDP(found.rho).delta(epsilon)) <= delta - aside
    assert float(ZeroConcentratedDP(found.rho * 1.001).delta(epsilon)) > delta - aside
    with mpmath.workdps(30):
        mu = mpmath.sqrt(2 * mpmath.mpf(found.rho))
        gaussian = mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
    assert (delta - aside) / 100 < gaussian < delta - aside
    assert found.limits == (Fraction(found.rho), Fraction(aside))


def test_the_advanced_filter_charges_a_delta_beside_rho():
    found = AdvancedFilter(ApproxDP(1.0, 1e-6), deltas=4e-7)
    rho, delta = found.cost(ApproxDP(0.01, 1e-7))
    assert rho == Filter(ZeroConcentratedDP(1.0)).cost(PureDP(0.01))[0]
    assert delta == Fraction(1e-7)
    assert found.cost(ZeroConcentratedDP(0.01)) == (Fraction(0.01), 0)
    for _ in range(4):
        found = found.after(ApproxDP(0.01, 1e-7))
    assert not found.fits(ApproxDP(0.01, 1e-7))
    assert found.fits(PureDP(0.01))
    assert found.basis.theorems == ("advanced-filter",)


def test_accounts_of_people_drop_who_cannot_pay_and_show_nothing():
    people = IndividualFilter(Filter(ZeroConcentratedDP(0.5)))
    month = {"Ada": ZeroConcentratedDP(0.25), "Ben": ZeroConcentratedDP(0.125), "Cy": ZeroConcentratedDP(0.0)}
    for active in ({"Ada", "Ben", "Cy"}, {"Ada", "Ben", "Cy"}, {"Ben", "Cy"}, {"Ben", "Cy"}, {"Cy"}):
        assert people.active(month) == active
        people = people.after(month)
    assert "Ada" not in repr(people)
    assert repr(people) == repr(IndividualFilter(Filter(ZeroConcentratedDP(0.5))))
    assert people.basis.theorems == ("individual-filter", "zcdp-filter")
