"""Measurements of OpenDP as `opendp.serialize` writes them (0.14.2), cut to the fields that are read."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput, UnknownKey
from whit.exchange import OpenPoint, from_odometer, from_opendp, learn
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.setting import Neighbours, Sensitivity


def call(name, **given):
    return {"__function__": name, "__module__": "measurements", "__kwargs__": given, "__version__": "0.14.2"}


def atoms(kind):
    return call("atom_domain", bounds=None, nan=None, T=kind)


def noise(name, scale, kind="f64"):
    return call(name, input_domain=atoms(kind), scale=scale, k=None)


ONE = Sensitivity(add_remove=1.0, replace=1.0)


@pytest.mark.parametrize(
    ("tree", "mechanism"),
    [
        (noise("make_laplace", 2.0), Laplace(2.0, sensitivity=ONE)),
        (noise("make_gaussian", 2.0), Gaussian(2.0, sensitivity=ONE)),
        (noise("make_gaussian", 2.0, "i32"), DiscreteGaussian(2.0, sensitivity=ONE)),
        (call("make_zCDP_to_approxDP", measurement=noise("make_gaussian", 2.0)), Gaussian(2.0, sensitivity=ONE)),
    ],
)
def test_noise_is_read_with_its_kind(tree, mechanism):
    found = from_opendp(tree, d_in=1)
    assert found.promise == mechanism
    assert OpenPoint.GRID in found.open


def test_laplace_noise_on_whole_numbers_is_geometric():
    found = learn(noise("make_laplace", 2.0, "i32"), d_in=1).promise
    assert isinstance(found, Geometric)
    assert 0.5 <= float(found.epsilon(0.0)) <= 0.5 * (1 + 1e-15)


def vectors(kind):
    return call("vector_domain", atom_domain=atoms(kind), size=None)


def on_vectors(name, scale, kind):
    return call(name, input_domain=vectors(kind), input_metric=call("l2_distance", T=kind), scale=scale, k=None)


def delta_of_cells(log_weight, changes, epsilon):
    """The delta of independent noise on whole numbers, cell by cell, as sums over the outcomes and nothing else."""
    outcomes = np.arange(-60, 61 + max(changes))
    losses: Any = np.zeros(1)
    chances: Any = np.ones(1)
    for change in changes:
        here, there = log_weight(outcomes), log_weight(outcomes - change)
        weights = np.exp(here) / np.exp(here).sum()
        losses = (losses[:, None] + (here - there)[None, :]).ravel()
        chances = (chances[:, None] * weights[None, :]).ravel()
        losses, places = np.unique(np.round(losses, 9), return_inverse=True)
        chances = np.bincount(places, weights=chances)
    return float(np.sum(chances * np.maximum(-np.expm1(np.minimum(epsilon - losses, 0.0)), 0.0)))


EPSILONS = [0.0, 0.3, 1.0, 2.0, 4.0, 8.0]
SQUARES = [(2,), (1, 1, 1, 1), (1, 1, 1), (1, 1), (1,)]
"""All changes of whole numbers whose squares have a sum of at most 4."""
SUMS = [(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1), (3,), (2, 1), (1,)]
"""Changes whose sum is at most 4."""


@pytest.mark.parametrize("scale", [0.5, 0.7, 2.0])
def test_gaussian_noise_on_several_whole_numbers_covers_every_change_of_the_norm(scale):
    found = from_opendp(on_vectors("make_gaussian", scale, "i32"), d_in=2).promise
    assert found == ZeroConcentratedDP(4 / (2 * scale**2) if scale != 0.7 else math.nextafter(4 / 0.98, 9.0))
    for changes in SQUARES:
        truths = [delta_of_cells(lambda x: -(x**2) / (2 * scale**2), changes, each) for each in EPSILONS]
        assert all(np.asarray(found.delta(EPSILONS).value) >= np.asarray(truths) - 1e-12)
    if scale == 0.5:
        worst = delta_of_cells(lambda x: -(x**2) / 0.5, (1, 1, 1, 1), 8.0)
        assert round(worst, 4) == 0.2621
        assert float(DiscreteGaussian(0.5, sensitivity=Sensitivity(add_remove=2, replace=2)).delta(8.0)) < worst


@pytest.mark.parametrize("name", ["make_laplace", "make_geometric"])
@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_geometric_noise_on_several_whole_numbers_is_worst_where_one_of_them_changes(name, scale):
    found = from_opendp(on_vectors(name, scale, "i32"), d_in=4).promise
    for changes in SUMS:
        truths = [delta_of_cells(lambda x: -abs(x) / scale, changes, each) for each in EPSILONS]
        assert all(np.asarray(found.delta(EPSILONS).value) >= np.asarray(truths) - 1e-9)


def test_noise_with_a_density_is_worst_where_one_cell_changes():
    gaussian, laplace = (from_opendp(on_vectors(f"make_{each}", 2.0, "f64"), d_in=2).promise for each in NOISES)
    spread = Sensitivity(add_remove=(1, 1), replace=(1, 1))
    assert all(laplace.delta(EPSILONS).value >= Laplace(2.0, sensitivity=spread).delta(EPSILONS).value)
    assert gaussian == Gaussian(2.0, sensitivity=Sensitivity(add_remove=2.0, replace=2.0))


NOISES = ("gaussian", "laplace")


def test_one_whole_number_and_a_distance_of_1_stay_as_close_as_they_are():
    twice = Sensitivity(add_remove=2.0, replace=2.0)
    assert from_opendp(noise("make_gaussian", 2.0, "i32"), d_in=2).promise == DiscreteGaussian(2.0, sensitivity=twice)
    assert from_opendp(on_vectors("make_gaussian", 2.0, "i32"), d_in=1).promise == DiscreteGaussian(
        2.0, sensitivity=ONE
    )


@pytest.mark.parametrize(
    ("domain", "promise"),
    [
        (call("transformation_output_domain", this=call("make_count", input_domain=vectors("f64"), TO="i32")), True),
        (call("transformation_output_domain", this=call("make_count_by", input_domain=vectors("String"))), True),
        (call("transformation_output_domain",
              this=call("make_count_by", input_domain=vectors("String"), TOA="i32")), False),
    ],
    ids=["of both kinds", "of none", "counts of texts"],
)  # fmt: skip
def test_numbers_of_an_unknown_type_have_what_holds_for_every_type(domain, promise):
    gaussian, laplace = (
        from_opendp(call(f"make_{each}", input_domain=domain, scale=2.0), d_in=1).promise for each in NOISES
    )
    assert gaussian == (ZeroConcentratedDP(0.125) if promise else DiscreteGaussian(2.0, sensitivity=ONE))
    assert laplace == PureDP(0.5) if promise else isinstance(laplace, Geometric)


@pytest.mark.parametrize("d_in", [0, math.sqrt(2.0), 2])
@pytest.mark.parametrize("scale", [0.3, 2.0, 1e150])
def test_rho_of_a_vector_is_no_smaller_than_the_truth(d_in, scale):
    rho = from_opendp(on_vectors("make_gaussian", scale, "i32"), d_in=d_in).promise.parameters["rho"]
    truth = Fraction(d_in) ** 2 / (2 * Fraction(scale) ** 2)
    assert truth <= Fraction(rho) <= truth * (1 + Fraction(1, 10**15))


@pytest.mark.parametrize(
    ("scale", "d_in", "words"),
    [
        (0.0, 2, r"scale must be above 0"),
        (1e-300, 2, "scale must be large enough"),
        (2.0, -1.0, "must be a finite number of at least 0"),
    ],
)
def test_vectors_without_noise_or_a_distance_are_refused(scale, d_in, words):
    with pytest.raises(InvalidInput, match=words):
        from_opendp(on_vectors("make_gaussian", scale, "i32"), d_in=d_in)


def test_a_chain_is_its_measurement_and_its_types_stand_deep_inside():
    domain = call("transformation_output_domain", this=call("make_count", input_domain=atoms("i32"), TO="i32"))
    chain = call("make_chain_mt", measurement1=call("make_laplace", input_domain=domain, scale=2.0))
    assert isinstance(from_opendp(chain, d_in=1).promise, Geometric)


def test_randomized_response_has_the_odds_of_its_probability():
    found = from_opendp(call("make_randomized_response_bool", prob=0.75)).promise
    assert float(found.epsilon(0.0)) == pytest.approx(math.log(3.0), rel=1e-12)


def test_a_composition_is_that_of_its_noise():
    found = from_opendp(call("make_composition", measurements=[noise("make_gaussian", 3.0)] * 3), d_in=1).promise
    assert float(found.delta(1.0)) == pytest.approx(float(Gaussian(math.sqrt(3.0)).delta(1.0)), rel=1e-9)


ADAPTIVE = call("make_adaptive_composition", d_in=1, d_mids=[1.0, 1.0], output_measure=call("max_divergence"))
FILTER = call(
    "make_privacy_filter",
    d_in=1,
    d_out=3.0,
    odometer=call("make_fully_adaptive_composition", output_measure=call("max_divergence")),
)
HALF = noise("make_laplace", 2.0)
RHO = call("make_adaptive_composition", d_in=1, d_mids=[0.25], output_measure=call("zero_concentrated_divergence"))


@pytest.mark.parametrize(
    ("parts", "epsilon"),
    [
        ([HALF, ADAPTIVE], 2.5),
        ([ADAPTIVE, HALF], 2.5),
        ([HALF, FILTER], 3.5),
        ([ADAPTIVE, FILTER], 5.0),
        ([HALF, call("make_composition", measurements=[HALF, ADAPTIVE])], 3.0),
    ],
    ids=["noise and adaptive", "adaptive and noise", "noise and a filter", "no noise", "one inside another"],
)
def test_a_composition_counts_every_part_whatever_states_it(parts, epsilon):
    found = from_opendp(call("make_composition", measurements=parts), d_in=1).promise
    assert epsilon <= float(found.epsilon(0.0)) <= epsilon * (1 + 1e-12)


def test_parts_that_state_different_things_are_bounded_together():
    found = from_opendp(call("make_composition", measurements=[HALF, RHO]), d_in=1).promise
    alone = float(ZeroConcentratedDP(0.25).epsilon(1e-6))
    assert alone < float(found.epsilon(1e-6)) <= alone + 0.5


def test_the_change_is_the_distance_between_inputs():
    wide, narrow = (from_opendp(noise("make_gaussian", scale), d_in=d).promise for scale, d in ((4.0, 2), (2.0, 1)))
    assert float(wide.delta(1.0)) == pytest.approx(float(narrow.delta(1.0)), rel=1e-12)


@pytest.mark.parametrize(
    ("tree", "d_in", "error", "words"),
    [
        (noise("make_laplace", 2.0), None, InvalidInput, "d_in must be given"),
        (noise("make_laplace", "x"), 1, InvalidInput, "measurement.scale must be a finite number"),
        (call("make_report_noisy_max", scale=1.0), 1, UnknownKey, "measurement.__function__"),
        (call("make_composition", measurements=[]), 1, InvalidInput, "must be a list of measurements"),
        (call("make_composition", measurements=[3]), 1, InvalidInput, r"measurements\[0\] must be a serialized"),
        (call("make_randomized_response_bool", prob=1.0), 1, InvalidInput, "below 1"),
        (call("make_chain_mt"), 1, InvalidInput, "measurement.measurement1 must be there"),
        (ADAPTIVE, 3, InvalidInput, "d_in must be at most 1, for which measurement says what is lost; got 3"),
        (FILTER, 1.5, InvalidInput, "d_in must be at most 1, for which measurement says what is lost"),
        (
            call("make_composition", measurements=[HALF, ADAPTIVE]),
            3,
            InvalidInput,
            r"for which .*measurements\[1\] says",
        ),
    ],
)
def test_what_is_not_known_is_refused_with_its_place(tree, d_in, error, words):
    with pytest.raises(error, match=words):
        from_opendp(tree, d_in=d_in)


def measured(measure, metric="SymmetricDistance()"):
    """What the live objects say of what their losses measure."""
    return SimpleNamespace(output_measure=measure, input_metric=metric)


class Profile:
    """A privacy profile, as the library calls what has a delta for every epsilon."""

    def delta(self, epsilon):
        return max(1 - math.exp(epsilon - 1), 0.0)


class Measurement:
    """A live measurement whose map gives a profile."""

    output_measure, input_metric = "SmoothedMaxDivergence", "ChangeOneDistance()"

    def map(self, d_in):
        assert d_in == 1
        return Profile()


def test_a_profile_is_a_curve_between_the_neighbours_of_its_metric():
    found = learn(Measurement(), d_in=1)
    assert found.relations == (Neighbours.REPLACE,)
    assert 1 - math.exp(-0.5) <= float(found.promise.delta(0.5)) <= (1 - math.exp(-0.5)) * (1 + 1e-4)


def test_an_odometer_has_spent_its_loss():
    odometer = measured("ZeroConcentratedDivergence")
    queryable = SimpleNamespace(privacy_loss=lambda d_in: 0.125 * d_in)
    found = from_odometer(odometer, queryable, d_in=2)
    assert found.promise == ZeroConcentratedDP(0.25)
    assert OpenPoint.SPENT in found.open
    live = type("OdometerQueryable", (), {"invoke": None})()
    with pytest.raises(InvalidInput, match=r"must be one that has a map.*from_odometer\(odometer, queryable"):
        learn(live, d_in=1)


@pytest.mark.parametrize(
    ("spent", "epsilon"), [([0.5, 0.25], 0.75), ([], 0.0), (0.5, 0.5)], ids=["by query", "nothing yet", "one number"]
)
def test_a_context_has_spent_what_its_queries_were_given(spent, epsilon):
    context = SimpleNamespace(accountant=measured("MaxDivergence"), current_privacy_loss=lambda: spent, d_in=1)
    found = learn(context)
    assert epsilon <= float(found.promise.epsilon(0.0)) <= epsilon * (1 + 1e-15)
    assert OpenPoint.SPENT in found.open


@pytest.mark.parametrize(
    ("tree", "promise"),
    [
        (call("make_privacy_filter", d_in=1, d_out=2.0,
              odometer=call("make_fully_adaptive_composition", output_measure=call("max_divergence"))),
         PureDP(2.0)),
        (call("make_privacy_filter", d_in=1, d_out=[1.0, 1e-6],
              odometer=call("make_fully_adaptive_composition",
                            output_measure=call("approximate", measure=call("max_divergence")))),
         ApproxDP(1.0, 1e-6)),
        (call("make_adaptive_composition", d_in=1, d_mids=[0.25],
              output_measure=call("zero_concentrated_divergence")),
         ZeroConcentratedDP(0.25)),
    ],
)  # fmt: skip
def test_a_serialized_filter_promises_what_it_lets_through(tree, promise):
    assert from_opendp(tree).promise == promise


@pytest.mark.parametrize("given", [None, 3, [], "scale"])
def test_arguments_without_names_are_refused(given):
    with pytest.raises(InvalidInput, match="measurement must have fields by name"):
        learn({"__function__": "make_laplace", "__kwargs__": given}, d_in=1)


def test_whole_noise_of_scale_0_is_refused_in_a_sentence():
    with pytest.raises(InvalidInput, match=r"measurement\.scale must be above 0; got 0\.0"):
        learn(noise("make_laplace", 0.0, "i32"), d_in=1)


@pytest.mark.parametrize("right", [0.5, 0.6, 0.75, 0.9, 1 - 2**-53])
def test_the_epsilon_of_randomized_response_is_not_below_the_truth(right):
    found = from_opendp(call("make_randomized_response_bool", prob=right)).promise
    with mpmath.workdps(50):
        truth = mpmath.log(mpmath.mpf(right) / (1 - mpmath.mpf(right)))
        assert truth <= found.stated_epsilon <= truth * (1 + mpmath.mpf("1e-15"))
