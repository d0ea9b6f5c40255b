"""Neighbours: three relations, each with a sentence."""

from __future__ import annotations

import dataclasses

import pytest

from whit.errors import InvalidInput
from whit.setting import HOUSEHOLD, PERSON, Neighbours, UnitOfPrivacy


def test_there_are_three_relations():
    assert [member.name for member in Neighbours] == ["ADD_REMOVE", "REPLACE", "LOCAL"]


def test_each_relation_has_its_own_sentence():
    sentences = {member.value for member in Neighbours}
    assert len(sentences) == 3
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)


def test_the_repr_gives_the_member():
    assert all(eval(repr(member)) is member for member in Neighbours)


@pytest.mark.parametrize("relation", list(Neighbours))
def test_a_relation_is_what_it_is(relation):
    assert Neighbours.checked(relation) is relation


@pytest.mark.parametrize("other", ["REPLACE", None, 1, object()])
def test_anything_else_is_refused_with_the_way_out_of_the_caller(other):
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours; got .* Use Neighbours.ADD_REMOVE"):
        Neighbours.checked(other)
    with pytest.raises(InvalidInput, match="Use this one."):
        Neighbours.checked(other, way_out="Use this one.")


# Units of privacy: a name, a period and a sentence


def test_the_sentence_says_who_and_for_how_long():
    assert PERSON.sentence == "The promise covers all that one person contributes within the whole of the data."
    assert (
        UnitOfPrivacy("device", period="one week").sentence
        == "The promise covers all that one device contributes within one week."
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
