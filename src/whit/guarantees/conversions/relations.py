"""Edges between relations and sizes: from add/remove to replacement, from one record to a group."""

from __future__ import annotations

from whit.guarantees.conversions.step import Edge
from whit.guarantees.guarantee import Guarantee
from whit.setting import Neighbours


def under_edge(source: type[Guarantee]) -> Edge:
    """The step of a kind of promise to another relation between datasets."""
    return Edge(source, source, "replacing-is-removing-and-adding", False, under)


def group_edge(source: type[Guarantee]) -> Edge:
    """The step of a kind of promise from one record to a group."""
    return Edge(source, source, "group-privacy", False, group)


def under(source: Guarantee, *, neighbours: Neighbours) -> Guarantee:
    """The promise under another relation, where it follows."""
    return source.under(neighbours)


def group(source: Guarantee, *, size: int) -> Guarantee:
    """The promise to a group of so many records."""
    return source.group(size)
