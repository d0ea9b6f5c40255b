from __future__ import annotations

import json
import re
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from whit.apps.asking.asked import ask
from whit.apps.asking.commands import plan as asking
from whit.apps.asking.signs import watched_by
from whit.apps.cli import whit

PLAN = """
name = "two counts"
unit = "person"
neighbours = "replace"
levels = ["Town"]
queries = "queries.csv"
"""
HINT = "Add --failure 0.01 for a bound that holds except with probability 1 %."


@pytest.fixture
def plan(tmp_path, monkeypatch):
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "queries.csv").write_text(
        "name,attributes,level,rho\nages,age,Town,1/100\nsexes,sex,Town,1/50\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str):
        return CliRunner().invoke(whit, ["plan", "plan.toml", "--about", "age", *arguments])

    return run


def test_the_posterior_comes_first_and_certainty_comes_with_a_hint(plan):
    always, mostly = plan().stdout, plan("--failure", "0.01").stdout
    assert always.startswith("Nothing is ruled out: the adversary may become certain. No bound below 100 %")
    assert HINT in always
    assert mostly.startswith("The adversary's belief in the truth goes from 50 % to at most ")
    assert HINT not in mostly
    assert json.loads(plan("--json").stdout)["notes"][0].endswith(HINT)


@pytest.mark.parametrize(
    ("limit", "said", "code"),
    [
        ("power=0.06, level=0.05", "Not allowed: the release may exceed the limit power=0.06, level=0.05.", 1),
        ("power=0.9, level=0.05", "Allowed: the release meets the limit power=0.9, level=0.05.", 0),
    ],
)
def test_the_verdict_comes_before_everything_else(plan, limit, said, code):
    result = plan("--limit", limit)
    assert result.exit_code == code
    assert result.stdout.startswith(said)


def test_what_each_query_costs_is_a_share(plan):
    lines = plan("--costs").stdout.splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("query "))
    assert lines[at].split("  ")[-1] == "share of rho"
    assert lines[at + 1].split()[0] == "ages"
    assert lines[at + 1].rstrip().endswith("%")


def test_a_sign_is_there_until_all_is_answered_the_hint_and_the_costs_as_well(plan, monkeypatch):
    under_way, seen = [], {}

    class Watcher:
        @contextmanager
        def working(self, what):
            under_way.append(what)
            yield
            under_way.pop()

    def noting(name):
        before = getattr(asking, name)

        def noted(*given):
            seen[name] = list(under_way)
            return before(*given)

        return noted

    for name in ("_answers", "_hints", "costs"):
        monkeypatch.setattr(asking, name, noting(name))
    with watched_by(Watcher()):
        ask("plan", {"file": "plan.toml", "about": "age", "costs": True})
    assert seen == {key: ["Composing the queries"] for key in ("_answers", "_hints", "costs")}


def test_the_queries_that_reveal_something_are_listed_with_their_shares_if_they_are_few(plan):
    """Ages alone touch the concern, so the whole rho is theirs; more than ten kinds are listed only when asked for."""
    said = plan().stdout
    assert re.search(r"^ages +Town +exactly 100 %$", said, re.MULTILINE)
    assert not re.search(r"^sexes ", said, re.MULTILINE)
    census = ("plan", "census-2020", "--about", "CENRACE")
    assert "share of rho" not in CliRunner().invoke(whit, [*census]).stdout
    assert "share of rho" in CliRunner().invoke(whit, [*census, "--costs"]).stdout


def test_the_theorems_of_a_plan_are_named_on_request(plan):
    assert "rests on" not in plan().stdout
    assert re.search(
        r"^rho +concern-to-queries, noise-of-a-share, zcdp-composition$", plan("--why").stdout, re.MULTILINE
    )


@pytest.mark.parametrize(("concern", "matters"), [("--about=CENRACE", False), ("--scenario=A", True)])
def test_how_linked_units_were_read_is_said_where_it_matters(concern, matters):
    """Of attributes alone no other record changes; where the place may be another, a linked unit may change too."""
    said = CliRunner().invoke(whit, ["plan", "census-2020", concern, "--failure", "0.01"]).stdout
    assert ("one record of a linked unit changes with it" in said) is matters


def test_a_plan_without_linked_units_says_nothing_of_them(plan, tmp_path):
    """The fixture counts people only, whatever the concern."""
    assert "linked unit" not in plan().stdout
    whole = CliRunner().invoke(whit, ["plan", "plan.toml", "--whole-record", "--failure", "0.01"]).stdout
    assert "2 of 2 queries reveal something" in whole
    assert "linked unit" not in whole
