"""Figures 1 to 15 of Kifer and others (2022), each beside what the exact noise and sharper bounds add.

lines    what several figures draw
powers   level against power: Figures 2, 6, 10, 12 and 14
deltas   epsilon against delta: Figures 1, 3 to 5, 7 to 9, 11, 13 and 15

On the left stands the figure of the paper: the same promise, at the rho that is printed. Where a figure has no scale of
its own in the text, the axes reach to where its lines have come to nothing.
"""

from collections.abc import Callable, Mapping

from whit.papers.figures.kaa22 import deltas, powers
from whit.telling.plots import Picture

FIGURES: Mapping[int, Callable[[], Picture]] = dict(sorted({**powers.FIGURES, **deltas.FIGURES}.items()))
"""What draws each figure."""

__all__ = ["FIGURES"]
