"""The sources name no machine they were written on and no host that packages come from."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Made by make, by the tools or by git; never part of the sources.
MADE = {".git", "build", "dist", "__pycache__", "node_modules"}
MADE_SUFFIXES = ("_cache", ".egg-info", ".hypothesis")
MADE_PREFIXES = (".coverage", ".venv")

# Brackets keep the patterns from finding themselves.
MACHINE_PATH = re.compile(r"(?<![\w./])/(?:work|tmp|root|home|Users|mnt)\b")
PACKAGE_HOST = re.compile(r"\bpyp[i]\b|python[h]osted|anaconda[.]org|conda-f[o]rge", flags=re.IGNORECASE)


def is_made(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return any(part in MADE or part.endswith(MADE_SUFFIXES) or part.startswith(MADE_PREFIXES) for part in parts)


def text_of(path: Path) -> str:
    """The text of a file; nothing for one that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def sources() -> list[Path]:
    return [path for path in ROOT.rglob("*") if path.is_file() and not is_made(path)]


def strangers(text: str) -> list[str]:
    """The lines of a text that speak of something other than the project."""
    return [line for line in text.splitlines() if MACHINE_PATH.search(line) or PACKAGE_HOST.search(line)]


def test_the_sources_speak_of_the_project_only():
    texts = {path: text_of(path) for path in sources()}
    assert ROOT / "README.md" in texts
    found = {path.relative_to(ROOT).as_posix(): strangers(text) for path, text in texts.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("first", ["work", "tmp", "root", "home", "Users", "mnt"])
@pytest.mark.parametrize("before", ["", " ", '"', "cd ", "(", "PYTHONPATH="])
def test_a_machine_path_is_found(first, before):
    assert strangers(f"{before}/{first}/somewhere")


@pytest.mark.parametrize("host", ["https://p{}.org/simple", "files.p{}thonhosted.org"])
def test_a_package_host_is_found(host):
    assert strangers(host.format("yp" + "i" if "simple" in host else "y"))


@pytest.mark.parametrize("text", ["https://example.org/home/page", "and/or", "src/whit", "signal/root mean square"])
def test_ordinary_text_is_left_alone(text):
    assert strangers(text) == []


def test_git_ignores_every_environment_that_make_builds():
    made = set(re.findall(r"\.venv[\w-]*", (ROOT / "Makefile").read_text(encoding="utf-8")))
    assert {".venv", ".venv-audit"} <= made
    patterns = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert [name for name in made if not any(fnmatch(f"{name}/", pattern) for pattern in patterns)] == []
