"""For which questions a theorem holds is said in words that a test can read, and only in these."""

from __future__ import annotations

import pytest
from offenders import check_all

from whit.curves import Order
from whit.errors import InvalidInput
from whit.setting import Knowledge, Neighbours
from whit.theory import THEOREMS, Hypotheses, Randomness, Theorem, theorem
from whit.theory.hypotheses import WORDS

ALL = {"neighbours": "any", "order": "any", "sides": "any", "knowledge": "any", "randomness": "any", "adaptivity": []}


def words(members: type) -> set[str]:
    """The members of an Enum as the registry writes them."""
    return {name.lower().replace("_", "-") for name in members.__members__}


def test_the_words_are_those_of_what_can_be_asked():
    enumerations = {"neighbours": Neighbours, "order": Order, "knowledge": Knowledge, "randomness": Randomness}
    assert {name: words(members) for name, members in enumerations.items()} == {
        name: set(WORDS[name]) for name in enumerations
    }
    assert list(WORDS) == list(Hypotheses.__annotations__)


def contradictions(entry: Theorem) -> list[str]:
    """Where the words of an entry do not go with its assumptions."""
    found, assumed = entry.hypotheses, set(entry.assumptions)
    right = {
        "who knows all but one fact knows everyone else": "knows-all-but-one-fact" not in assumed
        or found.knowledge == ("everyone-else",),
        "a law of the loss itself is that of a known rest": found.order != ("loss",)
        or found.knowledge == ("everyone-else",),
        "a chance over beliefs needs that they are right": found.randomness != ("belief",)
        or bool(assumed & {"belief-is-right", "neighbours-as-stated"}),
        "parameters that are fixed beforehand are not chosen": "promises-fixed-beforehand" not in assumed
        or ("parameters" not in found.adaptivity and "mechanisms" in found.adaptivity),
    }
    return [rule for rule, kept in right.items() if not kept]


def test_hypotheses_go_with_the_assumptions():
    check_all(THEOREMS, contradictions)


def test_a_contradiction_is_found():
    entry = theorem("cells")
    fields = {name: getattr(entry, name) for name in Theorem.__annotations__}
    odd = Theorem(**{**fields, "assumptions": ("knows-all-but-one-fact", "promises-fixed-beforehand")})
    assert len(contradictions(odd)) == 2


def test_any_stands_for_all_words_and_a_list_for_its_own():
    found = Hypotheses.of("key", {**ALL, "neighbours": ["local", "replace"]})
    assert found.order == ("profile", "loss")
    assert found.neighbours == ("replace", "local")
    assert list(found.in_words().values()) == ["replace, local", "any", "any", "any", "any", "nothing"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({**ALL, "sides": ["three"]}, "the sides of theorem 'key' must be 'any' or words out of one, two; got"),
        ({**ALL, "sides": []}, "the sides of theorem 'key' must be 'any' or words"),
        ({**ALL, "order": ["loss", "loss"]}, "the order of theorem 'key' must be"),
        ({**ALL, "when": "any"}, "the hypotheses of theorem 'key' must be a table with neighbours, order, sides"),
        ({"neighbours": "any"}, "the hypotheses of theorem 'key' must be a table with neighbours, order, sides"),
        ("any", "the hypotheses of theorem 'key' must be a table"),
    ],
)
def test_another_word_or_field_is_refused(table, message):
    with pytest.raises(InvalidInput, match=message):
        Hypotheses.of("key", table)
