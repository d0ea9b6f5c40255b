"""`whit init` asks, writes a file that a report is made from, and overwrites none."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Gaussian, Geometric, Laplace
from whit.setting import Sensitivity
from whit.spec import Draft, read_release
from whit.telling.reports import HAZARDS, draft_in
from whit.telling.reports.hazards import hazards_of
from whit.telling.reports.wording import words_of
from whit.telling.words import languages

KEYS = [each.key for each in HAZARDS]


def run(*arguments: str, answers: str | None = None):
    return CliRunner().invoke(whit, ["init", *arguments], input=answers)


def test_the_defaults_are_a_file_that_a_report_takes(tmp_path):
    file, report = tmp_path / "release.toml", tmp_path / "report.md"
    assert run(str(file), "--defaults").exit_code == 0
    found = read_release(file, hazards=KEYS)
    assert found.series.together == PureDP(1.0)
    assert found.requirements.limits
    made = CliRunner().invoke(whit, ["report", str(file), "--out", str(report)])
    assert made.exit_code == 0, made.output
    assert "(name of the release)" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
def test_the_file_and_its_report_are_in_the_language_that_is_named(tmp_path, language):
    """The words of the draft were English in a German report, with no hint that they are to be replaced."""
    file, report = tmp_path / "release.toml", tmp_path / "report.md"
    assert run(str(file), "--defaults", "--language", language).exit_code == 0
    found, english = read_release(file, hazards=KEYS), Draft()
    assert found.language == language
    assert all(f"# {each.question}" in file.read_text(encoding="utf-8") for each in hazards_of(words_of(language)))
    made = CliRunner().invoke(whit, ["report", str(file), "--out", str(report)])
    assert made.exit_code == 0, made.output
    text = report.read_text(encoding="utf-8")
    assert not [each for each in (english.name, english.publisher, english.adversary, english.fact) if each in text]
    assert found.askers[0].fact in text
    assert "„person“" not in text
    assert "« person »" not in text


def test_english_words_of_a_draft_are_pointed_out_in_a_report_in_another_language(tmp_path):
    file, report = tmp_path / "release.toml", tmp_path / "report.md"
    run(str(file), "--defaults")
    CliRunner().invoke(whit, ["report", str(file), "--out", str(report), "--language", "de"])
    assert "„a neighbour“, „a certain person is in the data“. Ersetzen" in report.read_text(encoding="utf-8")
    CliRunner().invoke(whit, ["report", str(file), "--out", str(report), "--language", "en"])
    assert "“(name of the publisher)”. Replace them" in report.read_text(encoding="utf-8")


def test_the_words_that_are_suggested_are_in_the_language_that_is_named(tmp_path):
    asked = run(str(tmp_path / "r.toml"), "--language", "de", answers="\n" * 20)
    assert "[eine bestimmte Person ist in den Daten]" in asked.stderr


def test_the_english_draft_is_that_of_the_grammar():
    assert draft_in("en") == Draft()


def test_every_hazard_has_a_place_for_its_answer(tmp_path):
    file = tmp_path / "release.toml"
    run(str(file), "--defaults")
    text = file.read_text(encoding="utf-8")
    for key in KEYS:
        text = text.replace(f'# {key} = ""', f'{key} = "yes"')
    file.write_text(text, encoding="utf-8")
    assert read_release(file, hazards=KEYS).hazards == dict.fromkeys(KEYS, "yes")


def test_answers_are_written_as_they_were_given(tmp_path):
    file = tmp_path / "r.toml"
    lines = ['Tables "A" \\ B', "Office", "household", "one year", "epsilon-delta", "0.5", "1e-7", "4", "each release"]
    result = run(str(file), answers="\n".join([*lines, "a spy", "they earn much", "20%", "0.4", "0.02"]) + "\n")
    assert result.exit_code == 0, result.output
    found = read_release(file, hazards=KEYS)
    assert found.name == 'Tables "A" \\ B'
    assert (found.unit.name, found.unit.period, found.covers_all) == ("household", "one year", False)
    assert (found.series.one, found.series.releases) == (ApproxDP(0.5, 1e-7), 4)
    assert found.askers[0].adversary.prior == 0.2
    assert found.questions.failure == 0.02


@pytest.mark.parametrize(
    ("kind", "promised"),
    [("gaussian", Gaussian(0.5)), ("laplace", Laplace(0.5)), ("geometric", Geometric(0.5))],
)
def test_every_usual_noise_is_offered(tmp_path, kind, promised):
    file = tmp_path / "r.toml"
    assert run(str(file), answers=f"\n\n\n\n{kind}\n0.5\n" + "\n" * 9).exit_code == 0
    assert read_release(file, hazards=KEYS).series.one == promised


@pytest.mark.parametrize(
    ("kind", "answer", "changed"),
    [
        ("gaussian", "", Sensitivity.count()),
        ("gaussian", "2.5", Sensitivity(add_remove=2.5, replace=2.5)),
        ("laplace", "histogram", Sensitivity.histogram()),
        ("geometric", "1:1+1", Sensitivity.histogram()),
        ("laplace", "3:6", Sensitivity(add_remove=3.0, replace=6.0)),
    ],
)
def test_what_one_record_changes_is_asked_for_with_noise(tmp_path, kind, answer, changed):
    file = tmp_path / "r.toml"
    result = run(str(file), answers=f"\n\n\n\n{kind}\n\n{answer}\n" + "\n" * 8)
    assert result.exit_code == 0, result.output
    assert "The most that one record changes what is published" in result.stderr
    assert "# the most that one record changes what is published" in file.read_text(encoding="utf-8")
    assert read_release(file, hazards=KEYS).series.one.sensitivity == changed


def test_a_change_that_the_noise_does_not_take_is_asked_for_again(tmp_path):
    file = tmp_path / "r.toml"
    result = run(str(file), answers="\n\n\n\ngeometric\n\n1.5\nmuch\n2\n" + "\n" * 8)
    assert result.exit_code == 0, result.output
    assert result.stderr.count('the answer to "The most that one record changes what is published" must') == 2
    assert read_release(file, hazards=KEYS).series.one.sensitivity == Sensitivity(add_remove=2.0, replace=2.0)


def test_a_promise_without_noise_is_not_asked_for_its_change(tmp_path):
    assert "one record changes" not in run(str(tmp_path / "r.toml"), answers="\n" * 14).stderr


def test_what_is_wrong_is_asked_again_and_enter_takes_what_is_offered(tmp_path):
    file = tmp_path / "r.toml"
    answers = "\n\n\n\ngausian\ngaussian\n-1\n3\n\nmany\n2\n\n\n20\n\n0.05\n\n\n"
    result = run(str(file), answers=answers)
    assert result.exit_code == 0, result.output
    for said in (
        "Did you mean gaussian",
        "got -1",
        "got many",
        "20 % is 0.2",
        "must be above 0.1, the probability before",
    ):
        assert said in result.stderr
    found = read_release(file, hazards=KEYS)
    assert (found.series.one, found.series.releases) == (Gaussian(3.0), 2)
    assert found.questions.failure == 0.01


@pytest.mark.parametrize(
    ("answer", "covers_all"), [("", True), ("all-releases", True), ("each release", False), ("each-release", False)]
)
def test_the_period_is_asked_for_in_the_words_of_the_message(answer, covers_all, tmp_path):
    file = tmp_path / "r.toml"
    lines = ["", "", "", "one year", "", "", "2", "wrong", answer, *[""] * 6]
    result = run(str(file), answers="\n".join(lines) + "\n")
    assert "has each release its own? (all-releases or each-release) [all-releases]" in result.stderr
    assert "Use all-releases, each-release" in result.stderr
    assert read_release(file, hazards=KEYS).covers_all is covers_all


@pytest.mark.parametrize(
    ("at", "answer", "question", "said"),
    [
        (0, " ", "What is released", "must be a text that is not empty; got nothing. Write a few words."),
        (4, "noise", "What is promised", "cannot be"),
        (5, "-1", "Epsilon of each release", "must be a finite number of at least 0"),
        (6, "0", "How many releases there are about the same people", "must be a whole number of at least 1"),
        (9, "1", "How probable they find it before the release", "must be below 1, since nobody who is certain learns"),
        (9, "10", "How probable they find it before the release", "10 % is 0.1"),
        (10, "0.1", "How probable they may find it afterwards, at most", "must be above 0.1"),
        (11, "1", "With which probability a bound may fail", "must be below 1"),
    ],
)
def test_an_error_names_the_question_and_neither_an_option_nor_a_key(tmp_path, at, answer, question, said):
    file = tmp_path / "r.toml"
    answers = [""] * 13
    result = run(str(file), answers="\n".join([*answers[:at], answer, *answers]) + "\n")
    assert result.exit_code == 0, result.output
    [error] = [line.partition("Error: ")[2] for line in result.stderr.splitlines() if "Error: " in line]
    assert error.startswith(f'the answer to "{question}" ')
    assert said in error
    assert not any(sign in error for sign in ("--", "[limit", "line "))


def test_an_office_may_have_any_name_without_being_taken_for_a_draft(tmp_path):
    file, report = tmp_path / "r.toml", tmp_path / "r.md"
    assert run(str(file), answers="Counts by district\nOur office\n" + "\n" * 12).exit_code == 0
    assert CliRunner().invoke(whit, ["report", str(file), "--sheet", "--out", str(report)]).exit_code == 0
    assert "words of the draft" not in report.read_text(encoding="utf-8")


def test_a_file_that_is_there_is_not_touched(tmp_path):
    file = tmp_path / "r.toml"
    file.write_text("mine", encoding="utf-8")
    result = run(str(file), "--defaults")
    assert result.exit_code == 2
    assert f"{file} exists already; it was left as it is. Name another file, or remove it first." in result.stderr
    assert file.read_text(encoding="utf-8") == "mine"
    (tmp_path / "link.toml").symlink_to(tmp_path / "nowhere")
    assert run(str(tmp_path / "link.toml"), "--defaults").exit_code == 2


def test_the_questions_say_that_they_are_in_english_where_the_answers_are_not(tmp_path):
    said = "The questions are in English"
    assert said in run(str(tmp_path / "de.toml"), "--language", "de", answers="\n" * 20).stderr
    assert said not in run(str(tmp_path / "en.toml"), answers="\n" * 20).stderr
    assert said not in run(str(tmp_path / "defaults.toml"), "--defaults", "--language", "de").stderr


def test_a_place_that_takes_no_file_is_said(tmp_path):
    result = run(str(tmp_path / "no" / "r.toml"), "--defaults")
    assert result.exit_code == 2
    assert "FILE must be one that can be written (No such file or directory)" in result.stderr


def test_the_document_says_what_was_written_and_questions_stay_out_of_it(tmp_path):
    file = tmp_path / "r.toml"
    result = run(str(file), "--json", answers="\n" * 14)
    assert json.loads(result.stdout)["result"] == {"written": str(file)}


def test_answers_that_end_early_write_nothing(tmp_path):
    file = tmp_path / "r.toml"
    assert run(str(file), answers="Tables\n").exit_code != 0
    assert not file.exists()


def _answered_by_enter(terminal: int, process: subprocess.Popen[bytes]) -> bytes:
    """What a command shows on a terminal where every question is answered by the enter key."""
    seen, ends = b"", time.monotonic() + 60
    while process.poll() is None and time.monotonic() < ends:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            seen += os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if seen.rstrip().endswith(b":"):
            os.write(terminal, b"\n")
            seen += b"\n"
    return seen


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals here")
def test_it_asks_on_a_terminal(tmp_path):
    own, theirs = os.openpty()
    code = "from whit.apps.cli.group import main; main()"
    command = [sys.executable, "-c", code, "init", str(tmp_path / "r.toml")]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[4] / "src")}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        seen = _answered_by_enter(own, process)
    os.close(own)
    assert process.returncode == 0, seen
    assert b"What is released [(name of the release)]" in seen
    assert read_release(tmp_path / "r.toml", hazards=KEYS).series.together == PureDP(1.0)
