"""What is true of releases of other libraries, by formulas of many digits; and whether an answer lies just above it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import mpmath
from exact_profiles import Profile, finite, gaussian, reversed_profile, sampled

TINY = 1e-9
"""An answer may be above what is true, or above a sound number of the library, by this part of itself."""


def lies_just_above(found: float, truth: Profile, delta: float, *, within: float = TINY) -> bool:
    """Whether an epsilon is enough for a delta, and less by a small part of it is not."""
    enough = truth(mpmath.mpf(found)) <= mpmath.mpf(delta)
    return bool(enough and truth(mpmath.mpf(found) * (1 - mpmath.mpf(within))) > mpmath.mpf(delta))


def response(epsilon: float) -> Profile:
    """Two answers, the true one e^epsilon times as likely."""
    right = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))
    return finite([right, 1 - right], [1 - right, right])


def larger_of(*profiles: Profile) -> Profile:
    """The profile of whichever order of two neighbours tells more."""
    return lambda t: max(profile(t) for profile in profiles)


def training_step(mu: float, rate: float) -> Profile:
    """Gaussian noise on a Poisson sample, with a record added or removed."""
    once = gaussian(mu)
    return larger_of(sampled(once, rate), sampled(once, rate, removed=False))


def geometric(epsilon: float, change: int) -> Profile:
    """Noise on whole numbers that falls by e^-epsilon with each, on a change by so many."""
    e = mpmath.mpf(epsilon)
    norm, inner = 1 + mpmath.exp(-e), 1 - mpmath.exp(-e)
    p = [mpmath.exp(-i * e) * (1 if i in {0, change} else inner) / norm for i in range(change + 1)]
    return finite(p, p[::-1])


def discrete_gaussian(sigma: float, change: int) -> Profile:
    """Discrete Gaussian noise, as far as a double could tell."""
    far = int(40 * sigma) + change
    weights = {
        n: mpmath.exp(-(mpmath.mpf(n) ** 2) / (2 * mpmath.mpf(sigma) ** 2)) for n in range(-far, far + change + 1)
    }
    total = mpmath.fsum(weights[n] for n in range(-far, far + 1))
    places = range(-far + change, far + 1)
    return finite([weights[n - change] / total for n in places], [weights[n] / total for n in places])


def replaced_step(mu: float, rate: float) -> Profile:
    """One step of training with a replaced record: two mixtures whose loss rises with the sum, in closed form.

    Where e^t ((1 - q) + q e^(-mx - m^2/2)) = (1 - q) + q e^(mx - m^2/2), the sum x solves a quadratic equation in e^mx.
    """
    m, q = mpmath.mpf(mu), mpmath.mpf(rate)

    def profile(t: mpmath.mpf) -> mpmath.mpf:
        factor, c = mpmath.exp(t), q * mpmath.exp(-m * m / 2)
        middle = (1 - q) * (1 - factor)
        x = mpmath.log((-middle + mpmath.sqrt(middle * middle + 4 * c * c * factor)) / (2 * c)) / m
        p = (1 - q) * mpmath.ncdf(-x) + q * mpmath.ncdf(m - x)
        return p - factor * ((1 - q) * mpmath.ncdf(-x) + q * mpmath.ncdf(-m - x))

    return profile


def mixture(sigma: float, changes: Sequence[float], chances: Sequence[float]) -> Profile:
    """A change of a sum that is drawn, against none; the loss rises with the sum, and a search finds where it is t."""
    parts = [(mpmath.mpf(w), mpmath.mpf(s) / mpmath.mpf(sigma)) for s, w in zip(changes, chances, strict=True)]

    def removed(t: mpmath.mpf) -> mpmath.mpf:
        low, high = mpmath.mpf(-200), mpmath.mpf(200)
        for _ in range(300):
            x = (low + high) / 2
            less = mpmath.log(mpmath.fsum(w * mpmath.exp(m * x - m * m / 2) for w, m in parts)) < t
            low, high = (x, high) if less else (low, x)
        p = mpmath.fsum(w * mpmath.ncdf(m - low) for w, m in parts)
        return p - mpmath.exp(t) * mpmath.ncdf(-low)

    return larger_of(removed, reversed_profile(removed))


def stated_pairs(pairs: Sequence[tuple[float, float]]) -> Profile:
    """The tight composition of releases known by (epsilon, delta) alone (Murtagh and Vadhan 2016).

    With probability delta nothing is hidden; else the loss is epsilon or -epsilon, as of a randomized response.
    """
    kept = mpmath.fprod(1 - mpmath.mpf(delta) for _, delta in pairs)
    each = [mpmath.mpf(epsilon) for epsilon, _ in pairs]
    whole = mpmath.fprod(1 + mpmath.exp(e) for e in each)

    def profile(t: mpmath.mpf) -> mpmath.mpf:
        total = mpmath.mpf(0)
        for truths in product((True, False), repeat=len(each)):
            p = mpmath.exp(mpmath.fsum(e for e, true in zip(each, truths, strict=True) if true))
            q = mpmath.exp(mpmath.fsum(e for e, true in zip(each, truths, strict=True) if not true))
            total += max(p - mpmath.exp(t) * q, mpmath.mpf(0))
        return 1 - kept * (1 - total / whole)

    return profile
