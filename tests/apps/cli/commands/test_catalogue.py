"""`whit catalogue` as tables, as CSV and as a picture, with the neighbours of each release in words."""

from __future__ import annotations

import csv
import io
import json

import mpmath
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.telling.catalogue import deployments


def run(*arguments: str):
    return CliRunner().invoke(whit, ["catalogue", *arguments])


def test_a_table_says_what_happens_to_the_record():
    shown = run("--unit", "person").stdout
    assert " replaced " in shown
    assert " added or removed " in shown
    assert " local " in run("apple-emoji").stdout


def test_csv_has_a_line_for_each_release_and_the_numbers_of_the_document():
    rows = list(csv.DictReader(io.StringIO(run("--csv").stdout)))
    assert [row["key"] for row in rows] == [each.key for each in deployments()]
    answers = json.loads(run("--json").stdout)["answers"]
    powers = {each["of"]: each["finding"]["value"] for each in answers if each["name"] == "power"}
    assert {row["key"]: float(row["power_at_most"]) for row in rows} == {key: float(at) for key, at in powers.items()}


def test_the_power_of_a_pure_promise_in_csv_is_that_of_randomized_response():
    rows = {row["key"]: row for row in csv.DictReader(io.StringIO(run("--csv").stdout))}
    row = rows["wikimedia-pageviews-historical"]
    assert row["parameters"] == "epsilon = 1"
    truth = min(mpmath.e * mpmath.mpf(0.05), 1 - (1 - mpmath.mpf(0.05)) / mpmath.e)
    assert truth <= mpmath.mpf(row["power_at_most"]) <= truth * (1 + mpmath.mpf(10) ** -12)


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_written(tmp_path, ending):
    target = tmp_path / f"chart.{ending}"
    result = run("--unit", "housing", "--out", str(target))
    assert result.exit_code == 0, result.output
    assert result.stdout == f"Written: {target}\n"
    heads = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert heads[ending] in target.read_bytes()[:400]


def test_a_picture_speaks_the_language_that_is_named(tmp_path):
    target = tmp_path / "chart.svg"
    assert run("--unit", "housing", "--out", str(target), "--language", "de").exit_code == 0
    assert "eine Wohnung, Zeitraum: die gesamten Daten" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--csv", "--json"], "--csv does not go with --json"),
        (["--out", "chart.txt"], "path must end in the form of the picture"),
        (["--language", "de"], "--language is that of a picture"),
        (["us-census"], "No release of the catalogue has the name"),
        (["--unit", "persom"], "person"),
    ],
)
def test_what_does_not_go_is_refused(arguments, said):
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_unit_that_the_source_does_not_name_is_said_to_be_so():
    said = "The promise covers all that one unit contributes; the source does not name the unit.\n"
    assert run("apple-iconic-scenes").stdout.startswith(said)
    assert "that is not stated contributes" not in run().stdout
