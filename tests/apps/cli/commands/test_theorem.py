from __future__ import annotations

import json

from click.testing import CliRunner

from whit.apps.cli import whit


def theorem(*arguments: str):
    return CliRunner().invoke(whit, ["theorem", *arguments])


def test_a_word_that_is_nowhere_is_told_and_is_no_error():
    result = theorem("--about", "no-such-word")
    assert result.exit_code == 0
    assert result.stdout == "Nothing was found about 'no-such-word'; without --about all theorems are listed.\n"
    assert json.loads(theorem("--about", "no-such-word", "--json").stdout)["result"] == {"theorems": []}


def test_a_word_that_is_somewhere_is_listed():
    assert "zcdp-tails" in theorem("--about", "concentrated").stdout
