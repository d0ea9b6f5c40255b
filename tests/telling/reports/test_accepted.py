"""What is accepted is read, said in words, and checked on the safe side."""

from __future__ import annotations

import math
import re

import pytest

from whit.mechanisms import Laplace
from whit.policy import Outcome, check, limits, profiles
from whit.spec import Form, Questions, parsed
from whit.telling.reports.cases import rulings
from whit.telling.reports.sentences import decided_by, in_words, needed, why
from whit.telling.reports.wording import words_of

EN = words_of("en")


def asked(text: str):
    return Form.of(parsed(text, "the report")).requirements


def release(text: str):
    return Form.of(parsed(f"[promise]\n{text}", "the report")).series


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[profile.constant]\nrelative = 3.0", profiles.constant(3.0)),
        (
            "[profile.capped]\nrelative = 3.0\nabsolute = 0.25\nvalue = 1.0",
            profiles.capped(relative=3.0, absolute=0.25, value=1.0),
        ),
        ("[profile.box]\nrelative = 3.0\nvalue = [0.4, 0.7]", profiles.box(3.0, value=(0.4, 0.7))),
        ("[profile.difference]\nchange = 0.2", profiles.difference(0.2)),
        (
            "[profile.absolute_cap]\nabsolute = 0.5\ninclusion = [0.0, 0.1]",
            profiles.absolute_cap(0.5, inclusion=(0.0, 0.1)),
        ),
        ("[limit.posterior]\nlimit = 0.3\nprior = 0.1", limits.posterior(0.3, prior=0.1)),
        ("[limit.ratio]\nlimit = 2.0", limits.ratio(2.0)),
        ("[limit.difference]\nlimit = 0.2\nprior = 0.5", limits.difference(0.2, prior=0.5)),
        ("[limit.power]\nlimit = 0.2\nlevel = 0.05", limits.power(0.2, level=0.05)),
        ("[limit.advantage]\nlimit = 0.2", limits.advantage(0.2)),
        (
            "[limit.predictive_value]\nlimit = 0.5\nprior = 0.1\nlevel = 0.05",
            limits.predictive_value(0.5, prior=0.1, level=0.05),
        ),
    ],
)
def test_every_kind_is_read_and_has_a_sentence(text, wanted):
    found = asked(text)
    assert [each for _, each in (*found.profiles, *found.limits)] == [wanted]
    assert in_words(wanted, EN).endswith(".")
    assert "(" not in in_words(wanted, EN)


def test_several_profiles_hold_at_once():
    both = asked("[profile.constant]\nrelative = 3.0\n[profile.difference]\nchange = 0.2")
    assert float(both.profile.limit(1.0, 0.5)) == pytest.approx(1.4)


# The largest epsilon of a constant relative risk r is log(r) / 2 (KR24, equation 14).
@pytest.mark.parametrize(
    ("epsilon", "kept"),
    [(math.log(3) / 2 - 1e-6, Outcome.KEPT), (math.log(3) / 2 + 1e-6, Outcome.BROKEN), (0.1, Outcome.KEPT)],
)
def test_a_profile_is_kept_up_to_its_largest_epsilon(epsilon, kept):
    wanted = asked("[profile.constant]\nrelative = 3.0")
    (verdict,) = rulings(wanted, release(f"epsilon = {epsilon!r}"), Questions(failure=0.0))
    assert verdict.outcome is kept
    said = why(verdict.verdict, verdict.series, EN)
    assert said.startswith("In the hardest case the fact")
    assert "; the limit is 3. The limit needs epsilon of at most 0.5493; the release has" in said


# The largest rise at any prior is tanh(epsilon / 4).
@pytest.mark.parametrize(("factor", "kept"), [(1 - 1e-9, Outcome.KEPT), (1 + 1e-9, Outcome.BROKEN)])
def test_a_limit_is_kept_up_to_its_largest_loss(factor, kept):
    epsilon = 4 * math.atanh(0.2) * factor
    wanted = asked("[limit.difference]\nlimit = 0.2")
    (verdict,) = rulings(wanted, release(f"epsilon = {epsilon!r}"), Questions(failure=0.0))
    assert verdict.outcome is kept


def test_what_is_kept_needs_nothing_and_what_is_not_says_what_would():
    wanted = asked("[profile.constant]\nrelative = 3.0")
    (kept,), (passed,) = (
        rulings(wanted, release(f"epsilon = {epsilon}"), Questions(failure=0.0)) for epsilon in (0.5, 0.6)
    )
    assert needed(kept.verdict, kept.series, EN) == ""
    assert (
        needed(passed.verdict, passed.series, EN) == "The limit needs epsilon of at most 0.5493; the release has 0.6."
    )
    # The largest relative risk is at inclusion 1 and a value close to 0, and there e^(2 epsilon).
    who = decided_by(passed.verdict, EN)
    assert "who is sure that the person is in the data and finds the fact close to 0 % likely" in who
    found = re.search("the fact may become (.*) times as probable; the limit is 3", who)
    assert math.exp(1.2) <= float(found[1]) <= math.exp(1.2) * 1.01  # rounded up, as everywhere


def test_releases_count_together():
    wanted = asked("[profile.constant]\nrelative = 3.0")
    (verdict,) = rulings(wanted, release("epsilon = 0.2\nreleases = 3"), Questions(failure=0.0))
    assert verdict.outcome is Outcome.BROKEN
    assert "in each of 3 releases" in why(verdict.verdict, verdict.series, EN)


def test_what_is_not_implied_stays_open_with_its_reason():
    wanted = asked("[limit.difference]\nlimit = 0.2")
    (verdict,) = rulings(wanted, release("rho = 0.1"), Questions(failure=0.0))
    assert verdict.outcome is Outcome.OPEN
    assert why(verdict.verdict, verdict.series, EN)
    assert verdict.findings == ()


@pytest.mark.parametrize(("epsilon", "kept"), [(1.0, Outcome.KEPT), (1.2, Outcome.BROKEN)])
def test_a_single_answer_is_checked_where_people_are_known_to_be_in_the_data(epsilon, kept):
    # The relative risk comes close to e^epsilon, and 3 is e^1.0986.
    what = asked("[profile.box]\nrelative = 3.0\ninclusion = [1.0, 1.0]\nvalue = [0.0, 1.0]")
    (verdict,) = rulings(what, release(f"randomized_response = {epsilon}"), Questions(failure=0.0))
    assert verdict.outcome is kept
    assert verdict.findings


@pytest.mark.parametrize(
    ("promise", "reason"),
    [
        ("randomized_response = 2", "needs the loss of adding or removing a record"),
        ('rho = 0.5\nneighbours = "replace"', "needs the loss of adding or removing a record"),
        ("epsilon = 1\ndelta = 0.05", "has no proved bound at a failure probability of 0.01."),
    ],
)
def test_a_profile_that_cannot_be_checked_stays_open_in_plain_words(promise, reason):
    (verdict,) = rulings(asked("[profile.constant]\nrelative = 3.0"), release(promise), Questions(failure=0.01))
    assert verdict.outcome is Outcome.OPEN
    said = why(verdict.verdict, verdict.series, EN)
    assert reason in said
    assert "class" not in said


def test_noise_that_is_not_monotone_is_not_judged_by_its_parameter():
    what = asked("[profile.capped]\nrelative = 60.0\nabsolute = 0.9\nvalue = 1.0")
    (ruling,) = rulings(what, release("discrete_gaussian = 0.54"), Questions(failure=0.001))
    assert ruling.outcome is Outcome.BROKEN
    assert "(a larger one can tell more)" in why(ruling.verdict, ruling.series, EN)
    said = decided_by(ruling.verdict, EN)
    assert "may become 60.8 times as probable (failure probability 0.1 %); the limit is 60" in said


def test_a_ruling_is_the_verdict_of_policy():
    what = asked("[profile.constant]\nrelative = 3.0\n[limit.power]\nlimit = 0.1\nlevel = 0.05")
    for found, wanted in zip(
        rulings(what, release("laplace = 1.5\nreleases = 2"), Questions(failure=0.01)),
        [profiles.constant(3.0), limits.power(0.1, level=0.05)],
        strict=True,
    ):
        assert found.verdict == check(Laplace(1.5), wanted, releases=2, failure=0.01, remedy=True)
        assert found.findings[0] == found.verdict.number


def test_nothing_accepted_has_no_verdict():
    assert rulings(asked(""), release("epsilon = 1"), Questions(failure=0.0)) == ()
    assert asked("").profile is None
