"""The figures of the papers, drawn again, and what the sharper results add to them.

kszjy25   Figures 1 to 7 of Kazan, Sharma, Zhang, Jiang and Yan (2025)
kr24      Figures 1 to 5 of Kazan and Reiter (2024)
kaa22     Figures 1 to 15 of Kifer and others (2022)

Kasiviswanathan and Smith (2014) and Bon, Bailie, Rousseau and Robert (2026) have no figures with numbers.
"""

from collections.abc import Callable, Mapping

from whit.papers.figures import kaa22, kr24, kszjy25
from whit.telling.plots import Picture

FIGURES: Mapping[str, Mapping[int, Callable[[], Picture]]] = {
    "KAA22": kaa22.FIGURES,
    "KR24": kr24.FIGURES,
    "KSZJY25": kszjy25.FIGURES,
}
"""What draws each figure, by paper and number."""

__all__ = ["FIGURES"]
