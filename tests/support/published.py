"""Published numbers, from the files beside the tests that check them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "published"


def golden(file: str, paper: str) -> dict[str, dict[str, Any]]:
    """The cases of one paper in one file, by their ids."""
    cases = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    return {case["id"]: case for case in cases if case["paper"] == paper}
