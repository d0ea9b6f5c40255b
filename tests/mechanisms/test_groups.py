"""What a mechanism promises to a group of records, by steps; and who is refused because nothing follows."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp
from statistics import NormalDist

import pytest

from whit.assessment import promise_name
from whit.curves import Promise
from whit.errors import NotImplied
from whit.mechanisms import (
    Finite,
    FullChange,
    Gaussian,
    Geometric,
    Laplace,
    Mechanism,
    Mixture,
    PoissonSubsampled,
    PostProcessed,
    RandomizedResponse,
    TruncatedPoissonSample,
    compose,
)
from whit.setting import Neighbours, Sensitivity

PAIR = Finite([0.75, 0.25], [0.25, 0.75])


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.3])
def test_a_group_changes_plain_noise_as_one_record_with_so_much_more_does(size: int, epsilon: float) -> None:
    wide = Sensitivity(add_remove=size, replace=size)
    for one, whole in (
        (Gaussian(1.5), Gaussian(1.5, sensitivity=wide)),
        (Laplace(2.0), Laplace(2.0, sensitivity=wide)),
    ):
        assert float(one.group(size).delta(epsilon)) == pytest.approx(float(whole.delta(epsilon)), rel=1e-9)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("kind", [Gaussian, Laplace])
def test_a_group_that_is_replaced_changes_noise_by_what_replacing_changes(kind: type, size: int) -> None:
    """A group knows the relation that is asked about: under replace, every one of its records is replaced."""
    change = Sensitivity(add_remove=1, replace=2)
    whole = kind(5.0, sensitivity=Sensitivity(add_remove=size, replace=2 * size))
    for group in (kind(5.0, sensitivity=change).group(size), kind(5.0, sensitivity=change).group(size).times(1)):
        for relation in (Neighbours.ADD_REMOVE, Neighbours.REPLACE):
            found = [float(each.delta(0.4, neighbours=relation)) for each in (group, whole)]
            assert found[0] == pytest.approx(found[1], rel=1e-9)
    repeated = kind(5.0, sensitivity=change).group(size).times(3)
    assert repeated == kind(5.0, sensitivity=change).times(3).group(size)
    most, truth = (float(each.sure_loss(Neighbours.REPLACE).value) for each in (repeated, whole.times(3)))
    assert truth <= most <= truth * (1 + 1e-9)


@pytest.mark.parametrize("relation", [Neighbours.ADD_REMOVE, Neighbours.REPLACE])
def test_two_records_of_a_table_move_two_of_its_counts_or_four(relation: Neighbours) -> None:
    """The normal law, by its distribution function: the power is that of a shift by the root of the squares' sum."""
    normal = NormalDist()
    table = Gaussian(3.0, sensitivity=Sensitivity.histogram())
    shift = 2 * (1.0 if relation is Neighbours.ADD_REMOVE else 2**0.5) / 3.0
    power = normal.cdf(shift + normal.inv_cdf(0.05))
    found = float(table.group(2).power(0.05, neighbours=relation))
    assert power <= found <= power * 1.001


def test_a_group_is_named_and_built_anew() -> None:
    group = Laplace(2.0).group(1200)
    assert repr(group) == "Laplace(scale=2.0).group(1200)"
    assert promise_name(group) == "Laplace noise, scale = 2, for a group of 1,200 records"
    assert group == Laplace(2.0).group(2).group(600)
    assert group.to_dict() == {"kind": "Group", "mechanism": Laplace(2.0).to_dict(), "size": 1200}


@pytest.mark.parametrize(("rate", "size"), [(0.1, 2), (0.3, 2), (0.2, 3)])
def test_no_group_on_a_sample_passes_the_bound(rate: float, size: int) -> None:
    """Each of the group is drawn by itself: exact laws of geometric noise on how many of them are, both ways."""
    epsilon, odds = 0.7, Fraction(exp(-0.7)).limit_denominator(10**12)
    q, reach = Fraction(rate).limit_denominator(100), 60
    bound = PoissonSubsampled(Geometric(0.7), rate).group(size)
    noise = {k: (1 - odds) / (1 + odds) * odds ** abs(k) for k in range(-reach, reach + 1)}
    weights = [comb(size, drawn) * q**drawn * (1 - q) ** (size - drawn) for drawn in range(size + 1)]
    with_them = {
        k: sum(weight * noise.get(k - drawn, Fraction(0)) for drawn, weight in enumerate(weights)) for k in noise
    }
    for (p, other), t in product(((with_them, noise), (noise, with_them)), (0.0, 0.1, 0.5, epsilon)):
        delta = sum((max(p[k] - Fraction(exp(t)) * other[k], Fraction(0)) for k in noise), Fraction(0))
        assert float(bound.delta(t)) >= float(delta) - 1e-12


@pytest.mark.parametrize(
    "mechanism",
    [PAIR, PAIR.times(2), compose(PAIR, Gaussian(1.0)), Mixture([PAIR, PAIR], [0.5, 0.5]), PostProcessed(PAIR, "cut")],
    ids=lambda each: type(each).__name__,
)
def test_from_two_datasets_nothing_follows_for_more(mechanism: Mechanism) -> None:
    for ask in (mechanism.group, mechanism.block):
        with pytest.raises(NotImplied, match="does not follow from two datasets"):
            _answered(ask(2))
    with pytest.raises(NotImplied, match="does not follow from two datasets"):
        FullChange(mechanism).group(2)


def test_where_the_loss_depends_on_how_many_there_are_a_group_is_refused() -> None:
    cut = TruncatedPoissonSample(Gaussian(1.0), 0.1, 10, 50)
    for ask in (cut.group, cut.block, cut.times(3).group):
        with pytest.raises(NotImplied, match="depends on how many people there are"):
            _answered(ask(2))


def test_a_group_of_one_is_the_mechanism_itself() -> None:
    assert RandomizedResponse(1.0).group(1) == RandomizedResponse(1.0)


def _answered(promise: Promise) -> float:
    return float(promise.delta(0.5))
