"""The noise of the 2020 Census redistricting data, as one composition: 71 queries, 142 changed cells."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

from benchmarks.mechanisms import DiscreteGaussian, Parts

FILE = Path(__file__).with_name("census.json")
TOTAL_RHO = Fraction("2.63")
CELLS_PER_QUERY = 2


def query_rhos() -> list[Fraction]:
    """The rho of every query that is asked: those of persons, level by level, then those of housing units."""
    facts = json.loads(FILE.read_text(encoding="utf-8"))
    rho = {unit: Fraction(text) for unit, text in facts["rho"].items()}
    levels = {unit: [Fraction(text) for text in shares] for unit, shares in facts["level_shares"].items()}
    queries = [[Fraction(text) for text in query["shares"]] for query in facts["query_shares"].values()]
    by_level = list(zip(*queries, strict=True))
    _require_whole(rho, levels, by_level)
    shares = zip(levels["person"], by_level, strict=True)
    persons = [rho["person"] * level * query for level, row in shares for query in row]
    housing = [rho["housing"] * level for level in levels["housing"]]
    return [each for each in persons + housing if each > 0]


def _require_whole(
    rho: dict[str, Fraction], levels: dict[str, list[Fraction]], by_level: list[tuple[Fraction, ...]]
) -> None:
    """Refuse a file in which some shares do not add up to 1, or the rhos to the published total."""
    wholes = [*levels.values(), *by_level]
    if any(sum(shares) != 1 for shares in wholes) or sum(rho.values()) != TOTAL_RHO:
        raise ValueError(f"{FILE.name}: the shares of a level must add up to 1, and the rhos to {TOTAL_RHO}.")


def composition() -> Parts:
    """Every changed cell, as discrete Gaussian noise of sigma^2 = 1/rho."""
    cells = Counter({1 / rho: CELLS_PER_QUERY * number for rho, number in Counter(query_rhos()).items()})
    return {DiscreteGaussian(math.sqrt(sigma_squared)): number for sigma_squared, number in cells.items()}
