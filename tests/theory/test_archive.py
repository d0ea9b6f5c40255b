from __future__ import annotations

import json
import math

import pytest

import whit
from whit.errors import InvalidInput, UnknownKey
from whit.theory import Basis, Direction, Failure, Finding, Interval, Quantity, Randomness, Unit

EPSILON = Quantity("epsilon", Unit.NUMBER)
BASIS = Basis(("cells",), (Failure(0.01, Randomness.SIMULATION),), 1e-15, 1e-20)
FINDING = Finding(EPSILON, [1.5, math.inf, -math.inf], Direction.AT_MOST, {"delta": math.inf}, BASIS)

# Written out by hand: a text in an archive must be readable for years.
LAYOUT_1 = {
    "whit": whit.__version__,
    "layout": 1,
    "finding": {
        "value": [1.5, "inf", "-inf"],
        "direction": "AT_MOST",
        "quantity": {"name": "epsilon", "unit": "NUMBER"},
        "inputs": {"delta": {"$float": "inf"}},
        "basis": {
            "theorems": ["cells"],
            "failures": [{"probability": 0.01, "over": "SIMULATION"}],
            "slack": 1e-15,
            "truncation": 1e-20,
        },
    },
}


def changed(path: str, value: object) -> str:
    """The archived text with one of its parts replaced, or left out where the value is None."""
    tree = json.loads(json.dumps(LAYOUT_1))
    *parents, last = path.split("/")
    inner = tree
    for name in parents:
        inner = inner[name]
    inner.pop(last) if value is None else inner.update({last: value})
    return json.dumps(tree)


def test_the_layout_is_the_one_in_the_archive():
    assert json.loads(FINDING.to_json()) == LAYOUT_1
    assert Finding.from_json(json.dumps(LAYOUT_1)) == FINDING


def test_the_version_that_wrote_a_text_does_not_matter():
    assert Finding.from_json(changed("whit", "99.0")) == FINDING


def test_the_text_is_plain_json():
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    assert json.loads(FINDING.to_json(), parse_constant=refuse) == LAYOUT_1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '{"layout": 1}',
        changed("finding/value", None),
        changed("finding/value", "wide"),
        changed("finding/value", {"a": 1}),
        changed("finding/direction", "AT_HOME"),
        changed("finding/quantity", "epsilon"),
        changed("finding/inputs", [1, 2]),
        changed("finding/basis/slack", None),
        changed("finding/basis/failures", [{"probability": 0.1, "over": "WEATHER"}]),
    ],
)
def test_a_text_that_is_not_ours_is_refused(text):
    with pytest.raises(InvalidInput, match="a JSON text must hold the finding that its own to_json wrote; got"):
        Finding.from_json(text)


def test_another_layout_is_refused():
    with pytest.raises(
        InvalidInput, match="the layout of a JSON text must be 1; got 2. Read it with the version of whit"
    ):
        Finding.from_json(changed("layout", 2))


def test_a_finding_is_not_read_as_an_interval():
    with pytest.raises(InvalidInput, match="a JSON text must hold the interval that its own"):
        Interval.from_json(FINDING.to_json())


def test_a_theorem_that_is_no_longer_known_is_named():
    with pytest.raises(UnknownKey, match="a theorem must be known by its key; got cell"):
        Finding.from_json(changed("finding/basis/theorems", ["cell"]))
