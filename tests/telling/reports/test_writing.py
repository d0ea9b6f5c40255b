"""A file is whole or not there."""

from __future__ import annotations

import os

import pytest

from whit.errors import InvalidInput
from whit.telling.reports import Document, Figure, Section, report
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


def test_who_may_read_a_file_that_is_replaced_stays_as_it_was(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o600)
    write({tmp_path / "a": b"new"})
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_behind_a_link_the_file_that_it_names_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    write({tmp_path / "link": b"new"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="it is a device or a pipe"):
        write({tmp_path / "pipe": b"1"})


def test_a_report_is_not_written_over_its_source_by_whatever_name(tmp_path):
    source = tmp_path / "release.md"
    source.write_text("anything", encoding="utf-8")
    (tmp_path / "link.md").symlink_to(source)
    os.link(source, tmp_path / "same.md")
    for name in ("release.md", "link.md", "same.md"):
        with pytest.raises(InvalidInput, match="must be another one than the file that it is made from"):
            report(source, tmp_path / name)
    assert source.read_text("utf-8") == "anything"


def test_a_picture_of_somebody_else_is_not_written_over(tmp_path):
    picture = Figure("caption", "what it shows", "<svg/>")
    document = Document("t", "s", (), (Section("One", (picture,)),), "2026-01-31", "0", ())
    (tmp_path / "r-1.svg").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidInput, match="a picture of a report must not be another file's"):
        report(document, tmp_path / "r.md")
    assert (tmp_path / "r-1.svg").read_text("utf-8") == "mine"
    (tmp_path / "r-1.svg").unlink()
    for _ in range(2):  # its own pictures are replaced
        report(document, tmp_path / "r.md")
    assert (tmp_path / "r-1.svg").read_text("utf-8") == "<svg/>"
