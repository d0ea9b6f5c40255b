"""The scale of a composition is asked for at any size: a bend beyond all doubles is none, and warns of nothing."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves.contour import Composition, GaussianKind, scale_of


class Extreme(Composition):
    """A composition whose log M is as given at the three tilts."""

    def __init__(self, ends: list[float]) -> None:
        super().__init__({GaussianKind(1.0): 1})
        self._given = np.array(ends)

    def log_mgf_real(self, tilts: np.ndarray) -> np.ndarray:
        return self._given


@pytest.mark.parametrize("ends", [[1e308, -1e308, 1e308], [np.inf, np.inf, 0.0], [np.inf, 0.0, np.inf]])
def test_a_bend_that_no_double_holds_is_taken_as_one(ends):
    assert scale_of(Extreme(ends)) == 1.0


@pytest.mark.parametrize("mu", [1e-3, 1.0, 1e3])
def test_the_scale_of_gaussian_noise_is_its_deviation(mu):
    assert scale_of(Composition({GaussianKind(mu): 1})) == pytest.approx(mu, rel=1e-6)
