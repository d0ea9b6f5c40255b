"""What a ledger costs when it is large: reserve, status and a page of history, at a thousand entries and at a million.

    python benchmarks/ledger_scale.py [ENTRIES]

The entries are written in one transaction, by the same code that writes them one by one. Times are medians of
processor and disk together; the ratio to a ledger of a thousand entries is what counts: at most 20.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Event, Ledger, status_of
from whit.ledger.chain import Act
from whit.policy import limits

SMALL, LARGE, MOST_RATIO, MOST_SECONDS = 1_000, 1_000_000, 20.0, 0.5
NOTHING = ZeroConcentratedDP(0.0)
CHARGES = {"zcdp": "1/100000000000"}


def filled(path: Path, entries: int) -> None:
    """A ledger with so many entries."""
    with Ledger.create(path, actor="bench") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=[limits.posterior(0.3, prior=0.1)], failure="0.01", books=["zcdp"])
        first = ledger.reserve("2026", NOTHING, what="table", charges=CHARGES)
        body = ledger.store.event(first.event).body
        number, previous = ledger.head
        with ledger.store.writing():
            for k in range(number + 1, number + entries):
                event = Event(k, previous, "2026-01-01T00:00:00.000000Z", "bench", Act.RESERVE, body, key=f"k{k}")
                previous = ledger.store.append(event).hash


def median(run: Callable[[int], object], times: int) -> float:
    """The median time of a call."""
    taken = []
    for k in range(times):
        start = time.perf_counter()
        run(k)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def measured(path: Path) -> dict[str, float]:
    """The times of the three operations, and of the command."""
    with Ledger(path, actor="bench") as ledger:
        found = {
            "reserve": median(lambda k: ledger.reserve("2026", NOTHING, what=f"t{k}", charges=CHARGES), 20),
            "status": median(lambda _: status_of(ledger.store, "2026"), 20),
            "history": median(lambda _: ledger.history("2026", size=50), 20),
        }
    command = [sys.executable, "-m", "whit", "ledger", "status", "--ledger", str(path)]
    found["whit ledger status"] = median(lambda _: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 5)
    return found


def main() -> int:
    """Print the table; 1 if a limit is not met."""
    large, missed = int(sys.argv[1]) if len(sys.argv) > 1 else LARGE, 0
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for entries in (SMALL, large):
            path, start = Path(folder) / f"{entries}.ledger", time.perf_counter()
            filled(path, entries)
            size = os.path.getsize(path) / 2**20
            print(f"{entries:,} entries written in {time.perf_counter() - start:.1f} s, {size:.0f} MB", flush=True)
            times.append(measured(path))
        for name, few in times[0].items():
            many = times[1][name]
            good = many <= MOST_SECONDS if name.startswith("whit") else many <= MOST_RATIO * few
            missed += not good
            print(
                f"{name:20} {1000 * few:8.1f} ms {1000 * many:8.1f} ms  x{many / few:.2f}{'' if good else '  MISSED'}"
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
