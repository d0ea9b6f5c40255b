"""Kinds of the contour engine, built from two vectors of probabilities or from the noise of a mechanism."""

from __future__ import annotations

import math

from whit.curves.contour import AtomsKind


def of_pair(p: tuple[float, ...], q: tuple[float, ...]) -> AtomsKind:
    """The kind of two probability vectors over the same outcomes."""
    both = [(math.log(a) - math.log(b), a) for a, b in zip(p, q, strict=True) if a > 0 and b > 0]
    only_p = math.fsum(a for a, b in zip(p, q, strict=True) if b == 0)
    only_q = math.fsum(b for a, b in zip(p, q, strict=True) if a == 0)
    return AtomsKind(tuple(z for z, _ in both), tuple(a for _, a in both), only_p, only_q)


def geometric(epsilon: float, shift: int) -> AtomsKind:
    """Two-sided geometric noise p(k) ~ e^{-epsilon |k|} whose value moves by `shift` cells.

    The losses epsilon (shift - 2j) between the two ends have the masses of single cells.
    """
    ratio = math.exp(-epsilon)
    between = [(-math.expm1(-epsilon)) / (1 + ratio) * ratio**j for j in range(1, shift)]
    masses = (1 / (1 + ratio), *between, ratio**shift / (1 + ratio))
    losses = tuple(epsilon * (shift - 2 * j) for j in range(shift + 1))
    return AtomsKind(losses, masses, lattice=(epsilon, shift % 2))
