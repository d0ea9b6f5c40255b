"""What `import whit` offers, and what it costs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from offenders import check_all

import whit

ROOT = Path(__file__).parents[1]

# Libraries that are large, optional or for the tests only: none may be loaded before somebody needs it.
LATE = [
    "altair",
    "click",
    "docx",
    "flint",
    "hypothesis",
    "jinja2",
    "mpmath",
    "pytest",
    "rich",
    "scipy",
    "typst",
    "vl_convert",
]


def own_docstring(item: object) -> str:
    """The docstring written for the item: not one it inherits, nor the signature that dataclass puts in its place."""
    text = vars(item).get("__doc__") if isinstance(item, type) else item.__doc__
    name = getattr(item, "__name__", "")
    return "" if text is None or text.startswith(f"{name}(") else text


def loaded_by(statement: str) -> set[str]:
    """Top-level names of the modules that a fresh process has loaded after the statement."""
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); {statement}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def undescribed(item: object) -> list[str]:
    return [] if own_docstring(item).strip() else ["has no docstring of its own"]


def test_every_public_name_exists_and_is_described():
    check_all({name: getattr(whit, name) for name in whit.__all__}, undescribed)


def test_a_name_without_a_description_of_its_own_is_found():
    parent = type("Parent", (), {"__doc__": "Described."})
    assert undescribed(parent) == []
    assert undescribed(type("Child", (parent,), {}))
    assert undescribed(type("Value", (), {"__doc__": "Value(number: int)"}))


def test_no_public_name_is_listed_twice():
    assert len(whit.__all__) == len(set(whit.__all__))


def test_importing_everything_gives_the_public_names_only():
    namespace: dict[str, object] = {}
    exec("from whit import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(whit.__all__)


def test_the_map_of_the_package_names_every_part_of_it():
    parts = {path.stem for path in (ROOT / "src" / "whit").iterdir() if not path.name.startswith(("_", "py.typed"))}
    assert parts <= set(re.findall(r"^(\w+)  +\S", whit.__doc__, flags=re.MULTILINE))


def test_importing_whit_loads_nothing_large():
    loaded = loaded_by("import whit")
    assert "whit" in loaded
    assert loaded.isdisjoint(LATE)
    assert loaded.isdisjoint(["IPython", "pandas", "polars"])


def test_the_list_of_loaded_modules_would_show_a_large_one():
    assert "mpmath" in loaded_by("import whit, mpmath")


def test_the_citation_has_the_version_of_the_package():
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert citation is not None
    assert whit.__version__ == citation[1]


def test_no_other_file_has_the_version():
    places = [ROOT / "pyproject.toml", *(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.py")]
    found = [path.name for path in places if f'"{whit.__version__}"' in path.read_text(encoding="utf-8")]
    assert found == ["version.py"]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'whit' has no attribute 'nonsense'"):
        _ = whit.nonsense


def test_dir_lists_what_is_not_loaded_yet():
    assert set(whit.__all__) <= set(dir(whit))
