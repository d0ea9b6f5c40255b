"""The price of a smaller epsilon: delta at each epsilon, and the chance of each loss."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Curve, Promise, largest_loss
from whit.setting import Neighbours
from whit.telling.plots.answers import Array, Columns, direction_of, named, places, safe, under, values
from whit.telling.plots.curves import curve_table, curve_words, curves
from whit.telling.plots.layers import axis
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import HEIGHT, WIDTH

FAILURES = tuple(10.0 ** (number / 10) for number in range(-100, -2))
"""The chances at which the loss is drawn, unless told otherwise."""

_SMALLEST = 1e-10
_FARTHEST = 50.0
_POINTS = 121
_TOWARDS = (0.45, 0.49, 0.499, 0.5, 0.9, 0.98, 0.999, 1.0)


def profile_curve(
    promised: Promise | Mapping[str, Promise],
    *,
    neighbours: Neighbours | None = None,
    epsilons: ArrayLike | None = None,
) -> Picture:
    """The smallest delta that is known at each epsilon, on a scale of powers of ten: the privacy profile.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        neighbours: the relation between datasets; that of the promise if none is named.
        epsilons: where delta is drawn; from 0 to where it is negligible, if not given.
    """
    asked = {name: one.curve(neighbours) for name, one in named(promised).items()}
    at = _reach(list(asked.values())) if epsilons is None else places("epsilons", epsilons, 0.0, np.inf)
    tops = {name: safe(curve.delta(at)) for name, curve in asked.items()}
    word = direction_of(list(tops.values())).value
    title = "Epsilon and the delta that goes with it" + (f": {next(iter(tops))}" if len(tops) == 1 else "")
    caption = f"Lines: delta is {word} this at each epsilon. No line: delta is 0, or below {_SMALLEST:g}."
    caption += under(neighbours)
    x = axis("epsilon", "epsilon", (float(at[0]), float(at[-1])))
    y = axis("delta", "delta", (_SMALLEST, 1.0), log=True, ticks=6)
    body = {"width": WIDTH, "height": HEIGHT, "layer": curves(at, tops, x, y, height=HEIGHT, clip=True)}
    told = curve_words(at, tops, (float(at[0]), float(at[len(at) // 2])), "at epsilon {} delta")
    table = Columns(curve_table("epsilon", at, "delta", tops))
    return pictured(body, title=title, caption=caption, alt=f"Line chart. {title}. {caption} {told}", table=table)


def loss_curve(
    promised: Promise | Mapping[str, Promise],
    *,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    failures: ArrayLike = FAILURES,
) -> Picture:
    """The privacy loss that is exceeded with at most each probability: the epsilon and delta of probabilistic DP.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        sides: 2 to count losses that speak against the truth as well.
        neighbours: the relation between datasets; that of the promise if none is named.
        failures: the probabilities.
    """
    at = places("failures", failures, 0.0, 1.0)
    promises = named(promised)
    tops = {n: safe(largest_loss(one, at, sides=sides, neighbours=neighbours)) for n, one in promises.items()}
    word = direction_of(list(tops.values())).value
    title = "The privacy loss and its chance" + (f": {next(iter(tops))}" if len(tops) == 1 else "")
    side = "" if sides == 1 else " in either direction"
    caption = f"Lines: but for the chance below, the privacy loss is {word} this{side}.{under(neighbours)}"
    positive = at[at > 0.0]
    x = axis("chance", "chance that the loss is larger", (float(positive[0]), float(at[-1])), log=True, ticks=6)
    y = axis("loss", "privacy loss", (0.0, _top([values(top) for top in tops.values()])))
    drawn = curves(at, tops, x, y, height=HEIGHT, clip=True)
    told = curve_words(at, tops, (1e-6, 0.01), "at chance {} loss")
    table = Columns(curve_table("chance", at, "privacy loss", tops))
    body = {"width": WIDTH, "height": HEIGHT, "layer": drawn}
    return pictured(body, title=title, caption=caption, alt=f"Line chart. {title}. {caption} {told}", table=table)


def _reach(asked: list[Curve]) -> Array:
    """Epsilons from 0 to where no delta falls further, with more of them where one ends."""
    ends = [_end(curve) for curve in asked]
    farthest = max([1.05 * end for end in ends] + [1.0] * (max(ends) == 0.0))
    corners = np.outer(np.asarray(ends), _TOWARDS).ravel()
    return np.unique(np.append(np.linspace(0.0, farthest, _POINTS), corners[corners <= farthest]))


def _end(curve: Curve) -> float:
    """The epsilon from which delta is negligible, or from which it stays as it is; beyond the farthest is not drawn."""
    lowest = max(_SMALLEST, float(safe(curve.delta(_FARTHEST))))
    end = float(safe(curve.epsilon(min(lowest, 1.0))))
    return min(end if lowest == _SMALLEST else 2.0 * end, _FARTHEST)


def _top(columns: list[Array]) -> float:
    """A little above the largest number that can be drawn."""
    finite = [float(np.max(column[np.isfinite(column)], initial=0.0)) for column in columns]
    return 1.05 * max(finite) or 1.0
