from __future__ import annotations

import re
from decimal import Decimal

import pytest

from whit.errors import InvalidInput, UnknownKey
from whit.spec import Given, pairs, plain
from whit.spec.given import tabled
from whit.spec.toml import Entry

FILE = Entry("release.toml", "[promise]\nsampling-rate = 2\n", ("promise",))


def test_pairs_are_names_and_values_with_commas_between_them():
    assert dict(pairs("x", " epsilon = 1 ,delta=1e-6").values) == {"epsilon": "1", "delta": "1e-6"}


def test_hyphens_and_underscores_are_one():
    assert pairs("x", "discrete-gaussian=2").values == pairs("x", "Discrete_Gaussian=2").values
    assert plain("Discrete-Gaussian") == "discrete_gaussian"


@pytest.mark.parametrize("text", ["", "epsilon", "epsilon=", "=1", "epsilon=1,,delta=2", "epsilon=1;delta"])
def test_a_text_that_is_no_list_of_pairs_is_refused(text):
    if text == "epsilon=1;delta":
        assert dict(pairs("x", text).values) == {"epsilon": "1;delta"}
        return
    with pytest.raises(InvalidInput, match="made of name=value"):
        pairs("x", text)


def test_a_name_that_is_given_twice_is_refused():
    with pytest.raises(InvalidInput, match='epsilon in "epsilon=1, epsilon=2" must be given once'):
        pairs("x", "epsilon=1, epsilon=2")
    with pytest.raises(InvalidInput, match="line 2, .promise. sampling_rate must be given once"):
        tabled({"sampling-rate": 1, "sampling_rate": 2}, FILE)


@pytest.mark.parametrize("value", ["1e-6", 1e-6, Decimal("1e-6")])
def test_numbers_come_from_text_and_from_numbers(value):
    assert Given({"x": value}).number("x") == 1e-6


@pytest.mark.parametrize("value", ["", "one", "nan", "inf", True, None, [1], {"a": 1}, Decimal("nan"), float("inf")])
def test_what_is_no_finite_number_is_refused(value):
    with pytest.raises(InvalidInput, match="x must be a number"):
        Given({"x": value}).number("x")


@pytest.mark.parametrize("value", ["1e-400", Decimal("1e-400"), "-1e-400", "5e-324", 5e-324, "1e-320", "1e-999999999"])
def test_a_number_that_would_become_0_or_lose_its_digits_is_refused(value):
    with pytest.raises(InvalidInput, match="x must not be so small that a double loses its digits"):
        Given({"x": value}).number("x")


@pytest.mark.parametrize(
    "value", ["1e400", Decimal("1e400"), 10**400, "1" * 5000, 10**5000, "-1e999999999"], ids=range(6)
)
def test_a_number_that_would_become_infinite_is_refused(value):
    with pytest.raises(InvalidInput, match="x must be a number that a double holds; got"):
        Given({"x": value}).number("x")


@pytest.mark.parametrize("value", ["0", "0e-400", "-0.0", 0])
def test_zero_is_zero(value):
    assert Given({"x": value}).number("x") == 0.0


@pytest.mark.parametrize("value", ["0", "1.5", -3, "1e300", 10**400, 2**53 + 1])
def test_what_is_no_count_is_refused(value):
    with pytest.raises(InvalidInput, match="whole number"):
        Given({"releases": value}).whole("releases")


def test_a_count_beyond_all_that_is_counted_is_not_called_too_small():
    with pytest.raises(InvalidInput, match=r"--releases must be a whole number of at most 9e\+15; got 1"):
        Given({"releases": "1" + "0" * 16}).whole("releases")


def test_counts_are_exact():
    assert Given({"releases": "1e3"}).whole("releases") == 1000
    assert Given({"releases": 2**53}).whole("releases") == 2**53


def test_a_range_is_two_numbers_and_a_number_is_both_ends():
    assert Given({"x": "0.1..0.6"}).span("x") == Given({"x": [0.1, 0.6]}).span("x") == (0.1, 0.6)
    with pytest.raises(InvalidInput, match=r"a number or a range; got 0.05:0.2. Write 0.05\.\.0.2, with two points"):
        Given({"x": "0.05:0.2"}).span("x")
    assert Given({"x": "0.5"}).span("x") == Given({"x": 0.5}).span("x") == (0.5, 0.5)
    with pytest.raises(InvalidInput, match="a number or a range"):
        Given({"x": [1, 2, 3]}).span("x")
    with pytest.raises(InvalidInput, match="a range in rising order"):
        Given({"x": "0.6..0.1"}).span("x")


def test_an_unknown_name_is_refused_with_the_one_most_like_it():
    with pytest.raises(InvalidInput, match="Did you mean --sampling-rate"):
        Given({"samplingrate": 1}).only(["epsilon", "sampling_rate"])
    with pytest.raises(InvalidInput, match="Use --epsilon"):
        Given({"zzz": 1}).only(["epsilon"])
    with pytest.raises(InvalidInput, match="--epsilon must be given"):
        Given({}).only(["epsilon"], needed=["epsilon"])


@pytest.mark.parametrize(
    ("text", "value"), [("30%", 0.3), ("30 %", 0.3), ("0.1 %", 0.001), ("1e-3%", 1e-5), ("7%", 0.07)]
)
def test_a_probability_may_be_written_in_percent(text, value):
    assert Given({"posterior": text}).number("posterior") == value
    assert Given({"predictive_value": text}).number("predictive_value") == value


@pytest.mark.parametrize(("name", "text"), [("epsilon", "30%"), ("relative", "300%"), ("prior", "%"), ("prior", "3%%")])
def test_a_percent_sign_elsewhere_is_refused(name, text):
    with pytest.raises(InvalidInput, match=f"--{name} must be a number"):
        Given({name: text}).number(name)


@pytest.mark.parametrize(
    ("value", "said"), [("20", "20 % is 0.2"), ("-0.1", "Use a number such as 0.1"), ("101", "Use a number")]
)
def test_what_is_no_probability_is_refused(value, said):
    with pytest.raises(InvalidInput, match=rf"prior must be a probability in \[0, 1\]; got {float(value):g}. {said}"):
        Given({"prior": value}).number("prior")


def test_a_failure_that_is_sure_is_refused():
    with pytest.raises(InvalidInput, match="--failure must be below 1"):
        Given({"failure": "100 %"}).number("failure")


def test_a_range_of_probabilities_may_be_written_in_percent():
    assert Given({"inclusion": "10%..60%"}).span("inclusion") == (0.1, 0.6)


def test_a_value_is_called_by_its_place():
    assert Given({"sampling_rate": "x"}).place("sampling_rate") == "--sampling-rate"
    assert pairs("x", "sampling-rate=2").place("sampling_rate") == 'sampling-rate in "sampling-rate=2"'
    assert Given({}, FILE).place("sampling_rate") == "release.toml, line 2, [promise] sampling_rate"
    assert Given({}, FILE).place("rho") == "release.toml, line 1, [promise] rho"


def test_an_error_of_a_value_is_placed_by_the_parameter_that_it_speaks_of():
    def built(given: Given) -> None:
        with given.placed(rate="sampling_rate"):
            raise InvalidInput("rate", "must be small", 2.0, "Try {failure}.", suggested={"failure": 0.1})

    for given, name in ((Given({"sampling_rate": "2"}), "--sampling-rate"), (Given({}, FILE), r"\[promise\]: rate")):
        with pytest.raises(InvalidInput, match=f"{name} must be small; got 2.*Try failure=0.1"):
            built(given)


def test_a_word_may_have_hyphens_blanks_and_capitals_and_another_is_refused():
    words = {"all_releases": 1, "each_release": 2}
    assert [Given({"x": word}).word("x", words) for word in ("all releases", "Each-Release")] == [1, 2]
    with pytest.raises(UnknownKey, match="--x cannot be no releases. Did you mean all-releases"):
        Given({"x": "no releases"}).word("x", words)
    with pytest.raises(UnknownKey, match="--x cannot be 3. Use all-releases, each-release"):
        Given({"x": 3}).word("x", words)


@pytest.mark.parametrize("value", ["", " ", 3, ["a"]])
def test_a_text_is_a_text_that_is_not_empty(value):
    with pytest.raises(InvalidInput, match="--x must be a text that is not empty"):
        Given({"x": value}).words("x")
    assert Given({}).words("x") == ""


def test_a_text_that_would_be_set_for_minutes_is_refused():
    given = Given({"name": "a" * 10_001, "names": ["short", "b" * 10_001], "fits": "c" * 10_000})
    assert given.words("fits") == "c" * 10_000
    with pytest.raises(InvalidInput, match="name must have at most 10,000 characters; got .?10,001 of them"):
        given.words("name")
    with pytest.raises(InvalidInput, match="names must have at most 10,000 characters"):
        given.list_of_words("names")


@pytest.mark.parametrize(
    "text", ["posterior=0.3 prior=0.1", "posterior = 0.3  prior = 0.1", "ratio=3 knows=x, block=2"]
)
def test_a_missing_comma_is_named_and_what_is_then_advised_is_read(text):
    with pytest.raises(InvalidInput, match="a limit must have a comma between its parts") as refused:
        pairs("a limit", text)
    [advised] = re.findall(r'Write "(.*)"\.$', str(refused.value))
    assert len(pairs("a limit", advised).values) == text.count("=")


def test_a_name_may_have_an_equals_sign_in_it():
    assert pairs("a promise", "epsilon=1, name=the case x = 2").values["name"] == "the case x = 2"
