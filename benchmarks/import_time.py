"""What `import whit` costs beyond `import numpy`, each in a fresh process; fails if that is more than 0.1 s."""

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
    numpy, whit = medians("numpy", "whit")
    print(f"import numpy   {numpy:.3f} s")
    print(f"import whit    {whit:.3f} s")
    print(f"difference     {whit - numpy:.3f} s   (median of {RUNS} runs; at most {ALLOWED_SECONDS} s allowed)")
    return int(whit - numpy > ALLOWED_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
