"""The bill of materials names every pinned library once, with a licence, and who needs it."""

from __future__ import annotations

import re
from pathlib import Path

from materials import UNKNOWN, bill, needed

ROOT = Path(__file__).parents[2]


def test_every_pinned_library_is_on_the_bill_with_its_version() -> None:
    pins = re.findall(r"^([^#=\n]+)==(.+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
    listed = {(each["name"], each["version"]) for each in bill()["components"]}
    assert listed == {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in pins}


def test_what_a_user_gets_has_a_licence_that_is_stated() -> None:
    got = [each for each in bill()["components"] if each["scope"] != "excluded"]
    assert [each["name"] for each in got if each["licenses"][0]["license"]["name"] == UNKNOWN] == []
    assert {each["name"] for each in got if each["scope"] == "required"} >= {"numpy", "rich", "click"}


def test_an_extra_brings_what_its_libraries_need() -> None:
    assert {"altair", "jsonschema", "typst"} <= needed(["whit[reports]"])
    assert "typst" not in needed(["whit[charts]"])
