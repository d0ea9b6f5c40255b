"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from whit.errors import InvalidInput
from whit.files import from_home, place_of, replace_files, require_other, write_new, written


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
        (".", "must be a file"),
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


def test_a_tilde_is_the_home_folder_at_the_beginning_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert from_home("~/a.toml") == f"{tmp_path}/a.toml"
    assert place_of(Path("~") / "a.toml") == tmp_path / "a.toml"
    assert from_home("a/~/b.toml") == "a/~/b.toml"
    assert from_home("~nobody-of-this-name/a.toml") == "~nobody-of-this-name/a.toml"


def test_a_source_is_known_by_every_name(tmp_path):
    source = tmp_path / "table.csv"
    source.write_bytes(b"a")
    (tmp_path / "link.csv").symlink_to(source)
    with pytest.raises(InvalidInput, match="--out must be another one than the file that it is made from"):
        require_other(tmp_path / "link.csv", source, name="--out")
    require_other(tmp_path / "new.csv", source, name="--out")
