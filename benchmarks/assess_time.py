"""How much processor time `assess` takes for closed forms in a warm process, each time with other parameters.

Every round asks about a promise that was not asked about before, so that nothing is remembered. What is printed is the
median and the fastest round: a busy machine is slower than whit.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from whit import Adversary, ApproxDP, Gaussian, GaussianDP, PureDP, ZeroConcentratedDP, assess
from whit.curves import Promise

ROUNDS = 12

PROMISES: dict[str, Callable[[int], Promise]] = {
    "Gaussian": lambda k: Gaussian(1.3 + 0.017 * k),
    "GaussianDP": lambda k: GaussianDP(0.9 + 0.013 * k),
    "ZeroConcentratedDP": lambda k: ZeroConcentratedDP(0.11 + 0.0017 * k),
    "PureDP": lambda k: PureDP(0.8 + 0.013 * k),
    "ApproxDP": lambda k: ApproxDP(0.8 + 0.013 * k, 1e-7 * (1 + k)),
}


def milliseconds(promise: Promise) -> float:
    """Processor time of one assessment with a chance of failure."""
    start = time.process_time()
    assess(promise, Adversary(prior=0.01), failure=1e-4)
    return 1e3 * (time.process_time() - start)


def main() -> int:
    """Print median and minimum of each promise; the first round only loads what is needed, and is thrown away."""
    for name, promise in PROMISES.items():
        some = [milliseconds(promise(k)) for k in range(ROUNDS + 1)][1:]
        print(f"assess, warm: {name:<20} {statistics.median(some):7.1f} ms   fastest {min(some):7.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
