"""The schema of each command: its file is up to date, and requests and documents are as it says."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click import Context
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from shell_pages import Saved, Step, session

from whit.apps.asking import COMMANDS, ask
from whit.apps.asking.schemas import schema_of, schema_text, stored_schema
from whit.apps.cli import whit
from whit.errors import WhitError

DOCS = Path(__file__).parents[3] / "docs"
SLOW = ("whit papers",)


def validator(command: str, what: str) -> Draft202012Validator:
    whole = json.loads(stored_schema(command))
    return Draft202012Validator({**whole, "$ref": f"#/$defs/{what}"})


@pytest.mark.parametrize("command", COMMANDS)
def test_the_file_of_a_command_is_what_its_fields_make(command):
    assert stored_schema(command) == schema_text(command), "run python -m whit.apps.asking.schemas"
    Draft202012Validator.check_schema(schema_of(command))
    assert CliRunner().invoke(whit, ["schema", command]).stdout == stored_schema(command)


def test_a_command_without_a_schema_is_refused():
    result = CliRunner().invoke(whit, ["schema", "asses"])
    assert result.exit_code == 2
    assert "Did you mean assess" in result.stderr


@pytest.mark.parametrize("command", sorted({*whit.list_commands(Context(whit))} - {*COMMANDS}))
def test_a_command_that_only_has_no_schema_is_not_called_unknown(command):
    """Every command of whit that has none: the message and the page on JSON both list those that have one."""
    result = CliRunner().invoke(whit, ["schema", command])
    assert result.exit_code == 2
    assert f"must be a command with a JSON Schema; got {command}. These have one: assess, catalogue," in result.stderr
    page = (DOCS / "reference" / "json.md").read_text(encoding="utf-8")
    with_one, without = page.partition("The other commands have no schema: ")[::2]
    assert f"`{command}`" in without.partition("[The interface")[0]
    assert all(f"`{each}`" in with_one for each in COMMANDS)


PAGE = [*session((DOCS / "reference" / "command-line.md").read_text(encoding="utf-8"))]
DOCUMENTS = [
    shlex.split(each.line)[1:]
    for each in PAGE
    if isinstance(each, Step) and each.line.endswith("--json") and shlex.split(each.line)[1] in COMMANDS
]


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(each, marks=[pytest.mark.slow] if each[0] == "papers" else [], id=" ".join(each))
        for each in DOCUMENTS
    ],
)
def test_a_document_of_the_reference_is_as_its_schema_says(typed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for each in PAGE:
        if isinstance(each, Saved):
            (tmp_path / each.name).write_text(each.text, encoding="utf-8")
    result = CliRunner().invoke(whit, typed)
    assert result.exit_code == 0, result.output
    validator(typed[0], "document").validate(json.loads(result.stdout))


def test_a_document_of_a_claim_says_what_its_noise_shows():
    for claim, support in (("epsilon=1, laplace=1", "SUPPORTED"), ("epsilon=1, gaussian=1", "CONTRADICTED")):
        document = ask("claim", {"claim": claim}).answers.document()
        validator("claim", "document").validate(document)
        assert [each["support"] for each in document["result"]["stated_epsilons"]] == [support]


def test_documents_were_found():
    assert {each[0] for each in DOCUMENTS} >= {"assess", "claim", "recommend", "convert", "explain", "plan", "theorem"}


def table(needed: Any, optional: Any = None) -> st.SearchStrategy[dict[str, Any]]:
    """Tables that have some names, and perhaps others."""
    return st.fixed_dictionaries(needed, optional=optional or {})


PROMISES = st.one_of(
    table({"epsilon": st.floats(0.01, 5.0)}, {"delta": st.sampled_from([1e-9, "1e-6"])}),
    table({"rho": st.sampled_from([0.01, "0.5"])}, {"neighbours": st.just("replace")}),
    table({"gaussian": st.floats(0.5, 20.0)}, {"sensitivity": st.just("histogram")}),
    table({"mu": st.floats(0.1, 2.0)}, {"releases": st.integers(1, 12)}),
)
ASKED = {"prior": st.sampled_from([0.01, "10 %", 0.5]), "failure": st.sampled_from([0, 0.01]), "sides": st.just(2)}
LIMITS = st.sampled_from(["difference=0.2", "posterior=0.3, prior=0.1", {"power": 0.2, "level": 0.05}, {"ratio": 3}])
REQUESTS = st.one_of(
    st.tuples(st.sampled_from(["assess", "explain"]), PROMISES, st.fixed_dictionaries({}, optional=ASKED)),
    st.tuples(st.just("check"), PROMISES, st.fixed_dictionaries({"limit": st.lists(LIMITS, min_size=1, max_size=2)})),
    st.tuples(
        st.just("recommend"),
        st.sampled_from([{"for": "epsilon"}, {"for": "gaussian", "failure": 0.01}, {"for": "rho", "failure": 0.01}]),
        st.fixed_dictionaries({"limit": st.lists(LIMITS.filter(lambda each: "power" not in str(each)), min_size=1)}),
    ),
    st.tuples(st.just("convert"), PROMISES, st.just({"to": "all"})),
    st.tuples(
        st.sampled_from(["compare", "compose"]),
        st.just({}),
        st.fixed_dictionaries({"promise": st.just(["epsilon=1", {"rho": 0.1}])}),
    ),
    st.tuples(st.just("theorem"), st.just({}), st.sampled_from([{}, {"key": "zcdp-tails"}])),
)
"""Requests that the schemas must take: a command, and values in two parts."""


@settings(max_examples=60, deadline=None)
@given(REQUESTS)
def test_a_request_and_its_document_are_as_the_schemas_say(request_):
    command, some, others = request_
    values = {**some, **others}
    assert validator(command, "request").is_valid(values)
    try:
        document = ask(command, values).answers.document()
    except WhitError:
        return  # a fair question without an answer, or two values that do not go together
    assert list(validator(command, "document").iter_errors(json.loads(json.dumps(document, allow_nan=False)))) == []


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("assess", {"epsilonn": 1}),
        ("assess", {"prior": 2}),
        ("assess", {"releases": 0}),
        ("assess", {"knows": "nobody"}),
        ("assess", {"sides": 3}),
        ("assess", {"all": "perhaps"}),
        ("assess", {"epsilon": "much"}),
        ("check", {"limit": [{"dif": 1}]}),
        ("convert", {"epsilon": 1}),
        ("recommend", {"epsilon": 1}),
        ("plan", {"scenario": "A"}),
    ],
)
def test_what_the_grammar_refuses_its_schema_refuses(command, values):
    with pytest.raises(ValidationError, match="."):
        validator(command, "request").validate(values)
    with pytest.raises(WhitError, match="; got | cannot be "):
        ask(
            command,
            {**({"epsilon": 1} if command in ("assess", "check") and "epsilon" not in values else {}), **values},
        )


def test_a_document_without_its_basis_is_refused():
    document = ask("assess", {"epsilon": 1, "question": "posterior"}).answers.document()
    validator("assess", "document").validate(document)
    del document["answers"][0]["finding"]["basis"]
    with pytest.raises(ValidationError, match="'basis' is a required property"):
        validator("assess", "document").validate(document)


TREES = [
    {"difference": 0.2},
    {"posterior": 0.3, "prior": 0.1, "when": "ever"},
    {"ratio": 3.0, "prior": 0.01, "knows": "everyone_else", "block": 3},
    {"power": 0.2, "level": 0.05},
    {"success": 0.5, "baseline": 0.1},
    {"relative": 3.0},
    {"relative": 3.0, "absolute": 0.25, "value": 1.0},
    {"relative": 3.0, "inclusion": [0.1, 0.6]},
    {"difference": 0.2},
    {"table": [[0.1, 1.0, 5.0], [1.0, 1.0, 1.5]]},
]


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_what_a_document_says_was_wanted_can_be_given_back(tree):
    """The same words, read, written and read again."""
    name = "limit" if not {"relative", "table"} & tree.keys() else "profile"
    told = ask("check", {"epsilon": 0.1, name: [tree]}).answers.document()
    assert told["asked"]["wanted"] == [tree]
    assert told["result"]["parts"][0]["requirement"] == tree
    validator("check", "request").validate({name: told["asked"]["wanted"]})


@pytest.mark.parametrize("family", ["epsilon", "rho", "gaussian", "laplace", "discrete-gaussian"])
def test_the_release_of_a_recommendation_can_be_given_back_and_is_allowed(family):
    limit = [{"difference": 0.2}]
    told = ask("recommend", {"limit": limit, "for": family, "failure": 0.01}).answers.document()
    assert told["asked"]["failure"] == 0.01
    assert told["asked"]["releases"] == 1
    release = told["result"]["release"]
    assert ask("check", {**release, "limit": limit, "failure": 0.01}).code == 0
