"""Ways to the quantities of Kifer, Abowd, Ashmead and others (2022), neighbours that replace a record throughout.

promises   what a promise says of tests and of the loss: Table 1, Tables 2 and 6, Figures 1 to 15, Sections 6 and 7
noise      the discrete Gaussian noise of the 2020 Census, composed exactly: Tables 2 and 6, Section 5.2.1
budget     shares and rhos: Tables 3 to 5, Section 8
examples   Examples 4.9, 5.8 and 7.2
"""

from __future__ import annotations

from collections.abc import Mapping

from whit.papers.case import Way
from whit.papers.kaa22 import budget, examples, noise, promises

WAYS: Mapping[str, Way] = {**promises.WAYS, **noise.WAYS, **budget.WAYS, **examples.WAYS}
"""What recomputes each quantity of the paper."""

__all__ = ["WAYS"]
