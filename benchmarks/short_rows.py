"""Few releases beside other accountants: the epsilon of a delta, and the power at a hundred levels, in one run.

Each row is asked twice of each tool, the second time with parameters that differ by a hair, so that nothing remembered
helps; the second time counts. The peer's bracket of an epsilon is that of its optimistic and its pessimistic loss
distribution. A row is won if whit takes no longer than the peer or a tenth of a second, and is nowhere wider. Power has
no peer that is sound: there a second is allowed. The exit status is 0 if every row is won; the misses are listed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.mechanisms import (
    DiscreteGaussian,
    Laplace,
    Parts,
    RandomizedResponse,
    SubsampledGaussian,
    nudged,
)
from benchmarks.peers import DpAccounting
from benchmarks.whit_side import RELATIVE_WIDTH, curve_of
from whit.curves import Curve, composed

LEVELS = np.geomspace(1e-6, 0.5, 100)
QUICK, SOUND_ALONE = 0.1, 1.0


@dataclass(frozen=True)
class Row:
    """A few releases, and the delta at which epsilon is asked for; or none, where the power is."""

    title: str
    parts: Parts
    delta: float | None


@dataclass(frozen=True)
class Timed:
    """The ends of an answer, and the CPU seconds that it took."""

    lower: np.ndarray
    upper: np.ndarray
    seconds: float

    @property
    def width(self) -> float:
        """The largest distance of the ends, as a share of the upper one."""
        return float(np.max((self.upper - self.lower) / self.upper))


def rows() -> list[Row]:
    """The rows: steps of DP-SGD, a few Laplace releases, coins, discrete Gaussian noise."""
    coins = {RandomizedResponse(0.1 * k): 10 for k in range(1, 10)}
    steps = [
        Row(f"DP-SGD 1, 0.01 x {times}, epsilon at 1e-6", {SubsampledGaussian(1.0, 0.01): times}, 1e-6)
        for times in (2, 3, 10, 50, 100)
    ]
    more = [
        Row("DP-SGD 0.35, 0.01 x 120, epsilon at 1e-6", {SubsampledGaussian(0.35, 0.01): 120}, 1e-6),
        Row("DP-SGD 0.6, 0.001 x 1000, epsilon at 1e-6", {SubsampledGaussian(0.6, 0.001): 1000}, 1e-6),
        Row("DP-SGD 0.5, 0.2 x 3, epsilon at 1e-6", {SubsampledGaussian(0.5, 0.2): 3}, 1e-6),
        Row("one sampled Gaussian 1, 0.01, epsilon at 1e-6", {SubsampledGaussian(1.0, 0.01): 1}, 1e-6),
        Row("DP-SGD 2, 0.001 x 10^5, epsilon at 1e-6", {SubsampledGaussian(2.0, 0.001): 100_000}, 1e-6),
    ]
    several: list[tuple[str, Parts]] = [
        ("Laplace 0.1, 0.2, 0.3", {Laplace(e): 1 for e in (0.1, 0.2, 0.3)}),
        ("six different Laplace", {Laplace(e): 1 for e in (0.1, 0.15, 0.2, 0.3, 0.45, 0.7)}),
        ("Laplace 1, 0.7, 0.5, 0.35", {Laplace(e): 1 for e in (1.0, 0.7, 0.5, 0.35)}),
        ("nine coins x 10 each", coins),
        ("discrete Gaussian 0.7 x 2, 1.3 x 3", {DiscreteGaussian(0.7): 2, DiscreteGaussian(1.3): 3}),
        ("discrete Gaussian 2, 3, 5, 10, 20", {DiscreteGaussian(s): 1 for s in (2.0, 3.0, 5.0, 10.0, 20.0)}),
        ("Laplace 0.1 x 100", {Laplace(0.1): 100}),
    ]
    both = [
        row
        for title, parts in several
        for row in (
            Row(f"{title}, epsilon at 1e-3", parts, 1e-3),
            Row(f"{title}, power at 100 levels", parts, None),
        )
    ]
    powers = [
        Row(f"DP-SGD 1, 0.01 x {times}, power at 100 levels", {SubsampledGaussian(1.0, 0.01): times}, None)
        for times in (2, 10_000)
    ]
    return [*steps, *more, *both, *powers]


def timed(ask: Callable[[Parts], tuple[Any, Any]], parts: Parts, run: int) -> Timed:
    """The answer of the second time, with parameters that no other run has."""
    ask(nudged(parts, 2 * run - 1))
    start = time.process_time()
    lower, upper = ask(nudged(parts, 2 * run))
    return Timed(np.atleast_1d(lower), np.atleast_1d(upper), time.process_time() - start)


def of_whit(delta: float | None) -> Callable[[Parts], tuple[Any, Any]]:
    """The question as whit is asked it."""

    def ask(parts: Parts) -> tuple[Any, Any]:
        curve: Curve = composed(
            {curve_of(part): number for part, number in parts.items()}, relative_width=RELATIVE_WIDTH
        )
        found = curve.power(LEVELS) if delta is None else curve.epsilon(delta)
        return found.lower, found.upper

    return ask


def of_peer(peer: DpAccounting, delta: float) -> Callable[[Parts], tuple[Any, Any]]:
    """The question as the peer is asked it, for both of its ends."""

    def ask(parts: Parts) -> tuple[Any, Any]:
        ends = [peer.composed(parts, pessimistic=side).get_epsilon_for_delta(delta) for side in (False, True)]
        return ends[0], ends[1]

    return ask


def main() -> int:
    """One line for each row; 0 if all are won."""
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    peer, lost = DpAccounting(), []
    print(f"{'row':56} {'whit s':>8} {'width':>8} {'peer s':>8} {'width':>8}")
    for run, row in enumerate(rows(), 1):
        if only not in row.title:
            continue
        ours = timed(of_whit(row.delta), row.parts, run)
        if row.delta is None:
            quick, narrow, beside = ours.seconds <= SOUND_ALONE, ours.width <= 1e-4, f"{'none is sound':>17}"
        else:
            theirs = timed(of_peer(peer, row.delta), row.parts, run)
            quick, narrow = ours.seconds <= max(theirs.seconds, QUICK), ours.width <= theirs.width
            beside = f"{theirs.seconds:8.3f} {theirs.width:8.1e}"
        missed = ", ".join(word for word, kept in (("slower", quick), ("wider", narrow)) if not kept)
        print(f"{row.title:56} {ours.seconds:8.3f} {ours.width:8.1e} {beside}  {missed}", flush=True)
        lost += [row.title] if missed else []
    print(f"{len(lost)} missed" if lost else "all won")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
