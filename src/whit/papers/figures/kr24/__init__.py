"""Figures of Kazan and Reiter (2024).

agencies   Figures 1, 3 and 4: profiles along one belief, the epsilon that they imply, and who decides it
durham     Figure 2: what each profile costs in noise, and how often it misses a target
maps       Figure 5: a profile of both beliefs as maps
"""

from collections.abc import Callable, Mapping

from whit.papers.figures.kr24.agencies import figure_1, figure_3, figure_4
from whit.papers.figures.kr24.durham import figure_2
from whit.papers.figures.kr24.maps import figure_5
from whit.telling.plots import Picture

FIGURES: Mapping[int, Callable[[], Picture]] = {1: figure_1, 2: figure_2, 3: figure_3, 4: figure_4, 5: figure_5}
"""What draws each figure."""

__all__ = ["FIGURES"]
