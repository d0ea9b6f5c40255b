"""A form takes what options say and what a file says beside them, and refuses what contradicts itself."""

from __future__ import annotations

import pytest

from whit.assessment import QUESTIONS
from whit.errors import Incompatible, InvalidInput, UnknownKey, WhitError
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.setting import Adversary, Knowledge
from whit.spec import Form, Given, Questions, pairs, parsed
from whit.spec.form import USED_BY


def file(text: str) -> Form:
    return Form.of(parsed(text, "promise.toml"))


def test_a_file_has_its_promise_in_a_table():
    assert file("[promise]\nepsilon = 1\ndelta = 1e-6\n").series.together == ApproxDP(1.0, 1e-6)


def test_a_file_may_have_one_table_among_others_for_a_report():
    text = '[release]\nname = "x"\n\n[promise]\ngaussian = 2.0\nreleases = 3\nsensitivity = [1, 1]\n'
    assert file(text).series.together == Gaussian(2.0).times(3)


def test_a_file_may_state_several_by_name():
    form = file('[[promise]]\nname = "a"\nepsilon = 1\n[[promise]]\nname = "b"\nrho = 0.1\n')
    assert [each.name for each in form.promises] == ["a", "b"]
    assert [each.together for each in form.promises] == [PureDP(1.0), ZeroConcentratedDP(0.1)]
    with pytest.raises(InvalidInput, match="the promise must be one here; got 2 of them. State the one"):
        _ = form.series


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[promise]\nepsilon = 1\n\nepsilom = 2\n",
            "promise.toml, line 4, .promise. epsilom is not known here.*epsilon",
        ),
        (
            "[promise]\nrho = 1\ngaussian = 2\n",
            "promise.toml, line 1, .promise.: the promise must be stated once; got rho",
        ),
        ("[promise]\n# words\nepsilon = -1\n", "line 3, .promise. epsilon must be"),
        ("[promise]\nreleases = 2\nepsilon = 'one'\n", "line 3, .promise. epsilon must be a number"),
        ("[promise]\nepsilon = 1\ndelta = 1.5\n", "line 3, .promise. delta must be"),
        ("[promise]\nrho = 1\nneighbours = 'swap'\n", "line 3, .promise. neighbours cannot be swap"),
        ("[[promise]]\nepsilon = 1\n\n[[promise]]\nepsilon = -1\n", "line 5, .promise. epsilon must"),
        ("[promise]\ntimes = 2\nepsilon = 1\n", "line 2, .promise. times is not known here"),
        ("rho = 1\n", "promise.toml, line 1: rho must stand in a table; got 1. Write .promise. or another"),
        ("[promis]\nrho = 1\n", "promise.toml, line 1: promis is not known here; got promis. Did you mean promise"),
        ("[promise]\n", "line 1, .promise.: the promise must be stated; got nothing"),
        ("", "the promise must be stated; got nothing"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, said):
    with pytest.raises(WhitError, match=said):
        _ = file(text).promises, file(text).series


def test_a_file_and_options_do_not_both_state_the_promise():
    with pytest.raises(Incompatible, match="--from states the whole promise; got --releases as well"):
        Form(promise=(Given({"releases": "2"}),)).over(file("[promise]\nrho = 1\n"))


def test_what_an_option_says_holds_and_the_file_says_the_rest():
    text = "[promise]\nrho = 1\n[[adversary]]\nprior = 0.1\n[questions]\nfailure = 0.01\nlevel = 0.2\n"
    options = Form(questions=(Given({"failure": "0.5"}),))
    both = options.over(file(text))
    assert both.asked == Questions(failure=0.5, level=0.2)
    assert both.askers == file(text).askers
    assert Form(adversary=(Given({"prior": "0.3"}),)).over(file(text)).askers[0].adversary.prior == 0.3


def test_everything_that_is_acceptable_must_be_kept_wherever_it_is_said():
    one = Form(limit=(pairs("a limit", "advantage=0.1"),))
    both = one.over(file("[limit]\npower = 0.2\nlevel = 0.05\n[profile]\nrelative = 3\n"))
    assert [text for text, _ in both.requirements.named] == ["relative=3", "advantage=0.1", "power=0.2, level=0.05"]


def test_what_an_adversary_knows_may_be_said_for_all_of_a_file():
    text = "[[adversary]]\nprior = 0.1\n[[adversary]]\ninclusion = 0.1\nvalue = 0.5\n"
    knows = [asker.adversary.knows for asker in file(text).askers]
    assert knows == [Knowledge.ANY_BELIEF, Knowledge.ANY_BELIEF]
    all_the_same = Form(knows=Given({"knows": "everyone-else"})).over(file(text))
    assert {asker.adversary.knows for asker in all_the_same.askers} == {Knowledge.EVERYONE_ELSE}


def test_a_baseline_is_of_an_adversary_or_for_all_of_a_file():
    text = "[[adversary]]\nprior = 0.1\nbaseline = 0.02\n[[adversary]]\nprior = 0.2\n"
    assert [asker.adversary.baseline for asker in file(text).askers] == [0.02, None]
    all_the_same = Form(knows=Given({"baseline": "1%"})).over(file(text))
    assert [asker.adversary.baseline for asker in all_the_same.askers] == [0.01, 0.01]


def test_a_population_is_read_and_handed_on():
    asked = file("[questions]\nfailure = 0.01\npopulation = 330000000\n").asked
    assert asked == Questions(failure=0.01, population=330_000_000)
    assert asked.options["population"] == 330_000_000
    assert Questions().options["population"] is None


def test_nobody_is_somebody_with_even_odds():
    assert Form().askers[0].adversary == Adversary(prior=0.5, knows=Knowledge.ANY_BELIEF)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[adversary]]\nprior = 0.1\nvalue = 0.2\n", "an adversary must have either a prior.*got prior and value"),
        ("[[adversary]]\ninclusion = 0.1\n", "an adversary must have either a prior"),
        ("[[adversary]]\nprior = [0.1, 0.2]\n", "line 2, .adversary. prior must be a number"),
        ("[[adversary]]\nprior = 0.1\nknows = 'a lot'\n", "line 3, .adversary. knows cannot be"),
        ("[[adversary]]\nprior = 0.1\nage = 3\n", "line 3, .adversary. age is not known here"),
        ("adversary = 3\n", "adversary must"),
        ("[questions]\nfailure = 2\n", "line 2, .questions. failure must be a probability"),
        ("[questions]\nsides = 3\n", "line 2, .questions. sides must be a whole number from 1 to 2; got 3"),
        ("[questions]\npeople = 0\n", "line 2, .questions. people must be a whole number of at least 1"),
        (
            "[questions]\nquestions = ['postrior']\n",
            "line 2, .questions. questions cannot be postrior. Did you mean posterior",
        ),
        ("[questions]\nquestions = 'posterior'\n", "line 2, .questions. questions must be a list of texts"),
        ("[questions]\npopulation = 1.5\n", "line 2, .questions. population must be a whole number of at least 1"),
        ("[[adversary]]\nprior = 0.1\nbaseline = 2\n", "line 3, .adversary. baseline must be a probability"),
        ("[questions]\nseed = 3\n", "line 2, .questions. seed is not known here"),
    ],
)
def test_what_is_wrong_with_adversaries_and_questions_is_told_with_its_line(text, said):
    with pytest.raises(WhitError, match=said):
        _ = file(text).askers, file(text).asked


@pytest.mark.parametrize("key", USED_BY)
def test_what_no_question_that_is_asked_has_a_use_for_is_refused(key):
    value = {"level": "0.1", "people": "3", "sides": "2", "failure": "0.1", "population": "1000"}[key]
    for name in QUESTIONS:
        form = Form(questions=(Given({key: value, "questions": [name]}),))
        if name in USED_BY[key]:
            assert form.asked.names == (name,)
            continue
        with pytest.raises(Incompatible, match=f"--{key} has no use for the questions that are asked"):
            _ = form.asked


def test_a_file_may_say_more_than_one_question_needs():
    options = Form(questions=(Given({"questions": ["posterior"]}),))
    assert options.over(file("[questions]\nlevel = 0.1\n")).asked.names == ("posterior",)
    with pytest.raises(Incompatible, match=r"line 2, \[questions\] level has no use"):
        _ = file("[questions]\nlevel = 0.1\nquestions = ['posterior']\n").asked


def test_a_text_may_name_its_promise():
    found = Form(promise=(pairs("a promise", "rho=2.56, noise=gaussian, name=as Gaussian"),)).series
    assert found.name == "as Gaussian"
    assert isinstance(found.together, Gaussian)


def test_a_word_that_is_not_known_suggests_the_nearest():
    with pytest.raises(UnknownKey, match="Did you mean everyone-else"):
        _ = Form(knows=Given({"knows": "everyone"})).askers
