from __future__ import annotations

import json
import math
import re
import statistics

import mpmath
import pytest
from click.testing import CliRunner

from whit.apps.asking.commands.convert import KINDS
from whit.apps.cli import whit


def answered(*arguments: str):
    return CliRunner().invoke(whit, [*arguments])


def converted(*arguments: str):
    return answered("convert", *arguments)


def test_a_parameter_is_rounded_up_and_the_document_has_all_its_digits():
    arguments = ["--epsilon", "1", "--to", "rho"]
    whole = json.loads(converted(*arguments, "--json").stdout)["result"]["parameters"]["rho"]
    assert mpmath.tanh(0.5) <= whole <= mpmath.tanh(0.5) * (1 + mpmath.mpf("1e-14"))
    [shown] = [line.split()[1] for line in converted(*arguments).stdout.splitlines() if line.startswith("rho  ")]
    assert mpmath.mpf(whole) <= mpmath.mpf(shown) <= mpmath.mpf(whole) * (1 + mpmath.mpf("1e-5"))
    assert converted(*arguments).stdout.startswith(f"epsilon = 1 implies rho = {shown}.\n")


def test_the_divergences_of_orders_are_rounded_up_as_well():
    text = converted("--rho", "0.1", "--to", "renyi", "--orders", "2,3").stdout
    shown = [float(each) for each in re.findall(r"([.\d]+) at order [23]", text)]
    assert len(shown) == 2
    assert all(0.1 * order <= each <= 0.1 * order + 1e-6 for order, each in zip((2, 3), shown, strict=True))


def test_a_delta_below_that_of_a_group_is_refused_with_the_smallest_there_is():
    result = converted(
        "--epsilon", "1", "--delta", "1e-6", "--to", "epsilon-delta", "--at-delta", "1e-5", "--group", "4"
    )
    assert result.exit_code == 3
    assert "Ask with delta 3.12e-5 or more." in result.stderr


def test_a_group_whose_records_are_all_replaced_moves_the_answer_by_what_replacing_moves():
    """Laplace noise of scale 5, where a replaced record changes the answer by 2: of two such records, 4/5."""
    noise = ("--laplace", "5", "--sensitivity", "1:2", "--group", "2", "--to", "all", "--json")
    for relation, loss in (("add-remove", 2 / 5), ("replace", 4 / 5)):
        tree = json.loads(converted(*noise, "--neighbours", relation).stdout)
        [found, *_] = [each["finding"]["value"] for each in tree["answers"] if each["name"] == "epsilon"]
        assert loss <= found <= loss * (1 + 1e-9), relation


@pytest.mark.parametrize("noise", [("--laplace", "5"), ("--geometric", "0.2"), ("--discrete-gaussian", "5")])
@pytest.mark.parametrize("releases", ["1", "3"])
def test_a_group_has_the_same_number_in_both_forms(noise, releases):
    asked = (*noise, "--releases", releases, "--group", "2")
    every = json.loads(converted(*asked, "--to", "all", "--json").stdout)["answers"]
    for word in ("mu", "rho"):
        [known] = [each["finding"]["value"] for each in every if each["name"] == word]
        one = json.loads(converted(*asked, "--to", word, "--json").stdout)["result"]["parameters"][word]
        assert known == pytest.approx(one, rel=1e-8), word


def test_a_group_of_two_replaced_records_is_gaussian_noise_with_twice_the_change():
    """Closed form: mu = 2/5, whose delta at epsilon 1.765648 is 1e-6; the sentence says whom it protects."""
    asked = (
        "--gaussian",
        "5",
        "--group",
        "2",
        "--neighbours",
        "replace",
        "--to",
        "epsilon-delta",
        "--at-delta",
        "1e-6",
    )
    said = converted(*asked).stdout
    assert said.startswith(
        "Gaussian noise, sigma = 5, neighbours replace, for a group of 2 records, implies epsilon = 1.76"
    )
    found = json.loads(converted(*asked, "--json").stdout)["result"]["parameters"]["epsilon"]
    normal = statistics.NormalDist()

    def delta(epsilon: float) -> float:
        return normal.cdf(0.2 - epsilon / 0.4) - math.exp(epsilon) * normal.cdf(-0.2 - epsilon / 0.4)

    assert delta(found) <= 1e-6 * (1 + 1e-9)
    assert delta(found - 1e-5) > 1e-6


def test_a_bounded_promise_is_told_from_one_by_epsilon_and_delta():
    said = converted("--gaussian", "5", "--at-delta", "1e-6", "--to", "bounded").stdout
    assert "implies probabilistically bounded DP, epsilon = 1.00" in said


def rho_of(*arguments: str) -> mpmath.mpf:
    return mpmath.mpf(json.loads(converted(*arguments, "--to", "rho", "--json").stdout)["result"]["parameters"]["rho"])


@pytest.mark.parametrize(
    ("noise", "rho"),
    [
        (["--gaussian", "5"], mpmath.mpf(1) / 50),
        (["--discrete-gaussian", "5"], mpmath.mpf(1) / 50),
        (["--laplace", "2"], mpmath.exp(-0.5) - 0.5),
        (["--geometric", "0.5", "--releases", "3"], 3 * mpmath.tanh(0.25) / 2),
        (["--gaussian", "5", "--sensitivity", "histogram", "--neighbours", "replace"], mpmath.mpf(1) / 25),
    ],
)
def test_noise_is_converted_through_the_promise_that_it_keeps(noise, rho):
    assert rho <= rho_of(*noise) <= rho * (1 + mpmath.mpf("1e-12"))


def test_a_refusal_names_the_noise_as_it_was_written():
    result = converted("--gaussian", "5", "--to", "epsilon")
    assert result.exit_code == 3
    assert "got Gaussian noise, sigma = 5. The loss has no bound here: ask with a delta." in result.stderr


def test_a_table_names_the_relation_in_words():
    answer = converted("--rho", "0.5", "--to", "epsilon-delta", "--at-delta", "1e-6")
    assert "add-remove" in answer.stdout
    assert "ADD_REMOVE" not in answer.stdout


def test_all_kinds_stand_in_one_table_with_the_numbers_of_each_kind_alone():
    result = converted("--gaussian", "2", "--to", "all", "--at-delta", "1e-5", "--orders", "2,4")
    rows = dict(re.findall(r"^(\S.*?)  +((?:at most |exactly )?\S+)", result.stdout, flags=re.MULTILINE))
    assert rows["epsilon"] == "none"
    # rho is 1/(2 sigma^2), mu 1/sigma, and the divergence of order alpha is alpha rho.
    assert rows["rho"] == "at most 0.125"
    assert rows["mu"] == "exactly 0.5"
    assert float(rows["Rényi divergence of order 4"]) == pytest.approx(0.5, abs=2e-3)
    alone = converted("--gaussian", "2", "--to", "epsilon-delta", "--at-delta", "1e-5").stdout
    [epsilon] = re.findall(r"epsilon = ([.\d]+),", alone)
    assert float(rows["epsilon at delta 1e-5"]) == pytest.approx(float(epsilon), rel=0.01)


def test_what_is_not_asked_of_all_kinds_is_refused():
    result = converted("--gaussian", "2", "--to", "all", "--population", "100")
    assert result.exit_code != 0
    assert "--population does not apply to --to all" in result.stderr


@pytest.mark.parametrize("source", [["--mu", "1"], ["--gaussian", "2"], ["--gaussian", "7"], ["--laplace", "2"]])
@pytest.mark.parametrize("to", [["rho"], ["mu"], ["renyi", "--orders", "2,8"], ["epsilon-delta", "--at-delta", "1e-6"]])
def test_the_sentence_and_the_table_have_the_same_numbers_on_the_safe_side(source, to):
    text = converted(*source, "--to", *to).stdout
    sentence, _, table = text.partition("\n\n")
    rows = re.findall(r"^(?:rho|mu|orders|epsilon|delta)  +(.*)$", table.partition("\n\n")[0], flags=re.MULTILINE)
    shown = re.findall(r"[-.e\d]*\d", re.sub(r"at order \d+", "", " ".join(rows)))
    assert shown
    assert all(each in sentence for each in shown)
    whole = json.loads(converted(*source, "--to", *to, "--json").stdout)["result"]["parameters"]
    exact = [*(whole["orders"].values() if "orders" in whole else [v for v in whole.values() if isinstance(v, float)])]
    assert all(float(each) >= number for each, number in zip(shown, exact, strict=True))


def test_what_can_be_reached_is_reached_from_this_promise():
    """A delta above 0 bars pure privacy and all that follows only through it; the list had the refused kind."""
    said = converted("--epsilon", "1", "--delta", "1e-6", "--to", "rho").stderr
    reached = said.partition("reach ")[2].rstrip(".\n").split(", ")
    assert "epsilon-delta" in reached
    assert not {"rho", "mu", "epsilon", "bounded-range"} & {*reached}
    for kind in ("mu", "epsilon", "bounded-range"):
        assert converted("--epsilon", "1", "--delta", "1e-6", "--to", kind).exit_code == 3


VECTOR = ("--sensitivity", "1+2+4:1+2+4", "--releases", "12")


def theorems_of(*arguments: str) -> list[str]:
    return json.loads(converted(*arguments, "--json").stdout)["result"]["theorems"]


def test_the_theorems_of_a_number_are_named_with_it():
    arguments = ("--gaussian", "33.852", *VECTOR, "--to", "epsilon-delta", "--at-delta", "1e-6")
    text = converted(*arguments).stdout
    assert f"Rests on: {', '.join(theorems_of(*arguments))}. whit theorem gaussian-profile shows the first.\n" in text
    assert "fresh noise" not in text
    assert "Each release draws fresh noise, independent of the noise of every other release." in (
        converted(*arguments, "--why").stdout
    )
    assert re.search(r", mu, .*who chose the model", converted("--laplace", "2", "--to", "all", "--why").stdout)


@pytest.mark.parametrize(
    ("noise", "key"),
    [(["--laplace", "32.458"], "laplace-zcdp"), (["--discrete-gaussian", "33.852"], "noise-of-a-share")],
)
def test_a_rho_in_closed_form_rests_on_its_formula_and_on_the_sum_alone(noise, key):
    several = theorems_of(*noise, *VECTOR, "--to", "rho")
    assert {key, "zcdp-composition"} <= {*several}
    assert not {"hockey-stick", "losses-add", "two-lattice-pairs", "tilted-convolution"} & {*several}
    assert "zcdp-composition" not in theorems_of(*noise, "--to", "rho")


@pytest.mark.parametrize(("source", "to"), [(["--rho", "0.1"], "epsilon"), (["--rho", "2.56"], "mu")])
def test_what_can_be_reached_is_a_word_of_the_option(source, to):
    said = converted(*source, "--to", to).stderr
    reached = said.partition("reach ")[2].rstrip(".\n").split(", ")
    assert {"epsilon-delta", "renyi"} <= {*reached} <= {*KINDS}


def test_a_refusal_has_the_whole_name_of_the_noise():
    said = converted("--discrete-gaussian", "33.852", *VECTOR, "--to", "epsilon").stderr
    assert "got discrete Gaussian noise, sigma = 33.852, sensitivity 1+2+4, in each of 12 releases. The loss" in said


def test_a_sentence_begins_with_a_capital_and_ends_its_subject_with_a_comma():
    said = converted("--geometric", "0.5", "--releases", "3", "--to", "mu").stdout
    assert said.startswith("Geometric noise, epsilon = 0.5, in each of 3 releases, implies mu = ")


@pytest.mark.parametrize("releases", ["1", "3"])
def test_all_kinds_and_one_kind_alone_print_the_same_mu(releases):
    noise = ("--geometric", "0.030777", "--sensitivity", "1+2+4:1+2+4", "--releases", releases)
    [every] = [
        each
        for each in json.loads(converted(*noise, "--to", "all", "--json").stdout)["answers"]
        if each["name"] == "mu"
    ]
    alone = json.loads(converted(*noise, "--to", "mu", "--json").stdout)["result"]["parameters"]["mu"]
    assert every["finding"]["value"] == pytest.approx(alone, rel=1e-9)


def test_the_epsilon_of_noise_is_one_number_at_every_door():
    """Gaussian noise has its epsilon exactly: no command calls it a bound or says that something is lost."""
    noise, at = ("--gaussian", "2", "--releases", "3"), ("--at-delta", "1e-6")
    one = converted(*noise, "--to", "epsilon-delta", *at)
    every = converted(*noise, "--to", "all", *at)
    claimed = answered("claim", "gaussian=2, releases=3, delta=1e-6")
    promises = ("--promise", "gaussian=2, releases=2", "--promise", "gaussian=2")
    composed = answered("compose", *promises, *at, "--question", "power")
    shown = re.search(r"epsilon at delta 1e-6 +(\S+ \(rounded up\))", every.output)
    assert shown is not None
    assert f"The epsilon at delta = 1e-6 is {shown[1]}." in claimed.output
    assert f"all together        {shown[1]}" in re.sub(" {2,}", " " * 8, composed.output)
    digits = re.search(r"^epsilon +(\S+) \(rounded up\)$", one.output, re.MULTILINE)
    assert digits is not None
    assert float(shown[1].split()[0]) - 0.01 < float(digits[1]) <= float(shown[1].split()[0])
    assert "something is lost" not in one.output


def test_a_step_that_is_not_the_best_says_that_something_is_lost():
    assert "something is lost" in converted("--rho", "0.07", "--to", "epsilon-delta", "--at-delta", "1e-6").output
