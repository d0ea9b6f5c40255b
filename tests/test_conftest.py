"""A test that cannot run says so, and fails where every test must run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUNS = "def test_it_runs():\n    assert True\n"
SKIPS = {
    "a mark": f"import pytest\n\n@pytest.mark.skipif(True, reason='no browser')\n{RUNS}",
    "a call": "import pytest\n\ndef test_it_runs():\n    pytest.skip('no browser')\n",
    "a module": f"import pytest\npytest.skip('no browser', allow_module_level=True)\n\n{RUNS}",
}


def run(folder: Path, source: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a test file of its own under the rules of this folder."""
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    (folder / "test_file.py").write_text(source, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "CI" and "PYTEST" not in name}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rs", "--rootdir", str(folder), "."]
    return subprocess.run(command, cwd=folder, env=environment | variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("source", SKIPS.values(), ids=list(SKIPS))
def test_a_skipped_test_fails_where_every_test_must_run(tmp_path, source):
    found = run(tmp_path, source, CI="true")
    assert found.returncode in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    assert "cannot run here, and where CI is set every test must run. Skipped: no browser" in found.stdout


def test_elsewhere_a_skipped_test_tells_its_reason(tmp_path):
    found = run(tmp_path, SKIPS["a mark"])
    assert found.returncode == pytest.ExitCode.OK
    assert "1 skipped" in found.stdout
    assert "no browser" in found.stdout


def test_a_test_that_runs_passes_everywhere(tmp_path):
    assert run(tmp_path, RUNS, CI="true").returncode == pytest.ExitCode.OK
