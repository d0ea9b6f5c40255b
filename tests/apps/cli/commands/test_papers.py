from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.papers import PAPERS, Case, read_cases
from whit.papers.case import Way


def run(*arguments: str):
    return CliRunner().invoke(whit, ["papers", *arguments])


def test_every_case_of_a_paper_is_listed_and_counted():
    result = run("KS14")
    assert result.exit_code == 0, result.output
    cases = read_cases("KS14")
    table = result.stdout.split("\n\n")[1].splitlines()
    assert [line[: len(case.where)] for line, case in zip(table[1:], cases, strict=True)] == [c.where for c in cases]
    assert all(case.at in line for line, case in zip(table[1:], cases, strict=True))
    assert f"{len(cases)} of {len(cases)} computed numbers agree with the separate calculation." in result.stdout


def test_a_paper_without_figures_is_named(tmp_path):
    result = run("BBRR26", "--figures", str(tmp_path))
    assert "0 figures are in" in result.stdout
    assert "No figure with numbers: BBRR26." in result.stdout


def test_a_missing_library_is_missed_before_anything_is_computed(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setattr("whit.apps.asking.commands.papers.recompute", lambda _: pytest.fail("computed"))
    result = run("KR24", "--figures", str(tmp_path))
    assert result.exit_code == 4, result.output


def test_the_document_has_what_is_printed_computed_and_expected():
    result = run("BBRR26", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["result"]
    cases = {case.key: case for case in read_cases("BBRR26")}
    assert [each["key"] for each in found["cases"]] == list(cases)
    for each in found["cases"]:
        case = cases[each["key"]]
        assert (each["printed"], each["expected"], each["verdict"]) == (case.printed, case.value, case.verdict.value)
        assert each["computed"] == pytest.approx(float(case.value), rel=1e-9)
    assert found["counts"]["recomputed"] == found["counts"]["as expected"] == len(cases)


def test_differing_lists_only_what_differs_from_the_print():
    found = json.loads(run("BBRR26", "--differing", "--json").stdout)["result"]
    assert {each["verdict"] for each in found["cases"]} == {"the printed value is wrong"}
    assert found["counts"]["recomputed"] == len(read_cases("BBRR26"))


def test_a_number_that_is_not_the_expected_one_ends_with_1_and_is_named(monkeypatch):
    first = read_cases("BBRR26")[0]

    def a_little_more(case: Case) -> float:
        return case.expected * (1 + 1e-9)

    monkeypatch.setitem(PAPERS["BBRR26"], first.quantity, Way(a_little_more))
    result = run("BBRR26", "--differing")
    assert result.exit_code == 1
    assert "NOT AS EXPECTED" in result.stdout


def test_a_paper_is_known_by_its_key_in_small_letters_too():
    assert run("bbrr26").exit_code == 0


def test_an_unknown_paper_is_refused():
    result = run("KS15")
    assert result.exit_code == 2
    assert "KS14" in result.stderr


def test_a_folder_that_cannot_be_made_is_refused_before_anything_is_computed(tmp_path):
    (tmp_path / "taken").write_text("a file")
    result = run("KS14", "--figures", str(tmp_path / "taken"))
    assert result.exit_code == 2
    assert "--figures must be a folder" in result.stderr


def test_figures_are_written_in_the_form_that_is_asked_for(tmp_path):
    result = run("KR24", "--differing", "--figures", str(tmp_path / "figures"), "--form", "svg")
    assert result.exit_code == 0, result.output
    names = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert names == [f"KR24-figure-{number:02d}.svg" for number in range(1, 6)]
    assert f"5 figures are in {tmp_path / 'figures'}." in result.stdout
