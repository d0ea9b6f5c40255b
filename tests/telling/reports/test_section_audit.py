"""The section about a table without noise: each disclosed cell with its sum, the limits, and a verdict that counts."""

from __future__ import annotations

import datetime
import json
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from whit.audit import Between, Equation, Exact, Publication, Suppressed, left
from whit.errors import Incompatible, InvalidInput, WhitError
from whit.policy import Outcome
from whit.policy.tables import Task, audited
from whit.spec import Scale, parsed, read_audit, read_release, release_of
from whit.spec.audit_file import AuditRead
from whit.telling.reports import Document, Section, Table, document_of, report
from whit.telling.reports.audit_words import CellWords, headline
from whit.telling.reports.wording import words_of

DATE = datetime.date(2026, 1, 31)
FILE = """\
[release]
name = "Counts of visits"
publisher = "Health Office"

[unit]
name = "person"

[promise]
epsilon = {epsilon}

[[adversary]]
name = "an insurer"
fact = "a client was there"
prior = 0.1

{limit}

[audit]
file = "{file}"
{more}
"""
LIMIT = "[limit]\nposterior = 0.3\nprior = 0.1\n"
# Two or more cells are withheld in every line, and one of them follows from the totals: golden case suppression-bridge.
LEAKY = """\
row,column,value
1,1,
1,2,
1,3,
1,4,8
1,Total,42
2,1,
2,2,
2,3,9
2,4,6
2,Total,34
3,1,12
3,2,7
3,3,
3,4,
3,Total,39
4,1,9
4,2,5
4,3,
4,4,
4,Total,38
Total,1,45
Total,2,30
Total,3,36
Total,4,42
Total,Total,153
"""
SAFE = LEAKY.replace("1,4,8", "1,4,").replace("2,4,6", "2,4,")


@pytest.fixture
def office(tmp_path: Path) -> Path:
    """A folder with a table that leaks, and one that does not."""
    (tmp_path / "leaky.csv").write_text(LEAKY, encoding="utf-8")
    (tmp_path / "safe.csv").write_text(SAFE, encoding="utf-8")
    return tmp_path


def saved(folder: Path, file: str = "leaky.csv", more: str = "", epsilon: float = 0.25, limit: str = LIMIT) -> Path:
    path = folder / "release.toml"
    path.write_text(FILE.format(epsilon=epsilon, file=file, more=more, limit=limit), encoding="utf-8")
    return path


def document(folder: Path, language: str = "en", **more: Any) -> Document:
    return document_of(read_release(saved(folder, **more)), date=DATE, language=language, appendix=True)


def section(found: Document, title: str = "The table without noise") -> Section:
    [own] = [each for each in found.sections if each.title == title]
    return own


def test_two_withheld_cells_in_every_line_do_not_hide_the_one_that_follows(office):
    text = json.dumps(section(document(office)).tree(), ensure_ascii=False)
    # The first two rows less the first two columns: 42 + 34 - 8 - 9 - 6 - (45 + 30 - 12 - 7 - 9 - 5) = 11.
    assert "1 × 3 is exactly 11: 12 (3 × 1) + 9 (4 × 1) + 7 (3 × 2) + 5 (4 × 2) + 42 (1 × Total)" in text
    assert "Not allowed. One of 9 cells that are not published exactly exceeds its limits. It is known exactly." in text
    assert "No bound on beliefs holds for every prior" in text
    assert text.count("an outsider") >= 9


@pytest.mark.parametrize(
    ("file", "epsilon", "limit", "outcome"),
    [
        ("leaky.csv", 0.25, LIMIT, "not_allowed"),
        ("safe.csv", 0.25, LIMIT, "allowed"),
        ("safe.csv", 3.0, LIMIT, "not_allowed"),
        ("leaky.csv", 3.0, LIMIT, "not_allowed"),
        ("safe.csv", 0.25, "", "no_limit"),
        ("leaky.csv", 0.25, "", "not_allowed"),
    ],
)
def test_the_worse_of_noise_and_table_is_the_verdict_of_the_sheet(office, file, epsilon, limit, outcome):
    found = document(office, file=file, epsilon=epsilon, limit=limit)
    assert found.sheet is not None
    assert found.sheet.stamp.outcome == outcome
    assert ("exceeds its limits" in found.sheet.stamp.text) == (file == "leaky.csv")


def test_the_first_page_says_that_no_bound_holds_for_every_prior(office):
    for file in ("leaky.csv", "safe.csv"):
        sheet = document(office, file=file).sheet
        assert sheet is not None
        assert "No bound on beliefs holds for every prior" in json.dumps(sheet.tree())


def test_a_change_of_the_noise_is_not_offered_for_a_table_that_fails(office):
    sheet = document(office).sheet
    assert sheet is not None
    text = json.dumps([each.tree() for each in sheet.beside], ensure_ascii=False)
    assert "Withhold further cells" in text
    assert "Raise epsilon" not in text
    assert "decides first, since it exceeds a limit: an outsider" in text


def test_no_single_change_is_enough_where_both_parts_fail(office):
    sheet = document(office, epsilon=3.0).sheet
    assert sheet is not None
    blocks = [block for part in sheet.beside for block in part.blocks]
    verdicts = [row[-1] for block in blocks if isinstance(block, Table) for row in block.rows]
    assert len(verdicts) > 1
    assert {"✗ Not allowed"} == set(verdicts)


def test_limits_beside_the_file_are_added_and_counted(office):
    found = section(document(office, more='interval = 17\nposterior = 0.2\nlaw = "geometric 0.5"\n'))
    table = next(block.tree()["table"] for block in found.blocks if "table" in block.tree())
    counted = {row[0]: row[1:] for row in table["rows"]}
    # Widths of the nine intervals: 18, 18, 0, 18, 18 and four times 16.
    assert counted["An interval of at least 17"] == ["4", "5", "0"]
    assert any(name.startswith("A posterior of at most 20 % for any value, if cells had") for name in counted)


@pytest.mark.parametrize(("language", "title"), [("de", "Die Tabelle ohne Rauschen"), ("fr", "Le tableau sans bruit")])
def test_other_languages_have_the_same_sums(office, language, title):
    text = json.dumps(section(document(office, language), title).tree(), ensure_ascii=False)
    assert "12 (3 × 1) + 9 (4 × 1) + 7 (3 × 2)" in text
    assert "exactly" not in text
    assert "an outsider" not in text


def test_every_format_has_the_sum_and_a_picture_that_is_well_formed(office, tmp_path):
    path = saved(office)
    for ending in ("html", "md", "json", "docx", "pdf"):
        report(path, tmp_path / f"r.{ending}", date=DATE)
    for ending in ("html", "md", "json"):
        assert "is exactly 11: 12 (3 × 1)" in (tmp_path / f"r.{ending}").read_text(encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "r.docx") as parts:
        assert "is exactly 11: 12 (3 × 1)" in parts.read("word/document.xml").decode()
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
    pictures = sorted(tmp_path.glob("r-*.svg"))
    assert any('class="known"' in each.read_text() for each in pictures)
    for each in pictures:
        ElementTree.fromstring(each.read_text())


MIXED = Publication(
    {"t": Exact(25), "a": Suppressed(), "b": Suppressed(Between(1, 4)), "c": Suppressed(), "d": Suppressed()},
    [Equation("sum", {"t": -1, "a": 1, "b": 1, "c": 2}, 0), Equation("twice", {"a": 2, "d": -3}, 0)],
)


def test_english_sentences_are_those_of_the_audit_itself(office):
    for publication in (read_audit(office / "leaky.csv").task.publication, MIXED):
        found = audited(Task(publication))
        words = CellWords(AuditRead("x", found.task, Scale(), {}), found, words_of("en"))
        for each in found.found:
            assert words.sentence(each) == f"{each.why} Read by an outsider."
        assert len({each.why for each in found.found}) > 3


def test_values_are_printed_in_the_unit_of_the_table(tmp_path):
    (tmp_path / "t.csv").write_text("firm,value\nA,\nB,2.5\nTotal,7.0\n", encoding="utf-8")
    read = read_audit(tmp_path / "t.csv")
    found = audited(read.task)
    [each] = found.failing
    assert CellWords(read, found, words_of("en")).sentence(each).startswith("A is exactly 4.5: 7.0 (Total) - 2.5 (B).")
    assert "genau 4,5: 7,0 (Total) - 2,5 (B)" in CellWords(read, found, words_of("de")).sentence(each)


def test_the_headline_counts_cells_once():
    found = audited(Task(Publication({"t": Exact(9), "a": Suppressed()}, [Equation("e", {"t": 1, "a": -1}, 0)])))
    assert headline(found, words_of("en")) == (
        "One of 1 cells that are not published exactly exceeds its limits. It is known exactly."
    )
    assert found.outcome is Outcome.BROKEN
    assert left(found.task.publication).interval("a").determined


def test_a_text_without_a_folder_opens_no_table():
    text = FILE.format(epsilon=1, file="leaky.csv", more="", limit="")
    with pytest.raises(Incompatible, match=r"the text.*file must stand in a file"):
        release_of(parsed(text, "the text"))


@pytest.mark.parametrize(
    ("file", "more", "match"),
    [
        ("missing.csv", "", "missing.csv"),
        ("../leaky.csv", "", "leaky.csv"),
        ("leaky.csv", 'colour = "red"', "colour is not known here"),
        ("leaky.csv", "prior = 0.1", "prior goes with a posterior"),
        ("leaky.csv", '[[audit]]\nfile = "safe.csv"', "audit"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_place(office, file, more, match):
    with pytest.raises(WhitError, match=match):
        read_release(saved(office, file=file, more=more))


def test_several_tables_are_named_in_a_file_of_their_own(office):
    text = FILE.format(epsilon=1, file="leaky.csv", more="", limit="").replace("[audit]", "[[audit]]")
    (office / "two.toml").write_text(f'{text}\n[[audit]]\nfile = "safe.csv"\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"\[audit\] must be there once; got several.*together"):
        read_release(office / "two.toml")
