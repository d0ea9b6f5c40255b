"""The bound on the power as KAA22 prints it, in 50 digits."""

from __future__ import annotations

import mpmath


def printed_power(epsilon: float, delta: float, level: float) -> mpmath.mpf:
    """Theorem 6.2 at level a, and 6.1 without a delta: min(e^epsilon a + delta, 1 - e^(-epsilon) (1 - a - delta))."""
    with mpmath.workdps(50):
        a, d, factor = mpmath.mpf(level), mpmath.mpf(delta), mpmath.exp(mpmath.mpf(epsilon))
        return min(factor * a + d, -mpmath.expm1(-mpmath.mpf(epsilon)) + (a + d) / factor, mpmath.mpf(1))
