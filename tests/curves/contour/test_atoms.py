"""Finite pairs: random compositions against the exact enumeration of all their losses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, ctx
from kinds_by_hand import geometric, of_pair

from whit.curves.contour import (
    AtomsKind,
    Composition,
    LaplaceKind,
    delta_bracket,
    tail_bracket,
)
from whit.errors import InvalidInput

Law = list[tuple[arb, arb]]


def random_kind(rng: np.random.Generator, scale: float) -> AtomsKind:
    """A pair on two to four outcomes; every third has infinite losses."""
    size = int(rng.integers(2, 5))
    p, raw = rng.dirichlet(np.ones(size)), rng.normal(size=size) * scale
    losses = raw + math.log(math.fsum(p * np.exp(-raw)))
    infinite = float(rng.choice([0.0, 0.0, 10.0 ** rng.uniform(-8, -1)]))
    masses = p * (1 - infinite)
    null = max(0.0, 1 - math.fsum(masses * np.exp(-losses)))
    return AtomsKind(tuple(losses.tolist()), tuple(masses.tolist()), infinite, null)


def enumerated(counts: dict[AtomsKind, int]) -> Law:
    """All losses with their masses, in ball arithmetic of 200 bits; masses as the kind reads them."""
    law: Law = [(arb(0), arb(1))]
    for kind, count in counts.items():
        total = sum((arb(mass) for mass in kind.masses), arb(0))
        masses = [arb(mass) * (1 - arb(kind.infinity_mass)) / total for mass in kind.masses]
        atoms = list(zip([arb(z) for z in kind.losses], masses, strict=True))
        for _ in range(count):
            law = [(z + w, p * q) for z, p in law for w, q in atoms]
    return law


def truth(law: Law, counts: dict[AtomsKind, int], x: float) -> tuple[arb, arb]:
    """delta(x) and 1 - delta(x)."""
    finite = arb(1)
    for kind, count in counts.items():
        finite *= (1 - arb(kind.infinity_mass)) ** count
    at = arb(x)
    complement = sum((p * ((at - z).exp() if z > at else arb(1)) for z, p in law), arb(0))
    delta = 1 - finite + sum((p * (1 - (at - z).exp()) for z, p in law if z > at), arb(0))
    return delta, complement


def check(seed: int, cases: int) -> int:
    """How many values were compared; each must lie inside its bracket."""
    ctx.prec = 200
    rng = np.random.default_rng(seed)
    compared = 0
    for _ in range(cases):
        scale = 10.0 ** rng.uniform(-3, 0.5)
        counts = {random_kind(rng, scale): int(rng.integers(1, 3)) for _ in range(int(rng.integers(1, 3)))}
        composition = Composition(dict(counts))
        low, high = composition.loss_range
        xs = [high * rng.uniform(-0.5, 1), low * rng.uniform()]
        found, law = delta_bracket(composition, xs, 1e-3), enumerated(counts)
        for i, x in enumerate(xs):
            for value, bracket in zip(truth(law, counts, x), (found.log_delta, found.log_complement), strict=True):
                assert float(bracket.lower[i]) <= value.log() <= float(bracket.upper[i]), (seed, counts, x)
                compared += 1
    return compared


def test_a_thousand_random_compositions_lie_inside() -> None:
    assert check(20261115, 1000) == 4000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_random_compositions_lie_inside(seed: int) -> None:
    assert check(seed, 1000) == 4000


def test_tails_lie_inside() -> None:
    ctx.prec = 200
    rng = np.random.default_rng(5)
    for _ in range(40):
        counts = {random_kind(rng, 1.0): 2, random_kind(rng, 0.3): 1}
        composition, law = Composition(dict(counts)), enumerated(counts)
        low, high = composition.loss_range
        ts = rng.uniform(low, high, size=3)
        found = tail_bracket(composition, ts, 1e-2)
        for i, t in enumerate(ts):
            below = sum((p for z, p in law if z <= arb(t)), arb(0))
            finite = sum((p for _, p in law), arb(0))
            above = 1 - finite + sum((p for z, p in law if z > arb(t)), arb(0))
            assert float(found.log_open.lower[i]) <= above.log() <= float(found.log_closed.upper[i])
            assert (
                float(found.log_closed_complement.lower[i]) <= below.log() <= float(found.log_open_complement.upper[i])
            )


def test_of_pair_splits_off_what_only_one_law_has() -> None:
    kind = of_pair((0.5, 0.4, 0.1, 0.0), (0.4, 0.5, 0.0, 0.1))
    assert kind.infinity_mass == 0.1
    assert kind.reverse_infinity_mass == 0.1
    np.testing.assert_allclose(kind.losses, [math.log(1.25), math.log(0.8)])
    assert kind.reverse().infinity_mass == 0.1


@pytest.mark.parametrize("shift", [2, 5])
def test_geometric_noise_by_its_cells(shift: int) -> None:
    """delta(x) summed over the integers directly."""
    epsilon = 0.4
    k = np.arange(-400, 400)
    p, q = np.exp(-epsilon * np.abs(k)), np.exp(-epsilon * np.abs(k - shift))
    total = (1 + math.exp(-epsilon)) / (1 - math.exp(-epsilon))
    x = np.array([0.0, 0.13, 0.5])
    truth_ = [float(np.maximum(p - math.exp(at) * q, 0).sum() / total) for at in x]
    found = delta_bracket(Composition({geometric(epsilon, shift): 1}), x)
    np.testing.assert_allclose(np.exp(found.log_delta.mid), truth_, rtol=1e-6)


@pytest.mark.parametrize(
    ("losses", "masses", "message"),
    [
        ((), (), "losses must be finite numbers, one for each mass"),
        ((0.0,), (0.5, 0.5), "losses must be finite numbers, one for each mass"),
        ((math.inf, 0.0), (0.5, 0.5), "losses must be finite numbers, one for each mass"),
        ((0.0, 0.0), (1.0, 0.0), r"masses must be in \(0, 1\]"),
        ((0.0,), (0.9,), "masses must add up to 1"),
        ((0.3,), (1.0,), "the masses times e\\^-loss must add up to 1"),
    ],
)
def test_wrong_pairs_are_refused(losses: tuple[float, ...], masses: tuple[float, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        AtomsKind(losses, masses)


def test_a_composition_needs_counts() -> None:
    with pytest.raises(InvalidInput, match="a composition must hold at least one mechanism"):
        Composition({})
    with pytest.raises(InvalidInput, match="the count of .* must be a whole number of at least 1; got 0"):
        Composition({LaplaceKind(1.0): 0})


def test_the_scale_of_a_tilt_is_kept_where_it_is_far_below_one() -> None:
    # All losses are large, so that M(-1/2) is about e^-150 and 1 + (M - 1) has lost all its digits.
    losses, masses = (300.0, 400.0), (0.25, 0.75)
    kind = AtomsKind(losses, masses, 0.0, 1.0)
    tilted = kind.tilted(-0.5, 1.0)
    truth = sum((arb(mass) * (-arb(loss) / 2).exp() for loss, mass in zip(losses, masses, strict=True)), arb(0)).log()
    assert abs(tilted.log_scale - float(truth)) <= tilted.scale_growth < 1e-9
