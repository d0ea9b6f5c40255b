"""A risk profile along one belief, and the epsilon that it allows at each: KR24, Figures 1, 3 and 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from whit.errors import Incompatible
from whit.policy.profiles import RiskProfile
from whit.telling.plots.answers import Array, Columns, plain, values
from whit.telling.plots.curves import curves
from whit.telling.plots.layers import Spec, axis, lines, marked, rows_of, words
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.profile_beliefs import Decided, decided, epsilons_at, limits_at, profiles_by_name
from whit.telling.plots.style import WIDTH
from whit.theory import Direction, Finding, Unit, number_text

_HEIGHT = 190
_SMALLEST = 0.005
_POINTS = 200


def profile_and_epsilon(profile: RiskProfile | Mapping[str, RiskProfile]) -> Picture:
    """The largest relative risk that a profile accepts, and below it the largest epsilon, along the belief left free.

    One of the two beliefs must be fixed, such as by `capped(..., value=1.0)`. The dot marks the adversary who decides
    the epsilon of pure differential privacy.

    Args:
        profile: a risk profile, or a mapping from names to several with the same belief fixed.
    """
    several = profiles_by_name(profile)
    free, fixed = _beliefs(list(several.values()))
    deciders = {name: decided(each) for name, each in several.items()}
    at = _places([each for each in deciders.values() if each is not None], free)
    held = np.full_like(at, fixed)
    inclusion, value = (at, held) if free == "inclusion" else (held, at)
    limits = {name: limits_at(each, inclusion, value) for name, each in several.items()}
    epsilons = {name: epsilons_at(limit, inclusion, value) for name, limit in limits.items()}
    other = "value" if free == "inclusion" else "inclusion"
    title = "What is accepted, and the epsilon that it allows"
    caption = (
        f"Above: the largest ratio of posterior and prior. Below: the largest epsilon (add or remove one person), "
        f"rounded down. {other.capitalize()} is {plain(fixed)}. Dots: the adversary who decides."
    )
    x = axis(free, _X_TITLES[free], (0.0, 1.0), percent=True)
    body = {"vconcat": [_above(at, limits, deciders, x), _below(at, epsilons, deciders, x)], "spacing": 18}
    table = Columns({free: at, **_columns(limits, epsilons)})
    alt = f"Two line charts, one above the other. {title}. {caption} {_told(deciders)}"
    return pictured(body, title=title, caption=caption, alt=alt, table=table)


_X_TITLES = {
    "inclusion": "probability before the release that the person is in the data (inclusion)",
    "value": "probability before the release of the sensitive value (value)",
}


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


def _places(deciders: Sequence[Decided], free: str) -> Array:
    """Beliefs from small to certain, those of the deciders among them."""
    own = [float(getattr(each, free)) for each in deciders]
    return np.unique([*np.linspace(_SMALLEST, 1.0, _POINTS), *(belief for belief in own if belief > 1e-9)])


def _above(at: Array, limits: Mapping[str, Array], deciders: Mapping[str, Decided | None], x: Spec) -> Spec:
    top = 3.0 * max([each.limit for each in deciders.values() if each is not None] or [2.0])
    y = axis("limit", "relative risk accepted", (1.0, top), ticks=5)
    names = list(limits)
    columns: list[dict[str, Any]] = [{"series": [n] * len(at), x["field"]: at, "limit": limits[n]} for n in names]
    rows = [row for each in columns for row in rows_of(**each)]
    drawn = [lines(rows, x, y, names, clip=True), *_dots(deciders, x, y, "limit")]
    return {"width": WIDTH, "height": _HEIGHT, "layer": [_bare(layer) for layer in drawn]}


def _below(at: Array, epsilons: Mapping[str, Finding], deciders: Mapping[str, Decided | None], x: Spec) -> Spec:
    found = [float(each.epsilon) for each in deciders.values() if each is not None]
    y = axis("epsilon", "largest epsilon", (0.0, 2.5 * max(found or [1.0])), ticks=5)
    named = {_label(name, deciders[name], len(deciders)): each for name, each in epsilons.items()}
    drawn = [*curves(at, named, x, y, height=_HEIGHT, clip=True), *_dots(deciders, x, y, "epsilon")]
    return {"width": WIDTH, "height": _HEIGHT, "layer": drawn}


def _dots(deciders: Mapping[str, Decided | None], x: Spec, y: Spec, field: str) -> list[Spec]:
    """The adversaries who decide, with their epsilon in words."""
    drawn: list[Spec] = []
    for each in (one for one in deciders.values() if one is not None):
        number = each.limit if field == "limit" else float(each.epsilon)
        row = {x["field"]: float(getattr(each, x["field"])), field: number}
        text = f"epsilon {_number(float(each.epsilon))}" if field == "epsilon" else f"ratio {_number(number)}"
        left = row[x["field"]] > 0.7
        side = {"align": "right", "dx": -6} if left else {"align": "left", "dx": 6}
        told = words(text, row, x, y, dy=13 if field == "epsilon" else -13, **side) if len(deciders) == 1 else []
        drawn += [marked(row, x, y), *told]
    return drawn


def _label(name: str, decider: Decided | None, number: int) -> str:
    """The name of a line, with the epsilon that is decided where there are several."""
    if number == 1:
        return name
    return f"{name}: no limit" if decider is None else f"{name}: epsilon {_number(float(decider.epsilon))}"


def _number(number: float) -> str:
    return number_text(number, Direction.AT_LEAST, Unit.NUMBER)


def _bare(layer: Spec) -> Spec:
    """A layer of the upper panel, whose axis of beliefs is that of the lower one."""
    axes = {**layer["encoding"]["x"]["axis"], "labels": False, "title": None}
    return {**layer, "encoding": {**layer["encoding"], "x": {**layer["encoding"]["x"], "axis": axes}}}


def _columns(limits: Mapping[str, Array], epsilons: Mapping[str, Finding]) -> dict[str, object]:
    accepted = {f"relative risk accepted: {name}": limit for name, limit in limits.items()}
    return {**accepted, **{f"largest epsilon: {name}": values(found) for name, found in epsilons.items()}}


def _told(deciders: Mapping[str, Decided | None]) -> str:
    return " ".join(
        f"{name[:1].upper()}{name[1:]}: {each or 'every epsilon keeps to it'}." for name, each in deciders.items()
    )
