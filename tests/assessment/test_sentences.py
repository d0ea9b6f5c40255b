from __future__ import annotations

import math
import random
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.assessment import ORDER, QUESTIONS, Asked, assess, exceptions, in_a_sentence, input_text
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian
from whit.policy import check, limits
from whit.setting import Adversary, Neighbours, Sensitivity
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

ASKED = Asked(prior=0.5, level=0.05, baseline=0.01)
NUMBERS = ("ratio", "difference", "odds", "relative_risk", "posterior_ratio")


def finding(name: str, value: float, direction: Direction = Direction.AT_MOST, other: float | None = None) -> Finding:
    unit = Unit.NUMBER if name in NUMBERS else Unit.PROBABILITY
    return Finding(Quantity(name, unit), value, direction, {}, Basis.of("neyman-pearson"), other)


def test_every_question_has_a_place_and_a_sentence():
    assert set(ORDER) == set(QUESTIONS)
    for name in set(ORDER) - {"worst_prior"}:
        said = in_a_sentence(name, finding(name, 0.3), ASKED)
        assert said.endswith(".")
        assert re.search(r"at most (0\.3|30)", said), said


def shares(text: str) -> list[Fraction]:
    """The numbers of a sentence behind the word of the direction: percentages, counts and points."""
    found = [Fraction(one) / 100 for one in re.findall(r"at most ([\d.]+)(?= %| percentage)", text)]
    counts = re.findall(r"at most ([\d,]+) of ([\d,]+)", text)
    return [*found, *(Fraction(int(one.replace(",", "")), int(all_.replace(",", ""))) for one, all_ in counts)]


@pytest.mark.parametrize("name", [name for name in ORDER if name not in ("worst_prior", "ratio", "odds")])
def test_a_number_in_a_sentence_is_on_the_safe_side_and_close(name):
    drawn = random.Random(7)
    for _ in range(200):
        value = drawn.choice([drawn.random() * 0.998, 10 ** drawn.uniform(-3.9, -0.1), drawn.randrange(1, 99) / 100])
        if name in ("relative_risk", "posterior_ratio") or (name == "difference" and value >= 0.5):
            continue
        text = in_a_sentence(name, finding(name, value), ASKED)
        [share] = shares(text)
        assert share >= Fraction(repr(value)), text
        assert share <= Fraction(repr(value)) * Fraction(101, 100) + Fraction(1, 100), text


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.26, "at most 26 of 100 people"),
        (math.nextafter(0.26, 1), "at most 27 of 100 people"),
        (0.0, "at most 0 of 100 people"),
        (0.0041, "at most 5 of 1,000 people"),
        (0.995, "at most 995 of 1,000 people"),
        (0.9995, "possibly more than 99.9 % of people"),
        (1e-9, "at most 1e-9 of people"),
    ],
)
def test_a_count_is_told_apart_from_nobody_and_from_everybody(value, said):
    assert f"The best test finds {said}" in in_a_sentence("power", finding("power", value), ASKED)


@pytest.mark.parametrize(
    ("neighbours", "said"),
    [
        (Neighbours.ADD_REMOVE, "The best test finds at most 20 of 100 people in the data,"),
        (Neighbours.REPLACE, "The best test recognises the true record in at most 20 of 100 cases,"),
        (Neighbours.LOCAL, "The best test recognises the true answer in at most 20 of 100 cases,"),
    ],
)
def test_whom_a_test_finds_depends_on_what_is_compared(neighbours, said):
    assert in_a_sentence("power", finding("power", 0.2), Asked(neighbours=neighbours)).startswith(said)


@pytest.mark.parametrize(
    ("name", "value"), [("posterior", 1.0), ("power", 1.0), ("ratio", 2.0), ("difference", 0.5), ("odds", math.inf)]
)
def test_the_largest_bound_that_there_can_be_rules_nothing_out(name, value):
    assert in_a_sentence(name, finding(name, value), ASKED).startswith("Nothing is ruled out")
    below = in_a_sentence(name, finding(name, 0.99 * min(value, 1e9)), ASKED)
    assert "Nothing is ruled out" not in below


def test_who_is_certain_before_stays_so():
    sure = "The adversary is certain before the release and stays so."
    assert in_a_sentence("posterior", finding("posterior", 1.0), Asked(prior=1.0)) == sure
    assert in_a_sentence("odds", finding("odds", math.inf), Asked(prior=1.0)) == sure


def test_both_ends_are_told_where_both_are_bounds():
    text = in_a_sentence("difference", finding("difference", 0.13149, other=-0.06078), Asked(prior=0.1))
    assert text == "The belief in the fact changes by between -6.08 and 13.2 percentage points."


def test_an_estimate_and_a_lower_bound_keep_their_words():
    for direction, said in ((Direction.ABOUT, "about 31 of 100"), (Direction.AT_LEAST, "at least 30 of 100")):
        assert said in in_a_sentence("power", finding("power", 0.3011, direction), ASKED)


def test_every_failure_is_told():
    basis = Basis(("neyman-pearson",), (Failure(0.01, Randomness.BELIEF), Failure(1e-6, Randomness.SIMULATION)))
    found = Finding(Quantity("power", Unit.PROBABILITY), 0.5, Direction.AT_MOST, {}, basis)
    assert re.fullmatch(", except with probability 1 % over .* and 1e-6 over .*", exceptions(found))


def test_rounding_of_an_input_is_not_shown():
    assert [input_text(each) for each in (0.1, 0.05 * 0.2, 0.0, 1e-7, 1 - 0.9)] == [
        "10 %",
        "1 %",
        "0 %",
        "1e-7",
        "10 %",
    ]


def test_a_notebook_shows_the_sentences_of_the_command_line_and_what_was_asked():
    page = assess(Gaussian(2.0).times(3), Adversary(prior=0.1), failure=0.01)._repr_html_().replace("\xa0", " ")
    assert "The best test finds at most 22 of 100 people in the data, with 5 % false alarms." in page
    assert "Asked of: Gaussian noise, sigma = 2, in each of 3 releases." in page
    options = ["--gaussian", "2", "--releases", "3", "--prior", "0.1", "--failure", "0.01"]
    said = CliRunner().invoke(whit, ["assess", *options]).stdout
    [asker] = [line for line in said.splitlines() if line.startswith("Adversary: ")]
    assert "any belief about the others" in asker
    assert asker in page


def test_a_notebook_has_the_rows_of_the_command_and_the_risks_of_a_value_only_where_one_is_stated():
    of_a_fact, of_a_value = (Adversary(prior=0.1), Adversary(inclusion=0.5, value=0.2))
    assert "absolute risk" not in assess(PureDP(1.0), of_a_fact, failure=0.01)._repr_html_()
    assert "absolute risk" in assess(PureDP(1.0), of_a_value, failure=0.01)._repr_html_()
    assert "absolute risk" in assess(PureDP(1.0), of_a_fact, questions=["absolute_risk"])._repr_html_()


@pytest.mark.parametrize("relation", [None, Neighbours.REPLACE])
def test_a_notebook_names_the_promise_as_the_command_line_does(relation):
    change = Sensitivity(add_remove=1.0, replace=(1.0, 1.0))
    noise = Gaussian(4.0, sensitivity=change).times(3)
    page = assess(noise, Adversary(prior=0.1), failure=0.01, neighbours=relation)._repr_html_().replace("\xa0", " ")
    options = ["--gaussian", "4", "--sensitivity", "1:1+1", "--releases", "3", "--prior", "0.1", "--failure", "0.01"]
    options += [] if relation is None else ["--neighbours", "replace"]
    said = CliRunner().invoke(whit, ["assess", *options]).stdout
    asked = next(line for line in said.splitlines() if line.startswith("Asked of: "))
    assert "a replaced record changes 2 cells by 1" in asked
    assert ("neighbours replace" in asked) == (relation is not None)
    assert asked in page


def test_a_notebook_names_each_of_several_promises():
    page = assess([Gaussian(2.0), PureDP(1.0, neighbours=Neighbours.REPLACE)], failure=0.01)._repr_html_()
    assert "Asked of: Gaussian noise, sigma = 2; epsilon = 1, one record replaced." in page
    many = assess([PureDP(each / 4) for each in range(1, 7)])._repr_html_()
    assert "Asked of: 6 promises." in many


def test_the_worst_prior_has_one_wording():
    one = assess(PureDP(1.0), Adversary(prior=0.1))
    said = CliRunner().invoke(whit, ["assess", "--epsilon", "1", "--prior", "0.1"]).stdout
    for text in (str(one.worst_prior), one._repr_html_().replace("\xa0", " "), said):
        assert "37.8 % (rounded up)" in text
        assert "about 37.8 %" not in text


def test_a_frame_has_the_answers_first_and_no_empty_columns():
    frame = assess(PureDP(1.0), Adversary(prior=0.1)).to_frame()
    assert list(frame.columns)[:4] == ["question", "quantity", "value", "direction"]
    assert not frame.isna().all().any()
    assert "prior=None" not in str(check(PureDP(1.0), limits.difference(0.2)).to_rows())


def test_a_worst_prior_is_a_place_and_no_bound():
    """The ratio is worst towards a prior of 0, which nobody has: the sentence says "close to", and no failure."""
    worst = assess(Gaussian(3.0), Adversary(prior=0.1), failure=0.01).worst_prior
    said = {
        key: [in_a_sentence("any name", each, ASKED) for each in worst.findings if each.quantity.key == key]
        for key in ("worst_prior_of_ratio", "worst_prior")
    }
    assert said["worst_prior_of_ratio"] == [
        f"If the fact is {truth}, the bound on the ratio is largest from priors close to {at} %."
        for truth, at in (("true", 0), ("false", 100))
    ]
    for truth, text in zip(("true", "false"), said["worst_prior"], strict=True):
        opening = f"If the fact is {truth}, the bound on the rise is largest from a prior of "
        assert re.fullmatch(rf"{opening}[\d.]+ % \(rounded up\)\.", text)


def test_nobody_rises_from_certainty():
    """Without a failure no loss bounds Gaussian noise: the smaller the prior, the larger the rise; 0 never rises."""
    worst = assess(Gaussian(1.0), Adversary(prior=0.1)).worst_prior
    said = [in_a_sentence("any name", each, ASKED) for each in worst.findings if each.quantity.key == "worst_prior"]
    assert said == [
        f"If the fact is {truth}, the bound on the rise is largest from priors close to {at} %."
        for truth, at in (("true", 0), ("false", 100))
    ]


def test_each_row_of_the_worst_priors_says_whether_the_fact_is_true():
    """At a loss of 1 the rise is largest from 1 / (1 + sqrt(e)) = 0.37754... if true, from 1 less that if false."""
    worst = assess(PureDP(1.0), Adversary(prior=0.1)).worst_prior
    rows = {row["quantity"]: row["value"] for row in worst.to_rows()}
    assert rows == {
        "worst prior of a true fact for the ratio": 0.0,
        "worst prior of a false fact for the ratio": 1.0,
        "worst prior of a true fact for the increase": pytest.approx(0.3775406687981454),
        "worst prior of a false fact for the increase": pytest.approx(0.6224593312018546),
    }
    page = worst._repr_html_()
    assert all(page.count(f"{name[0].upper()}{name[1:]}</td>") == 1 for name in rows)


@pytest.mark.parametrize(
    ("beliefs", "said"),
    [
        ({"inclusion": 1.0, "value": 0.2}, "The best test detects the difference in at most 37 of 100 cases"),
        ({"inclusion": 0.9, "value": 0.5}, "The best test detects the difference in at most 37 of 100 cases"),
        ({"prior": 0.2}, "The best test finds at most 14 of 100 people in the data"),
    ],
)
def test_a_test_of_a_value_is_not_said_to_find_people_in_the_data(beliefs, said):
    options = [part for name, value in beliefs.items() for part in (f"--{name}", str(value))]
    printed = CliRunner().invoke(whit, ["assess", "--epsilon", "1", "--question", "power", *options]).output
    assert said in printed
    assert said in assess(PureDP(1.0), Adversary(**beliefs))._repr_html_()
    alone = assess(PureDP(1.0), Adversary(**beliefs), questions=["power"])
    assert said in alone._repr_html_()


def test_a_local_promise_says_in_words_that_it_knows_nothing_of_absence():
    """Somebody with an inclusion below 1 also asks for presence, and a local promise is about answers alone."""
    local = PureDP(1.0, neighbours=Neighbours.LOCAL)
    found = assess(local, Adversary(inclusion=0.5, value=0.1), questions=["power", "expected_posterior"])
    for each in found.unanswered.values():
        assert "about adding or removing a record, where the inclusion is below 1" in str(each)
    options = ["--epsilon", "1", "--neighbours", "local", "--inclusion", "0.5", "--value", "0.1"]
    printed = CliRunner().invoke(whit, ["assess", *options]).output
    assert "Neighbours." not in printed
    assert "Use --inclusion 1 for a person known to be in the data" in printed
    known = assess(local, Adversary(inclusion=1.0, value=0.1), questions=["power"])
    assert float(known.power) == pytest.approx(0.05 * math.e)


def test_that_a_number_is_rounded_is_said_at_the_end_of_its_clause():
    for name, said in (
        ("power", "in 31 of 100 cases (rounded up), with 5 % false alarms."),
        ("success", "in 30.3 % of cases (rounded up), against 1 % without the release."),
        ("posterior", "from 50 % to 30.3 % (rounded up)."),
    ):
        asked = Asked(prior=0.5, level=0.05, baseline=0.01, neighbours=Neighbours.LOCAL)
        assert in_a_sentence(name, finding(name, 0.3021, Direction.EXACTLY), asked).endswith(said)
