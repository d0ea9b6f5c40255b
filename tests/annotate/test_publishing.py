"""A new file and its basis appear together or not at all, and neither takes the place of anything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from whit.annotate import annotate_file, basis_file, by_duckdb
from whit.annotate.publishing import publish, scratch
from whit.errors import InvalidInput, Unavailable

BESIDE = (
    r"^the file beside the new one must not exist yet; got .*out\.csv\.basis\.json\. Use another name for the new file"
)


def linked(path: Path) -> None:
    path.with_name("else").write_text("mine", encoding="utf-8")
    path.symlink_to("else")


IN_THE_WAY: dict[str, Callable[[Path], object]] = {
    "file": lambda path: path.write_text("mine", encoding="utf-8"),
    "link to a file": linked,
    "link to nothing": lambda path: os.symlink("nothing", path),
    "pipe": os.mkfifo,
    "folder": os.mkdir,
}


def state(folder: Path) -> dict[str, object]:
    """Every file with its kind and what is in it."""
    found = {each.name: each.lstat().st_mode for each in folder.iterdir()}
    return {name: (mode, (folder / name).is_file() and (folder / name).read_bytes()) for name, mode in found.items()}


@pytest.fixture
def table(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a message shortens a long path
    (tmp_path / "in.csv").write_text("epsilon\n1\n", encoding="utf-8")
    return tmp_path / "in.csv"


@pytest.mark.parametrize("kind", IN_THE_WAY)
def test_what_stands_where_the_basis_goes_is_left_as_it_is(table, tmp_path, kind):
    IN_THE_WAY[kind](tmp_path / "out.csv.basis.json")
    before = state(tmp_path)
    with pytest.raises(InvalidInput, match=BESIDE):
        annotate_file(table, "out.csv")
    assert state(tmp_path) == before


@pytest.mark.parametrize("kind", IN_THE_WAY)
@pytest.mark.parametrize("place", ["out.csv", "out.csv.basis.json"])
def test_what_somebody_makes_meanwhile_is_left_as_it_is(table, tmp_path, monkeypatch, kind, place):
    before: list[dict[str, object]] = []

    def meanwhile(rows: Path, target: Path, basis: str) -> None:
        IN_THE_WAY[kind](tmp_path / place)
        before.append({name: each for name, each in state(tmp_path).items() if not name.startswith(".")})
        publish(rows, target, basis)

    monkeypatch.setattr(by_duckdb, "publish", meanwhile)
    with pytest.raises(InvalidInput, match=r"must not exist yet; got .*out\.csv"):
        annotate_file(table, "out.csv")
    assert state(tmp_path) == before[0]


def test_a_disk_without_room_ends_in_a_sentence_and_leaves_nothing(table, tmp_path):
    out = tmp_path / "out.csv"
    annotate_file(table, out)
    rows, basis = out.stat().st_size, Path(basis_file(out)).stat().st_size
    assert rows < basis
    before = set(tmp_path.iterdir())
    script = (
        "import resource, sys\n"
        "from whit.apps.cli.group import main\n"
        "import whit.annotate.by_duckdb, duckdb, pyarrow\n"
        "room = int(sys.argv.pop(1))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))\n"
        "main()\n"
    )
    command = [sys.executable, "-c", script, str(basis - 1), "annotate", table, "--out", tmp_path / "new.csv"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([*command, "--jobs", "1"], capture_output=True, text=True, check=False, env=environment)
    assert run.returncode == 2, run.stderr
    assert "the new file must be written whole (File too large); got " in run.stderr
    assert set(tmp_path.iterdir()) == before


def test_a_folder_that_takes_no_file_is_said_to_take_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with (
        pytest.raises(Unavailable, match=r"^the folder of the new file must take new files \(File name too long\)"),
        scratch(tmp_path / f"{'a' * 300}.csv"),
    ):
        pass
    with (
        pytest.raises(Unavailable, match=r"^the folder of the new file must be there; got .*none/out\.csv"),
        scratch(Path("none") / "out.csv"),
    ):
        pass
