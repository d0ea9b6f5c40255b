"""What the command line says has no Python in it: no calls, no reprs, no names of members, in text and in JSON."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

PROMISES = [
    "--epsilon 1",
    "--epsilon 1 --neighbours replace",
    "--epsilon 1 --delta 1e-6 --releases 3",
    "--epsilon 1 --delta 1",
    "--rho 0.1",
    "--mu 1 --neighbours replace",
    "--bounded-range 1",
    "--rho 0.1 --noise gaussian",
    "--gaussian 2 --sensitivity histogram",
    "--gaussian 2 --changes full",
    "--gaussian 2 --releases 4 --neighbours replace",
    "--discrete-gaussian 2",
    "--laplace 2 --sensitivity 1:2",
    "--geometric 0.5",
    "--staircase 1 --gamma 0.25 --step 2",
    "--tulap 1 --delta 1e-6",
    "--randomized-response 1 --categories 5",
    "--unary-encoding 1 --symmetric",
    "--rappor 0.5 --p 0.5 --q 0.75 --reports any",
    "--exponential-mechanism 1 --monotone",
    "--permute-and-flip 1 --neighbours replace",
    "--noisy-max 1",
    "--sparse-vector 1 --positives 2",
    "--matrix 2 --strategy '1 0; 0.5 1'",
    "--toeplitz 2 --coefficients '1 0.5' --rounds 3",
    "--square-root 2 --rounds 4 --participation '2 epochs'",
    "--tree-aggregation 4 --rounds 8",
    "--gaussian-mixture 2 --amounts '0 1' --chances '0.9 0.1'",
    "--partition-selection 1 --delta 1e-6",
    "--published-sample 10 --drawn-from 1000",
    "--outcomes '0.5 0.5' --against '0.25 0.75'",
    "--covariance '2 1; 1 2' --added '1 0' --replaced '1 -1'",
    "--gaussian 2 --sampling-rate 0.1 --releases 5",
    "--laplace 2 --sample-size 10 --drawn-from 100",
    "--gaussian 2 --cut-sample 20 --cut-rate 0.1 --drawn-from 100",
    "--gaussian 2 --threshold 5 --keys 2",
    "--randomized-response 1 --shuffled 100",
    "--gaussian 4 --runs 10",
]
"""Every kind of promise, and every kind that is made of another."""

COMMANDS = [
    "assess {} --prior 0.1 --failure 0.01 --why --all",
    "assess {}",
    "assess {} --inclusion 0.5 --value 0.1 --sides 2 --population 1000 --failure 0.01",
    "assess {} --knows everyone-else --when ever --block 2 --baseline 0.2",
    "explain {} --audience public --failure 0.01",
    "explain {} --audience officer --language de",
    "explain {} --audience technical --failure 0.01",
    "check {} --limit posterior=0.3,prior=0.1 --profile relative=3 --failure 0.01 --remedy",
    "check {} --keeping epsilon=1,delta=1e-6",
    "check {} --limit power=0.1,level=0.05 --limit success=0.5,baseline=0.1 --remedy",
    "convert {} --to all --at-delta 1e-6",
    "convert {} --to epsilon",
]
"""What is asked of each of them."""

PYTHON = {
    "a call": r"\b[A-Za-z_][\w.]*\([^()]*=",
    "a class": r"\b(?!Mc)[A-Z][a-z]+[A-Z]\w*",
    "a method": r"\b[a-z_]+\.[a-z_]+\(",
    "a repr": r"<[A-Za-z_.]+[ .>]| object at 0x",
    "a member": r"\b[A-Z]{2,}_[A-Z_]+\b",
    "a constant": r"\b(None|True|False|nan)\b",
    "a tuple": r"\(\(|,\)|\[\[",
    "a dictionary": r"\{'|'[a-z_]+':",
    "an attribute": r"\b[a-z]{2,}_[a-z_]+\b",
}
"""What a sentence must not have in it."""


def texts(tree: Any) -> Iterator[str]:
    """The sentences of a document: texts with a blank or a bracket; others are names that programs know."""
    if isinstance(tree, dict):
        for each in tree.values():
            yield from texts(each)
    elif isinstance(tree, list):
        for each in tree:
            yield from texts(each)
    elif isinstance(tree, str) and re.search(r"[ (<]", tree):
        yield tree


def found(text: str) -> list[str]:
    """Each sign of Python in a text, with what stands around it."""
    seen = {what: re.search(sign, text) for what, sign in PYTHON.items()}
    return [f"{what}: {text[max(0, at.start() - 60) : at.end() + 60]}" for what, at in seen.items() if at]


def said(line: str) -> list[str]:
    result = CliRunner().invoke(whit, shlex.split(line))
    assert isinstance(result.exception, SystemExit | None), (line, result.exception)
    if "--json" in line and result.exit_code in (0, 1, 3) and result.stdout:
        return [*texts(json.loads(result.stdout)), result.stderr]
    return [result.stdout, result.stderr]


@pytest.mark.parametrize("promise", PROMISES)
def test_no_command_shows_python(promise):
    lines = [command.format(promise) for command in COMMANDS]
    asked = [line for each in lines for line in (each, f"{each} --json")]
    assert not {line: signs for line in asked if (signs := [sign for text in said(line) for sign in found(text)])}


@pytest.mark.parametrize(
    "text",
    [
        "Use capped(..., value=1.0)",
        "got <FinitePair of 3 atoms>",
        "Composed((Gaussian(sigma=1.0), 2))",
        "ADD_REMOVE is not known",
        "bands = None",
        "Use Neighbours.ADD_REMOVE.",
        "Pass limits.difference(0.2).",
        "the orders {'a': 1}",
        "a sampling_rate of 1",
    ],
)
def test_python_is_found(text):
    assert found(text)
