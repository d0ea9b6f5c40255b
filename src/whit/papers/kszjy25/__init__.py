"""Ways to the quantities of Kazan, Sharma, Zhang, Jiang and Yan (2025), add/remove neighbours throughout.

releases   several releases together: Figures 2 and 3, section 4.2, Examples 4.1 and 4.2
beliefs    from a promise to beliefs: Section 3, Examples 1.1, 4.1 and 4.3, Figures 1 and 3 to 7
converse   from beliefs back to a promise: Theorem 3.5(2), Example A.1
"""

from __future__ import annotations

from collections.abc import Mapping

from whit.papers.case import Way
from whit.papers.kszjy25 import beliefs, converse, releases

WAYS: Mapping[str, Way] = {**beliefs.WAYS, **converse.WAYS, **releases.WAYS}
"""What recomputes each quantity of the paper."""

__all__ = ["WAYS"]
