"""Audits at scale: every end of every withheld cell, found, proved and verified, by the time of the processor.

Tables are made at random: a two-way one with hierarchies, one of 30 x 30 x 5, and with --all one of a million cells and
a three-way one of 95,000. Three-way audits begin with the table of the office. An end is exact if a table attains what
a sum of equations proves.

    python benchmarks/audit_scale.py --all
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.audit_tables import made
from whit.audit import Certificate, Interval, Publication, Verifier, left, proved


class Size(NamedTuple):
    """A table, and what is claimed of its audit.

    branches       how many parts each code has, level by level, in each dimension
    mean           of the inner cells
    given          whether the audit begins with the table of the office
    seconds        the most that it takes
    share          the least share of ends that are exact
    is_large       whether it is measured with --all only
    """

    branches: tuple[tuple[int, ...], ...]
    mean: float
    given: bool
    seconds: float
    share: float
    is_large: bool = False


SIZES = {
    "two-way, 123,321 cells": Size(((10, 10, 10), (10, 10)), 26.0, False, 10, 1.0),
    "30 x 30 x 5": Size(((30,), (30,), (5,)), 20.0, True, 30, 1.0),
    "two-way, 1,234,321 cells": Size(((10, 10, 10), (10, 10, 10)), 26.0, False, 300, 1.0, True),
    "three-way, 94,905 cells": Size(((10, 10), (8, 6), (14,)), 20.0, True, 900, 0.99, True),
}

MOST_BYTES = 2 * 10**9
"""The most memory of any of them."""


FASTER = 5
"""How many times faster it is to verify an audit, from the publication and the certificates alone."""


def measure(name: str) -> bool:
    """Audit and verify one table, and say whether the claims hold."""
    size = SIZES[name]
    publication, truth, _ = made(size.branches, size.mean)
    known = truth if size.given else None
    del truth
    start = time.process_time()
    found = left(publication, start=known)
    intervals = [found.interval(cell) for cell in found.open_cells]
    proofs = [found.certificates(each.cell) for each in intervals]
    audit = time.process_time() - start
    del found  # who verifies has the publication and the certificates, and no search
    check(publication, intervals, proofs)
    verify = time.process_time() - start - audit
    exact = sum(map(ends_met, intervals)) / (2 * len(intervals))
    bytes_used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    holds = audit <= size.seconds and exact >= size.share and bytes_used <= MOST_BYTES and FASTER * verify <= audit
    print(
        f"{'holds' if holds else 'MISSED':7}{name}: {len(intervals):,} cells withheld, {exact:.2%} of ends exact, "
        f"audit {audit:.1f} s (at most {size.seconds:.0f}), verify {verify:.1f} s ({audit / verify:.1f} times faster; "
        f"at least {FASTER}), {bytes_used / 1e9:.2f} GB",
        flush=True,
    )
    return holds


def check(publication: Publication, intervals: Sequence[Interval], proofs: Sequence[Sequence[Certificate]]) -> None:
    """Read the publication again, check every certificate, and compare what they prove with the intervals."""
    Verifier(publication).check_all(chain.from_iterable(proofs))
    for shown, own in zip(intervals, proofs, strict=True):
        if proved(shown.cell, own) != ((shown.least, shown.most), shown.limits):
            raise AssertionError(f"the certificates prove something else than that {shown}")


def ends_met(found: Interval) -> int:
    """How many ends of a cell are exact."""
    return (found.least == found.limits[0]) + (found.most == found.limits[1])


def main() -> int:
    """Each table in a process of its own, so that its memory is its own; the exit status is 0 if every claim holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="the large tables as well")
    parser.add_argument("--one", choices=[*SIZES], help="one table, in this process")
    chosen = parser.parse_args()
    if chosen.one:
        return int(not measure(chosen.one))
    names = [name for name, size in SIZES.items() if chosen.all or not size.is_large]
    runs = [subprocess.run([sys.executable, __file__, "--one", name], check=False).returncode for name in names]
    return int(any(runs))


if __name__ == "__main__":
    sys.exit(main())
