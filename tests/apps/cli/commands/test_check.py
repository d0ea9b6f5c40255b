from __future__ import annotations

import json
import math
import re
from pathlib import Path

import mpmath
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from whit.apps.asking.schemas import stored_schema
from whit.apps.cli import whit


def check(*arguments: str):
    result = CliRunner().invoke(whit, ["check", *arguments])
    assert isinstance(result.exception, SystemExit | None)
    return result


def largest_rise(epsilon: float) -> mpmath.mpf:
    """The largest difference of posterior and prior under pure privacy, over all priors."""
    e = mpmath.exp(mpmath.mpf(epsilon) / 2)
    return (e - 1) / (e + 1)


@pytest.mark.parametrize("epsilon", [0.1, 0.8, 0.81, 0.8109, 0.811, 0.82, 2.0])
def test_a_limit_is_kept_where_the_formula_says_so(epsilon):
    kept = largest_rise(epsilon) <= mpmath.mpf(0.2)
    assert check("--epsilon", str(epsilon), "--limit", "difference=0.2").exit_code == (0 if kept else 1)


@pytest.mark.parametrize("epsilon", [0.1, 0.549, 0.55, 1.0])
def test_a_profile_is_kept_where_the_formula_says_so(epsilon):
    kept = 2 * mpmath.mpf(epsilon) <= mpmath.log(3)  # KR24, equation 14
    assert check("--epsilon", str(epsilon), "--profile", "relative=3").exit_code == (0 if kept else 1)


@pytest.mark.parametrize("times", [1, 3, 6])
def test_more_releases_keep_less(times):
    kept = 2 * mpmath.mpf(0.1) * times <= mpmath.log(3)
    arguments = ["--epsilon", "0.1", "--releases", str(times), "--profile", "relative=3"]
    assert check(*arguments).exit_code == (0 if kept else 1)


@pytest.mark.parametrize("sigma", [8.9, 9.0])
def test_more_noise_keeps_more(sigma):
    arguments = ["--gaussian", str(sigma), "--releases", "12", "--failure", "0.01", "--profile", "relative=3"]
    assert check(*arguments).exit_code == (0 if sigma == 9.0 else 1)


def test_noise_that_is_too_weak_for_a_promise_does_not_keep_it():
    # delta of Gaussian noise at epsilon 1: Phi(mu/2 - 1/mu) - e Phi(-mu/2 - 1/mu)
    for sigma in (3.0, 5.0):
        mu = 1 / mpmath.mpf(sigma)
        delta = mpmath.ncdf(mu / 2 - 1 / mu) - mpmath.e * mpmath.ncdf(-mu / 2 - 1 / mu)
        result = check("--gaussian", str(sigma), "--keeping", "epsilon=1, delta=1e-6")
        assert result.exit_code == (0 if delta <= mpmath.mpf(1e-6) else 1)


def test_the_verdict_is_in_the_document_and_in_the_exit_code():
    result = check("--epsilon", "2", "--limit", "difference=0.2", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)["result"]
    assert (told["kept"], told["outcome"], [part["outcome"] for part in told["parts"]]) == (False, "BROKEN", ["BROKEN"])


def test_a_question_that_has_no_answer_is_neither_yes_nor_no():
    result = check("--randomized-response", "0.5", "--profile", "relative=3")
    assert result.exit_code == 3
    assert "the loss of adding or removing a record" in result.stdout
    neither = "Not shown: whit can prove neither that the release meets the profile relative=3 nor that it does not.\n"
    assert result.stdout.startswith(neither)


@pytest.mark.parametrize(
    ("noise", "profile", "code"),
    [
        # Randomized response and a person known to be in the data: the risk comes close to e^epsilon.
        (["--randomized-response", "1.09"], "relative=3, inclusion=1", 0),
        (["--randomized-response", "1.11"], "relative=3, inclusion=1", 1),
        # Laplace noise sees each record with probability 0.01: the loss of adding is log(1 + 0.01 (e^0.5 - 1)) or less.
        (["--laplace", "2", "--sampling-rate", "0.01"], "relative=1.02", 0),
        (["--laplace", "2", "--sampling-rate", "0.01"], "relative=1.001", 1),
        (["--gaussian", "2", "--sampling-rate", "0.01", "--failure", "0.01"], "relative=3, value=1", 0),
    ],
)
def test_samples_and_single_answers_are_checked_against_a_profile(noise, profile, code):
    result = check(*noise, "--profile", profile)
    assert result.exit_code == code, result.output


def test_sides_are_for_limits():
    assert check("--epsilon", "1", "--profile", "relative=3", "--sides", "2").exit_code == 2


def test_a_limit_without_a_bound_is_told_with_the_failure_that_would_do():
    arguments = ["--epsilon", "1", "--delta", "1e-6", "--limit", "difference=0.5"]
    refused = check(*arguments)
    assert refused.exit_code == 3
    assert "The posterior is not bounded by this promise at a failure probability of 0" in refused.stdout
    assert "Ask with --failure 1e-5 or more." in refused.stdout
    assert check(*arguments, "--failure", "1e-05").exit_code == 0


def test_noise_without_a_bound_that_always_holds_is_told_with_the_option():
    assert "Add --failure 0.01" in check("--gaussian", "9", "--limit", "difference=0.2").stdout
    assert check("--gaussian", "9", "--limit", "difference=0.2", "--failure", "0.01").exit_code == 0


def test_a_profile_that_no_parameter_keeps_to_is_told_with_a_way_out():
    assert "Add --failure 0.01" in check("--gaussian", "9", "--profile", "relative=3").stdout


def test_a_remedy_is_the_parameter_that_would_do():
    told = check("--epsilon", "2", "--profile", "relative=3", "--remedy")
    assert told.exit_code == 1
    assert "relative=3: epsilon up to 0.54930 meets the limit.\n" in told.stdout


def test_a_remedy_has_the_digits_of_a_recommendation_and_says_in_how_many_releases():
    """With "at least 0.269" a reader could take more than that to be fine, and recommend said 0.26998."""
    limited = ("--limit", "posterior=0.3, prior=0.1", "--releases", "5")
    said = check("--epsilon", "2", *limited, "--remedy").stdout
    assert "posterior=0.3, prior=0.1: epsilon up to 0.26998 in each of 5 releases meets the limit.\n" in said
    assert (
        "Use epsilon 0.26998 in each of 5"
        in CliRunner().invoke(whit, ["recommend", "--for", "epsilon", *limited]).stdout
    )
    falling = check("--gaussian", "2", "--failure", "0.01", *limited, "--remedy").stdout
    assert "sigma of at least 4.7683 in each of 5 releases meets the limit, except with probability 1 %." in falling


TWO = """\
[[promise]]
name = "yearly"
epsilon = 2
releases = 5

[[promise]]
name = "monthly"
gaussian = 10
releases = 12

[limit.posterior]
limit = 0.3
prior = 0.1

[questions]
failure = 0.01
"""


def test_the_remedy_of_several_promises_is_the_parameter_of_one_beside_the_others(tmp_path):
    """The command was silent where the report of the same file names the parameter."""
    file = tmp_path / "two.toml"
    file.write_text(TWO, encoding="utf-8")
    told = check("--from", str(file), "--remedy")
    found = re.search(
        r"Lower epsilon of \(1\) yearly, from 2 to at most (\S+) \(failure probability 1 %\)", told.stdout
    )
    assert told.exit_code == 1
    recommended = CliRunner().invoke(whit, ["recommend", "--from", str(file), "--for", "epsilon"]).stdout
    assert f"Use epsilon {found[1]} " in recommended
    assert "One way to meet every limit" not in check("--from", str(file)).stdout
    tree = json.loads(check("--from", str(file), "--remedy", "--json").stdout)
    assert [each["promise"] for each in tree["result"]["remedies"]] == [1]
    validator = Draft202012Validator(json.loads(stored_schema("check")) | {"$ref": "#/$defs/document"})
    validator.validate(tree)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (TWO.replace("gaussian = 10", "gaussian = 1").replace("limit = 0.3", "limit = 0.11"), "would not do either"),
        (TWO.replace("limit = 0.3", "limit = 0.9999999999"), ""),
    ],
)
def test_several_promises_without_such_a_parameter_are_not_left_in_silence(tmp_path, written, said):
    file = tmp_path / "two.toml"
    file.write_text(written, encoding="utf-8")
    shown = check("--from", str(file), "--remedy").stdout
    assert ("No parameter of one promise alone would do" in shown) == bool(said)
    assert said in shown


TABLES = """\
[[promise]]
name = "tables 1 and 2"
gaussian = 4.5
sensitivity = 1
releases = 10

[[promise]]
name = "table 3"
gaussian = 4.5
sensitivity = 2
releases = 5

[limit.posterior]
limit = 0.3
prior = 0.1

[questions]
failure = 0.01
"""


def test_the_remedy_of_several_tables_raises_the_noise_of_all(tmp_path):
    """Together they are one Gaussian release whose mu is the root of 10 + 5 * 4 over sigma: sigma grows as the root."""
    file = tmp_path / "tables.toml"
    file.write_text(TABLES, encoding="utf-8")
    shown = check("--from", str(file), "--remedy").stdout
    one = [
        "recommend",
        "--for",
        "gaussian",
        "--limit",
        "posterior=0.3, prior=0.1",
        "--failure",
        "0.01",
        "--digits",
        "9",
    ]
    alone = json.loads(CliRunner().invoke(whit, [*one, "--json"]).stdout)["result"]["rounded"]
    sigma = math.ceil(float(alone) * math.sqrt(30) * 1000) / 1000
    assert f"Raise the noise of all by one factor, sigma at least {sigma:g} (tables 1 and 2); sigma at least" in shown
    assert "No parameter of one promise alone would do, and leaving one out would not do either.\n" in shown
    tree = json.loads(check("--from", str(file), "--remedy", "--json").stdout)
    Draft202012Validator(json.loads(stored_schema("check")) | {"$ref": "#/$defs/document"}).validate(tree)
    found = tree["result"]["remedy_of_all"]
    assert [each["value"] for each in found["promises"]] == [sigma, sigma]
    file.write_text(TABLES.replace("gaussian = 4.5", f"gaussian = {sigma:g}"), encoding="utf-8")
    assert check("--from", str(file)).exit_code == 0
    file.write_text(TABLES.replace("gaussian = 4.5", f"gaussian = {sigma - 0.002:g}"), encoding="utf-8")
    assert check("--from", str(file)).exit_code == 1


def test_a_promise_that_can_be_left_out_is_named(tmp_path):
    file = tmp_path / "tables.toml"
    several = TABLES.replace("gaussian = 4.5\nsensitivity = 2", "gaussian = 0.1\nsensitivity = 2")
    file.write_text(several.replace("gaussian = 4.5", "gaussian = 6.745"), encoding="utf-8")
    shown = check("--from", str(file), "--remedy").stdout
    assert "No parameter of one promise alone would do. It would do to leave out table 3.\n" in shown


def test_noise_that_is_not_monotone_is_asked_itself():
    """The smallest sigma that meets the limit lies below this one, which does not: its risk is 60.8."""
    profile = "relative=60, absolute=0.9, value=1"
    result = check("--discrete-gaussian", "0.54", "--profile", profile, "--failure", "0.001")
    assert result.exit_code == 1
    assert "up to 60.8 times as probable (failure probability 0.1 %); the limit is 60" in result.stdout


def test_a_file_is_held_to_all_its_limits_and_profiles(tmp_path):
    """The gate passed a file whose limit is broken, since it also has a profile."""
    demo = (Path(__file__).parents[4] / "demo" / "release.toml").read_text(encoding="utf-8")
    file = tmp_path / "s.toml"
    for limit, code in (("0.2", 0), ("0.051", 1)):
        file.write_text(demo.replace("limit = 0.2", f"limit = {limit}"), encoding="utf-8")
        for more in (["--from", str(file)], ["--from", str(file), "--requirements", str(file)]):
            result = check(*more)
            assert result.exit_code == code, result.output
            assert "relative=3.0, absolute=0.25" in result.stdout
            assert f"power={limit}, level=0.05" in result.stdout


def test_several_limits_and_profiles_are_all_kept():
    both = ["--limit", "advantage=0.9", "--limit", "difference=0.2", "--profile", "relative=9"]
    assert check("--epsilon", "0.8", *both).exit_code == 0
    assert check("--epsilon", "0.9", *both).exit_code == 1


def test_what_has_no_use_for_what_is_kept_is_refused():
    for option in (["--failure", "0.01"], ["--sides", "2"]):
        result = check("--epsilon", "1", "--limit", "power=0.9, level=0.05", *option)
        assert result.exit_code == 2
        assert f"{option[0]} does not apply: no limit or profile here bounds a belief" in result.stderr


FILE = """
[promise]
gaussian = 9.0

[limit]
difference = 0.2

[questions]
failure = 0.01
"""


@pytest.mark.parametrize(
    ("more", "failure"),
    [
        (["--from", "{file}"], 0.01),
        (["--gaussian", "9", "--requirements", "{file}"], 0.01),
        (["--from", "{file}", "--requirements", "{file}"], 0.01),
        (["--from", "{file}", "--requirements", "{file}", "--failure", "0.05"], 0.05),
        (["--from", "{file}", "--requirements", "{file}", "--failure", "0"], 0.0),
        (["--gaussian", "9", "--limit", "difference=0.2"], 0.0),
    ],
)
def test_the_failure_is_that_of_the_option_or_else_of_the_file(tmp_path, more, failure):
    file = tmp_path / "release.toml"
    file.write_text(FILE, encoding="utf-8")
    result = check(*(each.format(file=file) for each in more), "--json")
    assert json.loads(result.stdout)["asked"]["failure"] == failure
    assert result.exit_code == (0 if failure else 1)


def test_a_failure_in_a_file_that_is_no_number_is_blamed_on_its_line(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(FILE.replace("0.01", '"seldom"'), encoding="utf-8")
    result = check("--from", str(file))
    assert result.exit_code == 2
    assert "release.toml, line 9, [questions] failure must be a number" in result.stderr


def test_the_help_sends_a_plan_to_its_own_command():
    said = " ".join(check("--help").stdout.split())
    assert "`whit plan` checks a plan, with the same exit codes." in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["--epsilon", "1", "--delta", "1e-6", "--limit", "difference=0.2"],
        ["--gaussian", "1", "--limit", "difference=0.2"],
        ["--gaussian", "1", "--profile", "relative=3, absolute=0.25, inclusion=0..0.5"],
        ["--epsilon", "1", "--profile", "relative=1, absolute=0.25"],
        ["--epsilon", "1", "--keeping", "rho=1"],
    ],
)
def test_no_python_stands_in_what_is_said(arguments):
    result = check(*arguments)
    assert result.exit_code != 0
    found = re.findall(r"[A-Za-z_]\w*\(\S*|<\w+ |\b\w+=None|\b(?:True|False)\b", result.output)
    assert found == []
    assert re.findall(r"[A-Za-z_]\w*\(\S*", "Use capped(..., value=1.0)") == ["capped(...,"]


@pytest.mark.parametrize(
    ("epsilon", "wanted", "said"),
    [
        ("0.8", ["--limit", "difference=0.2"], "Allowed: the release meets the limit difference=0.2.\n"),
        ("0.82", ["--limit", "difference=0.2"], "Not allowed: the release may exceed the limit difference=0.2.\n"),
        ("2", ["--profile", "relative=3"], "Not allowed: the release may exceed the profile relative=3.\n"),
        (
            "0.1",
            ["--limit", "advantage=0.1", "--profile", "relative=3", "--keeping", "epsilon=1"],
            "Allowed: the release meets the profile relative=3 and the limit advantage=0.1 and the total epsilon=1.\n",
        ),
    ],
)
def test_the_verdict_comes_first_in_one_of_three_words(epsilon, wanted, said):
    result = check("--epsilon", epsilon, *wanted)
    assert result.stdout.startswith(said)
    verdict = said.partition(":")[0]
    assert json.loads(check("--epsilon", epsilon, *wanted, "--json").stdout)["result"]["verdict"] == verdict


def test_a_limit_is_exceeded_only_where_the_risk_itself_is_known_to_be_above_it():
    """Somebody who knows everyone else has exactly the power of the noise; for any belief it is an upper bound."""
    exact, bounded = "power=0.1, level=0.05, knows=everyone-else", "power=0.1, level=0.05"
    said = {
        (exact,): f"the release exceeds the limit {exact}.",
        (bounded,): f"the release may exceed the limit {bounded}.",
        (exact, bounded): f"the release exceeds the limit {exact}, and may exceed the limit {bounded}.",
    }
    for limits, rest in said.items():
        found = check("--gaussian", "2", *(option for each in limits for option in ("--limit", each)))
        assert found.stdout.startswith(f"Not allowed: {rest}\n")
        assert found.exit_code == 1


@pytest.mark.parametrize(("sigma", "code"), [("20", 0), ("0.1", 1)])
def test_a_failure_is_suggested_where_the_release_is_allowed_with_it_and_not_where_it_bounds_nothing(sigma, code):
    options = ["--gaussian", sigma, "--limit", "difference=0.2"]
    assert ("Add --failure 0.01" in check(*options).stdout) is (code == 0)
    assert check(*options, "--failure", "0.01").exit_code == code


@pytest.mark.parametrize("limit", ["posterior=0.3, prior=0.1", "ratio=2, prior=0.1", "difference=0.2, prior=0.1"])
def test_a_failure_is_suggested_where_it_leaves_a_bound_that_also_exceeds_the_limit(limit):
    """Sigma 1 bounds the posterior by 71.7 % except with probability 1 %, and by nothing without a failure."""
    options = ["--gaussian", "1", "--limit", limit]
    assert "Add --failure 0.01" in check(*options).stdout
    with_failure = check(*options, "--failure", "0.01")
    assert with_failure.exit_code == 1
    assert "nothing is ruled out" not in with_failure.stdout
    assert "Add --failure" not in with_failure.stdout


RELEASE = """[release]
name = "Visits"
publisher = "Office"
[unit]
name = "person"
[promise]
epsilon = {epsilon}
[[adversary]]
name = "an insurer"
fact = "a client was there"
prior = 0.1
[limit]
posterior = 0.3
prior = 0.1
[audit]
file = "t.csv"
"""


@pytest.mark.parametrize(
    ("epsilon", "value", "code", "word"),
    [
        (0.25, "", 1, "Not allowed. The table t.csv, which has no noise: 1 of 1 cells"),
        (0.25, "7", 0, "Allowed. The table t.csv, which has no noise: All 0 cells"),
        (3, "7", 1, "Not allowed. The table t.csv, which has no noise: All 0 cells"),
        (3, "", 1, "Not allowed. The table t.csv, which has no noise: 1 of 1 cells"),
    ],
)
def test_a_table_without_noise_is_checked_with_the_release(tmp_path, epsilon, value, code, word):
    (tmp_path / "t.csv").write_text(f"firm,value\nA,{value}\nB,2\nTotal,9\n", encoding="utf-8")
    (tmp_path / "release.toml").write_text(RELEASE.format(epsilon=epsilon), encoding="utf-8")
    alone = CliRunner().invoke(whit, ["audit", str(tmp_path / "t.csv"), "--json"])
    result = check("--from", str(tmp_path / "release.toml"))
    assert result.exit_code == code
    assert result.output.startswith(word)
    assert ("A is exactly 7: 9 (Total) - 2 (B)" in " ".join(result.output.split())) == (value == "")
    tree = json.loads(check("--from", str(tmp_path / "release.toml"), "--json").output)["result"]
    assert tree["kept"] == (code == 0)
    # The same decision as by the audit itself, cell by cell.
    assert tree["audit"]["cells"] == json.loads(alone.output)["result"]["cells"]
    assert (tree["audit"]["outcome"] == "KEPT") == (alone.exit_code == 0)


@pytest.mark.parametrize("arguments", [("release.toml",), ("--epsilon", "1", "release.toml")])
def test_a_file_without_its_option_is_told_where_it_goes(arguments):
    result = check(*arguments)
    assert result.exit_code == 2
    assert "'release.toml' has no option before it. A file goes with --from: --from release.toml." in result.output
    assert check(*arguments, "--help").exit_code == 0


def test_a_total_that_is_stated_as_a_limit_is_refused_with_the_option_for_it():
    result = check("--epsilon", "1", "--limit", "epsilon=6.4, delta=1e-5")
    assert result.exit_code == 2
    assert 'Use --keeping "epsilon=6.4, delta=1e-5" instead.' in result.output


def test_promises_that_are_stated_one_by_one_are_judged_together():
    """By the closed form: all noise is Gaussian, with mu = sqrt(10 + 5 * 2^2) / sigma, as in one release."""
    tables = ["--promise", "gaussian=12, releases=10", "--promise", "gaussian=12, sensitivity=2, releases=5"]
    limit = ["--limit", "posterior=0.3, prior=0.1", "--failure", "0.01"]
    assert check(*tables, *limit).exit_code == 0
    one = check("--mu", repr(math.sqrt(30) / 12), *limit)
    risks = [re.search(r"is at most [\d.]+ %", each.output)[0] for each in (check(*tables, *limit), one)]
    assert risks[0] == risks[1]


def test_a_file_without_the_failure_that_it_needs_is_told_the_line_with_which_report_refuses_it(tmp_path):
    text = """\
[release]
name = "Visits"
publisher = "Agency"

[unit]
name = "person"

[[promise]]
gaussian = 8

[[promise]]
epsilon = 0.3
delta = 1e-7

[[adversary]]
name = "an employer"
fact = "an applicant was there"
prior = 0.1

[limit.posterior]
limit = 0.3
prior = 0.1
"""
    line = "Write failure = 0.01 in [questions]."
    file = tmp_path / "release.toml"
    file.write_text(text, encoding="utf-8")
    found = check("--from", str(file))
    assert (found.exit_code, found.output.count(line)) == (3, 1)
    refused = CliRunner().invoke(whit, ["report", str(file), "--out", str(tmp_path / "report.md")])
    assert (refused.exit_code, refused.output.count(line)) == (2, 1)
    file.write_text(f"{text}\n[questions]\nfailure = 0.01\n", encoding="utf-8")
    assert line not in check("--from", str(file)).output
