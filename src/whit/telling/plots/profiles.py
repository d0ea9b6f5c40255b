"""Risk profiles, belief by belief: what one accepts, the epsilon that this allows, and the adversary who decides.

Along one belief it is drawn as lines (KR24, Figures 1, 3 and 4), over both as a map (Figure 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from whit.errors import Incompatible, require
from whit.guarantees import PureDP
from whit.numerics import count
from whit.policy import recommend
from whit.policy.profiles import RiskProfile
from whit.semantics import disclosure
from whit.telling.plots.answers import Columns, members, values
from whit.telling.plots.layers import Array, Spec, axis, finite, layer, layered, lines, marked, series_rows, written
from whit.telling.plots.lettering import line_chart, noted
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import Note, Plane, Room
from whit.telling.plots.style import NO_LIMIT, SCALE, Page
from whit.telling.plots.wording import Words, capital, sentences, words_of
from whit.theory import Direction, Finding

_HEIGHT = 190
_SMALLEST = 0.005
_POINTS = 200
_PROFILE = "Name a risk profile, such as one that allows three times the prior or 25 %; or several by name."
_CELLS = 40
_SIDE = 380
_BELIEFS = ("inclusion", "value")
_HIGHEST = 4.0
"""Epsilons from here on share the last colour, as in the figure of the paper."""


@dataclass(frozen=True)
class Decider:
    """The adversary who decides, and the epsilon that is allowed; a belief next to 0 stands for those towards it."""

    epsilon: Finding
    inclusion: float
    value: float
    limit: float

    @classmethod
    def of(cls, profile: RiskProfile) -> Decider | None:
        """Who decides what pure differential privacy may spend under a profile; nobody if there is no limit."""
        found = recommend(profile, PureDP)
        who, limit = found.verdict.adversary, found.verdict.limit
        return None if who is None or limit is None else cls(found.parameter, who.inclusion, who.value, limit)

    def text(self, words: Words) -> str:
        """What it is, as the end of a sentence."""
        key = "accepted.about" if self.epsilon.direction is Direction.ABOUT else "accepted.up_to"
        beliefs = {"inclusion": _belief(self.inclusion, words), "value": _belief(self.value, words)}
        return words(key, epsilon=_rounded_down(float(self.epsilon), words), **beliefs)


def _rounded_down(number: float, words: Words) -> str:
    return words.number(number, Direction.AT_LEAST)


def _belief(probability: float, words: Words) -> str:
    return words.language.digits(f"{probability:.4g}") if probability > 1e-9 else words("accepted.close_to_0")


Deciders = Mapping[str, Decider | None]


def profile_and_epsilon(profile: RiskProfile | Mapping[str, RiskProfile], *, language: str = "en") -> Picture:
    """The largest relative risk that a profile accepts, and below it the largest epsilon, along the belief left free.

    One of the two beliefs must be fixed, such as by `capped(..., value=1.0)`. The dot marks the adversary who decides
    the epsilon of pure differential privacy.

    Args:
        profile: a risk profile, or a mapping from names to several with the same belief fixed.
        language: the code of the language of its words, such as "de".
    """
    words = words_of(language)
    several = _by_name(profile, words)
    free, fixed = _beliefs(list(several.values()))
    deciders = {name: Decider.of(each) for name, each in several.items()}
    at = _places(deciders, free)
    held = np.full_like(at, fixed)
    inclusion, value = (at, held) if free == "inclusion" else (held, at)
    limits = {name: each.limit(inclusion, value) for name, each in several.items()}
    epsilons = {
        name: values(disclosure.largest_epsilon(limit, inclusion=inclusion, value=value))
        for name, limit in limits.items()
    }
    other = "value" if free == "inclusion" else "inclusion"
    title = words("accepted.title")
    caption = words(f"accepted.fixed_{other}", number=words.number(fixed, Direction.EXACTLY))
    x = axis(free, words(f"accepted.before_{free}"), (0.0, 1.0), percent=True, words=words)

    def body(page: Page) -> Spec:
        both = [_above(at, limits, deciders, x, words, page), _below(at, epsilons, deciders, x, words, page)]
        return {"vconcat": both, "spacing": 18}

    accepted = {f"relative risk accepted: {name}": limit for name, limit in limits.items()}
    table = Columns({free: at, **accepted, **{f"largest epsilon: {name}": each for name, each in epsilons.items()}})
    told = [(capital(name), each.text(words) if each else words("accepted.every")) for name, each in deciders.items()]
    each_one = sentences(*(f"{words('common.told', name=name, list=text)}." for name, text in told))
    alt = words("accepted.alt", title=title, text=f"{caption} {each_one}")
    return pictured(body, title=title, caption=caption, alt=alt, table=table, language=language)


def _by_name(profile: RiskProfile | Mapping[str, RiskProfile], words: Words) -> dict[str, RiskProfile]:
    """The profiles of a picture by name."""
    if isinstance(profile, RiskProfile):
        return {words("accepted.the_profile"): profile}
    rule = "must be a risk profile, or a mapping from names to them"
    return members(profile, RiskProfile, name="profile", rule=rule, way_out=_PROFILE)


def _beliefs(several: Sequence[RiskProfile]) -> tuple[str, float]:
    """The belief that is free, and the number at which the other is fixed."""
    found = {
        ("inclusion", each.domain.value[1]) if each.domain.value_fixed else ("value", each.domain.inclusion[1])
        for each in several
        if each.domain.value_fixed != each.domain.inclusion_fixed
    }
    loose = any(each.domain.value_fixed == each.domain.inclusion_fixed for each in several)
    if loose or len(found) != 1:
        rule = "must have exactly one belief fixed, the same in all of them"
        way_out = "Fix one of them in each, such as value=1 or inclusion=0.05; for both free, draw a map."
        raise Incompatible("a profile along one belief", rule, several[0], way_out)
    return found.pop()


def _places(deciders: Deciders, free: str) -> Array:
    """Beliefs from small to certain, those of the deciders among them."""
    own = [float(getattr(each, free)) for each in deciders.values() if each is not None]
    return np.unique([*np.linspace(_SMALLEST, 1.0, _POINTS), *(belief for belief in own if belief > 1e-9)])


def _above(at: Array, limits: Mapping[str, Array], deciders: Deciders, x: Spec, words: Words, page: Page) -> Spec:
    """What is accepted; the axis of beliefs is that of the lower chart."""
    top = 3.0 * max([each.limit for each in deciders.values() if each is not None] or [2.0])
    bare = {**x, "axis": {**x["axis"], "labels": False, "title": None}}
    y = axis("limit", words("accepted.risk"), (1.0, top), ticks=5, words=words)
    plane = Plane(bare, y, page.width, _HEIGHT)
    series = {name: (at, limit) for name, limit in limits.items()}
    drawn = lines(series_rows(series, bare, y), bare, y, list(limits), clip=True)
    room = Room(plane)
    for point in _points(deciders, x["field"], "limit"):
        room.occupied(*point)
    traced = [plane.traced(*line) for line in series.values()]
    notes = noted(_notes(deciders, x["field"], "limit", words), room, traced)
    return layered([drawn, *_dots(deciders, plane, "limit"), *notes], page.width, _HEIGHT)


def _below(at: Array, epsilons: Mapping[str, Array], deciders: Deciders, x: Spec, words: Words, page: Page) -> Spec:
    found = [float(each.epsilon) for each in deciders.values() if each is not None]
    y = axis("epsilon", words("accepted.epsilon"), (0.0, 2.5 * max(found or [1.0])), ticks=5, words=words)
    plane = Plane(x, y, page.width, _HEIGHT, page.beside)
    return line_chart(
        {_label(name, deciders, words): (at, each) for name, each in epsilons.items()},
        plane,
        over=_dots(deciders, plane, "epsilon"),
        notes=_notes(deciders, x["field"], "epsilon", words),
        marked=_points(deciders, x["field"], "epsilon"),
        clip=True,
    )


def _points(deciders: Deciders, belief: str, field: str) -> list[tuple[float, float]]:
    """Where the adversaries who decide are drawn."""
    known = (each for each in deciders.values() if each is not None)
    return [(float(getattr(each, belief)), float(getattr(each, field))) for each in known]


def _dots(deciders: Deciders, plane: Plane, field: str) -> list[Spec]:
    belief = plane.x["field"]
    points = _points(deciders, belief, field)
    return [marked({belief: across, field: up}, plane.x, plane.y) for across, up in points]


def _notes(deciders: Deciders, belief: str, field: str, words: Words) -> list[Note]:
    """The number beside the adversary who decides, if there is but one profile; names have it where there are more."""
    key = "accepted.note_epsilon" if field == "epsilon" else "accepted.note_ratio"
    points = _points(deciders, belief, field) if len(deciders) == 1 else []
    return [Note(words(key, number=_rounded_down(point[1], words)), [point]) for point in points]


def _label(name: str, deciders: Deciders, words: Words) -> str:
    """The name of a line, with the epsilon that is decided where there are several."""
    if len(deciders) == 1:
        return name
    decider = deciders[name]
    if decider is None:
        return words("common.told", name=name, list=words("posterior.note.no_limit"))
    number = _rounded_down(float(decider.epsilon), words)
    return words("common.told", name=name, list=words("accepted.note_epsilon", number=number))


def profile_map(profile: RiskProfile, *, cells: int = _CELLS, language: str = "en") -> Picture:
    """The largest epsilon (one person added or removed) that meets a profile at each pair of beliefs.

    Each cell of the map has the number of its middle. The dot is the adversary who decides the epsilon of all.

    Args:
        profile: a risk profile with both beliefs free.
        cells: how many cells there are in each direction.
        language: the code of the language of its words, such as "de".
    """
    words = words_of(language)
    _require_free(profile)
    number = count("cells", cells, "Use a whole number such as 40.")
    rule = "must be from 2 to 100"
    require(2 <= number <= 100, name="cells", rule=rule, value=cells, way_out="Use a whole number such as 40.")
    middles = (np.arange(number) + 0.5) / number
    inclusion, value = (np.ravel(grid) for grid in np.meshgrid(middles, middles))
    limits = profile.limit(inclusion, value)
    epsilons = values(disclosure.largest_epsilon(limits, inclusion=inclusion, value=value))
    decider = Decider.of(profile)
    title = words("map.title")
    caption = sentences(words("map.caption"), words("map.dot" if decider else "map.every"))
    whole = {"inclusion": 0.0, "right": 1.0, "value": 0.0, "upper": 1.0}
    x, y = (axis(name, words(f"map.{name}"), (0.0, 1.0), percent=True, words=words) for name in _BELIEFS)
    plane = Plane(x, y, _SIDE, _SIDE)
    grey = _rectangles([whole], {"color": NO_LIMIT}, plane)  # is seen where a cell has no number
    coloured = _cells(inclusion, value, epsilons, number, plane, words)
    layers = [grey, coloured, *_grey_key(epsilons, words), *_decider(decider, plane, words)]
    table = Columns(
        {"inclusion": inclusion, "value": value, "relative risk accepted": limits, "largest epsilon": epsilons}
    )
    told = words("map.all", decider=decider.text(words)) if decider else words("map.nowhere")
    alt = words("map.alt", title=title, text=f"{caption} {told}")
    body = layered(layers, _SIDE, _SIDE)
    return pictured(body, title=title, caption=caption, alt=alt, table=table, language=language)


def _require_free(profile: object) -> None:
    way_out = "Use profile_and_epsilon, which draws the belief that is left free."
    if not isinstance(profile, RiskProfile):
        raise Incompatible(
            "a map", "must be that of a risk profile", profile, "Use capped(relative=3.0, absolute=0.25)."
        )
    if profile.domain.inclusion_fixed or profile.domain.value_fixed:
        raise Incompatible("a map of a profile", "must have both beliefs free", profile, way_out)


def _cells(inclusion: Array, value: Array, epsilons: Array, cells: int, plane: Plane, words: Words) -> Spec:
    half = 0.5 / cells
    rows: list[Spec] = [
        {"inclusion": p - half, "right": p + half, "value": q - half, "upper": q + half, "epsilon": finite(float(e))}
        for p, q, e in zip(inclusion.tolist(), value.tolist(), epsilons, strict=True)
    ]
    title = [words("accepted.epsilon"), words("map.top", most=f"{_HIGHEST:g}")]
    colour = {
        "field": "epsilon",
        "type": "quantitative",
        "scale": {"scheme": SCALE, "domain": [0.0, _HIGHEST], "clamp": True},
        "legend": {"title": title, "gradientLength": 200, "tickCount": 5, "labelExpr": words.label("datum.label")},
    }
    # Each cell reaches a little into the next ones, which are drawn over it: no seams are seen.
    return _rectangles(rows, {"strokeWidth": 0, "x2Offset": 0.5, "y2Offset": -0.5}, plane, color=colour)


def _rectangles(rows: Sequence[Spec], looks: Spec, plane: Plane, **more: Spec) -> Spec:
    return layer(
        rows, {"type": "rect", **looks}, plane.x, plane.y, x2={"field": "right"}, y2={"field": "upper"}, **more
    )


def _grey_key(epsilons: Array, words: Words) -> list[Spec]:
    """What grey means, below the colours; nothing where no cell is grey."""
    if np.isfinite(epsilons).all():
        return []
    left, top = _SIDE + 18.0, 278.0
    square = {"type": "rect", "color": NO_LIMIT}
    ends = {"x2": {"value": left + 16.0}, "y2": {"value": top + 16.0}}
    key = written(words("posterior.note.no_limit"), left + 24.0, top + 8.0)
    return [layer([{}], square, {"value": left}, {"value": top}, **ends), *key]


def _decider(decider: Decider | None, plane: Plane, words: Words) -> list[Spec]:
    if decider is None:
        return []
    room, place = Room(plane), (decider.inclusion, decider.value)
    room.occupied(*place, 8.0)
    text = words("accepted.note_epsilon", number=_rounded_down(float(decider.epsilon), words))
    row = dict(zip(_BELIEFS, place, strict=True))
    return [marked(row, plane.x, plane.y, size=120), *noted([Note(text, [place])], room)]
