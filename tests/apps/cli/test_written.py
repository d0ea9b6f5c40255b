from __future__ import annotations

import pytest

from whit.apps.cli.written import in_shell, number, pairs, plain, require_known, shown, span, whole
from whit.errors import InvalidInput


def test_pairs_are_names_and_values_with_commas_between_them():
    assert pairs("x", " epsilon = 1 ,delta=1e-6") == {"epsilon": "1", "delta": "1e-6"}


def test_hyphens_and_underscores_are_one():
    assert pairs("x", "discrete-gaussian=2") == pairs("x", "discrete_gaussian=2")
    assert shown(plain("discrete-gaussian")) == "discrete-gaussian"


@pytest.mark.parametrize("text", ["", "epsilon", "epsilon=", "=1", "epsilon=1,,delta=2", "epsilon=1;delta"])
def test_a_text_that_is_no_list_of_pairs_is_refused(text):
    if text == "epsilon=1;delta":
        assert pairs("x", text) == {"epsilon": "1;delta"}
        return
    with pytest.raises(InvalidInput, match="made of name=value"):
        pairs("x", text)


def test_a_name_that_is_given_twice_is_refused():
    with pytest.raises(InvalidInput, match="must give epsilon once"):
        pairs("x", "epsilon=1, epsilon=2")


@pytest.mark.parametrize("value", ["1e-6", 1e-6])
def test_numbers_come_from_text_and_from_numbers(value):
    assert number("x", value) == 1e-6


@pytest.mark.parametrize("value", ["", "one", "nan", "inf", True, None, [1], 10**400])
def test_what_is_no_finite_number_is_refused(value):
    with pytest.raises(InvalidInput, match="x must be a number"):
        number("x", value)


@pytest.mark.parametrize("value", ["0", "1.5", -3])
def test_what_is_no_count_is_refused(value):
    with pytest.raises(InvalidInput, match="whole number"):
        whole("times", value)


def test_a_range_is_two_numbers_and_a_number_is_both_ends():
    assert span("x", "0.1..0.6") == span("x", [0.1, 0.6]) == (0.1, 0.6)
    assert span("x", "0.5") == span("x", 0.5) == (0.5, 0.5)
    with pytest.raises(InvalidInput, match="a number or a range"):
        span("x", [1, 2, 3])


def test_an_unknown_name_is_refused_with_the_one_most_like_it():
    with pytest.raises(InvalidInput, match="Perhaps sampling-rate is meant"):
        require_known("x", ["samplingrate"], ["epsilon", "sampling_rate"])
    with pytest.raises(InvalidInput, match="Use epsilon"):
        require_known("x", ["zzz"], ["epsilon"])


@pytest.mark.parametrize(
    ("text", "value"), [("30%", 0.3), ("30 %", 0.3), ("0.1 %", 0.001), ("1e-3%", 1e-5), ("7%", 0.07)]
)
def test_a_probability_may_be_written_in_percent(text, value):
    assert number("posterior", text) == value
    assert number("predictive-value", text) == value


@pytest.mark.parametrize(("name", "text"), [("epsilon", "30%"), ("relative", "300%"), ("prior", "%"), ("prior", "3%%")])
def test_a_percent_sign_elsewhere_is_refused(name, text):
    with pytest.raises(InvalidInput, match=f"{name} must be a number"):
        number(name, text)


def test_a_range_of_probabilities_may_be_written_in_percent():
    assert span("inclusion", "10%..60%") == (0.1, 0.6)


def test_the_shell_speaks_of_options_and_leaves_a_repr_alone():
    said = "got ApproxDP(epsilon=0.5, delta=1e-06). Ask with failure=1e-05 or more."
    assert in_shell(said) == "got ApproxDP(epsilon=0.5, delta=1e-06). Ask with --failure 1e-05 or more."
    assert in_shell("Pass both, such as failure=0.001, population=10_000.").endswith(
        "--failure 0.001 --population 10000."
    )
    assert in_shell("failure=failure") == "failure=failure"
