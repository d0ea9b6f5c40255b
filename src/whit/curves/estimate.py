"""Many releases to a few digits and in little time: a guide for searches, and no proof of anything.

Each release is put below a finite pair on a lattice; all are then composed by one transform. In exact arithmetic the
result would be an upper bound; it is off by a part in ten thousand or so, and by the rounding of the transform.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from whit.curves.face import Array, Face
from whit.curves.finite import FinitePair
from whit.curves.lattice_pairs import LatticePair, dominating

# The lattice of the sum has so many places, and more where the releases are many.
PLACES = 2**15
MOST_PLACES = 2**18
# How closely the profile of one release is followed, as a share of what all releases together are known to.
TOLERANCE = 1e-3
# One release is looked at on a lattice of about so many places first, and so roughly: only its reach is wanted.
COARSE = 2**10
ROUGH = 0.03
# Losses beyond which this is left count as infinite.
LEFT_LOG = -34.0
# Masses of the transform below this are rounding.
NOISE = 1e-16
# Where losses reach over more than this, rounding under the one dataset is no longer small under the other.
WIDEST = 30.0


def estimated(face: Face, copies: int) -> FinitePair | None:
    """About the loss of so many independent releases with this one; None where the losses reach too far.

    >>> from whit.curves import GaussianLoss
    >>> float(GaussianLoss(1.0).log_delta(1.0).mid.round(3))
    -2.064
    >>> float(estimated(GaussianLoss(0.1), 100).log_delta(1.0).mid.round(3))
    -2.064
    """
    return estimated_sum([(face, copies)])


def estimated_sum(parts: Sequence[tuple[Face, int]]) -> FinitePair | None:
    """About the loss of independent releases of several kinds, each so many times; None where losses reach too far."""
    ends = [window(face, copies) for face, copies in parts]
    low, high = (sum(end) for end in zip(*ends, strict=True))
    if high - low > WIDEST:
        return None
    number = sum(copies for _, copies in parts)
    places = min(PLACES * 2 ** int(np.log2(1 + number / 1e5)), MOST_PLACES)
    step = (high - low) / places
    pairs = [(dominating(face, step, TOLERANCE / number), copies) for face, copies in parts]
    return _summed(pairs, step, int(np.floor(low / step)), places)


@np.errstate(over="ignore", invalid="ignore")  # where a loss is beyond the doubles, the window is as wide
def window(face: Face, copies: int) -> tuple[float, float]:
    """About from where to where the sum of so many losses reaches, up to next to nothing."""
    step = _first_step(face)
    return _window(dominating(face, step, ROUGH), step, copies)


def _first_step(face: Face) -> float:
    """A step that is fine beside the losses of one release, and not so fine that they reach too far on it."""
    sizes = np.geomspace(1e-9, 1e3, 121)
    known = np.maximum(face.log_delta(sizes).upper, face.reverse().log_delta(sizes).upper)
    return float(sizes[min(int(np.argmax(known < LEFT_LOG)) or -1, len(sizes) - 1)]) / COARSE


def _window(pair: LatticePair, step: float, copies: int) -> tuple[float, float]:
    """Where the sum lies, up to next to nothing, by Chernoff's bound: below under Q, above under P."""
    losses = np.asarray(step * (pair.first + np.arange(len(pair.masses))), dtype=np.float64)
    with np.errstate(divide="ignore"):
        logs = np.log(pair.masses)
    deviation = np.sqrt(float(np.sum(pair.masses * losses**2)) * copies) + step
    tilts = np.geomspace(0.05, 40.0, 60) / deviation
    reach = [_reach(logs, losses, tilts, copies), _reach(logs - losses, -losses, tilts, copies)]
    return -reach[1] - 4 * step, reach[0] + 4 * step


def _reach(logs: Array, losses: Array, tilts: Array, copies: int) -> float:
    growth = np.array([np.logaddexp.reduce(logs + tilt * losses) for tilt in tilts])
    return float(np.min((copies * growth - LEFT_LOG) / tilts))


def _summed(pairs: Sequence[tuple[LatticePair, int]], step: float, first: int, places: int) -> FinitePair:
    """The pairs, each taken so many times, on consecutive places from the first one on."""
    transform = np.ones(places // 2 + 1, dtype=np.complex128)
    for pair, copies in pairs:
        one = np.zeros(places)
        np.add.at(one, (pair.first + np.arange(len(pair.masses))) % places, pair.masses)
        transform *= np.fft.rfft(one) ** copies
    turned = np.fft.irfft(transform, places)
    masses = np.roll(turned, -(first % places))
    kept = masses > NOISE * masses.max()
    losses = (step * (first + np.arange(places)))[kept]
    logs = np.log(masses[kept]) - np.log(masses[kept].sum())
    infinity = -np.expm1(sum(copies * np.log1p(-min(pair.infinity, 0.5)) for pair, copies in pairs))
    logs += np.log1p(-infinity)
    missing = 1.0 - float(np.exp(logs - losses).sum())
    with np.errstate(divide="ignore"):
        outside = float(np.log(infinity)), float(np.log(max(missing, 0.0)))
    return FinitePair(losses, logs, *outside, mass_error=max(-missing, 1e-9))
