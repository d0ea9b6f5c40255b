"""An event is true of some datasets and false of the others."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.worlds import ABSENT, Has, Is, Present, Universe
from whit.worlds.universe import holds

TWO = Universe(2, ("ill", "well"))


def true_of(event: object) -> list[object]:
    return [dataset for dataset, here in zip(TWO.datasets, holds(TWO, event), strict=True) if here]


def test_events_are_true_where_their_words_say() -> None:
    assert true_of(Present(1)) == [x for x in TWO.datasets if x[1] is not ABSENT]
    assert true_of(Has(0, "ill")) == [x for x in TWO.datasets if x[0] == "ill"]
    assert true_of(Has(0, "ill", "well")) == true_of(Present(0))
    assert true_of(Is(("ill", ABSENT), ("well", "well"))) == [("ill", ABSENT), ("well", "well")]
    assert true_of(lambda x: x.count("ill") == 1) == [x for x in TWO.datasets if x.count("ill") == 1]


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Present(2), "person must be a whole number from 0 to 1"),
        (Has(-1, "ill"), "person must be a whole number from 0 to 1"),
        (Has(0, "dead"), "record must be one of the records"),
        (Is(("ill",)), "a dataset must have one of"),
        ("ill", "event must be a statement about datasets"),
    ],
)
def test_an_event_of_another_universe_is_refused(event: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        holds(TWO, event)
