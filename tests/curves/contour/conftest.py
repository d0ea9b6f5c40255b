"""Reference values, and the composition of the 2020 Census redistricting data."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from whit.curves.contour import Composition, DiscreteGaussianKind


@pytest.fixture(scope="session")
def reference() -> dict[str, Any]:
    """The table of values that other methods computed to 25 digits."""
    text = (Path(__file__).parent / "loss_reference.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@pytest.fixture(scope="session")
def census(reference: dict[str, Any]) -> Composition:
    """71 queries of sigma^2 = 1 / rho*, each of which changes two cells."""
    table = reference["census_allocation"]
    person, housing = Fraction(table["rho"]["person"]), Fraction(table["rho"]["housing"])
    rhos = []
    for level, (person_share, housing_share) in enumerate(table["levels"].values()):
        shares = [Fraction(query[level]) for query in table["queries"]]
        rhos += [person * Fraction(person_share) * share for share in shares if share]
        rhos.append(housing * Fraction(housing_share))
    assert sum(rhos) == Fraction("2.63")
    assert len(rhos) == 71
    cells = Counter(float(1 / rho) for rho in rhos)
    return Composition({DiscreteGaussianKind(sigma2): 2 * queries for sigma2, queries in cells.items()})
