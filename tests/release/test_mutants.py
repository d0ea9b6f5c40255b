"""The changes that are tried: each is one place of the code that runs, and leaves a source that can be read."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from mutants.changes import changes_of  # noqa: E402 - beside the sources

SOURCE = '''"""A < B."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT: int = 1
def f(x: float = 1.5) -> float:
    """Not 1 < 2."""
    if x < 0 and not x == 3:
        raise ValueError(f"{x + 1}")
    return max(x, -x) + up(x)
'''


def test_every_place_that_runs_is_changed_once_and_no_other(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(SOURCE)
    found = {(each.line, each.was, each.now) for each in changes_of(path, "a.py")}
    assert found == {
        (5, "1.5", "(2.5)"),
        (7, "x < 0 and not x == 3", "(x < 0 or not x == 3)"),
        (7, "x < 0", "(x <= 0)"),
        (7, "0", "(1)"),
        (7, "not x == 3", "(x == 3)"),
        (7, "x == 3", "(x != 3)"),
        (7, "3", "(4)"),
        (9, "max(x, -x) + up(x)", "(max(x, -x) - up(x))"),
        (9, "max(x, -x)", "(min(x, -x))"),
        (9, "-x", "(x)"),
        (9, "up(x)", "(down(x))"),
    }


def test_a_changed_source_can_be_read_and_differs(tmp_path):
    path = ROOT / "src" / "whit" / "numerics" / "rounding.py"
    text = path.read_text("utf-8")
    for change in changes_of(path, "rounding.py"):
        made = change.made_in(text)
        assert ast.dump(ast.parse(made)) != ast.dump(ast.parse(text))
