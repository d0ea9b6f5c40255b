"""Releases of every kind and their compositions, each as whit knows it and as a law in balls of many digits."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import ClassVar

from flint import arb, arb_poly, ctx
from listed_laws import Listed
from summed_laws import Gaussian, Mixed, Sampled, Splines, Together, between

from whit import Geometric as GeometricNoise
from whit import RandomizedResponse
from whit.curves import (
    Curve,
    DiscreteGaussianLoss,
    Face,
    FinitePair,
    GaussianLoss,
    LaplaceLoss,
    LossDistribution,
    SubsampledLoss,
    composed,
)
from whit.setting import Sensitivity

# The numerators of finite pairs: dyadic numbers add up to 1 without rounding.
WHOLE = 2**16
# What is left of discrete noise beyond the list, in logs: less than any law leaves out.
BEYOND = 190.0


class Release(ABC):
    """One release."""

    name: ClassVar[str]

    @abstractmethod
    def loss(self) -> LossDistribution:
        """The release as whit knows it."""

    @property
    @abstractmethod
    def scale(self) -> float:
        """About how far its loss deviates."""


class ListedRelease(Release):
    """One with finitely many losses, or nearly."""

    @abstractmethod
    def listed(self, copies: int) -> Listed:
        """The law of so many copies."""

    @abstractmethod
    def sums(self, copies: int) -> float:
        """How many sums so many copies have."""


@dataclass(frozen=True)
class Response(ListedRelease):
    """Randomized response."""

    name: ClassVar[str] = "randomized response"
    epsilon: float
    categories: int

    def loss(self) -> LossDistribution:
        return _only(RandomizedResponse(self.epsilon, categories=self.categories).curve().face)

    @property
    def scale(self) -> float:
        return self.epsilon

    def listed(self, copies: int) -> Listed:
        e = arb(self.epsilon)
        total = e.exp() + self.categories - 1
        atoms = [(e, e.exp() / total, 1 / total), (-e, 1 / total, e.exp() / total)]
        if self.categories > 2:
            other = (self.categories - 2) / total
            atoms.append((arb(0), other, other))
        return Listed.of(atoms).times(copies)

    def sums(self, copies: int) -> float:
        return math.comb(copies + min(self.categories, 3) - 1, copies)


@dataclass(frozen=True)
class Geometric(ListedRelease):
    """Geometric noise and a whole change."""

    name: ClassVar[str] = "geometric"
    epsilon: float
    change: int

    def loss(self) -> LossDistribution:
        sensitivity = Sensitivity(add_remove=float(self.change), replace=float(self.change))
        return _only(GeometricNoise(self.epsilon, sensitivity=sensitivity).curve().face)

    @property
    def scale(self) -> float:
        return self.epsilon * self.change

    def listed(self, copies: int) -> Listed:
        e, s = arb(self.epsilon), self.change
        norm, inner = 1 + (-e).exp(), 1 - (-e).exp()
        p = [(-i * e).exp() * (1 if i in {0, s} else inner) / norm for i in range(s + 1)]
        return Listed.of([((s - 2 * i) * e, p[i], p[s - i]) for i in range(s + 1)]).times(copies)

    def sums(self, copies: int) -> float:
        return math.comb(copies + self.change, copies)


@dataclass(frozen=True)
class DiscreteGaussian(ListedRelease):
    """Discrete Gaussian noise and a change by one."""

    name: ClassVar[str] = "discrete Gaussian"
    sigma: float

    def loss(self) -> LossDistribution:
        return DiscreteGaussianLoss(self.sigma)

    @property
    def scale(self) -> float:
        return 1 / self.sigma

    @property
    def _reach(self) -> int:
        return math.ceil(self.sigma * math.sqrt(2 * BEYOND)) + 2

    def listed(self, copies: int) -> Listed:
        square, far = arb(self.sigma) ** 2, self._reach
        # Beyond the reach the weights fall faster than a geometric series.
        out = (-(arb(far + 1) ** 2) / (2 * square)).exp() / (1 - (-(2 * far + 3) / (2 * square)).exp())
        weights = [(-arb(n * n) / (2 * square)).exp() for n in range(-far, far + 1)]
        total = sum(weights, arb(0)) + between(0, 2 * out)
        law = arb_poly([weight / total for weight in weights]) ** copies
        atoms = []
        for place in range(law.degree() + 1):
            z = (2 * (place - copies * far) + copies) / (2 * square)
            atoms.append((z, law[place], law[place] * (-z).exp()))
        return Listed.of(atoms)

    def sums(self, copies: int) -> float:
        return 2 * self._reach * copies + 1


@dataclass(frozen=True)
class Finite(ListedRelease):
    """Two vectors of numerators; what one never produces is an infinite loss."""

    name: ClassVar[str] = "finite"
    p: tuple[int, ...]
    q: tuple[int, ...]

    def loss(self) -> LossDistribution:
        return FinitePair.of([a / WHOLE for a in self.p], [b / WHOLE for b in self.q])

    @property
    def scale(self) -> float:
        both = [(a, math.log(a / b)) for a, b in zip(self.p, self.q, strict=True) if a and b]
        return math.sqrt(sum(a / WHOLE * z * z for a, z in both)) + 1e-3

    def listed(self, copies: int) -> Listed:
        pairs = list(zip(self.p, self.q, strict=True))
        atoms = [((arb(a) / b).log(), arb(a) / WHOLE, arb(b) / WHOLE) for a, b in pairs if a and b]
        infinity, missing = (arb(sum(one for one, two in turned if not two)) / WHOLE for turned in _turns(pairs))
        return Listed.of(atoms, infinity, missing).times(copies)

    def sums(self, copies: int) -> float:
        atoms = sum(1 for a, b in zip(self.p, self.q, strict=True) if a and b)
        return math.comb(copies + atoms - 1, copies)


def _turns(pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    return [list(pairs), [(b, a) for a, b in pairs]]


@dataclass(frozen=True)
class Normal(Release):
    """Gaussian noise."""

    name: ClassVar[str] = "Gaussian"
    mu: float

    def loss(self) -> LossDistribution:
        return GaussianLoss(self.mu)

    @property
    def scale(self) -> float:
        return self.mu


@dataclass(frozen=True)
class Laplace(Release):
    """Laplace noise."""

    name: ClassVar[str] = "Laplace"
    epsilon: float

    def loss(self) -> LossDistribution:
        return LaplaceLoss(self.epsilon)

    @property
    def scale(self) -> float:
        return 0.8 * self.epsilon


@dataclass(frozen=True)
class Sample(Release):
    """Gaussian or Laplace noise on a Poisson sample."""

    name: ClassVar[str] = "sampled"
    size: float
    rate: float
    normal_noise: bool
    removed: bool

    def loss(self) -> LossDistribution:
        base = GaussianLoss(self.size) if self.normal_noise else LaplaceLoss(self.size)
        return SubsampledLoss(base, self.rate, removed=self.removed)

    def law(self) -> Sampled:
        """The law in closed form."""
        return Sampled(self.size, self.rate, normal_noise=self.normal_noise, removed=self.removed)

    @property
    def scale(self) -> float:
        return math.log1p(self.rate * math.expm1(self.size * (2 + 3 * self.normal_noise)))


def _only(face: Face) -> LossDistribution:
    """The loss of a mechanism whose pairs are all alike."""
    assert isinstance(face, LossDistribution)
    return face.pairs[0]


# Both orders ask for it.
@lru_cache(maxsize=2)
def _all_listed(counts: Sequence[tuple[Release, int]], _bits: int) -> Listed:
    """The law of those with finitely many losses, in so many bits; of none of them a loss of 0."""
    lists = [release.listed(copies) for release, copies in counts if isinstance(release, ListedRelease)]
    return reduce(Listed.plus, lists) if lists else Listed.of([(arb(0), arb(1), arb(1))])


@dataclass(frozen=True)
class Composition:
    """Some releases, each with the number of its copies."""

    counts: tuple[tuple[Release, int], ...]

    @property
    def releases(self) -> int:
        return sum(copies for _, copies in self.counts)

    @property
    def kinds(self) -> list[str]:
        return sorted({release.name for release, _ in self.counts})

    @property
    def scale(self) -> float:
        """About how far the summed loss deviates."""
        return math.sqrt(sum(copies * release.scale**2 for release, copies in self.counts))

    @property
    def is_listed(self) -> bool:
        return all(isinstance(release, ListedRelease) for release, _ in self.counts)

    def face(self) -> Face:
        """What whit makes of them."""
        faces: Counter[Curve] = Counter()
        for release, copies in self.counts:
            faces[Curve.exact(release.loss())] += copies
        return composed(faces).face

    def law(self, *, reverse: bool) -> Mixed:
        """The truth."""
        listed = _all_listed(self.counts, ctx.prec)
        smooth = [law for law in (self._normal(), self._splines()) if law is not None]
        samples = [
            release.law() for release, copies in self.counts if isinstance(release, Sample) for _ in range(copies)
        ]
        parts = [*(sample.reverse() if reverse else sample for sample in samples), *reversed(smooth)]
        assert len(parts) <= 2, "no formula for three laws with a density"
        rest: Gaussian | Splines | Sampled | Together | None = parts[0] if parts else None
        if len(parts) == 2:
            assert isinstance(parts[0], Splines | Sampled)  # a normal law comes last
            rest = Together(parts[0], parts[1])
        return Mixed(listed.reverse() if reverse else listed, rest)

    def _normal(self) -> Gaussian | None:
        found = [arb(release.mu) ** 2 * copies for release, copies in self.counts if isinstance(release, Normal)]
        return Gaussian(sum(found, arb(0))) if found else None

    def _splines(self) -> Splines | None:
        found = {release.epsilon: copies for release, copies in self.counts if isinstance(release, Laplace)}
        return Splines(found) if found else None
