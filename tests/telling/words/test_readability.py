"""The counter of readability gives the grades that are known."""

from __future__ import annotations

import pytest
from readability import grade, sentences, syllables, words

# Syllables as dictionaries divide the words.
DIVIDED = {
    1: "the cat think would please blurred knows noise whole moved learned gives sure ours times made strength one",
    2: "result about taking promise limit between public covers others before after noises added wanted settled",
    3: "possible difference several estimate exception protected technical together average",
    4: "statistical publication information arithmetic",
    5: "probability university",
}


@pytest.mark.parametrize(("count", "word"), [(count, word) for count, row in DIVIDED.items() for word in row.split()])
def test_syllables_are_those_of_the_dictionary(count, word):
    assert syllables(word) == count


def test_a_number_is_a_word_with_a_syllable_for_each_digit():
    assert words("5 out of 1,000.") == ["5", "out", "of", "1,000"]
    assert syllables("1,000") == 4


def test_a_decimal_point_ends_no_sentence():
    assert sentences("It is 1.47 times as sure. It is not 2.") == 2


def test_the_shortest_of_texts_has_its_published_grade():
    assert grade("The cat sat on the mat.") == pytest.approx(-1.45)


def test_the_platypus_has_its_published_grade():
    # 11.3 in most accounts of the formula; what counts as a syllable in "Australian" and "reptilian" is open.
    text = "The Australian platypus is seemingly a hybrid of a mammal and reptilian creature."
    assert grade(text) == pytest.approx(11.3, abs=1.0)


def test_a_rhyme_for_children_is_below_grade_one():
    # Sixteen words of one syllable in two sentences: 0.39 * 8 + 11.8 - 15.59.
    assert grade("I do not like them in a box. I do not like them with a fox.") == pytest.approx(-0.67)


def test_a_sentence_of_specialists_is_far_above_school():
    text = "Differential privacy guarantees computational indistinguishability of neighbouring distributions."
    assert grade(text) > 20
