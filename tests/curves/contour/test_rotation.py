"""Sums of rotated terms by cells, against ball arithmetic and against one place after the other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import acb, arb, ctx

from whit.curves.contour import rotation
from whit.curves.contour.floating import UNIT


def drawn(seed: int, nodes: int, places: int, middle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places in some clusters, nodes with gaps that start anywhere, and terms that fall off."""
    rng = np.random.default_rng(seed)
    xs = rng.choice(rng.normal(size=5) * 10, places) + rng.uniform(-0.2, 0.2, places)
    t = middle + np.sort(rng.choice(20 * nodes, nodes, replace=False)) * 0.01
    sizes = np.exp(-5 * np.arange(nodes) / nodes)[:, None]
    return xs, t, sizes * (rng.normal(size=(nodes, 2)) + 1j * rng.normal(size=(nodes, 2)))


@pytest.mark.parametrize("middle", [0.0, 700.0])
@pytest.mark.parametrize("nodes", [40, 900])
def test_the_sums_are_as_near_to_the_true_ones_as_is_said(nodes: int, middle: float) -> None:
    xs, t, terms = drawn(nodes, nodes, 4000, middle)
    found = rotation.rotated(xs, t, terms)
    assert found.growth > 1.0  # else no cell was made, and nothing is tested here
    moduli = np.abs(terms)
    allowed = (found.growth * nodes * UNIT + found.rounding) * moduli.sum(axis=0)
    phases = 8 * UNIT * (moduli * t[:, None]).sum(axis=0)
    with ctx.workprec(120):
        for place in range(0, len(xs), 801):
            x = arb(float(xs[place]))
            turned = [acb(arb(0), -arb(float(each)) * x).exp() for each in t]
            for column in range(2):
                exact = sum((acb(complex(a)) * b for a, b in zip(terms[:, column], turned, strict=True)), acb(0)).real
                error = abs(float(exact - arb(float(found.sums[place, column]))))
                assert error <= allowed[column] + phases[column] * (abs(xs[place]) + 2 * found.beside)


@pytest.mark.parametrize("parts", rotation.PARTS)
def test_however_the_nodes_are_cut_the_sums_are_the_same(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    xs, t, terms = drawn(7, 1200, 3000, 3.0)
    monkeypatch.setattr(rotation, "PARTS", (parts,))
    monkeypatch.setattr(rotation, "_cost", lambda *_: 0.0)
    found = rotation.rotated(xs, t, terms).sums
    one_by_one = rotation._one_by_one(xs, t, terms)
    assert np.max(np.abs(found - one_by_one)) <= 1e-12 * np.abs(terms).sum()


def test_the_order_of_the_nodes_does_not_matter() -> None:
    """The last node need not be the largest: the series would then be one in numbers above 1."""
    xs, t, terms = drawn(3, 900, 4000, 3.0)
    mixed = np.random.default_rng(5).permutation(len(t))
    found = rotation.rotated(xs, t[mixed], terms[mixed])
    assert found.growth > 1.0
    assert np.max(np.abs(found.sums - rotation._one_by_one(xs, t, terms))) <= 1e-11 * np.abs(terms).sum()


def test_the_series_is_exact_to_less_than_a_rounding_error() -> None:
    left_out = math.exp(1.0) - math.fsum(1 / math.factorial(k) for k in range(rotation.TERMS))
    assert abs(left_out) <= UNIT * math.e
    assert 1 / math.factorial(rotation.TERMS) <= 1e-18


def test_few_places_far_apart_are_taken_one_by_one() -> None:
    xs, t, terms = np.array([-30.0, 2.0, 50.0]), np.linspace(0.0, 9.0, 100), np.ones((100, 2)) * (1 + 1j)
    found = rotation.rotated(xs, t, terms)
    assert (found.growth, found.rounding, found.beside) == (1.0, 0.0, 0.0)
    exact = [math.fsum(math.cos(each * x) + math.sin(each * x) for each in t) for x in xs]
    assert found.sums[:, 0] == pytest.approx(exact, abs=1e-10)
