"""Docstrings are shown as they are meant, and names lead to the place where they are public."""

from __future__ import annotations

import enum
import inspect
import re
from importlib import import_module

import pytest
from _generate.api import api_pages, package_page
from _generate.docstrings import readable, signature_of
from _generate.names import described_as, packages, public_names

import whit


def test_two_columns_become_definitions():
    lines = [
        "posterior, ratio   how far it moves",
        "odds               the same, as odds,",
        "                   and more",
    ]
    assert readable(lines) == [
        "``posterior, ratio``",
        "    how far it moves",
        "``odds``",
        "    the same, as odds,",
        "    and more",
    ]


def test_a_long_name_may_stand_out_of_its_column():
    lines = ["ratio         how far it moves", "distinct_sums sums of few kinds", "profile_points  what bounds it"]
    assert readable([*lines, "odds          as odds", "tail          of the loss"])[2:6] == [
        "``distinct_sums``",
        "    sums of few kinds",
        "``profile_points``",
        "    what bounds it",
    ]


def test_columns_may_have_a_line_above_them():
    assert readable(["What is asked:", "odds  as odds", "tail  of the loss"])[:3] == ["What is asked:", "", "``odds``"]


def test_a_drawn_tree_is_left_alone():
    assert readable(["Error", "├── One   the first"]) == ["::", "", "    Error", "    ├── One   the first"]


def test_no_package_has_columns_that_run_together():
    lines = [
        line for package in packages() for line in readable((inspect.getdoc(import_module(package)) or "").splitlines())
    ]
    ragged = [line for line in lines if re.search(r"\S {3,}\S", line) and not line.startswith((" ", "``"))]
    assert ragged == []


@pytest.mark.parametrize(
    "lines",
    [
        ["A sentence.  Another one, set wide.", "And a third."],
        ["Args:", "    count: how many  there are."],
        [">>> f(1)", "1  2", "3  4"],
    ],
)
def test_other_text_is_left_alone(lines):
    assert readable(lines) == lines


def test_signs_that_are_markup_elsewhere_are_escaped_outside_of_code():
    assert readable(["|Z| times c_ and `a*b`"]) == ["\\|Z\\| times c\\_ and `a*b`"]


def test_types_are_shown_as_they_are_written():
    class Kind(enum.Enum):
        ONE = 1

    def function(self, x: ArrayLike, *, kind: Kind = Kind.ONE, y=len) -> Finding | None:  # type: ignore[name-defined]  # noqa: F821
        raise NotImplementedError

    assert signature_of(function, bound=True) == ("(x: ArrayLike, *, kind: Kind = Kind.ONE, y=...)", "Finding | None")


def test_every_public_name_is_on_the_page_of_its_package():
    pages = api_pages()
    for package in packages():
        text = pages[f"reference/api/{package}.rst"]
        assert all(each.path in text or each.home in text or each.name in text for each in public_names(package))


def test_a_name_is_described_once_near_its_source():
    assert described_as("whit.guarantees.epsilon_delta.PureDP") == "whit.guarantees.PureDP"
    assert described_as("whit.guarantees.epsilon_delta.PureDP.curve") == "whit.guarantees.PureDP.curve"
    assert described_as("whit.guarantees.epsilon_delta._hidden") == ""
    assert ".. autoclass:: whit.guarantees.PureDP" in package_page("whit.guarantees")
    assert "autoclass" not in package_page("whit")
    assert ":py:obj:`PureDP <whit.guarantees.PureDP>`: " + whit.PureDP.__doc__.partition("\n")[0] in package_page(
        "whit"
    )
