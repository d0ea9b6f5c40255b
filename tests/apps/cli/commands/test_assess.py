from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

NOTE = "No bound below 1 holds always; ask with --failure 0.01"


def assessed(*arguments: str) -> str:
    result = CliRunner().invoke(whit, ["assess", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("arguments", "noted"),
    [
        (["--gaussian", "5"], True),
        (["--gaussian", "5", "--failure", "0.01"], False),
        (["--gaussian", "5", "--prior", "1"], False),
        (["--gaussian", "5", "--question", "power"], False),
        (["--laplace", "1"], False),
        (["--epsilon", "1"], False),
        # So close to 1 that the bound is shown as 1; a chance of failure would not lower it.
        (["--epsilon", "800"], False),
        # Here the refusals say which failure would do.
        (["--epsilon", "1", "--delta", "1e-6"], False),
        (["--epsilon", "1", "--delta", "1e-6", "--question", "absolute-risk"], True),
    ],
)
def test_where_only_certainty_bounds_a_belief_there_is_a_hint(arguments, noted):
    assert (NOTE in assessed(*arguments)) is noted


def test_the_answer_stays_beside_the_hint():
    assert "posterior probability of the truth may be 100 %: nothing is ruled out" in assessed("--gaussian", "5")


def test_a_refusal_that_five_questions_share_is_told_once():
    text = assessed("--epsilon", "1", "--delta", "1e-6")
    assert text.count("the posterior is not bounded by this promise") == 1
    assert "posterior, ratio, difference, odds, worst prior  not answered" in text
    found = json.loads(assessed("--epsilon", "1", "--delta", "1e-6", "--json"))["answers"]
    assert sum("the posterior is not bounded by this promise" in each["sentence"] for each in found) == 5


@pytest.mark.parametrize(
    ("arguments", "heading"),
    [
        (["--gaussian", "5.5", "--releases", "5"], "Gaussian noise, sigma = 5.5, in each of 5 releases; prior 0.5;"),
        (["--epsilon", "1", "--neighbours", "replace"], "epsilon = 1, one record replaced; prior 0.5;"),
        (["--gaussian", "2", "--neighbours", "replace"], "Gaussian noise, sigma = 2, neighbours replace; prior 0.5;"),
    ],
)
def test_the_heading_names_the_promise_in_words(arguments, heading):
    assert assessed(*arguments, "--question", "power").startswith(heading)


def test_a_prior_may_be_written_in_percent():
    assert assessed("--epsilon", "1", "--prior", "10%") == assessed("--epsilon", "1", "--prior", "0.1")


def test_the_worst_prior_is_a_place_and_no_bound_that_may_fail():
    told = assessed("--gaussian", "2", "--failure", "0.01", "--question", "worst-prior", "--question", "posterior")
    assert [("but for a chance" in line) for line in told.splitlines()[3:8]] == [True, False, False, False, False]


def test_adversaries_and_questions_come_from_the_file(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(
        "[promise]\ngaussian = 2\n[[adversary]]\nname = 'one'\nprior = 0.1\n[[adversary]]\nname = 'two'\nprior = 0.4\n"
        "[questions]\nfailure = 0.01\nquestions = ['posterior', 'power']\n",
        encoding="utf-8",
    )
    told = assessed("--from", str(file))
    assert told.count("failure 0.01") == told.count("power of the best test") == 2
    assert "one: Gaussian noise, sigma = 2; prior 0.1;" in told
    found = json.loads(assessed("--from", str(file), "--json"))["answers"]
    assert [(each["by"], each["name"]) for each in found] == [
        (by, name) for by in ("one", "two") for name in ("posterior", "power")
    ]
    alone = assessed("--from", str(file), "--adversary", "two", "--question", "power")
    assert "one" not in alone.split()
    assert "prior 0.3" in assessed("--from", str(file), "--prior", "0.3")


def test_if_nothing_that_was_asked_has_an_answer_the_exit_code_says_so():
    for command in ("assess", "explain", "compare"):
        options = [command, "--epsilon", "1", "--delta", "1e-6", "--question"]
        assert CliRunner().invoke(whit, [*options, "posterior"]).exit_code == 3
        assert CliRunner().invoke(whit, [*options, "posterior", "--question", "power"]).exit_code == 0


def test_an_option_that_no_question_uses_is_refused():
    for option, name in (("--level", "0.1"), ("--people", "3"), ("--sides", "2"), ("--failure", "0.1")):
        question = "posterior" if option in ("--level", "--people") else "power"
        result = CliRunner().invoke(whit, ["assess", "--epsilon", "1", "--question", question, option, name])
        assert result.exit_code == 2
        assert f"{option} has no use for the questions that are asked" in result.stderr


@pytest.mark.parametrize(
    "promise", [["--delta", "1"], ["--delta", "0.9999999"], ["--delta", "0.9", "--releases", "40"]]
)
def test_no_failure_is_suggested_where_none_would_do(promise):
    arguments = ["assess", "--epsilon", "1", *promise, "--failure", "0.5", "--question", "posterior"]
    result = CliRunner().invoke(whit, arguments)
    assert result.exit_code == 3
    assert "Use a promise that bounds the loss" in result.stdout
    assert "Ask with" not in result.stdout


def test_somebody_who_changes_everything_is_asked_about_by_a_word(tmp_path):
    """Nine answers of ten can tell more than all ten: the loss of ten is a multiple of 1, that of nine 0.5 beside."""
    options = ["--randomized-response", "0.5", "--releases", "10", "--failure", "0.01", "--question", "posterior"]
    options += ["--knows", "everyone-else"]
    file = tmp_path / "full.toml"
    file.write_text('[promise]\nrandomized_response = 0.5\nreleases = 10\nchanges = "full"\n', encoding="utf-8")
    everybody, by_option = assessed(*options), assessed(*options, "--changes", "full")
    assert "at most 99 %" in everybody
    assert "at most 98.3 %" in by_option
    assert "changed in full" in by_option
    assert "at most 98.3 %" in assessed("--from", str(file), *options[4:])


# The success of a guess, and how many people are beyond a bound


def test_a_baseline_asks_for_the_success_of_a_guess():
    assert "a guess about the record is right" not in assessed("--epsilon", "1")
    text = assessed("--epsilon", "1", "--baseline", "1%")
    assert "probability that a guess about the record is right is at most 2.72 %" in text
    assert "; baseline 0.01; " in text


def test_a_population_is_told_beside_every_chance():
    text = assessed("--rho", "0.1", "--failure", "0.001", "--population", "333400")
    chances = [line for line in text.splitlines() if ", but for a chance of 0.001" in line]
    assert chances
    assert all(line.endswith("(expected number of people beyond it: at most 334)") for line in chances)


def test_a_population_is_a_number_of_the_document():
    asked = ("--rho", "0.1", "--failure", "0.001", "--population", "2000", "--question", "posterior", "--json")
    document = json.loads(assessed(*asked))
    assert document["asked"]["population"] == 2000
    [answer] = document["answers"]
    [beyond] = answer["people_beyond"]
    # A thousandth is no double: twice a thousand of the one above it is more than 2, and by no more than a last digit.
    assert 2.0 <= beyond["value"] <= 2.0 + 1e-15
    assert (beyond["direction"], beyond["inputs"]["over"]) == ("AT_MOST", "BELIEF")
    assert "expected-number-beyond" in beyond["basis"]["theorems"]


def test_what_always_holds_leaves_nobody_beyond():
    note = "No answer has a chance of failure, so that nobody is beyond a bound"
    assert note in assessed("--epsilon", "1", "--population", "1000")
    assert note not in assessed("--rho", "0.1", "--failure", "0.01", "--population", "1000")
    assert note not in assessed("--epsilon", "1")
