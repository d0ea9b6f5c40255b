"""Pictures of tests say what is compared: taking part, a record, or an answer; in every language."""

from __future__ import annotations

import pytest

from whit.guarantees import PureDP
from whit.semantics import testing
from whit.setting import Neighbours
from whit.telling.plots import Picture, icon_arrays, level_and_power, plot
from whit.telling.words import languages

PRESENCE = {"en": "in the data", "de": "in den Daten", "fr": "dans les données"}


def _texts(picture: Picture) -> str:
    return f"{picture.title} {picture.caption} {picture.alt} {picture.svg()}"


def _promise(relation: Neighbours) -> PureDP:
    return PureDP(1.0, neighbours=relation)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("relation", Neighbours)
def test_only_a_promise_about_presence_speaks_of_being_in_the_data(relation: Neighbours, language: str) -> None:
    promise = _promise(relation)
    drawn = [
        icon_arrays(0.05, testing.power(promise, 0.05), language=language),
        level_and_power(promise, language=language),
    ]
    for picture in drawn:
        assert (PRESENCE[language] in _texts(picture)) is (relation is Neighbours.ADD_REMOVE)


def test_the_icons_name_an_answer_and_a_record() -> None:
    local, replaced = (
        icon_arrays(0.05, testing.power(_promise(each), 0.05)) for each in (Neighbours.LOCAL, Neighbours.REPLACE)
    )
    assert local.title == "Somebody may come to believe what you truly answered"
    assert "Each dot is one of 100 changed answers." in local.caption
    assert "With another record in place of yours, 5 of 100 possible results" in replaced.alt
    assert replaced.table["case"] == ("Another record in place of yours", "Your true record")


def test_promises_about_different_neighbours_share_a_neutral_sentence() -> None:
    several = {each.name: _promise(each) for each in (Neighbours.ADD_REMOVE, Neighbours.LOCAL)}
    assert "the test says that the fact is true" in level_and_power(several).caption


def test_several_releases_are_not_called_one() -> None:
    picture = icon_arrays(0.05, testing.power(PureDP(3.0), 0.05), of="epsilon = 1, in each of 3 releases")
    assert picture.caption.endswith("This shows epsilon = 1, in each of 3 releases.")
    assert "one release" not in picture.alt
    assert "one release" not in plot(testing.power(PureDP(3.0), 0.05)).caption
