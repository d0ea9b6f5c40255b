"""The public interface is the one that is kept in a file: nothing in it changes without somebody seeing it."""

from __future__ import annotations

import subprocess
import sys

from file_keys import file_keys
from public_interface import KEPT, item_lines, lines

from whit.spec.form import TABLES
from whit.spec.requirement import LIMITS, PROFILES


def test_the_public_interface_is_the_one_that_is_kept():
    kept, found = KEPT.read_text(encoding="utf-8").splitlines(), lines()
    gone, new = sorted({*kept} - {*found}), sorted({*found} - {*kept})
    said = "If the change is meant, say so in CHANGELOG.md and run `make interface`."
    assert (gone, new) == ([], []), f"The public interface has changed: gone {gone}, new {new}. {said}"
    assert kept == found


def test_a_parameter_that_goes_away_is_found():
    def before(one: int, two: int = 2) -> int:
        return one + two

    def after(one: int) -> int:
        return one

    assert [*item_lines("x", before)] == ["x(one: 'int', two: 'int' = 2) -> 'int'"]
    assert [*item_lines("x", after)] != [*item_lines("x", before)]


def test_a_member_of_a_class_that_goes_away_is_found():
    class Kind:
        def shown(self) -> int:
            return self._hidden()

        def _hidden(self) -> int:
            return 1

    assert "x.Kind.shown(self) -> 'int'" in [*item_lines("x.Kind", Kind)]
    assert not [line for line in item_lines("x.Kind", Kind) if "hidden" in line]


def test_the_lines_are_the_same_in_another_process():
    code = "from public_interface import lines; print(*lines(), sep='\\n')"
    path = [*sys.path]
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path = {path!r}; {code}"], check=True, capture_output=True, text=True
    )
    assert run.stdout.splitlines() == lines()


def test_every_table_of_a_release_has_its_keys_in_the_file():
    found = {line.removeprefix("release file, ").partition(":")[0] for line in file_keys()}
    tables = {f"[{name}]" for name in TABLES if name != "promise"}  # its words are those of each kind of promise
    inner = {*(f"[limit.{name}]" for name in LIMITS), *(f"[profile.{name}]" for name in PROFILES)}
    assert tables | inner <= found


def test_a_key_of_a_file_that_goes_away_is_found(monkeypatch):
    before = file_keys()
    assert "release file, [ledger]: account, path" in before
    monkeypatch.setattr("whit.spec.form.ASKED", ("failure", "level"))
    assert {*file_keys()} - {*before} == {"release file, [questions]: failure, level"}
