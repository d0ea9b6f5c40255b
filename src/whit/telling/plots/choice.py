"""The picture that fits: one for every kind of result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from inspect import signature
from typing import TypeAlias, cast

from whit.assessment import Assessment, Unanswered, in_each, promise_name
from whit.curves import POWER, Promise
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.ledger import Course
from whit.plans import Exposure, Plan, expose
from whit.policy import Recommendation, Step, limits
from whit.policy.profiles import RiskProfile
from whit.semantics.membership import PosteriorLaw
from whit.setting import Neighbours
from whit.telling.plots.accounts import account_over_time
from whit.telling.plots.costs import accuracy_against_risk, budget_by_query
from whit.telling.plots.curves import level_and_power
from whit.telling.plots.families import families_side_by_side
from whit.telling.plots.icons import icon_arrays
from whit.telling.plots.picture import Picture
from whit.telling.plots.posteriors import posterior_against_prior, posterior_law
from whit.telling.plots.profiles import profile_and_epsilon, profile_map
from whit.telling.words.openings import worst_concern
from whit.telling.words.subject import usual_failure
from whit.theory import Finding

Options: TypeAlias = Mapping[str, object]

Choice: TypeAlias = tuple[Callable[..., Picture], tuple[object, ...], Options]
"""The function that draws, what it draws, and the options that it has unless the caller says otherwise."""

_WAY_OUT = "Pass a promise, a mechanism, a profile, an assessment, a recommendation or a plan."


def plot(x: object, **options: object) -> Picture:
    """The picture that fits a result; the options are those of the function that draws it, and others are refused.

    A promise, a mechanism, or several by name: the posterior against the prior, except with probability 1 % where no
    bound always holds. A risk profile, or several by name: the epsilon that it allows. A recommendation: the
    posterior against what is allowed, or level and power where a test was limited. An assessment, or the power of a
    test: icon arrays. The law of a posterior: its spread. What `policy.frontier` found: risk against accuracy; steps of
    several kinds of noise by name: these side by side. A plan,
    or one as a concern meets it: what each query costs. The course of an account of the ledger: its risk in steps.

    >>> from whit.guarantees import PureDP
    >>> plot(PureDP(1.0))
    <Picture: What an adversary may come to believe>
    """
    draw, drawn, usual = _choice(x, options)
    known = list(signature(draw).parameters)[len(drawn) :]
    unknown = sorted(set(options) - set(known))
    if unknown:
        rule = f"is not an option of the picture {draw.__name__}"
        raise InvalidInput(
            " and ".join(unknown), rule, options[unknown[0]], f"Leave it out. It has {', '.join(known)}."
        )
    return draw(*drawn, **{**usual, **options})


@singledispatch
def _choice(x: object, options: Options) -> Choice:  # noqa: ARG001
    raise InvalidInput("what is drawn", "must be a result that has a picture", x, _WAY_OUT)


@_choice.register
def _(x: Promise, options: Options) -> Choice:
    return posterior_against_prior, (x,), {"failure": _failure([x], options)}


@_choice.register
def _(x: Mapping, options: Options) -> Choice:  # type: ignore[type-arg]
    if x and all(isinstance(each, Step) for each in x.values()):
        return families_side_by_side, (x,), {}
    if x and all(isinstance(each, RiskProfile) for each in x.values()):
        return profile_and_epsilon, (x,), {}
    return posterior_against_prior, (x,), {"failure": _failure(list(x.values()), options)}


@_choice.register
def _(x: Course, options: Options) -> Choice:  # noqa: ARG001
    return account_over_time, (x,), {}


@_choice.register
def _(x: RiskProfile, options: Options) -> Choice:  # noqa: ARG001
    along_one = x.domain.inclusion_fixed or x.domain.value_fixed
    return profile_and_epsilon if along_one else profile_map, (x,), {}


@_choice.register
def _(x: PosteriorLaw, options: Options) -> Choice:  # noqa: ARG001
    return posterior_law, (x,), {}


@_choice.register
def _(x: Exposure, options: Options) -> Choice:  # noqa: ARG001
    return budget_by_query, (x,), {}


@_choice.register
def _(x: Plan, options: Options) -> Choice:  # noqa: ARG001
    return budget_by_query, (expose(x, worst_concern(x)),), {}


@_choice.register
def _(x: Assessment, options: Options) -> Choice:
    if isinstance(x.power, Unanswered):
        raise NotImplied("a picture", "needs the power of a test", x.power.reason, "Assess another promise.")
    draw, drawn, usual = _choice(x.power, options)
    return draw, drawn, {**usual, "of": x.asked_of}


@_choice.register
def _(x: Finding, options: Options) -> Choice:  # noqa: ARG001
    level = x.inputs.get("level")
    if x.quantity != POWER or not isinstance(x.value, float) or not isinstance(level, float):
        rule = "must be the power of one test"
        way_out = "Draw the promise itself, or ask for the power at one level."
        raise Incompatible("a finding that is drawn", rule, str(x), way_out)
    return icon_arrays, (level, x), {}


@_choice.register
def _(x: Recommendation, options: Options) -> Choice:  # noqa: ARG001
    """All releases together against what was asked for."""
    if x.unlimited or x.spent:
        rule = "must be one with a limit, and without earlier releases"
        way_out = "Compose what was spent with x.release, and draw that."
        raise Incompatible("a recommendation that is drawn", rule, str(x), way_out)
    requirement, relations = x.verdict.requirement, x.family.relations
    relation = Neighbours.ADD_REMOVE if Neighbours.ADD_REMOVE in relations else relations[0]
    together = x.family.all(float(x.digits), relation)  # with the parameter that the name has
    named = {in_each(promise_name(x.to_use), x.family.releases): together}
    if isinstance(requirement, limits.CurveLimit):
        return (
            level_and_power,
            (named,),
            {"allowed": requirement},
        )
    allowed = requirement if isinstance(requirement, RiskProfile | limits.Limit) else None
    return posterior_against_prior, (named,), {"failure": x.parameter.inputs.get("failure", 0.0), "allowed": allowed}


@_choice.register
def _(x: Sequence, options: Options) -> Choice:  # type: ignore[type-arg]  # noqa: ARG001
    return accuracy_against_risk, (x,), {}


def _failure(several: Sequence[object], options: Options) -> float:
    """The chance of failure that is usual for these promises: the largest of theirs."""
    relation = cast("Neighbours | None", options.get("neighbours"))
    return max((usual_failure(each, relation) for each in several if isinstance(each, Promise)), default=0.0)
