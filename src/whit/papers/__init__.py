"""The five papers again: every number that they print, every table and every figure.

case           one number of a paper: where it stands, what is printed, what it is; and how it is recomputed
recompute      all cases of some papers, each recomputed and compared
ks14           Kasiviswanathan and Smith (2014), with their bounds as printed
kszjy25        Kazan, Sharma, Zhang, Jiang and Yan (2025)
kr24           Kazan and Reiter (2024)
kaa22          Kifer, Abowd, Ashmead, Cumings-Menon, Leclerc, Machanavajjhala, Sexton and Zhuravlev (2022)
kaa22_census   the same on the 2020 Census: its scenarios and its tables
bbrr26         Bon, Bailie, Rousseau and Robert (2026)
figures        the figures of the papers, and what the sharper results add to them
cases/         the numbers themselves
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.papers.recompute import recompute as recompute

__all__, __getattr__, __dir__ = front_door(__name__)
