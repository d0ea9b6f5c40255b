"""Promises as lines: delta at each epsilon, the loss and its chance, level and power, the risk of several releases."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import CompositionRule, Curve, OwnComposition, Promise, largest_loss
from whit.errors import require
from whit.numerics import number
from whit.semantics import membership, testing
from whit.semantics.membership import PosteriorFrom, Risk
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
from whit.telling.plots.layers import Array, Spec, axis, dots, heading, is_log, reference, rows_of, series_rows
from whit.telling.plots.lettering import line_chart
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import DIAGONAL, Note, Plane
from whit.telling.plots.style import HEIGHT, WIDTH
from whit.telling.plots.wording import ENGLISH, Words, capital, sentences, words_of
from whit.theory import Direction, Finding, Unit


@dataclass(frozen=True, eq=False)
class Curves:
    """The lines of one picture: findings by name, over the same places.

    Attributes:
        at: the places.
        bounds: the finding of each line, on its safe side.
        said_in: the words of the picture.
    """

    at: Array
    bounds: Mapping[str, Finding]
    said_in: Words = ENGLISH

    @classmethod
    def of(
        cls,
        promised: Promise | Mapping[str, Promise],
        at: Array,
        ask: Callable[[Promise], Finding],
        words: Words = ENGLISH,
    ) -> Curves:
        """The answer to a question for one promise, or for several by name."""
        return cls(at, {name: ask(one).bound for name, one in named(promised).items()}, words)

    @property
    def direction(self) -> Direction:
        """The direction that all of them have."""
        return Direction.combine(*(bound.direction for bound in self.bounds.values()))

    @property
    def series(self) -> dict[str, tuple[Array, Array]]:
        """The places and numbers of each line."""
        return {name: (self.at, values(bound)) for name, bound in self.bounds.items()}

    def opening(self, key: str = "common.opening") -> str:
        """The first sentence of a caption: which promise is drawn, if there is but one that has a name of its own."""
        words, name = self.said_in, next(iter(self.bounds))
        if len(self.bounds) > 1 or name == words("common.this_release"):
            return ""
        return f"{words(key, name=name)} "

    def chart(self, plane: Plane, **more: Any) -> Spec:
        """The lines with their names; the options are those of `line_chart`."""
        return line_chart(self.series, plane, **more)

    def told(self, at: tuple[float, ...], pair: Callable[[float, str], str]) -> str:
        """Some of the numbers of each line, each with its place as the pair says it."""
        words = self.said_in
        told = {
            name: ", ".join(pair(float(self.at[n]), said(bound, n, words)) for n in chosen(self.at, at))
            for name, bound in self.bounds.items()
        }
        parts = [words("common.told", name=name, list=some) for name, some in told.items()]
        return "; ".join([capital(parts[0]) if words("common.this_release") in told else parts[0], *parts[1:]]) + "."

    def columns(self, place: str, quantity: str) -> dict[str, object]:
        """The columns of a table: the places, and the numbers of each line with their direction."""
        named = {f"{quantity} {bound.direction.value}: {name}": values(bound) for name, bound in self.bounds.items()}
        return {place: self.at, **named}


FAILURES = tuple(10.0 ** (number / 10) for number in range(-100, -2))
"""The chances at which the loss is drawn, unless told otherwise."""

_SMALLEST = 1e-10
_ABOVE_ALL = 1.5
"""Where the axis of delta ends: a line at 1 is not at the edge, where half of it would be cut off."""

_FARTHEST = 50.0
_POINTS = 121
_TOWARDS = (0.45, 0.49, 0.499, 0.5, 0.9, 0.98, 0.999, 1.0)


def profile_curve(
    promised: Promise | Mapping[str, Promise],
    *,
    neighbours: Neighbours | None = None,
    epsilons: ArrayLike | None = None,
    language: str = "en",
) -> Picture:
    """The smallest delta that is known at each epsilon, on a scale of powers of ten: the privacy profile.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        neighbours: the relation between datasets; that of the promise if none is named.
        epsilons: where delta is drawn; from 0 to where it is negligible, if not given.
        language: the code of the language of its words, such as "de".
    """
    words = words_of(language)
    curves = {name: one.curve(neighbours) for name, one in named(promised).items()}
    at = _reach(list(curves.values())) if epsilons is None else places("epsilons", epsilons, 0.0, np.inf)
    drawn = Curves(at, {name: curve.delta(at).bound for name, curve in curves.items()}, words)
    title, line = words("profile.title"), words.directed("profile.line", drawn.direction)
    caption = f"{drawn.opening()}{line} {words('profile.ends', smallest=f'{_SMALLEST:g}')}{under(neighbours, words)}"
    x = axis("epsilon", "epsilon", (float(at[0]), float(at[-1])), words=words)
    y = axis("delta", "delta", (_SMALLEST, _ABOVE_ALL), log=True, ticks=6, words=words)
    told = drawn.told((float(at[0]), float(at[len(at) // 2])), pairs("profile.at", words))
    alt = words("common.line_chart", title=title, text=f"{caption} {told}")
    table = Columns(drawn.columns("epsilon", "delta"))
    chart = drawn.chart(Plane(x, y, WIDTH, HEIGHT), clip=True)
    return pictured(chart, title=title, caption=caption, alt=alt, table=table, language=language)


def pairs(key: str, words: Words) -> Callable[[float, str], str]:
    """How a place and the number there are said."""
    return lambda place, value: words(key, place=words.language.digits(f"{place:.4g}"), value=value)


def loss_curve(
    promised: Promise | Mapping[str, Promise],
    *,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    failures: ArrayLike = FAILURES,
    language: str = "en",
) -> Picture:
    """The privacy loss that is exceeded with at most each probability: the epsilon and delta of probabilistic DP.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        sides: 2 to count losses that speak against the truth as well.
        neighbours: the relation between datasets; that of the promise if none is named.
        failures: the probabilities.
        language: the code of the language of its words, such as "de".
    """
    words, at = words_of(language), places("failures", failures, 0.0, 1.0)
    drawn = Curves.of(promised, at, lambda one: largest_loss(one, at, sides=sides, neighbours=neighbours), words)
    title, line = words("loss.title"), words.directed("loss.one" if sides == 1 else "loss.both", drawn.direction)
    caption = f"{drawn.opening()}{line}{under(neighbours, words)}"
    positive = at[at > 0.0]
    x = axis("chance", words("loss.x"), (float(positive[0]), float(at[-1])), log=True, ticks=6, words=words)
    y = axis("loss", words("loss.y"), (0.0, _top(drawn)), words=words)
    told = drawn.told((1e-6, 0.01), pairs("loss.at", words))
    alt = words("common.line_chart", title=title, text=f"{caption} {told}")
    table, chart = (
        Columns(drawn.columns("probability", "privacy loss")),
        drawn.chart(Plane(x, y, WIDTH, HEIGHT), clip=True),
    )
    return pictured(chart, title=title, caption=caption, alt=alt, table=table, language=language)


def _reach(curves: list[Curve]) -> Array:
    """Epsilons from 0 to where no delta falls further, with more of them where one ends."""
    ends = [_end(curve) for curve in curves]
    farthest = max([1.05 * end for end in ends] + [1.0] * (max(ends) == 0.0))
    corners = np.outer(np.asarray(ends), _TOWARDS).ravel()
    return np.unique(np.append(np.linspace(0.0, farthest, _POINTS), corners[corners <= farthest]))


def _end(curve: Curve) -> float:
    """The epsilon from which delta is negligible, or from which it stays as it is; beyond the farthest is not drawn."""
    lowest = max(_SMALLEST, float(curve.delta(_FARTHEST).bound))
    end = float(curve.epsilon(min(lowest, 1.0)).bound)
    return min(end if lowest == _SMALLEST else 2.0 * end, _FARTHEST)


def _top(drawn: Curves, least: float = 0.0) -> float:
    """A little above the largest number that can be drawn, or the least that must be."""
    found = np.concatenate([values(bound) for bound in drawn.bounds.values()])
    return 1.05 * float(np.max(found[np.isfinite(found)], initial=least)) or 1.0


LEVELS = (*(10.0 ** (number / 20) for number in range(-120, -30)), *(number / 100 for number in range(4, 101)))
"""The levels at which the power is drawn, unless told otherwise: small ones close together, then by hundredths."""

_TESTERS = {Knowledge.EVERYONE_ELSE: "tests.knows", Knowledge.ANY_BELIEF: "tests.believes"}
_SIDE = 300
_LOWEST = 1e-6
_POWERS = (1e-6, 1e-4, 1e-2, 1.0)


def level_and_power(
    promised: Promise | Mapping[str, Promise],
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    levels: ArrayLike = LEVELS,
    language: str = "en",
) -> Picture:
    """The largest power of a test at each level, and beside it the same at small levels.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        neighbours: the relation between datasets; that of the promise if none is named.
        knows: what the adversary knows about everybody else.
        levels: the levels at which the power is drawn.
        language: the code of the language of its words, such as "de".
    """
    at, words = places("levels", levels, 0.0, 1.0), words_of(language)
    drawn = Curves.of(promised, at, lambda one: testing.power(one, at, neighbours=neighbours, knows=knows), words)
    title, block = words("tests.title"), dependent(promised, words)
    about, line = _tested(promised, neighbours), words.directed("tests.line", drawn.direction)
    others = words(f"{_TESTERS[knows]}_block" if block else _TESTERS[knows])
    hit = sentences(words(f"tests.hit.{about}"), "" if about == "local" else others)  # an answer is seen by itself
    caption = f"{drawn.opening()}{line} {hit}{block}{under(neighbours, words)}"
    told = drawn.told((0.01, 0.05, 0.1), pairs("tests.at", words))
    alt = words("common.two_line_charts", title=title, text=f"{caption} {told}")
    body = {"hconcat": [_all_levels(drawn), _small_levels(drawn)], "spacing": 40}
    table = Columns(drawn.columns("level", "power"))
    return pictured(body, title=title, caption=caption, alt=alt, table=table, language=language)


def _tested(promised: Promise | Mapping[str, Promise], neighbours: Neighbours | None) -> str:
    """What a test is about: the relation that all promises have, or a fact where they differ or none is known."""
    relations = {one.relation(neighbours) for one in named(promised).values()}
    one = relations.pop() if len(relations) == 1 else None
    return "fact" if one is None else one.name.lower()


def _all_levels(drawn: Curves) -> Spec:
    words = drawn.said_in
    x = axis("level", words("tests.x"), (0.0, 1.0), percent=True, apart=True, words=words)
    y = axis("power", words("tests.y"), (0.0, 1.0), percent=True, apart=True, words=words)
    guessing = reference(rows_of(level=[0.0, 1.0], power=[0.0, 1.0]), x, y)
    return drawn.chart(
        Plane(x, y, _SIDE, _SIDE),
        below=[guessing],
        crossed=[([0.0, 1.0], [0.0, 1.0])],
        notes=[Note(words("tests.guessing"), [(share, share) for share in DIAGONAL])],
        outside=False,
    )


def _small_levels(drawn: Curves) -> Spec:
    """The numbers on scales of powers of ten, from one in a million."""
    ends, words = [_LOWEST, 1.0], drawn.said_in
    x = axis("level", words("tests.small_x"), ends, log=True, values=_POWERS, apart=True, words=words)
    y = axis("power", words("tests.small_y"), ends, log=True, values=_POWERS, apart=True, words=words)
    guessing = reference(rows_of(level=ends, power=ends), x, y)
    kept, side = drawn.at >= _LOWEST, _SIDE * 0.7
    series = {name: (at[kept], powers[kept]) for name, (at, powers) in drawn.series.items()}
    plane = Plane(x, y, side, side)
    chart = line_chart(series, plane, below=[guessing], crossed=[(ends, ends)])
    return chart | {"title": {**heading(words("tests.small"), side), "frame": "group"}}


COUNTS = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 270, 365)
"""The numbers of releases that are drawn, unless told otherwise."""

_LIMIT = "Use a limit such as 0.8 on a posterior."
_MOST_DOTS = 40
_ALONG = (0.05, 0.9, 0.15, 0.8, 0.25, 0.65, 0.35, 0.5)
"""Where along the line of a limit its name may be, the best place first."""


def risk_over_releases(
    promised: Promise | Mapping[str, Promise],
    risk: Risk,
    counts: Sequence[int] | NDArray[np.integer] = COUNTS,
    *,
    limit: float | None = None,
    failure: float = 0.0,
    sides: int = 1,
    rule: CompositionRule | None = None,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
    when: When = When.END,
    language: str = "en",
) -> Picture:
    """The largest risk after each number of releases, and the limit that it should keep.

    Args:
        promised: what is promised of one release; or a mapping from names to several.
        risk: what is drawn: PosteriorFrom(prior), DifferenceAtAnyPrior() or RatioAtAnyPrior().
        counts: the numbers of releases, at least two of them.
        limit: the largest acceptable risk, as a line.
        failure: the chance over the noise with which the bound may be false.
        sides: 2 to bound falls of the belief as well.
        rule: how releases add up; the promise's own if none is named.
        neighbours: the relation between datasets; that of the promise if none is named.
        knows: what the adversary knows about everybody else.
        when: whether the bound is about the end, or about every moment up to each number.
        language: the code of the language of its words, such as "de".
    """
    at, way_out = np.unique(np.ravel(np.asarray(counts))), "Use numbers such as [1, 7, 30]."
    rule_of_counts = "must be at least two numbers of releases"
    require(at.size >= 2, name="counts", rule=rule_of_counts, value=counts, way_out=way_out)
    adding = rule or OwnComposition()

    def ask(one: Promise) -> Finding:
        """The risk after each number of releases."""
        return membership.risk_over_releases(
            one, risk, at, failure=failure, sides=sides, rule=adding, neighbours=neighbours, knows=knows, when=when
        )

    words = words_of(language)
    drawn, unit = Curves.of(promised, at, ask, words), risk.quantity.unit
    bound = None if limit is None else number("limit", limit, _LIMIT)
    before = {"prior": percent(risk.prior, words)} if isinstance(risk, PosteriorFrom) else {}
    gaps = {"quantity": capital(words.quantity(risk.quantity.name)), "certainty": certainty(failure, words), **before}
    rule_name = "" if isinstance(adding, OwnComposition) else words.language.name("rule", *[_in_words(adding)] * 2)
    title, caption = (
        words("releases.title"),
        sentences(
            drawn.opening(key="releases.opening").strip(),
            words.directed("releases.from" if before else "releases.line", drawn.direction, **gaps),
            words("releases.falls") if sides == 2 else "",
            words("releases.ever") if when is When.EVER else "",
            f"{dependent(promised, words)}{knowing(knows, words)}".strip(),
            words("releases.rule", rule=rule_name) if rule_name else "",
            under(neighbours, words).strip(),
            "" if bound is None else words("releases.dashed", limit=limit_text(bound, unit, words)),
        ),
    )
    x, y = _releases_axis(at, words), _risk_axis(drawn, limit, risk)
    few = dots(series_rows(drawn.series, x, y), x, y, list(drawn.bounds), size=26)
    level = {} if bound is None else limit_line(bound, x, y, unit, words)
    chart = drawn.chart(Plane(x, y, WIDTH, HEIGHT), over=[few] if len(at) <= _MOST_DOTS else [], **level)
    told = drawn.told((float(at[0]), float(at[len(at) // 2]), float(at[-1])), pairs("releases.at", words))
    alt = words("common.line_chart", title=title, text=f"{caption} {told}")
    table = Columns(drawn.columns("releases", risk.quantity.name))
    return pictured(chart, title=title, caption=caption, alt=alt, table=table, language=language)


def _in_words(rule: CompositionRule) -> str:
    """The name of a rule, such as advanced composition."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(rule).__name__).lower()


def _releases_axis(at: Array, words: Words) -> Spec:
    ends = (float(at[0]), float(at[-1]))
    return axis("releases", words("releases.x"), ends, log=ends[1] / ends[0] > 50.0, whole=True, words=words)


def _risk_axis(drawn: Curves, limit: float | None, risk: Risk) -> Spec:
    words, name = drawn.said_in, drawn.said_in.quantity(risk.quantity.name)
    if risk.quantity.unit is Unit.PROBABILITY:
        return axis("risk", name, (0.0, 1.0), percent=True, words=words)
    return axis("risk", name, (0.0, _top(drawn, 0.0 if limit is None else limit)), words=words)


def limit_text(bound: float, unit: Unit, words: Words = ENGLISH) -> str:
    """The limit with its number."""
    return words("common.limit", number=words.given(bound, unit))


def limit_line(bound: float, x: Spec, y: Spec, unit: Unit, words: Words = ENGLISH) -> dict[str, Any]:
    """A line across a chart with the limit beside it, as options of `line_chart`."""
    ends, (low, high) = [bound, bound], x["scale"]["domain"]
    line = reference(rows_of(**{x["field"]: [low, high], y["field"]: ends}), x, y)
    along = [(low * (high / low) ** share if is_log(x) else low + share * (high - low), bound) for share in _ALONG]
    text = limit_text(bound, unit, words)
    return {"below": [line], "crossed": [([low, high], ends)], "notes": [Note(text, along)]}
