from __future__ import annotations

import re

import click
import mpmath
import pytest

from whit.errors import Incompatible, InvalidInput, NotImplied, UnknownKey, WhitError
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import (
    AROUND,
    DiscreteGaussian,
    FullChange,
    Gaussian,
    Geometric,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    Shuffled,
    Tulap,
    UnaryEncoding,
    stated_by,
)
from whit.setting import Neighbours, Sensitivity
from whit.spec import BESIDE, Given, Series, kinds, layers, pairs, parsed, promise_of, sensitivity_of, together_of

STATED_BY = [
    details[0].word for details in map(stated_by, kinds()) if [each.needed for each in details].count(True) == 1
]


def stated(given: dict) -> Series:
    return promise_of(Given(given))


@pytest.mark.parametrize(
    ("given", "promise"),
    [
        ({"epsilon": "1"}, PureDP(1.0)),
        ({"epsilon": 1, "delta": "1e-6"}, ApproxDP(1.0, 1e-6)),
        ({"rho": "2.56"}, ZeroConcentratedDP(2.56)),
        ({"mu": "0.5"}, GaussianDP(0.5)),
        ({"gaussian": "2"}, Gaussian(2.0)),
        ({"laplace": "2"}, Laplace(2.0)),
        ({"geometric": "1"}, Geometric(1.0)),
        ({"discrete_gaussian": "2"}, DiscreteGaussian(2.0)),
        ({"randomized_response": "1"}, RandomizedResponse(1.0)),
        ({"gaussian": "2", "sampling_rate": "0.1"}, PoissonSubsampled(Gaussian(2.0), 0.1)),
        ({"unary_encoding": "1"}, UnaryEncoding(1.0)),
        ({"tulap": "1"}, Tulap(1.0)),
        ({"randomized_response": "1", "shuffled": "100"}, Shuffled(RandomizedResponse(1.0), 100)),
        (
            {"epsilon": "1", "neighbours": "local", "shuffled": "100"},
            Shuffled(PureDP(1.0, neighbours=Neighbours.LOCAL), 100),
        ),
        ({"gaussian": "2", "sensitivity": "histogram"}, Gaussian(2.0, sensitivity=Sensitivity.histogram())),
        ({"epsilon": "1", "neighbours": "replace"}, PureDP(1.0, neighbours=Neighbours.REPLACE)),
        ({"laplace": "2", "changes": "full", "releases": "3"}, FullChange(Laplace(2.0).times(3))),
        ({"laplace": "2", "changes": "any", "releases": "3"}, Laplace(2.0).times(3)),
        ({"epsilon": "1", "noise": "geometric", "changes": "full"}, FullChange(Geometric(1.0))),
        ({"laplace": "2", "sampling_rate": ".1", "changes": "full"}, FullChange(PoissonSubsampled(Laplace(2.0), 0.1))),
        ({"epsilon": "1", "noise": "geometric"}, Geometric(1.0)),
        ({"epsilon": "1", "noise": "randomized-response"}, RandomizedResponse(1.0)),
    ],
)
def test_parameters_name_a_promise(given, promise):
    assert stated(given).together == promise


@pytest.mark.parametrize("one", STATED_BY)
@pytest.mark.parametrize("other", STATED_BY)
def test_a_promise_is_stated_once(one, other):
    if one == other:
        assert stated({one: "1"}).releases == 1
        return
    with pytest.raises(Incompatible, match="must be stated once"):
        stated({one: "1", other: "1"})


@pytest.mark.parametrize(("by", "value"), [("rho", "2.56"), ("rho", "0.1"), ("mu", "0.3"), ("rho", "1e-9")])
def test_gaussian_noise_named_by_its_promise_has_at_most_the_noise_that_keeps_it(by, value):
    noise = stated({by: value, "noise": "gaussian"}).together
    assert isinstance(noise, Gaussian)
    stated_mu = mpmath.mpf(float(value)) if by == "mu" else mpmath.sqrt(2 * mpmath.mpf(float(value)))
    truth = 1 / stated_mu
    assert mpmath.mpf(noise.sigma) <= truth
    assert mpmath.mpf(noise.sigma) >= truth * (1 - mpmath.mpf(2) ** -48)


def test_laplace_noise_named_by_its_epsilon_has_at_least_that_epsilon():
    noise = stated({"epsilon": "0.3", "noise": "laplace"}).together
    assert isinstance(noise, Laplace)
    assert 1 / mpmath.mpf(noise.scale) >= mpmath.mpf(0.3)


def test_so_many_releases_are_composed():
    assert stated({"rho": "0.01", "releases": "7"}).together == ZeroConcentratedDP(0.01).times(7)
    assert stated({"laplace": "2", "releases": 3}).together == Laplace(2.0).times(3)


def test_a_relation_is_asked_of_noise_and_stated_of_a_guarantee():
    assert stated({"gaussian": "1", "neighbours": "replace"}).relation is Neighbours.REPLACE
    assert stated({"gaussian": "1"}).relation is None
    assert stated({"epsilon": "1", "neighbours": "add_remove"}).relation is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count", Sensitivity.count()),
        ("3", Sensitivity(add_remove=3, replace=3)),
        ("1:2", Sensitivity(add_remove=1, replace=2)),
        ([1, 2], Sensitivity(add_remove=1, replace=2)),
        ([1, [1, 1]], Sensitivity.histogram()),
        ("1:1+1", Sensitivity.histogram()),
        ([[1, 2, 4], [1, 2, 4]], Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))),
        (" Histogram ", Sensitivity.histogram()),
    ],
)
def test_a_sensitivity_is_a_word_or_numbers(text, expected):
    assert sensitivity_of(Given({"sensitivity": text})) == expected


@pytest.mark.parametrize(
    "text", ["1:2:3", [1, 2, 3], [1], {"foo": 1}, "table", "1:", [1, ["x"]], True, [[[1]], 1], "1:3"]
)
def test_another_sensitivity_is_refused(text):
    with pytest.raises(InvalidInput, match="--sensitivity must"):
        sensitivity_of(Given({"sensitivity": text}))


def test_several_cells_need_what_replacing_changes():
    """Whoever moves to other cells changes both: one number for both would call a release safe too early."""
    with pytest.raises(InvalidInput, match=r"must also say what replacing a record changes.*1\+2\+4:1\+2\+4\+1\+2\+4"):
        sensitivity_of(Given({"sensitivity": "1+2+4"}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,2,4", r"must be made of numbers; got 1,2,4. Use 1\+2\+4:1\+2\+4 if"),
        ("1, 5", r"Write 1.5 for one number. For two cells: use 1\+5:1\+5 if"),
        ("2+3", r"Use 2\+3:2\+3 if a new record .* or 2\+3:2\+3\+2\+3 if"),
        ("1,x", "Use count, histogram, one number"),
    ],
)
def test_cells_are_repeated_in_the_form_that_would_do(text, said):
    with pytest.raises(InvalidInput, match=said):
        sensitivity_of(Given({"sensitivity": text}))


def test_noise_is_not_named_where_there_is_none_to_name():
    with pytest.raises(Incompatible, match="--rho must be above 0 where the noise is named"):
        stated({"rho": "0", "noise": "gaussian"})
    with pytest.raises(UnknownKey, match="--noise cannot be pink. Use gaussian"):
        stated({"rho": "1", "noise": "pink"})
    with pytest.raises(Incompatible, match="--noise goes with --epsilon, and not with --rho; got laplace"):
        stated({"rho": "1", "noise": "laplace"})
    with pytest.raises(Incompatible, match="--noise goes with --rho or --mu, and not with --unary-encoding"):
        stated({"unary_encoding": "1", "noise": "gaussian"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("delta=1e-6", 'goes with epsilon; got 1e-6. Give both, such as "epsilon=1, delta=1e-6".'),
        (
            "noise_multiplier=0.8, steps=20000",
            'is a word of claims only; got noise-multiplier. Write "gaussian=0.8, releases=20000, sensitivity=1:2" (',
        ),
        ("gaussian=0.8, steps=20000", 'is a word of claims only; got steps. Write "gaussian=0.8, releases=20000".'),
    ],
)
def test_a_text_is_refused_with_the_text_to_write(text, said):
    with pytest.raises(WhitError, match=re.escape(said)):
        promise_of(pairs("a promise", text))


def test_every_parameter_is_an_option_of_the_command():
    from whit.apps.cli.commands.assess import assess

    options = {option for each in assess.get_params(click.Context(assess)) for option in each.opts}
    details = [*map(stated_by, kinds()), *(each.around.details for each in layers(AROUND))]
    words = {each.word for some in details for each in some}
    assert {f"--{word.replace('_', '-')}" for word in {*words, *BESIDE} - {"name"}} <= options


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "the promise must be stated; got nothing. Use --epsilon, --rho"),
        ({"releases": "2"}, "the promise must be stated; got --releases"),
        ({"delta": "0.1"}, "--delta goes with --epsilon; got 0.1. Give both, such as --epsilon 1 --delta 0.1."),
        ({"rho": "1", "delta": "0.1"}, "--delta goes with --epsilon, and not with --rho"),
        ({"sampling_rate": "0.1", "exponential_mechanism": "1"}, "and not with --exponential-mechanism here; got 0.1"),
        ({"gaussian": "1", "delta": "0.1"}, "--delta goes with --epsilon, and not with --gaussian"),
        ({"epsilon": "1", "delta": "0.1", "noise": "laplace"}, "--delta goes with a guarantee, and not with noise"),
        (
            {"epsilon": "1", "sampling_rate": "0.1"},
            "--sampling-rate goes with noise whose .* is known, and not with --epsilon",
        ),
        ({"epsilon": "1", "shuffled": "9"}, "--shuffled goes with what one person tells, and not with --epsilon here"),
        ({"randomized_response": "1", "shuffled": "0"}, "--shuffled must be"),
        ({"epsilon": "1", "sensitivity": "2"}, "--sensitivity goes with noise, and not with --epsilon"),
        ({"epsilon": "1", "changes": "full"}, "--changes goes with noise, .* a guarantee holds for everybody"),
        ({"laplace": "1", "changes": "all"}, "--changes cannot be all. Use any, full"),
        ({"randomized_response": "1", "sensitivity": "2"}, "--sensitivity does not go with --randomized-response"),
        ({"rho": "1", "noise": "gaussian", "sensitivity": "2"}, "--sensitivity does not go with --noise"),
        ({"randomized_response": "1", "neighbours": "add-remove"}, "--neighbours must be .* Use local or replace"),
        ({"gaussian": "-1"}, "--gaussian must be a finite number of at least 0; got -1"),
        ({"gaussian": "1", "sampling_rate": "2"}, "--sampling-rate must"),
        ({"staircase": "1", "sampling_rate": "0.5"}, "goes with noise whose loss on a sample is known, and not with"),
        ({"gaussian": "1", "sample_size": "5"}, "--drawn-from must be given with --sample-size; got nothing"),
        ({"laplace": "1", "keys": "5"}, "--keys goes with --threshold; got 5. Give both"),
        (
            {"epsilon": "1", "threshold": "5"},
            "--threshold goes with noise that is added to a value, and not with --eps",
        ),
        ({"laplace": "1", "threshold": "0.5"}, "--threshold must be at least the change of a value by one person"),
        ({"matrix": "1"}, "--strategy must be given with --matrix; got nothing. State --strategy: the matrix"),
        ({"matrix": "1", "strategy": "root"}, "--strategy must be made of numbers; got root"),
        ({"matrix": "1", "strategy": "gone.csv"}, r"--strategy must be readable \(No such file"),
        ({"matrix": "1", "strategy": "1e-400"}, "--strategy must not be so small that a double loses its digits"),
        (
            {"square_root": "1", "rounds": "9", "participation": "daily"},
            "--participation must say which steps one person",
        ),
        (
            {"square_root": "1", "rounds": "9", "participation": "2 epochs"},
            "the number of epochs must divide the number",
        ),
        ({"square_root": "1", "rounds": "9", "bands": "10"}, "--bands must be at most the number of steps; got 10"),
        ({"tree_aggregation": "1", "rounds": "9", "in_each_tree": "maybe"}, "--in-each-tree cannot be"),
        ({"rappor": "0.5", "p": "0.5", "q": "0.75", "reports": "few"}, "--reports must be a whole number; got few"),
        ({"rappor": "1.5", "p": "0.5", "q": "0.75"}, "--rappor must be a probability"),
        (
            {"gaussian_mixture": "1", "amounts": "0 1", "chances": "0.5 0.4"},
            "--chances must be a list of probabilities",
        ),
        ({"epsilon": "1", "releases": "0"}, "--releases must be a whole number of at least 1; got 0"),
        ({"epsilon": "1e-400"}, "--epsilon must not be so small that a double loses its digits; got 1e-400"),
        ({"laplace": "1e400"}, "--laplace must be a number that a double holds; got 1e400"),
        ({"epsilon": "1", "neighbours": "swap"}, "--neighbours cannot be swap. Use add-remove"),
        ({"epsilom": "1"}, "--epsilom is not known here; got --epsilom. Did you mean --epsilon"),
    ],
)
def test_what_states_no_promise_is_refused_by_the_name_of_the_option(given, said):
    with pytest.raises(WhitError, match=said):
        promise_of(Given(given))


def test_what_a_search_among_such_releases_is_told_is_all_but_the_parameter():
    several = stated({"epsilon": "1", "delta": "1e-6", "releases": "3", "neighbours": "replace"})
    assert several.search == {"releases": 3, "neighbours": Neighbours.REPLACE, "delta": 1e-6}
    noise = stated({"laplace": "1", "sensitivity": "histogram"})
    assert noise.search == {"releases": 1, "neighbours": None, "sensitivity": Sensitivity.histogram()}


def test_a_series_is_called_by_its_promise_and_the_relation_that_was_named():
    assert stated({"gaussian": "5.5", "releases": "5"}).title == "Gaussian noise, sigma = 5.5, in each of 5 releases"
    assert stated({"gaussian": "2", "neighbours": "replace"}).title == "Gaussian noise, sigma = 2, neighbours replace"
    assert stated({"epsilon": "1", "neighbours": "replace"}).title == "epsilon = 1, one record replaced"


def test_several_records_of_a_person_go_with_a_sample():
    made = promise_of(Given({"gaussian": "1", "sampling_rate": "0.01", "records": "3"})).one
    assert made == PoissonSubsampled(Gaussian(1.0), 0.01, records=3)
    series = promise_of(Given({"gaussian": "1", "sampling_rate": "0.01", "records": "3", "releases": "10"}))
    assert series.search["records"] == 3
    assert "on a sample at rate 0.01, 3 records of each person, in each of 10 releases" in series.words
    with pytest.raises(Incompatible, match="--records goes with --sampling-rate"):
        promise_of(Given({"gaussian": "1", "records": "3"}))
    with pytest.raises(Incompatible, match="--records goes with --sampling-rate"):
        promise_of(Given({"epsilon": "1", "records": "3"}))


def test_promises_about_different_neighbours_are_taken_under_a_replaced_record():
    several = [promise_of(Given({"epsilon": 1})), promise_of(Given({"epsilon": 2, "neighbours": "replace"}))]
    found = together_of(several)
    assert found.neighbours is Neighbours.REPLACE
    # One record that is added and one that is removed stand for one that is replaced: 2 times 1, and 2.
    assert float(found.together.sure_loss(found.relation)) == pytest.approx(4.0, rel=1e-12)
    assert float(found.together.epsilon(0.0, neighbours=found.relation)) >= 4.0


def test_releases_of_one_promise_keep_their_curve_together():
    several = [
        promise_of(Given({"epsilon": 0.1, "releases": 100})),
        promise_of(Given({"epsilon": 0.2, "releases": 25})),
    ]
    found = together_of(several).together
    # Parameters add up to 15; the best bound of all 125 at a small delta is far below.
    assert float(found.epsilon(1e-6)) < 9.0


def test_times_is_answered_with_releases():
    with pytest.raises(
        InvalidInput, match=r'times in .* is not known here; got times\. Write "epsilon=1, releases=5"\.$'
    ):
        promise_of(pairs("a promise", "epsilon=1, times=5"))


def test_a_promise_is_asked_about_under_another_relation_where_it_follows():
    one = stated({"epsilon": "1", "releases": "2"}).under(Neighbours.REPLACE)
    assert (one.relation, one.neighbours) == (Neighbours.REPLACE, Neighbours.REPLACE)
    assert float(one.together.epsilon(0.0, neighbours=one.relation)) == 4.0
    assert stated({"laplace": "2"}).under(Neighbours.REPLACE).neighbours is Neighbours.REPLACE
    with pytest.raises(NotImplied, match="does not follow from one under"):
        stated({"epsilon": "1", "neighbours": "replace"}).under(Neighbours.ADD_REMOVE)


@pytest.mark.parametrize(("word", "meant"), [("sigma", "gaussian"), ("scale", "laplace")])
def test_a_parameter_of_noise_is_meant_by_the_name_of_its_noise(word, meant):
    with pytest.raises(InvalidInput, match=f"Did you mean --{meant}"):
        promise_of(Given({word: "4.5"}))
    source = parsed(f"[promise]\n{word} = 4.5\n", "release.toml")
    with pytest.raises(InvalidInput, match=rf"line 2, \[promise\] {word} is not known here.*Did you mean {meant}"):
        promise_of(source.table("promise"))
