"""What the posteriors of ten million priors cost in memory; fails beyond eight times the array of priors.

Measured is the highest sum of all that Python and numpy hold at one moment of the call, besides the priors.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

from whit.guarantees import ZeroConcentratedDP
from whit.semantics import membership

PRIORS = 10_000_000
ALLOWED = 8.0
FAILURE = 0.01


def cost(question: Callable[[], object]) -> tuple[float, float]:
    """Bytes at the peak of a call, and its seconds."""
    start = time.perf_counter()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    answer = question()
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    del answer
    return peak, time.perf_counter() - start


def main() -> int:
    """Print the ratio of each question; the exit status says whether all are allowed."""
    priors = np.random.default_rng(0).random(PRIORS)
    promise = ZeroConcentratedDP(0.07)
    questions = {
        "posterior": membership.posterior,
        "ratio": membership.ratio,
        "difference": membership.difference,
        "odds": membership.odds,
    }
    worst = 0.0
    for name, question in questions.items():
        for sides in (1, 2):
            peak, seconds = cost(lambda q=question, s=sides: q(promise, priors, failure=FAILURE, sides=s))
            worst = max(worst, peak / priors.nbytes)
            print(f"{name:<11} sides={sides}   {peak / priors.nbytes:.2f} times the priors   {seconds:.1f} s")
    print(f"largest     {worst:.2f}   (at most {ALLOWED:g} allowed, {PRIORS:,} priors)")
    return int(worst > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
