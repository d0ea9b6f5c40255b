"""How many instructions three things take, beside what they took: to import whit, a closed form, and a composition.

    python benchmarks/instructions.py            compare with benchmarks/instructions.json; fails where one takes more
    python benchmarks/instructions.py --write    keep what is counted now, with the commit

Valgrind counts them, on a processor of its own. So the count does not vary with the load of the machine, as time does,
and hardly with the machine. It is the count of a program that asks twice less that of one that asks once, since the
first time loads what is needed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = Path(__file__).with_suffix(".json")
# A count may be so many times the one that is kept.
MOST = 1.15

CLOSED_FORM = """
from whit import Adversary, ZeroConcentratedDP, assess
for k in range({times}):
    assess(ZeroConcentratedDP(0.1 + 0.1 * k), Adversary(prior=0.01), failure=1e-6)
"""
COMPOSITION = """
from whit import Laplace, compose
for k in range({times}):
    compose(*(Laplace(e * (1 + k / 64)) for e in (0.1, 0.2, 0.3))).curve().epsilon(1e-3)
"""


@dataclass(frozen=True)
class Case:
    """A program, and what it takes less of it."""

    program: str
    less: str


CASES = {
    "import": Case("import whit", "pass"),
    "closed form": Case(CLOSED_FORM.format(times=2), CLOSED_FORM.format(times=1)),
    "composition": Case(COMPOSITION.format(times=2), COMPOSITION.format(times=1)),
}


def counted(program: str, folder: Path) -> int:
    """The instructions of a program; it runs once before, so that its modules are compiled."""
    kept_apart = {"PYTHONPATH": str(ROOT / "src"), "PYTHONPYCACHEPREFIX": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
    environment = os.environ | kept_apart | {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program]
    subprocess.run(command, env=environment, check=True)
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'out'}", *command]
    run = subprocess.run(valgrind, env=environment, check=True, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    assert found, run.stderr
    return int(found.group(1))


def counts() -> dict[str, int]:
    """The instructions of each case."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return {name: counted(case.program, place) - counted(case.less, place) for name, case in CASES.items()}


def main() -> int:
    """Print each count beside the one that is kept; 0 if none is much larger."""
    found = counts()
    if "--write" in sys.argv:
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
        KEPT.write_text(
            json.dumps({"commit": commit.stdout.strip(), "counts": found}, indent=2) + "\n", encoding="utf-8"
        )
    kept = json.loads(KEPT.read_text(encoding="utf-8"))["counts"]
    for name, count in found.items():
        print(f"instructions: {name:12} {count / 1e6:8.1f} million, {count / kept[name]:.3f} of what is kept")
    return int(any(count > MOST * kept[name] for name, count in found.items()))


if __name__ == "__main__":
    sys.exit(main())
