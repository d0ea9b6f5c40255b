"""Neighbours: three relations, each with a sentence."""

import pytest

from whit.errors import InvalidInput
from whit.setting import Neighbours


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
