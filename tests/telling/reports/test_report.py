"""A report in four formats from one file: whole, the same each time, with every number, theorem and assumption."""

from __future__ import annotations

import datetime
import html
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from browser import needs_a_browser, opened

from whit.assessment import assess
from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.policy import profiles, recommend
from whit.setting import Adversary
from whit.spec import read_release
from whit.telling.catalogue import deployments
from whit.telling.reports import HAZARDS, document_of, report
from whit.telling.reports.cases import answer_release
from whit.telling.reports.comparison import comparison
from whit.telling.reports.hazards import KEYS
from whit.telling.reports.main_part import summary
from whit.theory import ASSUMPTIONS, THEOREMS, Finding

DATE = datetime.date(2026, 1, 31)
DEMO = Path(__file__).parents[3] / "demo" / "release.toml"
FILE = """\
[release]
name = "Counts of visits"
publisher = "Health Office"
unprotected = ["the number of clinics"]

[unit]
name = "person"

[promise]
epsilon = 0.5

[[adversary]]
name = "an insurer"
fact = "a client was there"
prior = 0.1

[[adversary]]
name = "a neighbour"
fact = "somebody was there for an illness"
inclusion = 0.5
value = 0.2

[profile.constant]
relative = 3.0

[hazards]
trust = "One curator."
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "release.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def document(source):
    return document_of(read_release(source, hazards=KEYS), date=DATE, appendix=True)


@pytest.fixture(scope="module")
def texts(document) -> str:
    return json.dumps(document.tree(), ensure_ascii=False)


def test_the_four_formats_are_written_where_they_were_asked_for(document, tmp_path):
    for suffix in ("html", "pdf", "docx", "md", "json"):
        assert report(document, tmp_path / f"r.{suffix}") == tmp_path / f"r.{suffix}"
    names = {each.name for each in tmp_path.iterdir()}
    assert {"r.html", "r.pdf", "r.docx", "r.md", "r.json", "r-1.svg"} <= names
    assert not any(name.startswith(".") for name in names)


def test_the_same_file_gives_the_same_bytes_and_another_date_changes_only_that(source, document, tmp_path):
    later = document_of(read_release(source, hazards=KEYS), date=datetime.date(2027, 1, 31), appendix=True)
    assert replace(later, date=document.date) == document
    for suffix in ("html", "json", "md"):
        first = report(document, tmp_path / f"a.{suffix}").read_bytes()
        second = report(later, tmp_path / f"b.{suffix}").read_bytes()
        assert second.replace(b"2027-01-31", b"2026-01-31").replace(b"<b-", b"<a-") == first
    first = report(document, tmp_path / "a.pdf").read_bytes()
    assert report(replace(later, date=document.date), tmp_path / "b.pdf").read_bytes() == first


def test_every_paragraph_and_cell_is_in_html_and_in_markdown(document, tmp_path):
    page = report(document, tmp_path / "r.html").read_text("utf-8")
    page = re.sub(r'<math [^>]*alttext="([^"]*)">.*?</math>', r"\1", page).replace("&#8288;", "")
    page = html.unescape(re.sub(r"<a [^>]*>|</a>", "", page)).replace("\N{NO-BREAK SPACE}", " ")
    marked = re.sub(r"\\(.)", r"\1", report(document, tmp_path / "r.md").read_text("utf-8"))
    marked = marked.replace("\N{NO-BREAK SPACE}", " ")
    said = [block.text for section in document.sections for block in section.blocks if hasattr(block, "text")]
    rows = [b.rows for s in document.sections for p in (s, *s.parts) for b in p.blocks if hasattr(b, "rows")]
    cells = [cell for table in rows for row in table for cell in row]
    assert len(cells) > 100
    for text in (*said, *cells):
        assert text in page
        assert text in marked


def test_a_page_loads_nothing_from_elsewhere(document, tmp_path):
    page = report(document, tmp_path / "r.html").read_text("utf-8")
    assert set(re.findall(r'\bsrc(?:set)?="(.{10})', page)) == {"data:image"}
    assert re.findall(r"<link|<script|@import|url\(|<iframe|<object", page) == []


def test_no_line_of_a_page_breaks_between_a_number_and_its_percent_sign(document, tmp_path):
    page = re.sub(r"<[^>]*>", "", report(document, tmp_path / "r.html").read_text("utf-8").split("<body>")[1])
    assert "15.5\N{NO-BREAK SPACE}%" in page
    assert re.findall(r"[0-9] %", page.split("how to make this report again")[1]) == []


def test_no_line_of_markdown_does_either_and_the_file_stays_as_it_is(source, document, tmp_path):
    marked = report(document, tmp_path / "r.md").read_text("utf-8")
    assert "15.5\N{NO-BREAK SPACE}%" in marked
    assert re.findall(r"[0-9] %", marked) == []
    assert source.read_text("utf-8").rstrip() in marked


def test_every_table_of_a_page_has_a_name_of_its_own(document, tmp_path):
    page = report(document, tmp_path / "r.html").read_text("utf-8")
    names = re.findall(r'aria-label="([^"]*)"', page)
    assert len(names) > 5
    assert len(set(names)) == len(names)


def test_the_numbers_of_the_summary_are_those_of_the_findings(document, texts):
    # From prior 0.1 under pure epsilon 0.5: p / (p + (1 - p) e^-0.5), and with inclusion 0.5 and value 0.2 by T8
    # 1 / (pq + p(1 - q) e^-1 + (1 - p) e^-0.5) times the prior; both rounded up.
    assert '["An insurer", "A client was there", "10 %", "15.5 %", "1.55", "3"]' in texts
    assert '["A neighbour", "Somebody was there for an illness", "10 %", "18.2 %", "1.82", "3"]' in texts


def test_without_appendices_a_report_is_the_same_up_to_them(source, document):
    short = document_of(read_release(source, hazards=KEYS), date=DATE)
    assert short.sections == document.sections[:5]
    assert (short.facts, short.sheet, short.findings) == (document.facts, document.sheet, document.findings)
    assert "ppendix" not in json.dumps(short.tree())


def test_the_sheet_alone_is_the_first_page_of_the_report(source, document):
    alone = document_of(read_release(source, hazards=KEYS), date=DATE, sheet=True)
    assert alone.sections == ()
    assert (alone.facts, alone.sheet) == (document.facts, document.sheet)


def test_the_sheet_has_no_appendices(source, tmp_path):
    with pytest.raises(InvalidInput, match="sheet goes without appendix"):
        report(source, tmp_path / "r.json", sheet=True, appendix=True)


@pytest.mark.parametrize("option", ["sheet", "appendix"])
def test_sheet_and_appendix_are_for_files_and_requests(option, document, tmp_path):
    with pytest.raises(InvalidInput, match=f"{option} is for a report of a file"):
        report(document, tmp_path / "r.json", **{option: True})


def test_every_theorem_and_assumption_behind_a_number_is_in_the_appendix(document, texts):
    read = [Finding.from_json(json.dumps(each)) for each in document.findings]
    assert len(read) > 20
    for found in read:
        assert all(f"Key: {key}" in texts for key in found.basis.theorems)
        assert all(THEOREMS[key].title in texts for key in found.basis.theorems)
        always = set() if found.basis.failures else {"belief-is-right"}  # what always holds needs no belief to be right
        always |= {"neighbours-as-stated"}  # which names the relation that the promise states
        assert all(ASSUMPTIONS[key].plain in texts for key in set(found.basis.assumptions) - always)
    assert "exactly as the promise says: one record added or removed." in texts


def test_assumptions_stand_under_who_must_check_them(document):
    section = next(each for each in document.sections if each.title == "Appendix: assumptions")
    each = [{ASSUMPTIONS[row[2]].verifier.value for row in part.blocks[0].rows} for part in section.parts]
    assert each == [{"curator"}, {"modelling"}]  # a promise says nothing about the software that keeps it


def test_an_assumption_names_the_theorems_that_need_it_by_their_numbers(document):
    sections = {each.title: each for each in document.sections}
    listed = sections["Appendix: theorems and references"].blocks[-1].rows
    titles = {row[0].partition(". ")[0]: row[0].partition(". ")[2] for row in listed}
    for part in sections["Appendix: assumptions"].parts:
        for *_, key, numbers in part.blocks[0].rows:
            named = {titles[number] for number in numbers.split(", ")}
            shown = {
                each.title for each in THEOREMS.values() if key in each.assumptions and each.title in titles.values()
            }
            assert named == shown


def test_every_hazard_is_asked_and_an_open_one_says_so(document, texts):
    assert all(hazard.question in texts for hazard in HAZARDS)
    assert "One curator." in texts
    assert texts.count("Not answered yet.") == sum(1 for each in HAZARDS if not each.by_file) - 1


def test_the_comparison_shows_the_same_unit_only(texts):
    assert "2020 Census redistricting data" in texts
    assert "LinkedIn" not in texts


def test_another_unit_has_no_table_to_be_ranked_in(tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(FILE.replace('name = "person"', 'name = "cow"\nperiod = "one day"'), encoding="utf-8")
    said = json.dumps(comparison(answer_release(read_release(other, hazards=KEYS))).tree())
    assert "No release of the catalogue has the unit of this one, one cow within one day." in said
    assert "Census" not in said


def test_a_unit_with_an_unusual_period_stands_beside_the_same_unit_with_others_unranked(tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(FILE.replace('name = "person"', 'name = "person"\nperiod = "one fortnight"'), encoding="utf-8")
    said = comparison(answer_release(read_release(other, hazards=KEYS)))
    table = next(block for block in said.blocks if hasattr(block, "rows"))
    assert table.rows[0][:2] == ("This release: Counts of visits", "one fortnight")
    units = [each.unit for each in deployments() if each.unit.name == "person"]
    assert sorted(row[1] for row in table.rows[1:]) == sorted(each.period for each in units)
    assert len(units) > 3
    years = [int(row[0].rpartition("(")[2][:4]) for row in table.rows[1:]]
    assert years == sorted(years)  # by year, and not by risk
    assert "no ranking" in " ".join(block.text for block in said.blocks if hasattr(block, "text"))


def test_an_adversary_who_excludes_the_fact_is_an_ordinary_input(tmp_path):
    certain = tmp_path / "certain.toml"
    certain.write_text(FILE.replace("prior = 0.1", "prior = 0.0").replace("0.5\n\n[[", "0\n\n[["), encoding="utf-8")
    tables = [
        block.rows
        for block in summary(answer_release(read_release(certain, hazards=KEYS))).blocks
        if hasattr(block, "rows")
    ]
    assert tables[0][0][2:] == ("0 %", "0 %", "1", "no limit")


def test_what_is_not_protected_is_said(texts):
    assert "Published without noise: the number of clinics." in texts
    assert "What can be learnt about everyone like you." in texts


def test_the_file_is_printed_so_that_the_report_can_be_made_again(document):
    assert document.sections[-1].blocks[-1].text == FILE


def test_a_typo_writes_nothing(source, tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(FILE.replace("prior =", "priro ="), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"wrong.toml, line 15, \[adversary\] priro is not known here"):
        report(wrong, tmp_path / "r.pdf")
    assert [each.name for each in tmp_path.iterdir()] == ["wrong.toml"]


@pytest.mark.parametrize("name", ["r.doc", "r"])
def test_a_format_that_is_not_known_is_refused_before_anything_is_computed(name, tmp_path):
    with pytest.raises(InvalidInput, match=r"must end in .pdf, .html, .docx, .md, .json"):
        report("no such file.toml", tmp_path / name)


def test_a_file_that_cannot_be_written_is_a_sentence(document, tmp_path):
    with pytest.raises(InvalidInput, match="must be one that can be written"):
        report(document, tmp_path / "gone" / "r.json")


def test_a_folder_that_is_not_there_is_refused_before_anything_is_computed(tmp_path):
    with pytest.raises(InvalidInput, match="No such file or directory"):
        report("no such file.toml", tmp_path / "gone" / "r.json")


def test_a_date_that_is_none_is_refused(source, tmp_path):
    with pytest.raises(InvalidInput, match="date must be a date"):
        report(source, tmp_path / "r.json", date="2026-01-31")


def test_a_report_in_pdf_says_its_title_its_language_and_that_it_is_accessible(document, tmp_path):
    pdf = report(document, tmp_path / "r.pdf").read_bytes()
    packet = pdf[pdf.index(b"<x:xmpmeta") : pdf.index(b"</x:xmpmeta>")].decode()
    assert "<pdfuaid:part>1</pdfuaid:part>" in packet
    assert "Counts of visits" in re.search("<dc:title>(.*)</dc:title>", packet)[1]
    assert "en-GB" in re.search("<dc:language>(.*)</dc:language>", packet)[1]


@pytest.mark.parametrize(
    "result", [assess(PureDP(1.0), Adversary(prior=0.1)), recommend(profiles.constant(3.0), PureDP)], ids=["a", "r"]
)
def test_a_result_makes_a_shorter_report(result, tmp_path):
    tree = json.loads(report(result, tmp_path / "r.json", date=DATE).read_text("utf-8"))
    assert [section["title"] for section in tree["sections"]][:3] == [
        "For the people in the data",
        "For the officer",
        "In detail",
    ]
    assert tree["findings"]
    assert report(result, tmp_path / "r.pdf", date=DATE).read_bytes().startswith(b"%PDF")


def test_something_else_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="the source of a report must be a file or a result"):
        report(3.5, tmp_path / "r.json")


def test_the_demo_file_is_read():
    found = read_release(DEMO, hazards=KEYS)
    assert found.series.releases == 4
    assert len(found.askers) == 3


@pytest.mark.slow
def test_the_demo_makes_a_report(tmp_path):
    out = report(DEMO, tmp_path / "report.pdf", date=DATE)
    assert b"<pdfuaid:part>1</pdfuaid:part>" in out.read_bytes()


@pytest.mark.slow
@needs_a_browser
@pytest.mark.parametrize("width", [1000, 500])
def test_a_browser_shows_a_report_without_a_network_and_within_its_width(width, tmp_path):
    out = report(DEMO, tmp_path / "report.html", date=DATE)
    measure = "<script>document.title = document.documentElement.scrollWidth - window.innerWidth</script></body>"
    out.write_text(out.read_text("utf-8").replace("</body>", measure), encoding="utf-8")
    page = opened(out, width=width)
    assert page.complaints == ()
    assert int(re.search("<title>(.*)</title>", page.elements)[1]) <= 0
