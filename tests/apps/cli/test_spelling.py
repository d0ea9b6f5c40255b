from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from whit import guarantees, mechanisms
from whit.apps.asking.spelling import class_word, in_words, without_python
from whit.apps.cli import whit
from whit.policy.limits import posterior
from whit.policy.profiles import constant

PYTHON = re.compile(
    r"\w\(|\bNone\b|\bTrue\b|\bFalse\b|<\w|\b[a-z]+_[a-z]+|\d\.0\b|\bNeighbours\.|\b[A-Z][a-z]+[A-Z]\w*"
)
"""What no message of the command line has: calls, constants, members, classes, names with underscores."""


@pytest.mark.parametrize(
    "arguments",
    [
        ["recommend", "--profile", "absolute=0.25", "--for", "gaussian"],
        ["recommend", "--limit", "difference=0.2", "--for", "epsilon", "--rule", "advanced"],
        ["recommend", "--limit", "difference=0.2", "--for", "rho", "--rule", "optimal", "--releases", "3"],
        ["recommend", "--limit", "difference=0.2", "--for", "rappor", "--p", "0.5", "--q", "0.75"],
        ["convert", "--rho", "1", "--to", "epsilon"],
        ["convert", "--gaussian", "1", "--to", "epsilon-delta"],
        ["convert", "--outcomes", "0.5 0.5", "--against", "0.4 0.6", "--to", "rho", "--under", "replace"],
        ["assess", "--epsilon", "1", "--neighbours", "swap"],
        ["assess", "--epsilon", "1", "--delta", "1e-6", "--question", "posterior-ratio"],
    ],
    ids=lambda each: " ".join(each[:6]),
)
def test_no_message_speaks_python(arguments):
    result = CliRunner().invoke(whit, arguments)
    assert result.exit_code in (2, 3)
    said = result.stderr or result.stdout
    assert PYTHON.findall(said) == [], said


def test_python_would_be_found():
    for text in ("Use capped(relative=3)", "got None", "got 0.0", "Neighbours.REPLACE", "PureDP", "total_delta"):
        assert PYTHON.search(text)
        assert text.startswith(("Use", "got")) or not PYTHON.search(without_python(text))


def test_every_guarantee_and_mechanism_has_words():
    for package in (guarantees, mechanisms):
        for name in package.__all__:
            assert not re.search(r"[a-z][A-Z]", class_word(name)) or not isinstance(getattr(package, name), type)


def test_what_a_user_wrote_stays_as_it_is(tmp_path):
    file = tmp_path / "my_PureDP_file.toml"
    file.write_text("[promise]\nepsilon = 'x'\n", encoding="utf-8")
    assert "my_PureDP_file.toml" in CliRunner().invoke(whit, ["assess", "--from", str(file)]).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["assess", "--matrix", "1", "--strategy", "1 0; 1 1 1"], 'such as "1 0; 0.5 1".'),
        (
            ["convert", "--outcomes", "0.5 0.5", "--against", "0.4 0.6", "--to", "rho", "--under", "replace"],
            "Use add-remove.",
        ),
        (
            ["convert", "--outcomes", "0.5 0.5", "--against", "0.4 0.6", "--to", "rho", "--under", "replace"],
            "got outcomes 0.5 0.5 against 0.4 0.6.",
        ),
        (
            ["convert", "--epsilon", "1", "--to", "rho", "--at-delta", "1e-6"],
            "--at-delta does not apply to this kind of promise; got 1e-6. Leave it out.",
        ),
        (["compose", "--epsilon", "1"], '--promise "gaussian=2, sampling-rate=0.01, releases=1000"'),
        (["assess", "--unary-encoding", "1", "--noise", "gaussian"], "--noise goes with --rho or --mu"),
    ],
    ids=lambda each: " ".join(each)[:50] if isinstance(each, list) else "",
)
def test_a_message_says_what_options_say(arguments, said):
    result = CliRunner().invoke(whit, arguments)
    assert result.exit_code in (2, 3)
    assert said in result.stderr


def test_a_profile_is_named_by_what_states_it():
    assert in_words(constant(3.0)) == "relative=3"
    assert in_words(posterior(0.3, prior=0.1)) == "posterior=0.3, prior=0.1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gaussian = 1\nsampling_rat = 0.1", "Did you mean sampling_rate?"),
        ("gaussian = 1\nsampling = 0.1", "Did you mean sampling_rate?"),
        ("epsilon = 1\nsampling_rate = 0.1", "discrete_gaussian or randomized_response."),
        ("bounded_rang = 1", "Did you mean bounded_range?"),
        ("rappor = 1", "State p: RAPPOR: the chance"),
        ("name = 'x'", "Use epsilon, rho, mu, bounded_range or others."),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_the_keys_of_files(tmp_path, text, said):
    file = tmp_path / "release.toml"
    file.write_text(f"[promise]\n{text}\n", encoding="utf-8")
    shown = CliRunner().invoke(whit, ["assess", "--from", str(file)]).stderr
    assert said in shown
    assert "--" not in shown


def test_the_same_mistake_among_options_is_said_in_options():
    shown = CliRunner().invoke(whit, ["assess", "--epsilon", "1", "--sampling-rate", "0.1"]).stderr
    assert "--discrete-gaussian or --randomized-response." in shown


@pytest.mark.parametrize("missing", ["release", "unit", "promise", "adversary"])
def test_a_report_says_which_table_is_missing_and_what_goes_into_it(tmp_path, missing):
    tables = {
        "release": 'name = "a"\npublisher = "b"',
        "unit": 'name = "person"',
        "promise": "epsilon = 1",
        "adversary": 'name = "c"\nfact = "d"\nprior = 0.1',
    }
    file = tmp_path / "release.toml"
    file.write_text("\n".join(f"[{name}]\n{keys}" for name, keys in tables.items() if name != missing))
    shown = CliRunner().invoke(whit, ["report", str(file), "--out", str(tmp_path / "x.md")]).stderr
    assert f"[{missing}] must be there for a report" in shown
    assert f"Write [{missing}] with " in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["assess", "--laplace", "1", "--noise", "laplace"], "Leave it out: --laplace names the noise already."),
        (["assess", "--bounded-range", "1", "--noise", "gaussian"], "State --rho or --mu instead."),
        (["annotate", "nosuch.parquet", "--out", "x.parquet"], "must be a file that exists; got nosuch.parquet."),
        (["web", "--port", "abc"], "--port must be a whole number from 1 to 65535; got abc. Use 8765."),
        (["web", "--port", "70000"], "--port must be a whole number from 1 to 65535; got 70000. Use 8765."),
        (["schema", "nope"], "Use assess, catalogue, check,"),
        (["schema", "asess"], "Did you mean assess?"),
        (
            ["assess", "--epsilon", "1", "--releases", "many"],
            "must be a whole number; got many. Use a number such as 12.",
        ),
    ],
    ids=lambda each: " ".join(each)[:50] if isinstance(each, list) else "",
)
def test_a_way_out_is_one(arguments, said):
    result = CliRunner().invoke(whit, arguments)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (["convert", "--epsilon", "1", "--to", "renyi", "--orders", "0.5"], 'above 1, such as "2 8 32".'),
        (
            ["assess", "--gaussian-mixture", "1", "--amounts", "0 1", "--chances", "0.5"],
            'Pass amounts such as "0 1 2" and their probabilities, such as "0.81 0.18 0.01".',
        ),
        (["assess", "--epsilon", "1", "--delta", "1e-6"], "(its delta is 1e-6)"),
        (["convert", "--epsilon", "1", "--delta", "1e-6", "--to", "all"], "epsilon at delta 1e-6 "),
    ],
)
def test_numbers_and_lists_are_written_as_they_are_typed(arguments, typed):
    result = CliRunner().invoke(whit, arguments)
    said = result.stderr + result.stdout
    assert typed in said
    assert "e-0" not in said


def test_the_list_that_a_message_shows_can_be_typed():
    lists = ("2 8 32", "2,8,32")
    found = [
        CliRunner().invoke(whit, ["convert", "--epsilon", "1", "--to", "renyi", "--orders", each]) for each in lists
    ]
    assert found[0].exit_code == 0
    assert found[0].stdout == found[1].stdout


def test_a_table_of_parameters_has_words_and_leaves_out_what_is_not_set():
    said = CliRunner().invoke(whit, ["convert", "--epsilon", "30", "--to", "beliefs"]).stdout
    assert "\nknows       any-belief\n" in said
    assert "None" not in said
    assert "population" not in said
