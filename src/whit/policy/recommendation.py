"""The least noise that keeps an adversary no wiser than you allow.

`recommend` turns the questions round: from what is acceptable to the parameter. The parameter goes up or down until the
requirement is just kept, on the safe side, and the last value has been checked forwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from whit.curves import Promise
from whit.display import Row, at_work
from whit.errors import Incompatible, InvalidInput, Unreachable, require
from whit.guarantees import ApproxDP, Guarantee, PureDP
from whit.mechanisms import Mechanism
from whit.numerics import ULP, count, down, few, positive, probability, round_down, round_up
from whit.policy.criteria import Criterion, EveryCriterion, LimitCriterion, PromiseCriterion
from whit.policy.families import Family, PromiseFamily, Rule
from whit.policy.family_of import family_of
from whit.policy.least_noise import least_noise, next_kept, unlimited
from whit.policy.limits import Limit
from whit.policy.planned import Planned, earlier
from whit.policy.profile_criterion import ProfileCriterion
from whit.policy.profiles import RiskProfile
from whit.policy.reasons import nothing_fits, releases_text
from whit.policy.shown import recommendation_html, recommendation_rows
from whit.policy.verdict import FREE, Outcome, Verdict
from whit.setting import Neighbours, Sensitivity, one_failure, one_or_two
from whit.theory import Answer, Basis, Direction, Finding, Quantity, Unit, echo

Requirement = RiskProfile | Limit | PureDP | ApproxDP
"""What releases must meet: a risk profile, a limit on one risk, or a promise by epsilon and delta."""

NAIVE = Quantity("epsilon of the naive rule", Unit.NUMBER)
GAIN = Quantity("ratio of the recommended epsilon to the naive one", Unit.NUMBER)

UNSTEADY = (
    "The losses of discrete Gaussian noise do not fall steadily while sigma rises: "
    "a larger sigma than the recommended one may exceed the limit, so check it before you use it."
)
"""What is said of noise for which more is not always safer."""

MOST_DIGITS = 800
"""No double has more significant digits."""

LARGEST_WRITTEN_OUT = 1_000_000
"""A parameter from here on has a power of ten."""

_ANY = "Every parameter meets the requirement: it sets no limit to this family."
_RISK = "Use the largest posterior over prior that is acceptable, a number above 1 such as 3."
_DIGITS = "Use the number of significant digits, such as 5."
_BELIEF = "Use a probability above 0, such as 0.05."
_REQUIREMENT = (
    "Pass a profile such as profiles.constant(3.0), a limit such as limits.difference(0.2), or ApproxDP(1.0, 1e-6)."
)


@dataclass(frozen=True, repr=False)
class Recommendation(Answer):
    """The parameter with the least noise that meets the requirement.

    Attributes:
        parameter: the largest epsilon, rho or mu, or the smallest sigma or scale, on the safe side.
        family: the releases that it is for.
        verdict: what was found for all releases with this parameter: they meet the requirement, and who decides.
        comparisons: the naive rule and the gain over it, where there is one.
        notices: sentences that should be read with it.
        criterion: what they were held against.
        spent: what was released before.
    """

    parameter: Finding
    family: Family
    verdict: Verdict
    comparisons: tuple[Finding, ...]
    notices: tuple[str, ...]
    criterion: Criterion
    spent: tuple[Promise, ...]

    @property
    def release(self) -> Guarantee | Mechanism:
        """One release with the recommended parameter."""
        return self.family.one(float(self.parameter))

    @property
    def to_use(self) -> Guarantee | Mechanism:
        """One release with the parameter as it is written, which has fewer digits: the noise that is then added."""
        return self.family.one(float(self.digits))

    def together(self, relation: Neighbours) -> Promise:
        """All releases with the recommended parameter and those before them as one, between such neighbours."""
        return self._plan(relation)

    @property
    def _plan(self) -> Planned:
        return Planned(self.family, float(self.parameter), self.spent)

    @property
    def unlimited(self) -> bool:
        """Whether any parameter would do."""
        return float(self.parameter) == unlimited(self.family)

    def rounded(self, digits: int = 5) -> Decimal:
        """The parameter to so many significant digits, on the safe side: epsilon down, sigma and scale up.

        Where more noise is not always safer, this is the next such number that was seen to meet the requirement.

        >>> from whit.guarantees import PureDP
        >>> from whit.policy import profiles
        >>> recommend(profiles.constant(3.0), PureDP).rounded(3)
        Decimal('0.549')
        """
        places = count("digits", digits, _DIGITS)
        require(places <= MOST_DIGITS, name="digits", rule="must be few", value=digits, way_out=_DIGITS)
        value = float(self.parameter)
        if self.family.steady or self.unlimited:
            return (round_down if self.family.rising else round_up)(value, places)
        found = next_kept(self._plan, self.criterion, round_up(Decimal(repr(value)), places), places)
        if found is None:
            rule = f"must have a value of {places} digit(s) close by that meets the requirement"
            raise Unreachable(f"the {self.family.parameter}", rule, value, "Ask for more digits.")
        return found

    def written(self, digits: int = 5) -> str:
        """The rounded parameter as a text, written out as all numbers are: 303380, and not 3.0338E+5."""
        found = self.rounded(digits)
        written_out = 1 <= found < LARGEST_WRITTEN_OUT
        return format(found, "f") if written_out else str(found).replace("E+", "e").replace("E", "e")

    @property
    def digits(self) -> str:
        """The parameter to use, as a text."""
        if self.unlimited:
            return "any"
        return self.written() if self.family.steady else repr(float(self.parameter))

    @property
    def headline(self) -> str:
        """What is known of the parameter; with all its digits where a larger one may not meet the requirement."""
        found, text = self.parameter, str(self.parameter)
        if self.family.steady or self.unlimited:
            return text
        return text.replace(found.brief(), f"{found.direction.value} {self.digits}", 1)

    @property
    def advice(self) -> str:
        """Which parameters meet the requirement, as a clause; the number is written as it is to be used.

        >>> from whit.guarantees import PureDP
        >>> from whit.policy import limits
        >>> recommend(limits.posterior(0.3, prior=0.1), PureDP, releases=5).advice
        'epsilon up to 0.26998 in each of 5 releases meets the limit'
        """
        name, several = self.family.parameter, self.family.releases > 1
        if self.unlimited:
            return f"any {name} meets the limit"
        side = f" {'up to' if self.family.rising else 'of at least'}" if self.family.steady else ""
        side = side if self.parameter.proved else " of about"
        each = f" in each of {releases_text(self.family)}" if several else ""
        rest = "" if self.family.steady else "; a larger one may not"
        exception = self.parameter.basis.exception
        on = f"{self.digits}{self.family.advised}{each}"
        return f"{name}{side} {on} meets the limit{f', {exception}' if exception else ''}{rest}"

    def headroom(self, *, inclusion: float, value: float) -> Finding:
        """How many times the risk of an adversary fits into the limit that the profile sets for them; 1 is none."""
        if not isinstance(self.criterion, ProfileCriterion):
            rule = "is known for risk profiles only"
            asked = self.verdict.requirement
            raise Incompatible("the room of an adversary", rule, asked, "Pass a risk profile to recommend.")
        p, q = (probability(name, x, _BELIEF) for name, x in (("inclusion", inclusion), ("value", value)))
        return self.criterion.room(self._plan, p, q)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The numbers of the verdict, the one that decides first, and how close to the truth one release is."""
        return self.findings_with(repr(float(self.parameter)))

    def findings_with(self, written: str) -> tuple[Finding, ...]:
        """The same beside a parameter that is written with fewer digits: of the noise that is then added."""
        close = () if self.unlimited else self.family.closeness(float(written))
        return (*self.verdict.findings, *close)

    def to_dict(self) -> dict[str, Any]:
        """The recommendation as a plain tree."""
        trees = [each.to_dict() for each in (self.parameter, *self.findings, *self.comparisons)]
        return {
            "parameter": self.family.parameter,
            "value": trees[0],
            "release": None if self.unlimited else echo(self.release),
            "releases": self.family.releases,
            "verdict": self.verdict.to_dict(),
            "findings": trees[1:],
            "notices": list(self.notices),
        }

    def to_rows(self) -> list[Row]:
        """A row for each number: the parameter first, then what the releases come to."""
        return recommendation_rows(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the parameter, whether the releases are allowed with it, and every number."""
        return recommendation_html(self)

    def __str__(self) -> str:
        decided = "nothing" if self.unlimited else self.verdict.decider
        warned = "" if self.family.steady or self.unlimited else f"\n{UNSTEADY}"
        return f"{self.headline}, for {releases_text(self.family)}; decided by {decided}{warned}"


@at_work("Looking for the least noise")
def recommend(
    requirement: Requirement | Sequence[Requirement],
    family: type[Guarantee] | type[Mechanism] | Mechanism,
    *,
    releases: int = 1,
    delta: float | None = None,
    failure: float = 0.0,
    neighbours: Neighbours | None = None,
    sides: int = 1,
    sensitivity: Sensitivity | None = None,
    sampling_rate: float | None = None,
    records: int | None = None,
    rule: Rule = Rule.OWN,
    total_delta: float | None = None,
    spent: Promise | Sequence[Promise] = (),
) -> Recommendation:
    """The parameter of a family with the least noise that meets a risk profile, a limit, or a promise.

    Args:
        requirement: what all releases together must meet; if there are several, all of them.
        family: a class: PureDP, ApproxDP, ZeroConcentratedDP or GaussianDP for the parameter of a promise, Gaussian,
            DiscreteGaussian, Laplace or Geometric for noise, RandomizedResponse for reports of people themselves. Or a
            release like those planned, such as Shuffled(RandomizedResponse(1.0), 10_000): all but its parameter stays.
        releases: how many releases about the same people there will be, each with the same parameter.
        delta: of each release, for ApproxDP.
        failure: the probability over the noise that the requirement is not met; 0 if it must always be met.
        neighbours: the relation of the promises, or the one that a limit speaks about; adding or removing if not given.
        sides: for limits: 1 to bound rises of the belief, 2 to bound drops as well.
        sensitivity: of the noise; that of one count if not given.
        sampling_rate: of noise on a Poisson sample, the probability that a record is drawn; all are seen if not given.
        records: of noise on a Poisson sample, how many records one person has at most; 1 if not given.
        rule: how promises compose.
        total_delta: of all releases together, for rules that need it.
        spent: promises or mechanisms of earlier releases about the same people.

    >>> from whit.guarantees import PureDP
    >>> from whit.policy import profiles
    >>> print(recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP).parameter)
    largest epsilon that meets the limit is at least 1.29
    """
    choice = family_of(
        family,
        releases=releases,
        delta=delta,
        neighbours=neighbours,
        sensitivity=sensitivity,
        rule=rule,
        total_delta=total_delta,
        sampling_rate=sampling_rate,
        records=records,
    )
    return recommend_by(
        criterion_of(requirement, failure=failure, sides=sides, neighbours=neighbours), choice, earlier(spent)
    )


def naive_epsilon(relative_risk: float, *, releases: int = 1) -> Finding:
    """Half the logarithm of the accepted relative risk, divided among the releases: safe for every adversary.

    >>> print(naive_epsilon(3.0))
    epsilon of the naive rule is 0.55 (rounded up)
    """
    risk = positive("relative_risk", relative_risk, _RISK)
    require(1.0 <= risk < math.inf, name="relative_risk", rule="must be at least 1", value=risk, way_out=_RISK)
    k = few("releases", releases, "Use the number of releases, such as 12.")
    # Near 1 the logarithm is that of what lies above it.
    epsilon = math.log1p(risk - 1.0) / 2 / k if risk < 2.0 else math.log(risk) / 2 / k
    inputs = {"relative_risk": risk, "releases": k}
    return Finding(NAIVE, epsilon, Direction.EXACTLY, inputs, Basis(theorems=("disclosure-any-prior",), slack=32 * ULP))


def criterion_of(requirement: object, *, failure: float, sides: int, neighbours: Neighbours | None) -> Criterion:
    """What releases are held against, if it is something that can be kept; of several things, all of them."""
    chance, side = one_failure(failure), one_or_two(sides)
    if isinstance(requirement, list | tuple) and requirement:
        limited = any(isinstance(each, Limit) for each in requirement)  # sides are for limits
        sided = [side if isinstance(each, Limit) or not limited else 1 for each in requirement]
        asked = zip(requirement, sided, strict=True)
        parts = [criterion_of(each, failure=chance, sides=of, neighbours=neighbours) for each, of in asked]
        return EveryCriterion(tuple(parts), chance)
    if neighbours is not None:
        Neighbours.checked(neighbours)
    if isinstance(requirement, RiskProfile):
        if side != 1:
            rule = "is for limits, since a risk profile bounds rises of the belief only"
            raise Incompatible("sides", rule, sides, "Leave out sides, or pass a limit such as limits.difference(0.2).")
        return ProfileCriterion(requirement, chance)
    if isinstance(requirement, Limit):
        return LimitCriterion(requirement, chance, side, neighbours)
    if isinstance(requirement, PureDP | ApproxDP):
        return PromiseCriterion(requirement)
    raise InvalidInput("the requirement", "must be a risk profile, a limit, or a promise", requirement, _REQUIREMENT)


def recommend_by(
    criterion: Criterion, family: Family, spent: tuple[Promise, ...], *, precision: float = 0.0
) -> Recommendation:
    """The parameter of a family with the least noise that meets a criterion, checked forwards."""
    criterion.possible()
    found = least_noise(family, criterion, spent, precision)
    if found is None:
        raise nothing_fits(family, criterion, spent)
    planned = Planned(family, found, spent)
    if found == unlimited(family):
        return _free(planned, criterion)
    verdict = criterion.settled(planned)
    side = family.direction if verdict.kept else Direction.ABOUT
    inputs = {**_inputs(planned, criterion), **_asked_of(family.one(found), verdict)}
    return Recommendation(
        parameter=Finding(family.quantity, found, side, inputs, criterion.basis(verdict)),
        family=family,
        verdict=verdict,
        comparisons=_compare(planned, criterion, side, inputs),
        notices=(*verdict.notices, *(() if family.steady else (UNSTEADY,))),
        criterion=criterion,
        spent=spent,
    )


def _free(planned: Planned, criterion: Criterion) -> Recommendation:
    """The recommendation where every parameter would do."""
    family, sampled = planned.family, isinstance(criterion, ProfileCriterion) and not criterion.requirement.proved
    verdict = Verdict(Outcome.OPEN if sampled else Outcome.KEPT, criterion.requirement, FREE)
    side, basis = Direction.ABOUT if sampled else family.direction, Basis.of("parameter-by-inversion")
    parameter = Finding(family.quantity, planned.value, side, _inputs(planned, criterion), basis)
    notices = criterion.requirement.notices() if isinstance(criterion, ProfileCriterion) else ()
    return Recommendation(parameter, family, verdict, (), (*notices, _ANY), criterion, planned.spent)


def _inputs(planned: Planned, criterion: Criterion) -> dict[str, Any]:
    family = planned.family
    return {
        "requirement": echo(criterion.requirement),
        "family": type(family.one(1.0)).__name__,
        "releases": family.releases,
        "failure": criterion.failure,
        "spent": [echo(each) for each in planned.spent],
    }


def _asked_of(release: Promise, verdict: Verdict) -> dict[str, Any]:
    """One release, and the relation between the datasets where all numbers are about the same one."""
    relations = {str(each.inputs.get("neighbours")) for each in verdict.findings}
    about = {"neighbours": relations.pop()} if len(relations) == 1 and "None" not in relations else {}
    return {"release": echo(release), **about}


def _compare(planned: Planned, criterion: Criterion, side: Direction, inputs: dict[str, Any]) -> tuple[Finding, ...]:
    """The naive rule for the smallest limit of the profile, and the gain over it, where epsilons simply add up."""
    family = planned.family
    adds_up = isinstance(family, PromiseFamily) and family.kind is PureDP and family.rule is Rule.OWN
    if not isinstance(criterion, ProfileCriterion) or not adds_up:
        return ()
    smallest = criterion.keeping.smallest_limit()[0]
    if not 1.0 < smallest < math.inf:
        return ()
    naive = naive_epsilon(smallest, releases=family.releases)
    ratio = float(down(planned.value / float(naive), 2))
    return naive, Finding(GAIN, ratio, side, inputs, naive.basis)
