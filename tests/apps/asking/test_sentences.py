"""Claims in a sentence: read where a sentence says no more than there are words for, else answered with the form."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from whit.apps.asking import ask
from whit.apps.asking.sentences import pairs_in
from whit.apps.cli import whit
from whit.errors import InvalidInput
from whit.spec import pairs


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("epsilon = 4 for each user and day", "epsilon=4, unit=user, period=day"),
        ("epsilon=4 per user per day", "epsilon=4, unit=user, period=day"),
        ("Epsilon 4, for every user each day.", "epsilon=4, unit=user, period=day"),
        ("an epsilon of 4", "epsilon=4"),
        ("\u03b5 = 0.5 and \u03b4 = 1e-6 per person", "epsilon=0.5, delta=1e-6, unit=person"),
        ("rho=.5 per household", "rho=.5, unit=household"),
        ("epsilon=4 per day", "epsilon=4, period=day"),
    ],
)
def test_a_sentence_means_what_its_names_and_values_mean(sentence, written):
    assert dict(pairs("a claim", pairs_in(sentence)).values) == dict(pairs("a claim", written).values)
    one, other = (ask("claim", {"claim": each, "prior": 0.1}) for each in (sentence, written))
    assert one.opening == other.opening


@pytest.mark.parametrize(
    "sentence",
    [
        "epsilon = 4 for each user and device",
        "epsilon = 4 for each release",
        "epsilon = 4 per query and day",
        "epsilon = 4 for each of 12 releases",
        "epsilon = 4 or less",
        "epsilon = 4 for a user except on a day",
    ],
)
def test_a_sentence_that_says_more_is_answered_with_the_form_to_write(sentence):
    with pytest.raises(InvalidInput, match=r'Write "epsilon=4" and') as refused:
        ask("claim", {"claim": sentence})
    assert refused.value.parameter == "claim"
    example = re.search(r': "(.*)"', refused.value.way_out)[1]
    assert ask("claim", {"claim": example}).opening


@pytest.mark.parametrize("sentence", ["we protect your privacy", "unit=user", "differential privacy, unit=user"])
def test_a_claim_without_a_number_leads_to_what_to_ask_for(sentence):
    with pytest.raises(InvalidInput, match="promises nothing that can be worked out. Ask for the epsilon") as refused:
        ask("claim", {"claim": sentence})
    example = re.search(r'write "(.*)"', refused.value.way_out)[1]
    assert ask("claim", {"claim": example}).opening


@given(st.floats(1e-6, 50), st.sampled_from(["", ", delta=1e-6", ", unit=user", ", period=one day, releases=3"]))
def test_what_is_written_with_names_and_values_is_left_as_it_is(epsilon, more):
    text = f"epsilon={epsilon!r}{more}"
    assert pairs("a claim", pairs_in(text)).values == pairs("a claim", text).values


@given(st.text(max_size=60))
def test_any_other_text_is_refused_in_a_sentence_or_left_as_it_is(text):
    try:
        written = pairs_in(text)
    except InvalidInput as refused:
        written = refused.name
    assert written in (text, "a claim") or pairs("a claim", written).values


def test_the_command_reads_a_sentence():
    answer = CliRunner().invoke(whit, ["claim", "epsilon = 4 for each user and day"])
    assert answer.exit_code == 0, answer.output
    assert "epsilon = 4, for one user within one day." in answer.output
