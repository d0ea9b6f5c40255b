"""A package below its floor of coverage is named; lines count, and branches where they were measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import floors
import pytest


def file(lines: int, of: int, **branches: int) -> dict[str, object]:
    return {"summary": {"covered_lines": lines, "num_statements": of, **branches}}


WHOLE = {f"src/whit/{each}/a.py": file(95, 100) for each in floors.FLOORS if each != "all"}


def test_shares_are_of_all_files_of_a_package():
    found = floors.shares({**WHOLE, "src/whit/numerics/b.py": file(0, 5), "src/whit/errors.py": file(1, 2)})
    assert found["numerics"] == pytest.approx(95 / 1.05)
    assert found["curves"] == 95.0
    assert found["all"] == pytest.approx(100 * 381 / 407)


def test_branches_count_beside_lines():
    found = floors.shares({"src/whit/ledger/a.py": file(90, 100, covered_branches=10, num_branches=100)})
    assert found["ledger"] == 50.0


def test_what_is_at_its_floor_holds_and_what_is_below_is_named():
    assert floors.missed(floors.shares(WHOLE)) == []
    low = floors.missed(floors.shares({**WHOLE, "src/whit/policy/b.py": file(0, 1)}))
    assert low == ["policy: 94.06 % were run; the floor is 95 %."]


def test_a_package_that_was_not_measured_misses_its_floor():
    del (some := dict(WHOLE))["src/whit/curves/a.py"]
    assert floors.missed(floors.shares(some)) == ["curves: 0.00 % were run; the floor is 95 %."]


def test_the_data_of_a_run_are_read(tmp_path):
    folder = tmp_path / "src" / "whit" / "numerics"
    folder.mkdir(parents=True)
    (folder / "half.py").write_text("import sys\nif sys.argv:\n    a = 1\nelse:\n    a = 2\n")
    data = tmp_path / ".coverage"
    options = ["--rcfile=/dev/null", "--branch", f"--data-file={data}"]
    subprocess.run([sys.executable, "-m", "coverage", "run", *options, folder / "half.py"], check=True)
    # Three of four statements, and one of two branches.
    assert floors.shares(floors.measured(data))["numerics"] == pytest.approx(100 * 4 / 6)


def test_without_data_it_says_so(tmp_path):
    script = Path(floors.__file__)
    found = subprocess.run([sys.executable, script, tmp_path / "none"], capture_output=True, text=True, check=False)
    assert (found.returncode, "Nothing was measured" in found.stderr) == (2, True)
