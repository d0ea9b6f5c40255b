"""Hierarchies of codes in files: the indented lists of tau-ARGUS (.hrc), and its descriptions of tables (.rda)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whit.audit import Hierarchy
from whit.errors import InvalidInput

TOTALS = ("total", "all", "_t", "t", "tot", "sum", "ensemble", "insgesamt")
"""Codes that stand for the total of a dimension where nobody says which does, in small letters."""

_HRC = "Write one code a line, with one @ more than the code that it is a part of."
_RDA = "Give the description that was written with the table."


@dataclass(frozen=True)
class Column:
    """A column of a table that an .rda file describes.

    name        its name
    role        "code", "value", "frequency", "status" or "other"
    total       the code of the total
    hierarchy   the name of the file with its hierarchy; empty for a flat list
    lead        what indents a part in that file
    """

    name: str
    role: str = "code"
    total: str = "Total"
    hierarchy: str = ""
    lead: str = "@"


@dataclass(frozen=True)
class Description:
    """What an .rda file says: the separator, the columns, and which marks stand for a published cell."""

    separator: str
    columns: tuple[Column, ...]
    safe: tuple[str, ...]


def hierarchy_of(text: str, file: str, *, total: str, lead: str = "@") -> Hierarchy:
    r"""The hierarchy of an .hrc file, whose first level are the parts of the total.

    >>> hierarchy_of("A\n@A1\n@A2\nB\n", "nace.hrc", total="Total").parts["A"]
    ('A1', 'A2')
    """
    parts: dict[str, list[str]] = {}
    above = [total]
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        code = line.strip()
        depth = 0
        while code.startswith(lead):
            code, depth = code.removeprefix(lead).strip(), depth + 1
        if depth >= len(above) or not code:
            rule = "must be indented by at most one step more than the line before"
            raise InvalidInput(f"{file}, line {number}:", rule, line, _HRC)
        if code == total and depth == 0:
            continue  # some programs write the total itself on the first line
        parts.setdefault(above[depth], []).append(code)
        above = [*above[: depth + 1], code]
    if not parts:
        raise InvalidInput(file, "must have codes", "none", _HRC)
    return Hierarchy(parts)


def flat_hierarchy(codes: Sequence[str], column: str, *, total: str = "") -> Hierarchy | None:
    """The codes of a column and their total; None for a column with one code only, which says nothing.

    >>> flat_hierarchy(["north", "Total", "south"], "region").parts["Total"]
    ('north', 'south')
    """
    found = list(dict.fromkeys(codes))
    named = total or next((code for code in found if code.strip().lower() in TOTALS), "")
    if len(found) == 1:
        return None
    if not named:
        way_out = f'Name it in the file, as in total = {{ {column} = "Total" }}, or give a hierarchy.'
        raise InvalidInput(f"the total of {column}", "must be one of its codes", ", ".join(found[:8]), way_out)
    return Hierarchy.flat([code for code in found if code != named], total=named)


def described(text: str, file: str) -> Description:
    """What an .rda file says of the columns of a table."""
    separator, columns, safe = ";", list[Column](), list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        words = [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]
        if not words:
            continue
        if not words[0].startswith("<"):
            columns.append(Column(words[0]))
        elif words[0].upper() == "<SEPARATOR>" and len(words) > 1:
            separator = words[1]
        elif words[0].upper() in ("<SAFE>", "<PROTECT>") and len(words) > 1:
            safe.append(words[1].lower())  # a protected cell is one that must be published
        elif columns:
            columns[-1] = _with(columns[-1], words)
        elif words[0].upper() not in ("<SAFE>", "<UNSAFE>", "<PROTECT>"):
            raise InvalidInput(f"{file}, line {number}:", "must come after the name of a column", line.strip(), _RDA)
    if not any(column.role == "value" for column in columns):
        raise InvalidInput(file, "must describe a column of values", "none", _RDA)
    return Description(separator, tuple(columns), tuple(safe or ("s", "p")))


def _with(column: Column, words: list[str]) -> Column:
    """A column with what one line says of it."""
    said = {"role": column.role, "total": column.total, "hierarchy": column.hierarchy, "lead": column.lead}
    said |= dict(_said(column, words))
    return Column(column.name, **said)


def _said(column: Column, words: list[str]) -> Iterator[tuple[str, str]]:
    mark, value = words[0].upper(), words[1] if len(words) > 1 else ""
    roles = {"<FREQUENCY>": "frequency", "<STATUS>": "status"}
    if mark == "<NUMERIC>" and column.role == "code":
        yield "role", "value"
    elif mark in roles:
        yield "role", roles[mark]
    elif mark in ("<COST>", "<LOWERPL>", "<UPPERPL>", "<MAXSCORE>", "<SHADOW>", "<HOLDING>", "<WEIGHT>"):
        yield "role", "other"
    elif mark == "<TOTCODE>":
        yield "total", value
    elif mark == "<HIERCODELIST>":
        yield "hierarchy", re.split(r"[/\\]", value)[-1]
    elif mark == "<HIERLEADSTRING>":
        yield "lead", value
