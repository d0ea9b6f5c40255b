"""A `~` means the home folder in every command that names a file: those that read one and those that write one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from whit.apps.cli.group import whit

ROOT = Path(__file__).parents[3]
TABLE = "region,value,flag\nA,3,\nB,4,\nTotal,7,\n"
READ = [
    ["assess", "--from", "~/release.toml", "--question", "power"],
    ["check", "--from", "~/release.toml"],
    ["check", "--gaussian", "30", "--requirements", "~/release.toml", "--failure", "0.01"],
    ["check", "--epsilon", "0.1", "--profile", "table=~/profile.csv"],
    ["audit", "~/table.csv"],
    ["import", "~/releases.csv"],
    ["annotate", "~/releases.csv", "--out", "~/annotated.csv"],
]
WRITTEN = [
    (["report", "~/release.toml", "--out", "~/made.json"], "made.json"),
    (["plot", "profile-curve", "--epsilon", "1", "--out", "~/made.svg"], "made.svg"),
    (["explorer", "--out", "~/made.html"], "made.html"),
    (["init", "--defaults", "~/made.toml"], "made.toml"),
    (["audit", "~/table.csv", "--out", "~/made.csv"], "made.csv"),
    (["annotate", "~/releases.csv", "--out", "~/made.csv"], "made.csv"),
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    shutil.copy(ROOT / "demo" / "release.toml", folder / "release.toml")
    (folder / "table.csv").write_text(TABLE)
    (folder / "releases.csv").write_text("epsilon\n1\n")
    (folder / "profile.csv").write_text("inclusion,value,relative\n1,0.5,1.9\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(elsewhere)
    return folder


@pytest.mark.parametrize("words", READ, ids=" ".join)
def test_a_file_in_the_home_folder_is_read(home, words):
    found = CliRunner().invoke(whit, words)
    assert found.exit_code in (0, 1, 3), found.output


@pytest.mark.parametrize(("words", "name"), WRITTEN, ids=[words[0] for words, _ in WRITTEN])
def test_a_file_is_written_to_the_home_folder(home, words, name):
    found = CliRunner().invoke(whit, words)
    assert found.exit_code == 0, found.output
    assert (home / name).is_file()
    assert not list(Path().iterdir())


PLAN = 'name = "x"\nunit = "person"\nneighbours = "add_remove"\nlevels = ["Town"]\nqueries = "~/queries.csv"\n'
NAMED = {
    "plan.toml": (
        PLAN,
        ["plan", "{}", "--about", "age"],
    ),
    "limits.toml": (
        '[promise]\nepsilon = 0.1\n[profile.table]\ntable = "~/profile.csv"\n',
        ["check", "--epsilon", "0.1", "--requirements", "{}"],
    ),
    "audit.toml": ('[table]\nfile = "~/table.csv"\n', ["audit", "{}"]),
    "published.toml": (
        PLAN + '[[unprotected]]\nname = "totals"\nreason = "the law"\nfile = "~/table.csv"\n',
        ["plan", "{}", "--about", "age"],
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_file_that_another_one_names_may_be_in_the_home_folder_if_that_is_the_folder_of_both(home, name):
    text, words = NAMED[name]
    (home / "queries.csv").write_text("name,attributes,level,rho\nages,age,Town,0.01\n")
    (home / name).write_text(text)
    found = CliRunner().invoke(whit, [word.format(home / name) for word in words])
    assert found.exit_code in (0, 1), found.output
    Path(name).write_text(text)
    found = CliRunner().invoke(whit, [word.format(name) for word in words])
    assert found.exit_code == 2
    assert "must lie beside the one that names it; got ~/" in found.output


def test_an_audit_is_not_written_over_its_table(home):
    for option in ("--out", "--page", "--certificates"):
        found = CliRunner().invoke(whit, ["audit", "~/table.csv", option, str(home / "table.csv")])
        assert found.exit_code == 2
        assert "must be another one than the file that it is made from" in found.output
    assert (home / "table.csv").read_text() == TABLE
