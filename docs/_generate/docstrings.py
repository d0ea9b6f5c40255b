"""Docstrings as Sphinx reads them.

The docstrings of whit are plain text, with code in single backticks. Three things keep Sphinx from reading more into
them: signs that are markup to it are escaped; lines in two aligned columns, such as

    posterior, ratio     how far the belief moves
    worst_prior          the priors that gain most

become a list of definitions, also where a long name stands out of its column; and types are shown as they are written
in the source. A name leads to the place where it is public, and is plain text where there is none.
"""

from __future__ import annotations

import enum
import inspect
import re
from collections import Counter
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from _generate.names import described_as, homes_by_name, source_of

_ROW = re.compile(r"^(\s*)(\S+(?: \S+)*?) {2,}(\S.*)$")
_CODE = re.compile(r"(`[^`]+`)")
_MARKUP = re.compile(r"([*|\\])|_(?=\W|$)")


def readable(lines: list[str]) -> list[str]:
    """Plain text as reStructuredText; what is shown of a session with Python is left alone."""
    out: list[str] = []
    for block in _blocks(lines):
        if block[0].lstrip().startswith(">>>"):
            out += block
        elif any(line.lstrip().startswith("├") for line in block):
            out += ["::", "", *(f"    {line}" for line in block)]
        elif _is_columns(block):
            out += _definitions(block)
        elif block[0].endswith(":") and len(block) > 2 and _is_columns(block[1:]):
            out += [_escaped(block[0]), "", *_definitions(block[1:])]
        else:
            out += [_escaped(line) for line in block]
    return out


def _escaped(line: str) -> str:
    parts = _CODE.split(line)
    return "".join(part if part.startswith("`") else _MARKUP.sub(r"\\\g<0>", part) for part in parts)


def _blocks(lines: list[str]) -> list[list[str]]:
    """The lines in paragraphs; blank lines stand by themselves."""
    blocks: list[list[str]] = []
    for line in lines:
        if line.strip() and blocks and blocks[-1][-1].strip():
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _is_columns(block: list[str]) -> bool:
    """Whether all lines are rows of two columns, or go on with the second one, and most rows begin it at one place."""
    start = _second_column(block)
    if not start or not _ROW.match(block[0]):
        return False
    margin = _indent(block[0])
    rows = [line for line in block if line[:start].strip()]
    aligned = [line for line in rows if _ROW.match(line) and _row(line, start)[2] == line[start:]]
    ragged = [line for line in rows if line not in aligned]
    fit = all(_indent(line) == margin and _row(line, start)[2] for line in rows)
    return fit and len(aligned) > len(ragged) and (not ragged or len(aligned) > 1)


def _second_column(block: list[str]) -> int:
    """Where most rows of a block begin their second column; 0 where no line has two."""
    starts = Counter(found.start(3) for found in map(_ROW.match, block) if found)
    return starts.most_common(1)[0][0] if starts else 0


def _row(line: str, start: int) -> tuple[str, str, str]:
    """The margin, the words and their meaning, which a long first column may move or bring within one space."""
    found = _ROW.match(line)
    if found:
        return found[1], found[2], found[3]
    words, space, meaning = line[:start].strip(), line[start - 1 : start], line[start:]
    return (line[: _indent(line)], words, meaning) if space == " " and " " not in words else ("", "", "")


def _definitions(block: list[str]) -> list[str]:
    start = _second_column(block)
    out: list[str] = []
    for line in block:
        if line[:start].strip():
            margin, words, meaning = _row(line, start)
            out += [f"{margin}``{words}``", f"{margin}    {_escaped(meaning)}"]
        else:
            out.append(f"{out[-1][: _indent(out[-1])]}{_escaped(line.strip())}")
    return out


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class Written:
    """A type or a default value, shown as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature_of(item: Any, *, bound: bool) -> tuple[str, str] | None:
    """The signature and the type of the result, as they are written; nothing for what has no signature."""
    try:
        found = inspect.signature(item)
    except (TypeError, ValueError):
        return None
    given = list(found.parameters.values())[1 if bound else 0 :]
    shown = [each.replace(annotation=_annotation(each.annotation), default=_default(each.default)) for each in given]
    result = "" if found.return_annotation is found.empty else repr(_annotation(found.return_annotation))
    return str(inspect.Signature(shown)), "" if inspect.isclass(item) else result


def _annotation(given: Any) -> Any:
    if given is inspect.Parameter.empty:
        return given
    return Written(given if isinstance(given, str) else inspect.formatannotation(given))


def _default(given: Any) -> Any:
    if given is inspect.Parameter.empty:
        return given
    if isinstance(given, enum.Enum):
        return Written(f"{type(given).__name__}.{given.name}")
    return Written("..." if "<" in repr(given) else repr(given))


def process_docstring(_app: Sphinx, _what: str, _name: str, _item: object, _options: object, lines: list[str]) -> None:
    """Change a docstring in place, as Sphinx wants it."""
    lines[:] = readable(lines)


def process_signature(
    _app: Sphinx, what: str, _name: str, item: Any, _options: object, _signature: str | None, _result: str | None
) -> tuple[str, str] | None:
    """The signature as it is written; a class of fixed members has none."""
    if inspect.isclass(item) and issubclass(item, enum.Enum | BaseException):
        return "", ""
    return signature_of(item, bound=what == "method" and next(iter(inspect.signature(item).parameters), "") == "self")


def process_bases(_app: Sphinx, _name: str, _item: type, _options: object, bases: list[type]) -> None:
    """Show the classes that a class extends where they are public themselves."""
    bases[:] = [base for base in bases if described_as(source_of(base))]


def where_public(app: Sphinx, env: Any, node: Any, contnode: nodes.Element) -> nodes.Element | None:
    """Lead a reference to the place where the name is described; the name of a type without one is plain text."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    home = described_as(target) or homes_by_name().get(target, "")
    if home and home != target:
        return env.get_domain("py").resolve_xref(env, node["refdoc"], app.builder, "obj", home, node, contnode)
    return None if target.startswith("whit.") else contnode


def setup(app: Sphinx) -> dict[str, bool]:
    """Make this module an extension; docstrings are read before napoleon finds their sections."""
    app.connect("autodoc-process-docstring", process_docstring, priority=400)
    app.connect("autodoc-process-signature", process_signature)
    app.connect("autodoc-process-bases", process_bases)
    app.connect("missing-reference", where_public)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
