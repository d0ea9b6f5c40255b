"""The square-root factorisation of running sums: Gaussian noise by a strategy that is known by its name."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar

import numpy as np

from whit.errors import require
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.matrix import (
    PARTICIPATION,
    ROUNDS,
    LinearNoise,
    Square,
    listed_rounds,
    of_column,
    required_participation,
    sigma_of,
)
from whit.mechanisms.participation import Once, Participation
from whit.numerics import count
from whit.setting import Parameter
from whit.theory import Basis


@dataclass(frozen=True)
class SquareRootMechanism(LinearNoise):
    """Gaussian noise on C x where C is the square root of the matrix of running sums, or its first bands.

    sigma           of the noise on each row of C x, relative to the bound on the norm of one contribution
    rounds          how many steps there are
    bands           how many diagonals of C are kept, the others being 0; all if not given
    participation   which steps one person may enter: `Once()`, `Epochs(k)` or `Separated(by, at_most)`

    The k-th number of the first column of C is that of k out of 2k, over 4^k: 1, 1/2, 3/8, 5/16. Each is rounded up.

    >>> SquareRootMechanism(2.0, 1600).loss()
    GaussianLoss(mu=0.9239371892745871)
    """

    parameter: ClassVar[Parameter] = sigma_of("square_root", "The same with the square root of running sums.")
    details = (
        ROUNDS,
        Detail("bands", "K", "How many diagonals of the square root are kept. All if not given.", Written.WHOLE),
        PARTICIPATION,
    )

    rounds: int
    bands: int | None = None
    participation: Participation = field(default_factory=Once)

    basis = Basis.of("gaussian-profile", "matrix-mechanism")
    """The profile of Gaussian noise, and the largest change that the participation allows."""

    def _largest(self) -> Square:
        steps = listed_rounds(self.rounds)
        way_out = f"Use a number up to that of the steps, {steps}, or leave it out."
        bands = None if self.bands is None else count("bands", self.bands, way_out)
        few = bands is None or bands <= steps
        require(few, name="bands", rule="must be at most the number of steps", value=self.bands, way_out=way_out)
        self._keep(rounds=steps, bands=bands)
        column = np.zeros(steps)
        column[:bands] = list(islice(square_root_column(), steps if bands is None else bands))
        return of_column(column, required_participation(self.participation))

    @property
    def rows(self) -> int:
        """One for each step."""
        return self.rounds


def square_root_column() -> Iterator[float]:
    """The numbers of k out of 2k over 4^k for k = 0, 1, ..., each the least double that is not below it.

    >>> list(islice(square_root_column(), 4))
    [1.0, 0.5, 0.375, 0.3125]
    """
    ways = 1
    for k in range(1, 2**53):
        spare = max(ways.bit_length() - 53, 0)
        yield math.ldexp(-(-ways >> spare), spare - 2 * (k - 1))
        ways = ways * 2 * (2 * k - 1) // k
