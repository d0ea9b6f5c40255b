"""`whit claim` says what a claim means, what is missing, and what is like it."""

from __future__ import annotations

import json
import math

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit


def run(*arguments: str):
    return CliRunner().invoke(whit, ["claim", *arguments])


def test_the_number_comes_first_and_every_gap_has_its_reason():
    result = run("epsilon=2, delta=1e-6, unit=user, period=day", "--prior", "0.1")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "epsilon = 2, delta = 1e-6, for one user within one day."
    assert lines[1].startswith("From a prior of 10 %, the posterior is at most ")
    assert lines[1].endswith(", except with probability 1 %.")
    assert sum(line.startswith("Not stated: ") for line in lines) == 7
    assert "cannot be ranked against the claim" in lines[-1]


def test_the_document_has_the_posterior_of_the_claim_and_of_each_case():
    result = run("epsilon=1", "--json")
    tree = json.loads(result.stdout)
    first = tree["answers"][0]
    assert first["name"] == "posterior"
    assert float(first["finding"]["value"]) == pytest.approx(1 / (1 + math.exp(-1)), rel=1e-9)
    assert "unit" in tree["result"]["missing"]
    assert len(tree["result"]["near"]) == 3
    assert {each["of"] for each in tree["answers"]} >= {"If one person has 10 such records"}


def test_several_promises_are_one_claim():
    others, who = ("--promise", "gaussian=8, releases=4"), ("--prior", "0.1", "--failure", "0.01", "--json")
    tree = json.loads(run("epsilon=0.5, unit=person", "--promise", "epsilon=0.5", *others, *who).stdout)
    composed = CliRunner().invoke(whit, ["compose", "--promise", "epsilon=0.5, releases=2", *others, *who])
    [expected] = [
        each["finding"]["value"]
        for each in json.loads(composed.stdout)["answers"]
        if each["of"] == "all together" and each["name"] == "posterior"
    ]
    assert tree["answers"][0]["finding"]["value"] == pytest.approx(expected, rel=1e-9)
    assert [each["releases"] for each in tree["result"]["promises"]] == [1, 1, 4]
    assert {"delta", "noise"} <= set(tree["result"]["missing"])  # two of them leave it open
    [covers] = [each for each in tree["result"]["points"] if each["key"] == "covers"]
    assert covers["left_open_by"] == ["epsilon = 0.5"]  # the noise is that of each release


def test_a_sample_and_the_neighbours_of_several_promises_are_found():
    one, other = "gaussian=8, neighbours=replace", "gaussian=1, sampling-rate=0.01, releases=10"
    missing = json.loads(run(one, "--promise", other, "--json").stdout)["result"]["missing"]
    assert "neighbours" in missing
    assert not {"noise", "delta"} & set(missing)
    points = json.loads(run(one, "--promise", other, "--json").stdout)["result"]["points"]
    left_open = {each["key"]: each.get("left_open_by") for each in points}
    assert "sampling" in missing
    assert left_open["neighbours"] == ["Gaussian noise, sigma = 1, on a sample at rate 0.01"]


def test_a_case_says_twice_of_what():
    assert "If somebody has two records where it assumes one, and comes" in run("epsilon=1").stdout


def test_a_sample_that_is_drawn_otherwise_has_no_number_and_no_release_beside_it():
    result = run("gaussian=1, sampling_rate=0.01, epsilon=2, delta=1e-5, sampling=shuffled batches", "--why")
    assert result.exit_code == 0, result.output
    assert 'The claim says "shuffled batches", so no number follows from the sample.' in result.stdout
    assert "so the stated epsilon of 2 is not shown" in result.stdout
    assert "ranked against" not in result.stdout
    assert "rests on" not in result.stdout


def test_why_names_theorems_and_what_they_assume():
    shown = run("gaussian=1, sampling_rate=0.01, epsilon=2, delta=1e-5, releases=2", "--why", "--near", "1").stdout
    assert "poisson-subsampling" in shown
    assert "dominating-pairs-compose" in shown
    assert "Each record is in the sample with the stated chance, independently of all others" in shown
    assert "rests on" not in run("epsilon=1", "--near", "1").stdout


def test_a_failure_of_the_options_is_taken():
    assert "except with probability 5 %" in run("epsilon=1, delta=1e-6", "--failure", "5%").stdout


def test_the_difference_of_units_is_spelled_out():
    shown = run("epsilon=1, unit=sensor", "--near", "1").stdout
    assert "the claim protects one sensor within the whole of the data" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["epsilon=2, unti=user"], "unti"),
        (["nonsense"], "a claim must state a number; got nonsense."),
        (
            ["steps=20,000, unit=user"],
            'steps in "steps=20,000, unit=user" must be a number without commas; got 20,000.',
        ),
        (["gaussian=1, steps=1,000,000"], "got 1,000,000. Write 1000000."),
        (["gaussian=1, 2"], "a claim must be made of name=value; got 2."),
        (["epsilon=2", "--near", "0"], "--near must be a whole number of at least 1"),
        ([], "Missing argument"),
    ],
)
def test_what_is_no_claim_is_refused(arguments, said):
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    "word", ["unit=person", "period=day", "covers=each release", "adaptive=no", "sampling=shuffled"]
)
def test_a_word_of_the_whole_claim_inside_of_one_promise_is_refused(word):
    result = run("epsilon=1", "--promise", f"epsilon=0.5, {word}")
    assert result.exit_code == 2
    assert "is said of all promises together" in result.stderr
    assert "Write it in the first text." in result.stderr
