"""The changes that are tried: each is one place of the code that runs, and leaves a source that can be read."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from mutants.changes import Change, changes_of  # noqa: E402 - beside the sources
from mutants.run import chosen  # noqa: E402

SOURCE = '''"""A < B."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT: int = 1
def f(x: float = 1.5) -> float:
    """Not 1 < 2."""
    if x < 0 and not x == 3:
        raise ValueError(f"{x + 1}")
    pairs = zip([x], [x], strict=True)
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
        (10, "max(x, -x) + up(x)", "(max(x, -x) - up(x))"),
        (10, "max(x, -x)", "(min(x, -x))"),
        (10, "-x", "(x)"),
        (10, "up(x)", "(down(x))"),
    }


def test_a_changed_source_can_be_read_and_differs(tmp_path):
    path = ROOT / "src" / "whit" / "numerics" / "rounding.py"
    text = path.read_text("utf-8")
    for change in changes_of(path, "rounding.py"):
        made = change.made_in(text)
        assert ast.dump(ast.parse(made)) != ast.dump(ast.parse(text))


def test_lines_elsewhere_move_no_change_out_of_the_sample_or_into_it(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(SOURCE)
    before = {each.rank(1) for each in changes_of(path, "a.py")}
    path.write_text("import math\n\n\ndef g(y):\n    return y < 0\n\n\n" + SOURCE)
    after = {each.rank(1): each for each in changes_of(path, "a.py")}
    assert before <= after.keys()
    assert {after[rank].within for rank in after.keys() - before} == {"g"}


def test_what_loading_the_file_runs_is_told_from_what_a_call_runs(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("A = 1\ndef f(x=2):\n    return x + 3\nclass C:\n    b = 4\n")
    assert {each.was: each.on_load for each in changes_of(path, "a.py")} == {
        "1": True,
        "2": True,
        "x + 3": False,
        "3": False,
        "4": True,
    }


def test_a_constant_is_tried_with_the_tests_of_its_name_even_if_they_run_no_line_of_the_file():
    constant, other = (
        Change("src/whit/curves/a.py", "", 0, on_load, 3, 3, 0, 1, "1", "(2)") for on_load in (True, False)
    )
    lines = {"src/whit/curves/a.py": {3: ["tests/curves/test_b.py::one"]}}
    times = {
        "tests/curves/test_a.py::reads": 0.1,
        "tests/curves/test_b.py::one": 0.2,
        "tests/curves/test_c.py::two": 0.1,
    }
    assert chosen(constant, lines, times, again=False) == [
        "tests/curves/test_b.py::one",
        "tests/curves/test_a.py::reads",
    ]
    assert chosen(other, lines, times, again=False) == ["tests/curves/test_b.py::one"]
