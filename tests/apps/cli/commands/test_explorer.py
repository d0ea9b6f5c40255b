"""`whit explorer`."""

from __future__ import annotations

import json

from click.testing import CliRunner

from whit.apps.cli.group import whit
from whit.telling.explorer import explorer


def test_the_command_writes_the_file_and_says_where(tmp_path):
    out = tmp_path / "e.html"
    done = CliRunner().invoke(whit, ["explorer", "--out", str(out), "--json"])
    assert json.loads(done.output)["result"] == {"written": str(out)}
    assert out.read_text("utf-8") == explorer()


def test_another_ending_is_refused_in_a_sentence(tmp_path):
    done = CliRunner().invoke(whit, ["explorer", "--out", "e.pdf"])
    assert done.exit_code == 2
    assert "must end in .html; got e.pdf" in done.output
