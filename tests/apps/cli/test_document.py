from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from whit.apps.asking import Answers
from whit.apps.cli import whit
from whit.assessment import assess
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian
from whit.setting import Adversary, Knowledge
from whit.theory import Finding

HEAD = ["whit", "layout", "command", "asked", "answers", "notes", "result"]


def told(*arguments: str) -> dict:
    result = CliRunner().invoke(whit, [*arguments, "--json"])
    assert result.exit_code in (0, 1, 3), result.output
    return json.loads(result.stdout)


def again(tree: dict, answer: dict, kind: str) -> str:
    """The text from which the finding of a document is read back."""
    return json.dumps({"whit": tree["whit"], "layout": 2, kind: answer[kind]})


@pytest.mark.parametrize(
    "arguments",
    [
        ("assess", "--epsilon", "1"),
        ("compare", "--promise", "epsilon=1", "--promise", "rho=0.1"),
        ("compose", "--promise", "epsilon=1", "--promise", "gaussian=2"),
        ("claim", "epsilon=1"),
        ("convert", "--rho", "0.1", "--to", "epsilon-delta", "--at-delta", "1e-6"),
        ("recommend", "--limit", "difference=0.2", "--for", "epsilon"),
        ("check", "--epsilon", "1", "--limit", "difference=0.2"),
        ("theorem",),
        ("theorem", "zcdp-tails"),
        ("explain", "--epsilon", "1"),
        ("catalogue", "--unit", "establishment"),
        ("plan", "census-2020", "--scenario", "A"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_every_document_has_the_same_head(arguments):
    tree = told(*arguments)
    assert list(tree) == HEAD
    assert tree["command"] == arguments[0]
    for answer in tree["answers"]:
        kinds = {"finding", "unanswered"} & set(answer)
        assert len(kinds) == 1
        assert {"name", "of", "sentence"} <= set(answer)


def test_the_findings_of_a_document_are_those_of_the_library():
    tree = told("assess", "--epsilon", "1", "--prior", "0.3", "--failure", "0.01")
    found = dict(assess(PureDP(1.0), Adversary(prior=0.3), failure=0.01))
    for answer in tree["answers"]:
        if "finding" in answer and "." not in answer["name"]:
            assert Finding.from_json(again(tree, answer, "finding")) == found[answer["name"]]


def test_the_brackets_of_a_document_are_those_of_the_library():
    tree = told("assess", "--gaussian", "1", "--knows", "everyone-else", "--question", "expected-posterior")
    [answer] = tree["answers"]
    expected = assess(Gaussian(1.0), Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE)).expected_posterior
    assert Finding.from_json(again(tree, answer, "finding")) == expected


def test_both_sides_are_told_by_one_finding():
    tree = told("assess", "--epsilon", "1", "--sides", "2", "--question", "posterior")
    [answer] = tree["answers"]
    assert 0.0 < answer["finding"]["lower"] < 0.5 < answer["finding"]["upper"] < 1.0


def test_a_question_without_an_answer_says_why():
    tree = told("assess", "--epsilon", "1", "--delta", "1e-6", "--question", "posterior")
    [answer] = tree["answers"]
    assert "Ask with --failure 1e-5 or more" in answer["unanswered"]


def test_the_failure_and_the_theorem_are_told():
    tree = told("assess", "--rho", "0.07", "--failure", "0.01", "--question", "posterior")
    basis = tree["answers"][0]["finding"]["basis"]
    assert basis["failures"] == [{"probability": 0.01, "over": "BELIEF"}]
    assert "zcdp-tails" in basis["theorems"]


FACTS = """
[promise]
epsilon = 1
[[adversary]]
name = "employer"
fact = "the applicant is ill"
prior = 0.1
[[adversary]]
name = "insurer"
fact = "the client smokes"
prior = 0.3
"""


@pytest.mark.parametrize("command", ["assess", "explain"])
def test_each_answer_has_the_fact_that_its_adversary_asks_about(command, tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(FACTS, encoding="utf-8")
    answers = told(command, "--from", str(file))["answers"]
    found = {(each["by"], each["finding"]["inputs"]["fact"]) for each in answers if "fact" in each["finding"]["inputs"]}
    assert found == {("employer", "the applicant is ill"), ("insurer", "the client smokes")}
    generic = told("assess", "--epsilon", "1")["answers"][0]["finding"]["inputs"]["fact"]
    assert generic == "that the person is in the data, or that they are not"


def test_the_worst_priors_are_four_findings():
    tree = told("assess", "--epsilon", "1", "--question", "worst-prior")
    assert [each["name"].count(".") for each in tree["answers"]] == [2, 2, 2, 2]


def test_infinite_numbers_are_texts_everywhere():
    tree = json.loads(Answers("x", {"a": math.inf}, result={"b": [1.0, -math.inf], "c": {"d": 2}}).text())
    assert tree["asked"] == {"a": "inf"}
    assert tree["result"] == {"b": [1.0, "-inf"], "c": {"d": 2}}


PYTHON = re.compile(
    r"\b[A-Z]\w*\([^)]*\w=|<[A-Za-z][\w. ]*(?: object| at 0x|:)|\b[A-Z][a-z]+\.[A-Z_]{3,}\b"
    r"|\S +[A-Z]{2,}_[A-Z_]{2,}\b|\b(?:None|True|False)\b|\b(?:frozenset|mappingproxy|Decimal|array)\("
)
"""A repr: calls with names, objects, members of an Enum, and their names inside of a sentence. A code that is the whole
of a text, such as AT_MOST, is one of those that the schema lists."""


def texts(tree: object) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    for each in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from texts(each)


@pytest.mark.parametrize(
    "arguments",
    [
        ("assess", "--gaussian", "2", "--sampling-rate", "0.1", "--releases", "3", "--failure", "0.01"),
        ("assess", "--epsilon", "1", "--delta", "1e-6", "--knows", "everyone-else", "--when", "ever"),
        ("assess", "--outcomes", "0.5 0.5", "--against", "0.4 0.6"),
        ("compare", "--promise", "epsilon=1, delta=1e-6", "--promise", "gaussian=2, sampling-rate=0.1"),
        ("compose", "--promise", "epsilon=1", "--promise", "gaussian=2, releases=3"),
        ("claim", "epsilon=1, delta=1e-6, releases=3"),
        ("convert", "--gaussian", "2", "--to", "renyi", "--orders", "2,3"),
        ("convert", "--gaussian", "2", "--to", "all"),
        ("recommend", "--limit", "difference=0.2", "--for", "gaussian", "--failure", "0.01"),
        ("recommend", "--profile", "relative=3", "--for", "rho", "--failure", "0.01"),
        ("check", "--gaussian", "9", "--profile", "relative=3", "--failure", "0.01", "--remedy"),
        ("check", "--epsilon", "1", "--limit", "posterior=0.3, prior=0.1, knows=everyone-else, when=ever"),
        ("theorem", "zcdp-tails"),
        ("explain", "--gaussian", "2", "--audience", "officer", "--failure", "0.01"),
        ("catalogue", "--unit", "establishment"),
        ("plan", "census-2020", "--scenario", "A", "--limit", "posterior=0.3, prior=0.1", "--failure", "0.01"),
        ("plot", "level-and-power", "--gaussian", "1", "--out", "x.svg"),
    ],
    ids=" ".join,
)
def test_no_text_of_a_document_is_a_repr(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [each for each in texts(told(*arguments)) if PYTHON.search(each)] == []


def test_a_repr_would_be_found():
    for each in (repr(Gaussian(1.0)), repr(object()), str(Knowledge.ANY_BELIEF), "knows ANY_BELIEF", "got None"):
        assert PYTHON.search(each)
    assert [*texts({"a": ["x", {"b": "y"}]})] == ["x", "y"]
