"""What is installed: every file under src/whit, and extras that bring all they need."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DATA = sorted(
    path.relative_to(ROOT)
    for path in (ROOT / "src" / "whit").rglob("*")
    if path.is_file() and path.suffix not in (".py", ".pyc")
)


def test_everything_under_the_package_goes_into_the_wheel():
    # The builder takes the whole folder, but for what git ignores.
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["src/whit"]}
    assert set(PROJECT["tool"]["hatch"]["build"]) == {"targets"}
    assert {path.suffix for path in DATA} >= {".toml", ".bib", ".md", ".json", ".html", ".typ"}


@pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="there is no repository here")
def test_no_data_file_is_ignored_by_git_and_so_by_the_builder():
    asked = [*map(str, DATA), "src/whit/__pycache__/made.pyc"]
    command = ["git", "check-ignore", "--no-index", "--stdin"]
    said = subprocess.run(command, cwd=ROOT, input="\n".join(asked), capture_output=True, text=True, check=False)
    assert said.stdout.split() == ["src/whit/__pycache__/made.pyc"]


def test_the_wheel_holds_every_data_file(tmp_path):
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {path.relative_to("src").as_posix() for path in DATA} <= names


def test_the_extra_for_reports_brings_the_pictures_in_them():
    extras = PROJECT["project"]["optional-dependencies"]
    assert "whit[charts]" in extras["reports"]
    assert "whit[charts,docs,reports]" in extras["dev"]
