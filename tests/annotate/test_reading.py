"""What an engine would read otherwise than it is written is refused: two columns of one name, numbers that become 0."""

from __future__ import annotations

from types import SimpleNamespace

import polars
import pyarrow
import pyarrow.parquet
import pytest

from whit.annotate import RiskColumns, annotate, annotate_batches, annotate_file, annotate_polars, annotate_spark
from whit.annotate.columns import Holds, answers_for
from whit.errors import InvalidInput

TWICE = r"must have each column once; got {}\. Rename one of them, or leave it out"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("person,epsilon,epsilon", "epsilon twice"),
        ("person,epsilon,EPSILON", "epsilon and EPSILON"),
        ("person,epsilon, Epsilon ", "epsilon and Epsilon"),
        ('"person","epsilon","epsilon"', "epsilon twice"),
        ("person,PERSON,epsilon", "person and PERSON"),
        ("# a note\nperson;epsilon;epsilon", "epsilon twice"),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_file_with_two_columns_of_one_name_is_refused(tmp_path, head, said, ending):
    sign = "\t" if ending == "tsv" else ";" if ";" in head else ","
    text = f"{head}\na,0.001,1\n".replace(";", ",").replace(",", sign)
    (tmp_path / f"in.{ending}").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=rf"^in\.{ending} {TWICE.format(said)}"):
        annotate_file(tmp_path / f"in.{ending}", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_parquet_file_with_two_columns_of_one_name_is_refused_whatever_is_inside_of_others(tmp_path):
    cells = [[{"epsilon": [1], "b": {"epsilon": 2}}], [0.001], [1.0]]
    for names, said in ((["x", "epsilon", "Epsilon"], "epsilon and Epsilon"), (["x", "rho", "rho"], "rho twice")):
        pyarrow.parquet.write_table(
            pyarrow.table(list(map(pyarrow.array, cells)), names=names), tmp_path / "in.parquet"
        )
        with pytest.raises(InvalidInput, match=rf"^in\.parquet {TWICE.format(said)}"):
            annotate_file(tmp_path / "in.parquet", tmp_path / "out.csv")
    once = pyarrow.table(list(map(pyarrow.array, cells)), names=["x", "epsilon", "epsilon_1"])
    pyarrow.parquet.write_table(once, tmp_path / "in.parquet")
    assert annotate_file(tmp_path / "in.parquet", tmp_path / "out.parquet").read == {"epsilon": "epsilon"}


def test_each_file_of_a_pattern_has_its_columns_once(tmp_path):
    (tmp_path / "day-1.csv").write_text("person,epsilon\na,1.5\n", encoding="utf-8")
    (tmp_path / "day-2.csv").write_text("person,epsilon,epsilon\na,0.001,1.5\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=rf"^day-2\.csv {TWICE.format('epsilon twice')}"):
        annotate_file(tmp_path / "day-*.csv", tmp_path / "out.csv")


@pytest.mark.parametrize("head", ["a,epsilon,epsilon_1", "epsilon_1,epsilon,a", ",epsilon,"])
def test_a_number_behind_a_name_and_columns_without_one_are_no_double(tmp_path, head):
    (tmp_path / "in.csv").write_text(f"{head}\n3,0.5,7\n", encoding="utf-8")
    assert annotate_file(tmp_path / "in.csv", tmp_path / "out.csv").read == {"epsilon": "epsilon"}


def test_arrow_polars_and_spark_refuse_two_columns_of_one_name():
    for names in (["epsilon", "epsilon"], ["epsilon", " EPSILON"]):
        table = pyarrow.table([pyarrow.array([0.001]), pyarrow.array([1.0])], names=names)
        with pytest.raises(InvalidInput, match="the table must have each column once"):
            annotate(table)
        with pytest.raises(InvalidInput, match="the table must have each column once"):
            list(annotate_batches(table.to_batches()))
    with pytest.raises(InvalidInput, match=TWICE.format("epsilon and EPSILON")):
        annotate_polars(polars.DataFrame({"epsilon": [0.001], "EPSILON": [1.0]}))
    names = ["epsilon", "EPSILON"]
    frame = SimpleNamespace(columns=names, dtypes=[(name, "double") for name in names], mapInArrow=None)
    with pytest.raises(InvalidInput, match=TWICE.format("epsilon and EPSILON")):
        annotate_spark(frame)


def test_two_columns_for_one_word_are_refused_unless_one_is_named():
    columns = {"rho": Holds.NUMBERS, "sampling-rate": Holds.NUMBERS, "sampling_rate": Holds.NUMBERS}
    with pytest.raises(InvalidInput, match=TWICE.format("sampling-rate and sampling_rate")):
        answers_for(RiskColumns(), columns)
    named = RiskColumns(columns={"rho": "rho", "sampling_rate": "sampling-rate"})
    assert answers_for(named, columns).read["sampling_rate"] == "sampling-rate"


@pytest.mark.parametrize("digits", [0, 2])
@pytest.mark.parametrize("number", ["1e-400", "-1e-400", "1e-999999999", "1e400", f"0.{'0' * 400}1"])
@pytest.mark.parametrize("word", ["epsilon", "delta", "rho"])
def test_a_number_that_would_become_0_or_infinite_is_refused_with_its_row(tmp_path, word, number, digits):
    other = "epsilon" if word == "delta" else "id"
    lines = [f"{other},{word}", "1,0", "1,0.0", "1,0.5", f'1,"{number}"', "1,0"]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    held = rf"^in\.csv, row 4: column {word} must have numbers that a double holds; got {number[:20]}"
    with pytest.raises(InvalidInput, match=held):
        annotate_file(tmp_path / "in.csv", tmp_path / "out.csv", RiskColumns(same={"failure": 0.01}, digits=digits))
    assert not (tmp_path / "out.csv").exists()


def test_a_charge_that_would_become_0_is_refused_with_its_file(tmp_path):
    (tmp_path / "day-1.csv").write_text("who,rho\na,0.5\nb,0\n", encoding="utf-8")
    (tmp_path / "day-2.csv").write_text("who,rho\na,0.5\nb,1e-400\n", encoding="utf-8")
    charges = RiskColumns(unit="who", book="zcdp")
    with pytest.raises(InvalidInput, match=r"^day-2\.csv, row 2: column rho must have numbers that a double holds"):
        annotate_file(tmp_path / "day-*.csv", tmp_path / "out.csv", charges)


def test_zeros_however_they_are_written_are_one_setting_and_stay_numbers(tmp_path):
    (tmp_path / "in.csv").write_text(
        "id,epsilon\n1,0\n2,0.0\n3,-0.0\n4,0e5\n5,.0\n6,0.00\n7,0.5\n8,0.50\n", encoding="utf-8"
    )
    found = annotate_file(tmp_path / "in.csv", tmp_path / "out.parquet", RiskColumns(same={"prior": 0.25}))
    assert found.settings == 2
    rows = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert rows["epsilon"].to_pylist() == [0.0] * 6 + [0.5] * 2
    assert rows["posterior"].to_pylist()[:6] == [0.25] * 6


@pytest.mark.parametrize(
    ("cells", "types"),
    [
        (["1", "2", ""], "int64"),
        (["0.5", "", "0.1"], "double"),
        (["0.5", "50 %", "5e-1"], "string"),
    ],
)
def test_whole_numbers_empty_cells_and_percentages_are_read_as_before(tmp_path, cells, types):
    word = "prior" if types == "string" else "epsilon"
    lines = [f"x,{'rho' if word == 'prior' else 'mu'},{word}"]
    lines += [f"a,{'0.1' if word == 'prior' or not cell else ''},{cell}" for cell in cells]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    annotate_file(tmp_path / "in.csv", tmp_path / "out.parquet", RiskColumns(same={"failure": 0.01}))
    found = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert str(found.schema.field(word).type) == types
    assert all(each is not None for each in found["posterior"].to_pylist())
    if types == "string":
        assert len(set(found["posterior"].to_pylist())) == 1
