"""The one place that knows the drawing libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from whit.errors import MissingExtra
from whit.guarantees import PureDP
from whit.telling.plots import posterior_against_prior

SOURCE = Path(__file__).parents[3] / "src"


@pytest.mark.parametrize(
    ("library", "said"), [("altair", "altair must be"), ("vl_convert", "vl-convert-python must be")]
)
def test_a_missing_library_is_named_with_the_way_to_install_it(monkeypatch, library, said):
    picture = posterior_against_prior(PureDP(1.0), priors=[0.0, 1.0])
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{said}.*python3 -m pip install '\.\[charts\]'$"):
        picture.svg() if library == "vl_convert" else picture.chart


def test_the_libraries_are_loaded_when_the_first_picture_is_made():
    check = "import sys, whit.telling.plots; print('altair' in sys.modules, 'vl_convert' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    said = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, env=environment)
    assert said.stdout.split() == ["False", "False"]


def test_a_picture_is_saved_without_the_library_that_changes_charts(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    assert "<svg" in posterior_against_prior(PureDP(1.0), priors=[0.0, 1.0]).svg()
