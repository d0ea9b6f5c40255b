"""The kinds of noise that are stated by one number."""

from __future__ import annotations

from collections.abc import Iterator

from whit import mechanisms
from whit.mechanisms.mechanism import Mechanism


def kinds() -> Iterator[type[Mechanism]]:
    """The classes that declare their `parameter`, each loaded when it is reached; a new one is found by being offered.

    >>> [kind.__name__ for kind in kinds()]
    ['DiscreteGaussian', 'Gaussian', 'Geometric', 'Laplace', 'RandomizedResponse', 'Staircase']
    """
    names = [name for name in vars(mechanisms)["__all__"] if name[0].isupper() and not name.isupper()]
    return (kind for kind in (getattr(mechanisms, name) for name in names) if "parameter" in vars(kind))
