"""Neighbours: three relations, each with a sentence."""

from whit.setting import Neighbours


def test_there_are_three_relations():
    assert [member.name for member in Neighbours] == ["ADD_REMOVE", "REPLACE", "LOCAL"]


def test_each_relation_has_its_own_sentence():
    sentences = {member.value for member in Neighbours}
    assert len(sentences) == 3
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)


def test_the_repr_gives_the_member():
    assert all(eval(repr(member)) is member for member in Neighbours)
