"""The text for everybody: the gist follows the numbers, and trivial questions get no alarming answers."""

from __future__ import annotations

import pytest
from told_promises import assessed

from whit.assessment import assess
from whit.guarantees import ApproxDP, GaussianDP, PureDP
from whit.mechanisms import Gaussian
from whit.semantics import membership, testing
from whit.setting import Adversary, Neighbours
from whit.telling.words import explain
from whit.theory import Basis, Direction, Finding, Quantity, Unit

POWER = Quantity("power of the best test", Unit.PROBABILITY, key="power")


def power(value: float, direction: Direction, level: float = 0.05) -> Finding:
    return Finding(POWER, value, direction, {"level": level}, Basis.of("neyman-pearson"))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("pure, epsilon 0.01", "hardly any difference"),
        ("pure, epsilon 0.1", "a small difference"),
        ("pure, epsilon 1", "a clear difference"),
        ("pure, epsilon 2, odd prior", "a large difference"),
        ("pure, epsilon 5", "could give you away"),
        ("approximate, nothing promised", "Nothing in the promise limits"),
        ("zero-concentrated, census", "could give away what is in your record"),
    ],
)
def test_the_gist_grows_with_the_risk(name, word):
    assert word in explain(assessed(name)).paragraphs[0]


def test_an_estimate_and_a_lower_bound_are_called_so():
    assert explain(power(0.2, Direction.ABOUT)).text.startswith("By our estimate,")
    assert "These numbers are estimates." in explain(power(0.2, Direction.ABOUT)).text
    assert explain(power(0.2, Direction.AT_LEAST)).text.startswith("At the least,")
    assert "at least 20 out of 100 would" in explain(power(0.2, Direction.AT_LEAST)).text


def test_an_alarm_that_is_always_raised_is_not_called_a_risk():
    text = explain(testing.power(PureDP(1.0), [0.5, 1.0])).text
    assert "makes" not in text.partition("\n")[0]


def test_somebody_who_is_sure_stays_sure():
    assert explain(membership.posterior(PureDP(1.0), 1.0)).paragraphs[0].startswith("They are already sure")


def test_a_level_of_zero_is_told_in_words():
    text = explain(testing.power(PureDP(1.0), 0.0)).text
    assert "no possible result would lead them to believe" in text
    assert "0 out of" not in text


def test_a_start_too_small_to_be_told_has_no_number():
    text = explain(testing.power(PureDP(1.0), 1e-15)).text
    assert "almost no possible result" in text
    assert "at most 1 out of 1,000,000,000 would" in text


def test_a_belief_made_of_inclusion_and_value_is_told_as_one_chance():
    text = explain(assess(PureDP(1.0), Adversary(inclusion=0.05, value=0.1))).text
    # 0.5 % becomes e * 0.005 / (1 + 0.005 (e - 1)) = 1.3476 %.
    assert "is 5 out of 1,000. Afterwards, they think it is at most 14 out of 1,000." in text


def test_what_has_no_bound_gets_a_sentence_and_no_number():
    explanation = explain(membership.odds(PureDP(800.0), 0.5))
    assert "Nothing in the promise limits how sure they can become." in explanation.text
    assert explanation.numbers == ()


def test_a_belief_in_a_value_is_not_said_to_be_one_in_taking_part():
    """Of somebody who gives taking part 5 % and the value 20 %, one in a hundred is the chance of both."""
    found = assess(Gaussian(10.0), Adversary(inclusion=0.05, value=0.2), failure=0.01)
    text = explain(found).text
    assert "that you are in the data, and that their guess about you is right, is 10 out of 1,000" in text
    assert "the chance that you are in the data is" not in text
    alone = explain(assess(Gaussian(10.0), Adversary(prior=0.05), failure=0.01)).text
    assert "the chance that you are in the data is 5 out of 100" in alone


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_named_fact_stands_in_place_of_being_in_the_data(language):
    fact = "a certain applicant is in treatment"
    plain = explain(assess(PureDP(0.5), Adversary(prior=0.1)), language=language)
    named = explain(assess(PureDP(0.5), Adversary(prior=0.1)), language=language, fact=f"{fact}.")
    presence = {"en": "in the data", "de": "in den Daten", "fr": "dans les données"}[language]
    about = slice(1, 3)  # who wants to know what, and what they believe
    assert all(presence in text and fact not in text for text in plain.paragraphs[about])
    assert all(fact in text and presence not in text for text in named.paragraphs[about])
    assert [each.value for each in named.numbers] == [each.value for each in plain.numbers]


def test_a_fact_about_a_value_is_not_what_a_test_of_presence_finds():
    fact = "a client lives in a certain district"
    first, belief = explain(assess(PureDP(0.5), Adversary(inclusion=0.5, value=0.2)), fact=fact).paragraphs[1:3]
    assert first.startswith(f"Think of someone who wants to know if {fact}.")
    assert "First, take only the question if you are in the data. Suppose that, if you do not take part," in first
    assert fact in belief


def test_somebody_who_asks_for_presence_with_a_value_is_said_to_have_a_guess():
    first = explain(assess(PureDP(0.5), Adversary(inclusion=0.5, value=0.2))).paragraphs[1]
    assert "They want to know if you are in the data, and if the guess is right." in first


WANTS_PRESENCE = {"en": "if you are in the data", "de": "ob Sie in den Daten", "fr": "si vous êtes dans les données"}


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("fact", ["", "a client lives in a certain district"])
@pytest.mark.parametrize("promise", [PureDP(1.0), PureDP(1.0, neighbours=Neighbours.REPLACE), Gaussian(2.0)])
def test_nobody_asks_for_the_presence_of_a_person_whom_they_know_to_be_there(promise, fact, language):
    found = assess(promise, Adversary(inclusion=1.0, value=0.2), failure=0.01)
    for audience in ("public", "officer"):
        said = explain(found, audience, language=language, fact=fact)
        assert not any(WANTS_PRESENCE[language] in text for text in said.paragraphs[1:3])


def test_the_power_to_find_who_is_there_is_not_told_as_the_power_to_tell_two_records_apart():
    """Epsilon 1 for adding lets replacing have power 5 % times e^2, far above the 14 % of presence."""
    known = Adversary(inclusion=1.0, value=0.2)
    assert "14 out of 100" not in explain(assess(PureDP(1.0), known)).text
    assert "14 out of 100" in explain(assess(PureDP(1.0, neighbours=Neighbours.REPLACE), known)).text


def test_a_fact_about_a_record_stands_in_place_of_what_the_record_says():
    fact = "a certain applicant is in treatment"
    replaced = assess(PureDP(0.5, neighbours=Neighbours.REPLACE), Adversary(prior=0.1))
    first = explain(replaced, fact=fact).paragraphs[1]
    assert first.startswith(f"Think of someone who wants to know if {fact}.")
    assert "what your record says" not in first


def test_a_belief_that_is_nearly_certain_is_said_to_be_possible():
    belief = explain(assess(PureDP(9.0), Adversary(prior=0.5))).paragraphs[2]
    assert belief.endswith("Afterwards, they could be almost sure of it: possibly 999 out of 1,000 or more.")


SIZES = (
    "no difference",
    "hardly any",
    "a small",
    "a clear",
    "a large",
    "could give you away",
    "Nothing in the promise",
)


def size(promise, **asked):
    gist = explain(assess(promise, Adversary(prior=0.1), **asked)).paragraphs[0]
    return next(place for place, word in enumerate(SIZES) if word in gist)


@pytest.mark.parametrize("failure", [0.0, 0.01])
@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 2.0, 5.0])
def test_a_delta_never_makes_the_gist_milder(epsilon, failure):
    deltas = (1e-12, 1e-6, 0.005, 0.02, 0.5, 1.0)
    found = [size(PureDP(epsilon)), *(size(ApproxDP(epsilon, delta), failure=failure) for delta in deltas)]
    assert found == sorted(found)


@pytest.mark.parametrize("failure", [0.0, 0.01])
@pytest.mark.parametrize("mu", [0.05, 0.3, 0.5, 1.0])
def test_a_release_has_one_gist_by_its_noise_and_by_its_mu(mu, failure):
    assert size(Gaussian(1.0 / mu), failure=failure) == size(GaussianDP(mu), failure=failure)


@pytest.mark.parametrize(
    ("language", "gist", "nothing"),
    [
        ("en", "At worst, taking part could give you away.", "No lower number is known to hold"),
        ("de", "Im schlimmsten Fall könnte Ihre Teilnahme Sie verraten.", "Von keiner kleineren Zahl ist bekannt"),
        ("fr", "Au pire, votre participation pourrait vous trahir.", "On ne connaît aucun nombre plus petit"),
    ],
)
def test_what_holds_always_of_gaussian_noise_is_a_limit_on_tests_and_none_on_beliefs(language, gist, nothing):
    text = explain(assess(Gaussian(4.23), Adversary(prior=0.1)), language=language)
    assert text.paragraphs[0] == gist
    assert {"en": "at most 8 out", "de": "höchstens 8 von", "fr": "au plus 8 sur"}[language] in text.paragraphs[1]
    assert nothing in text.paragraphs[2]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "on average. For a single result, nothing rules out that they are sure of it."),
        ("de", "Bei einzelnen Ergebnissen ist aber nicht ausgeschlossen, dass sie sich sicher ist."),
        ("fr", "Mais pour un résultat pris seul, rien n’exclut qu’elle en soit sûre."),
    ],
)
def test_an_average_is_not_all_that_is_said_where_a_single_result_may_make_sure(language, said):
    found = assess(ApproxDP(1.0, 1e-6), Adversary(prior=0.1))
    assert explain(found, language=language).paragraphs[2].endswith(said)
    assert "single result" not in explain(membership.expected_posterior(PureDP(1.0), 0.1)).text


def test_an_average_alone_has_no_size():
    text = explain(membership.expected_posterior(PureDP(1.0), 0.1))
    assert text.paragraphs[0].startswith("Think of someone")


def test_somebody_who_is_sure_before_is_not_said_to_become_sure():
    text = explain(assess(ApproxDP(1.0, 1e-6), Adversary(prior=1.0))).text
    assert "small difference" in text
    assert "They are already sure before the result." in text
