"""The page of a paper shows its figures with their descriptions, and each number beside what came out."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace
from typing import Any

import pytest
from _generate.gallery import errata_links, paper_pages

from whit.papers import PAPERS, Case, Recomputed, Verdict, read_cases

CASE = Case("k", "KS14", "Theorem 2", "delta | level", {"eps": "0.1"}, "0.25", "0.5", Verdict.WRONG, "001.1")
PICTURE: Any = SimpleNamespace(title="KS14 Figure 1: a line", alt="A line [rises].", svg=lambda: "<svg/>")


def test_a_number_stands_beside_what_is_printed_and_leads_to_its_erratum():
    pages = paper_pages("KS14", {}, [Recomputed(CASE, 0.5, 1e-12)], {"001.1": "../errata/ks14.md#x"})
    row = "| Theorem 2 | delta \\| level | eps = 0.1 | 0.25 | 0.5 | the printed value is wrong | [001.1](../errata/ks14"
    assert row in pages["gallery/ks14.md"]


def test_a_number_that_is_not_the_expected_one_is_said_to_be_so():
    page = paper_pages("KS14", {}, [Recomputed(CASE, math.nextafter(0.5, 1) + 1e-9, 1e-12)], {})["gallery/ks14.md"]
    assert "(not the expected value)" in page


def test_a_figure_has_its_description():
    pages = paper_pages("KS14", {1: lambda: PICTURE}, [], {})
    assert pages["gallery/ks14-figure-1.svg"] == "<svg/>"
    page = pages["gallery/ks14.md"]
    assert '```{image} ks14-figure-1.svg\n:alt: "A line [rises]."\n' in page
    assert "a line" not in page  # the title stands in the picture


@pytest.mark.parametrize("paper", PAPERS)
def test_every_erratum_of_a_case_is_on_a_page(paper):
    links = errata_links()
    assert {case.errata for case in read_cases(paper) if case.errata} <= set(links)


def test_errata_are_found_by_number():
    links = errata_links()
    assert links
    assert all(re.fullmatch(r"\.\./errata/\w+\.md#[\w-]+", link) for link in links.values())
