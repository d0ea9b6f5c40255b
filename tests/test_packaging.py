"""What is installed: every file under src/whit, extras that bring all they need, and exact versions for developers."""

from __future__ import annotations

import re
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
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


@pytest.mark.parametrize("builder", [WheelBuilder, SdistBuilder])
def test_what_is_built_twice_is_the_same_byte_for_byte(builder, tmp_path):
    first, second = (
        next(iter(builder(str(ROOT)).build(directory=str(tmp_path / place), versions=["standard"])))
        for place in ("first", "second")
    )
    assert Path(first).name == Path(second).name
    assert Path(first).read_bytes() == Path(second).read_bytes()


def test_the_source_archive_is_a_whole_copy_of_the_repository(tmp_path):
    (archive,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    ignored = GitIgnoreSpec.from_lines((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
    here = {path.name for path in ROOT.iterdir() if not ignored.match_file(path.name + "/" * path.is_dir())}
    assert here - {".git"} == {name.partition("/")[0] for name in names} - {"PKG-INFO"}
    assert {"release/archives.py", "deploy/nginx.conf", "tests/conftest.py", "src/whit/py.typed"} <= names


def packages_of_others(folder: Path) -> list[str]:
    """Built packages and archives in a folder; a pip that downloads into it leaves such files, and git takes them."""
    ignored = GitIgnoreSpec.from_lines((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
    places = [each for each in folder.iterdir() if each.name != ".git" and not ignored.match_file(f"{each.name}/")]
    paths = [path for place in places for path in (place.rglob("*") if place.is_dir() else [place])]
    return sorted(path.relative_to(folder).as_posix() for path in paths if path.suffix in (".whl", ".gz", ".zip"))


def test_no_package_of_others_lies_in_the_repository():
    assert packages_of_others(ROOT) == []


def test_a_package_of_others_is_found(tmp_path):
    for name in ("tool-1.0-py3-none-any.whl", "tests/tool-1.0.tar.gz", "build/whit-0.1.0.zip", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert packages_of_others(tmp_path) == ["tests/tool-1.0.tar.gz", "tool-1.0-py3-none-any.whl"]


def test_the_extra_for_reports_brings_the_pictures_in_them():
    extras = PROJECT["project"]["optional-dependencies"]
    assert "whit[charts]" in extras["reports"]
    assert f"whit[{','.join(sorted(each for each in extras if each != 'dev'))}]" in extras["dev"]


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


def extras_needed(page: str) -> set[str]:
    """The extras that the commands of a page need, by what they write or serve."""
    needed = {"charts": r"whit plot ", "reports": r"whit report ", "web": r"whit web\b"}
    return {extra for extra, command in needed.items() if re.search(command, page)}


def test_what_the_first_page_installs_runs_all_of_its_commands():
    """`whit web` stood on it, and its library was not among those that the page installs."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    [installed] = re.findall(r"pip install '\.\[([a-z,]+)\]'", page)
    assert extras_needed(page) == {"charts", "reports", "web"} == set(installed.split(","))


def test_a_command_that_needs_a_package_index_is_found():
    page = "`pip install 'whit[charts]'` $ pip install .\n$ pip install '.[chart]'\n$ pip install '.[charts,reports]'\n"
    assert unknown_commands(page) == ["'whit[charts]'", "'.[chart]'"]


def pins(text: str) -> dict[str, str]:
    """The exact version of each library in a file of constraints; a line that pins nothing is an error."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def requirements() -> list[Requirement]:
    """All that the project says it needs, the tools of its developers included."""
    project = PROJECT["project"]
    extras = [text for extra in project["optional-dependencies"].values() for text in extra]
    texts = [*PROJECT["build-system"]["requires"], *project["dependencies"], *extras]
    return [each for each in map(Requirement, texts) if each.name != "whit"]


def unpinned(needed: list[Requirement], pinned: dict[str, str]) -> list[str]:
    """What has no exact version, or one that is not allowed."""
    return [str(each) for each in needed if not each.specifier.contains(pinned.get(canonicalize_name(each.name), "0"))]


def test_everything_that_is_needed_has_one_exact_version():
    assert unpinned(requirements(), pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))) == []


def test_a_library_without_an_exact_version_is_found():
    needed = [Requirement("numpy>=2,<3"), Requirement("import-linter>=2"), Requirement("rich>=13")]
    assert unpinned(needed, pins("# why\nnumpy==3.1\nimport_linter==2.5\n")) == ["numpy<3,>=2", "rich>=13"]


def test_the_hooks_of_git_take_their_tools_from_the_environment_and_fetch_nothing():
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"repo: (\S+)", text) == ["local"]
    assert len(re.findall(r"entry: \.venv/bin/", text)) == len(re.findall(r"- id:", text)) > 0
    assert set(re.findall(r"language: (\S+)", text)) == {"system"}


def test_every_recipe_is_a_script_that_the_shell_reads():
    # A recipe that make has changed on its way, such as one with a number sign, fails only where somebody runs it.
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {"test-peers", "bench"} <= {*targets}
    make = ["make", "--dry-run", "--always-make", "--no-print-directory", *targets]
    script = subprocess.run(make, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    read = subprocess.run(["sh", "-n"], input=script, check=False, capture_output=True, text=True)
    assert "while read -r peer" in script
    assert (read.returncode, read.stderr) == (0, "")


def test_version_citation_and_changelog_agree_on_what_was_released_when():
    citation, changes = ((ROOT / name).read_text("utf-8") for name in ("CITATION.cff", "CHANGELOG.md"))
    cited = dict(re.findall(r"^(version|date-released): (\S+)$", citation, re.MULTILINE))
    sections = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", changes, re.MULTILINE)
    assert sections[0] == ("Unreleased", "")
    assert sections[1] == (whit.__version__, cited["date-released"])
    assert cited["version"] == whit.__version__
    assert all(day for _, day in sections[1:])


def test_no_picture_of_the_front_page_comes_from_the_network():
    text = (ROOT / "README.md").read_text("utf-8")
    pictures = re.findall(r"!\[[^\]]*\]\(([^)\s]+)", text)
    assert pictures
    assert [each for each in pictures if "://" in each or not (ROOT / each).is_file()] == []
