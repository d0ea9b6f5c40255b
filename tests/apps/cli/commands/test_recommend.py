from __future__ import annotations

import json
import math
import re
from decimal import Decimal

import mpmath
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.mechanisms import DiscreteGaussian
from whit.policy import limits, recommend


def recommended(*arguments: str) -> dict:
    result = CliRunner().invoke(whit, ["recommend", *arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_epsilon_of_a_constant_profile_is_that_of_the_formula_rounded_down():
    found = recommended("--profile", "relative=3", "--for", "epsilon", "--digits", "8")
    truth = mpmath.log(3) / 2  # KR24, equation 14
    rounded = mpmath.mpf(found["result"]["rounded"])
    assert rounded <= truth
    assert rounded >= truth - mpmath.mpf(10) ** -7


@pytest.mark.parametrize(
    ("kind", "failure"), [("epsilon", "0"), ("rho", "0.01"), ("laplace", "0"), ("gaussian", "0.01")]
)
def test_a_parameter_that_is_named_in_any_answer_is_allowed(kind, failure):
    limited = ("--limit", "posterior=0.3, prior=0.1", "--releases", "5", "--failure", failure)
    [named] = {each["of"] for each in recommended("--for", kind, *limited, "--digits", "9")["answers"]}
    shown = named.rpartition(" = ")[2]
    checked = CliRunner().invoke(whit, ["check", f"--{kind}", shown, *limited])
    assert checked.stdout.startswith("Allowed"), (named, checked.output)


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        (["--profile", "relative=3", "--for", "epsilon"], "largest epsilon that meets the limit"),
        (
            ["--limit", "posterior=0.3, prior=0.1", "--for", "gaussian", "--failure", "0.01"],
            "smallest sigma that meets the limit",
        ),
    ],
)
def test_why_names_the_theorems_of_the_parameter_and_what_they_assume(arguments, parameter):
    first = recommended(*arguments)["answers"][0]["finding"]["basis"]["theorems"]
    result = CliRunner().invoke(whit, ["recommend", *arguments, "--why"])
    assert result.exit_code == 0, result.output
    [row] = [line for line in result.stdout.splitlines() if line.startswith(parameter) and first[0] in line]
    assert row.split(maxsplit=len(parameter.split()))[-1] == ", ".join(first)
    assert "who holds the data" in result.stdout
    assert "One person adds no more to the data" in result.stdout
    assert "rests on" not in CliRunner().invoke(whit, ["recommend", *arguments]).stdout


def test_of_several_promises_one_is_looked_for_and_the_others_are_spent(tmp_path):
    file = tmp_path / "two.toml"
    limit = "[limit]\ndifference = 0.2\n[questions]\nfailure = 0.01\n"
    file.write_text(f"[[promise]]\nepsilon = 0.5\n[[promise]]\ngaussian = 8\nreleases = 3\n{limit}")
    result = CliRunner().invoke(whit, ["recommend", "--from", str(file), "--for", "rho"])
    assert result.exit_code == 2
    rule = "--for must say which of the 2 promises of the file to look for (epsilon, gaussian); got rho."
    assert f"{rule} Use --for epsilon or --for gaussian; the rest then counts as spent." in result.output
    named = recommended("--from", str(file), "--for", "gaussian")
    asked = ("--limit", "difference=0.2", "--failure", "0.01", "--for", "gaussian", "--releases", "3")
    assert named["result"]["rounded"] == recommended(*asked, "--spent", "epsilon=0.5")["result"]["rounded"]
    assert named["result"]["opening"].startswith(
        f"Use sigma {named['result']['rounded']} in each of 3 releases: together"
    )
    printed = CliRunner().invoke(whit, ["recommend", "--from", str(file), "--for", "gaussian"]).stdout
    assert "\nSpent: epsilon = 0.5.\n" in printed


def test_of_promises_of_one_kind_one_is_named_by_its_name_or_its_number(tmp_path):
    """The message named a kind that two of them have, and no way out."""
    file = tmp_path / "two.toml"
    text = "[[promise]]\nepsilon = 1\nname = 'first table'\n[[promise]]\nepsilon = 0.1\n[limit]\ndifference = 0.2\n"
    file.write_text(text)
    result = CliRunner().invoke(whit, ["recommend", "--from", str(file), "--for", "epsilon"])
    assert result.exit_code == 2
    rule = "--for must say which of the 2 promises of the file to look for (first table, promise 2); got epsilon."
    assert f'{rule} Use --for "first table" or --for "promise 2"; the rest then counts as spent.' in result.output
    named = recommended("--from", str(file), "--for", "first table")["result"]["rounded"]
    asked = ("--limit", "difference=0.2", "--for", "epsilon", "--spent", "epsilon=0.1")
    assert named == recommended(*asked)["result"]["rounded"]
    file.write_text(text.replace("epsilon = 1\n", "epsilon = 0.2\n"))
    named = recommended("--from", str(file), "--for", "promise 2")["result"]["rounded"]
    assert named == recommended(*asked[:-1], "epsilon=0.2")["result"]["rounded"]


def test_of_several_promises_the_noise_of_all_is_raised_by_one_factor(tmp_path):
    """Laplace noise never loses more than its epsilons add up to: 3 / 1 + 2 * 2 / 2."""
    file = tmp_path / "two.toml"
    file.write_text(
        "[[promise]]\nname = 'a'\nlaplace = 1\nreleases = 3\n"
        "[[promise]]\nname = 'b'\nlaplace = 2\nsensitivity = 2\nreleases = 2\n[limit]\nposterior = 0.3\nprior = 0.1\n"
    )
    found = recommended("--from", str(file))
    factor = 5 / math.log(0.3 / 0.7 * 9)
    first, second = (each["value"] for each in found["result"]["promises"])
    assert factor <= first <= factor * 1.0001
    assert 2 * factor <= second <= 2 * factor * 1.0001
    assert found["result"]["opening"] == (
        f"Use scale {first} for a and scale {second} for b: together they then meet the limit posterior=0.3, prior=0.1."
    )
    shown = CliRunner().invoke(whit, ["recommend", "--from", str(file)]).stdout
    [row] = [line.split() for line in shown.splitlines() if line.startswith("a ")]
    assert float(row[-1]) == pytest.approx(first * math.log(20), rel=0.01)
    more = CliRunner().invoke(whit, ["recommend", "--from", str(file), "--releases", "3"])
    assert more.exit_code == 2  # what is about one promise is not taken for all
    assert "--for must say which of the 2 promises" in more.output


@pytest.mark.parametrize("asked", [(), ("--for", "wages"), ("--for", "ages")])
def test_what_noise_of_several_promises_assumes_stands_beside_the_names_of_the_file(asked, tmp_path):
    file = tmp_path / "two.toml"
    file.write_text(
        "[[promise]]\nname = 'wages'\nlaplace = 1\nsensitivity = 3\n[[promise]]\nname = 'ages'\nlaplace = 2\n"
        "releases = 2\n[limit]\nposterior = 0.7\nprior = 0.1\n"
    )
    result = CliRunner().invoke(whit, ["recommend", "--from", str(file), *asked, "--why"])
    assert result.exit_code == 0, result.output
    said = re.findall(r"(\S+:) One record changes the exact answer by at most (\d)", result.stdout)
    assert sorted(said) == [("Ages:", "1"), ("Wages:", "3")]


def test_the_error_of_the_noise_stands_beside_its_deviation():
    asked = ("--limit", "posterior=0.3, prior=0.1", "--for", "gaussian", "--releases", "5", "--failure", "0.01")
    named = [each["finding"] for each in recommended(*asked)["answers"]]
    [error] = [each["value"] for each in named if each["quantity"]["name"] == "error of the noise in 95 % of cases"]
    assert error == pytest.approx(4.7683 * 1.959964, rel=1e-4)
    assert "error of the noise in 95 % of cases" in CliRunner().invoke(whit, ["recommend", *asked]).stdout


def test_a_large_parameter_is_written_out():
    asked = ("--limit", "posterior=0.1000001, prior=0.1", "--for", "laplace", "--releases", "1")
    found = recommended(*asked)["result"]
    assert found["rounded"].isdigit()
    assert len(found["rounded"]) == 6
    assert found["opening"].startswith(f"Use scale {found['rounded']}: ")


def test_what_was_spent_is_taken_off():
    whole, rest = (
        Decimal(recommended("--profile", "relative=3", "--for", "epsilon", *spent)["result"]["rounded"])
        for spent in ([], ["--spent", "epsilon=0.25"])
    )
    assert abs(whole - rest - Decimal("0.25")) < Decimal("2e-5")


def test_several_profiles_are_all_kept():
    both = recommended("--profile", "relative=3", "--profile", "difference=0.1", "--for", "epsilon")
    alone = recommended("--profile", "difference=0.1", "--for", "epsilon")
    assert both["result"]["rounded"] == alone["result"]["rounded"]


def test_the_noise_for_a_promise_is_rounded_up():
    found = recommended("--keeping", "epsilon=1, delta=1e-6", "--for", "gaussian", "--digits", "4")
    sigma = mpmath.mpf(found["result"]["rounded"])

    def delta(s: mpmath.mpf) -> mpmath.mpf:
        mu = 1 / s
        return mpmath.ncdf(mu / 2 - 1 / mu) - mpmath.e * mpmath.ncdf(-mu / 2 - 1 / mu)

    assert delta(sigma) <= mpmath.mpf(1e-6) < delta(sigma * (1 - mpmath.mpf(10) ** -3))


def test_a_limit_that_no_noise_is_needed_for_is_said_to_be_none():
    result = CliRunner().invoke(whit, ["recommend", "--limit", "advantage=1", "--for", "epsilon"])
    assert "Traceback" not in result.output
    assert result.exit_code in (0, 2)


def told(*arguments: str) -> str:
    result = CliRunner().invoke(whit, ["recommend", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_losses_of_a_profile_are_told_apart():
    lines = told("--profile", "relative=3", "--for", "epsilon").splitlines()
    [added] = [line for line in lines if line.endswith("  at most 0.55, if a record is added or removed")]
    [replaced] = [line for line in lines if line.endswith("  at most 1.1, if one is replaced")]
    assert added != replaced


@pytest.mark.parametrize("digits", ["3", "7"])
@pytest.mark.parametrize("family", ["epsilon", "laplace"])
def test_the_parameter_is_told_once_with_the_digits_that_are_asked_for(digits, family):
    said = told("--limit", "difference=0.2", "--for", family, "--digits", digits)
    number = said.split()[2].rstrip(":")
    assert len(Decimal(number).as_tuple().digits) == int(digits)
    assert said.count(number) == 1
    assert "that meets the limit" not in said


@pytest.mark.parametrize("digits", ["1", "2", "5", "9"])
def test_the_standard_deviation_is_that_of_the_parameter_that_is_written(digits):
    arguments = ["--limit", "posterior=0.3, prior=0.1", "--for", "laplace", "--releases", "12", "--digits", digits]
    said = told(*arguments)
    deviation = re.search(r"standard deviation of the noise +([0-9.]+) \(rounded up\)", said)[1]
    exact = Decimal(said.split()[2]) * Decimal(2).sqrt()
    assert exact <= Decimal(deviation) < exact + Decimal("0.1")  # three digits of a number from 10 to 100
    of = {each["of"] for each in recommended(*arguments)["answers"]}
    written = min(said.split()[2], "8.8894", key=len)  # a name has five digits
    assert of == {f"Laplace noise, scale = {written}"}


def test_rows_have_the_names_of_their_quantities():
    said = told("--limit", "posterior=0.3, prior=0.1", "--for", "laplace")
    assert "with it  " in said.splitlines()[2]
    assert "posterior probability of the truth at a prior of 10 %  at most 30 %; the limit is 30 %" in said
    assert "standard deviation of the noise                        " in said


def test_noise_for_which_more_is_not_always_safer_is_one_short_number_everywhere():
    arguments = ["--limit", "difference=0.2", "--for", "discrete-gaussian", "--releases", "12", "--failure", "0.01"]
    number = told(*arguments).split()[2]
    found, answers = (
        recommend(limits.difference(0.2), DiscreteGaussian, releases=12, failure=0.01),
        recommended(*arguments),
    )
    assert len(Decimal(number).as_tuple().digits) <= 5
    assert float(number) == float(found.parameter) == found.release.sigma == float(found.rounded())
    assert number == found.digits == answers["result"]["rounded"]
    assert answers["answers"][0]["finding"]["value"] == float(number)
    assert f"at most {number} (" in str(found)
    assert "check it before you use it" in str(found)
    assert number in found._repr_html_()


def test_noise_without_a_bound_says_what_to_allow():
    result = CliRunner().invoke(whit, ["recommend", "--limit", "difference=0.2", "--for", "gaussian"])
    assert result.exit_code == 3
    assert "Gaussian noise cannot meet this limit without exception" in result.stderr
    assert result.stderr.endswith("such as --failure 0.01.\n")


def test_the_risk_that_decides_is_told_beside_its_limit():
    arguments = ["--limit", "posterior=0.3, prior=0.1", "--for", "gaussian", "--failure", "0.001"]
    assert "  at most 30 %, except with probability 0.1 %; the limit is 30 %" in told(*arguments)
    [risk] = [each for each in recommended(*arguments)["answers"] if "posterior" in each["sentence"]]
    assert 0.0 <= 0.3 - risk["finding"]["value"] < 1e-6


def test_what_decides_is_told_as_it_was_written():
    assert "What decides: the limit posterior=0.3, prior=0.1." in told(
        "--limit", "posterior=30%, prior=10%", "--for", "epsilon"
    )
    assert "What decides: the promise epsilon = 1, delta = 1e-6." in told(
        "--keeping", "epsilon=1, delta=1e-6", "--for", "gaussian"
    )


def test_several_limits_are_all_kept():
    limits = ["--limit", "difference=0.2", "--limit", "power=0.1, level=0.05"]
    each = [Decimal(recommended(*limits[at : at + 2], "--for", "epsilon")["result"]["rounded"]) for at in (0, 2)]
    assert Decimal(recommended(*limits, "--for", "epsilon")["result"]["rounded"]) == min(each)


def test_a_file_says_what_it_is_for_and_what_must_be_kept(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(
        "[promise]\nlaplace = 1\nreleases = 3\nsensitivity = 2\n[limit]\ndifference = 0.2\n", encoding="utf-8"
    )
    found = recommended("--from", str(file))
    options = ["--for", "laplace", "--releases", "3", "--sensitivity", "2", "--limit", "difference=0.2"]
    assert found["result"]["rounded"] == recommended(*options)["result"]["rounded"]
    assert recommended("--from", str(file), "--for", "epsilon")["result"]["parameter"] == "epsilon"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--limit", "difference=0.2"], "--for must be given"),
        (["--limit", "difference=0.2", "--for", "epsilon-delta"], "--delta must be given for epsilon-delta"),
        (
            ["--limit", "difference=0.2", "--for", "laplace", "--delta", "0.1"],
            "--delta goes with --epsilon, and not with --for laplace",
        ),
        (["--limit", "difference=0.2", "--for", "laplace", "--rule", "optimal"], "--rule is for promises"),
        (["--limit", "difference=0.2", "--for", "laplac"], "Did you mean laplace"),
        (["--limit", "difference=0.2", "--for", "gaussian", "--sampling-rat", "0.1"], "--sampling-rate"),
        (["--limit", "difference=0.2", "--for", "matrix"], "--strategy must be given with --for matrix; got nothing"),
        (
            ["--limit", "difference=0.2", "--for", "epsilon", "--shuffled", "9"],
            "goes with what one person tells, and not",
        ),
        (["--limit", "difference=0.2", "--for", "epsilon", "--sensitivity", "2"], "--sensitivity is no option"),
    ],
)
def test_what_does_not_apply_is_refused_by_its_option(arguments, said):
    result = CliRunner().invoke(whit, ["recommend", *arguments])
    assert result.exit_code == 2, result.output
    assert said in result.stderr


def test_a_recommendation_is_for_everybody(tmp_path):
    file = tmp_path / "full.toml"
    file.write_text('[promise]\nlaplace = 1\nreleases = 3\nchanges = "full"\n', encoding="utf-8")
    for wanted in ([], ["--for", "laplace"]):
        arguments = ["recommend", "--from", str(file), "--limit", "posterior=0.9, prior=0.5", *wanted]
        result = CliRunner().invoke(whit, arguments)
        assert result.exit_code == 2
        assert "changes cannot be full here, because the recommendation must hold for everybody" in result.stderr


def test_randomized_responses_share_the_loss_that_a_posterior_allows():
    found = recommended("--limit", "posterior=0.8, prior=0.5", "--for", "randomized-response", "--releases", "3")
    share = mpmath.log(4) / 3
    assert share - mpmath.mpf("1e-4") <= mpmath.mpf(found["result"]["rounded"]) <= share
    assert found["result"]["release"] == {"randomized_response": pytest.approx(0.46209, abs=1e-5), "categories": 2}


def test_a_file_may_state_anything_that_a_parameter_is_found_for(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(
        "[promise]\ntree_aggregation = 1\nrounds = 1600\n[limit]\npower = 0.2\nlevel = 0.05\n", encoding="utf-8"
    )
    found = recommended("--from", str(file), "--digits", "6")["result"]
    # Eleven nodes hold the first step: power 0.2 at level 0.05 is a shift of z(0.2) - z(0.05) over the root of eleven.
    shift = mpmath.sqrt(2) * (mpmath.erfinv(2 * mpmath.mpf("0.2") - 1) - mpmath.erfinv(2 * mpmath.mpf("0.05") - 1))
    truth = mpmath.sqrt(11) / shift
    assert truth <= mpmath.mpf(found["rounded"]) <= truth * (1 + mpmath.mpf(10) ** -5)
    assert found["parameter"] == "sigma"


def test_what_an_option_says_holds_and_the_file_says_the_rest(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text("[promise]\nrandomized_response = 1\nshuffled = 50\n[limit]\nadvantage = 0.2\n", encoding="utf-8")
    few, more = (
        Decimal(recommended("--from", str(file), *options)["result"]["rounded"])
        for options in ([], ["--shuffled", "90"])
    )
    assert few < more
    by_options = recommended("--for", "randomized-response", "--shuffled", "50", "--limit", "advantage=0.2")
    assert few == Decimal(by_options["result"]["rounded"])


def test_where_there_is_no_parameter_the_question_is_left_open_with_what_to_ask():
    asked = ["recommend", "--limit", "difference=0.2", "--for", "laplace", "--threshold", "9"]
    result = CliRunner().invoke(whit, asked)
    assert result.exit_code == 3
    assert "raise the threshold until delta is small enough" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--limit", "difference=0.2", "--for", "epsilon"], "Use epsilon 0.81093: the release then meets the limit"),
        (
            ["--limit", "posterior=0.3, prior=0.1", "--for", "gaussian", "--failure", "0.001", "--releases", "2"],
            " in each of 2 releases: they then meet the limit posterior=0.3, prior=0.1, except with probability 0.1 %",
        ),
        (
            ["--limit", "difference=0.2, prior=0.01..0.1", "--profile", "relative=30", "--for", "epsilon"],
            "meets the profile relative=30 and the limit difference=0.2, prior=0.01..0.1.\n",
        ),
    ],
)
def test_the_first_sentence_says_what_to_use_and_what_it_meets(arguments, said):
    text = told(*arguments)
    assert text.startswith("Use ")
    assert said in text.split("\n\n")[0] + "\n"


def test_a_limit_and_a_profile_with_one_number_say_why_they_differ():
    # 4 artanh(0.2) = 0.81093, and a replaced record costs twice as much.
    notes = {kind: told(f"--{kind}", "difference=0.2", "--for", "epsilon") for kind in ("limit", "profile")}
    assert "Use epsilon 0.81093" in notes["limit"]
    assert "Use epsilon 0.40546" in notes["profile"]
    assert all("replaced record" in note and "same number" in note for note in notes.values())


def test_a_thousand_releases_are_written_as_elsewhere():
    said = told("--limit", "ratio=2", "--for", "epsilon", "--releases", "1000")
    assert "in each of 1,000 releases" in said


@pytest.mark.parametrize("command", [["recommend", "--for", "laplace"], ["check", "--laplace", "9"]])
@pytest.mark.parametrize(
    "option", ["--prior", "--knows", "--when", "--block", "--level", "--baseline", "--inclusion", "--value"]
)
def test_what_stands_inside_of_a_limit_is_shown_there_and_works(command, option):
    said = CliRunner().invoke(whit, [*command, option, "1"]).stderr
    name, text = re.search(r'(--(?:limit|profile)) "([^"]*)"', said).groups()
    result = CliRunner().invoke(whit, [*command, name, text])
    assert result.exit_code in (0, 1, 3), result.stderr


def test_an_inclusion_is_suggested_inside_of_the_profile():
    """It was suggested as an option, which neither command has."""
    profile = ["--neighbours", "replace", "--profile", "relative=3"]
    for command in (["recommend", "--for", "epsilon"], ["check", "--epsilon", "1"]):
        result = CliRunner().invoke(whit, [*command, *profile])
        assert "Use inclusion=1 inside --profile" in result.output
        assert "--inclusion" not in result.output
        assert CliRunner().invoke(whit, [*command, *profile[:-1], "relative=3, inclusion=1"]).exit_code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--for laplace --sensitivity 4", "Asked of: Laplace noise, sensitivity 4."),
        ("--for epsilon --neighbours replace", "Asked of: one record replaced."),
        (
            "--for gaussian --sensitivity histogram --releases 3 --failure 0.01",
            "Asked of: Gaussian noise, sensitivity 1 (a replaced record changes 2 cells by 1), in each of 3 releases.",
        ),
    ],
)
def test_the_answer_says_for_which_change_of_the_answer_it_is(options, said):
    result = CliRunner().invoke(whit, ["recommend", "--limit", "posterior=0.3, prior=0.1", *options.split()])
    assert said in result.stdout.splitlines()


def test_a_promise_of_a_file_is_named_with_what_is_looked_for(tmp_path):
    """The numbers that are kept, such as delta, follow the name; without a name they stand alone, as for options."""
    file = tmp_path / "releases.toml"
    file.write_text("[[promise]]\nname = 'survey'\nepsilon = 1\ndelta = 1e-7\n[[promise]]\ngaussian = 5\n")
    asked = ["recommend", "--from", str(file), "--limit", "posterior=0.3, prior=0.1", "--failure", "0.01"]
    said = CliRunner().invoke(whit, [*asked, "--for", "survey"]).stdout.splitlines()
    assert "Asked of: survey, whose epsilon is looked for: delta = 1e-7." in said
    file.write_text("[[promise]]\nname = 'survey'\ngaussian = 5\nreleases = 3\n")
    said = CliRunner().invoke(whit, [*asked]).stdout.splitlines()
    assert "Asked of: survey, whose sigma is looked for: Gaussian noise, in each of 3 releases." in said


def test_the_usual_change_needs_no_words():
    result = CliRunner().invoke(whit, ["recommend", "--limit", "posterior=0.3, prior=0.1", "--for", "laplace"])
    assert "Asked of" not in result.stdout


OF_A_FILE = "[limit]\nposterior = 0.3\nprior = 0.1\n[questions]\nfailure = 0.01\n[promise]\n"
BY_OPTIONS = ["--limit", "posterior=0.3, prior=0.1", "--failure", "0.01"]


@pytest.fixture
def file(tmp_path):
    def written(promise: str) -> str:
        path = tmp_path / "release.toml"
        path.write_text(OF_A_FILE + promise)
        return str(path)

    return written


@pytest.mark.parametrize("kind", ["laplace", "geometric", "discrete-gaussian"])
def test_another_noise_than_that_of_the_file_has_its_releases_and_its_sensitivity(file, kind):
    promise = file("gaussian = 2\nsensitivity = [[1, 2, 4], [1, 2, 4]]\nreleases = 12")
    explicit = [*BY_OPTIONS, "--for", kind, "--releases", "12", "--sensitivity", "1+2+4:1+2+4"]
    found = recommended("--from", promise, "--for", kind)["result"]
    assert found == recommended(*explicit)["result"]
    assert float(found["rounded"]) != float(recommended(*BY_OPTIONS, "--for", kind)["result"]["rounded"])
    name = kind.replace("-", " ").replace("gaussian", "Gaussian").replace("laplace", "Laplace")
    assert f"\nAsked of: {name} noise, sensitivity 1+2+4, in each of 12 releases.\n" in told(
        "--from", promise, "--for", kind
    )


@pytest.mark.parametrize(
    ("promise", "kind", "explicit"),
    [
        ("gaussian = 2\nsensitivity = 3\nreleases = 12", "epsilon", ["--releases", "12"]),
        ("epsilon = 2\nreleases = 12", "gaussian", ["--releases", "12"]),
        ("epsilon = 2\ndelta = 1e-6\nreleases = 12", "rho", ["--releases", "12"]),
        (
            "epsilon = 2\nneighbours = 'replace'\nreleases = 2",
            "laplace",
            ["--releases", "2", "--neighbours", "replace"],
        ),
        (
            "gaussian = 2\nsensitivity = '1:2'\nneighbours = 'replace'\nreleases = 2",
            "epsilon",
            ["--releases", "2", "--neighbours", "replace"],
        ),
        (
            "gaussian = 2\nsampling_rate = 0.1\nsensitivity = '1:2'\nreleases = 3",
            "laplace",
            ["--releases", "3", "--sampling-rate", "0.1", "--sensitivity", "1:2"],
        ),
    ],
)
def test_another_kind_than_that_of_the_file_has_what_goes_with_it(file, promise, kind, explicit):
    result = recommended("--from", file(promise), "--for", kind)["result"]
    assert result == recommended(*BY_OPTIONS, "--for", kind, *explicit)["result"]


def test_options_come_before_what_the_file_says_of_another_kind(file):
    promise = file("gaussian = 2\nsensitivity = 3\nneighbours = 'replace'\nreleases = 12")
    said = ["--releases", "2", "--sensitivity", "1:2", "--neighbours", "add-remove", "--for", "laplace"]
    assert recommended("--from", promise, *said)["result"] == recommended(*BY_OPTIONS, *said)["result"]


@pytest.mark.parametrize(
    ("promise", "kind", "said"),
    [
        ("gaussian = 2\nsampling_rate = 0.1", "epsilon", "--sampling-rate goes with noise"),
        (
            "randomized_response = 2\ncategories = 4",
            "laplace",
            "--for must be randomized-response with this file, whose promise states categories; got laplace.",
        ),
        ("gaussian = 2\nsensitivity = 0.5", "geometric", "--sensitivity must be made of whole numbers"),
    ],
)
def test_what_does_not_go_with_another_kind_is_refused(file, promise, kind, said):
    result = CliRunner().invoke(whit, ["recommend", "--from", file(promise), "--for", kind])
    assert result.exit_code == 2
    assert said in result.output


def test_limits_that_differ_in_what_is_known_of_others_are_told_apart():
    known, unknown = (
        ["--limit", "posterior=0.3, prior=0.1, knows=everyone-else"],
        ["--limit", "posterior=0.3, prior=0.1"],
    )
    said = told(*known, *unknown, "--for", "laplace")
    name = "posterior probability of the truth at a prior of 10 %"
    assert [line.split("  ")[0] for line in said.splitlines() if line.startswith(name)] == [
        f"{name} (knows=everyone-else)",
        name,
    ]
    assert "\nWhat decides: the limit posterior=0.3, prior=0.1, knows=everyone-else.\n" in told(
        *known, "--for", "laplace"
    )


def test_what_decides_is_the_limit_as_it_was_written():
    written = "difference=0.2, prior=0.01..0.1, knows=everyone-else, when=ever"
    assert f"What decides: the limit {written}." in told("--limit", written, "--for", "epsilon")


def test_a_bound_by_the_profile_is_noted_since_other_noise_may_have_a_closer_one():
    limit = ["--limit", "posterior=0.3, prior=0.1, knows=everyone-else", "--failure", "0.01", "--releases", "12"]
    asked = [*limit, "--sensitivity", "1+2+4:1+2+4"]
    said = CliRunner().invoke(whit, ["recommend", "--for", "laplace", *asked]).stdout
    assert "comes from the privacy profile (tail-from-profile). It may be looser than one from the law" in said
    assert "tail-from-profile" not in CliRunner().invoke(whit, ["recommend", "--for", "gaussian", *asked]).stdout


def test_a_parameter_that_cannot_be_enough_beside_the_others_is_refused_with_what_they_come_to(tmp_path):
    """From 10 % an epsilon of 2 leads to e^2 / (e^2 + 9) = 45.09 %, which is more than 30 %."""
    file = tmp_path / "two.toml"
    text = '[[promise]]\nname = "a"\nlaplace = 10\n\n[[promise]]\nname = "b"\nepsilon = 2\n'
    file.write_text(text, encoding="utf-8")
    limit = ["--limit", "posterior=0.3, prior=0.1"]
    found = CliRunner().invoke(whit, ["recommend", "--from", str(file), "--for", "a", *limit])
    assert found.exit_code == 3
    assert (
        "all promises but a come to must be within the limit posterior=0.3, prior=0.1, or no scale of a is enough"
        in found.output
    )
    assert "got 45.1 %. Leave out --for: " in found.output
    assert CliRunner().invoke(whit, ["recommend", "--from", str(file), "--for", "b", *limit]).exit_code == 0
