"""A case study states only what the catalogue states, with its source, and has the four parts that readers expect."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "case-studies"
STUDIES = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")
CATALOGUE = tomllib.loads((ROOT / "src/whit/telling/catalogue/deployments.toml").read_text(encoding="utf-8"))

WITHOUT_NOISE = ["a-table-with-blanks"]
"""Studies of a release that promises no parameter; the catalogue has none of them."""

WITH_NOISE = [each for each in STUDIES if each.stem not in WITHOUT_NOISE]

PARTS = ["What was promised", "What it means", "What is not said", "What could be asked"]
STATED = re.compile(r"\b(epsilon|rho|delta|mu) = ([\d.e-]+)")
SOURCE = re.compile(r"\]\((https?://[^)]+)\)")


def promised(page: str) -> list[tuple[dict[str, float], str]]:
    """The rows of the table below `What was promised`: the parameters of each, and the address of its source."""
    part = page.partition(f"## {PARTS[0]}\n")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if STATED.search(line) and line.startswith("|")]
    return [({name: float(value) for name, value in STATED.findall(row)}, SOURCE.findall(row)[-1]) for row in rows]


def unknown(page: str) -> list[tuple[dict[str, float], str]]:
    """The rows that are no entry of the catalogue: the same parameters from the same source."""
    known = [(each["parameters"], each["link"]) for each in CATALOGUE["deployment"]]
    return [row for row in promised(page) if row not in known]


@pytest.mark.parametrize("path", WITH_NOISE, ids=lambda path: path.stem)
def test_what_was_promised_is_an_entry_of_the_catalogue(path):
    page = path.read_text(encoding="utf-8")
    assert promised(page)
    assert unknown(page) == []


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_a_study_has_its_four_parts_in_order(path):
    headings = re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [each for each in headings if each in PARTS] == PARTS


def test_the_index_leads_to_every_study():
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert {path.name for path in STUDIES} == set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    assert len(STUDIES) >= 4


@pytest.mark.parametrize("name", WITHOUT_NOISE)
def test_a_study_without_noise_states_no_parameter(name):
    assert promised((FOLDER / f"{name}.md").read_text(encoding="utf-8")) == []


def test_another_parameter_or_another_source_would_be_noticed():
    page = (FOLDER / "telemetry.md").read_text(encoding="utf-8")
    assert unknown(page) == []
    assert unknown(page.replace("epsilon = 1.672", "epsilon = 1.6"))
    assert unknown(page.replace("microsoft.com", "example.org"))
