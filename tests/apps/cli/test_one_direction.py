"""The text of an assessment and its JSON have the same direction for the same number."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

PROMISES = (
    "--gaussian 2",
    "--laplace 2 --releases 3",
    "--geometric 0.5",
    "--discrete-gaussian 2",
    "--randomized-response 1",
    "--epsilon 1",
    "--epsilon 1 --delta 1e-6",
    "--rho 0.1",
    "--mu 0.5",
    "--gaussian 0.1",
)
ADVERSARIES = ("--knows everyone-else", "--knows everyone-else --prior 0.1", "--prior 0.1", "--baseline 0.1")


def _run(arguments: str) -> str:
    result = CliRunner().invoke(whit, ["assess", *arguments.split()], env={"COLUMNS": "400"})
    assert result.exit_code == 0, result.output
    return result.stdout


def _direction(text: str) -> str:
    """The direction that a text states by its words."""
    if re.search(r"at most|may be 100 %|may exceed|possibly more|no known upper|between", text):
        return "AT_MOST"
    return "EXACTLY" if re.search(r"exactly|\(rounded up\)|more than|close to|unlimited", text) else "none"


@pytest.mark.parametrize("failure", ["", "--failure 0.01"])
@pytest.mark.parametrize("adversary", ADVERSARIES)
@pytest.mark.parametrize("promise", PROMISES)
def test_the_table_and_the_sentences_have_the_direction_of_the_document(promise, adversary, failure):
    asked = f"{promise} {adversary} {failure} --all"
    answers = json.loads(_run(f"{asked} --json"))["answers"]
    known = {each["name"]: each["finding"]["direction"] for each in answers if each.get("finding")}
    rows = {row[0]: row[1:] for row in (re.split(r"\s{2,}", line.strip()) for line in _run(asked).splitlines())}
    assert known
    for name, direction in known.items():
        cell, sentence = rows[name.replace("_", " ").replace(".", ", ")]
        assert _direction(cell) == direction, (name, cell)
        assert _direction(sentence) == direction or "othing is ruled out" in sentence, (name, sentence)


def test_both_directions_occur():
    answers = json.loads(_run("--gaussian 2 --knows everyone-else --failure 0.01 --json"))["answers"]
    assert {each["finding"]["direction"] for each in answers} == {"AT_MOST", "EXACTLY"}
