"""Files: nothing is half written, what is in the way is named, and rows keep their order and their types."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from whit.annotate import Computing, RiskColumns, annotate_file, basis_file
from whit.errors import Incompatible, InvalidInput, TooCostly, Unavailable, UnknownKey
from whit.theory import THEOREMS


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "in.parquet"
    cells = {"id": list(range(50)), "epsilon": [0.1 * (each % 5) for each in range(50)]}
    pyarrow.parquet.write_table(pyarrow.table(cells), path)
    return path


def files(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_a_file_gets_its_columns_and_a_basis_beside_it(table, tmp_path):
    found = annotate_file(table, tmp_path / "out.parquet")
    assert files(tmp_path) == {"in.parquet", "out.parquet", "out.parquet.basis.json"}
    assert (found.rows, found.settings) == (50, 5)
    written = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert written["id"].to_pylist() == list(range(50))
    basis = json.loads(Path(basis_file(tmp_path / "out.parquet")).read_text(encoding="utf-8"))
    assert set(written["basis"].to_pylist()) == set(basis)
    keys = {key for each in basis.values() for several in each["theorems"].values() for key in several}
    assert keys
    assert keys <= set(THEOREMS)


def test_every_row_of_many_files_is_there_once_and_a_bad_one_names_its_file(tmp_path):
    for day in range(3):
        cells = {"id": [10 * day, 10 * day + 1], "epsilon": [0.5, 1.0 if day < 2 else -1.0]}
        pyarrow.parquet.write_table(pyarrow.table(cells), tmp_path / f"day-{day}.parquet")
    with pytest.raises(InvalidInput, match=r"^day-2\.parquet, row 2: column epsilon must be"):
        annotate_file(tmp_path / "day-*.parquet", tmp_path / "out.parquet")
    annotate_file(tmp_path / "day-[01].parquet", tmp_path / "out.parquet")
    # Two threads may finish one file before the other: the rows of several files are in no order.
    assert sorted(pyarrow.parquet.read_table(tmp_path / "out.parquet")["id"].to_pylist()) == [0, 1, 10, 11]


def test_a_process_that_is_killed_at_the_last_moment_leaves_no_output(table, tmp_path):
    script = (
        "import os, signal, sys\n"
        "from whit.annotate import annotate_file, by_duckdb\n"
        "def publish(rows, target, basis):\n"
        "    print(os.path.getsize(rows), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "by_duckdb.publish = publish\n"
        "annotate_file(sys.argv[1], sys.argv[2])\n"
    )
    out = tmp_path / "out.parquet"
    run = subprocess.run([sys.executable, "-c", script, table, out], capture_output=True, text=True, check=False)
    assert run.returncode == -signal.SIGKILL, run.stderr
    assert int(run.stdout) > 0  # all rows were written, and not yet published
    assert not out.exists()
    assert not Path(basis_file(out)).exists()


def test_an_error_on_the_way_leaves_the_folder_as_it_was(table, tmp_path):
    with pytest.raises(UnknownKey, match="No book has the name"):
        annotate_file(table, tmp_path / "out.parquet", RiskColumns(unit="id", book="gold"))
    with pytest.raises(TooCostly, match=r"^the table must have at most 4 distinct settings; got 5\. .*digits=3"):
        annotate_file(table, tmp_path / "out.parquet", computing=Computing(most=4))
    assert files(tmp_path) == {"in.parquet"}


def test_a_file_that_is_there_is_not_written_over(table, tmp_path):
    (tmp_path / "out.parquet").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidInput, match="the new file must not exist yet"):
        annotate_file(table, tmp_path / "out.parquet")
    assert (tmp_path / "out.parquet").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("source", "out", "said"),
    [
        ("in.xlsx", "out.parquet", "the table must be Parquet or CSV"),
        ("in.parquet", "out.json", "the new file must be Parquet or CSV"),
    ],
)
def test_other_files_are_refused(source, out, said, tmp_path):
    with pytest.raises(InvalidInput, match=said):
        annotate_file(tmp_path / source, tmp_path / out)


def test_a_table_that_is_not_there_or_broken_is_said_in_a_sentence(tmp_path):
    with pytest.raises(Unavailable, match=r"^the table must be read and written by DuckDB; got .*No files found"):
        annotate_file(tmp_path / "none.parquet", tmp_path / "out.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no table PAR1")
    with pytest.raises(Unavailable, match=r"^the table must be read and written by DuckDB"):
        annotate_file(tmp_path / "broken.parquet", tmp_path / "out.parquet")
    with pytest.raises(Unavailable, match=r"^the folder of the new file must be there"):
        annotate_file(tmp_path / "none.parquet", tmp_path / "nowhere" / "out.parquet")
    assert files(tmp_path) == {"broken.parquet"}


def test_a_column_of_the_same_name_is_not_written_over(tmp_path):
    cells = {"epsilon": [1.0], "posterior": [0.0]}
    pyarrow.parquet.write_table(pyarrow.table(cells), tmp_path / "in.parquet")
    with pytest.raises(Incompatible, match="column posterior must not be in the table already"):
        annotate_file(tmp_path / "in.parquet", tmp_path / "out.parquet")
    annotate_file(tmp_path / "in.parquet", tmp_path / "out.parquet", RiskColumns(prefix="risk_"))
    assert "risk_posterior" in pyarrow.parquet.read_table(tmp_path / "out.parquet").column_names


def test_names_with_quotes_are_names(tmp_path):
    name, file = 'it\'s "rho"; drop', tmp_path / "it's.parquet"
    pyarrow.parquet.write_table(pyarrow.table({name: [0.1, 0.2]}), file)
    columns = RiskColumns(columns={"rho": name}, same={"failure": 0.01})
    annotate_file(file, tmp_path / "it's out.parquet", columns)
    assert pyarrow.parquet.read_table(tmp_path / "it's out.parquet")[name].to_pylist() == [0.1, 0.2]


def test_an_error_of_duckdb_gives_its_first_line_alone(table, tmp_path):
    with pytest.raises(Unavailable, match="^the table must be read and written by DuckDB; got Out of Memory") as error:
        annotate_file(table, tmp_path / "out.parquet", memory="1KB")
    said, whole = str(error.value.value), str(error.value.__cause__)
    assert "\n" in whole
    assert whole.splitlines()[0] == said
