"""Imports point downwards, packages are entered by the front door, and each library has one home.

The layers are declared in pyproject.toml and checked by import-linter; the rest is checked here, on the syntax tree.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest
from offenders import check_all

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"

# The one place that may import each library from outside. Only numpy may be imported before it is needed; and click,
# since a command is made of it, and fastapi, since a page is: their homes are loaded by the command and nothing else.
HOMES = {
    "numpy": "whit",
    "click": "whit.apps.cli",
    "rich": "whit.apps.cli",
    "altair": "whit.telling.plots",
    "docx": "whit.telling.reports",
    "duckdb": "whit.annotate",
    "highspy": "whit.numerics.linear_programs",
    "vl_convert": "whit.telling.plots",
    "fastapi": "whit.apps.web",
    "starlette": "whit.apps.web",
    "uvicorn": "whit.apps.web",
    "IPython": "whit.display",
    "jinja2": "whit.telling.reports",
    "pandas": "whit.display",
    "polars": "whit.display",
    "psycopg": "whit.ledger",
    "pyarrow": "whit.display",
    "typst": "whit.telling.reports",
    "yaml": "whit.exchange",
}
IMPORTED_AT_ONCE = {"numpy", "click", "fastapi", "starlette"}


class Import(NamedTuple):
    """One imported thing: `from module import name`, or `import module` with no name."""

    module: str
    name: str
    hidden: bool  # inside a function

    @property
    def library(self) -> str:
        return self.module.partition(".")[0]


def imports(tree: ast.AST, hidden: bool = False) -> Iterator[Import]:
    """Every import below a node of the syntax tree; those for the type checker only do not count."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, "", hidden) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (Import(node.module or "", alias.name, hidden) for alias in node.names)
        else:
            yield from imports(node, hidden or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


def modules() -> dict[str, str]:
    """Source text of every module of whit by its dotted name; a package goes by its own name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


def is_package(module: str) -> bool:
    return SOURCE.joinpath(*module.split("."), "__init__.py").is_file()


def part(module: str) -> str:
    """The part of whit that a module belongs to: whit.curves.finite is in whit.curves, whit itself in none."""
    return ".".join(module.split(".")[:2])


def offered(module: str, name: str) -> bool:
    """Whether a package offers the name: it lists it, or the name is a package inside it."""
    return name in import_module(module).__all__ or is_package(f"{module}.{name}")


def side_doors(importer: str, source: str) -> list[str]:
    """Imports that reach past the `__init__` of another part, or that go out and in again by whit itself."""
    inside = [item for item in imports(ast.parse(source)) if item.library == "whit"]
    return [f"{item.module} {item.name}".strip() for item in inside if not by_front_door(importer, item)]


def by_front_door(importer: str, item: Import) -> bool:
    if item.module == "whit":
        return is_package(f"whit.{item.name}")
    if part(item.module) == part(importer) or not is_package(part(item.module)):
        return True
    return is_package(item.module) and (not item.name or offered(item.module, item.name))


def hidden_imports(source: str) -> list[str]:
    """Imports of whit inside a function: they hide a cycle."""
    return [item.module for item in imports(ast.parse(source)) if item.library == "whit" and item.hidden]


def homeless(importer: str, source: str) -> list[str]:
    """Libraries imported outside their home, or before they are needed."""
    known = sys.stdlib_module_names | {"whit"}
    outside = [item for item in imports(ast.parse(source)) if item.library not in known]
    return [item.module for item in outside if not at_home(importer, item)]


def at_home(importer: str, item: Import) -> bool:
    home = HOMES.get(item.library, "nowhere")
    return f"{importer}.".startswith(f"{home}.") and (item.hidden or item.library in IMPORTED_AT_ONCE)


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the project below root."""
    command = [Path(sysconfig.get_path("scripts")) / "lint-imports", "--no-cache"]
    environment = os.environ | {"PYTHONPATH": str(root / "src")}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def sketch(tmp_path) -> Path:
    """A small project under the same contracts: a few layers and nothing in them."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    schools = ["semantics", "semantics/membership", "semantics/testing"]
    for name in ["", "curves", "numerics", "guarantees", "mechanisms", *schools]:
        folder = tmp_path / "src" / "whit" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    (tmp_path / "src" / "whit" / "errors.py").touch()
    return tmp_path


MODULES = modules()
IMPORTERS = {module: (module, source) for module, source in MODULES.items()}


def test_modules_were_found():
    assert {"whit", "whit.errors"} <= set(MODULES)


def test_the_layers_hold():
    run = lint(ROOT)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_sketch_of_the_layers_holds(sketch):
    run = lint(sketch)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("numerics/__init__.py", "import whit.curves", "Imports point downwards BROKEN"),
        ("errors.py", "from whit import numerics", "Imports point downwards BROKEN"),
        ("semantics/testing/__init__.py", "from whit.semantics import membership", "each other BROKEN"),
        ("semantics/testing/__init__.py", "import whit.guarantees", "not where they came from BROKEN"),
        ("stray.py", "", "Imports point downwards BROKEN"),
    ],
)
def test_a_break_of_the_layers_is_found(sketch, file, line, broken):
    (sketch / "src" / "whit" / file).write_text(f"{line}\n", encoding="utf-8")
    run = lint(sketch)
    assert run.returncode == 1
    assert broken in run.stdout


def test_the_architecture_page_lists_the_layers_in_order():
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    layers = tools["importlinter"]["contracts"][0]["layers"]
    declared = [name.strip(" ()") for layer in layers for name in layer.split("|")]
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE) == declared


def test_packages_are_entered_by_the_front_door():
    check_all(IMPORTERS, lambda importer: side_doors(*importer))


def test_no_import_of_whit_hides_in_a_function():
    check_all(MODULES, hidden_imports)


def test_each_library_is_imported_at_its_home_only():
    check_all(IMPORTERS, lambda importer: homeless(*importer))


@pytest.mark.parametrize(
    ("importer", "source", "found"),
    [
        ("whit.curves.finite", "from whit.numerics.rounding import up", ["whit.numerics.rounding up"]),
        ("whit.curves.finite", "import whit.numerics.rounding", ["whit.numerics.rounding"]),
        ("whit.curves.finite", "from whit import InvalidInput", ["whit InvalidInput"]),
        ("whit.curves.finite", "import whit", ["whit"]),
        ("whit.curves.finite", "from whit.curves.face import Face", []),
        ("whit.curves.finite", "from whit.errors import require", []),
        ("whit.curves.finite", "from whit import numerics", []),
        ("whit", "from whit.errors import WhitError", []),
        ("whit", "from whit.numerics.rounding import up", ["whit.numerics.rounding up"]),
    ],
)
def test_a_side_door_is_found(monkeypatch, importer, source, found):
    packages = {"whit", "whit.numerics", "whit.curves"}
    monkeypatch.setitem(globals(), "is_package", packages.__contains__)
    assert side_doors(importer, source) == found


@pytest.mark.parametrize(("name", "found"), [("offered", []), ("inner", ["whit.numerics inner"])])
def test_a_name_that_a_package_does_not_offer_is_found(monkeypatch, name, found):
    package = type("Package", (), {"__all__": ["offered"]})
    monkeypatch.setitem(globals(), "is_package", {"whit.numerics"}.__contains__)
    monkeypatch.setitem(globals(), "import_module", {"whit.numerics": package}.__getitem__)
    assert side_doors("whit.curves.finite", f"from whit.numerics import {name}") == found


def test_a_hidden_import_is_found():
    assert hidden_imports("def f():\n    from whit.curves import Curve\n") == ["whit.curves"]
    assert hidden_imports("from whit.curves import Curve\n") == []


@pytest.mark.parametrize(
    ("importer", "source", "found"),
    [
        ("whit.telling.plots", "def f():\n    from altair import Chart\n", []),
        ("whit.telling.plots", "from altair import Chart\n", ["altair"]),
        ("whit.telling.plotting", "def f():\n    import altair.vegalite\n", ["altair.vegalite"]),
        ("whit.curves.finite", "import numpy as np\nimport math\n", []),
        ("whit.curves.finite", "def f():\n    import pandas\n", ["pandas"]),
        ("whit.curves.finite", "if TYPE_CHECKING:\n    import pandas\n", []),
    ],
)
def test_a_library_away_from_home_is_found(importer, source, found, monkeypatch):
    monkeypatch.setitem(HOMES, "altair", "whit.telling.plots")
    assert homeless(importer, source) == found
