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
