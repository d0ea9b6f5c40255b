"""The everyday names of telling are at hand, and pictures and reports are loaded when they are first used."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whit import telling
from whit.guarantees import PureDP


def test_explain_is_the_function_and_stays_it():
    importlib.import_module("whit.telling.words.explaining")
    assert str(telling.explain(PureDP(1.0))).startswith("At worst")


@pytest.mark.parametrize("first", ["import whit.telling.words.numbers", "from whit.telling import explain"])
def test_the_order_of_imports_does_not_matter(first):
    code = f"{first}\nfrom whit import telling\nassert callable(telling.explain)\nimport sys\n"
    code += "assert not {'altair', 'jinja2', 'typst', 'vl_convert'} & set(sys.modules)\n"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_the_everyday_names_are_listed():
    assert {"explain", "plot", "report"} <= set(dir(telling))
    assert telling.__all__ == ["explain", "plot", "remedy_sentences", "report"]


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="has no attribute 'shout'"):
        _ = telling.shout
