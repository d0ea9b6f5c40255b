"""Numbers from the test suites and papers of other tools, in `peer_numbers`; its README says what a line means."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whit
from whit import curves, guarantees, mechanisms
from whit.theory import Finding

FOLDER = Path(__file__).parent / "peer_numbers"
NAMES = {name: getattr(module, name) for module in (curves, mechanisms, guarantees, whit) for name in module.__all__}
NUMBERS = [
    pytest.param(
        number,
        id=f"{file.stem} {place}: {number['feature']}",
        marks=[pytest.mark.slow] if number.get("slow") else [],
    )
    for file in sorted(FOLDER.glob("*.toml"))
    for place, number in enumerate(tomllib.loads(file.read_text(encoding="utf-8"))["number"])
]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_of_another_tool_has_the_verdict_that_is_written_beside_it(number: dict[str, Any]) -> None:
    found = eval(number["ask"], {**NAMES, "np": np, "inf": np.inf})
    lower, upper = (found.lower, found.upper) if isinstance(found, Finding) else (found, found)
    value, error = number["value"], number["error"]
    assert number["source"]
    if number["verdict"] == "agrees":
        assert lower <= value + error
        assert upper >= value - error
        assert upper - lower <= 2 * max(error, 1e-4 * abs(value))
    elif number["verdict"] == "they are above":
        assert upper <= value + error
    else:
        assert number["verdict"] == "they are below"
        assert number["why"]
        assert upper >= number["truth"] > value + error
