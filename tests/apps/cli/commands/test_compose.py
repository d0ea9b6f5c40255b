"""`whit compose` adds up promises of any kinds, and says what each of them adds."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from mpmath import mp, mpf

from whit.apps.cli import whit

PARTS = ["--promise", "epsilon=0.5", "--promise", "gaussian=4, releases=3", "--promise", "rho=0.01, name=older"]


def run(*arguments: str):
    return CliRunner().invoke(whit, ["compose", *arguments])


def document(*arguments: str) -> dict[tuple[str, str], float]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    answers = json.loads(result.stdout)["answers"]
    return {(each["of"], each["name"]): float(each["finding"]["value"]) for each in answers}


def test_delta_of_a_coin_beside_gaussian_noise_is_that_of_their_product():
    found = document("--promise", "epsilon=0.5", "--promise", "gaussian=4, releases=3", "--at-epsilon", "1")
    with mp.workdps(30):
        mu, size = mp.sqrt(3) / 4, mpf("0.5")
        heads = mp.exp(size) / (1 + mp.exp(size))

        def gaussian(epsilon: mpf) -> mpf:
            return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)

        truth = heads * gaussian(1 - size) + (1 - heads) * gaussian(1 + size)
    assert truth <= found["all together", "delta.1"] <= truth * mpf("1.001")


def test_all_together_is_at_least_each_and_at_least_all_but_one():
    found = document(*PARTS, "--failure", "0.01")
    for name in ("epsilon.1e-6", "posterior", "power"):
        whole = found["all together", name]
        others = [number for (of, asked), number in found.items() if asked == name and of != "all together"]
        assert len(others) == 6
        assert all(number <= whole for number in others)


def test_a_file_with_several_promises_says_the_same(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(
        "[[promise]]\nepsilon = 0.5\n[[promise]]\ngaussian = 4\nreleases = 3\n[questions]\nfailure = 0.01\n",
        encoding="utf-8",
    )
    by_file = document("--from", str(file))
    by_options = document(*PARTS[:4], "--failure", "0.01")
    assert by_file["all together", "posterior"] == by_options["all together", "posterior"]


def test_the_table_names_every_part_and_why_names_theorems():
    result = run(*PARTS, "--failure", "0.01", "--why")
    assert result.exit_code == 0, result.output
    for said in (
        "all together",
        "only epsilon=0.5",
        "all but older",
        "epsilon at delta 1e-6",
        "dominating-pairs-compose",
    ):
        assert said in result.stdout


def test_promises_of_one_name_are_told_apart():
    assert {of for of, _ in document("--promise", "epsilon=1", "--promise", "epsilon=1")} == {
        "all together",
        "only epsilon=1 (1)",
        "only epsilon=1 (2)",
    }


def test_what_rules_nothing_out_says_what_to_ask_instead():
    result = run("--promise", "epsilon=1, delta=1e-5", "--promise", "gaussian=2")
    assert "Ask with a larger --at-delta." in result.stdout
    assert "No bound below 100 % holds for every outcome. Add --failure 0.01 for a bound" in result.stdout


RHOS = ["--promise", "rho=0.2", "--promise", "rho=0.1"]
NO_BOUND = "Nothing is ruled out: the adversary may become certain."


def test_the_only_question_without_an_answer_says_why_and_what_to_ask_and_fails_as_assess_does():
    result = run(*RHOS, "--question", "posterior")
    alone = CliRunner().invoke(whit, ["assess", "--rho", "0.3", "--question", "posterior"])
    assert result.exit_code == alone.exit_code == 3
    way_out = "No bound below 100 % holds for every outcome. Add --failure 0.01 for a bound"
    for said in (NO_BOUND, "may be 100 %", way_out):
        assert said in result.stdout
        assert said in alone.stdout
    why = "The posterior is not bounded by this promise at a failure probability of 0; got rho = 0.2 and rho = 0.1."
    assert f"No answer to posterior: {why} Ask with --failure 1e-6 or more.\n" in result.stdout
    assert "not answered" not in result.stdout


def test_what_was_asked_by_name_and_has_an_answer_is_enough():
    asked = run(*RHOS, "--question", "posterior", "--at-delta", "1e-6")
    assert asked.exit_code == 0
    assert asked.stdout.startswith(NO_BOUND)
    assert run(*RHOS).exit_code == 0
    assert run(*RHOS, "--question", "posterior", "--failure", "0.01").exit_code == 0


def test_a_question_that_lacks_something_says_what():
    result = run(*RHOS, "--question", "success")
    assert result.exit_code == 3
    assert result.stdout.startswith("No question has an answer about all promises together; the reasons stand below")
    assert "No answer to success: The success of a guess needs" in result.stdout
    assert "Ask with --baseline 0.01." in result.stdout


def test_deltas_above_the_delta_asked_about_are_not_called_as_large():
    result = run("--promise", "epsilon=1, delta=1e-6", "--promise", "epsilon=1, delta=1e-6")
    assert "the deltas of these promises together are at least as large as the delta asked about." in result.stdout


FAR_OUT = ["--promise", "gaussian=1e-200", "--promise", "gaussian=1e-200"]
SMALL = ["--promise", "rho=0.1", "--promise", "gaussian=3", "--promise", "laplace=2", "--at-delta", "1e-50"]


@pytest.mark.parametrize("arguments", [FAR_OUT, SMALL])
def test_an_epsilon_that_no_double_holds_is_not_blamed_on_deltas(arguments):
    """Noise has no delta of its own; an epsilon of mu^2 / 2, here 5e399, lies beyond the doubles."""
    said = run(*arguments).stdout
    assert "the largest double" in said
    assert "the deltas of these promises" not in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--promise", "epsilon=1"], 2, "what is composed must be at least two promises; got 1"),
        ([], 2, "at least two promises; got 0"),
        ([*PARTS, "--at-delta", "2"], 2, "--at-delta must be a probability"),
        ([*PARTS, "--at-delta", "x"], 2, "--at-delta must be a number"),
        (["--promise", "epsilon=1", "--promise", "epsilom=1"], 2, "Did you mean epsilon?"),
        (
            ["--promise", "epsilon=1, neighbours=replace", "--promise", "epsilon=1, partition_selection=1"],
            2,
            "partition",
        ),
    ],
)
def test_what_cannot_be_composed_is_refused_with_a_sentence(arguments, code, said):
    result = run(*arguments)
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_the_whole_is_said_first_and_a_pure_promise_has_no_delta():
    result = CliRunner().invoke(
        whit, ["compose", "--promise", "epsilon=1", "--promise", "epsilon=0.5", "--at-epsilon", "1.5"]
    )
    opening, _, asked, *_ = result.stdout.splitlines()
    # The posterior from even odds at a loss of 1.5 is 1 / (1 + e^-1.5) = 81.76 %.
    assert opening == "The adversary's belief in the truth goes from 50 % to at most 81.8 %."
    assert asked == "Asked of: epsilon = 1 and epsilon = 0.5, neighbours add-remove."
    assert "at most 0 " not in result.stdout


def test_promises_that_have_names_are_asked_by_them():
    promises = ["--promise", "name=survey, epsilon=1", "--promise", "name=model, gaussian=2, releases=3"]
    result = CliRunner().invoke(whit, ["compose", *promises, "--failure", "0.01"])
    asked = result.stdout.splitlines()[2]
    parts = "survey: epsilon = 1; model: Gaussian noise, sigma = 2, in each of 3 releases; neighbours add-remove"
    assert asked == f"Asked of: {parts}."


def test_every_row_is_under_the_neighbours_of_the_header():
    mixed = [
        "--promise",
        "epsilon=1",
        "--promise",
        "epsilon=0.5, neighbours=replace, releases=2",
        "--promise",
        "laplace=2",
    ]
    found = document(*mixed, "--at-delta", "0")
    # A replaced record is one that is removed and one that is added: twice the epsilon of the first promise.
    assert found["only epsilon=1", "epsilon.0"] == 2.0
    assert found["only epsilon=0.5, neighbours=replace, releases=2", "epsilon.0"] == 1.0
    assert found["only laplace=2", "epsilon.0"] == 0.5
    assert found["all but epsilon=0.5, neighbours=replace, releases=2", "epsilon.0"] == 2.5
    assert found["all together", "epsilon.0"] == 3.5
    for name in ("posterior", "power"):
        largest = max(number for (of, asked), number in found.items() if asked == name)
        assert found["all together", name] == largest
    said = run(*mixed).output
    assert "neighbours replace; prior 50 %" in said
    note = "Every row is under the neighbours replace. Stated under others: "
    assert f"{note}epsilon=1 (add-remove); laplace=2 (add-remove)." in said


def test_in_json_every_row_names_the_neighbours_of_the_header():
    result = run(
        "--promise", "epsilon=1", "--promise", "epsilon=0.5, neighbours=replace", "--at-delta", "0.01", "--json"
    )
    tree = json.loads(result.stdout)
    assert tree["asked"]["neighbours"] == "replace"
    steps = {each["of"]: each["finding"]["basis"]["theorems"] for each in tree["answers"] if each["name"] == "power"}
    assert "group-privacy" in steps["only epsilon=1"]
    assert "group-privacy" not in steps["only epsilon=0.5, neighbours=replace"]


def test_promises_about_the_same_neighbours_need_no_note():
    assert "Every row is under" not in run(*PARTS).output
