"""A new noise touches few files: its own, the list of the kinds, and the stubs of the front doors."""

from __future__ import annotations

import re
from pathlib import Path

from whit import mechanisms
from whit.mechanisms import described, kinds

SOURCE = Path(__file__).resolve().parents[2] / "src" / "whit"
MOST = 5


def files_that_name(noise: str) -> set[str]:
    """The sources that name a kind of noise as a word; the papers use kinds, and need not know a new one."""
    sources = {path.relative_to(SOURCE).as_posix(): path for path in SOURCE.rglob("*.py*") if path.suffix != ".pyc"}
    word = re.compile(rf"\b{noise}\b")
    return {
        name
        for name, path in sources.items()
        if not name.startswith("papers/") and word.search(path.read_text(encoding="utf-8"))
    }


def test_a_noise_like_the_staircase_touches_few_files():
    assert 0 < len(files_that_name("Staircase")) <= MOST


def test_files_that_name_a_noise_are_found():
    needed = {"__init__.pyi", "mechanisms/__init__.pyi", "mechanisms/details.py", "mechanisms/staircase.py"}
    assert needed <= files_that_name("Staircase")
    assert files_that_name("Stair") == set()


def test_every_noise_that_declares_its_parameter_is_in_the_list_of_kinds():
    offered = [getattr(mechanisms, name) for name in mechanisms.__all__]
    declared = {each for each in offered if "parameter" in getattr(each, "__dict__", {})}
    assert set(kinds()) <= declared <= {*kinds(), *described()}
