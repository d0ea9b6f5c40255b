"""Each face becomes the kind whose transform it has."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves import (
    ChordProfile,
    ComposedLoss,
    DiscreteGaussianLoss,
    Face,
    FinitePair,
    GaussianLoss,
    LaplaceLoss,
    PowerTable,
    TradeOff,
    contour,
)
from whit.curves.composition import kinds
from whit.errors import TooCostly

FACES = [
    GaussianLoss(0.8),
    LaplaceLoss(0.4),
    DiscreteGaussianLoss(3.0, (1, 1, 2)),
    FinitePair.of([0.5, 0.3, 0.2], [0.3, 0.3, 0.4]),
    FinitePair.of([0.5, 0.4, 0.1, 0.0], [0.4, 0.5, 0.0, 0.1]),
    FinitePair(np.array([-1.0, 1.0]), -np.log1p(np.exp([1.0, -1.0]))),
    TradeOff.through([0.1, 0.3], [0.4, 0.7]),
    ChordProfile.of([0.5, 1.0], [0.1, 0.01]),
    PowerTable(np.array([0.05]), np.array([0.2])),
    ComposedLoss(contour.Composition({contour.GaussianKind(0.3): 40}), relative_width=1e-3),
]


@pytest.mark.parametrize("face", FACES, ids=repr)
def test_the_transform_of_a_face_is_that_of_its_profile(face: Face) -> None:
    """M(s) is the integral of s (s+1) e^{st} (D(t) - D(inf)) over all t, for every s > 0: twice by parts."""
    s = 1.0
    counts, _ = kinds(face)
    composition = contour.Composition(counts)
    t = np.linspace(-30.0, 30.0, 20001)
    infinite = np.exp(face.log_delta(np.inf).mid)
    integrand = s * (s + 1) * np.exp(s * t) * (np.exp(face.log_delta(t).mid) - infinite)
    by_profile = np.trapezoid(integrand, t)
    by_transform = float(np.exp(composition.log_mgf_real(np.array([s]))[0]))
    assert by_profile == pytest.approx(by_transform, rel=2e-3)


def test_two_opposite_losses_are_randomized_response() -> None:
    counts, _ = kinds(FACES[5])
    assert list(counts) == [contour.RandomizedResponseKind(1.0)]


def test_copies_of_a_composition_are_counted() -> None:
    counts, _ = kinds(FACES[9])
    assert counts == {contour.GaussianKind(0.3): 40}


def test_the_errors_of_a_pair_travel() -> None:
    _, slack = kinds(FACES[3])
    assert slack.loss > 0
    assert slack.mass > 0


def test_masses_that_a_product_of_doubles_would_lose_are_refused() -> None:
    pair = FinitePair.of([1 - 1e-300, 1e-300], [0.5, 0.5])
    with pytest.raises(TooCostly, match=r"a finite pair must have masses above 1e-290 to be composed"):
        kinds(pair)
