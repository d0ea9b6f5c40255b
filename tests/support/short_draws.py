"""Random short compositions, by number."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from short_releases import (
    WHOLE,
    Composition,
    DiscreteGaussian,
    Finite,
    Geometric,
    Laplace,
    ListedRelease,
    Normal,
    Release,
    Response,
    Sample,
)

# Beyond so many sums a listed law takes long.
MOST_SUMS = 30_000


class Draw:
    """Compositions by number: the same number always gives the same one."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng([20_000, seed])
        # A third has sizes that share a lattice, a tenth is small, the others are anything.
        self.style = self.rng.choice(["dyadic", "small", "any"], p=[0.3, 0.1, 0.6])

    def size(self, low: float, high: float) -> float:
        """A size between two others: as small as one likes, or a multiple of 1/16."""
        found = math.exp(self.rng.uniform(math.log(low), math.log(high)))
        if self.style == "small":
            return found / 10
        return max(round(found * 16), 1) / 16 if self.style == "dyadic" else found

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return int(self.rng.integers(low, high + 1))

    def listed(self) -> ListedRelease:
        """A release with finitely many losses."""
        makers: list[Callable[[], ListedRelease]] = [
            lambda: Response(self.size(0.03, 3.0), self.whole(2, 5)),
            lambda: Geometric(self.size(0.03, 1.5), self.whole(1, 4)),
            lambda: DiscreteGaussian(self.size(0.4, 8.0) + (0.4 if self.style == "small" else 0.0)),
            self._finite,
        ]
        return makers[self.whole(0, 3)]()

    def _finite(self) -> Finite:
        atoms = self.whole(2, 4)
        p, q = (self._numerators(atoms) for _ in range(2))
        if self.rng.random() < 0.3:
            small = self.whole(1, 40)
            p, q = (*(self._less(p, small)), small, 0), (*self._less(q, small), 0, small)
        return Finite(p, q)

    def _numerators(self, atoms: int) -> tuple[int, ...]:
        shares = self.rng.dirichlet(np.full(atoms, 2.0))
        found = [max(int(share * WHOLE), 200) for share in shares]
        found[int(np.argmax(found))] += WHOLE - sum(found)
        return tuple(found)

    @staticmethod
    def _less(numerators: tuple[int, ...], by: int) -> tuple[int, ...]:
        largest = int(np.argmax(numerators))
        return tuple(n - by * (place == largest) for place, n in enumerate(numerators))

    def some_listed(self, most: int, groups: int, sums: float) -> list[tuple[Release, int]]:
        """Groups of equal releases with finitely many losses, whose sums are not too many."""
        found: list[tuple[Release, int]] = []
        for _ in range(groups):
            release = self.listed()
            copies = 1 + int(most * self.rng.random() ** 2)
            while copies > 1 and release.sums(copies) > sums:
                copies = copies // 2
            if release.sums(copies) <= sums:
                found.append((release, copies))
                sums /= release.sums(copies)
        return found

    def normal(self) -> tuple[Release, int]:
        """Gaussian noise: mostly few copies, at times many."""
        return Normal(self.size(0.05, 2.0)), 1 + int(45 * self.rng.random() ** 4)

    def noise(self) -> tuple[Release, int]:
        """Discrete Gaussian noise, with not too many losses to integrate at each."""
        return DiscreteGaussian(min(self.size(0.3, 1.5), 1.5) + (0.3 if self.style == "small" else 0.0)), 1

    def sample(self) -> tuple[Release, int]:
        """A release on a sample."""
        rate = math.exp(self.rng.uniform(math.log(1e-3), math.log(0.6)))
        normal_noise = bool(self.rng.random() < 0.7)
        return Sample(self.size(0.2, 2.5), rate, normal_noise, bool(self.rng.random() < 0.7)), 1

    def laplace(self, groups: int, most: int) -> list[tuple[Release, int]]:
        """Groups of Laplace releases."""
        sizes = {self.size(0.03, 3.0) for _ in range(groups)}
        return [(Laplace(size), self.whole(1, most)) for size in sorted(sizes)]

    def composition(self, *, listed: bool) -> Composition:
        """Two releases or more: all with finitely many losses, or some with a density."""
        while True:
            counts = self._all_listed() if listed else self._dense()
            found = Composition(tuple(counts))
            if 2 <= found.releases <= 50 and found.scale < 25:
                return found

    def _all_listed(self) -> list[tuple[Release, int]]:
        sums = MOST_SUMS if self.rng.random() < 0.15 else 3000.0
        return self.some_listed(self.whole(2, 49), self.whole(1, 4), sums)

    def _dense(self) -> list[tuple[Release, int]]:
        few, fewer = self.some_listed(30, self.whole(0, 2), 60.0), self.some_listed(4, self.whole(0, 1), 6.0)
        shapes: list[Callable[[], list[tuple[Release, int]]]] = [
            lambda: [self.normal() for _ in range(self.whole(2, 5))],
            lambda: [self.normal(), *few],
            lambda: [*self.laplace(self.whole(1, 4), 2), *fewer],
            lambda: [*self.laplace(self.whole(1, 2), 12), *fewer],
            lambda: [*self.laplace(1, 40), *few],
            lambda: [self.normal(), *self.laplace(self.whole(1, 2), 2), *fewer],
            lambda: [self.sample(), *few],
            lambda: [self.sample(), *few],
            lambda: [self.sample(), *self.laplace(self.whole(1, 2), 1), *fewer],
            lambda: [self.sample(), self.normal(), *fewer],
            lambda: [self.sample(), self.noise(), *fewer],
            lambda: [self.normal(), self.noise(), *fewer],
            lambda: [*self.laplace(1, 3), self.noise(), *fewer],
            lambda: [self.sample(), self.sample()],
            lambda: [(self.sample()[0], 2)],
            lambda: [self.sample(), self.sample(), *fewer],
        ]
        return shapes[self.whole(0, len(shapes) - 1)]()
