"""What an adversary may come to believe, for every belief before the release; and how that is spread over the noise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike

from whit.assessment import promise_name
from whit.curves import Promise
from whit.errors import Incompatible, InvalidInput
from whit.numerics import add_down, down
from whit.policy import limits, posterior_line
from whit.policy.profiles import RiskProfile
from whit.semantics import membership
from whit.semantics.membership import PosteriorLaw
from whit.setting import Knowledge, Neighbours, When
from whit.telling.plots.answers import (
    Columns,
    certainty,
    chosen,
    dependent,
    named,
    nearest,
    percent,
    places,
    said,
    under,
    values,
)
from whit.telling.plots.curves import Curves
from whit.telling.plots.layers import (
    COLOURS,
    HEIGHT,
    SHADE,
    WIDTH,
    Array,
    Spec,
    axis,
    band,
    layered,
    lines,
    marked,
    reference,
    rows_of,
    series_rows,
    words,
)
from whit.telling.plots.picture import Picture, pictured
from whit.theory import Finding

HALF_PERCENTS = tuple(number / 200 for number in range(201))
"""The priors or posteriors at which something is drawn, unless told otherwise: by halves of a hundredth."""

_PRIOR = axis("prior", "probability before the release (prior)", (0.0, 1.0), percent=True)
_POSTERIOR = axis("posterior", "probability after the release (posterior)", (0.0, 1.0), percent=True)
_CHANCE = axis("chance", "chance that the posterior is larger", (0.0, 1.0), percent=True)
_SLOPE = 360.0 - math.degrees(math.atan2(HEIGHT, WIDTH))
_QUANTILES = (0.5, 0.95, 0.99)
_SMALLEST = 1e-9
"""The belief that stands for those close to 0, about which a profile says nothing at 0 itself."""


def posterior_against_prior(
    promised: Promise | Mapping[str, Promise],
    *,
    allowed: RiskProfile | limits.Limit | None = None,
    failure: float = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    priors: ArrayLike = HALF_PERCENTS,
    by_profile: bool = False,
    knows: Knowledge = Knowledge.ANY_BELIEF,
    when: When = When.END,
) -> Picture:
    """The largest posterior of the truth for each prior, with what is allowed shaded.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        allowed: a risk profile, or a limit on posterior, ratio or difference, that is shaded below the lines.
        failure: the chance over the noise with which the bound may be false; 0 asks for what always holds.
        sides: 2 to draw the lowest posterior as well.
        neighbours: the relation between datasets; that of the promise if none is named.
        priors: the priors at which the posterior is drawn.
        by_profile: draw what a risk profile is about: of the adversaries with each prior the one who learns most,
            whatever they believe about the others.
        knows: what the adversary knows about everybody else, if it is not by the profile.
        when: whether they look at the end, or at every moment.
    """
    at, promises = places("priors", priors, 0.0, 1.0), named(promised)
    if by_profile:
        profile = _profile(allowed)
        answers = {name: posterior_line(profile, each, at, failure=failure) for name, each in promises.items()}
    else:
        answers = {
            name: membership.Beliefs(each, failure, sides, neighbours, knows, when).posterior(at)
            for name, each in promises.items()
        }
    drawn = Curves(at, {name: answer.bound for name, answer in answers.items()})
    limit = None if allowed is None else allowed_posterior(allowed, at)
    nothing = reference(rows_of(prior=[0.0, 1.0], posterior=[0.0, 1.0]), _PRIOR, _POSTERIOR)
    middle, along = {"prior": 0.6, "posterior": 0.6}, {"align": "center", "dy": 10, "angle": _SLOPE}
    layers = [
        *([] if limit is None else limit.layers(at)),
        *_falls(answers, at),
        nothing,
        *drawn.layers(_PRIOR, _POSTERIOR),
        *words("nothing learnt", middle, _PRIOR, _POSTERIOR, **along),
    ]
    lower = " Lower lines: at least this." if sides == 2 else ""
    about = "a disclosure, for the adversary who learns most," if by_profile else "what is true"
    caption = (
        f"Lines: the probability of {about} is {drawn.direction.value} this, {certainty(failure)}.{lower}"
        f"{dependent(promises)}{under(neighbours)}"
    )
    title = drawn.title("What an adversary may come to believe")
    told = drawn.words((0.1, 0.5, 0.9), lambda prior: f"from {percent(prior)} to")
    shaded, beside = ("", "") if limit is None else (f" {limit.sign}: what is allowed.", f" {limit.words(at)}")
    alt = f"Line chart. {title}. Posterior against prior. {caption} {told}{beside}"
    table = _table(at, answers, limit)
    return pictured(layered(layers), title=title, caption=caption + shaded, alt=alt, table=table)


def _profile(allowed: object) -> RiskProfile:
    if isinstance(allowed, RiskProfile):
        return allowed
    way_out = "Pass allowed=profiles.capped(relative=3.0, absolute=0.25), or leave by_profile out."
    raise Incompatible("by_profile", "must come with a risk profile", allowed, way_out)


def _falls(answers: Mapping[str, Finding], at: Array) -> list[Spec]:
    """The lowest posteriors as lines, where they are known; what lies between is shaded if there is but one."""
    held = {name: (at, values(answer.below)) for name, answer in answers.items() if answer.is_two_sided}
    if not held:
        return []
    drawn = [lines(series_rows(held, _PRIOR, _POSTERIOR), _PRIOR, _POSTERIOR, list(held))]
    if len(held) == 1:
        ((name, (_, low)),) = held.items()
        rows = rows_of(prior=at, posterior=low, upper=values(answers[name]))
        drawn.insert(0, band(rows, _PRIOR, _POSTERIOR, "upper", colour=COLOURS[0], opacity=0.18))
    return drawn


def _table(at: Array, answers: Mapping[str, Finding], limit: AllowedCurve | AllowedPoint | None) -> Columns:
    columns: dict[str, object] = {"prior": at}
    for name, answer in answers.items():
        for end in (answer.bound, *([answer.below] if answer.is_two_sided else [])):
            columns[f"posterior {end.direction.value}: {name}"] = values(end)
    if isinstance(limit, AllowedCurve):
        columns["posterior allowed"] = limit.posteriors
    return Columns(columns)


@dataclass(frozen=True, eq=False)
class AllowedCurve:
    """The largest posterior that is allowed, at each prior; it is shaded."""

    posteriors: Array
    sign = "Shaded"

    def words(self, at: Array) -> str:
        """What is allowed at some of the priors."""
        told = (f"from {percent(float(at[n]))} to {percent(float(self.posteriors[n]))}" for n in chosen(at, (0.1, 0.5)))
        return f"Allowed: {', '.join(told)}."

    def layers(self, at: Array) -> list[Spec]:
        """The band below it."""
        rows = rows_of(prior=at, posterior=np.zeros_like(at), allowed=self.posteriors)
        place = {"prior": float(at[nearest(at, 0.72)]), "posterior": 0.2}
        shade = band(rows, _PRIOR, _POSTERIOR, "allowed", colour=SHADE, opacity=0.25)
        return [shade, *words("allowed", place, _PRIOR, _POSTERIOR)]


@dataclass(frozen=True)
class AllowedPoint:
    """The largest posterior that is allowed, at one prior; it is a diamond."""

    prior: float
    posterior: float
    sign = "Diamond"

    def words(self, at: Array) -> str:
        """What is allowed at the prior."""
        return f"Allowed: from {percent(self.prior)} to {percent(self.posterior)}."

    def layers(self, at: Array) -> list[Spec]:
        """The diamond, with its number."""
        row, text = {"prior": self.prior, "posterior": self.posterior}, f"allowed up to {percent(self.posterior)}"
        diamond = marked(row, _PRIOR, _POSTERIOR, shape="diamond", size=140)
        return [diamond, *words(text, row, _PRIOR, _POSTERIOR, align="right", dx=-9)]


@singledispatch
def allowed_posterior(allowed: object, at: Array) -> AllowedCurve | AllowedPoint:  # noqa: ARG001
    """What is allowed at each of the priors, rounded down."""
    rule = "must be a risk profile, or a limit on posterior, ratio or difference"
    way_out = "Use profiles.capped(relative=3.0, absolute=0.25) or limits.difference(0.2)."
    raise Incompatible("what is allowed in this picture", rule, allowed, way_out)


@allowed_posterior.register
def _(allowed: RiskProfile, at: Array) -> AllowedCurve:
    """The limit at the beliefs whose product is the prior: the belief that the profile leaves free, or inclusion."""
    domain, priors = allowed.domain, np.maximum(at, _SMALLEST)
    if domain.inclusion_fixed and not domain.value_fixed:
        inclusion, value = np.full_like(at, domain.inclusion[1]), priors / domain.inclusion[1]
    else:
        inclusion, value = priors / domain.value[1], np.full_like(at, domain.value[1])
    possible = (inclusion <= 1.0) & (value <= 1.0)
    limit = allowed.limit(np.where(possible, inclusion, 1.0), np.where(possible, value, 1.0))
    return AllowedCurve(np.where(possible, np.minimum(down(limit * priors), 1.0), 1.0))


@allowed_posterior.register
def _(allowed: limits.RatioLimit, at: Array) -> AllowedCurve | AllowedPoint:
    if allowed.prior is not None:
        return AllowedPoint(allowed.prior, min(1.0, float(down(allowed.ratio * allowed.prior))))
    return AllowedCurve(np.minimum(down(allowed.ratio * at), 1.0) * (at > 0.0))


@allowed_posterior.register
def _(allowed: limits.DifferenceLimit, at: Array) -> AllowedCurve | AllowedPoint:
    if allowed.prior is not None:
        return AllowedPoint(allowed.prior, min(1.0, float(add_down(allowed.prior, allowed.difference))))
    return AllowedCurve(np.minimum(add_down(at, allowed.difference), 1.0))


@allowed_posterior.register
def _(allowed: limits.PosteriorLimit, at: Array) -> AllowedPoint:  # noqa: ARG001
    return AllowedPoint(allowed.prior, allowed.posterior)


def posterior_law(
    promised: Promise | PosteriorLaw | Mapping[str, Promise],
    prior: float | None = None,
    *,
    neighbours: Neighbours | None = None,
    posteriors: ArrayLike = HALF_PERCENTS,
) -> Picture:
    """The chance over the noise that the posterior of the truth exceeds each threshold.

    Args:
        promised: a mechanism, or a promise whose loss has a known law; several by name; or the law itself.
        prior: the adversary's probability of the truth before the release; left out if the law itself is given.
        neighbours: the relation between datasets; that of the promise if none is named.
        posteriors: the thresholds.
    """
    laws, at = _laws(promised, prior, neighbours), places("posteriors", posteriors, 0.0, 1.0)
    drawn = Curves(at, {name: law.tail(at).bound for name, law in laws.items()})
    before = next(iter(laws.values())).prior
    title = drawn.title(f"The posterior from a prior of {percent(before)}")
    caption = (
        f"Lines: the chance over the noise that the probability of what is true exceeds the threshold is "
        f"{drawn.direction.value} this.{under(neighbours)}"
    )
    held = {name: law.quantile(_QUANTILES).bound for name, law in laws.items()}
    spread = {name: _spread(found) for name, found in held.items()}
    alone = next(iter(held)) if len(held) == 1 else None
    layers = [*_prior_line(before), *drawn.layers(_POSTERIOR, _CHANCE)]
    layers += [] if alone is None else _quantiles(held[alone])
    dots = "" if alone is None else f" Dots: {spread[alone]}."
    told = drawn.words((before, 0.9), "above {:.4g} with a chance of".format)
    alt = f"Line chart. {title}. {caption} {told} {'; '.join(f'{name}: {each}' for name, each in spread.items())}."
    table = Columns(drawn.columns("posterior", "chance of more"))
    return pictured(layered(layers), title=title, caption=caption + dots, alt=alt, table=table)


def _laws(
    promised: Promise | PosteriorLaw | Mapping[str, Promise], prior: float | None, neighbours: Neighbours | None
) -> dict[str, PosteriorLaw]:
    if isinstance(promised, PosteriorLaw):
        return {promise_name(promised.promise): promised}
    if prior is None:
        way_out = "Pass the probability before the release, such as 0.5."
        raise InvalidInput("prior", "must be given with a promise or a mechanism", prior, way_out)
    return {name: membership.distribution(one, prior, neighbours=neighbours) for name, one in named(promised).items()}


def _prior_line(prior: float) -> list[Spec]:
    ends = rows_of(posterior=[prior, prior], chance=[0.0, 1.0])
    side = {"align": "left", "dx": 6} if prior < 0.5 else {"align": "right", "dx": -6}
    name = words("prior", {"posterior": prior, "chance": 0.04}, _POSTERIOR, _CHANCE, **side)
    return [reference(ends, _POSTERIOR, _CHANCE), *name]


def _quantiles(found: Finding) -> list[Spec]:
    """The posteriors that are exceeded one time in two, in twenty and in a hundred."""
    numbers = zip(values(found), _QUANTILES, strict=True)
    rows = [{"posterior": float(x), "chance": 1.0 - level} for x, level in numbers]
    return [marked(row, _POSTERIOR, _CHANCE, size=70) for row in rows]


def _spread(found: Finding) -> str:
    return ", ".join(f"{percent(level)} of the time {said(found, n)}" for n, level in enumerate(_QUANTILES))
