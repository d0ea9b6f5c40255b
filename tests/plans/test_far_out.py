"""Plans with numbers far out of what anybody publishes: a sentence or a bound, never an overflow."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput, WhitError
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.plans import Cells, Epsilon, Exposure, Kind, Mu, Plan, Presence, Query, Rho, Sigma, expose
from whit.setting import PERSON, Neighbours
from whit.theory import Direction

POWERS = st.integers(-120, 120)


def of_one(amount, law, change) -> Exposure:
    kind = Kind((), "all", amount, law, Cells(1, 1, change))
    plan = Plan.of([Query("q", kind)], name="a", levels=["all"], unit=PERSON, neighbours=Neighbours.ADD_REMOVE)
    return expose(plan, Presence())


@given(
    st.sampled_from([(Rho, Gaussian), (Mu, Gaussian), (Sigma, Gaussian), (Sigma, DiscreteGaussian)])
    | st.sampled_from([(Epsilon, Laplace), (Epsilon, Geometric)]),
    POWERS,
    POWERS,
)
def test_a_rho_is_never_below_the_sum_of_fractions_whatever_the_powers_of_ten(kinds, power, change):
    amount, law = kinds
    try:
        exposure = of_one(amount(Fraction(10) ** power), law, Fraction(10) ** (abs(change) if law.whole else change))
        found, rows = exposure.rho, exposure.plan.to_rows()
    except WhitError:
        return
    assert Fraction(float(found.upper)) >= exposure.exact_rho
    assert len(rows) == 1


@pytest.mark.parametrize("law", [Gaussian, DiscreteGaussian])
def test_a_rho_that_no_double_holds_is_refused(law):
    with pytest.raises(InvalidInput, match=r"rho of the queries must be at most 1e300; got 5\.00E\+475"):
        _ = of_one(Sigma("1e-119"), law, Fraction(10**119)).rho


def test_a_rho_below_the_doubles_is_not_said_to_be_0():
    rho = of_one(Sigma("1e119"), Gaussian, Fraction(1, 10**119)).rho
    assert rho.direction is Direction.AT_MOST
    assert float(rho.value) > 0.0


def test_noise_whose_variance_no_double_holds_is_refused_by_its_row():
    with pytest.raises(InvalidInput, match="column rho must make noise whose variance or scale lies between 1e-300"):
        of_one(Rho("1e-119"), Gaussian, Fraction(10**119))


def test_a_change_that_no_double_holds_counts_as_no_less():
    [(mechanism, _)] = of_one(Epsilon(1), Laplace, Fraction(3, 10)).release.parts
    assert Fraction(mechanism.sensitivity.l1(Neighbours.ADD_REMOVE)) >= Fraction(3, 10)
