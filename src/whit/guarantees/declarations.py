"""The kinds of guarantee that are stated by one number, or by one and a delta."""

from __future__ import annotations

from collections.abc import Iterator

from whit import guarantees
from whit.guarantees.guarantee import Guarantee


def kinds() -> Iterator[type[Guarantee]]:
    """The classes that declare their `parameter`, each loaded when it is reached.

    >>> [kind.parameter.kind for kind in kinds()]
    ['epsilon', 'epsilon-delta', 'rho', 'mu']
    """
    return (getattr(guarantees, name) for name in ("PureDP", "ApproxDP", "ZeroConcentratedDP", "GaussianDP"))
