"""The law of a sum of independent privacy losses in balls of many digits (Arb), by formulas that whit does not use.

A law answers one question: how much mass P and Q have where the loss is above a threshold. The profile, the tail and a
point of the power follow from that. Finite laws are listed. Laplace laws are splines: what a sum of them lacks to its
largest loss is a mixture of shifted gamma laws. Samples and normal laws are in closed form, and two laws with a density
are summed by one integral that Arb encloses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from flint import acb, arb, arb_poly, ctx
from listed_laws import Listed, Masses, above

Number: TypeAlias = Any  # an arb or an acb: Arb's functions take both

# What a list leaves out, and what an integral leaves open, is below this.
LEFT_OUT = "1e-75"
# An integral is enclosed to about this, and relatively to so many bits.
OPEN_BITS, RELATIVE_BITS = 250, 90
# So near to a point at which a law has no power series the integrand is only known to lie between 0 and 1.
NEAR_BITS = 255


def between(low: arb | int, high: arb | int) -> arb:
    """The ball from one number to the other."""
    return arb(low).union(arb(high))


class Gaussian:
    """The loss of two normal laws: normal, with the variance mu^2 and the mean mu^2/2 or minus that."""

    kinks: Sequence[arb] = ()

    def __init__(self, square: arb) -> None:
        self.mu = square.sqrt()

    def masses(self, t: Number, _at: arb) -> tuple[Number, Number]:
        """The masses above a number that may be complex, by the formula that holds around a real one."""
        return upper(t / self.mu - self.mu / 2), upper(t / self.mu + self.mu / 2)

    def above(self, t: arb) -> Masses:
        """The masses above a threshold."""
        return self.masses(t, t)


def upper(x: Number) -> Number:
    """The mass of a normal law above a number."""
    return (x / arb(2).sqrt()).erfc() / 2


def log(x: Number) -> Number:
    """The logarithm; of a complex ball that meets the cut nothing, so that an integral is never taken across it."""
    return x.log(analytic=True) if isinstance(x, acb) else x.log()


def normal(x: Number) -> Number:
    """The normal density."""
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


@dataclass(frozen=True)
class Piece:
    """Part of a law with a density: loss and densities by a variable, and the variable by the loss."""

    start: arb
    end: arb
    loss: Callable[[Number], Number]
    p: Callable[[Number], Number]
    q: Callable[[Number], Number]
    variable: Callable[[arb], arb]


class Splines:
    """The sum of Laplace losses, {epsilon: copies}.

    What a part lacks to its epsilon is 0 with mass 1/2 under P, 2 epsilon with mass e^-epsilon/2, and between them it
    has the density e^(-w/2)/4. By u^k the density w^(k-1)/(k-1)! e^(-w/2) is meant, and by 1 an atom at 0: a part is
    1/2 + u/4, and e^-epsilon (1/2 - u/4) moved by 2 epsilon.
    """

    def __init__(self, counts: Mapping[float, int]) -> None:
        self.largest = sum((n * arb(e) for e, n in counts.items()), arb(0))
        terms = [(arb(0), arb_poly([1]))]
        for e, n in counts.items():
            near, far = arb_poly([arb(1) / 2, arb(1) / 4]), arb_poly([arb(1) / 2, -arb(1) / 4]) * (-arb(e)).exp()
            powers = [arb(n).bin(j) * near ** (n - j) * far**j for j in range(n + 1)]
            terms = [(a + 2 * j * arb(e), c * power) for a, c in terms for j, power in enumerate(powers)]
        merged: dict[str, tuple[arb, arb_poly]] = {}
        for a, c in terms:
            # Sums of few doubles are exact at this precision, so that equal shifts are the same number.
            key = str(a.mid_rad_10exp())
            merged[key] = (a, merged[key][1] + c if key in merged else c)
        self.terms = sorted(merged.values(), key=lambda term: float(term[0]))
        self.kinks = [self.largest - a for a, _ in self.terms]

    def above(self, t: arb) -> Masses:
        """The masses above a threshold."""
        gap, p, q = self.largest - t, arb(0), arb(0)
        for a, c in self.terms:
            if not above(gap, a):
                break
            x = gap - a
            for rate, side in ((-arb(1) / 2, 0), (arb(1) / 2, 1)):
                total = _gamma_sum(c, x, rate)
                p, q = (p + total, q) if side == 0 else (p, q + a.exp() * total)
        return p, q * (-self.largest).exp()

    def masses(self, t: Number, at: arb) -> tuple[Number, Number]:
        """The masses above a number that may be complex, by the splines of the interval around a real one."""
        gap, p, q = self.largest - t, arb(0), arb(0)
        for a, c in self.terms:
            if self.largest - at > a:
                p, q = p + _gamma_sum(c, gap - a, -arb(1) / 2), q + a.exp() * _gamma_sum(c, gap - a, arb(1) / 2)
        return p, q * (-self.largest).exp()

    @property
    def atoms(self) -> list[tuple[arb, arb, arb]]:
        """The losses with a mass of their own."""
        found = [(self.largest - a, c[0]) for a, c in self.terms]
        return [(z, p, p * (-z).exp()) for z, p in found]

    @property
    def pieces(self) -> list[Piece]:
        """The density between neighbouring kinks, by what is lacking."""
        shifts = [a for a, _ in self.terms]
        return [self._piece(number, *ends) for number, ends in enumerate(pairwise(shifts))]

    def _piece(self, number: int, start: arb, end: arb) -> Piece:
        total = arb_poly([0])
        for a, c in self.terms[: number + 1]:
            rest = arb_poly([c[k + 1] / arb(k).fac() for k in range(c.degree())])
            total += rest(arb_poly([-a, 1])) * (a / 2).exp()

        def p(w: Number) -> Number:
            return total(w) * (-w / 2).exp()

        return Piece(
            start,
            end,
            lambda w: self.largest - w,
            p,
            lambda w: p(w) * (w - self.largest).exp(),
            lambda z: self.largest - z,
        )


def _gamma_sum(c: arb_poly, x: Number, rate: arb) -> Number:
    """The sum of c_k times the integral of w^(k-1)/(k-1)! e^(rate w) from 0 to x, the first of them being 1."""
    total = c[0] + 0 * x
    if c.degree() < 1:
        return total
    edge = (rate * x).exp()
    integral, power = (edge - 1) / rate, edge
    for k in range(1, c.degree() + 1):
        if k > 1:
            power = power * x / (k - 1)
            integral = (power - integral) / rate
        total = total + c[k] * integral
    return total


class Sampled:
    """The loss of a normal or a Laplace pair (P, Q) on a sample: that of (1 - q) Q + q P against Q, or the reverse."""

    def __init__(self, size: float, rate: float, *, normal_noise: bool, removed: bool) -> None:
        self.size, self.rate, self.removed, self.normal_noise = arb(size), arb(rate), removed, normal_noise
        ends = [-self.size, self.size]
        inner = [(1 - self.rate).log()] if normal_noise else [self._mixed(end) for end in ends]
        self.kinks = inner if removed else [-kink for kink in inner]

    def _mixed(self, s: Number) -> Number:
        return log(1 - self.rate + self.rate * s.exp())

    def _behind(self, z: Number) -> Number:
        return log((z.exp() - 1 + self.rate) / self.rate)

    def reverse(self) -> Sampled:
        """The other order."""
        return Sampled(float(self.size), float(self.rate), normal_noise=self.normal_noise, removed=not self.removed)

    def above(self, t: arb) -> Masses:
        """The masses above a threshold."""
        return self.masses(t, t)

    def masses(self, t: Number, at: arb) -> tuple[Number, Number]:
        """The masses above a number that may be complex, by the formula that holds around a real one."""
        if self.removed:
            p, q = self._base(t, at, strictly=True)
            return (1 - self.rate) * q + self.rate * p, q
        p, q = self._base(-t, -at, strictly=False)
        return 1 - q, (1 - self.rate) * (1 - q) + self.rate * (1 - p)

    def _base(self, t: Number, at: arb, *, strictly: bool) -> tuple[Number, Number]:
        """The masses under P and Q of the pair behind where the sampled loss is above a number, or reaches it."""
        everything, nothing = (1 + 0 * t, 1 + 0 * t), (0 * t, 0 * t)
        if self.normal_noise:
            if not above(at, self.kinks[0] if self.removed else -self.kinks[0]):
                return everything
            s = self._behind(t)
            return upper(s / self.size - self.size / 2), upper(s / self.size + self.size / 2)
        low, high = (kink if self.removed else -kink for kink in self.kinks)
        if above(low, at) or (not strictly and not above(at, low)):
            return everything
        if above(at, high) or (strictly and not above(high, at)):
            return nothing
        s = self._behind(t)
        return 1 - ((s - self.size) / 2).exp() / 2, (-(s + self.size) / 2).exp() / 2

    @property
    def atoms(self) -> list[tuple[arb, arb, arb]]:
        """The losses with a mass of their own."""
        if self.normal_noise:
            return []
        half, less = arb(1) / 2, (-self.size).exp() / 2
        return [self._atom(self.size, half, less), self._atom(-self.size, less, half)]

    def _atom(self, s: arb, p: arb, q: arb) -> tuple[arb, arb, arb]:
        z, mixed = self._mixed(s), (1 - self.rate) * q + self.rate * p
        return (z, mixed, q) if self.removed else (-z, q, mixed)

    @property
    def pieces(self) -> list[Piece]:
        """The density by the loss behind; that of a normal pair as far as it matters."""
        sign = 1 if self.removed else -1

        def loss(s: Number) -> Number:
            return sign * self._mixed(s)

        def q(s: Number) -> Number:
            if self.normal_noise:
                return normal(s / self.size + self.size / 2) / self.size
            return (-(s + self.size) / 2).exp() / 4

        def mixed(s: Number) -> Number:
            return q(s) * (1 - self.rate + self.rate * s.exp())

        far = self.size * (self.size / 2 + 19) if self.normal_noise else self.size
        densities = (mixed, q) if self.removed else (q, mixed)
        return [Piece(-far, far, loss, *densities, lambda z: self._behind(sign * z))]


class Together:
    """The sum of a law with atoms and a density, and of another one whose masses have a formula."""

    def __init__(self, first: Splines | Sampled, second: Gaussian | Splines | Sampled) -> None:
        self.first, self.second = first, second
        self.pieces, self.atoms = first.pieces, first.atoms

    def above(self, t: arb) -> Masses:
        """The masses above a threshold."""
        p, q = arb(0), arb(0)
        for z, a, b in self.atoms:
            found = self.second.above(t - z)
            p, q = p + a * found[0], q + b * found[1]
        for piece in self.pieces:
            for start, end in self._parts(piece, t):
                p += self._integral(piece, t, start, end, 0)
                q += self._integral(piece, t, start, end, 1)
        return p, q

    def _parts(self, piece: Piece, t: arb) -> list[tuple[arb, arb]]:
        """The intervals between the places at which the second law has no power series, short of them."""
        cuts = [piece.variable(t - kink) for kink in self.second.kinks]
        inside = sorted((cut for cut in cuts if piece.start < cut and cut < piece.end), key=float)
        near = arb(2) ** -NEAR_BITS
        ends = [piece.start, *inside, piece.end]
        return [
            (low + (near if number else 0), high - (near if number < len(inside) else 0))
            for number, (low, high) in enumerate(pairwise(ends))
        ]

    def _integral(self, piece: Piece, t: arb, start: arb, end: arb, side: int) -> arb:
        at = t - piece.loss((start + end) / 2)
        density = (piece.p, piece.q)[side]

        def integrand(x: acb, _analytic: bool) -> acb:
            found: acb = density(x) * self.second.masses(t - piece.loss(x), at)[side]
            return found

        relative, absolute = arb(2) ** -RELATIVE_BITS, arb(2) ** -OPEN_BITS
        return acb.integral(integrand, acb(start), acb(end), rel_tol=relative, abs_tol=absolute).real


@dataclass(frozen=True)
class Mixed:
    """The sum of a listed law, and of one that has a density or nothing."""

    listed: Listed
    rest: Gaussian | Splines | Sampled | Together | None

    def above(self, t: arb) -> Masses:
        """The masses above a threshold, of finite losses only."""
        left_out = between(0, arb(LEFT_OUT))
        p, q = left_out, left_out
        if self.rest is None:
            found = self.listed.above(t)
            return p + found[0], q + found[1]
        for z, a, b in zip(self.listed.losses, self.listed.p, self.listed.q, strict=True):
            found = self.rest.above(t - z)
            p, q = p + a * found[0], q + b * found[1]
        return p, q

    def delta(self, t: arb) -> arb:
        """The profile."""
        p, q = self.above(t)
        return self.listed.infinity + p - t.exp() * q


def with_bits(bits: int) -> None:
    """Compute with so many bits from now on."""
    ctx.prec = bits
