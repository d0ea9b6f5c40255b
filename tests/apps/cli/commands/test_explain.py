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


EXCEPTION = "There is an exception: in at most 1 out of 100 cases, they may become more sure than that."


def public(*promise: str) -> str:
    result = CliRunner().invoke(whit, ["explain", "--prior", "0.1", *promise])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(
    ("promise", "size", "belief"),
    [
        ("--epsilon 1", "clear", "at most 24 out of 100. This holds for every possible result."),
        ("--epsilon 1 --delta 1e-6", "clear", f"at most 24 out of 100. {EXCEPTION}"),
        ("--gaussian 4.23", "small", f"at most 18 out of 100. {EXCEPTION}"),
        ("--mu 0.3", "clear", f"at most 21 out of 100. {EXCEPTION}"),
        ("--gaussian 3.3333", "clear", f"at most 21 out of 100. {EXCEPTION}"),
        ("--rho 0.1", "clear", f"at most 33 out of 100. {EXCEPTION}"),
    ],
)
def test_without_a_failure_everybody_hears_a_limit_on_beliefs_and_how_often_it_may_fail(promise, size, belief):
    text = public(*promise.split())
    assert text.startswith(f"At worst, taking part makes a {size} difference")
    assert belief in " ".join(text.split())
    assert "on average" not in text


def test_a_failure_of_none_that_is_stated_is_what_the_text_is_about():
    assert public("--gaussian", "4.23", "--failure", "0").startswith("At worst, taking part could give you away.")


def test_the_document_names_the_failure_of_the_text():
    found = json.loads(public("--mu", "0.3", "--json"))
    assert found["asked"]["failure"] == 0.01
    assert json.loads(public("--mu", "0.3", "--audience", "officer", "--json"))["asked"]["failure"] == 0.0
    assert json.loads(public("--mu", "0.3", "--question", "power", "--json"))["asked"]["failure"] == 0.0


PARTS = """\
[[promise]]
name = "income"
gaussian = 8

[[promise]]
name = "births"
laplace = 5

[[promise]]
name = "deaths"
laplace = 9

[[promise]]
name = "survey"
epsilon = 0.3
"""


@pytest.mark.parametrize(
    ("language", "income", "two", "survey"),
    [
        ("en", "About income: Each number is moved", "About births, deaths: ", "Only a promise is known of survey."),
        ("de", "Zu income: Jede Zahl wird", "Zu births, deaths: ", "Von survey ist nur die Zusage bekannt."),
        (
            "fr",
            "Pour income\u00a0: Chaque nombre",
            "Pour births, deaths\u00a0: ",
            "De survey, seule la garantie est connue.",
        ),
    ],
)
def test_each_of_several_kinds_of_noise_is_said_of_the_promises_that_have_it(tmp_path, language, income, two, survey):
    file = tmp_path / "parts.toml"
    file.write_text(PARTS, encoding="utf-8")
    result = CliRunner().invoke(whit, ["explain", "--from", str(file), "--language", language])
    assert result.exit_code == 0, result.output
    for text in (income, two, survey):
        assert result.output.count(text) == 1
    file.write_text(
        PARTS.partition('[[promise]]\nname = "deaths"')[0].replace("gaussian = 8", "laplace = 8"), encoding="utf-8"
    )
    alike = CliRunner().invoke(whit, ["explain", "--from", str(file), "--language", language])
    assert "births" not in alike.output  # all have the same noise, which is said once
