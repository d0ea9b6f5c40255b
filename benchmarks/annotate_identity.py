"""Risk columns of many rows through DuckDB, Polars and Spark: whether all have the same bits.

Each engine writes Parquet. Rows are then joined by their key, and those are counted in which any column differs: an
empty cell from a number, 0 from -0, one double from the next. DuckDB and Polars share a cache of answers; the workers
of Spark compute every setting anew. Needs Java and the environment of Spark that `make test-peers` makes:

    .venv-peers-spark/bin/python -m benchmarks.annotate_identity --rows 1e7 --folder somewhere-with-room
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.annotate_scale import MEMORY, SETTINGS, THREADS, make
from whit.annotate import Computing, RiskColumns, annotate_file, annotate_polars, annotate_spark

COLUMNS = RiskColumns(same={"prior": 0.1, "failure": 0.01, "limit": "posterior=0.3, prior=0.1"})
# So many rows are joined at once.
AT_ONCE = 10**7


def by_duckdb(source: Path, out: Path, cache: Path) -> int:
    """The settings, after the rows are written."""
    computing = Computing(THREADS, cache=str(cache))
    return annotate_file(source, out, COLUMNS, computing, memory=MEMORY, threads=THREADS).settings


def by_polars(source: Path, out: Path, cache: Path) -> int:
    """The same, as a stream."""
    import polars

    found = annotate_polars(polars.scan_parquet(source), COLUMNS, Computing(THREADS, cache=str(cache)))
    found.data.sink_parquet(out)
    return found.settings


def by_spark(source: Path, out: Path, _: Path) -> int:
    """The same with two threads of Spark, without the cache."""
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    session = SparkSession.builder.master(f"local[{THREADS}]").config("spark.ui.enabled", "false").getOrCreate()
    found = annotate_spark(session.read.parquet(str(source)), COLUMNS)
    found.data.write.parquet(str(out))
    print(f"Spark {session.version}")
    session.stop()
    return found.settings


WAYS = {"DuckDB": by_duckdb, "Polars": by_polars, "Spark": by_spark}


def differing(first: str, second: str, rows: int) -> dict[str, int]:
    """In how many rows each column differs, and how many rows are missing or there twice."""
    import duckdb

    base = duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY})
    described = [base.execute(f"DESCRIBE FROM '{each}'").fetchall() for each in (first, second)]
    one, two = ({row[0]: row[1] for row in each} for each in described)
    if one != two:
        return {"names or types of columns": rows}
    apart = [f"count(*) FILTER ({_apart(name, kind)})" for name, kind in one.items()]
    found: Counter[str] = Counter()
    for start in range(0, rows, AT_ONCE):
        part = f"WHERE id >= {start} AND id < {start + AT_ONCE}"
        both = f"(FROM '{first}' {part}) a JOIN (FROM '{second}' {part}) b USING (id)"
        met, *several = base.execute(f"SELECT count(DISTINCT id), {', '.join(apart)} FROM {both}").fetchall()[0]
        found += Counter(dict(zip(one, several, strict=True)))
        found["rows"] += min(AT_ONCE, rows - start) - met
    for each in (first, second):
        found["rows"] += abs(base.execute(f"SELECT count(*) FROM '{each}'").fetchall()[0][0] - rows)
    return {name: number for name, number in found.items() if number}


def _apart(name: str, kind: str) -> str:
    """Whether two cells differ in any bit: 0 and -0 are equal, and differ by their sign."""
    one, two = f'a."{name}"', f'b."{name}"'
    signs = f" OR signbit({one}) IS DISTINCT FROM signbit({two})" if kind == "DOUBLE" else ""
    return f"{one} IS DISTINCT FROM {two}{signs}"


def files(folder: Path, way: str) -> Path:
    """Where a way writes; Spark writes a folder of files."""
    return folder / f"{way.lower()}.parquet"


def read(path: Path) -> str:
    """What DuckDB reads as one table."""
    return str(path / "*.parquet") if path.is_dir() else str(path)


def compared(folder: Path, rows: int) -> bool:
    """Write the rows with every engine and compare each with the first; print what was found."""
    source = folder / "rows.parquet"
    make(source, rows)
    same = True
    for way, write in WAYS.items():
        start = time.monotonic()
        settings = write(source, files(folder, way), folder / "kept")
        said = f"{way}: {rows:,} rows with {settings:,} settings written in {time.monotonic() - start:.0f} s"
        if way != "DuckDB":
            found = differing(read(files(folder, "DuckDB")), read(files(folder, way)), rows)
            same = same and not found and settings == SETTINGS
            said += f"; differing from DuckDB: {found or 'nothing'}"
        print(said, flush=True)
    return same


def main() -> None:
    """Compare, and fail where a bit differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1e7", help="the number of rows, such as 1e7")
    parser.add_argument("--folder", default="build/identity", help="where the files are made and removed")
    options = parser.parse_args()
    folder = Path(options.folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        same = compared(folder, int(float(options.rows)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if same else "a bit differs")


if __name__ == "__main__":
    main()
