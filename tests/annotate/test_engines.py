"""Random tables: every engine agrees with `assess` of the rounded parameter, to the last bit."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

from whit.annotate import (
    RiskColumns,
    annotate,
    annotate_batches,
    annotate_file,
    annotate_polars,
    rounded_down,
    rounded_up,
)
from whit.assessment import assess
from whit.curves import Promise
from whit.errors import InvalidInput, WhitError
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace
from whit.policy import limits
from whit.setting import Adversary, When

Engine = Callable[[Any, RiskColumns, Path], Any]

LIMIT = "posterior=0.3, prior=0.1"
FAILURE, LEVEL = 0.01, 0.1


def by_arrow(table: Any, columns: RiskColumns, folder: Path) -> Any:
    return annotate(table, columns).data


def by_batches(table: Any, columns: RiskColumns, folder: Path) -> Any:
    return pyarrow.Table.from_batches(list(annotate_batches(table.to_batches(max_chunksize=7), columns)))


def by_polars(table: Any, columns: RiskColumns, folder: Path) -> Any:
    return annotate_polars(polars.from_arrow(table).lazy(), columns).data.collect().to_arrow()


def by_parquet(table: Any, columns: RiskColumns, folder: Path) -> Any:
    pyarrow.parquet.write_table(table, folder / "in.parquet")
    annotate_file(folder / "in.parquet", folder / "out.parquet", columns)
    return pyarrow.parquet.read_table(folder / "out.parquet")


def by_csv(table: Any, columns: RiskColumns, folder: Path) -> Any:
    pyarrow.csv.write_csv(table, folder / "in.csv")
    annotate_file(folder / "in.csv", folder / "out.parquet", columns)
    return pyarrow.parquet.read_table(folder / "out.parquet")


ENGINES = {"arrow": by_arrow, "batches": by_batches, "polars": by_polars, "parquet": by_parquet, "csv": by_csv}
SUMMING = {name: engine for name, engine in ENGINES.items() if name != "batches"}


def expected(promise: Promise, prior: float) -> dict[str, Any]:
    """The answers of one row, by `assess` and a limit, without the package under test."""
    options: dict[str, Any] = {"failure": FAILURE, "level": LEVEL}
    end, ever = (assess(promise, Adversary(prior=prior, when=each), **options) for each in (When.END, When.EVER))
    answers = {
        "posterior": end.posterior,
        "posterior_ever": ever.posterior,
        "ratio": end.ratio,
        "difference": end.difference,
        "power": end.power,
    }
    found: dict[str, Any] = {name: None if each.worst is None else float(each.worst) for name, each in answers.items()}
    return {**found, "within": limits.posterior(0.3, prior=0.1).keeps(promise, failure=FAILURE)}


def differing(found: Any, promises: list[Promise], priors: list[float]) -> list[Any]:
    rows = found.to_pylist()
    assert len(rows) == len(promises)
    wanted = [expected(promise, prior) for promise, prior in zip(promises, priors, strict=True)]
    pairs = zip(rows, wanted, strict=True)
    return [(row, want) for row, want in pairs if {name: row[name] for name in want} != want]


def mixed_table(seed: int, rows: int = 40) -> tuple[Any, list[Promise], list[float]]:
    """A table of four kinds of promise, empty cells where a row is of another kind, and a prior in each row."""
    draw = np.random.default_rng(seed)
    columns: dict[str, list[float | None]] = {name: [None] * rows for name in ("epsilon", "delta", "rho", "mu")}
    promises: list[Promise] = []
    for at in range(rows):
        number = float(draw.choice([0.0, 0.1, 0.7, 1.0, draw.exponential()]))
        kind = draw.integers(4)
        if kind <= 1:
            columns["epsilon"][at] = number
            columns["delta"][at] = 1e-6 if kind else None
            promises.append(ApproxDP(number, 1e-6) if kind else PureDP(number))
        else:
            columns["rho" if kind == 2 else "mu"][at] = number
            promises.append(ZeroConcentratedDP(number) if kind == 2 else GaussianDP(number))
    priors = [float(each) for each in draw.choice([0.001, 0.1, 0.5], rows)]
    table = {"id": list(range(rows)), **columns, "prior": priors}
    types = [("id", "int64"), *((name, "float64") for name in (*columns, "prior"))]
    return pyarrow.table(table, schema=pyarrow.schema(types)), promises, priors


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_row_has_the_numbers_of_its_promise(engine, seed, tmp_path):
    table, promises, priors = mixed_table(seed)
    columns = RiskColumns(same={"failure": FAILURE, "level": LEVEL, "limit": LIMIT})
    found = ENGINES[engine](table, columns, tmp_path)
    assert found["id"].to_pylist() == list(range(table.num_rows))
    assert differing(found, promises, priors) == []


def test_another_number_would_be_found():
    table, promises, priors = mixed_table(1)
    found = annotate(table, RiskColumns(same={"failure": FAILURE, "level": LEVEL, "limit": LIMIT})).data
    assert differing(found, [PureDP(3.0), *promises[1:]], priors)


@pytest.mark.parametrize("engine", ENGINES)
def test_rounded_parameters_have_the_numbers_of_the_grid_on_the_safe_side(engine, tmp_path):
    draw = np.random.default_rng(3)
    rho = [float(each) for each in np.exp(draw.normal(-3.0, 1.0, 30))]
    table = pyarrow.table({"id": list(range(30)), "rho": rho})
    columns = RiskColumns(same={"prior": 0.1, "failure": FAILURE, "level": LEVEL, "limit": LIMIT}, digits=2)
    found = ENGINES[engine](table, columns, tmp_path)
    used = found["rho_used"].to_pylist()
    assert used == rounded_up(rho, 2).tolist()
    assert all(above >= number for above, number in zip(used, rho, strict=True))
    assert differing(found, [ZeroConcentratedDP(each) for each in used], [0.1] * 30) == []


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", [3, 2**53 + 1, 9_100_000_000_000_001, 2**63 - 1])
@pytest.mark.parametrize("word", ["gaussian", "laplace", "epsilon", "rho"])
def test_whole_numbers_that_no_double_is_are_rounded_to_the_safe_side(engine, number, word, tmp_path):
    columns = RiskColumns(same={"prior": 0.1, "failure": FAILURE}, digits=2)
    for at, cells in enumerate(({word: [number]}, {"kind": [word], "parameter": [number]})):
        [row] = ENGINES[engine](pyarrow.table(cells), columns, folder(tmp_path, at)).to_pylist()
        used = row["parameter_used" if at else f"{word}_used"]
        unit = 10 ** max(0, len(str(number)) - 2)
        assert isinstance(used, float)
        assert used == (number // unit if word in ("gaussian", "laplace") else -(-number // unit)) * unit


@pytest.mark.parametrize("engine", ENGINES)
def test_a_kind_with_its_parameter_and_count_is_the_promise_that_they_name(engine, tmp_path):
    kinds, numbers = ["gaussian", "epsilon", "laplace", "Gaussian"], [2.345, 0.1234, 3.456, 5.0]
    table = pyarrow.table({"kind": kinds, "parameter": numbers, "count": [3, 1, 2, 1], "id": [0, 1, 2, 3]})
    columns = RiskColumns(same={"prior": 0.1, "failure": FAILURE, "level": LEVEL, "limit": LIMIT}, digits=2)
    found = ENGINES[engine](table, columns, tmp_path)
    down, up = rounded_down(numbers, 2), rounded_up(numbers, 2)
    assert found["parameter_used"].to_pylist() == [down[0], up[1], down[2], down[3]]
    promises = [Gaussian(2.3).times(3), PureDP(0.13), Laplace(3.4).times(2), Gaussian(5.0)]
    assert differing(found, promises, [0.1] * 4) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_zeros_of_both_signs_are_one_setting_and_lose_no_row(engine, tmp_path):
    table = pyarrow.table({"id": [0, 1, 2], "epsilon": [0.0, -0.0, 0.0]})
    found = ENGINES[engine](table, RiskColumns(same={"prior": 0.25}), tmp_path)
    assert sorted(found["id"].to_pylist()) == [0, 1, 2]
    assert found["posterior"].to_pylist() == [0.25] * 3


@pytest.mark.parametrize("engine", SUMMING)
@pytest.mark.parametrize("digits", [0, 2])
def test_charges_add_up_exactly_whatever_their_order(engine, digits, tmp_path):
    draw = np.random.default_rng(5)
    who = [f"unit {each}" for each in draw.integers(0, 6, 200)]
    rho = [float(each) for each in draw.choice([1e-13, 0.001, 0.01, 0.03], 200)]
    table = pyarrow.table({"who": who, "rho": rho}).take(draw.permutation(200))
    columns = RiskColumns(same={"prior": 0.1, "failure": FAILURE}, unit="who", book="zcdp", digits=digits)
    found = {row["who"]: row for row in SUMMING[engine](table, columns, tmp_path).to_pylist()}
    assert set(found) == set(who)
    for unit, row in found.items():
        own = [Fraction(each) for name, each in zip(who, rho, strict=True) if name == unit]
        assert row["charges"] == len(own)
        assert row["total"] == sum(math.ceil(each * 10**12) for each in own)
        used = row["total_used"] if digits else row["total"]
        assert row["total"] <= used <= row["total"] * Fraction(11, 10)
        promise = ZeroConcentratedDP(_above(Fraction(used, 10**12)))
        wanted = assess(promise, Adversary(prior=0.1), failure=FAILURE, questions=["posterior"])
        assert row["posterior"] == float(wanted.posterior)


def _above(number: Fraction) -> float:
    near = float(number)
    return near if Fraction(near) >= number else math.nextafter(near, math.inf)


@pytest.mark.parametrize("engine", SUMMING)
def test_epsilon_and_delta_add_up_each_by_itself(engine, tmp_path):
    table = pyarrow.table({"who": ["a", "b", "a"], "epsilon": [0.5, 1.0, 0.25], "delta": [1e-7, 1e-7, 1e-9]})
    columns = RiskColumns(same={"prior": 0.1, "failure": FAILURE}, unit="who", book="sums@1e-6")
    found = {row["who"]: row for row in SUMMING[engine](table, columns, tmp_path).to_pylist()}
    wanted = assess(ApproxDP(0.75, 1e-6), Adversary(prior=0.1), failure=FAILURE, questions=["posterior"])
    assert found["a"]["total"] == 75 * 10**10
    assert found["a"]["total_delta"] == sum(math.ceil(Fraction(each) * 10**18) for each in (1e-7, 1e-9))
    assert found["a"]["posterior"] == float(wanted.posterior)


HALVES = {"who": ["ann", "ann", "bob"], "epsilon": [0.5] * 3, "neighbours": ["replace", "add-remove", None]}


@pytest.mark.parametrize("engine", SUMMING)
@pytest.mark.parametrize("digits", [0, 2])
def test_totals_hold_for_one_relation_under_which_every_charge_is_taken(engine, digits, tmp_path):
    same = {"prior": 0.1, "neighbours": "replace"}
    columns = RiskColumns(same=same, unit="who", book="pure", digits=digits)
    found = {row["who"]: row for row in SUMMING[engine](pyarrow.table(HALVES), columns, tmp_path).to_pylist()}
    # A replaced record is one removed and one added: under it an epsilon for either counts twice.
    assert {who: row["total"] for who, row in found.items()} == {"ann": 15 * 10**11, "bob": 5 * 10**11}
    assert {row["neighbours"] for row in found.values()} == {"replace"}
    wanted = math.exp(1.5) * 0.1 / (math.exp(1.5) * 0.1 + 0.9)
    assert wanted <= found["ann"]["posterior"] <= wanted * (1 + 1e-12)


@pytest.mark.parametrize("engine", SUMMING)
@pytest.mark.parametrize(
    ("cells", "row", "got"),
    [
        ({"epsilon": [0.5, 0.5], "neighbours": ["add-remove", "replace"]}, 2, "replace"),
        ({"epsilon": [0.5, 0.5], "neighbours": ["local", "local"]}, 1, "local"),
        ({"gaussian": [2.0, 2.0], "neighbours": [None, "replace"]}, 2, "replace"),
        ({"kind": ["rho", "randomized_response"], "parameter": [0.1, 0.5]}, 2, "local"),
    ],
    ids=["one row", "all rows", "noise", "noise known for no other"],
)
def test_a_charge_that_says_nothing_about_an_added_record_is_named(engine, cells, row, got, tmp_path):
    table = pyarrow.table({"who": ["ann", "ann"], **cells})
    file = {"parquet": r"in\.parquet, ", "csv": r"in\.csv, "}.get(engine, "")
    words = rf"^{file}row {row}: .*neighbours must be such that .* add-remove, .* got {got}\. .*'neighbours': 'replace'"
    with pytest.raises(WhitError, match=words):
        SUMMING[engine](table, RiskColumns(same={"prior": 0.1}, unit="who", book="zcdp"), tmp_path)


@pytest.mark.parametrize("engine", SUMMING)
def test_totals_say_that_they_are_about_an_added_or_removed_record(engine, tmp_path):
    table = pyarrow.table({"who": ["ann", "ann"], "epsilon": [0.5, 0.5]})
    [row] = SUMMING[engine](table, RiskColumns(same={"prior": 0.1}, unit="who", book="pure"), tmp_path).to_pylist()
    assert (row["neighbours"], row["total"]) == ("add-remove", 10**12)


OTHER_NAN = np.array([0x7FF8000000000001, 0xFFF8000000000000], dtype=np.uint64).view(np.float64)


@pytest.mark.parametrize(
    ("engine", "kind"),
    # A text has no types.
    [
        pair
        for pair in product(SUMMING, ["float64", "float32", "float16", "coded"])
        if pair[0] != "csv" or pair[1] == "float64"
    ],
)
def test_units_that_are_numbers_are_the_same_people_in_every_engine(engine, kind, tmp_path):
    numbers = pyarrow.array([0.0, -0.0, math.nan, math.nan, *OTHER_NAN, None, None, 1.0])
    who = numbers.dictionary_encode() if kind == "coded" else numbers.cast(kind)
    rho = [0.01, 0.02, 0.1, 0.2, 0.3, 0.4, 0.001, 0.002, 1.0]
    table = pyarrow.table({"who": who, "rho": rho})
    found = SUMMING[engine](table, RiskColumns(same={"prior": 0.1}, unit="who", book="zcdp"), tmp_path).to_pylist()
    rows = {str(None if row["who"] is None else row["who"] + 0.0): (row["charges"], row["total"]) for row in found}
    assert len(found) == len(rows)
    own = {"0.0": rho[:2], "nan": rho[2:6], "None": rho[6:8], "1.0": rho[8:]}
    totals = {who: sum(math.ceil(Fraction(each) * 10**12) for each in charges) for who, charges in own.items()}
    assert rows == {who: (len(own[who]), total) for who, total in totals.items()}


@pytest.mark.parametrize("engine", SUMMING)
def test_a_total_beyond_what_64_bits_hold_is_refused_and_does_not_wrap(engine, tmp_path):
    table = pyarrow.table({"who": ["a"] * 4, "epsilon": [5e6] * 4})
    with pytest.raises(Exception, match="a total must be below 9223372036854775807 grains"):
        SUMMING[engine](table, RiskColumns(unit="who", book="pure"), tmp_path)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_empty_table_stays_empty_and_gets_its_columns(engine, tmp_path):
    if engine == "batches":
        assert list(annotate_batches([])) == []
        return
    table = pyarrow.table({"id": pyarrow.array([], "int64"), "epsilon": pyarrow.array([], "float64")})
    found = ENGINES[engine](table, RiskColumns(columns={"epsilon": "epsilon"}), tmp_path)
    assert found.num_rows == 0
    assert {"posterior", "power", "basis"} <= set(found.column_names)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_a_bad_row_is_named_with_its_column(engine, bad, tmp_path):
    table = pyarrow.table({"id": range(20), "epsilon": [1.0] * 16 + [bad] + [0.5] * 3})
    file = {"parquet": "in.parquet, ", "csv": "in.csv, "}.get(engine, "")
    with pytest.raises(Exception, match=rf"^{file}row 17: column epsilon must be"):
        ENGINES[engine](table, RiskColumns(), tmp_path)
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_row_without_a_promise_is_named(engine, tmp_path):
    table = pyarrow.table({"id": [0, 1, 2], "epsilon": [1.0, None, 1.0]})
    with pytest.raises(Exception, match="row 2: the promise must be stated"):
        ENGINES[engine](table, RiskColumns(), tmp_path)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_kind_that_is_not_known_is_named(engine, tmp_path):
    table = pyarrow.table({"kind": ["gaussian", "gausian"], "parameter": [1.0, 1.0]})
    with pytest.raises(Exception, match=r"row 2: column kind cannot be gausian\. .*gaussian"):
        ENGINES[engine](table, RiskColumns(same={"failure": 0.01}), tmp_path)


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "csv"])
@pytest.mark.parametrize("cells", [[[0.5], [1.0]], [{"a": 0.5}, {"a": 1.0}]], ids=["lists", "records"])
def test_a_column_with_several_values_in_a_row_is_refused_in_a_sentence(tmp_path, engine, cells):
    table = pyarrow.table({"rho": [0.1, 0.2], "who": cells})
    sentence = "column who must hold one number or word in each row; got lists or records. Give each value a row or a"
    with pytest.raises(InvalidInput, match=sentence):
        ENGINES[engine](table, RiskColumns(columns={"rho": "who"}), tmp_path)
    if engine in SUMMING:
        with pytest.raises(InvalidInput, match=sentence):
            ENGINES[engine](table, RiskColumns(unit="who", book="zcdp"), tmp_path)
    assert ENGINES[engine](table, RiskColumns(), tmp_path)["who"].to_pylist() == cells


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "csv"])
@pytest.mark.parametrize("digits", [0, 1])
def test_columns_that_are_coded_by_a_dictionary_are_read_as_their_values(tmp_path, engine, digits):
    plain = pyarrow.table({"kind": ["rho", "epsilon", "rho"], "parameter": [0.11, 0.52, 0.11]})
    coded = pyarrow.table({name: plain[name].dictionary_encode() for name in plain.column_names})
    columns = RiskColumns(same={"prior": 0.1, "failure": 0.01}, digits=digits)
    found, other = (
        ENGINES[engine](table, columns, folder(tmp_path, each)) for each, table in enumerate((plain, coded))
    )
    names = [name for name in found.column_names if name not in plain.column_names]
    assert other.select(names).to_pylist() == found.select(names).to_pylist()


def folder(inside: Path, name: object) -> Path:
    found = inside / str(name)
    found.mkdir()
    return found
