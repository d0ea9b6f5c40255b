"""Formulas for the page: a plain tree that the template sets, so that no text is ever read as markup."""

from __future__ import annotations

import json
from typing import Any, Final

from whit.theory import Fenced, Formula, Fraction, Letter, Node, Number, Prose, Root, Row, Scripts, Sign, Word

_CLASSES: Final = {
    "relation": "=<>≤≥∥|",
    "binary": "×",
    "large": "∑∏",
    "punctuation": ",;",
}
SHORT: Final = 60
"""A formula with a bar and no more letters than this gets room above and below; a longer one must be free to break."""
_EITHER: Final = "+−"
"""What stands between two parts or before one."""


def with_trees(part: Any) -> Any:
    """A plain tree in which a text with formulas is runs: texts, and formulas with their plain text."""
    if isinstance(part, Prose) and any(isinstance(run, Formula) for run in part.parts):
        return {"runs": [_run(run) for run in part.parts]}
    if isinstance(part, list):
        return [with_trees(each) for each in part]
    if isinstance(part, dict):
        return {name: with_trees(each) for name, each in part.items()}
    return part


def _run(run: str | Formula) -> Any:
    if isinstance(run, str):
        return run
    tree = as_tree(run.tree)
    is_boxed = len(run.plain) <= SHORT and '"bar"' in json.dumps(tree)
    return {"formula": tree, "alt": run.plain, "is_boxed": is_boxed}


def as_tree(node: Node) -> list[Any]:
    """A formula as lists: what it is, and its parts."""
    match node:
        case Letter(sign, upright):
            return ["upright" if upright else "letter", sign]
        case Number(digits):
            return ["number", digits]
        case Word(letters, is_function):
            return ["word" if is_function else "text", letters]
        case Sign(sign):
            return ["sign", _class(sign, operand=False), sign]
        case Row(parts):
            return ["row", *_side_by_side(parts)]
        case Fenced(opening, body, closing):
            return ["fenced", opening, as_tree(body), closing]
        case Root(body):
            return ["root", as_tree(body)]
        case Fraction(above, below, is_bar):
            return ["bar" if is_bar else "slash", as_tree(above), as_tree(below)]
        case Scripts(base, below, above):
            return ["scripts", as_tree(base), *(None if each is None else as_tree(each) for each in (below, above))]


def _side_by_side(parts: tuple[Node, ...]) -> list[Any]:
    """The parts; a sign is between two of them if one that is no sign stands before it."""
    made: list[Any] = []
    for part, before, after in zip(parts, (None, *parts), (*parts[1:], None), strict=False):
        if isinstance(part, Sign):
            made.append(["sign", _class(part.sign, operand=not isinstance(before, Sign | None)), part.sign])
        elif isinstance(part, Word) and isinstance(after, Fenced):
            made += [] if isinstance(before, Sign | None) else [["thin"]]
            made.append(["upright", part.letters])
        else:
            made.append(as_tree(part))
    return made


def _class(sign: str, operand: bool) -> str:
    """How a sign is spaced."""
    if sign in _EITHER:
        return "binary" if operand else "normal"
    return next((name for name, signs in _CLASSES.items() if sign in signs), "normal")
