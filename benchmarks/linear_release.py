"""A hundred thousand records and five hundred published totals: seconds and megabytes, and whether they are allowed.

Five tables of a hundred totals each, or a matrix of five hundred weighted sums, under a prior with five common factors;
without noise, with noise, or with noise on some. Fails if one takes more than two minutes, or all more than two
gigabytes.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from whit.persuasion import Factors, LinearMap, Statistics, Totals, linear_release

RECORDS = 100_000
TABLES, CELLS, COMMON = 5, 100, 5
ALLOWED_SECONDS = 120.0
ALLOWED_GIGABYTES = 2.0


def tables(random: np.random.Generator, *, cut: int = 0) -> Statistics:
    """Tables of totals; with a cut, some cells of all but the first are left out, so that none depends on others."""
    codes = [random.integers(0, CELLS, RECORDS) for _ in range(TABLES)]
    codes[1:] = [np.where(code < CELLS - cut, code, -1) for code in codes[1:]]
    return Totals(*codes)


def main() -> int:
    """Print a line for each case; the exit status says whether time and memory are within what is allowed."""
    random = np.random.default_rng(1)
    prior = Factors(np.full(RECORDS, 1.0), 0.3 * random.normal(size=(RECORDS, COMMON)))
    sums = LinearMap(random.normal(size=(TABLES * CELLS, RECORDS)))
    some = np.repeat([0.0, 25.0, 25.0, 25.0, 25.0], CELLS)
    cases = {
        "tables of totals, no noise": (tables(random, cut=1), 0.0),
        "tables of totals, noise on some": (tables(random), some),
        "weighted sums, noise": (sums, 25.0),
    }
    longest = 0.0
    for title, (statistics, noise) in cases.items():
        begin = time.perf_counter()
        release = linear_release(statistics, prior, noise=noise)
        found = release.kappa_within(4.0, 0.0 if np.all(np.asarray(noise) == 0.0) else 1e-3)
        worst = release.most_exposed(found)
        longest = max(longest, time.perf_counter() - begin)
        print(f"{title:40s} {time.perf_counter() - begin:6.1f} s   {release.direction.value:8s} {worst.kappa:.6g}")
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{'longest':40s} {longest:6.1f} s   (at most {ALLOWED_SECONDS:g} s allowed)")
    print(f"{'peak memory':40s} {gigabytes:6.2f} GB  (at most {ALLOWED_GIGABYTES:g} GB allowed)")
    return int(longest > ALLOWED_SECONDS or gigabytes > ALLOWED_GIGABYTES)


if __name__ == "__main__":
    sys.exit(main())
