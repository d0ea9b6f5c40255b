"""A ledger in a file: places where none can be, disks that are full, and what is left of a failure."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from somebody_else import as_somebody_else

from whit.errors import Unavailable
from whit.ledger import Ledger, verify

LONG = "x" * 300
SOURCE = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize(
    ("place", "why"),
    [(LONG, "File name too long"), (f"{LONG}/a", "File name too long"), ("a\0b", "no file can have this name")],
)
def test_a_name_that_no_file_can_have_is_refused_with_the_reason(tmp_path, place, why):
    with pytest.raises(Unavailable, match=rf"must be a file that is there \({why}\)"):
        Ledger(tmp_path / place)
    with pytest.raises(Unavailable, match=rf"must be a file that can be written \({why}\)"):
        Ledger.create(tmp_path / place)
    with Ledger.create(tmp_path / "a.ledger") as ledger, pytest.raises(Unavailable, match=rf"the backup .*\({why}\)"):
        ledger.store.backup(tmp_path / place)


def test_a_ledger_below_a_file_is_not_there_and_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="must be a file that is there; got"):
        Ledger(tmp_path / "file" / "a")
    with pytest.raises(Unavailable, match=r"must be a file that can be written \(Not a directory\)"):
        Ledger.create(tmp_path / "file" / "a")


LIMITED = """
import resource, sys
from whit.apps.cli import main
most = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
main()
"""


def with_room(most: int, *words: str) -> subprocess.CompletedProcess[str]:
    """The command where no file may have more bytes, as on a disk that becomes full."""
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    limited = [sys.executable, "-c", LIMITED, str(most), *words]
    return subprocess.run(limited, env=environment, capture_output=True, text=True, check=False)


def test_a_new_ledger_that_does_not_fit_leaves_nothing(tmp_path):
    done = with_room(8_192, "ledger", "init", "--ledger", f"{tmp_path}/a.ledger")
    assert done.returncode == 2, done.stderr
    assert "Error: the ledger a.ledger must be readable and writable" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("how", "blamed"), [("backup", "the backup"), ("export", "--out")])
def test_a_copy_that_does_not_fit_is_blamed_on_its_place_and_not_on_the_ledger(tmp_path, how, blamed):
    with Ledger.create(tmp_path / "a.ledger", actor="ada") as ledger:
        for number in range(150):
            ledger.declare(f"people {number}")
    done = with_room(40_000, "ledger", how, "--ledger", f"{tmp_path}/a.ledger", "--out", f"{tmp_path}/copy")
    assert done.returncode == 2, done.stderr
    assert f"Error: {blamed} must be a file that can be written (" in done.stderr
    assert "copy" in done.stderr
    assert not [path for path in tmp_path.iterdir() if "copy" in path.name]


def test_the_limit_on_files_is_met_by_what_is_small():
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    assert with_room(8_192, "--version").returncode == 0


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a ledger, in a place that everybody can reach."""
    made = Path(tempfile.mkdtemp())
    with Ledger.create(made / "a.ledger", actor="ada") as ledger:
        ledger.declare("people")
    yield made
    made.chmod(0o700)
    shutil.rmtree(made)


@pytest.mark.parametrize("open_it", [Ledger, Ledger.read])
def test_a_ledger_in_a_folder_without_rights_is_refused_with_the_reason(folder, open_it):
    folder.chmod(0o000)
    with (
        as_somebody_else(),
        pytest.raises(Unavailable, match=r"must be a file that is there \(Permission denied\)"),
    ):
        open_it(folder / "a.ledger")
    with as_somebody_else(), pytest.raises(Unavailable, match=r"that can be written \(Permission denied\)"):
        Ledger.create(folder / "b.ledger")


def test_a_ledger_in_a_folder_that_nobody_may_write_is_refused_for_its_rights_and_not_for_space(folder):
    folder.chmod(0o555)
    with as_somebody_else(), pytest.raises(Unavailable, match="Give the right to write the file and its folder"):
        Ledger(folder / "a.ledger")


def test_who_may_not_write_can_read_and_leaves_no_trace(folder):
    with Ledger(folder / "a.ledger") as ledger:
        head = ledger.head
    folder.chmod(0o555)
    with as_somebody_else(), Ledger.read(folder / "a.ledger") as reader:
        assert verify(reader.store).head == head[1] == reader.head[1]
        with pytest.raises(Unavailable, match="attempt to write a readonly database"):
            reader.declare("more people")
    assert [path.name for path in folder.iterdir()] == ["a.ledger"]


def test_a_reader_copies_a_ledger_and_may_still_not_change_it(folder):
    copy = folder / "room" / "copy.ledger"
    copy.parent.mkdir()
    copy.parent.chmod(0o777)
    folder.chmod(0o555)
    with as_somebody_else(), Ledger.read(folder / "a.ledger") as reader:
        reader.store.backup(copy)
        with pytest.raises(Unavailable, match="attempt to write a readonly database"):
            reader.declare("more people")
        head = reader.head
        with Ledger(copy) as copied:
            assert copied.head == head


def test_who_may_not_write_reads_what_a_writer_has_just_entered(folder):
    with Ledger(folder / "a.ledger", actor="ada") as writer:
        writer.declare("patients")
        folder.chmod(0o555)
        with as_somebody_else(), Ledger.read(folder / "a.ledger") as reader:
            assert reader.population("patients").name == "patients"
        folder.chmod(0o700)


def test_a_journal_that_only_a_writer_can_read_is_not_passed_over(folder):
    """What stands in it would be missing from the answer."""
    with Ledger(folder / "a.ledger", actor="ada") as writer:
        writer.declare("patients")
        for ending in ("", "-wal"):
            shutil.copy(folder / f"a.ledger{ending}", folder / f"b.ledger{ending}")
    folder.chmod(0o555)
    with as_somebody_else(), pytest.raises(Unavailable, match="must have no journal beside it"):
        Ledger.read(folder / "b.ledger")


def test_a_ledger_that_may_not_be_read_is_refused_with_the_reason(folder):
    (folder / "a.ledger").chmod(0o200)
    folder.chmod(0o555)
    with as_somebody_else(), pytest.raises(Unavailable, match=r"that can be read \(Permission denied\)"):
        Ledger.read(folder / "a.ledger")
