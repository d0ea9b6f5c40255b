"""Releases known only by profiles from above, composed on one lattice: a profile from above again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.estimate import window
from whit.curves.even_lattice import EvenLattice
from whit.curves.face import SMALLEST_LOG_LEVEL, Array, Face
from whit.curves.lattice_sums import LatticeProfile, LatticeSums
from whit.errors import TooCostly
from whit.numerics import ULP, Bracket

PLACES, FEW_PLACES = 2**18, 2**16
# Over a wider range than this the rounding of what is read backwards outgrows what a finer lattice gains.
WIDE = 600.0
# The profile of one release is followed as closely as this, divided by the number of releases; few count as so many.
CLOSE = 1e-5
FEW = 20
# The windows of single releases are widened by this for what several of them do at once.
ROOM = 1.1
LARGEST_LOSS = 709
"""The lattice weighs losses by e^loss, which a double holds up to here."""
# An estimate of the lowest loss is trusted where it is beyond that by so much.
SURELY_TOO_LARGE = 1.2


@dataclass(frozen=True, eq=False)
class LatticeBound(Face):
    """The profile of all releases together, by chords between places of a lattice: nowhere below the truth."""

    is_one_pair: ClassVar[bool] = True

    sums: LatticeSums
    turned: bool = False
    even: EvenLattice | None = None
    waits: bool = False
    lowest: float = 0.0
    """About the lowest loss."""

    @cached_property
    def closest(self) -> LatticeBound:
        """This bound by the lattice of other accountants as well, so that it is not above theirs."""
        return replace(self, waits=True)

    @cached_property
    def _profile(self) -> LatticeProfile:
        if self.lowest < -SURELY_TOO_LARGE * LARGEST_LOSS:  # it would take minutes to see it otherwise
            raise _beyond_doubles()
        try:
            with np.errstate(over="raise", invalid="raise"):
                return self.sums.upper.reverse() if self.turned else self.sums.upper
        except FloatingPointError as beyond:
            raise _beyond_doubles() from beyond

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the chord at each epsilon; from below nothing is known."""
        t = np.asarray(epsilons, dtype=np.float64)
        finite = np.isfinite(t)
        with np.errstate(divide="ignore"):
            inside = _outwards(np.log(self._delta(np.where(finite, t, 0.0))))
            last = _outwards(np.log(self._profile.deltas[-1:] * (1 + self._profile.error)))[0]
        upper = np.where(finite, inside, np.where(t > 0, last, 0.0))
        return Bracket(np.full(t.shape, -np.inf), upper, upper)

    def _delta(self, t: Array) -> Array:
        known = self._profile.delta(t)
        return (
            known if self.even is None or not self.waits else np.minimum(known, self.even.delta(t, turned=self.turned))
        )

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the lowest line through a corner, at each log of a level."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inside = _outwards(self._profile.log_power(np.maximum(levels, SMALLEST_LOG_LEVEL)))
        upper = np.where(levels >= 0, 0.0, np.maximum(inside, levels))
        return Bracket(levels, upper, upper)

    def reverse(self) -> LatticeBound:
        """The pair in the other order; this very bound where each release has the same one in both.

        Masses that are read backwards are weighed by e^-loss, which makes much of their rounding.
        """
        return self if _is_symmetric(self.sums.counts) else replace(self, turned=not self.turned)

    def __repr__(self) -> str:
        """A short description: faces can be many."""
        return f"<LatticeBound: {sum(self.sums.counts.values())} releases from above>"


def bounded_sum(faces: Mapping[Face, int]) -> LatticeBound:
    """The releases on a lattice that is fine beside their sum."""
    copies = sum(faces.values())
    ends = [window(face, times) for face, times in faces.items()]
    width = ROOM * math.fsum(high - low for low, high in ends)
    places = PLACES if width <= WIDE or _is_symmetric(faces) else FEW_PLACES
    sums = LatticeSums(faces, float(np.float32(width / places)), CLOSE / max(copies, FEW))
    return LatticeBound(sums, even=EvenLattice(sums), lowest=math.fsum(low for low, _ in ends))


def _beyond_doubles() -> TooCostly:
    rule = f"must have losses of at most {LARGEST_LOSS} to be composed from above"
    way_out = "Ask about fewer releases or more noise: after so many, nothing is left to hide."
    return TooCostly("the composition", rule, "larger ones", way_out)


def _is_symmetric(faces: Mapping[Face, int]) -> bool:
    """Whether every release has the same profile in both orders."""
    return all(face.reverse() is face for face in faces)


def _outwards(logs: Array) -> Array:
    return np.minimum(logs + 8 * ULP * (1 + np.where(np.isfinite(logs), np.abs(logs), 0.0)), 0.0)
