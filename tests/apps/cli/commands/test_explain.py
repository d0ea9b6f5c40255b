"""The answers in words, in the language that is asked for and in no other."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit


def said(*words: str, env: dict[str, str] | None = None) -> str:
    result = CliRunner(env=env).invoke(whit, ["explain", "--epsilon", "1", *words])
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


# e * 5 % = 13.59 %.
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "If you take part, at most 14 out of 100 would."),
        ("de", "Wenn Sie teilnehmen, wären es höchstens 14 von 100."),
        ("fr", "Si vous participez, cette part est d’au plus 14 sur 100."),
    ],
)
def test_the_text_is_in_the_language_that_is_asked_for(language, text):
    assert text in said("--language", language)
    found = json.loads(said("--language", language, "--json"))
    assert found["result"]["numbers"][1]["value"] == 0.14


def test_without_the_option_it_is_english_whatever_the_environment_says():
    assert "If you take part, at most 14 out of 100 would." in said(
        env={"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR.UTF-8"}
    )


def test_a_language_that_is_not_there_is_refused_with_those_that_are():
    result = CliRunner().invoke(whit, ["explain", "--epsilon", "1", "--language", "tlh"])
    assert result.exit_code == 2
    for code in ("de", "en", "fr"):
        assert re.search(rf"\b{code}\b", result.stderr)


def test_a_fact_that_a_file_names_is_what_the_text_is_about(tmp_path):
    file = tmp_path / "release.toml"
    adversary = '[[adversary]]\nname = "an employer"\nfact = "a certain applicant is in treatment"\nprior = 0.1\n'
    file.write_text(f"[promise]\nepsilon = 1\n{adversary}", encoding="utf-8")
    result = CliRunner().invoke(whit, ["explain", "--from", str(file)])
    assert "wants to know if a certain applicant is in treatment" in " ".join(result.output.split())
