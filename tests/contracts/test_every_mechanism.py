"""Every mechanism is stated, explained, searched for and listed: a new one that lacks any of this fails here."""

from __future__ import annotations

import inspect
import math

import click
import pytest
from _generate.subjects import subjects

from whit import mechanisms
from whit.apps.cli.options import PromiseCommand, filled_in
from whit.assessment import promise_name
from whit.errors import NotImplied, WhitError
from whit.guarantees import PureDP
from whit.mechanisms import (
    AROUND,
    BestOfRuns,
    Composed,
    CorrelatedGaussian,
    Deterministic,
    DiscreteGaussian,
    Epochs,
    ExponentialMechanism,
    Finite,
    FullChange,
    Gaussian,
    Geometric,
    Kernel,
    Laplace,
    MatrixMechanism,
    Mechanism,
    Mixture,
    MixtureOfGaussians,
    PartitionSelection,
    PermuteAndFlip,
    PoissonSubsampled,
    PostProcessed,
    RandomizedResponse,
    Rappor,
    ReportNoisyMax,
    SampledWithoutReplacement,
    Separated,
    Shuffled,
    SimpleRandomSample,
    SparseVector,
    SquareRootMechanism,
    Staircase,
    ThresholdedNoise,
    ToeplitzMechanism,
    TreeAggregation,
    TruncatedPoissonSample,
    Tulap,
    UnaryEncoding,
)
from whit.policy import limits, recommend
from whit.setting import Neighbours, Sensitivity
from whit.spec import Form, layers, parsed, promise_to_toml, words_of
from whit.telling.words import explain, languages
from whit.telling.words.language import language_of
from whit.telling.words.promises import in_parts
from whit.theory import theorem

# For each mechanism: how it is stated as options, what that is in Python, and what sentences call it.
STATED: list[tuple[str, Mechanism, str]] = [
    ("--gaussian 2 --sensitivity histogram", Gaussian(2.0, sensitivity=Sensitivity.histogram()), "Gaussian noise"),
    ("--discrete-gaussian 2", DiscreteGaussian(2.0), "discrete Gaussian noise"),
    ("--laplace 2", Laplace(2.0), "Laplace noise"),
    ("--geometric 0.5", Geometric(0.5), "geometric noise"),
    ("--staircase 1 --gamma 0.25 --step 2", Staircase(1.0, gamma=0.25, step=2.0), "staircase noise"),
    ("--tulap 1 --delta 1e-6", Tulap(1.0, 1e-6), "Tulap noise"),
    ("--randomized-response 1 --categories 5", RandomizedResponse(1.0, categories=5), "randomized response"),
    ("--unary-encoding 1 --symmetric", UnaryEncoding(1.0, symmetric=True), "unary encoding"),
    ("--rappor 0.5 --p 0.5 --q 0.75 --hashes 2", Rappor(0.5, p=0.5, q=0.75, hashes=2), "rappor"),
    ("--rappor 0.5 --p 0.5 --q 0.75 --reports any", Rappor(0.5, p=0.5, q=0.75, reports=None), "rappor"),
    ("--exponential-mechanism 1 --monotone", ExponentialMechanism(1.0, monotone=True), "exponential mechanism"),
    (
        "--permute-and-flip 1 --neighbours replace",
        PermuteAndFlip(1.0, neighbours=Neighbours.REPLACE),
        "permute and flip",
    ),
    ("--noisy-max 1", ReportNoisyMax(1.0), "noisy max"),
    ("--sparse-vector 1 --positives 3", SparseVector(1.0, positives=3), "sparse vector"),
    ("--partition-selection 1 --delta 1e-5 --keys 2", PartitionSelection(1.0, 1e-5, keys=2), "partition selection"),
    (
        "--gaussian-mixture 1 --amounts|0 1 2 --chances|0.81 0.18 0.01",
        MixtureOfGaussians(1.0, [0.0, 1.0, 2.0], [0.81, 0.18, 0.01]),
        "mixture of Gaussians",
    ),
    (
        "--matrix 2 --strategy|1 0; 0.5 1 --participation|2 epochs",
        MatrixMechanism(2.0, [[1.0, 0.0], [0.5, 1.0]], Epochs(2)),
        "matrix mechanism",
    ),
    (
        "--toeplitz 2 --coefficients|1 0.5 --rounds 100 --participation|25 apart at most 3 times",
        ToeplitzMechanism(2.0, [1.0, 0.5], 100, Separated(by=25, at_most=3)),
        "Toeplitz",
    ),
    ("--square-root 2 --rounds 100 --bands 4", SquareRootMechanism(2.0, 100, bands=4), "square root"),
    (
        "--tree-aggregation 2 --rounds|400 300 --in-each-tree",
        TreeAggregation(2.0, [400, 300], in_each_tree=True),
        "tree aggregation",
    ),
    ("--published-sample 10 --drawn-from 990", SimpleRandomSample(10, 990), "simple random sample"),
    ("--outcomes|0.5 0.5 --against|0.25 0.75", Finite([0.5, 0.5], [0.25, 0.75]), "outcomes"),
    (
        "--covariance|4 1; 1 2 --added|1 0; 0 1 --replaced|1 -1",
        CorrelatedGaussian([[4.0, 1.0], [1.0, 2.0]], add_remove=[[1, 0], [0, 1]], replace=[[1, -1]]),
        "correlated Gaussian noise",
    ),
    ("--laplace 2 --sampling-rate 0.1", PoissonSubsampled(Laplace(2.0), 0.1), "Poisson sample"),
    (
        "--gaussian 2 --sample-size 10 --drawn-from 100",
        SampledWithoutReplacement(Gaussian(2.0), size=10, population=100),
        "without replacement",
    ),
    ("--gaussian 2 --sampling-rate 0.1 --records 3", PoissonSubsampled(Gaussian(2.0), 0.1, 3), "Poisson sample"),
    (
        "--gaussian 2 --cut-sample 20 --cut-rate 0.1 --drawn-from 100",
        TruncatedPoissonSample(Gaussian(2.0), 0.1, largest=20, population=100),
        "cut",
    ),
    ("--laplace 1 --threshold 15 --keys 2", ThresholdedNoise(Laplace(1.0), 15.0, keys=2), "threshold"),
    ("--randomized-response 1 --shuffled 100", Shuffled(RandomizedResponse(1.0), 100), "shuffled"),
    (
        "--epsilon 0.1 --runs 10 --runs-shape poisson",
        BestOfRuns(PureDP(0.1), mean=10.0, shape=math.inf),
        "the best of",
    ),
    ("--laplace 2 --changes full", FullChange(Laplace(2.0)), "in full"),
]
# What is made of others, or is a table that only Python states: refused in one sentence where words are asked for.
UNSTATED: list[tuple[Mechanism, str]] = [
    (Deterministic(), "exact answer|as they are"),
    (Kernel([[0.5, 0.5], [0.25, 0.75]], [(0, 1)], neighbours=Neighbours.REPLACE), "table"),
    (Mixture([Geometric(1.0), Geometric(0.5)], [0.25, 0.75]), "mixture"),
    (PostProcessed(Laplace(2.0), "cut at zero"), "processed further|worked on"),
]
each_stated = pytest.mark.parametrize(("options", "mechanism", "words"), STATED, ids=[each[0] for each in STATED])
AUDIENCES = ("public", "officer", "technical")
# Gaussian noise stands in several of them, and is quick; these take seconds each.
LONG = (BestOfRuns, SampledWithoutReplacement, TruncatedPoissonSample)


@click.command(cls=PromiseCommand)
@filled_in()
def read(form: Form) -> Form:
    return form


def arguments(options: str) -> list[str]:
    """The parts of a line of options; a bar stands before a value with blanks in it."""
    found: list[str] = []
    for part in options.replace(" --", "\n--").split("\n"):
        name, bar, value = part.partition("|")
        found += [name, value] if bar else part.split()
    return found


def concrete() -> set[type[Mechanism]]:
    public = [getattr(mechanisms, name) for name in mechanisms.__all__]
    kinds = [each for each in public if inspect.isclass(each) and issubclass(each, Mechanism)]
    return {each for each in kinds if not inspect.isabstract(each)}


def test_no_mechanism_is_left_out():
    stated = {type(each) for _, each, _ in STATED} | {type(each) for each, _ in UNSTATED}
    assert concrete() - stated == {Composed}  # which is what --releases makes


@each_stated
def test_options_a_file_and_a_text_state_the_mechanism(options, mechanism, words):
    form = read.main(arguments(options), standalone_mode=False)
    assert form.series.one == mechanism
    file = Form.of(parsed(promise_to_toml(mechanism, releases=2), "x.toml"))
    assert file.series.one == mechanism
    assert file.series.together == mechanism.times(2)


@each_stated
def test_its_theorems_are_known_with_source_and_hypotheses(options, mechanism, words):
    keys = mechanism.basis.theorems
    assert keys
    for key in keys:
        assert theorem(key).reference
        assert theorem(key).statement
    assert any(theorem(key).assumptions for key in keys)


@each_stated
def test_it_has_a_row_in_the_grid(options, mechanism, words):
    rows = {type(subject.promised) for subject in subjects()}
    assert type(mechanism) in rows | {FullChange}  # whose rows are those of what is changed


def plain(text: str) -> str:
    return text.lower().replace("-", " ")


def named(mechanism: Mechanism, words: str, audience: str) -> bool:
    text = plain(explain(mechanism, audience).text)
    return any(plain(each) in text for each in words.split("|"))


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        pytest.param(each, words, id=type(each).__name__, marks=[pytest.mark.slow] if type(each) in LONG else [])
        for each, words in [*((each, words) for _, each, words in STATED), *UNSTATED]
    ],
)
def test_each_audience_is_told_in_words_how_it_is_made(mechanism, words, audience):
    assert named(mechanism, words, audience)


@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
@each_stated
def test_its_name_has_words_in_every_language(options, mechanism, words, language):
    """A text for those who check named a class of Python where a part of the name had no words."""
    assert in_parts(promise_name(mechanism.times(3)), language_of(language)) is not None


def test_a_mechanism_that_is_not_named_is_found():
    assert not named(Gaussian(2.0), "tree aggregation", "officer")


# Without one number of which more always tells more, or always less.
REFUSED = (ThresholdedNoise, Rappor, SimpleRandomSample, Finite, CorrelatedGaussian, FullChange)
ALL = [*(each for _, each, _ in STATED), *(each for each, _ in UNSTATED)]


@pytest.mark.parametrize(
    "mechanism",
    [
        pytest.param(each, id=type(each).__name__, marks=[pytest.mark.slow] if type(each) in LONG else [])
        for _, each, _ in STATED
        if not isinstance(each, REFUSED)
    ],
)
def test_its_parameter_has_a_place_in_recommend(mechanism):
    limit = limits.power(0.3, level=0.05)
    found = recommend(limit, mechanism)
    assert found.unlimited or float(limit.headroom(found.release).value) >= 0.0


@pytest.mark.parametrize("mechanism", [*(each for each in ALL if isinstance(each, REFUSED)), *(x for x, _ in UNSTATED)])
def test_where_there_is_no_parameter_one_sentence_says_what_to_ask(mechanism):
    with pytest.raises(NotImplied, match=r"a search for a parameter needs .*; got .*\. .*(Ask|check a few)"):
        recommend(limits.power(0.3, level=0.05), mechanism)


@pytest.mark.parametrize("mechanism", [each for each, _ in UNSTATED], ids=lambda each: type(each).__name__)
def test_what_has_no_words_is_refused_in_a_sentence(mechanism):
    with pytest.raises(WhitError, match="have no words in options and files; got .* State it in Python"):
        words_of(mechanism)


def test_what_is_made_of_another_is_found_by_the_word_that_it_declares():
    assert {each.around.details[0].word: each.__name__ for each in layers(AROUND)} == AROUND
