"""One request has one number: assess, explain, the report, and the documents of all of them agree."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.apps.cli import whit
from whit.spec import read_release
from whit.telling.reports.cases import answer_release
from whit.telling.words import explain

PROMISES = {
    "epsilon = 1.3": ["--epsilon", "1.3"],
    "epsilon = 0.7\ndelta = 1e-6": ["--epsilon", "0.7", "--delta", "1e-6"],
    "rho = 0.1\nreleases = 3": ["--rho", "0.1", "--releases", "3"],
    "mu = 0.4\nneighbours = 'replace'": ["--mu", "0.4", "--neighbours", "replace"],
    "gaussian = 2\nsensitivity = 'histogram'": ["--gaussian", "2", "--sensitivity", "histogram"],
    "gaussian = 10\nreleases = 4\nneighbours = 'add_remove'": (
        ["--gaussian", "10", "--releases", "4", "--neighbours", "add-remove"]
    ),
    "laplace = 2": ["--laplace", "2"],
    "staircase = 0.8": ["--staircase", "0.8"],
    "geometric = 0.5\nsensitivity = [2, 2]": ["--geometric", "0.5", "--sensitivity", "2"],
    "discrete_gaussian = 3": ["--discrete-gaussian", "3"],
    "randomized_response = 1": ["--randomized-response", "1"],
}
"""Each as a file and as options have it."""

BELIEFS = st.one_of(
    st.fixed_dictionaries({"prior": st.sampled_from([0.01, 0.1, 0.5, 0.9])}),
    st.fixed_dictionaries({"inclusion": st.sampled_from([0.05, 1.0]), "value": st.sampled_from([0.2, 1.0])}),
)
REST = {"head": '[release]\nname = "x"\npublisher = "y"\n[unit]\nname = "person"\n'}


def numbers(document: dict) -> dict[str, object]:
    """The answers of a document by question: value and direction, or that there is none."""
    found: dict[str, object] = {}
    for each in document["answers"]:
        finding = each.get("finding")
        found[each["name"]] = (finding["value"], finding["direction"]) if finding else "none"
    return found


def asked(*arguments: str) -> dict:
    result = CliRunner().invoke(whit, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def but_for_the_fact(text: str) -> list[str]:
    """The paragraphs but the one that names the fact, for which the command line has no word."""
    paragraphs = text.split("\n\n")
    left = [each for each in paragraphs if not each.startswith("The fact in question is that ")]
    assert len(paragraphs) - len(left) <= 1
    return left


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(sorted(PROMISES)),
    BELIEFS,
    st.sampled_from(["", "any_belief", "everyone_else"]),
    st.sampled_from([0.01, 0.2]),
    st.sampled_from([0.05, 0.3]),
)
def test_every_way_of_asking_gives_the_same_numbers(tmp_path_factory, promise, beliefs, knows, failure, level):
    path = tmp_path_factory.mktemp("request") / "release.toml"
    lines = [f"{name} = {value}" for name, value in beliefs.items()] + ([f"knows = '{knows}'"] if knows else [])
    path.write_text(
        f"{REST['head']}[promise]\n{promise}\n[[adversary]]\nname = 'an insurer'\nfact = 'it is so'\n"
        + "\n".join(lines)
        + f"\n[questions]\nfailure = {failure}\nlevel = {level}\n",
        encoding="utf-8",
    )
    options = [part for name, value in beliefs.items() for part in (f"--{name}", str(value))]
    options += [*PROMISES[promise], "--failure", str(failure), "--level", str(level)]
    options += ["--knows", knows] if knows else []
    first = numbers(asked("assess", "--from", str(path)))
    assert numbers(asked("assess", *options)) == first
    told = asked("explain", "--from", str(path), "--audience", "officer")
    assert numbers(told) == first
    by_options = asked("explain", *options, "--audience", "officer")
    assert but_for_the_fact(by_options["result"]["text"]) == but_for_the_fact(told["result"]["text"])
    work = answer_release(read_release(path))
    report = {name: answer.worst for name, answer in work.cases[0].assessment}
    for name, answer in report.items():
        if name in first:  # the worst priors are four in a document
            assert first[name] == ("none" if answer is None else (answer.to_dict()["value"], answer.direction.name))
    assert explain(work.cases[0].assessment, "officer", fact="it is so").text == told["result"]["text"]


def test_the_demo_says_one_number_in_every_text():
    """It said 15.3 %, 16.2 %, 16 and 17 out of 100 for one adversary, as the command or the audience changed."""
    demo = "demo/release.toml"
    said = [
        CliRunner()
        .invoke(whit, ["explain", "--from", demo, "--adversary", "an employer", "--audience", audience])
        .stdout
        for audience in ("public", "officer")
    ]
    assert "at most 17 out of 100" in said[0]
    assert re.search(r"the posterior of the truth is at most 16.2 %", said[1])
    assert "15.3" not in said[1]
    table = CliRunner().invoke(whit, ["assess", "--from", demo, "--adversary", "an employer"]).stdout
    assert "goes from 10 % to at most 16.2 %, except with probability 1 %." in table


@pytest.mark.parametrize("command", ["assess", "explain", "compare"])
def test_what_an_adversary_knows_changes_every_command(command):
    """It was read and not used by two of them."""
    texts = {
        CliRunner()
        .invoke(whit, [command, "--gaussian", "1", "--prior", "0.1", "--failure", "0.01", "--knows", knows])
        .stdout
        for knows in ("any-belief", "everyone-else")
    }
    assert len(texts) == 2
