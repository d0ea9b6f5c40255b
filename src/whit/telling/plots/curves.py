"""Promises as lines: delta at each epsilon, the loss and its chance, level and power."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Curve, Promise, largest_loss
from whit.policy import limits
from whit.semantics import testing
from whit.setting import Knowledge, Neighbours
from whit.telling.plots.answers import (
    Columns,
    chosen,
    dependent,
    in_own_words,
    named,
    places,
    said,
    under,
    values,
)
from whit.telling.plots.layers import Array, Spec, axis, heading, marked, reference, rows_of
from whit.telling.plots.lettering import line_chart
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import DIAGONAL, Note, Plane
from whit.telling.plots.style import Page
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
        return cls(at, {name: ask(one).bound for name, one in named(promised, words).items()}, words)

    @property
    def direction(self) -> Direction:
        """The direction that all of them have."""
        return Direction.combine(*(bound.direction for bound in self.bounds.values()))

    @property
    def series(self) -> dict[str, tuple[Array, Array]]:
        """The places and numbers of each line."""
        return {name: (self.at, values(bound)) for name, bound in self.bounds.items()}

    def opening(self, promised: Promise | Mapping[str, Promise], key: str = "common.opening") -> str:
        """The first sentence of a caption: which promise is drawn if there is but one, and what stands behind names."""
        words, name, own = self.said_in, next(iter(self.bounds)), in_own_words(promised, self.said_in)
        if name == words("common.this_release"):
            return ""
        told = {each: words("common.told", name=each, list=text) for each, text in own.items()}
        if len(self.bounds) == 1:
            own_comma = "," if "," in name and key == IN_EACH else ""
            return f"{words(key, name=f'{told.get(name, name)}{own_comma}')} "
        return f"{'; '.join(told.values())}. " if told else ""

    def chart(self, plane: Plane, **more: Any) -> Spec:
        """The lines with their names; the options are those of `line_chart`."""
        return line_chart(self.series, plane, **more)

    def on(self, x: Spec, y: Spec, **more: Any) -> Callable[[Page], Spec]:
        """The chart as it is drawn on a page, between these axes."""
        return lambda page: self.chart(Plane.on(page, x, y), **more)

    def told(self, at: tuple[float, ...], pair: Callable[[float, str], str]) -> str:
        """Some of the numbers of each line, each with its place as the pair says it."""
        words = self.said_in
        told = {
            name: ", ".join(pair(float(self.at[n]), said(bound, n, words)) for n in chosen(self.at, at))
            for name, bound in self.bounds.items()
        }
        parts = [words("common.told", name=name, list=some) for name, some in told.items()]
        return "; ".join([capital(parts[0]) if words("common.this_release") in told else parts[0], *parts[1:]]) + "."

    def top(self, least: float = 0.0) -> float:
        """A little above the largest number that can be drawn, or the least that must be."""
        found = np.concatenate([values(bound) for bound in self.bounds.values()])
        return 1.05 * float(np.max(found[np.isfinite(found)], initial=least)) or 1.0

    def columns(self, place: str, quantity: str) -> dict[str, object]:
        """The columns of a table: the places, and the numbers of each line with their direction."""
        named = {f"{quantity} {bound.direction.value}: {name}": values(bound) for name, bound in self.bounds.items()}
        return {place: self.at, **named}


IN_EACH = "releases.opening"
"""The opening that goes on behind the name."""

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
    curves = {name: one.curve(neighbours) for name, one in named(promised, words).items()}
    at = _reach(list(curves.values())) if epsilons is None else places("epsilons", epsilons, 0.0, np.inf)
    drawn = Curves(at, {name: curve.delta(at).bound for name, curve in curves.items()}, words)
    title, line = words("profile.title"), words.directed("profile.line", drawn.direction)
    ends = words("profile.ends", smallest=words.given(_SMALLEST, Unit.NUMBER))
    caption = f"{drawn.opening(promised)}{line} {ends}{under(neighbours, words)}"
    x = axis("epsilon", "epsilon", (float(at[0]), float(at[-1])), words=words)
    y = axis("delta", "delta", (_SMALLEST, _ABOVE_ALL), log=True, ticks=6, words=words)
    told = drawn.told((float(at[0]), float(at[len(at) // 2])), pairs("profile.at", words))
    alt = words("common.line_chart", title=title, text=f"{caption} {told}")
    table = Columns(drawn.columns("epsilon", "delta"))
    return pictured(drawn.on(x, y, clip=True), title=title, caption=caption, alt=alt, table=table, language=language)


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
    caption = f"{drawn.opening(promised)}{line} {words('loss.knows')}{under(neighbours, words)}"
    positive = at[at > 0.0]
    x = axis("chance", words("loss.x"), (float(positive[0]), float(at[-1])), log=True, ticks=6, words=words)
    y = axis("loss", words("loss.y"), (0.0, drawn.top()), words=words)
    told = drawn.told((1e-6, 0.01), pairs("loss.at", words))
    alt = words("common.line_chart", title=title, text=f"{caption} {told}")
    table = Columns(drawn.columns("probability", "privacy loss"))
    return pictured(drawn.on(x, y, clip=True), title=title, caption=caption, alt=alt, table=table, language=language)


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
    allowed: limits.PowerLimit | Sequence[object] | None = None,
    language: str = "en",
) -> Picture:
    """The largest power of a test at each level, and beside it the same at small levels.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        neighbours: the relation between datasets; that of the promise if none is named.
        knows: what the adversary knows about everybody else.
        levels: the levels at which the power is drawn.
        allowed: a limit on the power at one level, or a list of limits: each on the power is a diamond.
        language: the code of the language of its words, such as "de".
    """
    at, words = places("levels", levels, 0.0, 1.0), words_of(language)
    drawn = Curves.of(promised, at, lambda one: testing.power(one, at, neighbours=neighbours, knows=knows), words)
    title, block = words("tests.title"), dependent(promised, words)
    about, line = _tested(promised, neighbours), words.directed("tests.line", drawn.direction)
    others = words(f"{_TESTERS[knows]}_block" if block else _TESTERS[knows])
    hit = sentences(words(f"tests.hit.{about}"), "" if about == "local" else others)  # an answer is seen by itself
    caption = f"{drawn.opening(promised)}{line} {hit}{block}{under(neighbours, words)}"
    told, several = drawn.told((0.01, 0.05, 0.1), pairs("tests.at", words)), _limits(allowed)
    shown = [each for each in several if isinstance(each, limits.PowerLimit)]
    elsewhere = words("tests.elsewhere") if len(shown) < len(several) else ""
    text = sentences(caption, told, _allowed(shown, words), elsewhere)
    alt, table = words("common.two_line_charts", title=title, text=text), Columns(drawn.columns("level", "power"))
    caption = sentences(caption, words("posterior.sign.diamond") if shown else "", elsewhere)
    chart = partial(_two_scales, drawn, shown)
    return pictured(chart, title=title, caption=caption, alt=alt, table=table, language=language)


def _limits(allowed: object) -> list[object]:
    """Each limit by itself."""
    return [] if allowed is None else list(allowed) if isinstance(allowed, list | tuple) else [allowed]


def _allowed(shown: Sequence[limits.PowerLimit], words: Words) -> str:
    """The power that each limit allows, and at which level, as a sentence."""
    at = pairs("tests.at", words)
    listed = ", ".join(at(each.level, words.given(each.power, Unit.PROBABILITY)) for each in shown)
    return words("posterior.allowed", list=listed) if shown else ""


def _tested(promised: Promise | Mapping[str, Promise], neighbours: Neighbours | None) -> str:
    """What a test is about: the relation that all promises have, or a fact where they differ or none is known."""
    relations = {one.relation(neighbours) for one in named(promised).values()}
    one = relations.pop() if len(relations) == 1 else None
    return "fact" if one is None else one.name.lower()


def _two_scales(drawn: Curves, shown: Sequence[limits.PowerLimit], page: Page) -> Spec:
    """All levels, and the small ones beside or below."""
    if page.beside:
        small = _small_levels(drawn, shown, _SIDE * 0.7)
        return {"hconcat": [_all_levels(drawn, shown, _SIDE), small], "spacing": 40}
    small = _small_levels(drawn, shown, page.width, beside=False)
    return {"vconcat": [_all_levels(drawn, shown, page.width), small], "spacing": 30}


def _diamonds(shown: Sequence[limits.PowerLimit], plane: Plane, words: Words) -> dict[str, Any]:
    """A diamond for each limit whose level is drawn, with its number, as options of `line_chart`."""
    first = plane.x["scale"]["domain"][0]
    points = [(each.level, each.power) for each in shown if each.level >= first]
    texts = [words("common.limit", number=words.given(power, Unit.PROBABILITY)) for _, power in points]
    rows = [{"level": level, "power": power} for level, power in points]
    return {
        "over": [marked(row, plane.x, plane.y, shape="diamond", size=140) for row in rows],
        "marked": points,
        "notes": [Note(text, [point]) for text, point in zip(texts, points, strict=True)],
    }


def _all_levels(drawn: Curves, shown: Sequence[limits.PowerLimit], side: float) -> Spec:
    words = drawn.said_in
    x = axis("level", words("tests.x"), (0.0, 1.0), percent=True, apart=True, words=words)
    y = axis("power", words("tests.y"), (0.0, 1.0), percent=True, apart=True, words=words)
    guessing = reference(rows_of(level=[0.0, 1.0], power=[0.0, 1.0]), x, y)
    plane = Plane(x, y, side, side)
    more = _diamonds(shown, plane, words)
    more["notes"].append(Note(words("tests.guessing"), [(share, share) for share in DIAGONAL]))
    return drawn.chart(plane, below=[guessing], crossed=[([0.0, 1.0], [0.0, 1.0])], outside=False, **more)


def _small_levels(drawn: Curves, shown: Sequence[limits.PowerLimit], side: float, *, beside: bool = True) -> Spec:
    """The numbers on scales of powers of ten, from one in a million."""
    ends, words = [_LOWEST, 1.0], drawn.said_in
    x = axis("level", words("tests.small_x"), ends, log=True, values=_POWERS, apart=True, words=words)
    y = axis("power", words("tests.small_y"), ends, log=True, values=_POWERS, apart=True, words=words)
    guessing = reference(rows_of(level=ends, power=ends), x, y)
    kept = drawn.at >= _LOWEST
    series = {name: (at[kept], powers[kept]) for name, (at, powers) in drawn.series.items()}
    plane = Plane(x, y, side, side, beside)
    chart = line_chart(series, plane, below=[guessing], crossed=[(ends, ends)], **_diamonds(shown, plane, words))
    return chart | {"title": {**heading(words("tests.small"), side), "frame": "group"}}
