"""Whether any promise or mechanism keeps to a risk profile, and how much room the tightest adversary has left.

A recommendation looks for the parameter of a family. Here what is promised is given, of whatever kind, samples and
compositions included: its two losses are bounded, and the profile is proved to be kept with them or not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from whit.curves import Promise
from whit.errors import NotImplied, require
from whit.numerics import add_up, down, probability
from whit.policy.minimise import Keeping, Losses, risk_up
from whit.policy.profiles import RiskProfile
from whit.policy.recommend_losses import mixed_loss, sure_loss
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Tree, Unit, echo

ROOM = Quantity("limit of the tightest adversary over the risk", Unit.NUMBER)

_CERTAIN = (1.0, 1.0)
_SMALLEST = 1e-12
"""The belief at which the room is shown where it is tightest towards 0."""

_FAR = 1e4
"""A loss beyond which certainty is all but reached; the tightest adversary is looked for up to it."""

_FAILURE = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."
_PROFILE = "Pass one such as whit.policy.profiles.constant(3.0)."


@dataclass(frozen=True)
class ProfileRoom:
    """What was found about a promise and a profile.

    Attributes:
        kept: whether it is proved that no adversary of the profile learns more than it allows.
        room: how many times the risk of the tightest adversary fits into their limit; below 1 where it does not.
        inclusion: that adversary's probability that the person is in the data.
        value: that adversary's probability of the sensitive value.
    """

    kept: bool
    room: Finding
    inclusion: float
    value: float


def profile_room(profile: RiskProfile, promised: Promise, *, failure: float = 0.0) -> ProfileRoom:
    """Whether what is promised keeps to a profile but for a chance of failure, and the room that is left.

    Where the inclusion may be below 1 the loss of adding or removing a record is needed, and where the value may be
    below 1 that of replacing one; it is at most twice the loss that is never exceeded by adding or removing.

    >>> from whit.mechanisms import RandomizedResponse
    >>> from whit.policy.profiles import box
    >>> profile_room(box(3.0, inclusion=(1.0, 1.0)), RandomizedResponse(1.0)).kept
    True
    """
    given: object = profile
    good = isinstance(given, RiskProfile)
    require(good, name="profile", rule="must be a risk profile", value=given, way_out=_PROFILE)
    chance = probability("failure", failure, _FAILURE)
    found = _losses(profile, promised, chance)
    keeping, losses = Keeping(profile), _joined(*found)
    p, q = keeping.tightest(Losses(min(losses.included, _FAR), min(losses.replaced, 2 * _FAR)))
    near = (p or min(_SMALLEST, profile.domain.inclusion[1]), q or min(_SMALLEST, profile.domain.value[1]))
    room = _room(profile, losses, *near)
    all_found = found[0] + found[1]
    proved = profile.proved and all(each.direction is not Direction.ABOUT for each in all_found)
    inputs: dict[str, Tree] = {"promise": echo(promised), "profile": repr(profile), "failure": chance}
    told = Finding(
        ROOM,
        room,
        Direction.AT_LEAST if proved else Direction.ABOUT,
        {**inputs, "inclusion": near[0], "value": near[1]},
        _basis(all_found, chance),
    )
    return ProfileRoom(proved and keeping(losses), told, *near)


def _losses(profile: RiskProfile, promised: Promise, failure: float) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Bounds on the loss of adding or removing and on that of replacing; none where the profile does not need them."""
    domain = profile.domain
    included = (_included(promised, failure),) if domain.inclusion != _CERTAIN else ()
    return included, (_replaced(promised, failure),) if domain.value != _CERTAIN else ()


def _included(promised: Promise, failure: float) -> Finding:
    try:
        return mixed_loss(promised, failure, Neighbours.ADD_REMOVE)
    except NotImplied as unknown:
        rule = "needs the loss of adding or removing a record where the inclusion is below 1"
        way_out = "Use a profile with inclusion 1, for people known to be in the data, or a limit instead."
        raise NotImplied("a risk profile", rule, promised, way_out) from unknown


def _replaced(promised: Promise, failure: float) -> Finding:
    """The loss of replacing a record itself, or twice the sure loss of adding or removing: the smaller known one."""
    own, twice = _known(promised, failure), _doubled(promised)
    found = [each for each in (own, twice) if each is not None]
    if own is None and (twice is None or math.isinf(float(twice))):
        rule = "needs the loss of replacing a record where the value is below 1, and of this none is proved"
        way_out = "Use a profile with value 1, which asks for presence alone, or a limit instead."
        raise NotImplied("a risk profile", rule, promised, way_out)
    return min(found, key=float)


def _known(promised: Promise, failure: float) -> Finding | None:
    try:
        return mixed_loss(promised, failure, Neighbours.REPLACE)
    except NotImplied:
        return None


def _doubled(promised: Promise) -> Finding | None:
    try:
        return _twice(sure_loss(promised, Neighbours.ADD_REMOVE))
    except NotImplied:
        return None


def _twice(sure: Finding) -> Finding:
    basis = sure.basis | Basis.of("replacing-is-removing-and-adding")
    return Finding(sure.quantity, np.asarray(add_up(sure.value, sure.value)), sure.direction, sure.inputs, basis)


def _joined(included: tuple[Finding, ...], replaced: tuple[Finding, ...]) -> Losses:
    """The two losses; one that is not needed is put where the closed forms have it."""
    e_in, e_swap = (float(some[0]) if some else None for some in (included, replaced))
    if e_in is None:
        return Losses(0.0 if e_swap is None else e_swap / 2, e_swap or 0.0)
    return Losses(e_in, 2 * e_in if e_swap is None else e_swap)


def _room(profile: RiskProfile, losses: Losses, inclusion: float, value: float) -> float:
    """The limit over the risk of one adversary, rounded down."""
    limit = float(profile.limit(inclusion, value))
    risk = float(risk_up(np.asarray(inclusion), np.asarray(value), losses))
    if math.isinf(limit):
        return limit
    return float(down(limit / risk))


def _basis(found: tuple[Finding, ...], failure: float) -> Basis:
    keys = ["disclosure-relative-risk", "profile-by-boxes"] + (["disclosure-with-failure"] if failure > 0.0 else [])
    return Basis(
        theorems=(*keys, *(key for each in found for key in each.basis.theorems)),
        failures=(Failure(failure, Randomness.MECHANISM),) if failure > 0.0 else (),
        slack=max((each.basis.slack for each in found), default=0.0),
        truncation=math.fsum(each.basis.truncation for each in found),
    )
