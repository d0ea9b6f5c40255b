"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from whit.errors import InvalidInput
from whit.telling.plots.files import written


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
