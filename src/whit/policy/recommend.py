"""The least noise that keeps an adversary no wiser than you allow.

`recommend` turns the questions round: from what is acceptable to the parameter. The parameter goes up or down until the
requirement is just kept, on the safe side, and the last value has been checked forwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from whit.errors import Incompatible, InvalidInput, Unreachable, require
from whit.guarantees import ApproxDP, Guarantee, PureDP
from whit.mechanisms import Mechanism
from whit.numerics import count, down, probability, round_down, round_up
from whit.policy.comparators import naive_epsilon
from whit.policy.families import Family, NoiseFamily, PromiseFamily, Rule, family_of
from whit.policy.limits import Limit, one_or_two
from whit.policy.profiles import RiskProfile
from whit.policy.recommend_binding import Binding
from whit.policy.recommend_profile import ProfileRequirement
from whit.policy.recommend_requirements import LimitRequirement, Planned, PromiseRequirement, Requirement, adds_up
from whit.policy.recommend_search import boldest
from whit.policy.spent import earlier
from whit.setting import Neighbours, Sensitivity
from whit.theory import Basis, Direction, Finding, Quantity, Unit

GAIN = Quantity("recommended epsilon over that of the naive rule", Unit.NUMBER)

UNSTEADY = (
    "The losses of discrete Gaussian noise do not fall steadily while sigma rises: "
    "a larger sigma than the recommended one may break what is wanted, so check it before you use it."
)
"""What is said of noise for which more is not always safer."""

MOST_DIGITS = 800
"""No double has more significant digits."""

_TRIES = 30
_DIGITS = "Use the number of significant digits, such as 5."
_BELIEF = "Use a probability above 0, such as 0.05."
_WANTED = (
    "Pass a profile such as profiles.constant(3.0), a limit such as limits.difference(0.2), or ApproxDP(1.0, 1e-6)."
)
_FAILURE = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."


@dataclass(frozen=True)
class Recommendation:
    """The parameter that tells most and still keeps to what was asked.

    Attributes:
        parameter: the largest epsilon, rho or mu, or the smallest sigma or scale, on the safe side.
        family: the releases that it is for.
        binding: what decides it.
        findings: what the releases let happen with this parameter.
        comparisons: the naive rule and the gain over it, where there is one.
        notices: sentences that should be read with it.
    """

    parameter: Finding
    family: Family
    binding: tuple[Binding, ...]
    findings: tuple[Finding, ...]
    comparisons: tuple[Finding, ...]
    notices: tuple[str, ...]
    requirement: Requirement
    spent: tuple[Any, ...]

    @property
    def release(self) -> Guarantee | Mechanism:
        """One release with the recommended parameter."""
        return self.family.one(float(self.parameter))

    @property
    def unlimited(self) -> bool:
        """Whether any parameter would do."""
        return float(self.parameter) == _unlimited(self.family)

    def rounded(self, digits: int = 5) -> Decimal:
        """The parameter to so many significant digits, on the safe side: epsilon down, sigma up.

        >>> from whit.guarantees import PureDP
        >>> from whit.policy import profiles
        >>> recommend(profiles.constant(3.0), PureDP).rounded(3)
        Decimal('0.549')
        """
        places = count("digits", digits, _DIGITS)
        require(places <= MOST_DIGITS, name="digits", rule="must be few", value=digits, way_out=_DIGITS)
        nearest = (round_down if self.family.rising else round_up)(float(self.parameter), places)
        return nearest if self.family.steady or self.unlimited else self._kept_from(nearest, places)

    def _kept_from(self, nearest: Decimal, digits: int) -> Decimal:
        """The first decimal from one on that is seen to keep to it, where not all larger parameters do."""
        step = Decimal(1).scaleb(nearest.adjusted() - digits + 1)
        for tried in (nearest + k * step for k in range(_TRIES)):
            if self.requirement.kept(Planned(self.family, float(tried), self.spent)):
                return tried
        rule = f"must have a value of {digits} digit(s) close by that keeps to what is wanted"
        raise Unreachable(f"the {self.family.parameter}", rule, float(self.parameter), "Ask for more digits.")

    def headroom(self, *, inclusion: float, value: float) -> Finding:
        """How many times the risk of an adversary fits into the limit that the profile sets for them; 1 is none."""
        if not isinstance(self.requirement, ProfileRequirement):
            rule = "is known for risk profiles only"
            raise Incompatible("the room of an adversary", rule, self.requirement, "Pass a risk profile to recommend.")
        beliefs = (probability(name, x, _BELIEF) for name, x in (("inclusion", inclusion), ("value", value)))
        return self.requirement.room(Planned(self.family, float(self.parameter), self.spent), *beliefs)

    def __str__(self) -> str:
        decided = "; ".join(map(str, self.binding))
        return f"{self.parameter}, for {self.family.releases} release(s); decided by {decided or 'nothing'}"


def recommend(
    wanted: RiskProfile | Limit | PureDP | ApproxDP,
    family: type[Guarantee] | type[Mechanism],
    *,
    releases: int = 1,
    delta: float | None = None,
    failure: float = 0.0,
    neighbours: Neighbours | None = None,
    sides: int = 1,
    sensitivity: Sensitivity | None = None,
    rule: Rule = Rule.OWN,
    total_delta: float | None = None,
    spent: object = (),
) -> Recommendation:
    """The parameter of a family that tells most and keeps to a risk profile, to a limit, or to a promise.

    Args:
        wanted: what all releases together must keep to.
        family: a class: PureDP, ApproxDP, ZeroConcentratedDP or GaussianDP for the parameter of a promise, Gaussian,
            DiscreteGaussian, Laplace or Geometric for noise.
        releases: how many releases about the same people there will be, each with the same parameter.
        delta: of each release, for ApproxDP.
        failure: the chance over the noise that what is wanted does not hold; 0 if it must hold always.
        neighbours: the relation of the promises, or the one that a limit speaks about; adding or removing if not given.
        sides: for limits: 1 to bound rises of the belief, 2 to bound drops as well.
        sensitivity: of the noise; that of one count if not given.
        rule: how promises compose.
        total_delta: of all releases together, for rules that need it.
        spent: promises or mechanisms of earlier releases about the same people.

    >>> from whit.guarantees import PureDP
    >>> from whit.policy import profiles
    >>> print(recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP).parameter)
    largest epsilon that keeps to it is at least 1.29
    """
    chance = probability("failure", failure, _FAILURE)
    options: dict[str, Any] = {"delta": delta, "sensitivity": sensitivity, "rule": rule, "total_delta": total_delta}
    choice = family_of(family, releases=releases, neighbours=neighbours, **options)
    requirement = _requirement(wanted, chance, one_or_two(sides), neighbours)
    requirement.possible()
    before = earlier(spent)
    found = _found(choice, requirement, before)
    if found is None:
        raise _nothing(choice, chance, before)
    asked = {"wanted": repr(wanted), "family": choice.one(1.0).__class__.__name__, "releases": releases}
    inputs = {**asked, "failure": chance, "spent": [repr(each) for each in before]}
    planned = Planned(choice, found, before)
    return (_free if found == _unlimited(choice) else _told)(planned, requirement, inputs)


def _found(family: Family, requirement: Requirement, spent: tuple[Any, ...]) -> float | None:
    """The parameter that tells most: without limit only where that is proved, None where there is none."""

    def planned(value: float) -> Planned:
        return Planned(family, value, spent)

    start = family.first(requirement.size, sure=requirement.sure)
    one = min(max(start if family.rising else 1 / start, 1e-300), 1e300)
    unheard = isinstance(family, NoiseFamily) and family.ignores_people
    if requirement.void or (unheard and requirement.kept(planned(one))):
        return _unlimited(family)
    if requirement.sure and not family.bounded and requirement.margin(planned(one)) < 0.0:
        return None
    promises_nothing = isinstance(family, PromiseFamily)
    if promises_nothing and not requirement.kept(planned(0.0)):
        return None
    with np.errstate(all="ignore"):  # a search looks far beyond what is of use
        found = boldest(
            lambda value: requirement.margin(planned(value)),
            lambda value: requirement.kept(planned(value)),
            rising=family.rising,
            start=start,
            precision=requirement.precision(planned(one)),
            reach=family.reach,
        )
    return 0.0 if found is None and promises_nothing else found


def _unlimited(family: Family) -> float:
    """What stands for a parameter without limit."""
    return math.inf if family.rising else 0.0


def _requirement(wanted: object, failure: float, sides: int, neighbours: Neighbours | None) -> Requirement:
    """What is wanted, as something that releases keep to or do not."""
    if isinstance(wanted, RiskProfile):
        if sides != 1:
            rule = "is for limits, since a risk profile bounds rises of the belief only"
            raise Incompatible("sides", rule, sides, "Leave out sides, or pass a limit such as limits.difference(0.2).")
        return ProfileRequirement(wanted, failure)
    if isinstance(wanted, Limit):
        relation = Neighbours.ADD_REMOVE if neighbours is None else neighbours
        return LimitRequirement(wanted, failure, sides, relation)
    if isinstance(wanted, PureDP | ApproxDP):
        return PromiseRequirement(wanted)
    raise InvalidInput("what is wanted", "must be a risk profile, a limit, or a promise", wanted, _WANTED)


def _told(planned: Planned, requirement: Requirement, inputs: dict[str, Any]) -> Recommendation:
    """The recommendation of a parameter that has been found."""
    family, told = planned.family, requirement.report(planned)
    side = Direction.ABOUT if told.estimated else family.direction
    return Recommendation(
        parameter=Finding(family.quantity, planned.value, side, inputs, told.basis),
        family=family,
        binding=(told.binding,),
        findings=(*told.findings, *_accuracy(planned)),
        comparisons=_compared(planned, requirement, side, inputs),
        notices=(*requirement.notices(), *(() if family.steady else (UNSTEADY,))),
        requirement=requirement,
        spent=planned.spent,
    )


def _free(planned: Planned, requirement: Requirement, inputs: dict[str, Any]) -> Recommendation:
    """The recommendation where every parameter would do."""
    family = planned.family
    said = "Every parameter keeps to what is wanted: it sets no limit to this family."
    basis = Basis.of("parameter-by-inversion")
    sampled = isinstance(requirement, ProfileRequirement) and not requirement.profile.proved
    side = Direction.ABOUT if sampled else family.direction
    return Recommendation(
        parameter=Finding(family.quantity, planned.value, side, inputs, basis),
        family=family,
        binding=(),
        findings=(),
        comparisons=(),
        notices=(*requirement.notices(), said),
        requirement=requirement,
        spent=planned.spent,
    )


def _accuracy(planned: Planned) -> tuple[Finding, ...]:
    """How far the noise of one release moves the published number, if it is known."""
    one = planned.family.one(planned.value)
    return (one.standard_deviation(),) if isinstance(one, Mechanism) else ()


def _compared(
    planned: Planned, requirement: Requirement, side: Direction, inputs: dict[str, Any]
) -> tuple[Finding, ...]:
    """The naive rule for the smallest limit of the profile, and the gain over it."""
    if not isinstance(requirement, ProfileRequirement) or not adds_up(planned.family):
        return ()
    smallest = requirement.keeping.smallest_limit()[0]
    if not 1.0 < smallest < math.inf:
        return ()
    naive = naive_epsilon(smallest, releases=planned.family.releases)
    ratio = float(down(planned.value / float(naive), 2))
    return naive, Finding(GAIN, ratio, side, inputs, naive.basis)


def _nothing(family: Family, failure: float, spent: tuple[Any, ...]) -> Unreachable:
    """The error about a requirement that no parameter keeps to."""
    rule = "must have a value with which the releases keep to what is wanted"
    shown = f"none for {family.releases} release(s) of {type(family.one(1.0)).__name__}"
    ways = ["Allow more"]
    if failure == 0.0:
        ways.append("allow a chance of failure such as failure=0.01, since some losses have no bound that always holds")
    if spent:
        ways.append("check what was spent before, which may already exceed it")
    return Unreachable(f"the {family.parameter}", rule, shown, f"{'; '.join(ways)}.")
