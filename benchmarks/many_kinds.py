"""A million mechanisms of fifty kinds, composed: seconds and megabytes, as JSON, in a process of its own."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

from whit.curves import Curve, DiscreteGaussianLoss, GaussianLoss, LaplaceLoss, composed
from whit.mechanisms import Geometric, RandomizedResponse
from whit.setting import Neighbours

COPIES = 20_000
EPSILONS = np.linspace(0.0, 15.0, 16)


def curves() -> list[Curve]:
    """Ten kinds of each of five families, with losses small enough that a million of them still hide something."""
    sizes = np.geomspace(3e-4, 3e-3, 10).tolist()
    return [
        *(Curve.exact(GaussianLoss(size)) for size in sizes),
        *(Curve.exact(LaplaceLoss(size)) for size in sizes),
        *(Curve.exact(DiscreteGaussianLoss(1 / size)) for size in sizes),
        *(RandomizedResponse(size).curve(Neighbours.LOCAL) for size in sizes),
        *(Geometric(size).curve() for size in sizes),
    ]


def peak_megabytes() -> float:
    """The most memory that this process has had, the interpreter and numpy included.

    On Linux the usage that is reported for a process also counts what its parent had when it was started, so there it
    is read from the status of the process.
    """
    status = Path("/proc/self/status")
    if status.exists():
        peak = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return float(peak.split()[1]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    """Compose, ask for sixteen epsilons, and print what it took."""
    start = time.perf_counter()
    kinds = curves()
    delta = composed(dict.fromkeys(kinds, COPIES)).delta(EPSILONS)
    seconds = time.perf_counter() - start
    width = float(np.max(np.asarray(delta.upper) / np.asarray(delta.lower) - 1))
    found = {"mechanisms": COPIES * len(kinds), "kinds": len(kinds), "relative_width": width}
    print(json.dumps(found | {"seconds": seconds, "megabytes": peak_megabytes()}))


if __name__ == "__main__":
    main()
