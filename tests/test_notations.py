"""JSON and TOML are read as other readers read them, or refused with a sentence; whatever they hold, in little time."""

from __future__ import annotations

import json
import math
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.notations import from_json, from_toml, require_columns_once

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=30,
)


@settings(max_examples=300, deadline=None)
@given(PLAIN)
def test_json_is_read_as_python_reads_it(tree):
    text = json.dumps(tree)
    assert from_json(text, "the file") == json.loads(text) == tree


@pytest.mark.parametrize("text", ["NaN", "[Infinity, -Infinity]", "0.0", "-0.0", "0e-999", "5e-324", "1e308", "[]"])
def test_json_at_its_ends_is_read_as_python_reads_it(text):
    assert str(from_json(text, "the file")) == str(json.loads(text))


@pytest.mark.parametrize(
    "number", ["1e-400", "-1e-400", "0.0001e-330", "1e400", "-1e400", f"0.{400 * '0'}1", "1e-9999999"]
)
@pytest.mark.parametrize("reader", [from_json, from_toml])
def test_no_number_becomes_0_or_infinite(reader, number):
    text = f'{{"a": [{number}]}}' if reader is from_json else f"a = [{number}]"
    with pytest.raises(InvalidInput, match=r"the file must have numbers that a double holds; got -?[01]"):
        reader(text, "the file")


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "c": 2, "a": 3}}]', '{"a": 1, "\\u0061": 2}', '{"a": {}, "b": 1, "a": []}'],
)
def test_no_key_stands_twice_in_json(text):
    with pytest.raises(InvalidInput, match="the file must have each key once in a table; got a again"):
        from_json(text, "the file")


def test_the_same_key_in_two_tables_is_no_key_twice():
    assert from_json('[{"a": 1}, {"a": {"a": 2}}]', "the file") == [{"a": 1}, {"a": {"a": 2}}]


def test_a_constant_stands_for_what_the_caller_says():
    assert from_json("[NaN]", "the file", constant=str.lower) == ["nan"]


@pytest.mark.parametrize("base", ["0x", "0o", "0b"])
def test_a_whole_number_that_nobody_can_write_out_is_refused(base):
    with pytest.raises(InvalidInput, match="whole numbers of at most 4,300 digits"):
        from_toml(f"a = [{{b = {base}{20_000 * '1'}}}]", "the file")


def test_a_whole_number_of_4300_digits_is_read():
    assert from_toml(f"a = {'9' * 4300}", "the file")["a"] == 10**4300 - 1


def test_lists_may_be_nested_to_the_limit_and_no_further():
    assert from_json("[" * 501 + "]" * 501, "the file")
    with pytest.raises(InvalidInput, match="nested at most 500 deep"):
        from_json("[" * 502 + "]" * 502, "the file")
    assert from_toml("a = " + "[" * 50 + "]" * 50, "the file")
    with pytest.raises(InvalidInput, match="nested at most 50 deep"):
        from_toml("a = " + "[" * 51 + "]" * 51, "the file")


KEY = ".".join(["ab", '"c"', "'d.e'"] * 10)
LONG = f"{KEY} . f"


def test_a_key_of_30_names_is_read():
    assert from_toml(f"{KEY} = 1", "the file") == tomllib.loads(f"{KEY} = 1")


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG} = 1",
        f"[{LONG}]",
        f"[[ {LONG} ]]",
        f"a = {{ {LONG} = 1 }}",
        f'a = "\\\\" # "\n{LONG} = 1',
        f"a = 'it\\'\n{LONG} = 1",
        f"a = '''it's\n'''\n{LONG} = 1",
        f'a = {{ a = """x""""", {LONG} = 1 }}',
        f"a = {{ a = '''x'''', {LONG} = 1 }}",
        ".".join(['"\\""', '"="'] * 20) + " = 1",
        ".".join(["'#'"] * 40) + " = 1",
        "\t.\t".join("a" * 40) + " = 1",
    ],
)
def test_a_key_of_more_names_is_refused_wherever_it_stands(text):
    with pytest.raises(InvalidInput, match="keys of at most 30 names"):
        from_toml(text, "the file")


@pytest.mark.parametrize(
    "text",
    [
        f'a = "{LONG.replace(chr(34), "")}"',
        f"a = '{LONG.replace(chr(39), '')}'",
        f'a = """\n{LONG.replace(chr(34), "")}\n"""',
        f"# {LONG}\na = 1",
        f"a = [{', '.join(['0.5'] * 100)}]",
        f"a = [{chr(10).join(['0.5,'] * 100)}]",
        "\n".join(f"a{at}.b = 2026-01-01T00:00:00.5Z" for at in range(50)),
    ],
)
def test_dots_elsewhere_are_no_key(text):
    assert from_toml(text, "the file") == tomllib.loads(text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab.\"'\\#\n =[]{}0,", max_size=40))
def test_toml_is_read_as_python_reads_it(text):
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(tomllib.TOMLDecodeError, match=r"\(at "):
            from_toml(text, "the file")
    else:
        assert from_toml(text, "the file") == expected


@pytest.mark.parametrize("piece", ['"', '"\\', "'", '"""', "'''", "#", "a", "a.", "\\", '"\\"', "\n", "a "])
def test_endless_pieces_are_looked_at_once(piece):
    """Each of these would be looked at a million times a million if a search began anew at each letter."""
    with pytest.raises(ValueError, match=r"the file must|at line|at end of"):
        from_toml(piece * 1_000_000 + "\n= ", "the file")


def test_a_number_of_a_float_kind_is_what_the_caller_makes_of_it():
    assert from_toml("a = 1.50", "the file", number=str) == {"a": "1.50"}
    assert math.isnan(from_toml("a = nan", "the file")["a"])


def test_two_columns_of_one_name_are_refused_and_no_name_is_none():
    require_columns_once(["", " ", "a", "", "a_1", "A-1"])
    for names, said in (
        (["a", "b", "a"], "a twice"),
        (["a", " A "], "a and A"),
        (["straße", "STRASSE"], "straße and STRASSE"),
    ):
        with pytest.raises(InvalidInput, match=rf"^the file must have each column once; got {said}\. Rename"):
            require_columns_once(names, "the file")
