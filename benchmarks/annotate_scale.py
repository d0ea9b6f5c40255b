"""Risk columns at scale: rows with 10^4 distinct settings through DuckDB, beside a bare scan, join and write.

The bare run reads the same file, joins a table of as many columns that is ready, and writes them: what no engine can do
without. It has no distinct settings to find and nothing to compute. Both are measured in processes of their own, one
after the other, with the same threads and the same memory: by the clock, and by the time of the processors, which
other work on the machine does not change.

    python benchmarks/annotate_scale.py --rows 1e7 --folder somewhere-with-room
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

SETTINGS = 10_000
THREADS = 2
MEMORY = "3GB"
MOST_TIMES = 5.0
MOST_BYTES = 4 * 2**30
ROWS = "1e6,1e7"


def make(path: Path, rows: int) -> None:
    """A Parquet file: an id, a unit, and one of many values of rho."""
    import duckdb

    base = duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY})
    rho = f"(1 + hash(i) % {SETTINGS})::DOUBLE / 20000"
    query = f"SELECT i AS id, (hash(i + 1) % 1000000)::INTEGER AS unit, {rho} AS rho FROM range({rows}) t(i)"
    base.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def bare(source: Path, answers: Path, out: Path) -> None:
    """Scan, join and write, with answers that are ready."""
    import duckdb

    base = duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY, "temp_directory": f"{out}.spill"})
    base.execute(f"CREATE TEMP TABLE found AS FROM '{answers}'")
    new = ", ".join(f"f.{row[0]}" for row in base.execute("DESCRIBE found").fetchall() if row[0] != "rho")
    base.execute(f"COPY (SELECT r.*, {new} FROM '{source}' r JOIN found f USING (rho)) TO '{out}' (FORMAT parquet)")


def kept(out: Path, answers: Path) -> None:
    """The answers of every setting, from rows that are enough to have each of them."""
    import duckdb

    some = f"FROM '{out}' LIMIT {50 * SETTINGS}"
    query = f"SELECT DISTINCT ON (rho) * EXCLUDE (id, unit) FROM ({some})"
    duckdb.connect().execute(f"COPY ({query}) TO '{answers}' (FORMAT parquet)")


def annotated(source: Path, out: Path, jobs: int) -> None:
    """The same with whit."""
    from whit.annotate import Computing, RiskColumns, annotate_file

    same = {"prior": 0.1, "failure": 0.01, "limit": "posterior=0.3, prior=0.1"}
    annotate_file(source, out, RiskColumns(same=same), Computing(jobs), memory=MEMORY, threads=THREADS)


class Cost(NamedTuple):
    """What one way took."""

    clock: float
    processors: float
    bytes: float


def measured(*arguments: str) -> Cost:
    """The cost of one way, in a process of its own with those that it starts."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processors = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(clock, processors, float(run.stdout.split()[-1]))


def one_way(way: str, *paths: str) -> None:
    """Run one way, and print the most bytes that it and the processes that it starts took."""
    if way == "bare":
        bare(*map(Path, paths))
    else:
        annotated(Path(paths[0]), Path(paths[1]), THREADS)
    own, others = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(1024 * (own + THREADS * others))


def compared(folder: Path, rows: int) -> tuple[Cost, Cost]:
    """The cost of whit and of the bare run; files are removed."""
    source, out, answers = (folder / f"{name}.parquet" for name in ("rows", "out", "answers"))
    make(source, rows)
    whit = measured("whit", str(source), str(out))
    kept(out, answers)
    out.unlink()
    nothing = measured("bare", str(source), str(answers), str(out))
    for path in folder.iterdir():
        path.unlink()
    return whit, nothing


def told(folder: Path, rows: int) -> bool:
    """Print one line, and whether the claims hold."""
    whit, nothing = compared(folder, rows)
    print(
        f"{rows:>13,} rows: whit {whit.clock:7.1f} s ({whit.processors:6.1f} s of processors), "
        f"bare {nothing.clock:7.1f} s ({nothing.processors:6.1f}), {whit.clock / nothing.clock:5.2f} times "
        f"({whit.processors / nothing.processors:5.2f}), {whit.bytes / 2**30:.2f} GiB, load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return whit.bytes <= MOST_BYTES and (whit.clock <= MOST_TIMES * nothing.clock or rows < 10**8)


def main() -> None:
    """Measure each number of rows, and fail where a claim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default=ROWS, help="numbers of rows, such as 1e6,1e7")
    parser.add_argument("--folder", default="build/annotate", help="where the files are made and removed")
    options = parser.parse_args()
    folder = Path(options.folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        missed = [rows for rows in options.rows.split(",") if not told(folder, int(float(rows)))]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(f"missed at {', '.join(missed)} rows" if missed else 0)


if __name__ == "__main__":
    if sys.argv[1:2] in (["bare"], ["whit"]):
        one_way(*sys.argv[1:])
    else:
        main()
