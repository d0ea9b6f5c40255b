"""Findings and theorems as a notebook shows them, and findings as the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from whit.display import Markup, Row, block, code, folded, heading, joined, paragraph, points, table
from whit.theory.basis import Basis, Failure, Randomness, Tree
from whit.theory.finding import Answer, Finding
from whit.theory.needs import assumed
from whit.theory.quantity import Direction, Unit, number_text
from whit.theory.registry import Theorem, assumption, reference, theorem

MOST = 12
"""The most values of an array that a notebook shows."""


def answer_html(answer: Answer) -> str:
    """A finding, or a result of several findings: what it says, each number, and what it rests on."""
    if isinstance(answer, Finding):
        return _finding(answer)
    lines = [as_sentence(line) for line in str(answer).splitlines()]
    listed = (findings_table(answer.findings),) if answer.findings else ()
    rests = basis_parts(*answer.findings)
    return block(*(heading(line) for line in lines[:1]), *lines[1:], *listed, *rests)


def _finding(found: Finding) -> str:
    """The sentence of a finding, its values if there are several, what it rests on, and what was asked."""
    several = () if isinstance(found.value, float) else _values(found)
    return block(heading(as_sentence(str(found))), *several, *basis_parts(found), _inputs(found))


def findings_table(findings: Sequence[Finding], caption: str = "") -> Markup:
    """A row for each finding: what it is, and what is known of it."""
    return table(
        ("quantity", "what is known"), [(_capital(each.quantity.name), value_text(each)) for each in findings], caption
    )


def value_text(found: Finding) -> str:
    """The number of a finding on its safe side with its direction; of an array the largest, and of how many."""
    if isinstance(found.value, float):
        return _one(found, found.value)
    return f"{_one(found, found.largest)}, the largest of {found.value.size} values"


def basis_parts(*findings: Finding) -> tuple[Markup, ...]:
    """With which probability statements may fail, the theorems behind them, and on a click what must hold."""
    bases = [each.basis for each in findings]
    return (*failure_parts(*bases), rests_part(*bases), assumed_part(*findings))


def rests_part(*bases: Basis) -> Markup:
    """The theorems behind statements, on a click."""
    keys = dict.fromkeys(key for basis in bases for key in basis.theorems)
    named = points(joined((theorem(key).title, Markup(f"({code(key)})"))) for key in keys)
    return folded("What it rests on", named)


def failure_parts(*bases: Basis) -> tuple[Markup, ...]:
    """With which probability a statement may fail: a sentence for each randomness, with the largest of it."""
    largest: dict[Randomness, float] = {}
    for each in (failure for basis in bases for failure in basis.failures):
        largest[each.over] = max(each.probability, largest.get(each.over, 0.0))
    return tuple(paragraph(f"{failure_text(Failure(chance, over))}.") for over, chance in largest.items())


def failure_text(failure: Failure) -> str:
    """With which probability a statement may fail, rounded up, and over which randomness."""
    chance = number_text(failure.probability, Direction.AT_MOST, Unit.PROBABILITY)
    return f"Failure probability {chance}, over {failure.over.value}"


def assumed_part(*findings: Finding) -> Markup:
    """What numbers assume, on a click: of the noise and the data, and what their theorems do."""
    return must_hold(plain for each in findings for _, plain in assumed(each))


def must_hold(texts: Iterable[str]) -> Markup:
    """What must hold, each once, on a click."""
    return folded("What must hold", points(dict.fromkeys(texts)))


def theorem_html(shown: Theorem) -> str:
    """The statement of a theorem with its formulas set, and where it comes from."""
    source = reference(shown.reference)
    said = joined((Markup(f"<b>{joined((shown.title,))}.</b>"), Markup(shown.statement.html)))
    corrected = joined(("Differs from the publication:", Markup(shown.corrected.html))) if shown.corrected else ""
    where = joined((f"{source.short}, {shown.locator}. Key:", code(shown.key)))
    assumed = points(assumption(name).plain for name in shown.assumptions)
    corrections = (paragraph(corrected),) if corrected else ()
    return block(paragraph(said), *corrections, paragraph(where, faint=True), folded("What must hold", assumed))


def finding_rows(found: Finding) -> list[Row]:
    """A row for each number of a finding: its place, both ends, the inputs that it was asked with, and its basis.

    Columns are named as the JSON of a finding has them. An input that holds a number for each value stands beside it.
    """
    values = np.asarray(found.value)
    columns = {name: column for name, tree in found.inputs.items() if (column := _column(tree, values.shape))}
    ends = {name: _numbers(end, values.shape) for name, end in (("lower", found.lower), ("upper", found.upper))}
    beside = {f"inputs.{name}": column for name, column in columns.items() if isinstance(found.inputs[name], list)}
    same = {f"inputs.{name}": column[0] for name, column in columns.items() if f"inputs.{name}" not in beside}
    return [
        {
            "quantity": found.quantity.name,
            **{f"axis {axis}": index for axis, index in enumerate(place)},
            **{name: column[at] for name, column in beside.items()},
            "value": float(values[place]),
            "direction": found.direction.name,
            **{name: end[at] for name, end in ends.items()},
            "failure": max((each.probability for each in found.basis.failures), default=0.0),
            "unit": found.quantity.unit.name,
            **same,
            "theorems": "; ".join(found.basis.theorems),
        }
        for at, place in enumerate(np.ndindex(values.shape))
    ]


def as_sentence(text: str) -> str:
    """The text with a capital and a full stop.

    >>> as_sentence("power is at most 13.6 %")
    'Power is at most 13.6 %.'
    """
    return _capital(text) if text.endswith((".", "!", "?")) else f"{_capital(text)}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _one(found: Finding, value: float) -> str:
    """One number of a finding on its safe side, with its direction."""
    return replace(found, value=value, other_end=None, inputs={}).brief()


def _values(found: Finding) -> tuple[Markup, ...]:
    """The first values of an array, with the inputs that go with them."""
    rows = finding_rows(found)
    names = [name for name in rows[0] if name.startswith(("axis ", "inputs."))] if rows else []
    varied = [name for name in names if len({row[name] for row in rows}) > 1]
    kept = [name for name in varied if name.startswith("inputs.")] or varied
    shown = [(*(_cell(row[name]) for name in kept), _one(found, float(str(row["value"])))) for row in rows[:MOST]]
    rest = f"These are the first {MOST} of {len(rows)} values; to_frame() has all."
    listed = table((*(name.removeprefix("inputs.") for name in kept), "what is known"), shown)
    return (listed, paragraph(rest, faint=True)) if len(rows) > MOST else (listed,)


def _inputs(found: Finding) -> Markup:
    """What was asked, on a click; that only rises are bounded goes without saying."""
    asked = {name: tree for name, tree in found.inputs.items() if tree is not None and (name, tree) != ("sides", 1)}
    rows = [(name.replace("_", " "), _tree_text(tree)) for name, tree in asked.items()]
    return folded("What was asked", table((), rows)) if rows else Markup("")


def _tree_text(tree: Tree) -> str:
    """A plain tree in one line, short."""
    if isinstance(tree, Mapping):
        return _named_tree(tree)
    if isinstance(tree, list):
        more = f" and {len(tree) - MOST} more" if len(tree) > MOST else ""
        return ", ".join(map(_tree_text, tree[:MOST])) + more
    return _cell(tree)


def _named_tree(tree: Mapping[str, Tree]) -> str:
    """Values by name; of releases what each is and how many, of a sensitivity the changes of one record."""
    if tree.keys() == {"promise", "releases"}:
        number = tree["releases"]
        return _tree_text(tree["promise"]) + (f", in each of {number} releases" if number != 1 else "")
    if tree.keys() == {"kind", "parts"} and isinstance(tree["parts"], list):
        return "; ".join(map(_tree_text, tree["parts"]))
    if tree.keys() == {"add_remove", "replace"} and tree["add_remove"] == tree["replace"]:
        return _tree_text(tree["replace"]).replace(", ", "+")
    kind = [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(tree["kind"]))] if "kind" in tree else []
    parts = {name.replace("_", " "): _tree_text(part) for name, part in tree.items() if name != "kind"}
    return ", ".join([*kind, *(f"{name} = {text}" for name, text in parts.items())])


def _cell(value: object) -> str:
    """A plain value; the name of a choice as an option has it."""
    if isinstance(value, str) and re.fullmatch("[A-Z]+(_[A-Z]+)*", value):
        return value.lower().replace("_", "-")
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _numbers(end: object, shape: tuple[int, ...]) -> list[float | None]:
    size = int(np.prod(shape, dtype=np.int64))
    return [None] * size if end is None else np.ravel(np.asarray(end)).tolist()


def _column(tree: Tree, shape: tuple[int, ...]) -> list[object]:
    """An input as a column beside values of a shape; empty for one that is no plain value, or fits none of them."""
    if tree is None or isinstance(tree, Mapping):
        return []
    try:
        plain = np.asarray(tree)
        return np.broadcast_to(plain, shape).ravel().tolist() if plain.dtype.kind in "biufU" else []
    except ValueError:  # of no one shape, or of another one
        return []
