"""Which nodes of the line matter: those where the bound on |M(c + it)| is not negligible.

Intervals of nodes are split until each is either negligible, and then only its bound is kept, or short, and then
summed. So the gaps between the replicas of lattice losses cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.curves.contour.floating import Real

Indices = NDArray[np.int64]
SHORT = 16
FEW = 192
MOST_INTERVALS = 400_000
MOST_NODES = 4_000_000


class TooManyNodes(Exception):
    """More nodes than the budget allows; says about how many there would be."""

    def __init__(self, nodes: float) -> None:
        super().__init__(nodes)
        self.nodes = nodes


@dataclass(frozen=True)
class Cover:
    """The nodes to sum, as ranges of indices, and what the others can add to a sum of |terms|."""

    starts: Indices
    stops: Indices
    skipped: float

    @property
    def nodes(self) -> int:
        """How many nodes are to be summed."""
        return int((self.stops - self.starts).sum())

    def chunks(self, size: int) -> list[Indices]:
        """The nodes to sum, in arrays of at most so many."""
        all_nodes = np.concatenate([np.arange(a, b) for a, b in zip(self.starts, self.stops, strict=True)])
        return [all_nodes[i : i + size] for i in range(0, len(all_nodes), size)]


def cover(log_bound: Callable[[Indices, Indices], Real], last: int, negligible: float, most_bounds: float) -> Cover:
    """Split the nodes 1 .. last by the bound on the log of each term; node 0 is always summed.

    No more than most_bounds ranges are bounded on the way, since a bound can cost as much as many nodes.
    """
    if last <= FEW:
        return Cover(np.array([0]), np.array([last + 1]), 0.0)
    edges = np.unique(np.minimum(2 ** np.arange(4, last.bit_length() + 1, dtype=np.int64), last + 1))
    starts, stops = np.append(1, edges[:-1]), edges
    kept_starts, kept_stops, skipped = [np.array([0])], [np.array([1])], 0.0
    nodes, bounds = 1, 0
    while len(starts):
        bounds += len(starts)
        if bounds > most_bounds:
            raise TooManyNodes(nodes + float((stops - starts).sum()))
        totals = np.exp(np.minimum(log_bound(starts, stops - 1), 600.0)) * (stops - starts)
        live = totals > negligible
        skipped += float(totals[~live].sum())
        starts, stops = starts[live], stops[live]
        short = stops - starts <= SHORT
        kept_starts.append(starts[short])
        kept_stops.append(stops[short])
        nodes += int((stops - starts)[short].sum())
        if nodes > MOST_NODES or (~short).sum() > MOST_INTERVALS:
            raise TooManyNodes(nodes + float((stops - starts)[~short].sum()))
        starts, stops = _quartered(starts[~short], stops[~short])
    return Cover(np.concatenate(kept_starts), np.concatenate(kept_stops), skipped)


def _quartered(starts: Indices, stops: Indices) -> tuple[Indices, Indices]:
    """Each range as four."""
    cuts = starts[:, None] + (stops - starts)[:, None] * np.arange(5) // 4
    return cuts[:, :-1].ravel(), cuts[:, 1:].ravel()
