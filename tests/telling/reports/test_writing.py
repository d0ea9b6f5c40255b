"""A file is whole or not there."""

from __future__ import annotations

import os

import pytest

from whit.errors import InvalidInput
from whit.telling.reports.report import write


def test_files_are_written_with_their_content(tmp_path):
    write({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"a": b"1", "b": b"2"}


def test_a_folder_that_is_not_there_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="must be one that can be written; got .*No such file"):
        write({tmp_path / "gone" / "a": b"1"})


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(InvalidInput, match="it is a folder"):
        write({tmp_path / "a": b"1"})


def test_when_one_of_several_fails_no_other_is_left(tmp_path):
    (tmp_path / "b").mkdir()
    with pytest.raises(InvalidInput, match="must be one that can be written"):
        write({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert [each.name for each in tmp_path.iterdir()] == ["b"]


def test_a_failure_while_writing_leaves_the_old_file_as_it_was(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InvalidInput, match="No space left"):
        write({tmp_path / "a": b"new"})
    assert [each.name for each in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.skipif(os.name != "posix", reason="permissions of the kind that posix has")
def test_the_permissions_are_those_of_any_new_file(tmp_path):
    write({tmp_path / "a": b"1"})
    (tmp_path / "b").write_bytes(b"1")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode
