"""Audits at scale: every end of every withheld cell, found, proved and verified, by the time of the processor.

Tables are made at random: a two-way one with hierarchies, one of 30 x 30 x 5, and with --all one of a million cells and
a three-way one of 95,000. Three-way audits begin with the table of the office. An end is exact if a table attains what
a sum of equations proves. Of the smaller two tables 100 ends each are asked of scipy.optimize.milp as well, one after
the other: it gets the component of the cell alone, and no time to build the program counts. Both must agree.

    python benchmarks/audit_scale.py --all
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.audit_tables import made
from whit.audit import Cell, Certificate, Interval, Left, Publication, Verifier, left, proved
from whit.audit.component import Component


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
    asked = [] if size.is_large else sampled(found, intervals)
    start = time.process_time() - audit
    del found  # who verifies has the publication and the certificates, and no search
    check(publication, intervals, proofs)
    verify = time.process_time() - start - audit
    exact = sum(map(ends_met, intervals)) / (2 * len(intervals))
    bytes_used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    holds = audit <= size.seconds and exact >= size.share and bytes_used <= MOST_BYTES and FASTER * verify <= audit
    print(
        f"{'holds' if holds else 'MISSED':7}{name}: {len(intervals):,} cells withheld, {exact:.2%} of ends exact (at "
        f"least {size.share:.0%}), audit {audit:.1f} s (at most {size.seconds:.0f}), verify {verify:.1f} s "
        f"({audit / verify:.1f} times faster; at least {FASTER}), {bytes_used / 1e9:.2f} GB "
        f"(at most {MOST_BYTES / 1e9:.0f})",
        flush=True,
    )
    return beside_scipy(name, asked, audit / (2 * len(intervals))) and holds


SAMPLED = 100
"""So many ends of a table are asked of another solver."""


class Asked(NamedTuple):
    """An end of a cell: where it is, and what was found."""

    component: Component
    cell: Cell
    up: bool
    value: int | None


def sampled(found: Left, intervals: Sequence[Interval]) -> list[Asked]:
    """Some ends of cells that are in a component, at random."""
    pick, asked = random.Random(1), []
    for shown in pick.sample(intervals, SAMPLED):
        component, up = found.component_of(shown.cell), pick.random() < 0.5
        if component is not None:
            asked.append(Asked(component, shown.cell, up, shown.most if up else shown.least))
    return asked


def beside_scipy(name: str, asked: Sequence[Asked], own: float) -> bool:
    """Ask another solver for some ends, and say whether it agrees and how much longer it takes for an end.

    own   the seconds that an end took, with its proof
    """
    if not asked or find_spec("scipy") is None:
        print(f"not run {name} beside scipy.optimize.milp", flush=True)
        return True
    answers = [by_milp(each) for each in asked]
    differ = sum(value not in (None, each.value) for each, (value, _) in zip(asked, answers, strict=True))
    spent = sum(seconds for _, seconds in answers) / len(asked)
    print(
        f"{'MISSED' if differ else 'holds':7}{name}: {len(asked)} ends beside scipy.optimize.milp, {differ} differ (at "
        f"most 0), {1000 * spent:.2f} ms an end, against {1000 * own:.2f} with proof: {spent / own:.1f} times as long",
        flush=True,
    )
    return not differ


def by_milp(asked: Asked) -> tuple[int | None, float]:
    """The last value of a cell by scipy, None if it found no optimum, and how long that took."""
    import scipy.optimize as solvers
    from scipy.sparse import csr_array

    component = asked.component
    lengths = [len(each) for each in component.terms]
    places = [place for each in component.terms for place in each]
    times = [float(each) for terms in component.terms for each in terms.values()]
    matrix: Any = csr_array((times, places, np.cumsum([0, *lengths])), shape=(len(lengths), len(component.cells)))
    costs = np.zeros(len(component.cells))
    costs[component.cells.index(asked.cell)] = -1.0 if asked.up else 1.0
    ends = [np.array([plain(each[side], side) for each in component.ends]) for side in (0, 1)]
    start = time.process_time()
    solved = solvers.milp(
        costs,
        integrality=np.ones(len(costs)),
        bounds=solvers.Bounds(*ends),
        constraints=solvers.LinearConstraint(matrix, component.right, component.right),
        options={"mip_rel_gap": 0.0},
    )
    seconds = time.process_time() - start
    return (round(abs(solved.fun)) if solved.status == 0 else None), seconds


def plain(end: int | None, side: int) -> float:
    """An end in floating point."""
    if end is None:
        return np.inf if side else -np.inf
    return float(end)


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
