"""The changes that can be made to a source: a comparison, a sign, a constant, a side of rounding."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div,
}
_NAMES = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "up": "down",
    "down": "up",
    "add_up": "add_down",
    "add_down": "add_up",
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
}


@dataclass(frozen=True)
class Change:
    """One change: its place, what stands there, and what takes its place.

    `within` is the function or class, `nth` counts what is the same there: changes elsewhere in the file move neither.
    """

    file: str
    within: str
    nth: int
    on_load: bool
    line: int
    last: int
    at: int
    end: int
    was: str
    now: str

    @property
    def key(self) -> tuple[str, str, int, str, str]:
        """What it is known by, whatever its line."""
        return self.file, self.within, self.nth, self.was, self.now

    def rank(self, seed: int) -> str:
        """Its place in a random order of all changes, which depends on no other change."""
        return hashlib.sha256(f"{seed} {self.key}".encode()).hexdigest()

    def made_in(self, text: str) -> str:
        """The source with the change."""
        raw = text.encode()
        return (raw[: self.at] + self.now.encode() + raw[self.end :]).decode()


def changes_of(path: Path, name: str) -> Iterator[Change]:
    """Every change to a file, in the order of their places."""
    text = path.read_text("utf-8")
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    same: Counter[tuple[str, str, str]] = Counter()
    for node, within, on_load in _code(ast.parse(text), "", on_load=True):
        for new in _changed(node):
            at = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
            was, now = text.encode()[at:end].decode(), f"({ast.unparse(new)})"
            nth = same[within, was, now]
            same[within, was, now] += 1
            yield Change(name, within, nth, on_load, node.lineno, node.end_lineno or node.lineno, at, end, was, now)


def _code(tree: ast.AST, within: str, *, on_load: bool) -> Iterator[tuple[ast.expr, str, bool]]:
    """The expressions that are run, where they stand, and if loading the file runs them.

    No annotations, no assertions, no messages of errors, nothing for type checkers.
    """
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        later = not on_load or (field == "body" and isinstance(tree, ast.FunctionDef | ast.Lambda))
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
                continue
            if isinstance(node, ast.keyword) and node.arg == "strict":  # that two lists have one length: an assertion
                continue
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            if isinstance(node, ast.expr):
                yield node, within, not later
            name = f".{node.name}" if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""
            yield from _code(node, f"{within}{name}".lstrip("."), on_load=not later)


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    """What may take the place of an expression."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare) and type(new.ops[0]) in _COMPARED:
        new.ops[0] = _COMPARED[type(new.ops[0])]()
        yield new
    elif isinstance(new, ast.BinOp) and type(new.op) in _COMPUTED and not _is_text(new.left):
        new.op = _COMPUTED[type(new.op)]()
        yield new
    elif isinstance(new, ast.BoolOp):
        new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
        yield new
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.USub | ast.Not):
        yield new.operand
    elif isinstance(new, ast.Constant) and isinstance(new.value, bool):
        yield ast.Constant(not new.value)
    elif isinstance(new, ast.Constant) and isinstance(new.value, int | float):
        yield ast.Constant(new.value + 1)
    elif isinstance(new, ast.Call) and isinstance(new.func, ast.Name) and new.func.id in _NAMES:
        new.func.id = _NAMES[new.func.id]
        yield new
    elif isinstance(new, ast.Call) and isinstance(new.func, ast.Attribute) and new.func.attr in _NAMES:
        new.func.attr = _NAMES[new.func.attr]
        yield new


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
