"""Spark gives the same risk columns as `assess`, to the last bit; it needs Java."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow
import pytest

from whit.annotate import RiskColumns, annotate, annotate_spark, rounded_up
from whit.assessment import assess
from whit.errors import InvalidInput
from whit.guarantees import ZeroConcentratedDP
from whit.setting import Adversary

SAME = {"prior": 0.1, "failure": 0.01, "limit": "posterior=0.3, prior=0.1"}


def rows_of(found: Any, key: str) -> list[dict[str, Any]]:
    return sorted((row.asDict() for row in found.data.collect()), key=lambda row: row[key])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("digits", [0, 2])
def test_every_row_has_the_numbers_of_its_promise(spark, digits):
    rho = [float(each) for each in np.random.default_rng(3).choice([0.0, 0.012345, 0.1, 0.3], 40)]
    frame = spark.createDataFrame(list(enumerate(rho)), "id long, rho double")
    found = rows_of(annotate_spark(frame, RiskColumns(same=SAME, digits=digits)), "id")
    assert [row["rho"] for row in found] == rho
    used = rounded_up(rho, digits).tolist() if digits else rho
    for row, number in zip(found, used, strict=True):
        answers = assess(ZeroConcentratedDP(number), Adversary(prior=0.1), failure=0.01)
        assert row["posterior"] == float(answers.posterior)
        assert row["power"] == float(answers.power)


@pytest.mark.filterwarnings("ignore")
def test_empty_cells_and_zeros_of_both_signs_lose_no_row(spark):
    cells = {"id": [0, 1, 2, 3], "epsilon": [0.0, -0.0, None, 1.0], "rho": [None, None, 0.1, None]}
    table = pyarrow.table(cells)
    frame = spark.createDataFrame(
        [tuple(row.values()) for row in table.to_pylist()], "id long, epsilon double, rho double"
    )
    columns = RiskColumns(same=SAME)
    assert rows_of(annotate_spark(frame, columns), "id") == annotate(table, columns).data.to_pylist()


@pytest.mark.filterwarnings("ignore")
def test_charges_add_up_exactly(spark):
    cells = {"who": ["a", "b", "a", "c"], "rho": [0.1, 0.2, 1e-13, 0.3]}
    table = pyarrow.table(cells)
    frame = spark.createDataFrame([tuple(row.values()) for row in table.to_pylist()], "who string, rho double")
    columns = RiskColumns(same={"prior": 0.1, "failure": 0.01}, unit="who", book="zcdp")
    found = rows_of(annotate_spark(frame, columns), "who")
    assert [row["total"] for row in found] == [100_000_000_002, 200_000_000_001, 300_000_000_000]
    assert found == sorted(annotate(table, columns).data.to_pylist(), key=lambda row: row["who"])


@pytest.mark.filterwarnings("ignore")
def test_a_bad_row_is_named(spark):
    frame = spark.createDataFrame([("a", 1.0), ("b", -2.0)], "who string, epsilon double")
    with pytest.raises(InvalidInput, match="^row 2: column epsilon must be"):
        annotate_spark(frame)


@pytest.mark.filterwarnings("ignore")
def test_several_tasks_share_the_settings(spark):
    frame = spark.createDataFrame([(0.001 * each,) for each in range(1, 301)], "epsilon double")
    spark.sparkContext.setJobGroup("settings", "how many tasks compute them")
    assert annotate_spark(frame).settings == 300
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(each) for each in tracker.getJobIdsForGroup("settings")]
    stages = [tracker.getStageInfo(stage) for job in jobs for stage in job.stageIds]
    # The session has two cores and two partitions of a shuffle: only the settings are in more.
    assert max(each.numTasks for each in stages if each is not None) == 4
