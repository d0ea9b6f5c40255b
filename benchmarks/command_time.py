"""How long the command takes from the start of its process to its end; fails if a closed form takes more than 0.2 s.

Each run is a fresh process. Beside the commands stand an empty process, numpy and click by themselves, so that it shows
where the time goes. A busy machine is slower than whit: the fastest run is printed too.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 15
ALLOWED_SECONDS = 0.2
SOURCE = Path(__file__).parents[1] / "src"

WHIT = ["-c", "from whit.apps.cli import main; main()"]
CASES = {
    "an empty process": ["-c", "pass"],
    "import numpy": ["-c", "import numpy"],
    "import click": ["-c", "import click"],
    "whit --help": [*WHIT, "--help"],
    "whit assess --epsilon 1 --prior 0.5": [*WHIT, "assess", "--epsilon", "1", "--prior", "0.5"],
    "whit assess --epsilon 1 --prior 0.5 --json": [*WHIT, "assess", "--epsilon", "1", "--prior", "0.5", "--json"],
}
CLOSED_FORMS = [name for name in CASES if "assess" in name]


def seconds(arguments: list[str]) -> float:
    """Seconds that a fresh process takes, with its bytecode compiled before."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def main() -> int:
    """Print median and minimum of each case; the exit status says whether the closed forms are quick enough.

    One round runs every case once, so that a busy moment of the machine falls on all of them; the first round only
    fills the disk cache and compiles the bytecode, and is thrown away.
    """
    rounds = [[seconds(arguments) for arguments in CASES.values()] for _ in range(RUNS + 1)][1:]
    times = dict(zip(CASES, zip(*rounds, strict=True), strict=True))
    for name, some in times.items():
        print(f"{name:<44} {statistics.median(some):.3f} s   fastest {min(some):.3f} s")
    slowest = max(statistics.median(times[name]) for name in CLOSED_FORMS)
    print(f"closed form                                  {slowest:.3f} s   (at most {ALLOWED_SECONDS} s allowed)")
    return int(slowest > ALLOWED_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
