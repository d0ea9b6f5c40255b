"""A share of the random short compositions of the benchmark: every bracket holds the truth, in both orders.

`benchmarks/short_compositions.py` judges thousands of them by the same laws in many digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import mpmath
import numpy as np
import pytest
from bounded_sums import BoundedSum
from flint import arb
from listed_laws import Listed, Undecided, above
from short_draws import Draw
from short_judge import Verdict, judged, line
from short_releases import Composition, DiscreteGaussian, Finite, Geometric, Laplace, Normal, Response, Sample
from summed_laws import Gaussian, Sampled, Splines, Together, with_bits

from whit.curves import Face

# Those with a density take whit and the referee some tenths of a second each, and every kind occurs.
LISTED = range(80)
DENSE = [67, 81, 85, 86, 97, 102, 105, 113, 115, 118, 123, 126, 131, 135, 137, 138, 145, 154, 161, 163, 164, 166, 169]


@pytest.mark.parametrize("seed", LISTED)
def test_finite_losses_against_exact_sums(seed: int) -> None:
    found = line(seed, listed=True)
    assert "failed" not in found
    assert found["outside"] == []
    assert widest(found, "delta") <= 1e-9
    assert widest(found, "power") <= 1e-8


@pytest.mark.parametrize("seed", DENSE)
def test_losses_with_a_density_against_integrals_that_arb_encloses(seed: int) -> None:
    found = line(seed, listed=False)
    assert "failed" not in found
    assert found["outside"] == []
    assert widest(found, "delta") <= 1e-5
    assert widest(found, "power") <= 1e-4


def test_every_kind_is_judged_in_both_orders() -> None:
    drawn = {seed: Draw(seed) for seed in DENSE}
    kinds = {kind for draw in drawn.values() for kind in draw.composition(listed=False).kinds}
    assert kinds == {
        release.name for release in (Normal, Laplace, Geometric, DiscreteGaussian, Response, Finite, Sample)
    }
    # What is drawn next says the order.
    assert len({bool(draw.rng.random() < 0.5) for draw in drawn.values()}) == 2


def widest(found: dict[str, object], question: str) -> float:
    """How wide the answers were where the truth is at least 1e-12, in logs."""
    widths = found["widths"]
    assert isinstance(widths, dict)
    return float(widths.get(question, 0.0))


@pytest.mark.slow
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("seed", range(100, 120))
def test_more_of_them(seed: int, listed: bool) -> None:
    assert line(seed, listed=listed).get("outside") == []


@dataclass(frozen=True)
class Mistaken(Composition):
    """A composition of which whit is told another epsilon."""

    told: float = 0.5

    def face(self) -> Face:
        return Composition(((Laplace(1.0), 1), (Laplace(self.told), 1))).face()


@pytest.mark.parametrize(("told", "end"), [(0.5 + 1e-3, "lower"), (0.5 - 1e-3, "upper")])
def test_brackets_beside_the_truth_are_found(told: float, end: str) -> None:
    """Of Laplace noise of 1 and 1/2, with bounds for 1 and a thousandth more or less."""
    verdict = Verdict()
    judged(Mistaken(((Laplace(1.0), 1), (Laplace(0.5), 1)), told), np.random.default_rng(1), verdict)
    assert all(f"{end} " in each for each in verdict.outside)
    assert {each.split(" forward")[0].split(" backward")[0] for each in verdict.outside} == {
        "log delta",
        "log tail",
        "log power",
        "epsilon",
    }


def test_the_splines_are_the_gamma_laws_of_another_referee() -> None:
    with_bits(384)
    mixed = Composition(((Laplace(1.0), 2), (Laplace(0.5), 1), (Response(0.75, 2), 1), (Geometric(0.25, 1), 1)))
    law, other = mixed.law(reverse=False), BoundedSum([1.0, 1.0, 0.5], [0.75, 0.25])
    for gap in (0.25, 1.375, 3.0, 6.5):
        p, q = law.above(arb(3.5 - gap))
        with mpmath.workdps(40):
            assert p.str(25, radius=False) == arb(mpmath.nstr(other.tail(gap), 40)).str(25, radius=False)
            assert q.str(25, radius=False) == arb(mpmath.nstr(other.null_tail(gap), 40)).str(25, radius=False)


@pytest.mark.parametrize("removed", [True, False])
@pytest.mark.parametrize("normal_noise", [True, False])
def test_an_integral_is_the_same_with_both_laws_exchanged(normal_noise: bool, removed: bool) -> None:
    """Which of two laws has the density, and which the formula, does not matter."""
    with_bits(384)
    one = Sampled(1.0, 0.25, normal_noise=normal_noise, removed=removed)
    other = Splines({0.75: 1, 0.5: 1})
    for t in (-0.4, 0.1, 0.9):
        for first, second in zip(Together(one, other).above(arb(t)), Together(other, one).above(arb(t)), strict=True):
            assert first.overlaps(second)
            assert first.rad() < 1e-24


def test_an_integral_of_splines_is_their_sum() -> None:
    with_bits(384)
    both, whole = Together(Splines({0.75: 2}), Splines({0.5: 1})), Splines({0.75: 2, 0.5: 1})
    for t in (-1.1, 0.2, 1.7):
        for first, second in zip(both.above(arb(t)), whole.above(arb(t)), strict=True):
            assert first.overlaps(second)
            assert first.rad() < 1e-24


def test_masses_turn_over_when_the_orders_are_exchanged() -> None:
    """Q[Z > t] + P'[Z' >= -t] = 1, where both primes are those of the other order, and no atom lies at t."""
    with_bits(384)
    mixed = Composition(((Sample(1.0, 0.25, True, True), 1), (Laplace(0.5), 1), (Response(0.3, 2), 1)))
    forward, backward = mixed.law(reverse=False), mixed.law(reverse=True)
    for t in (-0.31, 0.13, 0.77):
        p, q = forward.above(arb(t))
        turned_p, turned_q = backward.above(arb(-t))
        assert (p + turned_q).overlaps(arb(1))
        assert (q + turned_p).overlaps(arb(1))


def test_a_normal_law_is_that_of_its_squares() -> None:
    with_bits(384)
    p, q = Gaussian(arb(1)).above(arb(0.5))
    assert p.overlaps(arb(1) / 2)
    assert q.overlaps((1 / arb(2).sqrt()).erfc() / 2)
    assert Composition(((Normal(0.6), 1), (Normal(0.8), 1))).law(reverse=False).delta(arb(0)).rad() < 1e-60


def test_what_cannot_be_told_is_refused() -> None:
    with_bits(384)
    with pytest.raises(Undecided, match=r"^$"):
        above(arb(1).exp().log(), arb(1))
    assert not above(arb(1), arb(1))


def test_copies_are_sums() -> None:
    with_bits(384)
    pair = Listed.of([(arb(1), arb(0.5), arb(0.25)), (arb(-1), arb(0.375), arb(0.625))], arb(0.125), arb(0.125))
    three, summed = pair.times(3), pair.plus(pair).plus(pair)
    for t in (-4.0, -2.0, 0.5, 2.0):
        for first, second in zip(three.above(arb(t)), summed.above(arb(t)), strict=True):
            assert first.overlaps(second)
    assert three.infinity.overlaps(summed.infinity)
    assert three.missing.overlaps(1 - arb(0.875) ** 3)


def test_the_same_number_gives_the_same_composition() -> None:
    assert Draw(7).composition(listed=False) == Draw(7).composition(listed=False)
    assert Draw(7).composition(listed=True) != Draw(8).composition(listed=True)
