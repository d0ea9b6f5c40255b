"""The rules of CONTRIBUTING.md that a machine can check: small files, small functions, tests that can fail."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from pathlib import Path

import numpy as np
import pytest
from offenders import check_all
from stopwatch import at_most

ROOT = Path(__file__).parents[1]

MODULE_LINES = 400
FUNCTION_LINES = 50

LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT}


def code_lines(source: str) -> set[int]:
    """The lines that carry code: no blank line, no comment."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {line for t in tokens if t.type not in LAYOUT for line in range(t.start[0], t.end[0] + 1)}


def lines_of(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def functions(source: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a source."""
    return [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def docstring_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[int]:
    return lines_of(function.body[0]) if ast.get_docstring(function) else set()


def long_module(source: str, limit: int = MODULE_LINES) -> list[str]:
    """The length of a module that has more lines than the limit."""
    lines = len(source.splitlines())
    return [f"{lines} lines"] if lines > limit else []


def long_functions(source: str, limit: int = FUNCTION_LINES) -> list[str]:
    """Functions with more code lines than the limit, docstring not counted."""
    code = code_lines(source)
    return [f.name for f in functions(source) if len((lines_of(f) & code) - docstring_lines(f)) > limit]


def calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    return [(ast.unparse(node.func), node) for node in ast.walk(tree) if isinstance(node, ast.Call)]


def raises_without_match(source: str) -> list[int]:
    """Lines on which pytest.raises or pytest.warns does not look at the message."""
    watched = [node for name, node in calls(ast.parse(source)) if name in {"pytest.raises", "pytest.warns"}]
    return [node.lineno for node in watched if not any(keyword.arg == "match" for keyword in node.keywords)]


def can_fail(test: ast.AST) -> bool:
    """Whether a test asserts, expects an exception, or calls something whose name says that it checks."""
    if any(isinstance(node, ast.Assert) for node in ast.walk(test)):
        return True
    names = [name.rpartition(".")[2] for name, _ in calls(test)]
    return any(name == "raises" or name.startswith(("assert_", "check_")) for name in names)


def toothless(source: str) -> list[str]:
    return [f.name for f in functions(source) if f.name.startswith("test_") and not can_fail(f)]


def skips_without_reason(source: str) -> list[int]:
    """Lines that skip a test and do not say why."""
    tree = ast.parse(source)
    told = {id(call.func) for _, call in calls(tree) if call.args or call.keywords}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "skip"]
    return sorted(node.lineno for node in names if ast.unparse(node).startswith("pytest.") and id(node) not in told)


def sources(folder: str) -> dict[str, str]:
    """The text of every module in a folder, by its path."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_a_module_fits_in_the_head():
    check_all(sources("src"), long_module)


def test_a_function_fits_on_a_screen():
    check_all(sources("src"), long_functions)


def test_an_expected_error_is_known_by_its_message():
    check_all(sources("tests"), raises_without_match)


def test_every_test_can_fail():
    check_all(sources("tests"), toothless)


def test_a_skipped_test_says_why():
    check_all(sources("tests"), skips_without_reason)


def test_no_example_in_a_docstring_is_skipped():
    check_all(sources("src"), lambda source: re.findall(r"doctest: *\+SKIP", source))


def test_a_long_module_is_found():
    assert long_module("a\n" * 400) == []
    assert long_module("a\n" * 401) == ["401 lines"]


def test_function_length_counts_code_only():
    four_lines = 'def f():\n    """Two\n    lines."""\n\n    # why\n    return (\n        1\n    )\n'
    assert long_functions(four_lines, limit=4) == []
    assert long_functions(four_lines, limit=3) == ["f"]


def test_an_expected_error_without_a_message_is_found():
    assert raises_without_match("pytest.raises(ValueError)\npytest.raises(ValueError, match='x')\n") == [1]


def test_a_test_that_cannot_fail_is_found():
    assert toothless("def test_a():\n    f()\ndef test_b():\n    assert f()\n") == ["test_a"]


def test_a_skip_without_a_reason_is_found():
    source = (
        "pytest.skip()\npytest.skip('why')\n@pytest.mark.skip\ndef f(): ...\n@pytest.mark.skip('x')\ndef g(): ...\n"
    )
    assert skips_without_reason(source) == [1, 3]


def test_every_offender_is_listed_and_nobody_else():
    with pytest.raises(AssertionError, match=r"2 of 3 break the rule\n  one: a, b\n  two: c$"):
        check_all({"one": "ab", "none": "", "two": "c"}, list)
    check_all({"none": ""}, list)


def test_a_check_that_looks_at_nothing_fails():
    with pytest.raises(AssertionError, match="there is nothing to look at"):
        check_all({}, list)


def test_work_that_takes_too_long_is_found():
    with pytest.raises(AssertionError, match="took .* seconds, of 0 at most"), at_most(seconds=0):
        sum(range(10**6))
    with at_most(seconds=100):
        sum(range(10**6))


def test_a_floating_point_accident_is_an_error():
    with pytest.raises(RuntimeWarning, match="divide by zero"):
        np.log(np.zeros(1))


def test_any_warning_is_an_error():
    with pytest.raises(UserWarning, match="careful"):
        warnings.warn("careful", stacklevel=1)
