"""The law of finitely many privacy losses, and of sums of them, in balls of many digits (Arb)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from flint import arb

Masses: TypeAlias = "tuple[arb, arb]"


class Undecided(ArithmeticError):
    """A threshold cannot be told from a loss that has a mass."""


def above(loss: arb, threshold: arb) -> bool:
    """Whether one number is above another; Undecided where the balls meet and are not points."""
    if loss > threshold:
        return True
    if loss <= threshold:
        return False
    raise Undecided


@dataclass(frozen=True)
class Listed:
    """Finitely many losses with their masses under P and Q, and what either never produces."""

    losses: Sequence[arb]
    p: Sequence[arb]
    q: Sequence[arb]
    infinity: arb
    missing: arb

    @classmethod
    def of(cls, atoms: Sequence[tuple[arb, arb, arb]], infinity: arb | int = 0, missing: arb | int = 0) -> Listed:
        """The law of losses, each with both masses; a loss of no mass is left out."""
        losses, p, q = zip(*sorted(atoms, key=lambda atom: float(atom[0])), strict=True) if atoms else ((), (), ())
        return cls(losses, p, q, arb(infinity), arb(missing))

    def plus(self, other: Listed) -> Listed:
        """The law of the sum."""
        atoms = [
            (z + y, a * b, c * d)
            for z, a, c in zip(self.losses, self.p, self.q, strict=True)
            for y, b, d in zip(other.losses, other.p, other.q, strict=True)
        ]
        infinity, missing = (
            1 - (1 - one) * (1 - two) for one, two in ((self.infinity, other.infinity), (self.missing, other.missing))
        )
        return Listed.of(atoms, infinity, missing)

    def times(self, copies: int) -> Listed:
        """The law of so many copies: equal sums, which are those of the same number of each loss, are put together."""
        counts: dict[tuple[int, ...], Masses] = {(0,) * len(self.losses): (arb(1), arb(1))}
        for _ in range(copies):
            more: dict[tuple[int, ...], Masses] = {}
            for key, (a, b) in counts.items():
                for place, (p, q) in enumerate(zip(self.p, self.q, strict=True)):
                    longer = (*key[:place], key[place] + 1, *key[place + 1 :])
                    old = more.get(longer, (arb(0), arb(0)))
                    more[longer] = (old[0] + a * p, old[1] + b * q)
            counts = more
        atoms = []
        for key, (p, q) in counts.items():
            total = sum((n * z for n, z in zip(key, self.losses, strict=True)), arb(0))
            atoms.append((total, p, q))
        return Listed.of(atoms, 1 - (1 - self.infinity) ** copies, 1 - (1 - self.missing) ** copies)

    def reverse(self) -> Listed:
        """The law with P and Q exchanged."""
        turned = [(-z, q, p) for z, p, q in zip(self.losses, self.p, self.q, strict=True)]
        return Listed.of(turned, self.missing, self.infinity)

    @cached_property
    def _from(self) -> list[Masses]:
        """The masses from each loss on, and none behind the last."""
        sums = [(arb(0), arb(0))]
        for p, q in zip(reversed(self.p), reversed(self.q), strict=True):
            sums.append((sums[-1][0] + p, sums[-1][1] + q))
        return sums[::-1]

    def masses_from(self, place: int) -> Masses:
        """The masses of the losses from one on, in their order."""
        return self._from[place]

    def above(self, t: arb) -> Masses:
        """The masses of the finite losses above a threshold."""
        low, high = 0, len(self.losses)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if above(self.losses[middle], t) else (middle + 1, high)
        return self._from[low]
