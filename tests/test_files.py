"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import whit.files
from whit.errors import InvalidInput
from whit.files import (
    content_of,
    from_home,
    new_file,
    note_source,
    place_of,
    replace_files,
    require_other,
    sources_spared,
    write_new,
    written,
)


def test_a_file_holds_what_was_written(tmp_path):
    path = tmp_path / "picture.svg"
    assert written(path, b"first") == path
    assert written(path, b"second").read_bytes() == b"second"
    assert os.listdir(tmp_path) == ["picture.svg"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "picture.svg"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(
        InvalidInput, match=r"can be written \(No space left on device\).*folder in which you may write"
    ):
        written(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["picture.svg"]


def test_a_link_stays_a_link_and_a_file_keeps_its_rights(tmp_path):
    own = tmp_path / "own.svg"
    own.write_bytes(b"old")
    own.chmod(0o600)
    link = tmp_path / "link.svg"
    link.symlink_to(own)
    written(link, b"new")
    assert link.is_symlink()
    assert own.read_bytes() == b"new"
    assert own.stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir(tmp_path)) == ["link.svg", "own.svg"]


def test_the_mask_of_the_process_is_left_alone_and_met(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("another thread would write without a mask meanwhile"))
    path = written(tmp_path / "new.txt", b"x")
    (tmp_path / "as_the_system_does.txt").write_bytes(b"x")
    assert path.stat().st_mode == (tmp_path / "as_the_system_does.txt").stat().st_mode


def test_what_is_no_ordinary_file_is_left_alone(tmp_path):
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInput, match="must be an ordinary file, or one that is not there yet.*another name"):
        written(pipe, b"new")
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (".", r"must be a file; got .*\. Add the name of a file\."),
        ("nowhere/picture.png", "must lie in a folder that exists"),
        ("a\0b.png", "path must"),
        ("x" * 300 + ".png", "must be one that can be written .File name too long"),
        ("x" * 300 + "/picture.png", "must be one that can be written .File name too long"),
    ],
)
def test_a_place_where_no_file_can_be_is_refused(tmp_path, place, said):
    with pytest.raises(InvalidInput, match=said):
        written(tmp_path / place, b"")
    assert os.listdir(tmp_path) == []


def test_a_secret_file_is_its_owners_even_where_all_could_read_the_one_before(tmp_path):
    path = tmp_path / "proofs.json"
    path.write_bytes(b"old")
    path.chmod(0o644)
    replace_files({path: b"new"}, secret=True)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_new_file_never_takes_the_place_of_another_one(tmp_path):
    path = tmp_path / "release.toml"
    write_new(path, b"first")
    with pytest.raises(FileExistsError, match="exists"):
        write_new(path, b"second")
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["release.toml"]


def test_a_new_file_that_does_not_fit_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    with pytest.raises(OSError, match="No space"):
        write_new(tmp_path / "release.toml", b"first")
    assert os.listdir(tmp_path) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from whit import files
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
files.{0}(Path(sys.argv[1]), b"half")
"""


@pytest.mark.parametrize(("how", "left"), [("written", b"old"), ("write_new", None)])
def test_a_writer_that_is_killed_leaves_no_half_file_and_is_in_nobodys_way(tmp_path, monkeypatch, how, left):
    path = tmp_path / "picture.svg"
    if left is not None:
        path.write_bytes(left)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    ended = subprocess.run([sys.executable, "-c", KILLED.format(how), str(path)], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert (path.read_bytes() if path.exists() else None) == left
    (part,) = tmp_path.glob(".*.part")  # which hides, and no later writer meets, even one of the same number
    monkeypatch.setattr(os, "getpid", lambda: 7)
    getattr(whit.files, how)(path, b"new")
    assert path.read_bytes() == b"new"
    assert part.exists()


def test_what_replaces_a_file_of_one_reader_is_never_open_to_others(tmp_path, monkeypatch):
    path = tmp_path / "proofs.json"
    seen: list[int] = []
    path.write_bytes(b"old")
    path.chmod(0o600)
    monkeypatch.setattr(os, "fsync", lambda _: seen.extend(each.stat().st_mode & 0o777 for each in tmp_path.iterdir()))
    written(path, b"new")
    assert seen == [0o600, 0o600]


def test_a_new_file_takes_no_name_that_somebody_took_meanwhile_and_no_dead_link(tmp_path):
    path, dead = tmp_path / "a", tmp_path / "dead"

    def meanwhile() -> None:
        with new_file(path, rights=0o600) as part:
            assert part.stat().st_mode & 0o777 == 0o600
            path.write_bytes(b"theirs")

    with pytest.raises(FileExistsError, match="exists"):
        meanwhile()
    assert path.read_bytes() == b"theirs"
    dead.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError, match="exists"):
        write_new(dead, b"x")
    assert dead.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["a", "dead"]


def test_a_file_without_end_and_a_large_one_are_refused_before_they_fill_the_memory(tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(10**12)  # which takes no room
    for path in (large, Path("/dev/zero")):
        with pytest.raises(OSError, match="it has more than 1,000,000 bytes"):
            content_of(path, most=1_000_000)
    large.write_bytes(b"a" * 10)
    assert content_of(large, most=10) == b"a" * 10
    with pytest.raises(OSError, match="more than 9 bytes"):
        content_of(large, most=9)


def test_a_pipe_is_read_to_its_end_and_one_into_which_nobody_writes_is_refused(tmp_path, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def late() -> None:
        with pipe.open("wb") as file:  # open for a while before anything comes
            time.sleep(0.3)
            file.write(b"a" * 300_000)
            file.flush()
            time.sleep(0.3)
            file.write(b"b")

    writer = threading.Thread(target=late)
    writer.start()
    assert content_of(pipe) == b"a" * 300_000 + b"b"
    writer.join()
    monkeypatch.setattr(whit.files, "PATIENCE", 0.1)
    with pytest.raises(OSError, match="a pipe into which nobody writes"):
        content_of(pipe)


def test_nothing_is_written_over_what_was_read_by_whatever_name(tmp_path):
    source, ledger = tmp_path / "plan.toml", tmp_path / "a.ledger"
    for path in (source, ledger):
        path.write_bytes(b"a")
    (tmp_path / "link").symlink_to(source)
    os.link(source, tmp_path / "same")
    with sources_spared():
        content_of(source)
        note_source(ledger)
        for name in ("plan.toml", "link", "same", "a.ledger"):
            with pytest.raises(InvalidInput, match="must be another one than the file that it is made from"):
                written(tmp_path / name, b"new")
        with sources_spared(), pytest.raises(InvalidInput, match="must be another one"):
            written(source, b"new")
        written(tmp_path / "other", b"new")
    assert source.read_bytes() == b"a"
    assert sorted(os.listdir(tmp_path)) == ["a.ledger", "link", "other", "plan.toml", "same"]
    assert written(source, b"new").read_bytes() == b"new"


def test_a_tilde_is_the_home_folder_at_the_beginning_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert from_home("~/a.toml") == f"{tmp_path}/a.toml"
    assert place_of(Path("~") / "a.toml") == tmp_path / "a.toml"
    assert from_home("a/~/b.toml") == "a/~/b.toml"
    assert from_home("~nobody-of-this-name/a.toml") == "~nobody-of-this-name/a.toml"


def test_a_tilde_is_refused_where_nobody_knows_the_home_folder(monkeypatch):
    def unknown(_):
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    for path in ("~", "~/a.toml", Path("~") / "a"):
        with pytest.raises(InvalidInput, match="must begin with a home folder that is known.*HOME"):
            from_home(path)
    assert from_home("~a.toml") == "~a.toml"


def test_a_file_that_goes_with_one_of_few_readers_has_no_more(tmp_path):
    report, picture, open_report = tmp_path / "a.md", tmp_path / "a-1.svg", tmp_path / "b.md"
    for path, rights in ((report, 0o600), (open_report, 0o644)):
        path.touch()
        path.chmod(rights)
    replace_files({picture: b"picture", report: b"report"})
    replace_files({tmp_path / "b-1.svg": b"picture", open_report: b"report"})
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
        "a.md": 0o600,
        "a-1.svg": 0o600,
        "b.md": 0o644,
        "b-1.svg": 0o644,
    }


def test_a_file_that_is_replaced_keeps_its_owner_where_it_can(tmp_path, monkeypatch):
    path, given = tmp_path / "people.toml", []
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)  # somebody else writes it
    monkeypatch.setattr(os, "chown", lambda _, *owner: given.append(owner))
    written(path, b"new")
    assert given == [(path.stat().st_uid, path.stat().st_gid)]

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    assert written(path, b"newer").read_bytes() == b"newer"


def test_a_new_file_gets_its_name_also_where_no_file_has_two(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_new(tmp_path / "a", b"first")
    with pytest.raises(FileExistsError, match="exists"):
        write_new(tmp_path / "a", b"second")
    assert (tmp_path / "a").read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["a"]


def test_a_source_is_known_by_every_name(tmp_path):
    source = tmp_path / "table.csv"
    source.write_bytes(b"a")
    (tmp_path / "link.csv").symlink_to(source)
    with pytest.raises(InvalidInput, match="--out must be another one than the file that it is made from"):
        require_other(tmp_path / "link.csv", source, name="--out")
    require_other(tmp_path / "new.csv", source, name="--out")
