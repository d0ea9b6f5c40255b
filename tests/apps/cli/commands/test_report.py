from __future__ import annotations

import os
import sys

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

RELEASE = """\
[release]
name = "counts"
publisher = "an office"

[unit]
name = "person"

[promise]
epsilon = 1.0

[[adversary]]
name = "a neighbour"
fact = "the person is in the data"
prior = 0.5
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.toml").write_text(RELEASE, encoding="utf-8")
    return tmp_path


def report(*arguments: str):
    return CliRunner().invoke(whit, ["report", *arguments])


@pytest.mark.slow
def test_the_same_file_and_date_give_the_same_bytes(folder):
    for out in ("a.json", "b.json"):
        assert report("release.toml", "--out", out, "--date", "2026-01-31").exit_code == 0
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_the_sheet_the_report_and_its_appendices_are_asked_for_by_options(folder):
    for out, options in (("whole.md", ["--appendix"]), ("report.md", []), ("sheet.md", ["--sheet"])):
        assert report("release.toml", "--out", out, "--date", "2026-01-31", *options).exit_code == 0
    whole, usual, sheet = ((folder / name).read_text("utf-8") for name in ("whole.md", "report.md", "sheet.md"))
    assert "## Appendix: theorems and references" in whole
    assert "Appendix" not in usual
    assert "## The risks" in usual
    assert "## The risks" not in sheet
    assert all("## Decision sheet" in text for text in (whole, usual, sheet))


def test_a_report_is_never_written_over_its_source(folder):
    (folder / "release.md").write_text(RELEASE, encoding="utf-8")
    for out in ("release.md", "./release.md"):
        result = report("release.md", "--out", out)
        assert result.exit_code == 2
        assert "must be another one than the file that it is made from" in result.stderr
    assert (folder / "release.md").read_text("utf-8") == RELEASE


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("epsilon = 1.0", "epsilon = = 1.0", "line 9"),
        ("epsilon = 1.0", "epsilom = 1.0", "line 9"),
        ("epsilon = 1.0", "epsilon = -1.0", "epsilon"),
        ("prior = 0.5", "prior = 1.5", "prior"),
        ("[unit]", "[units]", "unit"),
    ],
)
def test_a_mistake_in_the_file_is_a_sentence_and_leaves_no_report(folder, old, new, said):
    (folder / "release.toml").write_text(RELEASE.replace(old, new), encoding="utf-8")
    result = report("release.toml", "--out", "report.html")
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert os.listdir(folder) == ["release.toml"]


@pytest.mark.parametrize("out", ["no/such/folder/report.html", "report.doc", "."])
def test_a_report_that_cannot_be_written_is_refused(folder, out):
    result = report("release.toml", "--out", out)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert os.listdir(folder) == ["release.toml"]


def test_a_date_is_a_date(folder):
    assert report("release.toml", "--out", "report.html", "--date", "yesterday").exit_code == 2


@pytest.mark.parametrize(
    ("library", "out", "extra"),
    [
        ("jinja2", "report.html", "reports"),
        ("typst", "report.pdf", "reports"),
        ("vl_convert", "report.md", "charts"),
    ],
)
def test_without_its_library_there_is_a_sentence_an_exit_code_of_its_own_and_no_file(
    folder, monkeypatch, library, out, extra
):
    monkeypatch.setitem(sys.modules, library, None)
    result = report("release.toml", "--out", out)
    assert result.exit_code == 4, result.output
    assert f"python3 -m pip install '.[{extra}]'" in result.stderr
    assert result.stderr.count("\n") == 1
    assert os.listdir(folder) == ["release.toml"]
