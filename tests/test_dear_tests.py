"""The list of tests that take long names tests that are there, and is made as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dear_tests import LIST, dear

ROOT = Path(__file__).parents[1]


def test_every_listed_test_is_there() -> None:
    names = LIST.read_text(encoding="utf-8").splitlines()
    assert names == sorted(set(names))
    gone = [
        name
        for name in names
        if not (file := ROOT / name.split("::")[0]).exists() or not _defines(file, name.split("::")[-1].split("[")[0])
    ]
    assert gone == []


def _defines(file: Path, test: str) -> bool:
    """Whether the file has such a test; a machine of states runs under the name of its base."""
    return test == "runTest" or re.search(rf"^ *def {test}\b", file.read_text(encoding="utf-8"), re.M) is not None


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("0.401 tests/laws/test_blocks.py::test_it[a b]", ["tests/laws/test_blocks.py::test_it[a b]"]),
        ("0.4 tests/laws/test_blocks.py::test_it", []),
        ("9.0 tests/test_voice.py::test_it", []),
        ("9.0 src/whit/setting.py::whit.setting", []),
    ],
)
def test_what_takes_long_is_listed_but_for_the_rules_of_the_house(line: str, listed: list[str]) -> None:
    assert dear(["0.1 tests/laws/test_blocks.py::test_it", line]) == listed
