"""Numbers in order."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def distinct(values: ArrayLike) -> NDArray[np.float64]:
    """The numbers in increasing order, each once.

    As np.unique has it, which loads the masked arrays of numpy: a fifth of the time of a whole command.

    >>> distinct([2.0, 0.5, 2.0]).tolist()
    [0.5, 2.0]
    """
    found = np.sort(np.asarray(values, dtype=np.float64), axis=None)
    first = np.ones(found.shape, dtype=bool)
    first[1:] = found[1:] != found[:-1]
    return found[first]
