"""`whit check`: whether a promise or a plan keeps to a profile or a limit, for pipelines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import click

from whit.apps.cli import exits
from whit.apps.cli.always import capital, why_unbounded
from whit.apps.cli.answers import Answers, Named
from whit.apps.cli.json_option import json_option
from whit.apps.cli.progress import working
from whit.apps.cli.promise_options import promise_options
from whit.apps.cli.promises import Stated
from whit.apps.cli.tables import tell
from whit.apps.cli.wanted import Thing, Wanted, failure_option, wanted_options
from whit.errors import Incompatible, InvalidInput, Unreachable
from whit.guarantees import ApproxDP, GaussianDP, Guarantee, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.policy import limits, profile_room, recommend
from whit.policy.profiles import RiskProfile
from whit.theory import Direction, Finding

_WANTED = 'Say what is acceptable: --profile "relative=3" or --limit "difference=0.2".'

# The parameter of each kind.
_PARAMETERS: dict[type, str] = {
    PureDP: "stated_epsilon",
    ApproxDP: "stated_epsilon",
    ZeroConcentratedDP: "rho",
    GaussianDP: "mu",
    Geometric: "stated_epsilon",
    Gaussian: "sigma",
    DiscreteGaussian: "sigma",
    Laplace: "scale",
}

Found: TypeAlias = tuple[bool, tuple[Finding, ...], tuple[str, ...]]
"""Whether it is kept, the findings that show it, and sentences about what nothing is known of."""


@dataclass(frozen=True)
class Verdict:
    """Whether it is shown that a limit is kept, by which findings, and what to read with them."""

    kept: bool
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]


@click.command(short_help="Whether a promise keeps to a profile or a limit: exit code 0 or 1.")
@promise_options
@wanted_options
@failure_option
@click.option("--sides", type=click.IntRange(1, 2), default=1, show_default=True, help="2 to bound drops as well.")
@json_option
def check(stated: Stated, wanted: tuple[Wanted, ...], failure: float, sides: int, as_json: bool) -> None:
    """Exit code 0 if it is proved that the promise keeps to what you accept, 1 if it is not.

    A plan is checked by `whit plan` with the same options and the same exit codes.
    """
    if not wanted:
        raise InvalidInput("what is acceptable", "must be said", "nothing", _WANTED)
    with working("Checking"):
        found = verdict(stated, wanted[0], failure, sides)
    asked = {"promise": repr(stated.promised), "wanted": repr(wanted[0].thing), "failure": failure, "sides": sides}
    told = tuple(Named("check", repr(stated.promised), each) for each in found.findings)
    tell(Answers("check", asked, told, found.notes, {"kept": found.kept}), as_json=as_json)
    exits.end(exits.KEPT if found.kept else exits.NOT_KEPT)


def verdict(stated: Stated, wanted: Wanted, failure: float, sides: int) -> Verdict:
    """Whether a promise keeps to what is acceptable."""
    kept, findings, notes = _kept(stated, wanted.thing, failure, sides)
    return Verdict(kept, findings, (*notes, f"{'Kept' if kept else 'Not shown to be kept'}: {wanted.said}."))


def _kept(stated: Stated, wanted: Thing, failure: float, sides: int) -> Found:
    if isinstance(wanted, limits.Limit):
        left = wanted.headroom(stated.promised, failure=failure, sides=sides, neighbours=stated.relation)
        known = not math.isinf(float(left)) or float(left) > 0.0
        asked = (stated.promised, failure, sides, stated.relation)
        return float(left) >= 0.0, (left,), () if known else why_unbounded(*asked)
    if not isinstance(wanted, RiskProfile):
        return _by_promise(stated, wanted)
    if sides != 1:
        raise Incompatible("--sides", "is for limits, since a profile bounds rises only", sides, "Leave it out.")
    return _by_profile(stated, wanted, failure)


def _by_promise(stated: Stated, promise: PureDP | ApproxDP) -> Found:
    """By the delta of what is stated at the epsilon of the promise."""
    relation, source = promise.neighbours, stated.promised
    if isinstance(source, Guarantee):
        found = source.under(relation).delta(promise.stated_epsilon)
    else:
        found = source.delta(promise.stated_epsilon, neighbours=relation)
    delta = found.worst
    allowed = promise.stated_delta if isinstance(promise, ApproxDP) else 0.0
    return delta.direction is Direction.AT_MOST and float(delta) <= allowed, (delta,), ()


def _by_profile(stated: Stated, profile: RiskProfile, failure: float) -> Found:
    """By the boldest parameter that keeps to the profile, or where there is no such family by the losses themselves."""
    if type(stated.one) in _PARAMETERS:
        return _by_parameter(stated, profile, failure)
    found = profile_room(profile, stated.promised, failure=failure)
    return found.kept, (found.room,), ()


def _by_parameter(stated: Stated, profile: RiskProfile, failure: float) -> Found:
    """By the boldest parameter that keeps to the profile: what tells less keeps to it as well."""
    one = stated.one
    options: dict[str, Any] = {"delta": one.stated_delta} if isinstance(one, ApproxDP) else {}
    name = "neighbours" if isinstance(one, Guarantee) else "sensitivity"
    options[name] = getattr(one, name)
    try:
        found = recommend(profile, type(one), releases=stated.times, failure=failure, **options)
    except Unreachable as refused:
        return False, (), (capital(str(refused)),)
    boldest, given = float(found.parameter), float(getattr(one, _PARAMETERS[type(one)]))
    proved = found.parameter.direction is not Direction.ABOUT
    return proved and (given <= boldest if found.family.rising else given >= boldest), (found.parameter,), ()
