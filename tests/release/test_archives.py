"""What is released: archives of the last commit, the same byte for byte wherever they are built."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import archives
import pytest

import whit

ROOT = Path(__file__).parents[2]
PROJECT = """[project]
name = "whit"
version = "0.0.1"
requires-python = ">=3.11"
"""
PLACE = """from hatchling.builders.hooks.plugin.interface import BuildHookInterface
class Place(BuildHookInterface):
    def initialize(self, version, build_data):
        with open(self.root + "/whit/place.py", "w") as file:
            file.write(repr(self.root))
"""


def committed(place: Path, files: dict[str, str]) -> Path:
    """A small project of one commit."""
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, "utf-8")
    git = ["git", "-C", str(place), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    subprocess.run(["git", "init", "--quiet", str(place)], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "One"], check=True)
    return place


def test_archives_hold_the_commit_alone_and_no_trace_of_folder_or_rights(tmp_path):
    project = committed(tmp_path / "project", {"pyproject.toml": PROJECT, "whit/__init__.py": ""})
    (project / "whit" / "later.py").write_text("")
    first = archives.of_commit(project, tmp_path / "first", mask=0o022)
    second = archives.of_commit(project, tmp_path / "elsewhere" / "second", mask=0o077)
    assert set(first) == {"whit-0.0.1-py3-none-any.whl", "whit-0.0.1.tar.gz"}
    assert first == second
    with zipfile.ZipFile(tmp_path / "first" / "built" / "whit-0.0.1-py3-none-any.whl") as wheel:
        assert [name for name in wheel.namelist() if name.startswith("whit/")] == ["whit/__init__.py"]


def test_archives_that_differ_are_named_and_not_written(tmp_path):
    hook = PROJECT + "[tool.hatch.build.hooks.custom]\n"
    files = {"pyproject.toml": hook, "hatch_build.py": PLACE, "whit/__init__.py": ""}
    project = committed(tmp_path / "project", files)
    with pytest.raises(SystemExit, match=r"differ in whit-0\.0\.1-py3-none-any\.whl, whit-0\.0\.1\.tar\.gz"):
        archives.release(project, tmp_path / "dist")
    assert not (tmp_path / "dist").exists()


@pytest.mark.slow
def test_the_archives_of_this_commit_are_written_with_their_hashes(tmp_path):
    found = archives.release(ROOT, tmp_path)
    assert set(found) == {f"whit-{whit.__version__}-py3-none-any.whl", f"whit-{whit.__version__}.tar.gz"}
    subprocess.run(["sha256sum", "--check", "--quiet", archives.SUMS], cwd=tmp_path, check=True)
