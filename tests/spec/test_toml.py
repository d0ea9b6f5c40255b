"""Files are read whole or refused with a sentence, whatever is in them; the line of a key is found."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.spec import Form, load_plan, parsed, read, read_release
from whit.spec.toml import line_of, read_text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 5000, "x.toml must be TOML that is not nested without end"),
        ("a = " + "{a = " * 5000, "x.toml must be TOML that is not nested without end"),
        ("a = " + "1" * 5000, "x.toml must have numbers of fewer digits"),
        ("a = 1e-69223372036854775808", "x.toml must have numbers of fewer digits"),
        ("a = 1\nb = = 2\n", "x.toml, line 2: must be TOML: invalid value; got b = = 2. Correct the line"),
        (
            "[a]\n[a]\n",
            r"x.toml, line 2: must have \[a\] once; got it again. Write \[\[a\]\] above each if there may be",
        ),
        (
            "[a]\n[[a]]\n",
            r"x.toml, line 2: must have \[a\] once; got it again. Write \[\[a\]\] above each if there may be",
        ),
        ("a = 'x\n", "x.toml, line 1: must be TOML"),
        ("a = [1", "x.toml, line 1: must be TOML: unclosed array; got the end of the file"),
        ("a = 1\na = 2\n", "x.toml, line 2: must be TOML: cannot overwrite a value"),
        ("a = 0x" + "f" * 5000, "x.toml must have whole numbers of at most 4,300 digits"),
        (".".join("a" * 20_000) + " = 1", "x.toml must have keys of at most 30 names"),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(text, said):
    with pytest.raises(InvalidInput, match=said):
        parsed(text, "x.toml")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    said = []
    try:
        said.append(parsed(text, "x.toml").source.text)
    except InvalidInput as refused:
        said.append(str(refused))
    assert said == [text] or said[0].isprintable()


def test_a_mark_of_the_encoding_is_read_over(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbf[promise]\nepsilon = 1\n")
    assert Form.of_file(path).series.words == "epsilon = 1"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "must be readable .No such file"), (b"\xff\xfe\x00", "must be readable .it is not text")],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path, content, said):
    path = tmp_path / "x.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidInput, match=said):
        read(path)


def test_a_name_that_no_file_can_have_is_not_called_a_file_without_text():
    with pytest.raises(InvalidInput, match="must be readable .no file can have this name"):
        read_text("a\0b")


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000, "."])
def test_a_path_that_is_none_is_refused(path):
    with pytest.raises(InvalidInput, match="must be readable"):
        read(path)


@pytest.mark.parametrize("path", [3, None, ["release.toml"], b"release.toml"])
def test_what_is_no_path_at_all_is_refused(path):
    for reader in (read, load_plan, read_release):
        with pytest.raises(InvalidInput, match="a file must be named by its path; got .* Give the path of a text file"):
            reader(path)


def test_digits_are_kept():
    assert str(parsed("a = 0.30000000000000001", "x").values["a"]) == "0.30000000000000001"


TEXT = '''\
title = "x"

[release]
name = "y"
description = """
name = not a key
[unit]
"""
[unit] # comment
name = "person"
[[adversary]]
prior = 0.1
[[adversary]]
"prior" = 0.2
[profile.capped]
relative = 3
[limit]
power = { limit = 0.2, level = 0.05 }
promise.rho = 1
[[budget]]
[budget.levels]
State = 1
[[budget]]
[budget.levels]
State = 2
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1),
        (("release",), 3),
        (("release", "name"), 4),
        (("unit",), 9),
        (("unit", "name"), 10),
        (("adversary", 0, "prior"), 12),
        (("adversary", 1), 13),
        (("adversary", 1, "prior"), 14),
        (("profile", "capped", "relative"), 16),
        (("limit", "power", "level"), 18),
        (("limit", "promise", "rho"), 19),
        (("budget", 1, "levels", "State"), 25),
        (("Release", "NAME"), 4),
    ],
)
def test_the_line_of_a_key_is_found(path, line):
    assert line_of(TEXT, path) == line


def test_what_is_not_there_has_no_line():
    assert line_of(TEXT, ("nowhere",)) is None
