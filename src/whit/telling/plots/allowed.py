"""What is allowed in a picture of posteriors: an area below a curve, or a point; each with its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import Incompatible
from whit.numerics import add_down, down
from whit.policy import limits
from whit.policy.profiles import RiskProfile
from whit.telling.plots.answers import chosen, places
from whit.telling.plots.layers import Array, Spec, band, marked, rows_of
from whit.telling.plots.placing import Note, Plane
from whit.telling.plots.style import NO_LIMIT, SHADE
from whit.telling.plots.wording import Words, sentences
from whit.theory import Unit

_SMALLEST = 1e-9
"""The belief that stands for those close to 0, about which a profile says nothing at 0 itself."""


def among(at: Array, *shares: float) -> tuple[float, ...]:
    """Priors at these shares of the range that is drawn."""
    return tuple(float(at[0] + share * (at[-1] - at[0])) for share in shares)


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

    def at(self, prior: float) -> float | None:
        """What is allowed from the one prior that it was made for; None where there is no limit."""
        return float(self.posterior[0]) if self.limited[0] else None

    def sign(self, words: Words) -> str:
        """What the shades mean."""
        grey = "" if self.limited.all() else words("posterior.sign.grey")
        return sentences(words("posterior.sign.shaded") if self.limited.any() else "", grey)

    def told(self, at: Array) -> list[tuple[float, float]]:
        """Some of the priors, and what is allowed from each."""
        inside, most = at[self.limited], self.posterior[self.limited]
        told = chosen(inside, among(inside, 0.1, 0.5)) if inside.size else ()
        return [(float(inside[n]), float(most[n])) for n in told]

    def shade(self, at: Array, plane: Plane, words: Words) -> Shade:
        """The areas below it, each with its name, and its edge."""
        layers, notes = [], []
        for limited, first, last in _runs(self.limited):
            part = slice(first, last + 1)
            key, colour, opacity = ("allowed", SHADE, 0.25) if limited else ("no_limit", NO_LIMIT, 0.6)
            upper = self.posterior[part] if limited else np.full(last + 1 - first, plane.y["scale"]["domain"][1])
            rows = rows_of(prior=at[part], posterior=np.zeros_like(upper), allowed=upper)
            layers.append(band(rows, plane.x, plane.y, "allowed", colour=colour, opacity=opacity))
            notes.append(Note(words(f"posterior.note.{key}"), _inside(at[part], upper, plane), inside=True))
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

    def at(self, prior: float) -> float | None:
        """What is allowed from a prior; None from another one than its own."""
        return self.posterior if prior == self.prior else None

    def sign(self, words: Words) -> str:
        """What the diamond means."""
        return words("posterior.sign.diamond")

    @property
    def place(self) -> tuple[float, float]:
        """The prior, and what is allowed from it."""
        return self.prior, self.posterior

    def shade(self, at: Array, plane: Plane, words: Words) -> Shade:
        """The diamond with its number, if its prior is among those that are drawn."""
        if not at[0] <= self.prior <= at[-1]:
            return Shade()
        diamond = marked(
            dict(zip(("prior", "posterior"), self.place, strict=True)), plane.x, plane.y, shape="diamond", size=140
        )
        text = words("common.limit", number=words.given(self.posterior, Unit.PROBABILITY))
        return Shade(points=[diamond], marked=[self.place], notes=[Note(text, [self.place])])


def _allowed(pairs: Iterable[tuple[float, float]], words: Words) -> str:
    """Priors, and the largest posterior that is allowed from each, as a sentence."""
    said = ([words.given(number, Unit.PROBABILITY) for number in pair] for pair in pairs)
    told = (words("posterior.from_to", prior=prior, posterior=posterior) for prior, posterior in said)
    return words("posterior.allowed", list=", ".join(told))


@dataclass(frozen=True, eq=False)
class Allowed:
    """All that is allowed at once: the lowest of the curves, and every point.

    Attributes:
        curve: the largest posterior that every curve allows; None if there is no curve.
        points: the limits at one prior each.
        is_whole: whether every limit bounds a posterior, and so is shown.
    """

    curve: AllowedCurve | None
    points: tuple[AllowedPoint, ...]
    is_whole: bool

    @property
    def posterior(self) -> Array:
        """Every posterior that has to fit into the picture."""
        curve = () if self.curve is None else self.curve.posterior
        return np.array([*curve, *(point.posterior for point in self.points)])

    def sign(self, words: Words) -> str:
        """What shades and diamonds mean, and whether a limit is not shown."""
        diamonds = self.points[0].sign(words) if self.points else ""
        return sentences("" if self.curve is None else self.curve.sign(words), diamonds, self._elsewhere(words))

    def told(self, at: Array, words: Words) -> str:
        """What is allowed at some of the priors."""
        curve = [] if self.curve is None else self.curve.told(at)
        pairs = [*curve, *(point.place for point in self.points)]
        return sentences(
            _allowed(pairs, words) if pairs else words("posterior.unlimited"),
            self._elsewhere(words),
        )

    def _elsewhere(self, words: Words) -> str:
        return "" if self.is_whole else words("posterior.sign.elsewhere")

    def shade(self, at: Array, plane: Plane, words: Words) -> Shade:
        """The areas, then the diamonds."""
        area = Shade() if self.curve is None else self.curve.shade(at, plane, words)
        diamonds = [point.shade(at, plane, words) for point in self.points]
        return replace(
            area,
            points=[each for one in diamonds for each in one.points],
            marked=[each for one in diamonds for each in one.marked],
            notes=[*area.notes, *(each for one in diamonds for each in one.notes)],
        )


Shaded: TypeAlias = tuple[object, ArrayLike | None]
"""A limit or a profile, and the range of priors from which it must hold, if there is one."""

_SHOWN = (RiskProfile, limits.RatioLimit, limits.DifferenceLimit, limits.PosteriorLimit)


def shadings(allowed: object, within: ArrayLike | None) -> list[Shaded]:
    """Each limit with its range: one with the range beside it, or several; a pair among them names its own range."""
    if allowed is None and within is None:
        return []
    if not isinstance(allowed, list | tuple):
        return [_ranged(allowed, within)]
    if within is not None:
        way_out = "Pass a pair for each limit with a range: allowed=[(limits.ratio(3.0), (0.01, 0.1))]."
        raise Incompatible("within", "must come with one limit", f"{len(allowed)} of them", way_out)
    return [_ranged(*each) if isinstance(each, tuple) and len(each) == 2 else _ranged(each, None) for each in allowed]


def _ranged(allowed: object, within: ArrayLike | None) -> Shaded:
    own = allowed.between if isinstance(allowed, limits.DifferenceLimit) else None
    return allowed, own if within is None else within


def allowed_among(several: Sequence[Shaded], at: Array) -> Allowed | None:
    """What all of them allow at each of the priors; one about something else is left out beside others."""
    shown = [each for each in several if isinstance(each[0], _SHOWN) or not isinstance(each[0], limits.Limit)]
    found = [_allowed_by(*each, at) for each in shown or several]
    curves = [each for each in found if isinstance(each, AllowedCurve)]
    points = tuple(each for each in found if isinstance(each, AllowedPoint))
    return Allowed(_lowest(curves), points, len(shown) == len(several)) if found else None


def allowed_from(prior: float, allowed: object) -> tuple[float | None, bool]:
    """The largest posterior that limits and profiles allow from one prior, and whether all of them are about it.

    None if none of them limits it.
    """
    several = shadings(allowed, None)
    shown = [each for each in several if isinstance(each[0], _SHOWN) or not isinstance(each[0], limits.Limit)]
    found = [_allowed_by(*each, np.array([prior])) for each in shown]
    most = [each.at(prior) for each in found]
    known = [each for each in most if each is not None]
    return min(known, default=None), len(known) == len(several)


def _lowest(curves: Sequence[AllowedCurve]) -> AllowedCurve | None:
    """What all curves allow: it is 1 where there is no limit."""
    if not curves:
        return None
    lowest = np.minimum.reduce([each.posterior for each in curves])
    return AllowedCurve(lowest, np.logical_or.reduce([each.limited for each in curves]))


def _allowed_by(allowed: object, within: ArrayLike | None, at: Array) -> AllowedCurve | AllowedPoint:
    """What one of them allows: from all priors, or from those of a range."""
    if within is None:
        return allowed_posterior(allowed, at)
    if isinstance(allowed, limits.PosteriorLimit):
        most = np.full(at.shape, allowed.posterior)
    elif isinstance(allowed, limits.RatioLimit | limits.DifferenceLimit):
        most = np.asarray(allowed_posterior(replace(allowed, prior=None), at).posterior)
    else:
        rule = "must come with a limit on posterior, ratio or difference"
        way_out = "Name a limit, such as a difference of at most 0.2; or no range of priors."
        raise Incompatible("within", rule, allowed, way_out)
    low, *_, high = places("within", within, 0.0, 1.0)
    limited = (at >= low) & (at <= high)
    return AllowedCurve(np.where(limited, most, 1.0), limited)


@singledispatch
def allowed_posterior(allowed: object, at: Array) -> AllowedCurve | AllowedPoint:  # noqa: ARG001
    """What is allowed at each of the priors, rounded down."""
    rule = "must be a risk profile, or a limit on posterior, ratio or difference"
    way_out = "Name a profile, such as one that allows three times the prior; or a limit, such as a difference of 0.2."
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
