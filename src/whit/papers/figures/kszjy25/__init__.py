"""Figures 1 to 7 of Kazan, Sharma, Zhang, Jiang and Yan (2025).

priors     Figures 1, 6 and 7: one release, against the failure and against the prior
releases   Figures 2 and 3: pure releases that add up
days       Figures 4 and 5: a release a day
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whit.papers.figures.kszjy25.days import figure_4, figure_5
from whit.papers.figures.kszjy25.priors import figure_1, figure_6, figure_7
from whit.papers.figures.kszjy25.releases import figure_2, figure_3
from whit.telling.plots import Picture

FIGURES: Mapping[int, Callable[[], Picture]] = {
    1: figure_1,
    2: figure_2,
    3: figure_3,
    4: figure_4,
    5: figure_5,
    6: figure_6,
    7: figure_7,
}
"""What draws each figure."""

__all__ = ["FIGURES"]
