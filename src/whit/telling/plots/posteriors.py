"""What an adversary may come to believe, for every belief before the release; and how that is spread over the noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    knowing,
    named,
    percent,
    places,
    said,
    under,
    values,
)
from whit.telling.plots.curves import Curves
from whit.telling.plots.layers import Array, Spec, axis, band, lines, marked, reference, rows_of, series_rows
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import DIAGONAL, Note, Plane
from whit.telling.plots.style import COLOURS, HEIGHT, NO_LIMIT, SHADE, WIDTH
from whit.theory import Finding

HALF_PERCENTS = tuple(number / 200 for number in range(201))
"""The priors or posteriors at which something is drawn, unless told otherwise: by halves of a hundredth."""

_POSTERIOR = axis("posterior", "probability after the release (posterior)", (0.0, 1.0), percent=True)
_CHANCE = axis("chance", "probability that the posterior is larger", (0.0, 1.0), percent=True)
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
    within: ArrayLike | None = None,
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
        priors: the priors at which the posterior is drawn, such as np.linspace(0, 0.1); the axis has their range.
        within: the range of priors from which a limit must hold, such as (0.01, 0.1); elsewhere there is none.
        by_profile: draw what a risk profile is about: of the adversaries with each prior the one who learns most,
            whatever they believe about the others.
        knows: what the adversary knows about everybody else, if it is not by the profile.
        when: whether they look at the end, or at every moment.
    """
    at, promises = _priors(priors, within), named(promised)
    if by_profile:
        profile = _profile(allowed)
        answers = {name: posterior_line(profile, each, at, failure=failure) for name, each in promises.items()}
    else:
        answers = {
            name: membership.Beliefs(each, failure, sides, neighbours, knows, when).posterior(at)
            for name, each in promises.items()
        }
    drawn = Curves(at, {name: answer.bound for name, answer in answers.items()})
    limit = _limit(allowed, at, within)
    lower = " Lower lines: the posterior is at least this." if sides == 2 else ""
    about = "The posterior of a disclosure, for the adversary who learns most," if by_profile else "The posterior"
    caption = (
        f"{drawn.opening()}{about} is {drawn.direction.value} the line, {certainty(failure)}.{lower}"
        f"{dependent(promises)}{knowing(knows)}{under(neighbours)}"
    )
    title = "What an adversary may come to believe"
    told = drawn.words(_among(at, 0.1, 0.5, 0.9), lambda prior: f"from {percent(prior)} to")
    shaded, beside = ("", "") if limit is None else (limit.sign, f" {limit.words(at)}")
    alt = f"Line chart. {title}. Posterior against prior. {caption} {told}{beside}"
    table = _table(at, answers, limit)
    chart = _beliefs(drawn, answers, limit)
    return pictured(chart, title=title, caption=caption + shaded, alt=alt, table=table)


def _priors(priors: ArrayLike, within: ArrayLike | None) -> Array:
    """The priors that are drawn, and the ends of the range of a limit that lie among them."""
    at = places("priors", priors, 0.0, 1.0)
    ends = at[:1] if within is None else places("within", within, 0.0, 1.0)
    return np.union1d(at, ends[(ends >= at[0]) & (ends <= at[-1])])


def _limit(allowed: object, at: Array, within: ArrayLike | None) -> AllowedCurve | AllowedPoint | None:
    """What is allowed at each of the priors: from all of them, or from those of a range."""
    if within is None:
        return None if allowed is None else allowed_posterior(allowed, at)
    if isinstance(allowed, limits.PosteriorLimit):
        most = np.full(at.shape, allowed.posterior)
    elif isinstance(allowed, limits.RatioLimit | limits.DifferenceLimit):
        most = np.asarray(allowed_posterior(replace(allowed, prior=None), at).posterior)
    else:
        rule = "must come with a limit on posterior, ratio or difference"
        raise Incompatible("within", rule, allowed, "Pass allowed=limits.difference(0.2), or leave within out.")
    low, *_, high = places("within", within, 0.0, 1.0)
    limited = (at >= low) & (at <= high)
    return AllowedCurve(np.where(limited, most, 1.0), limited)


def _beliefs(drawn: Curves, answers: Mapping[str, Finding], limit: AllowedCurve | AllowedPoint | None) -> Spec:
    """The lines over what is allowed, and the line of those who learn nothing."""
    at = drawn.at
    ends = (float(at[0]), float(at[-1]))
    plane = Plane(*_axes(ends, drawn, limit), WIDTH, HEIGHT)
    nothing = reference(rows_of(prior=ends, posterior=ends), plane.x, plane.y)
    shade = None if limit is None else limit.shade(at, plane)
    along = [(prior, prior) for prior in _among(at, *DIAGONAL)]
    falls = [(at, values(answer.below)) for answer in answers.values() if answer.is_two_sided]
    return drawn.chart(
        plane,
        below=[*(shade.layers if shade else ()), *_falls(answers, at, plane), nothing],
        over=shade.points if shade else (),
        crossed=[(ends, ends), *falls, *(shade.edges if shade else ())],
        marked=shade.marked if shade else (),
        notes=[*(shade.notes if shade else ()), Note("nothing learnt", along)],
    )


def _axes(ends: tuple[float, float], drawn: Curves, limit: AllowedCurve | AllowedPoint | None) -> tuple[Spec, Spec]:
    """Priors in the range that is drawn, and posteriors up to 1, or up to what small priors become."""
    x = axis("prior", "probability before the release (prior)", ends, percent=True)
    shown = [values(bound) for bound in drawn.bounds.values()]
    allowed = [] if limit is None else [np.ravel(limit.posterior)]
    largest = float(np.max(np.concatenate([*shown, *allowed])))
    top = 1.0 if largest > 0.5 or largest == 0.0 else 1.2 * largest
    return x, axis("posterior", _POSTERIOR["axis"]["title"], (0.0, top), percent=True)


def _among(at: Array, *shares: float) -> tuple[float, ...]:
    """Priors at these shares of the range that is drawn."""
    return tuple(float(at[0] + share * (at[-1] - at[0])) for share in shares)


def _profile(allowed: object) -> RiskProfile:
    if isinstance(allowed, RiskProfile):
        return allowed
    way_out = "Pass allowed=profiles.capped(relative=3.0, absolute=0.25), or leave by_profile out."
    raise Incompatible("by_profile", "must come with a risk profile", allowed, way_out)


def _falls(answers: Mapping[str, Finding], at: Array, plane: Plane) -> list[Spec]:
    """The lowest posteriors as lines, where they are known; what lies between is shaded if there is but one."""
    held = {name: (at, values(answer.below)) for name, answer in answers.items() if answer.is_two_sided}
    if not held:
        return []
    drawn = [lines(series_rows(held, plane.x, plane.y), plane.x, plane.y, list(held))]
    if len(held) == 1:
        ((name, (_, low)),) = held.items()
        rows = rows_of(prior=at, posterior=low, upper=values(answers[name]))
        drawn.insert(0, band(rows, plane.x, plane.y, "upper", colour=COLOURS[0], opacity=0.18))
    return drawn


def _table(at: Array, answers: Mapping[str, Finding], limit: AllowedCurve | AllowedPoint | None) -> Columns:
    columns: dict[str, object] = {"prior": at}
    for name, answer in answers.items():
        for end in (answer.bound, *([answer.below] if answer.is_two_sided else [])):
            columns[f"posterior {end.direction.value}: {name}"] = values(end)
    if isinstance(limit, AllowedCurve):
        columns["posterior allowed"] = limit.posterior
    return Columns(columns)


@dataclass(frozen=True, eq=False)
class Shade:
    """How what is allowed is drawn: areas and their edges, and points; each with its words."""

    layers: Sequence[Spec] = ()
    points: Sequence[Spec] = ()
    edges: Sequence[tuple[Array, Array]] = ()
    marked: Sequence[tuple[float, float]] = ()
    notes: Sequence[Note] = ()


@dataclass(frozen=True, eq=False)
class AllowedCurve:
    """The largest posterior that is allowed, at each prior; it is shaded, and grey where there is no limit.

    Attributes:
        posterior: the largest posterior, 1 where there is no limit.
        limited: where there is a limit.
    """

    posterior: Array
    limited: NDArray[np.bool_]

    @property
    def sign(self) -> str:
        """What the shades mean."""
        grey = "" if self.limited.all() else " Grey: no limit."
        return f" Blue: what is allowed.{grey}" if self.limited.any() else grey

    def words(self, at: Array) -> str:
        """What is allowed at some of the priors."""
        if not self.limited.any():
            return "Nothing is limited here."
        inside, most = at[self.limited], self.posterior[self.limited]
        told = (
            f"from {percent(float(inside[n]))} to {percent(float(most[n]))}"
            for n in chosen(inside, _among(inside, 0.1, 0.5))
        )
        return f"Allowed: {', '.join(told)}."

    def shade(self, at: Array, plane: Plane) -> Shade:
        """The areas below it, each with its name, and its edge."""
        layers, notes = [], []
        for limited, first, last in _runs(self.limited):
            part = slice(first, last + 1)
            text, colour, opacity = ("allowed", SHADE, 0.25) if limited else ("no limit", NO_LIMIT, 0.6)
            upper = self.posterior[part] if limited else np.full(last + 1 - first, plane.y["scale"]["domain"][1])
            rows = rows_of(prior=at[part], posterior=np.zeros_like(upper), allowed=upper)
            layers.append(band(rows, plane.x, plane.y, "allowed", colour=colour, opacity=opacity))
            notes.append(Note(text, _inside(at[part], upper, plane), inside=True))
        return Shade(layers, edges=[(at, self.posterior)], notes=notes)


def _runs(marks: NDArray[np.bool_]) -> list[tuple[bool, int, int]]:
    """The first and last place of each stretch of equal marks; where there is no limit, up to where there is one."""
    last = len(marks) - 1
    starts = [0, *(np.flatnonzero(np.diff(marks)) + 1).tolist()]
    runs = [(bool(marks[start]), start, end - 1) for start, end in zip(starts, [*starts[1:], last + 1], strict=True)]
    return [run if run[0] else (False, max(run[1] - 1, 0), min(run[2] + 1, last)) for run in runs]


def _inside(at: Array, upper: Array, plane: Plane) -> list[tuple[float, float]]:
    """Places in an area, those low and to the right first, where lines seldom are."""
    top = plane.y["scale"]["domain"][1]
    columns = [len(at) - 1 - round(share * (len(at) - 1)) for share in (0.28, 0.2, 0.4, 0.5, 0.6, 0.1, 0.7, 0.8)]
    return [
        (float(at[n]), height * top)
        for height in (0.2, 0.1, 0.06, 0.3, 0.5, 0.8, 0.92)
        for n in columns
        if height * top <= 0.92 * upper[n]
    ]


@dataclass(frozen=True)
class AllowedPoint:
    """The largest posterior that is allowed, at one prior; it is a diamond."""

    prior: float
    posterior: float

    @property
    def sign(self) -> str:
        """What the diamond means."""
        return " Diamond: what is allowed."

    def words(self, at: Array) -> str:
        """What is allowed at the prior."""
        return f"Allowed: from {percent(self.prior)} to {percent(self.posterior)}."

    def shade(self, at: Array, plane: Plane) -> Shade:
        """The diamond with its number, if its prior is among those that are drawn."""
        if not at[0] <= self.prior <= at[-1]:
            return Shade()
        place = (self.prior, self.posterior)
        diamond = marked(
            dict(zip(("prior", "posterior"), place, strict=True)), plane.x, plane.y, shape="diamond", size=140
        )
        return Shade(
            points=[diamond], marked=[place], notes=[Note(f"allowed up to {percent(self.posterior)}", [place])]
        )


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
    limited = possible & np.isfinite(limit)
    return AllowedCurve(np.where(possible, np.minimum(down(limit * priors), 1.0), 1.0), limited)


@allowed_posterior.register
def _(allowed: limits.RatioLimit, at: Array) -> AllowedCurve | AllowedPoint:
    if allowed.prior is not None:
        return AllowedPoint(allowed.prior, min(1.0, float(down(allowed.ratio * allowed.prior))))
    return AllowedCurve(np.minimum(down(allowed.ratio * at), 1.0) * (at > 0.0), np.full(at.shape, True))


@allowed_posterior.register
def _(allowed: limits.DifferenceLimit, at: Array) -> AllowedCurve | AllowedPoint:
    if allowed.prior is not None:
        return AllowedPoint(allowed.prior, min(1.0, float(add_down(allowed.prior, allowed.difference))))
    return AllowedCurve(np.minimum(add_down(at, allowed.difference), 1.0), np.full(at.shape, True))


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
    title = f"How the posterior varies, from a prior of {percent(before)}"
    caption = (
        f"{drawn.opening()}The probability over the noise that the posterior exceeds the number on the lower axis is "
        f"{drawn.direction.value} the line.{under(neighbours)}"
    )
    held = {name: law.quantile(_QUANTILES).bound for name, law in laws.items()}
    spread = {name: _spread(found) for name, found in held.items()}
    alone = next(iter(held)) if len(held) == 1 else None
    dots = "" if alone is None else f" Dots: {spread[alone]}."
    told = drawn.words((before, 0.9), "above {:.4g} with probability".format)
    alt = f"Line chart. {title}. {caption} {told} {'; '.join(f'{name}: {each}' for name, each in spread.items())}."
    table = Columns(drawn.columns("posterior", "probability of more"))
    chart = _thresholds(drawn, before, None if alone is None else held[alone])
    return pictured(chart, title=title, caption=caption + dots, alt=alt, table=table)


def _laws(
    promised: Promise | PosteriorLaw | Mapping[str, Promise], prior: float | None, neighbours: Neighbours | None
) -> dict[str, PosteriorLaw]:
    if isinstance(promised, PosteriorLaw):
        return {promise_name(promised.promise): promised}
    if prior is None:
        way_out = "Pass the probability before the release, such as 0.5."
        raise InvalidInput("prior", "must be given with a promise or a mechanism", prior, way_out)
    return {name: membership.distribution(one, prior, neighbours=neighbours) for name, one in named(promised).items()}


def _thresholds(drawn: Curves, prior: float, quantiles: Finding | None) -> Spec:
    """The lines, the prior, and the posteriors that are exceeded one time in two, in twenty and in a hundred."""
    ends = rows_of(posterior=[prior, prior], chance=[0.0, 1.0])
    numbers = [] if quantiles is None else zip(values(quantiles).tolist(), _QUANTILES, strict=True)
    points = [(number, 1.0 - level) for number, level in numbers]
    rows = [{"posterior": number, "chance": chance} for number, chance in points]
    return drawn.chart(
        Plane(_POSTERIOR, _CHANCE, WIDTH, HEIGHT),
        below=[reference(ends, _POSTERIOR, _CHANCE)],
        over=[marked(row, _POSTERIOR, _CHANCE, size=70) for row in rows],
        crossed=[([prior, prior], [0.0, 1.0])],
        marked=points,
        notes=[Note("prior", [(prior, height) for height in (0.06, 0.95, 0.3, 0.5, 0.7)])],
    )


def _spread(found: Finding) -> str:
    return ", ".join(f"{percent(level)} of the time {said(found, n)}" for n, level in enumerate(_QUANTILES))
