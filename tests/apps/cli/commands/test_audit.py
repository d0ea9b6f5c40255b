"""`whit audit`: the verdict first, files that are whole, proofs that verify, no true value that nobody asked for."""

from __future__ import annotations

import csv
import json
import stat
from io import StringIO

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

LEAKY = """row,column,value,flag
{cells}
1,Total,42,
2,Total,34,
3,Total,39,
4,Total,38,
Total,1,45,
Total,2,30,
Total,3,36,
Total,4,42,
Total,Total,153,
"""
TRUE = [[20, 3, 11, 8], [4, 15, 9, 6], [12, 7, 6, 14], [9, 5, 10, 14]]
WITHHELD = {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 3), (3, 4), (4, 3), (4, 4)}
FLAGS = '[table]\nfile = "true.csv"\n[table.flags]\nc = "suppressed"\n'


def table(*, with_truth: bool) -> str:
    cells = [
        f"{i},{j},{value if with_truth or (i, j) not in WITHHELD else ''},{'c' if (i, j) in WITHHELD else ''}"
        for i, row in enumerate(TRUE, 1)
        for j, value in enumerate(row, 1)
    ]
    return LEAKY.format(cells="\n".join(cells))


@pytest.fixture
def run(tmp_path, monkeypatch):
    (tmp_path / "table.csv").write_text(table(with_truth=False), encoding="utf-8")
    (tmp_path / "true.csv").write_text(table(with_truth=True), encoding="utf-8")
    (tmp_path / "true.toml").write_text(FLAGS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def running(*arguments: str):
        return CliRunner().invoke(whit, ["audit", *arguments])

    return running


def test_a_leak_is_named_with_its_sum_and_the_exit_code_is_1(run):
    found = run("table.csv")
    assert found.exit_code == 1
    assert found.stdout.startswith("Not allowed. 1 of 9 cells that are not published exactly exceeds its limit")
    assert "1 × 3 is exactly 11: 12 (3 × 1) + 9 (4 × 1)" in found.stdout


def test_limits_on_the_command_line_decide(run):
    assert run("table.csv", "--interval", "30").exit_code == 1
    allowed = run("table.csv", "--json", "--interval", "1 %")
    assert allowed.exit_code == 1  # a cell that is known has no interval
    tree = json.loads(allowed.stdout)["result"]
    assert [each["cell"] for each in tree["cells"] if each["exceeded"]] == [["1", "3"]]
    assert tree["within_limits"] is False


def test_a_repaired_table_is_allowed(run, tmp_path):
    repaired = run("table.csv", "--repair", "suppress", "--json")
    [cell] = json.loads(repaired.stdout)["result"]["repair"]["suppress"]
    row, column = cell.split(" × ")
    text = (tmp_path / "table.csv").read_text().splitlines()
    lines = [f"{row},{column},,x" if line.startswith(f"{row},{column},") else line for line in text]
    (tmp_path / "repaired.csv").write_text("\n".join(lines))
    found = run("repaired.csv")
    # The further cell is not spared here, and has more than one value left as well.
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("Allowed. All 10 cells that are not published exactly are within their limits.")


def test_the_csv_has_every_cell_with_its_ends_and_equations(run, tmp_path):
    run("table.csv", "--out", "cells.csv")
    rows = list(csv.DictReader(StringIO((tmp_path / "cells.csv").read_text(encoding="utf-8"))))
    assert len(rows) == len(WITHHELD)
    [known] = [row for row in rows if row["least"] == row["most"]]
    assert (known["cell"], known["status"], known["least"]) == ("1 × 3", "disclosed", "11")
    assert known["through"].count(" = ") == 4


def test_proofs_verify_and_changed_ones_do_not(run, tmp_path):
    run("table.csv", "--certificates", "proofs.json")
    verified = run("verify", "proofs.json", "table.csv")
    assert verified.exit_code == 0
    assert verified.stdout.startswith("All 36 proofs about 9 cells hold")
    proofs = json.loads((tmp_path / "proofs.json").read_text())
    at = next(at for at, each in enumerate(proofs["certificates"]) if each.get("instead"))
    proofs["certificates"][at]["instead"][0][1] += 1
    (tmp_path / "wrong.json").write_text(json.dumps(proofs))
    assert run("verify", "wrong.json", "table.csv").exit_code == 2
    other = (
        (tmp_path / "table.csv")
        .read_text()
        .replace("1,Total,42", "1,Total,43")
        .replace("Total,Total,153", "Total,Total,154")
    )
    (tmp_path / "other.csv").write_text(other.replace("Total,4,42", "Total,4,43"))
    assert run("verify", "proofs.json", "other.csv").exit_code == 2


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("kind", ["name", "folder", "link", "hard link"])
def test_two_outputs_are_two_files_or_nothing_is_written(run, tmp_path, kind, there):
    one, other = tmp_path / "one.x", tmp_path / "other.x"
    (tmp_path / "sub").mkdir()
    if there or kind == "hard link":
        one.write_text("mine")
    if kind == "link":
        other.symlink_to("one.x")
    elif kind == "hard link":
        other.hardlink_to(one)
    other = {"name": one, "folder": tmp_path / "sub" / ".." / "one.x"}.get(kind, other)
    before = {each.name: each.is_file() and each.read_text() for each in tmp_path.iterdir()}
    for pair in (("--out", "--page"), ("--out", "--certificates"), ("--page", "--certificates")):
        found = run("table.csv", pair[0], str(one), pair[1], str(other))
        assert found.exit_code == 2
        assert f"Error: {pair[1]} must be another file than that of {pair[0]}; got " in found.output
    assert {each.name: each.is_file() and each.read_text() for each in tmp_path.iterdir()} == before
    run("table.csv", "--out", str(one), "--page", str(tmp_path / "page.html"))
    assert one.read_text().startswith("cell,")


def test_publishable_proofs_do_not_come_from_the_true_table(run, tmp_path):
    run("true.toml", "--certificates", "proofs.json")
    proofs = (tmp_path / "proofs.json").read_text()
    assert proofs.splitlines()[0] == '{"notice": "The tables in this file were found from what is published alone.",'
    run("table.csv", "--certificates", "blind.json")
    without = json.loads((tmp_path / "blind.json").read_text())
    assert json.loads(proofs)["tables"] == without["tables"]


def test_confidential_proofs_say_so_first_and_only_their_owner_reads_them(run, tmp_path):
    run("true.toml", "--confidential", "--certificates", "proofs.json")
    file = tmp_path / "proofs.json"
    assert file.read_text().splitlines()[0].startswith('{"notice": "CONFIDENTIAL:')
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    cells = {tuple(cell): value for cell, value in json.loads(file.read_text())["tables"][0]}
    assert all(cells[str(i), str(j)] == TRUE[i - 1][j - 1] for i, j in WITHHELD)
    assert run("verify", "proofs.json", "true.toml").exit_code == 0


def test_what_is_printed_and_written_is_the_same_with_and_without_the_true_values(run, tmp_path):
    outcomes = []
    for arguments in (("table.csv",), ("true.toml",), ("true.toml", "--confidential")):
        found = run(*arguments, "--out", "cells.csv", "--page", "page.html")
        page = (tmp_path / "page.html").read_text().replace("true.toml", "table.csv")
        outcomes.append((found.stdout, (tmp_path / "cells.csv").read_text(), page))
    assert outcomes[0] == outcomes[1] == outcomes[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing.csv",), "the file missing.csv must be readable"),
        (("table.csv", "true.csv"), "FILE must be one file"),
        (("verify", "table.csv"), "verify must have two files"),
        (("verify", "table.csv", "table.csv"), "table.csv must be JSON"),
        (("table.csv", "--confidential"), "the true values must be in the file"),
        (("table.csv", "--values-left", "1"), "--values-left must be a whole number of at least 2"),
        (("table.csv", "--within", "2"), "--within goes with a posterior"),
        (("table.csv", "--repair", "pray"), "--repair cannot be"),
        (("table.csv", "--out", "no/such/folder.csv"), "path must lie in a folder that exists"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(run, arguments, said):
    found = run(*arguments)
    assert found.exit_code == 2, found.output
    assert said in found.output


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_no_name_of_a_table_is_a_formula_in_the_csv(run, tmp_path, sign):
    name = f'{sign}HYPERLINK("http://elsewhere.example","x")'
    table = [["region", "value", "flag"], [name, "", "c"], ["-5", "", "c"], ["south", "4", ""], ["Total", "9", ""]]
    with (tmp_path / "names.csv").open("w", newline="") as file:
        csv.writer(file).writerows(table)
    run("names.csv", "--out", "cells.csv")
    rows = list(csv.reader(StringIO((tmp_path / "cells.csv").read_text(encoding="utf-8"))))
    cells = [row[0] for row in rows[1:]]
    assert cells == [f"'{name}", "-5"]
    assert not [entry for row in rows for entry in row if entry.startswith(tuple("=+-@")) and entry != "-5"]


def test_no_name_of_a_table_changes_the_screen_that_shows_the_csv(run, tmp_path):
    (tmp_path / "names.csv").write_text("region,value,flag\n\x1b[31ma\x07,,c\nsouth,4,\nTotal,9,\n")
    run("names.csv", "--out", "cells.csv", "--page", "cells.html")
    for name in ("cells.csv", "cells.html"):
        assert not set((tmp_path / name).read_text(encoding="utf-8")) & {"\x1b", "\x07"}
    assert "\\x1b[31ma\\x07,withheld" in (tmp_path / "cells.csv").read_text(encoding="utf-8")
