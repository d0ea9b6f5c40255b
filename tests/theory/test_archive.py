from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

import whit
from whit.errors import InvalidInput, UnknownKey
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

EPSILON = Quantity("epsilon", Unit.NUMBER)
BASIS = Basis(("cells",), (Failure(0.01, Randomness.SIMULATION),), 1e-15, 1e-20)
FINDING = Finding(EPSILON, [1.5, math.inf, -math.inf], Direction.AT_MOST, {"delta": math.inf}, BASIS)

# Written out by hand: a text in an archive must be readable for years.
LAYOUT_2 = {
    "whit": whit.__version__,
    "layout": 2,
    "finding": {
        "lower": None,
        "value": [1.5, "inf", "-inf"],
        "upper": [1.5, "inf", "-inf"],
        "direction": "AT_MOST",
        "quantity": {"key": "", "name": "epsilon", "unit": "NUMBER", "less_is_worse": False, "certain": False},
        "inputs": {"delta": {"$float": "inf"}},
        "basis": {
            "theorems": ["cells"],
            "failures": [{"probability": 0.01, "over": "SIMULATION"}],
            "slack": 1e-15,
            "truncation": 1e-20,
        },
    },
}


LEFT_OUT = object()


def changed(path: str, value: object = LEFT_OUT) -> str:
    """The archived text with one of its parts replaced, or left out."""
    tree = json.loads(json.dumps(LAYOUT_2))
    *parents, last = path.split("/")
    inner = tree
    for name in parents:
        inner = inner[name]
    inner.pop(last) if value is LEFT_OUT else inner.update({last: value})
    return json.dumps(tree)


def test_the_layout_is_the_one_in_the_archive():
    assert json.loads(FINDING.to_json()) == LAYOUT_2
    assert Finding.from_json(json.dumps(LAYOUT_2)) == FINDING


@pytest.mark.parametrize("later", ["key", "certain"])
def test_a_text_of_an_earlier_version_is_read_without_what_came_later(later):
    assert Finding.from_json(changed(f"finding/quantity/{later}")) == FINDING


@pytest.mark.parametrize("part", [{"key": "epsilon"}, {"certain": True}])
def test_all_parts_of_a_quantity_come_back(part):
    other = replace(FINDING, quantity=replace(EPSILON, **part))
    assert part.items() <= json.loads(other.to_json())["finding"]["quantity"].items()
    assert Finding.from_json(other.to_json()) == other != FINDING


def test_the_version_that_wrote_a_text_does_not_matter():
    assert Finding.from_json(changed("whit", "99.0")) == FINDING


def test_the_text_is_plain_json():
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    assert json.loads(FINDING.to_json(), parse_constant=refuse) == LAYOUT_2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '{"layout": 2}',
        '{"layout": 2, "finding": [1]}',
        changed("finding/value"),
        changed("finding/value", "wide"),
        changed("finding/value", {"a": 1}),
        changed("finding/value", 10**400),
        changed("finding/lower"),
        changed("finding/lower", "low"),
        changed("finding/direction", "AT_HOME"),
        changed("finding/quantity/less_is_worse"),
        changed("finding/quantity", "epsilon"),
        changed("finding/inputs", [1, 2]),
        changed("finding/basis/slack"),
        changed("finding/basis/failures", [{"probability": 0.1, "over": "WEATHER"}]),
    ],
)
def test_a_text_that_is_not_ours_is_refused(text):
    with pytest.raises(InvalidInput, match="a JSON text must hold the finding that its own to_json wrote; got"):
        Finding.from_json(text)


NESTED = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "text",
    [
        NESTED,
        json.dumps(LAYOUT_2).replace('"lower": null', f'"lower": {NESTED}'),
        json.dumps(LAYOUT_2).replace('{"$float": "inf"}', "[" * 900 + "]" * 900),
        json.dumps(LAYOUT_2).replace("1.5", "1" * 5000),
        json.dumps(LAYOUT_2).replace("1.5", "1" * 4000),
        "\x00",
        "1" * 5000,
    ],
    ids=["nested", "nested end", "nested input", "digits", "huge", "control", "a number"],
)
def test_a_text_to_choke_on_is_refused_in_a_short_sentence(text):
    message = "a JSON text must hold the finding that its own to_json wrote; got"
    with pytest.raises(InvalidInput, match=message) as refused:
        Finding.from_json(text)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("text", [None, 3, b"\xff", ["finding"]], ids=repr)
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InvalidInput, match="a JSON text must hold the finding that its own to_json wrote; got"):
        Finding.from_json(text)


@pytest.mark.parametrize("layout", [1, 3, "2", None, 10**400])
def test_another_layout_is_refused(layout):
    with pytest.raises(InvalidInput, match="the layout of a JSON text must be 2; got .*. Read it with the version"):
        Finding.from_json(changed("layout", layout))


def test_another_object_is_not_read_as_a_finding():
    with pytest.raises(InvalidInput, match="a JSON text must hold the finding that its own"):
        Finding.from_json(FINDING.to_json().replace('"finding"', '"interval"'))


def test_a_theorem_that_is_no_longer_known_is_named():
    with pytest.raises(UnknownKey, match="No theorem has the key cell"):
        Finding.from_json(changed("finding/basis/theorems", ["cell"]))
