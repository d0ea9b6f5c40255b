"""Runs the benchmarks and keeps what each prints, with the commit: `python benchmarks/kept.py [NAME ...]`.

What is kept of a benchmark is its last run: the lines that it prints, whether its claims hold, the commit, the day and
the load of the machine. `results_page.py` makes a page of them. The exit status is 1 if a claim is missed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
OWN, BESIDE_PEERS = ".venv", ".venv-bench"


@dataclass(frozen=True)
class Benchmark:
    """What is measured, in a few words; the environment in which it runs; and the words after python."""

    about: str
    place: str
    words: tuple[str, ...]


BENCHMARKS = {
    "import_time": Benchmark("what importing whit costs", OWN, ("benchmarks/import_time.py",)),
    "command_time": Benchmark("what a command costs", OWN, ("benchmarks/command_time.py",)),
    "assess_time": Benchmark("what an assessment costs in a warm process", OWN, ("benchmarks/assess_time.py",)),
    "posterior_memory": Benchmark("the memory of many posteriors", OWN, ("benchmarks/posterior_memory.py",)),
    "web_load": Benchmark("the web application under load", OWN, ("benchmarks/web_load.py",)),
    "api_cost": Benchmark("estimated costs of the interface for programs", OWN, ("benchmarks/api_cost.py",)),
    "audit_scale": Benchmark("audits of large tables", BESIDE_PEERS, ("benchmarks/audit_scale.py", "--all")),
    "linear_release": Benchmark("linear releases without noise", OWN, ("benchmarks/linear_release.py",)),
    "annotate_scale": Benchmark("risk columns of large tables", OWN, ("benchmarks/annotate_scale.py", "--rows", "1e6")),
    "short_rows": Benchmark("few releases beside dp-accounting", BESIDE_PEERS, ("-m", "benchmarks.short_rows")),
    "calibration": Benchmark("the noise of training, from each tool", BESIDE_PEERS, ("-m", "benchmarks.calibration")),
    "run": Benchmark("whit beside other accountants", BESIDE_PEERS, ("-m", "benchmarks.run")),
}


def measured(name: str) -> bool:
    """Run a benchmark, show its lines as they come, and keep them; whether its claims hold."""
    benchmark, load = BENCHMARKS[name], os.getloadavg()[0]
    command = [_python(benchmark.place), *benchmark.words]
    print(f"== {name}: {benchmark.about}", flush=True)
    lines: list[str] = []
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout or ():
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    row = {
        "about": benchmark.about,
        "commit": commit(),
        "day": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "load before": round(load, 1),
        "claims hold": run.returncode == 0,
        "printed": lines,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(row, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return run.returncode == 0


def _python(place: str) -> str:
    return str(ROOT / place / "bin" / "python")


def commit() -> str:
    """The commit of the sources; says so where they differ from it."""
    name = _git("rev-parse", "--short=7", "HEAD")
    return f"{name} and changes" if _git("status", "--porcelain", "src", "benchmarks/*.py") else name


def _git(*words: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Run the benchmarks that are named, or all."""
    parser = argparse.ArgumentParser(prog="python benchmarks/kept.py", description=__doc__)
    parser.add_argument("name", nargs="*", choices=[*BENCHMARKS, []], help="which ones; all if none is named")
    names = parser.parse_args().name or list(BENCHMARKS)
    missed = [name for name in names if not measured(name)]
    print(f"A claim was missed in: {', '.join(missed)}." if missed else "All claims hold.")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
