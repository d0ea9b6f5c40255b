"""The picture that fits: one for every kind of result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

from whit.assessment import Assessment, Unanswered
from whit.curves import POWER, Promise
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.plans import Exposure, Plan, expose
from whit.policy import Recommendation, limits
from whit.policy.profiles import RiskProfile
from whit.semantics.membership import PosteriorLaw
from whit.setting import Neighbours
from whit.telling.explain.asked import usual_failure
from whit.telling.explain.planned import worst_concern
from whit.telling.plots.accuracy_against_risk import accuracy_against_risk
from whit.telling.plots.budget_by_query import budget_by_query
from whit.telling.plots.icon_arrays import icon_arrays
from whit.telling.plots.level_and_power import level_and_power
from whit.telling.plots.picture import Picture
from whit.telling.plots.posterior_against_prior import posterior_against_prior
from whit.telling.plots.posterior_law import posterior_law
from whit.telling.plots.profile_and_epsilon import profile_and_epsilon
from whit.telling.plots.profile_map import profile_map
from whit.theory import Finding

_WAY_OUT = "Pass a promise, a mechanism, a profile, an assessment, a recommendation or a plan."


def plot(x: object, **options: Any) -> Picture:
    """The picture that fits a result; the options are those of the function that draws it.

    A promise, a mechanism, or several by name: the posterior against the prior, but for a chance of one in a hundred
    where no bound always holds. A risk profile, or several by name: the epsilon that it allows. A recommendation: the
    posterior against what is allowed, or level and power where a test was limited. An assessment, or the power of a
    test: icon arrays. The law of a posterior: its spread. What `policy.frontier` found: risk against accuracy. A plan,
    or one as a concern meets it: what each query costs.

    >>> from whit.guarantees import PureDP
    >>> plot(PureDP(1.0))
    <Picture: What an adversary may come to believe: epsilon = 1>
    """
    try:
        return _drawn(x, **options)
    except TypeError as wrong:
        # An option that the picture does not have; a mistake of ours would not be about an argument.
        if "unexpected keyword argument" not in str(wrong):
            raise
        rule = "must be one that the picture has"
        raise InvalidInput("an option", rule, sorted(options), "Look at the function that draws it.") from wrong


@singledispatch
def _drawn(x: object, **options: Any) -> Picture:  # noqa: ARG001
    raise InvalidInput("what is drawn", "must be a result that has a picture", x, _WAY_OUT)


@_drawn.register
def _(x: Promise, **options: Any) -> Picture:
    return _posterior({None: x}, x, options)


@_drawn.register
def _(x: Mapping, **options: Any) -> Picture:  # type: ignore[type-arg]
    if x and all(isinstance(each, RiskProfile) for each in x.values()):
        return profile_and_epsilon(x, **options)
    return _posterior(x, x, options)


@_drawn.register
def _(x: RiskProfile, **options: Any) -> Picture:
    along_one = x.domain.inclusion_fixed or x.domain.value_fixed
    return profile_and_epsilon(x, **options) if along_one else profile_map(x, **options)


@_drawn.register
def _(x: PosteriorLaw, **options: Any) -> Picture:
    return posterior_law(x, **options)


@_drawn.register
def _(x: Exposure, **options: Any) -> Picture:
    return budget_by_query(x, **options)


@_drawn.register
def _(x: Plan, **options: Any) -> Picture:
    return budget_by_query(expose(x, worst_concern(x)), **options)


@_drawn.register
def _(x: Assessment, **options: Any) -> Picture:
    if isinstance(x.power, Unanswered):
        raise NotImplied("a picture", "needs the power of a test", x.power.reason, "Assess another promise.")
    return _drawn(x.power, **options)


@_drawn.register
def _(x: Finding, **options: Any) -> Picture:
    level = x.inputs.get("level")
    one = isinstance(x.value, float) and isinstance(level, float)
    if x.quantity != POWER or not one:
        rule = "must be the power of one test"
        way_out = "Draw the promise itself, or ask for the power at one level."
        raise Incompatible("a finding that is drawn", rule, str(x), way_out)
    assert isinstance(level, float)
    return icon_arrays(level, x, **options)


@_drawn.register
def _(x: Recommendation, **options: Any) -> Picture:
    """All releases together against what was asked for."""
    if x.unlimited or x.spent:
        rule = "must be one with a limit, and without earlier releases"
        way_out = "Compose what was spent with x.release, and draw that."
        raise Incompatible("a recommendation that is drawn", rule, str(x), way_out)
    wanted, relations = x.verdict.requirement, x.family.relations
    together = x.together(Neighbours.ADD_REMOVE if Neighbours.ADD_REMOVE in relations else relations[0])
    name = f"{x.family.releases} x {x.family.parameter} {x.rounded(3)}"
    if isinstance(wanted, limits.CurveLimit):
        return level_and_power({name: together}, **options)
    allowed = wanted if isinstance(wanted, RiskProfile | limits.Limit) else None
    asked = {"failure": x.parameter.inputs.get("failure", 0.0), "allowed": allowed, **options}
    return posterior_against_prior({name: together}, **asked)


@_drawn.register
def _(x: Sequence, **options: Any) -> Picture:  # type: ignore[type-arg]
    return accuracy_against_risk(x, **options)


def _posterior(several: Mapping[Any, object], x: Any, options: dict[str, Any]) -> Picture:
    """The posterior against the prior, with the usual chance of failure unless one was named."""
    relation = options.get("neighbours")
    known = [each for each in several.values() if isinstance(each, Promise)]
    failure = max((usual_failure(each, relation) for each in known), default=0.0)
    return posterior_against_prior(x, **{"failure": failure, **options})
