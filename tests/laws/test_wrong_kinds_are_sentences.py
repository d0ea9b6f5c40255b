"""Whatever is passed where something else belongs, the answer is an error of this house, with its sentence."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest

from whit import assess, exchange, plot, report, spec
from whit.annotate import Cache, Computing, RiskColumns, annotate, annotate_batches, annotate_file
from whit.errors import WhitError
from whit.guarantees import PureDP, RenyiDP, ZeroConcentratedDP, convert
from whit.ledger import Ledger
from whit.mechanisms import Gaussian, PoissonSubsampled, RandomizedResponse, TreeAggregation
from whit.plans import census_2020, costs, expose
from whit.setting import PERSON, Adversary, UnitOfPrivacy
from whit.theory import Finding, assumption, reference, theorem

CALLS: dict[str, tuple[Callable[[Any], object], str]] = {
    "an order that is no number": (lambda wrong: convert(PureDP(1.0), to=RenyiDP, orders=[wrong]), "an order must be"),
    "a plan": (lambda wrong: expose(wrong, census_2020.SCENARIOS["A"]), "plan must be a Plan"),
    "a concern": (lambda wrong: expose(census_2020.plan(), wrong), "concern must be a Concern"),
    "an exposure": (costs, "exposure must be an Exposure"),
    "a theorem": (theorem, "No theorem has the key"),
    "an assumption": (assumption, "No assumption has the key"),
    "a reference": (reference, "No reference has the key"),
}
WRONG: list[Any] = ["a", ["x"], None, b"x", {}]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("name", CALLS)
def test_what_is_of_another_kind_is_refused_with_a_sentence(name, wrong):
    call, sentence = CALLS[name]
    with pytest.raises(WhitError, match=sentence):
        call(wrong)


LONG = 10**5000
COUNTED: dict[str, Callable[[], object]] = {
    "releases": lambda: assess(Gaussian(1.0).times(LONG)),
    "releases on samples": lambda: PoissonSubsampled(Gaussian(1.0), rate=0.1).times(LONG),
    "a group of mechanisms": lambda: Gaussian(1.0).group(LONG),
    "categories": lambda: RandomizedResponse(1.0, categories=LONG),
    "a failure": lambda: assess(PureDP(1.0), failure=LONG),
    "a level": lambda: assess(PureDP(1.0), level=LONG),
    "a population": lambda: assess(PureDP(1.0), population=LONG),
    "a unit": lambda: UnitOfPrivacy(LONG),  # type: ignore[arg-type]
    "sigma": lambda: Gaussian(LONG),
    "a prior": lambda: Adversary(prior=LONG),
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_number_that_python_does_not_print_is_refused_with_a_sentence(name):
    with pytest.raises(WhitError, match="number of (about|more than) [0-9]+ (bits|digits)"):
        COUNTED[name]()


ONE = PureDP(1.0)
TABLE = pyarrow.table({"epsilon": [1.0]})
PATHS: dict[str, tuple[Callable[[Any], object], str]] = {
    "an audit": (spec.read_audit, "path must be the path of a file or folder"),
    "a file of another library": (exchange.learn_from_file, "path must be the path of a file or folder"),
    "a table of releases": (exchange.releases_in_file, "path must be the path of a file or folder"),
    "a table for risk columns": (lambda wrong: annotate_file(wrong, "out.csv"), "path must be the path of a file"),
    "a table with risk columns": (lambda wrong: annotate_file("in.csv", wrong), "path must be the path of a file"),
    "a cache": (Cache, "path must be the path of a file or folder"),
    "a plan": (spec.load_plan, "a file must be named by its path"),
    "a plan by its name": (spec.plan_named, "a file must be named by its path"),
    "a ledger": (Ledger, "the ledger must be named"),
}
NO_PATHS: list[Any] = [3, None, b"x", ["x"], {}, 10**400, numpy.array([1, 2])]


@pytest.mark.parametrize("wrong", NO_PATHS, ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("name", PATHS)
def test_what_is_no_path_is_refused_with_a_sentence(name, wrong, monkeypatch):
    monkeypatch.delenv("WHIT_LEDGER", raising=False)
    call, sentence = PATHS[name]
    with pytest.raises(WhitError, match=sentence):
        call(wrong)


def test_a_name_that_no_file_can_have_is_refused_with_a_sentence():
    with pytest.raises(
        WhitError, match=r"the ledger must be a file that is there \(File name too long\); got aaaa.*\.\.\. Check"
    ) as refused:
        Ledger("a" * 5000)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("wrong", [b"x", Path("x"), None, 3, {}], ids=repr)
def test_a_plan_is_read_from_a_text(wrong):
    with pytest.raises(WhitError, match="the plan must be a text"):
        spec.plan_from_toml(wrong)
    with pytest.raises(WhitError, match="the table must be a text"):
        spec.plan_from_csv(wrong, name="x", unit=PERSON, levels=["County"])


@pytest.mark.parametrize("wrong", [None, math.nan, math.inf, 1.5, object, "3", [1, None], [[1]]], ids=repr)
def test_trees_have_whole_numbers_of_rounds(wrong):
    with pytest.raises(WhitError, match="rounds must be a whole number of at least 1"):
        TreeAggregation(1.0, wrong)


@pytest.mark.parametrize("wrong", [["de"], {"de": 1}, 3, "xx"], ids=repr)
def test_a_language_is_one_that_there_is(wrong, tmp_path):
    with pytest.raises(WhitError, match="language must be one that the sentences are written in"):
        report(assess(ONE), tmp_path / "report.md", language=wrong)
    with pytest.raises(WhitError, match="language must be one that the sentences are written in"):
        plot(ONE, language=wrong)


@pytest.mark.parametrize("wrong", [numpy.array([1, 2]), "replace", [1], 3], ids=lambda wrong: type(wrong).__name__)
def test_neighbours_are_of_their_kind(wrong):
    with pytest.raises(WhitError, match="neighbours must be one of Neighbours"):
        convert(ONE, to=ZeroConcentratedDP, neighbours=wrong)


COLUMNS: dict[str, tuple[Callable[[Any], object], str]] = {
    "columns": (lambda wrong: annotate(TABLE, wrong), "columns must be a RiskColumns"),
    "computing": (lambda wrong: annotate(TABLE, None, wrong), "computing must be a Computing"),
    "same": (lambda wrong: RiskColumns(same=wrong), "same must be a Mapping"),
    "names": (lambda wrong: RiskColumns(columns=wrong), "columns must be a Mapping"),
    "a name": (lambda wrong: RiskColumns(columns={"rho": wrong}), "the column of rho must be a text"),
    "prefix": (lambda wrong: RiskColumns(prefix=wrong), "prefix must be a text"),
    "unit": (lambda wrong: RiskColumns(unit=wrong, book="zcdp"), "unit must be a text"),
    "book": (lambda wrong: RiskColumns(unit="who", book=wrong), "book must be a text"),
    "most": (lambda wrong: Computing(most=wrong), "most must be a whole number of at least 1"),
    "cache": (lambda wrong: Computing(cache=wrong), "path must be the path of a file or folder"),
    "batches": (lambda wrong: list(annotate_batches([wrong])), "a batch must be a RecordBatch"),
}


@pytest.mark.parametrize("wrong", [b"x", 0, ["x"], 1.5], ids=repr)
@pytest.mark.parametrize("name", COLUMNS)
def test_what_is_asked_of_a_table_is_of_its_kind(name, wrong):
    call, sentence = COLUMNS[name]
    with pytest.raises(WhitError, match=sentence):
        call(wrong)


@pytest.mark.parametrize("wrong", [3, ["x"], None, {}], ids=repr)
def test_a_report_needs_the_path_of_a_file(wrong):
    with pytest.raises(WhitError, match="the file of a report must be the path of a file"):
        report("release.toml", wrong)


@pytest.mark.parametrize("wrong", ["x", ["x"], None, 3], ids=repr)
def test_a_finding_needs_parts_of_their_kinds(wrong):
    whole = PureDP(1.0).epsilon(0.0).worst
    for part in ("quantity", "inputs", "basis", "direction"):
        with pytest.raises(WhitError, match=f"{part} of a finding must be a"):
            replace(whole, **{part: wrong})


@pytest.mark.parametrize("text", ["[" * 100_000, '{"value": ' + "9" * 5000 + "}"], ids=["deep", "long"])
def test_a_text_that_is_no_finding_is_refused_with_a_sentence(text):
    with pytest.raises(WhitError, match="a JSON text must hold the finding"):
        Finding.from_json(text)


def test_a_picture_can_be_kept_in_a_set():
    one, same, other = plot(PureDP(1.0)), plot(PureDP(1.0)), plot(PureDP(2.0))
    assert len({one, same, other}) == 2
