"""Texts in German and French have no number in the English manner: a point between digits is found anywhere."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from whit.guarantees import ApproxDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, PoissonSubsampled
from whit.setting import Sensitivity
from whit.telling.reports import report
from whit.telling.words import explain
from whit.theory import theorem
from whit.theory.basis import theorem_keys

OTHERS = ("de", "fr")
PROMISES = {
    "rho": ZeroConcentratedDP(2.56),
    "epsilon and delta": ApproxDP(0.25, 1.5e-7),
    "noise": Gaussian(2.5, sensitivity=Sensitivity(add_remove=1.5, replace=(1.0, 1.0))).times(3),
    "sampled": PoissonSubsampled(DiscreteGaussian(4.5), 0.25),
}
STATED = {
    "rho": "rho = 2.56",
    "sum": 'gaussian = 2.5\nsensitivity = "1.5:2.5"',
    "histogram": 'laplace = 12.5\nsensitivity = "histogram"',
}
FILE = """
[release]
name = "N"
publisher = "P"
description = "D"
[unit]
name = "person"
[promise]
{promise}
releases = 2
[[adversary]]
name = "A"
fact = "F"
prior = 0.125
[limit.posterior]
limit = 0.355
prior = 0.125
[profile.capped]
relative = 2.5
absolute = 0.255
[questions]
failure = 0.015
level = 0.025
"""

# Days, the version, and what is quoted from English sources.
_NOT_NUMBERS = r"\d\d[./]\d\d[./]\d{4}|\d{4}-\d\d-\d\d|whit [\d.]+\w*|„[^“]*“|«[^»]*»|https?://\S+|arXiv:[\d.]+"


def english_numbers(text: str) -> list[str]:
    """Numbers with a point between digits, each with the words around it; sources and statements are quoted."""
    text = re.sub(r"^\|[^|\n]*\|[^|\n]*\((?:englisch|en anglais)\) \|\n(?:\|.*(?:\n|$))+", "", text, flags=re.MULTILINE)
    for place in sorted({theorem(key).locator for key in theorem_keys()}, key=len, reverse=True):
        text = text.replace(place, " ")
    return re.findall(r".{0,40}\d\.\d.{0,20}", re.sub(_NOT_NUMBERS, " ", text))


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("audience", ["public", "officer", "technical"])
@pytest.mark.parametrize("name", PROMISES)
def test_explanations(name, audience, code):
    said = explain(PROMISES[name], audience=audience, language=code).text
    assert english_numbers(said) == []


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", STATED)
def test_reports_and_the_descriptions_of_their_pictures(name, code, tmp_path: Path):
    file = tmp_path / "release.toml"
    file.write_text(FILE.format(promise=STATED[name]), encoding="utf-8")
    out = report(file, tmp_path / "out.md", date=datetime.date(2026, 1, 31), language=code)
    assert english_numbers(out.read_text(encoding="utf-8")) == []


def test_a_number_in_the_english_manner_is_found():
    assert english_numbers("rho = 2.56 und 2,5") == ["rho = 2.56 und 2,5"]
    assert english_numbers("am 31.01.2026 mit whit 0.1.0, „rho = 2.56“") == []
