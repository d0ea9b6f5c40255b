"""The profile of very many atoms, summed once from the largest loss down and read at any epsilon.

From an atom z to the next one w the profile falls by e^w (1 - e^{z-w}) times the mass under Q from w on; and likewise
from any epsilon between the two. All of these are positive: no digits cancel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from whit.curves.face import Array
from whit.numerics import ULP, log1mexp


@dataclass(frozen=True, eq=False)
class SummedProfile:
    """The finite part of the profile of atoms.

    losses       the losses, strictly increasing
    log_masses   log of the probability under P of each
    """

    losses: Array
    log_masses: Array
    _log_slopes: Array = field(init=False, repr=False)
    _log_deltas: Array = field(init=False, repr=False)
    _widest: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Sum the masses under Q, and then what the profile falls by between neighbouring atoms."""
        slopes = log_suffix_sums(self.log_masses - self.losses) + self.losses
        shares = log1mexp(self.losses[:-1] - self.losses[1:])
        deltas = np.append(log_suffix_sums(slopes[1:] + shares), -np.inf)
        largest = float(np.max(np.abs(self.losses)) + np.max(-shares, initial=0.0)) + math.log(len(self.losses) + 1)
        for name, value in (("_log_slopes", slopes), ("_log_deltas", deltas), ("_widest", largest)):
            object.__setattr__(self, name, value)

    def log_delta(self, epsilons: Array) -> Array:
        """Log of the sum over losses z > t of p (1 - e^{t-z}); minus infinity from the largest loss on."""
        place = np.searchsorted(self.losses, epsilons, side="right")
        inside = place < len(self.losses)
        next_atom = np.where(inside, place, len(self.losses) - 1)
        gaps = np.where(inside, np.minimum(epsilons - self.losses[next_atom], 0.0), -1.0)
        fall = self._log_slopes[next_atom] + log1mexp(gaps)
        return np.where(inside, np.logaddexp(self._log_deltas[next_atom], fall), -np.inf)

    def error(self, log_deltas: Array) -> Array:
        """Bound on the absolute error of these logs, for masses and losses as given.

        A sum whose log is L is rounded by less than (5 + |L|) u, and so is each term. A part of a sum counts by its
        share, and x |log x| is below 1 for shares: so |L| of the parts is at most that of the whole and 1. The log of a
        mass under Q differs from that of what it makes the profile fall by in the loss and in the share, at most.
        """
        size = np.where(np.isfinite(log_deltas), np.abs(log_deltas), 0.0)
        return np.asarray(ULP * 2 * (_additions(len(self.losses)) + 8) * (8 + size + 2 * self._widest))


def log_suffix_sums(logs: Array) -> Array:
    """Log of the sum of each number and all that follow it: in blocks, so that no sum has many additions.

    >>> np.exp(log_suffix_sums(np.log([1.0, 2.0, 4.0]))).round(12).tolist()
    [7.0, 6.0, 4.0]
    """
    width = _block(len(logs))
    rows = -(-len(logs) // width)
    # From the last number to the first, and filled up at the end with what adds nothing.
    turned = np.full(rows * width, -np.inf)
    turned[: len(logs)] = logs[::-1]
    inner = np.logaddexp.accumulate(turned.reshape(rows, width), axis=1)
    before = np.append(-np.inf, np.logaddexp.accumulate(inner[:-1, -1]))
    return np.asarray(np.logaddexp(inner, before[:, None]).ravel()[: len(logs)][::-1])


def _block(number: int) -> int:
    return max(1, math.isqrt(number))


def _additions(number: int) -> int:
    """How many additions a sum of so many numbers has at most."""
    return _block(number) + number // _block(number) + 2
