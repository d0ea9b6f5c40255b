"""Where the sources name a theorem: the function, method or class around each text that is its key."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from _generate.places import ROOT

SOURCE = ROOT / "src"


class Use(NamedTuple):
    """A definition that names a theorem: its module, and its name there; no name for the module itself."""

    module: str
    name: str


def uses(keys: Collection[str], source: Path = SOURCE) -> dict[str, tuple[Use, ...]]:
    """For each key what names it, in the order of the sources; what is private goes by what it is part of."""
    found: dict[str, dict[Use, None]] = {key: {} for key in keys}
    for path in sorted(source.rglob("*.py")):
        module = ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        for key, name in named(ast.parse(path.read_text(encoding="utf-8"))):
            if key in found:
                found[key][Use(module, name)] = None
    return {key: tuple(names) for key, names in found.items()}


def named(tree: ast.AST, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text below a node, with the name of the innermost public definition that it stands in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from named(node, name if node.name.startswith("_") else f"{name}.{node.name}".lstrip("."))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, name
        else:
            yield from named(node, name)
