from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from whit import guarantees, mechanisms
from whit.apps.asking.spelling import class_word, without_python
from whit.apps.cli import whit

PYTHON = re.compile(
    r"\w\(|\bNone\b|\bTrue\b|\bFalse\b|<\w|\b[a-z]+_[a-z]+|\d\.0\b|\bNeighbours\.|\b[A-Z][a-z]+[A-Z]\w*"
)
"""What no message of the command line has: calls, constants, members, classes, names with underscores."""


@pytest.mark.parametrize(
    "arguments",
    [
        ["recommend", "--profile", "absolute=0.25", "--for", "gaussian"],
        ["recommend", "--limit", "difference=0.2", "--for", "epsilon", "--rule", "advanced"],
        ["recommend", "--limit", "difference=0.2", "--for", "rho", "--rule", "optimal", "--releases", "3"],
        ["recommend", "--limit", "difference=0.2", "--for", "rappor", "--p", "0.5", "--q", "0.75"],
        ["convert", "--rho", "1", "--to", "epsilon"],
        ["convert", "--gaussian", "1", "--to", "epsilon-delta"],
        ["convert", "--outcomes", "0.5 0.5", "--against", "0.4 0.6", "--to", "rho", "--under", "replace"],
        ["assess", "--epsilon", "1", "--neighbours", "swap"],
        ["assess", "--epsilon", "1", "--delta", "1e-6", "--question", "posterior-ratio"],
    ],
    ids=lambda each: " ".join(each[:6]),
)
def test_no_message_speaks_python(arguments):
    result = CliRunner().invoke(whit, arguments)
    assert result.exit_code in (2, 3)
    said = result.stderr or result.stdout
    assert PYTHON.findall(said) == [], said


def test_python_would_be_found():
    for text in ("Use capped(relative=3)", "got None", "got 0.0", "Neighbours.REPLACE", "PureDP", "total_delta"):
        assert PYTHON.search(text)
        assert text.startswith(("Use", "got")) or not PYTHON.search(without_python(text))


def test_every_guarantee_and_mechanism_has_words():
    for package in (guarantees, mechanisms):
        for name in package.__all__:
            assert not re.search(r"[a-z][A-Z]", class_word(name)) or not isinstance(getattr(package, name), type)


def test_what_a_user_wrote_stays_as_it_is(tmp_path):
    file = tmp_path / "my_PureDP_file.toml"
    file.write_text("[promise]\nepsilon = 'x'\n", encoding="utf-8")
    assert "my_PureDP_file.toml" in CliRunner().invoke(whit, ["assess", "--from", str(file)]).stderr
