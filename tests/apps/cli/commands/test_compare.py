from __future__ import annotations

import json

import mpmath
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

CENSUS = [
    "compare",
    "--promise",
    "epsilon=17.14, delta=1e-10",
    "--promise",
    "rho=2.56",
    "--promise",
    "rho=2.56, noise=gaussian",
    "--failure",
    "0.01",
    "--knows",
    "everyone-else",
    "--json",
]


@pytest.fixture(scope="module")
def census() -> dict[tuple[str, str], dict]:
    result = CliRunner().invoke(whit, CENSUS)
    assert result.exit_code == 0, result.output
    return {(each["of"], each["name"]): each for each in json.loads(result.stdout)["answers"]}


def upper(answer: dict) -> mpmath.mpf:
    found = answer["finding"]["value"] if "finding" in answer else answer["interval"]["upper"]
    return mpmath.mpf(found)


def test_the_census_read_by_epsilon_seems_to_give_everybody_away(census):
    epsilon, delta, level = mpmath.mpf(17.14), mpmath.mpf(1e-10), mpmath.mpf(0.05)
    # The largest power under (epsilon, delta): the better of the two lines of the trade-off function.
    truth = min(delta + mpmath.exp(epsilon) * level, 1 - mpmath.exp(-epsilon) * (1 - delta - level))
    found = upper(census["epsilon=17.14, delta=1e-10", "power"])
    assert found >= truth
    assert found <= truth + mpmath.mpf(10) ** -12
    assert found > 0.9999999


def test_the_noise_being_gaussian_says_73_percent_where_rho_alone_says_94(census):
    mu = mpmath.sqrt(2 * mpmath.mpf(2.56))
    threshold = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(0.05))
    truth = mpmath.ncdf(mu - threshold)
    gaussian, rho = (upper(census[name, "power"]) for name in ("rho=2.56, noise=gaussian", "rho=2.56"))
    assert truth <= gaussian <= truth + mpmath.mpf(10) ** -9
    assert round(float(gaussian), 2) == 0.73
    assert 0.93 < rho < 0.94


def test_the_posterior_of_the_gaussian_is_exceeded_once_in_a_hundred(census):
    mu = mpmath.sqrt(2 * mpmath.mpf(2.56))
    loss = mu * mu / 2 + mu * mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(0.01))
    truth = 1 / (1 + mpmath.exp(-loss))
    found = upper(census["rho=2.56, noise=gaussian", "posterior"])
    assert truth <= found <= truth + mpmath.mpf(10) ** -9


def test_knowing_more_never_raises_the_risk(census):
    for name in ("posterior", "expected_posterior", "power", "advantage"):
        assert upper(census["rho=2.56, noise=gaussian", name]) <= upper(census["rho=2.56", name])


def test_a_promise_without_an_answer_keeps_its_line():
    result = CliRunner().invoke(whit, ["compare", "--promise", "epsilon=1", "--promise", "epsilon=1,delta=1e-6"])
    assert result.exit_code == 0
    assert "not answered" in result.stdout.splitlines()[-1]
    assert "at most 73.2 %" in result.stdout.splitlines()[-2]


def test_the_usual_options_state_a_promise_beside_the_texts():
    result = CliRunner().invoke(whit, ["compare", "--epsilon", "1", "--promise", "epsilon=2", "--question", "power"])
    assert result.exit_code == 0, result.output
    assert [line.split()[0] for line in result.stdout.splitlines()[-2:]] == ["epsilon=1", "epsilon=2"]


def test_every_promise_is_told_with_its_neighbours():
    arguments = ["compare", "--promise", "epsilon=1, neighbours=local", "--promise", "rho=1"]
    lines = CliRunner().invoke(whit, arguments).stdout.splitlines()
    assert "promise                      neighbours  posterior" in lines[2]
    assert lines[3].startswith("epsilon=1, neighbours=local  local  ")
    assert lines[4].startswith("rho=1                        add-remove  ")


def test_promises_about_different_neighbours_are_not_ranked():
    several = ["compare", "--promise", "epsilon=1", "--promise", "epsilon=1, neighbours=local"]
    result = CliRunner().invoke(whit, several)
    assert result.exit_code == 0, result.output
    assert "the report that one person sends. Their numbers do not rank them" in result.stdout.replace("\n", " ")
    same = CliRunner().invoke(whit, ["compare", "--promise", "epsilon=1", "--promise", "epsilon=2"])
    assert "rank" not in same.stdout


def test_two_promises_of_one_name_are_refused():
    result = CliRunner().invoke(whit, ["compare", "--promise", "epsilon=1", "--promise", "epsilon=1"])
    assert result.exit_code == 2
    assert "names of promises must differ" in result.stderr


def test_certainty_comes_with_the_option_that_lowers_it():
    hint = "Add --failure 0.01 for a bound that holds except with probability 1 %."
    asked = ["compare", "--promise", "epsilon=1", "--promise", "gaussian=2"]
    assert hint in CliRunner().invoke(whit, asked).stdout
    assert hint not in CliRunner().invoke(whit, [*asked, "--failure", "0.01"]).stdout
    assert hint not in CliRunner().invoke(whit, ["compare", "--promise", "epsilon=1"]).stdout


def test_a_looser_theorem_is_noted_in_text_and_json():
    noise = ["--promise", "name=a, gaussian=4, releases=20", "--promise", "name=b, discrete-gaussian=4, releases=20"]
    asked = [*noise, "--knows", "everyone-else", "--failure", "0.01", "--question", "posterior"]
    note = "The bound on the posterior of b comes from the privacy profile (tail-from-profile)."
    assert note in CliRunner().invoke(whit, ["compare", *asked]).output
    tree = json.loads(CliRunner().invoke(whit, ["compare", *asked, "--json"]).stdout)
    assert any(each.startswith(note) for each in tree["notes"])
