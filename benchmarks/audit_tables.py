"""Tables to audit: made at random, small counts withheld, and one more cell in each line where one alone is."""

from __future__ import annotations

import random
from itertools import product
from typing import NamedTuple

import numpy as np

from whit.audit import Cell, Exact, Hierarchy, Publication, Suppressed, table


class Made(NamedTuple):
    """A publication, and the table that it was made from."""

    publication: Publication
    truth: dict[Cell, int]
    withheld: int


def tree(branches: tuple[int, ...], name: str) -> Hierarchy:
    """A hierarchy in which every code of a level has so many parts."""
    parts: dict[str, tuple[str, ...]] = {}
    level = [name]
    for number in branches:
        for code in level:
            parts[code] = tuple(f"{code}.{each}" for each in range(number))
        level = [part for code in level for part in parts[code]]
    return Hierarchy(parts)


def made(branches: tuple[tuple[int, ...], ...], mean: float, *, seed: int = 1) -> Made:
    """A table of Poisson counts with effects of each dimension; counts of 1 to 4 are withheld, and complements."""
    dimensions = [tree(each, "abc"[place]) for place, each in enumerate(branches)]
    values = counts(dimensions, mean, np.random.default_rng(seed))
    cells = list(product(*(each.codes for each in dimensions)))
    truth: dict[Cell, int] = dict(zip(cells, values.ravel().tolist(), strict=True))
    withheld = {cell for cell, value in truth.items() if 0 < value < 5}
    complemented(withheld, truth, lines(dimensions), random.Random(seed))
    said = {cell: Suppressed() if cell in withheld else Exact(truth[cell]) for cell in cells}
    return Made(table(dimensions, said), truth, len(withheld))


def counts(dimensions: list[Hierarchy], mean: float, pick: np.random.Generator) -> np.ndarray:
    """The count of every cell, totals included."""
    leaves = [[code for code in each.codes if code not in each.parts] for each in dimensions]
    effect = np.zeros([len(each) for each in leaves])
    for axis, each in enumerate(leaves):
        shape = [1] * len(leaves)
        shape[axis] = len(each)
        effect = effect + pick.normal(0, 0.8, len(each)).reshape(shape)
    found = pick.poisson(mean * np.exp(effect - 0.3 * len(leaves)))
    for axis, dimension in enumerate(dimensions):
        found = np.moveaxis(found, axis, 0)
        of_code = dict(zip(leaves[axis], found, strict=True))
        for total, parts in reversed([*dimension.parts.items()]):
            of_code[total] = sum(of_code[part] for part in parts)
        found = np.moveaxis(np.stack([of_code[code] for code in dimension.codes]), 0, axis)
    return found


def lines(dimensions: list[Hierarchy]) -> list[list[Cell]]:
    """A total and its parts, for every total in every line."""
    found: list[list[Cell]] = []
    for place, dimension in enumerate(dimensions):
        before, after = (
            product(*(each.codes for each in part)) for part in (dimensions[:place], dimensions[place + 1 :])
        )
        for start, end in product(before, list(after)):
            found += [[(*start, code, *end) for code in (total, *parts)] for total, parts in dimension.parts.items()]
    return found


def complemented(withheld: set[Cell], truth: dict[Cell, int], every: list[list[Cell]], pick: random.Random) -> None:
    """Withhold one more cell in each line that has one, the smallest that is not 0, until no line has one alone."""
    of_cell: dict[Cell, list[int]] = {}
    for number, line in enumerate(every):
        for cell in line:
            of_cell.setdefault(cell, []).append(number)
    waiting = set(range(len(every)))
    while waiting:
        line = every[waiting.pop()]
        if sum(cell in withheld for cell in line) == 1:
            open_cells = [cell for cell in line if cell not in withheld]
            chosen = min(open_cells, key=lambda cell: (truth[cell] == 0, truth[cell], pick.random()))
            withheld.add(chosen)
            waiting.update(of_cell[chosen])
