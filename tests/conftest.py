"""What holds for every test: the same examples on every run, and no silent floating-point accident."""

from __future__ import annotations

from collections.abc import Iterator

import hypothesis
import mpmath
import numpy as np
import pytest

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.load_profile("ci")
mpmath.mp.dps = 50


@pytest.fixture(autouse=True)
def floating_point_accidents_warn() -> Iterator[None]:
    """Start each test from numpy's own defaults, whatever a test before it set; pytest turns the warning into an error.

    Underflow stays quiet: a probability that is too small for a double is rounded to zero on purpose.
    """
    with np.errstate(divide="warn", over="warn", invalid="warn", under="ignore"):
        yield
