"""Releases on the multiples of 1/10,000, from above: the lattice of other accountants, with a corner at every place.

Elsewhere a release is laid out with as few corners as a millionth of delta needs. That is above the number of an
accountant that takes every multiple of 1/10,000, where losses are large beside these. On the same lattice nothing is:
both draw the same chords, and the sums of what they draw differ by rounding only (theorem two-lattice-pairs).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whit.curves.face import Array, Face
from whit.curves.finite import FinitePair
from whit.curves.gaussian import GaussianLoss, one_gaussian
from whit.curves.laplace import LaplaceLoss
from whit.curves.lattice_pairs import Grid, sparse_above
from whit.curves.lattice_sums import FEW_RELEASES, LatticeProfile, LatticeSums, at_once, short
from whit.curves.mixture import GaussianMixtureLoss
from whit.curves.replaced import SymmetricBound
from whit.curves.subsampled import SubsampledLoss

STEP = 1e-4
"""The multiples that dp-accounting takes by default, and so do those who use it."""
# Losses of one release and of all together are cut off here: far below the rounding of a transform.
FARTHEST = -46.0
# Sums that reach further than this take long, and much memory.
WIDEST = 60.0
# Between atoms a profile is straight: corners there would only add their rounding.
STRAIGHT = 1e-12
# How fast the profile falls is read between these.
LEVELS = (1e-1, 1e-3, 1e-6, 1e-9)

DEAR = (SubsampledLoss, GaussianMixtureLoss, SymmetricBound)
KNOWN = (*DEAR, GaussianLoss, LaplaceLoss, FinitePair)


@dataclass(frozen=True, eq=False)
class EvenLattice:
    """The same releases as those of some sums, from above on this lattice, once it is asked for."""

    sums: LatticeSums

    def delta(self, t: Array, *, turned: bool) -> Array:
        """Bounds on the profile at each t, or on that with P and Q exchanged; 1 where the lattice is of no use."""
        profile = self._reversed if turned else self._profile
        return np.ones(t.shape) if profile is None else profile.delta(t)

    @cached_property
    def _profile(self) -> LatticeProfile | None:
        if not self._is_of_use:
            return None
        step = short(STEP, 1)
        pairs = [
            (sparse_above(face, _grid(face, step)).spread(), copies)
            for face, copies in _merged(self.sums.counts).items()
        ]
        return LatticeProfile.of(at_once(pairs, step, 1, farthest=FARTHEST, closely=True), step, 1)

    @cached_property
    def _reversed(self) -> LatticeProfile | None:
        return None if self._profile is None else self._profile.reverse()

    @property
    def _is_of_use(self) -> bool:
        """Whether the releases are dear to lay out otherwise, and this lattice knows more somewhere.

        Many releases have sums whose transform is rounded, so that far out another lattice may say less. Of few, each
        is known to a part of its profile, and this lattice has to add less than that: (n - 1)/12 times the square of
        the step times the density of the loss, which is c (c + 1) of a profile that falls like e^-ct.
        """
        faces, known = self.sums.counts, self.sums.upper
        if not all(isinstance(face, KNOWN) for face in faces) or not any(isinstance(face, DEAR) for face in faces):
            return False
        copies, slope = sum(faces.values()), _least_slope(known)
        added = (copies - 1) / 12 * STEP**2 * slope * (slope + 1)
        is_of_use = copies > FEW_RELEASES or added <= copies * self.sums.tolerance
        return bool(is_of_use and known.places[-1] - known.places[0] <= WIDEST)


def _grid(face: Face, step: float) -> Grid:
    return Grid(step, STRAIGHT if isinstance(face, FinitePair) else 0.0, farthest=FARTHEST)


def _merged(counts: Mapping[Face, int]) -> dict[Face, int]:
    """The releases, with all Gaussian ones as one."""
    gaussians = {face: copies for face, copies in counts.items() if isinstance(face, GaussianLoss)}
    others = {face: copies for face, copies in counts.items() if not isinstance(face, GaussianLoss)}
    return {**others, one_gaussian(gaussians): 1} if gaussians else others


def _least_slope(known: LatticeProfile) -> float:
    """How fast the log of the profile falls at least, from one level to the next; infinite where it ends before."""
    reached = np.searchsorted(-known.deltas, -np.array(LEVELS))
    places = known.places[reached[reached < len(known.places)]]
    widths, falls = np.diff(places), -np.diff(np.log(LEVELS))
    with np.errstate(divide="ignore"):  # a jump
        return float(np.min(falls[: len(widths)] / widths, initial=math.inf))
