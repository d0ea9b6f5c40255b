"""Units of privacy: a name, a period and a sentence."""

import dataclasses

import pytest

from whit.errors import InvalidInput
from whit.setting import HOUSEHOLD, PERSON, UnitOfPrivacy


def test_the_sentence_says_who_and_for_how_long():
    assert PERSON.sentence == "Protected is all that one person contributes within the whole of the data."
    assert (
        UnitOfPrivacy("device", period="one week").sentence
        == "Protected is all that one device contributes within one week."
    )


def test_units_are_values():
    assert UnitOfPrivacy("household") == HOUSEHOLD
    assert UnitOfPrivacy("person", period="one day") != PERSON
    assert len({PERSON, HOUSEHOLD, UnitOfPrivacy("person")}) == 2


@pytest.mark.parametrize("unit", [PERSON, HOUSEHOLD, UnitOfPrivacy("tax unit", period="the year 2020")])
def test_the_repr_rebuilds_the_unit(unit):
    assert eval(repr(unit)) == unit


def test_a_unit_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'name'"):
        PERSON.name = "household"  # type: ignore[misc]


@pytest.mark.parametrize("text", ["", "  ", " person", None, 3])
def test_a_unit_without_words_is_refused(text):
    with pytest.raises(
        InvalidInput, match="the name of a unit of privacy must be a text without blanks around it; got "
    ):
        UnitOfPrivacy(text)
    with pytest.raises(
        InvalidInput, match=r"the period of a unit of privacy must be .* Use words such as \"one day\"\."
    ):
        UnitOfPrivacy("person", period=text)
