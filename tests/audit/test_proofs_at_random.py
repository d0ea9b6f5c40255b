"""A file of proofs that somebody changed at random verifies, or is refused in a sentence; nothing else happens."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

TABLE = "row,column,value,flag\n{}\n"
CELLS = [
    *("1,1,,c", "1,2,,c", "1,3,3,", "2,1,,c", "2,2,,c", "2,3,4,", "3,1,5,", "3,2,1,", "3,3,9,"),
    *("1,Total,12,", "2,Total,11,", "3,Total,15,", "Total,1,13,", "Total,2,9,", "Total,3,16,", "Total,Total,38,"),
]
ODD: list[Any] = [
    *(None, True, 0, -1, 1, 7, 2**31, 2**63, -(2**70), 10**400, 1.5, 1e300, float("nan"), "", "1", "x", "nobody"),
    *([], ["1"], ["1", "1"], ["no", "cell"], [[["1", "1"], 3]], {}, {"times": {}}, {"low": None, "high": 3}),
]
KEYS = [
    "possible",
    "unlimited",
    "impossible",
    "counted",
    "instead",
    "proof",
    "cell",
    "reader",
    "times",
    "modulus",
    "at",
]


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry of every table and list, as what holds it and its key."""
    for key, inside in list(tree.items() if isinstance(tree, dict) else enumerate(tree)):
        yield tree, key
        if isinstance(inside, dict | list):
            yield from places(inside)


def changed(tree: Any, draw: random.Random) -> Any:
    """The tree with one to three of its entries changed."""
    tree = copy.deepcopy(tree)
    for _ in range(draw.randint(1, 3)):
        held = list(places(tree))
        (one, key), (other, its) = draw.choice(held), draw.choice(held)
        how = draw.choice(["other", "odd", "gone", "moved", "counted"])
        if how == "other":
            one[key] = copy.deepcopy(other[its])
        elif how == "odd":
            one[key] = copy.deepcopy(draw.choice(ODD))
        elif how == "gone":
            one.pop(key)
        elif how == "moved" and isinstance(one, dict):
            one[draw.choice(KEYS)] = one.pop(key)
        elif how == "moved":
            one.insert(key, copy.deepcopy(one[key]))
        elif type(one[key]) is int:
            one[key] += draw.choice([-1, 1, 10 ** draw.randint(1, 4000)])
    return tree


@pytest.fixture
def proofs(tmp_path, monkeypatch) -> str:
    """The proofs of a small table, beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text(TABLE.format("\n".join(CELLS)), encoding="utf-8")
    assert CliRunner().invoke(whit, ["audit", "table.csv", "--certificates", "proofs.json"]).exit_code in (0, 1)
    return (tmp_path / "proofs.json").read_text(encoding="utf-8")


def verified(text: str) -> tuple[int, str]:
    """The exit code and what is said; an exception that is no sentence is raised."""
    with open("changed.json", "w", encoding="utf-8") as file:
        file.write(text)
    found = CliRunner().invoke(whit, ["audit", "verify", "changed.json", "table.csv"])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.output


def test_a_thousand_changed_trees_verify_or_are_refused_in_a_sentence(proofs):
    draw, tree, codes = random.Random(1), json.loads(proofs), []
    for _ in range(1000):
        code, said = verified(json.dumps(changed(tree, draw)))
        assert code == 0 or said.startswith("Error: "), said
        codes.append(code)
    assert set(codes) == {0, 2}
    assert codes.count(2) > 500


def test_a_hundred_changed_texts_verify_or_are_refused_in_a_sentence(proofs):
    draw = random.Random(2)
    for _ in range(100):
        at = draw.randrange(len(proofs))
        text = proofs[:at] + draw.choice(["", "9", "9" * 5000, '"', "[" * 600, "1e400", "\x00"]) + proofs[at + 1 :]
        code, said = verified(text)
        assert code == 0 or (code == 2 and said.startswith("Error: ")), said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"cell": ["1", "1"], "possible"', '"cell": ["1", "9"], "possible"', "No cell has the name 1"),
        ('"layout": 1', f'"layout": {"9" * 5000}', "changed.json must be JSON"),
        ('"layout": 1', f'"layout": 1, "more": {"9" * 4301}', "changed.json must"),
    ],
)
def test_an_unknown_cell_and_an_endless_number_are_refused(proofs, old, new, said):
    assert old in proofs
    code, found = verified(proofs.replace(old, new))
    assert code == 2
    assert said in found
