"""What is installed: every file under src/whit, and extras that bring all they need."""

from __future__ import annotations

import re
import tomllib
import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder
from pathspec import GitIgnoreSpec

import whit

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


def test_no_data_file_is_ignored_by_git_and_so_by_the_builder():
    ignored = GitIgnoreSpec.from_lines((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
    asked = [*(path.as_posix() for path in DATA), "src/whit/__pycache__/made.pyc"]
    assert list(ignored.match_files(asked)) == ["src/whit/__pycache__/made.pyc"]


def test_the_wheel_holds_every_data_file(tmp_path):
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {path.relative_to("src").as_posix() for path in DATA} <= names
    assert f"whit-{whit.__version__}.dist-info/METADATA" in names


def test_the_extra_for_reports_brings_the_pictures_in_them():
    extras = PROJECT["project"]["optional-dependencies"]
    assert "whit[charts]" in extras["reports"]
    assert "whit[charts,docs,reports]" in extras["dev"]


def unknown_commands(page: str) -> list[str]:
    """What a page says to install that is not this folder with extras that it has: whit is on no package index."""
    found = re.findall(r"pip install ([^\s`]+)", page)
    extras = PROJECT["project"]["optional-dependencies"]
    folder = re.compile(rf"\.|'\.\[({'|'.join(extras)})(,({'|'.join(extras)}))*\]'")
    return [target for target in found if not folder.fullmatch(target)]


def test_every_command_that_installs_works_in_a_copy_of_the_repository():
    pages = {path: path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]}
    assert "pip install" in pages[ROOT / "README.md"]
    assert {str(path): unknown_commands(text) for path, text in pages.items() if unknown_commands(text)} == {}


def test_a_command_that_needs_a_package_index_is_found():
    page = "`pip install 'whit[charts]'` $ pip install .\n$ pip install '.[chart]'\n$ pip install '.[charts,reports]'\n"
    assert unknown_commands(page) == ["'whit[charts]'", "'.[chart]'"]
