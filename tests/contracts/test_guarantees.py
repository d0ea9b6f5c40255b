"""What every guarantee keeps to. A new one inherits all of it by an entry in FAMILIES."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from whit import guarantees
from whit.curves import GaussianLoss, TradeOff
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import (
    FDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    Known,
    ProbabilisticallyBoundedCurve,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    SemanticPrivacy,
    ZeroConcentratedDP,
    compose,
)
from whit.setting import Knowledge, Neighbours
from whit.theory import Direction, Finding, echo, reference

EPSILONS = np.array([0.0, 1e-12, 0.3, 1.0, 3.0, 30.0, 710.0, 1e4])
LEVELS = np.array([0.0, 1e-300, 1e-15, 1e-3, 0.05, 0.3, 0.9, 1.0])
DELTAS = np.array([1e-300, 1e-12, 1e-6, 0.01, 0.5, 1.0])


@dataclass(frozen=True)
class Family:
    """Promises of one kind, from the smallest risk to the largest.

    `composes` says that its parameters add up, `tight` that profile and trade-off function say the same.
    """

    name: str
    build: Callable[..., Guarantee]
    parameters: tuple[object, ...]
    composes: bool = True
    groups: bool = True
    tight: bool = True
    rebuilds: bool = True

    def members(self) -> list[Guarantee]:
        return [self.build(parameter) for parameter in self.parameters]


def _steps(power: float) -> TradeOff:
    return TradeOff.through([0.1, 0.4], [power, (1 + power) / 2])


FAMILIES = [
    Family("pure", PureDP, (0.0, 1e-12, 0.1, 1.0, 5.0, 710.0, 1e4)),
    Family("approximate in epsilon", lambda e: ApproxDP(e, 1e-6), (0.0, 1e-12, 1.0, 710.0, 1e4)),
    Family("approximate in delta", lambda d: ApproxDP(1.0, d), (0.0, 1e-300, 1e-6, 0.3, 1.0)),
    Family("probabilistic", lambda d: ProbabilisticDP(1.0, d), (0.0, 1e-300, 1e-6, 0.3, 1.0)),
    Family("probabilistic, one side", lambda e: ProbabilisticDP(e, 1e-3, sides=1), (0.0, 1e-12, 1.0, 710.0, 1e4)),
    Family("zero-concentrated", ZeroConcentratedDP, (0.0, 1e-12, 1e-3, 1.0, 30.0, 1e4), tight=False),
    Family("Rényi", lambda g: RenyiDP({2.0: g, 64.0: 8 * g}), (0.0, 1e-12, 0.5, 20.0, 1e4), tight=False),
    Family("Rényi of infinite order", lambda g: RenyiDP({np.inf: g}), (0.0, 0.5, 20.0, 1e4)),
    Family("Gaussian", GaussianDP, (0.0, 1e-12, 0.5, 3.0, 100.0)),
    Family("bounded range", BoundedRange, (0.0, 1e-12, 0.1, 1.0, 5.0, 710.0, 1e4)),
    Family("bounded range, several", lambda e: BoundedRange(e, 7), (0.0, 1e-12, 1.0, 1e4), tight=False),
    Family("trade-off function", lambda p: FDP(_steps(p)), (0.1, 0.3, 0.8, 1.0), rebuilds=False),
    Family(
        "pbdp, in delta",
        lambda d: ProbabilisticallyBoundedDP(1.0, d),
        (1e-300, 1e-6, 0.1, 0.7, 0.9, 1.0),
        False,
        False,
        False,
    ),
    Family(
        "pbdp, in epsilon",
        lambda e: ProbabilisticallyBoundedDP(e, 0.01),
        (0.0, 1e-12, 1.0, 710.0, 1e4),
        False,
        False,
        False,
    ),
    Family("pbdp, a curve", lambda m: ProbabilisticallyBoundedCurve(GaussianLoss(m)), (1e-6, 1.0, 3.0), rebuilds=False),
    Family("semantic", SemanticPrivacy, (0.0, 1e-12, 0.1, 0.9, 1.0), False, False),
    Family("semantic, mostly", lambda s: SemanticPrivacy(s, 1e-6), (0.0, 1e-12, 0.1, 0.4, 1.0), False, False),
]

each_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
each_member = pytest.mark.parametrize(
    ("family", "promise"),
    [(family, member) for family in FAMILIES for member in family.members()],
    ids=lambda item: "" if isinstance(item, Family) else repr(item),
)


def test_every_guarantee_is_in_the_list():
    kinds = {getattr(guarantees, name) for name in guarantees.__all__}
    concrete = {
        kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Guarantee) and kind is not Guarantee
    }
    assert concrete == {type(member) for family in FAMILIES for member in family.members()}


@each_member
def test_a_promise_is_a_value(family, promise):
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign"):
        promise.neighbours = Neighbours.LOCAL
    assert promise.restated() == promise
    assert promise.restated(neighbours=Neighbours.LOCAL) != promise


@each_member
def test_the_repr_rebuilds_the_promise(family, promise):
    if not family.rebuilds:
        assert type(promise).__name__ in repr(promise)
        return
    names = {name: getattr(guarantees, name) for name in guarantees.__all__}
    names |= {"Neighbours": Neighbours, "Knowledge": Knowledge, "inf": np.inf}
    assert eval(repr(promise), names) == promise
    under = promise.restated(neighbours=Neighbours.LOCAL)
    assert eval(repr(under), names) == under


@each_member
def test_answers_are_upper_bounds_that_name_the_promise(family, promise):
    answers = [promise.delta(1.0), promise.power(0.05), promise.tail(1.0), promise.lower_tail(1.0)]
    assert all(isinstance(answer, Finding) and answer.direction is Direction.AT_MOST for answer in answers)
    assert all(answer.inputs["promise"] == echo(promise) for answer in answers)


@each_member
def test_extremes_are_finite_and_ordered(family, promise):
    delta, power, tail = (ask.value for ask in (promise.delta(EPSILONS), promise.power(LEVELS), promise.tail(EPSILONS)))
    lower = promise.lower_tail(EPSILONS).value
    assert all(np.all((0 <= values) & (values <= 1)) for values in (delta, power, tail, lower))
    assert np.all(np.diff(delta) <= 1e-13)
    assert np.all(np.diff(tail) <= 1e-13)
    assert np.all(np.diff(power) >= -1e-13)
    assert np.all(power >= LEVELS * (1 - 1e-13))
    assert power[-1] == 1.0
    assert np.all(lower <= np.exp(-EPSILONS) * (1 + 1e-13) + 1e-320)
    epsilon = promise.epsilon(DELTAS).value
    assert np.all(epsilon >= 0)
    assert np.all(np.diff(epsilon[np.isfinite(epsilon)]) <= 0)
    assert epsilon[-1] == 0.0


@each_member
def test_the_log_of_the_power_goes_on_where_the_power_ends(family, promise):
    logs = np.array([-1e5, -700.0, -50.0, -1e-9])
    log_power = promise.log_power(logs).value
    assert np.all((log_power >= logs * (1 + 1e-13)) & (log_power <= 0))
    assert np.exp(log_power[2:]) == pytest.approx(promise.power(np.exp(logs[2:])).value, rel=1e-9)


@each_member
def test_profile_and_power_agree(family, promise):
    """No test of level l may have more power than D(t) + e^t l."""
    knots = np.array([-3.0, -1.0, 0.0, 0.2, 1.0, 2.0, 5.0])
    levels = LEVELS[2:]
    face = promise.curve().face
    lines = np.logaddexp(face.log_delta(knots).upper[:, None], knots[:, None] + np.log(levels))
    assert np.all(face.log_power(np.log(levels)).upper <= lines + 1e-12)


@each_family
def test_the_support_lines_of_the_profile_are_the_power_where_nothing_is_lost(family):
    if not family.tight:
        assert not family.tight
        return
    knots = np.linspace(-8.0, 8.0, 3201)
    for promise in [member for member in family.members() if 1e-3 < float(member.delta(0.0)) < 0.99]:
        face = promise.curve().face
        for level in (0.05, 0.3):
            line = np.exp(np.min(np.logaddexp(face.log_delta(knots).mid, knots + np.log(level))))
            assert line == pytest.approx(np.exp(face.log_power(np.log(level)).mid), rel=5e-3)


@each_family
def test_a_larger_parameter_is_never_less_risk(family):
    members = family.members()
    for smaller, larger in pairwise(members):
        assert np.all(smaller.delta(EPSILONS).value <= larger.delta(EPSILONS).value * (1 + 1e-12) + 1e-300)
        assert np.all(smaller.power(LEVELS).value <= larger.power(LEVELS).value * (1 + 1e-12))
        assert np.all(smaller.tail(EPSILONS).value <= larger.tail(EPSILONS).value * (1 + 1e-12) + 1e-300)


@each_member
def test_more_releases_are_never_less_risk(family, promise):
    if not family.composes:
        with pytest.raises(NotImplied, match="follows from no rule of its own"):
            promise.added_up(2)
    once, twice, thrice = promise, promise.times(2), promise.times(3)
    assert promise.times(1).delta(EPSILONS).value == pytest.approx(once.delta(EPSILONS).value, rel=1e-9, abs=1e-12)
    for fewer, more in ((once, twice), (twice, thrice)):
        assert np.all(fewer.delta(EPSILONS).value <= more.delta(EPSILONS).value * (1 + 1e-9) + 1e-12)
        assert np.all(fewer.power(LEVELS).value <= more.power(LEVELS).value * (1 + 1e-9) + 1e-12)


@each_member
def test_a_group_has_no_less_risk_than_one_record(family, promise):
    if not family.groups:
        with pytest.raises(NotImplied, match="follows from no rule"):
            promise.group(2)
        return
    assert promise.group(1) == promise
    for fewer, more in ((promise, promise.group(2)), (promise.group(2), promise.group(3))):
        assert np.all(fewer.delta(EPSILONS).value <= more.delta(EPSILONS).value * (1 + 1e-9) + 1e-300)


@each_member
def test_replacing_is_removing_and_adding(family, promise):
    if family.groups:
        assert promise.under(Neighbours.REPLACE) == promise.group(2).restated(neighbours=Neighbours.REPLACE)
    swapped = promise.restated(neighbours=Neighbours.REPLACE)
    assert swapped.under(Neighbours.LOCAL).under(Neighbours.REPLACE) == swapped
    with pytest.raises(NotImplied, match=r"under add-remove does not follow from one under (replace|local)"):
        swapped.under(Neighbours.ADD_REMOVE)


@each_family
def test_promises_under_different_neighbours_are_not_composed(family):
    promise = family.members()[1].restated(neighbours=Neighbours.ADD_REMOVE)
    with pytest.raises(Incompatible, match=r"not Neighbours.ADD_REMOVE and Neighbours.REPLACE; got .*\.under\("):
        compose(promise, promise.restated(neighbours=Neighbours.REPLACE))


@each_family
def test_what_is_known_of_a_definition_is_said_with_a_reason(family):
    for each in dataclasses.fields(family.members()[0].properties):
        answer = getattr(family.members()[0].properties, each.name)
        assert answer.known in Known
        assert answer.reason.endswith(".")
        assert reference(answer.cited).key == answer.cited
        assert answer.locator in str(answer)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: PureDP(-1.0), "epsilon must be a finite number of at least 0; got -1.0. Use a number such as 1"),
        (lambda: PureDP(np.inf), "epsilon must be a finite number"),
        (lambda: PureDP(np.nan), "epsilon must be a finite number"),
        (lambda: PureDP("1"), "epsilon must be a finite number of at least 0; got '1'. Use"),
        (lambda: PureDP(1.0, neighbours="swap"), "neighbours must be one of Neighbours; got swap. Use"),
        (lambda: ApproxDP(1.0, 1.5), r"delta must be a probability in \[0, 1\]; got 1.5. Use a small number"),
        (lambda: ApproxDP(-0.5, 1e-6), "epsilon must be a finite number of at least 0; got -0.5. Use"),
        (lambda: ProbabilisticDP(1.0, 0.1, sides=3), "sides must be 1 or 2; got 3. Use 2 to"),
        (lambda: ProbabilisticDP(1.0, 0.1, sides=True), "sides must be 1 or 2; got True. Use 2 to"),
        (lambda: ZeroConcentratedDP(-0.1), "rho must be a finite number of at least 0; got -0.1. Use"),
        (lambda: RenyiDP({}), "orders must be a mapping with at least one order; got {}. Use a mapping"),
        (lambda: RenyiDP([2.0]), r"orders must be a mapping with at least one order; got \[2.0\]. Use a mapping"),
        (lambda: RenyiDP({1.0: 0.5}), "an order must be above 1; got 1.0. Use a mapping"),
        (lambda: RenyiDP({2.0: -0.5}), "the bound at an order must be a finite number of at least 0; got -0.5. Use"),
        (lambda: GaussianDP(-1.0), "mu must be a finite number of at least 0; got -1.0. It is"),
        (lambda: BoundedRange(-1.0), "epsilon must be a finite number of at least 0; got -1.0. Use"),
        (lambda: BoundedRange(1.0, 0), "releases must be a whole number of at least 1; got 0. Use the number"),
        (lambda: FDP(3.0), "tradeoff must be a face of a pair or a function of the level; got 3.0. Pass"),
        (
            lambda: FDP(lambda level: 1.0 + 0.0 * level),
            "a trade-off function must be 0 at level 1; got .* Pass a convex",
        ),
        (lambda: FDP(lambda a: (1 - a) ** 0.5), "a trade-off function must be at most 1 - level; got .* Pass a convex"),
        (
            lambda: FDP(lambda level: 2.0 + level),
            r"a value of the trade-off function must be a probability in \[0, 1\]; got 2",
        ),
        (lambda: ProbabilisticallyBoundedDP(1.0, 0.0), "delta must be above 0 for pbdp, .*; got 0.0. Use"),
        (lambda: SemanticPrivacy(1.5), r"level must be a probability in \[0, 1\]; got 1.5. Use the largest"),
        (lambda: SemanticPrivacy(0.1, population=0), "population must be a whole number of at least 1; got 0. Use"),
        (lambda: SemanticPrivacy(0.1, knows="all"), "knows must be one of Knowledge; got all. Use"),
        (lambda: PureDP(1.0).times(0), "count must be a whole number of at least 1; got 0. Use the number"),
        (lambda: PureDP(1.0).group(2.5), "size must be a whole number of at least 1; got 2.5. Use the number"),
        (
            lambda: PureDP(1.0).lower_tail(-1.0),
            "losses must be at least 0 where the far side is asked for; got -1.0. Use",
        ),
        (lambda: PureDP(1.0).bounded_epsilon(0.0), "deltas must be above 0 for pbdp, .* got 0.0. Use"),
        (compose, r"promises must be at least one; got \(\). Pass a promise"),
        (lambda: compose(1.0), "what is composed must be a promise; got 1.0. Pass promises"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(build, message):
    with pytest.raises(InvalidInput, match=message):
        build()
