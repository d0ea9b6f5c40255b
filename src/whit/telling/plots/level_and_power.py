"""How often an adversary is right, for every rate of false alarms; with small rates on scales of powers of ten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Promise
from whit.semantics import testing
from whit.setting import Knowledge, Neighbours
from whit.telling.plots.answers import Array, Columns, direction_of, named, places, safe, under
from whit.telling.plots.curves import curve_table, curve_words, curves
from whit.telling.plots.layers import Spec, axis, reference, rows_of, words
from whit.telling.plots.picture import Picture, pictured
from whit.theory import Finding

LEVELS = (*(10.0 ** (number / 20) for number in range(-120, -30)), *(number / 100 for number in range(4, 101)))
"""The levels at which the power is drawn, unless told otherwise: small ones close together, then by hundredths."""

_TESTERS = {
    Knowledge.EVERYONE_ELSE: "The records of everyone else are known to the one who tests.",
    Knowledge.ANY_BELIEF: (
        "The records of everyone else are drawn by chance, in the same way whichever hypothesis is true."
    ),
}
_SIDE = 300
_LOWEST = 1e-6
_X = axis("level", "false alarms (level)", (0.0, 1.0), percent=True)
_Y = axis("power", "hits (power)", (0.0, 1.0), percent=True)
_LOG_X = axis("level", "level, in powers of ten", (_LOWEST, 1.0), log=True, values=(1e-6, 1e-4, 1e-2, 1.0))
_LOG_Y = axis("power", "power, in powers of ten", (_LOWEST, 1.0), log=True, values=(1e-6, 1e-4, 1e-2, 1.0))


def level_and_power(
    promised: Promise | Mapping[str, Promise],
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    levels: ArrayLike = LEVELS,
) -> Picture:
    """The largest power of a test at each level, and beside it the same at small levels.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        neighbours: the relation between datasets; that of the promise if none is named.
        knows: what the adversary knows about everybody else.
        levels: the levels at which the power is drawn.
    """
    at = places("levels", levels, 0.0, 1.0)
    tops = {n: safe(testing.power(one, at, neighbours=neighbours, knows=knows)) for n, one in named(promised).items()}
    word = direction_of(list(tops.values())).value
    title = "How often an adversary is right" + (f": {next(iter(tops))}" if len(tops) == 1 else "")
    caption = (
        f"Lines: {word} so many hits at each rate of false alarms. A hit: deciding that the person is in the data "
        f"when they are. A false alarm: deciding so when they are not. {_TESTERS[knows]}{under(neighbours)}"
    )
    told = curve_words(at, tops, (0.01, 0.05, 0.1), "at level {} power")
    body = {"hconcat": [_whole(at, tops), _small(at, tops)], "spacing": 40}
    table = Columns(curve_table("level", at, "power", tops))
    return pictured(body, title=title, caption=caption, alt=f"Two line charts. {title}. {caption} {told}", table=table)


def _whole(at: Array, tops: Mapping[str, Finding]) -> Spec:
    guessing = reference(rows_of(level=[0.0, 1.0], power=[0.0, 1.0]), _X, _Y)
    told = words("mere guessing", {"level": 0.6, "power": 0.6}, _X, _Y, align="center", dy=10, angle=315)
    layers = [guessing, *curves(at, tops, _X, _Y, height=_SIDE, labels=False), *told]
    return {"width": _SIDE, "height": _SIDE, "layer": layers}


def _small(at: Array, tops: Mapping[str, Finding]) -> Spec:
    """The numbers on scales of powers of ten, from one in a million."""
    guessing = reference(rows_of(level=[_LOWEST, 1.0], power=[_LOWEST, 1.0]), _LOG_X, _LOG_Y)
    kept = at >= _LOWEST
    found = {name: _kept(top, kept) for name, top in tops.items()}
    layers = [guessing, *curves(at[kept], found, _LOG_X, _LOG_Y, height=_SIDE * 0.7, clip=True)]
    title = {
        "text": "The same at small levels",
        "fontSize": 13,
        "fontWeight": "normal",
        "anchor": "middle",
        "offset": 8,
    }
    return {"width": _SIDE * 0.7, "height": _SIDE * 0.7, "layer": layers, "title": {**title, "frame": "group"}}


def _kept(top: Finding, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Finding:
    return replace(top, value=np.asarray(top.value)[kept])
