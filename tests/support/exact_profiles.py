"""Profiles of single releases and of two together in many digits, by formulas that the library does not use."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import mpmath

Profile = Callable[[mpmath.mpf], mpmath.mpf]


def gaussian(mu: float) -> Profile:
    """The profile of two normal laws."""
    m = mpmath.mpf(mu)
    return lambda t: mpmath.ncdf(m / 2 - t / m) - mpmath.exp(t) * mpmath.ncdf(-m / 2 - t / m)


def laplace(epsilon: float) -> Profile:
    """The profile of Laplace noise: 1 - e^{(t - epsilon)/2} between its ends."""
    e = mpmath.mpf(epsilon)

    def profile(t: mpmath.mpf) -> mpmath.mpf:
        if t >= e:
            return mpmath.mpf(0)
        return 1 - mpmath.exp(t) if t <= -e else 1 - mpmath.exp((t - e) / 2)

    return profile


def finite(p: Sequence[float], q: Sequence[float]) -> Profile:
    """The profile of two vectors."""
    return lambda t: mpmath.fsum(
        max(mpmath.mpf(a) - mpmath.exp(t) * mpmath.mpf(b), mpmath.mpf(0)) for a, b in zip(p, q, strict=True)
    )


def reversed_profile(profile: Profile) -> Profile:
    """The profile of the pair in the other order."""
    return lambda t: 1 - mpmath.exp(t) + mpmath.exp(t) * profile(-t)


def sampled(profile: Profile, rate: float, *, removed: bool = True) -> Profile:
    """On a Poisson sample: the mixture against Q, E_Q[(1 - q + q P/Q - x)+], or Q against the mixture."""
    q = mpmath.mpf(rate)

    def mixture(t: mpmath.mpf) -> mpmath.mpf:
        x = mpmath.exp(t)
        return 1 - x if x <= 1 - q else q * profile(mpmath.log((x - 1 + q) / q))

    return mixture if removed else reversed_profile(mixture)


def laplace_and(epsilon: float, profile: Profile, t: mpmath.mpf, kinks: Sequence[float] = ()) -> mpmath.mpf:
    """The profile of Laplace noise and another release: the atoms of the former, and its density e^{(z - e)/2}/4.

    The integral is cut where the profile of the other release has a kink.
    """
    e = mpmath.mpf(epsilon)
    atoms = profile(t - e) / 2 + mpmath.exp(-e) * profile(t + e) / 2
    corners = sorted({-e, e, *(min(max(t - mpmath.mpf(kink), -e), e) for kink in (0.0, *kinks))})
    return atoms + mpmath.quad(lambda z: mpmath.exp((z - e) / 2) / 4 * profile(t - z), corners)
