"""Risk columns at scale: rows with 10^4 distinct settings through DuckDB, beside a bare scan, join and write.

The bare run reads the same file, joins a table of as many columns that is ready, and writes them: what no engine can do
without. It has no distinct settings to find and nothing to compute. Both are measured in one process each, one after
the other, with the same threads and the same memory.

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

SETTINGS = 10_000
THREADS = 2
MEMORY = "3GB"
MOST_TIMES = 5.0
MOST_BYTES = 4 * 2**30
ROWS = "1e5,1e6,1e7"


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
    base.execute(f"CREATE TEMP TABLE found AS SELECT DISTINCT ON (rho) * EXCLUDE (id, unit) FROM '{answers}'")
    new = ", ".join(f"f.{row[0]}" for row in base.execute("DESCRIBE found").fetchall() if row[0] != "rho")
    base.execute(f"COPY (SELECT r.*, {new} FROM '{source}' r JOIN found f USING (rho)) TO '{out}' (FORMAT parquet)")


def annotated(source: Path, out: Path, jobs: int, cache: str) -> None:
    """The same with whit."""
    from whit.annotate import Computing, RiskColumns, annotate_file

    same = {"prior": 0.1, "failure": 0.01, "limit": "posterior=0.3, prior=0.1"}
    annotate_file(source, out, RiskColumns(same=same), Computing(jobs, cache), memory=MEMORY, threads=THREADS)


def measured(*arguments: str) -> tuple[float, float]:
    """Seconds and the most bytes of one way, in a process of its own with the processes that it starts."""
    before = time.monotonic()
    run = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    return time.monotonic() - before, float(run.stdout.split()[-1])


def one_way(arguments: list[str]) -> None:
    """Run one way, and print the most bytes that it took."""
    way, *paths = arguments
    if way == "bare":
        bare(*map(Path, paths))
    else:
        annotated(Path(paths[0]), Path(paths[1]), THREADS, paths[2] if len(paths) > 2 else "")
    used = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(1024 * used)


def compared(folder: Path, rows: int, small: Path) -> tuple[float, float, float]:
    """Seconds of whit and of the bare run, and the bytes of whit; files are removed."""
    source, out = folder / "rows.parquet", folder / "out.parquet"
    make(source, rows)
    whit, used = measured("whit", str(source), str(out))
    out.unlink()
    nothing, _ = measured("bare", str(source), str(small), str(folder / "bare.parquet"))
    for path in (source, folder / "bare.parquet", folder / "out.parquet.basis.json"):
        path.unlink(missing_ok=True)
    return whit, nothing, used


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
        small = folder / "answers.parquet"
        make(folder / "small.parquet", 20 * SETTINGS)
        measured("whit", str(folder / "small.parquet"), str(small))
        missed = [rows for rows in options.rows.split(",") if not told(folder, int(float(rows)), small)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(f"missed at {', '.join(missed)} rows" if missed else 0)


def told(folder: Path, rows: int, small: Path) -> bool:
    """Print one line, and whether the claims hold."""
    whit, nothing, used = compared(folder, rows, small)
    load = os.getloadavg()[0]
    print(
        f"{rows:>13,} rows: whit {whit:7.1f} s, bare {nothing:7.1f} s, {whit / nothing:5.2f} times, "
        f"{used / 2**30:.2f} GiB, load {load:.1f}",
        flush=True,
    )
    return used <= MOST_BYTES and (whit <= MOST_TIMES * nothing or rows < 10**8)


if __name__ == "__main__":
    one_way(sys.argv[1:]) if sys.argv[1:2] in (["bare"], ["whit"]) else main()
