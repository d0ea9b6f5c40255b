"""What whit costs to import beyond numpy, each in a fresh process; fails if `import whit` takes more than 0.1 s more.

Names are loaded when they are first used. So the first use of a promise, which loads half of the package, is measured
beside it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

RUNS = 21
ALLOWED_SECONDS = 0.1

# The clock runs inside the process, so that starting the interpreter is not counted.
CLOCK = "import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"


def seconds(module: str) -> float:
    """Seconds to import the module in a process that has imported nothing yet."""
    command = [sys.executable, "-c", CLOCK.format(module=module)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def medians(*modules: str) -> tuple[float, ...]:
    """Median import time of each module over RUNS rounds.

    One round imports every module once, so that a busy moment of the machine falls on all of them; the first round
    only fills the disk cache and compiles the bytecode, and is thrown away.
    """
    rounds = [[seconds(module) for module in modules] for _ in range(RUNS + 1)][1:]
    return tuple(statistics.median(times) for times in zip(*rounds, strict=True))


def main() -> int:
    """Print both medians and their difference; the exit status says whether the difference is allowed."""
    numpy, whit, promise = medians("numpy", "whit, numpy", "numpy; from whit import PureDP")
    print(f"import numpy   {numpy:.3f} s")
    print(f"import whit    {whit:.3f} s")
    print(f"difference     {whit - numpy:.3f} s   (median of {RUNS} runs; at most {ALLOWED_SECONDS} s allowed)")
    print(f"first promise  {promise - numpy:.3f} s more than numpy")
    return int(whit - numpy > ALLOWED_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
