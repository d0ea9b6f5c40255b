from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner, Result

from whit.apps.cli import whit
from whit.theory import THEOREMS, assumption, theorem

NOTE = "No bound below 100 % holds for every outcome. Add --failure 0.01"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(whit, ["assess", *arguments])


def assessed(*arguments: str, code: int = 0) -> str:
    result = run(*arguments)
    assert result.exit_code == code, result.output
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
        (["--epsilon", "1", "--delta", "1e-6"], True),
        (["--epsilon", "1", "--delta", "1e-6", "--question", "power"], False),
    ],
)
def test_where_only_certainty_bounds_a_belief_there_is_a_hint(arguments, noted):
    assert (NOTE in assessed(*arguments)) is noted


def test_a_bound_that_rules_nothing_out_is_no_answer():
    assert NOTE in assessed("--epsilon", "1", "--delta", "1e-6", "--question", "absolute-risk", code=3)


def test_certainty_never_stands_alone():
    text = assessed("--gaussian", "5")
    assert text.startswith(f"Nothing is ruled out: the adversary may become certain. {NOTE}")
    assert re.search(r"^posterior  .*100 %.*  Nothing is ruled out", text, flags=re.MULTILINE)
    assert json.loads(assessed("--gaussian", "5", "--json"))["notes"][0].startswith(NOTE)


def test_a_refusal_that_five_questions_share_is_told_once():
    text = assessed("--epsilon", "1", "--delta", "1e-6")
    assert text.count("The posterior is not bounded by this promise") == 1
    assert re.search(r"^ratio, difference, odds, worst prior +not answered +Not bounded either", text, re.MULTILINE)
    assert text.startswith("Nothing is ruled out: the adversary may become certain. No bound below 100 %")
    found = json.loads(assessed("--epsilon", "1", "--delta", "1e-6", "--json"))["answers"]
    assert sum("the posterior is not bounded by this promise" in each["sentence"] for each in found) == 5


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["--gaussian", "5.5", "--releases", "5"], "Gaussian noise, sigma = 5.5, in each of 5 releases"),
        (["--epsilon", "1", "--neighbours", "replace"], "epsilon = 1, one record replaced"),
        (["--gaussian", "2", "--neighbours", "replace"], "Gaussian noise, sigma = 2, neighbours replace"),
    ],
)
def test_the_second_paragraph_names_the_promise_in_words(arguments, asked):
    told = assessed(*arguments, "--question", "power")
    assert told.split("\n\n")[1:3] == [
        f"Asked of: {asked}.",
        "Adversary: prior 50 %; any belief about the others; failure probability 0 %; level 5 %",
    ]


def test_the_first_sentence_is_the_posterior_that_the_adversary_reaches():
    # e / (1 + e) is 0.73105..., and from 1/10 it is e / (9 + e) = 0.23196...
    said = "The adversary's belief in the truth goes from"
    assert assessed("--epsilon", "1").startswith(f"{said} 50 % to at most 73.2 %.\n")
    assert assessed("--epsilon", "1", "--prior", "0.1").startswith(f"{said} 10 % to at most 23.2 %.\n")
    one_percent = assessed("--gaussian", "1", "--failure", "0.01").split("\n")[0]
    assert one_percent.startswith(said)
    assert one_percent.endswith(", except with probability 1 %.")
    assert json.loads(assessed("--epsilon", "1", "--json"))["result"]["opening"] == f"{said} 50 % to at most 73.2 %."


def test_the_most_useful_questions_come_first_and_the_worst_priors_share_a_row():
    lines = assessed("--epsilon", "1").splitlines()
    first = [line.split("  ")[0] for line in lines[lines.index("") + 5 :]]
    assert first[:4] == ["question", "posterior", "expected posterior", "power"]
    assert first.count("worst prior") == 1
    assert first[-1] == "worst prior"
    # The rise is largest from 1 / (1 + sqrt(e)) = 0.37754...
    assert "largest from a prior of 37.8 % (rounded up), that on the ratio from priors close to 0 %" in lines[-1]
    every = assessed("--epsilon", "1", "--all")
    rows = [re.split("  +", line) for line in every.splitlines() if line.startswith("worst prior, ")]
    assert [answer for _, answer, _ in rows] == [
        "close to 0 %",
        "close to 100 %",
        "37.8 % (rounded up)",
        "62.3 % (rounded up)",
    ]
    truths = ["true", "false", "true", "false"]
    assert [said.split(",")[0] for _, _, said in rows] == [f"If the fact is {truth}" for truth in truths]


def test_the_theorems_stand_in_a_table_of_their_own():
    asked = ("--epsilon", "1", "--question", "posterior", "--question", "ratio", "--why")
    table = assessed(*asked).split("\n\n")[-2].splitlines()
    assert [re.split("  +", line)[0] for line in table] == ["question", "posterior, ratio"]
    assert set(re.split("  +", table[1])[1].split(", ")) <= set(THEOREMS)
    assert "rests on" not in assessed(*asked[:-1])


def test_a_prior_may_be_written_in_percent():
    assert assessed("--epsilon", "1", "--prior", "10%") == assessed("--epsilon", "1", "--prior", "0.1")


def test_the_worst_prior_is_a_place_and_no_bound_that_may_fail():
    asked = ("--gaussian", "2", "--failure", "0.01", "--question", "worst-prior", "--question", "posterior", "--all")
    rows = assessed(*asked).splitlines()[7:]
    assert [("except with probability 1 %" in line) for line in rows] == [True, False, False, False, False]


def test_adversaries_and_questions_come_from_the_file(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(
        "[promise]\ngaussian = 2\n[[adversary]]\nname = 'one'\nprior = 0.1\n[[adversary]]\nname = 'two'\nprior = 0.4\n"
        "[questions]\nfailure = 0.01\nquestions = ['posterior', 'power']\n",
        encoding="utf-8",
    )
    told = assessed("--from", str(file))
    assert told.count("failure probability 1 %") == told.count("The best test finds") == 2
    assert "One: prior 10 %;" in told
    # From 0.4 the belief can rise by more than from 0.1, whatever the bound on the loss is, up to 1.8.
    assert told.startswith("Of 2 adversaries, two can gain most. The adversary's belief in the truth goes from 40 % to")
    found = json.loads(assessed("--from", str(file), "--json"))["answers"]
    assert [(each["by"], each["name"]) for each in found] == [
        (by, name) for by in ("one", "two") for name in ("posterior", "power")
    ]
    alone = assessed("--from", str(file), "--adversary", "two", "--question", "power")
    assert "one" not in alone.split()
    assert "prior 30 %" in assessed("--from", str(file), "--prior", "0.3")


def test_if_nothing_that_was_asked_has_an_answer_the_exit_code_says_so():
    # The public text takes a failure probability by itself where none is stated.
    for command in (["assess"], ["explain", "--failure", "0"], ["compare"]):
        options = [*command, "--epsilon", "1", "--delta", "1e-6", "--question"]
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
    assert "guess about the record" not in assessed("--epsilon", "1")
    text = assessed("--epsilon", "1", "--baseline", "1%")
    assert "A guess about the record is right in at most 2.72 % of cases, against 1 % without the release." in text
    assert "; baseline 1 %; " in text


def test_a_population_is_told_beside_every_chance():
    text = assessed("--rho", "0.1", "--failure", "0.001", "--population", "333400")
    chances = [line for line in text.splitlines() if ", except with probability 0.1 %" in line]
    assert len(chances) > 5
    assert all(line.endswith("(expected number of people beyond it: at most 334).") for line in chances)


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
    note = "Every bound holds for every outcome, so nobody is beyond one"
    assert note in assessed("--epsilon", "1", "--population", "1000")
    assert note not in assessed("--rho", "0.1", "--failure", "0.01", "--population", "1000")
    assert note not in assessed("--epsilon", "1")


def test_a_fact_of_the_file_stands_in_the_first_sentence(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(
        "[promise]\nepsilon = 1\n[[adversary]]\nname = 'an insurer'\nfact = 'the person smokes'\nprior = 0.5\n",
        encoding="utf-8",
    )
    told = assessed("--from", str(file))
    assert told.startswith("If it is true that the person smokes, the belief in it goes from 50 % to at most 73.2 %.\n")
    assert "\nAn insurer: prior 50 %;" in told


@pytest.mark.parametrize(
    ("promise", "most"),
    [
        ("epsilon = 1", "at most 73.2 %."),
        ("epsilon = 12", "possibly more than 99.9 %."),
        ("epsilon = 60", "possibly more than 99.9 %."),
        ("gaussian = 0.2", "possibly more than 99.9 % (failure probability 1 %)."),
    ],
)
def test_the_belief_in_a_fact_of_the_file_goes_to_a_number(promise, most, tmp_path):
    file = tmp_path / "release.toml"
    asked = "[[adversary]]\nfact = 'the person smokes'\nprior = 0.5\n[questions]\nfailure = 0.01\n"
    file.write_text(f"[promise]\n{promise}\n{asked}", encoding="utf-8")
    told = assessed("--from", str(file), "--question", "posterior")
    assert told.startswith(f"If it is true that the person smokes, the belief in it goes from 50 % to {most}\n")


def test_the_worst_priors_alone_are_an_answer():
    printed = CliRunner().invoke(whit, ["assess", "--epsilon", "1", "--question", "worst-prior"]).stdout
    assert printed.startswith(
        "The bound on the rise is largest from a prior of 37.8 % (rounded up), "
        "that on the ratio from priors close to 0 %."
    )


def test_a_failure_is_suggested_only_where_it_helps():
    """An outcome that always gives the fact away cannot be excepted with probability 1 %; a rare one can."""
    never = CliRunner().invoke(whit, ["assess", "--outcomes", "1 0", "--against", "0 1"]).stdout
    assert "--failure" not in never.partition("Asked of")[0]
    rarely = CliRunner().invoke(whit, ["assess", "--outcomes", "0.999 0.001", "--against", "1 0"]).stdout
    assert "Add --failure 0.01" in rarely.partition("Asked of")[0]


@pytest.mark.parametrize(
    ("arguments", "helps"),
    [
        (["--gaussian", "5", "--prior", "0.1"], True),
        (["--gaussian", "0.1", "--prior", "0.1"], False),
        (["--published-sample", "10", "--drawn-from", "100", "--prior", "0.1"], False),
        (["--published-sample", "1", "--drawn-from", "1000", "--prior", "0.1"], True),
        (["--gaussian", "5", "--releases", "10000", "--prior", "0.1"], False),
    ],
)
def test_a_failure_is_suggested_where_the_bound_with_it_is_below_certainty_and_nowhere_else(arguments, helps):
    said = assessed(*arguments).partition("Asked of")[0]
    assert ("Add --failure 0.01" in said) is helps
    again = json.loads(assessed(*arguments, "--failure", "0.01", "--json"))["answers"]
    [posterior] = [each["finding"]["value"] for each in again if each["name"] == "posterior"]
    assert (posterior < 0.999) is helps


@pytest.mark.parametrize("command", ["assess", "compose"])
@pytest.mark.parametrize("names", [("tables 1 and 2", "table 3"), ()])
def test_why_names_the_promise_whose_noise_a_record_changes_by_so_much(command, names):
    """Of two promises with the same sigma the parameter told nobody which is meant."""
    named = [f", name={name}" for name in names] or ["", ""]
    promises = [f"gaussian=4.5, releases=10{named[0]}", f"gaussian=4.5, sensitivity=2{named[1]}"]
    stated = [word for each in promises for word in ("--promise", each)]
    told = CliRunner().invoke(whit, [command, *stated, "--failure", "0.01", "--why"]).stdout
    for name, change in zip(names or ("promise 1", "promise 2"), (1, 2), strict=True):
        assert f"{name.capitalize()}: One record changes the exact answer by at most {change}." in told
    assert "sigma = 4.5: One record" not in told


def test_why_says_each_assumption_of_the_answers_in_a_sentence():
    asked = ("--gaussian", "4.23", "--question", "posterior", "--question", "power")
    for more in ((), ("--failure", "0.01")):
        shown = assessed(*asked, *more, "--why").partition("assumes\n")[2]
        document = json.loads(assessed(*asked, *more, "--json"))["answers"]
        keys = {
            name
            for each in document
            for key in each["finding"]["basis"]["theorems"]
            for name in theorem(key).assumptions
        }
        keys -= set() if more else {"belief-is-right"}  # what always holds has no failure probability
        said = {line.split("  ")[-1].strip() for line in shown.splitlines()}
        assert said == {assumption(key).plain for key in keys} | {"One record changes the exact answer by at most 1."}
    assert "posterior  who chose the model    The failure probability is computed" in shown


@pytest.mark.parametrize("promise", ["--gaussian 1", "--epsilon 1 --delta 1e-6", "--rho 0.1"])
def test_a_belief_without_a_bound_is_told_alike_whatever_is_promised(promise):
    """Without a failure probability certainty is not ruled out: by noise in truth, by a promise for all we know."""
    result = run(*promise.split(), "--prior", "0.1", "--question", "posterior")
    assert result.exit_code == 3
    first = "Nothing is ruled out: the adversary may become certain. No bound below 100 % holds for every outcome."
    assert result.stdout.startswith(f"{first} Add --failure 0.01")
    row = next(line for line in result.stdout.splitlines() if line.startswith("posterior "))
    assert "may be 100 %" in row
    assert run(*promise.split(), "--prior", "0.1", "--question", "posterior", "--failure", "0.01").exit_code == 0


@pytest.mark.parametrize("epsilon", [36, 40, 300])
def test_a_bounded_loss_is_never_said_to_rule_nothing_out(epsilon):
    """The posterior is 1 / (1 + e^-epsilon), below 1 by less than a double shows."""
    result = run("--epsilon", str(epsilon))
    assert result.exit_code == 0
    assert "othing is ruled out" not in result.stdout
    assert "may exceed 99.9 %" in result.stdout


def test_two_worst_priors_have_two_names():
    printed = run("--epsilon", "1").stdout
    assert "rise: 37.8 % (rounded up); ratio: close to 0 %" in printed
