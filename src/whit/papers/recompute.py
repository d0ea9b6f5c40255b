"""All cases of some papers, each recomputed and compared with its value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from whit.errors import BY_KEY, UnknownKey
from whit.papers import bbrr26, kaa22, kr24, ks14, kszjy25
from whit.papers.case import Case, Way, read_cases

PAPERS: Mapping[str, Mapping[str, Way]] = {
    "KS14": ks14.WAYS,
    "KAA22": kaa22.WAYS,
    "KR24": kr24.WAYS,
    "KSZJY25": kszjy25.WAYS,
    "BBRR26": bbrr26.WAYS,
}
"""The papers by key, in the order of their years, with the ways to their quantities."""


@dataclass(frozen=True)
class Recomputed:
    """A case with what came out this time.

    Attributes:
        case: the case.
        computed: the number that whit computes.
        within: the relative difference that is put down to rounding.
    """

    case: Case
    computed: float
    within: float

    @property
    def as_expected(self) -> bool:
        """Whether the computed number is the value of the case."""
        return math.isclose(self.computed, self.case.expected, rel_tol=self.within, abs_tol=0.0)


def recompute(papers: Iterable[str] = PAPERS) -> Iterator[Recomputed]:
    """Every case of these papers, recomputed one by one.

    >>> len([each for each in recompute(["BBRR26"]) if each.as_expected])
    25
    """
    for paper in papers:
        ways = _ways(paper)
        for at, case in enumerate(read_cases(paper)):
            way = ways[case.quantity]
            yield Recomputed(case, _computed(way, paper, at), way.within)


@cache
def _computed(way: Way, paper: str, at: int) -> float:
    """The number of a case, worked out once in a process: a server is asked for it again and again."""
    return way.compute(read_cases(paper)[at])


def _ways(paper: str) -> Mapping[str, Way]:
    try:
        return PAPERS[paper]
    except KeyError as unknown:
        raise UnknownKey("a paper", BY_KEY, paper, f"Choose one of {', '.join(PAPERS)}.") from unknown
