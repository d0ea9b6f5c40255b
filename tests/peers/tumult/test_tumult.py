"""Sessions of Tumult, with Spark: what they have spent."""

from __future__ import annotations

import os
import sys
from fractions import Fraction

import pytest
from peer_pages import run_sessions

pytest.importorskip("tmlt.analytics", reason="Tumult is not installed")
os.environ["PYSPARK_PYTHON"] = sys.executable  # the workers need the library too

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    place = str(tmp_path_factory.mktemp("warehouse"))
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    found = builder.config("spark.sql.warehouse.dir", place).getOrCreate()
    yield found
    found.stop()


def test_what_a_session_has_spent_is_its_promise_to_the_last_digit(spark):
    from tmlt.analytics import AddMaxRows, ApproxDPBudget, PureDPBudget, QueryBuilder, RhoZCDPBudget, Session

    from whit.exchange import from_tumult, learn

    data = spark.createDataFrame([(1,), (2,), (3,)], ["visits"])
    for start, one, exact in (
        (PureDPBudget(3), PureDPBudget(0.1), [Fraction(0.1)]),
        (ApproxDPBudget(3, 1e-6), ApproxDPBudget(1, 1e-7), [Fraction(1), Fraction(1e-7)]),
        (RhoZCDPBudget(1), RhoZCDPBudget(0.3), [Fraction(0.3)]),
    ):
        session = Session.from_dataframe(start, "t", data, protected_change=AddMaxRows(3))
        session.evaluate(QueryBuilder("t").count(), privacy_budget=one)
        found = from_tumult(session, start=start, protected_change=AddMaxRows(3)).promise
        stated = [Fraction(value) for name, value in found.parameters.items() if name != "neighbours"]
        assert stated == exact  # each is a double, of which the library makes a fraction
        assert learn(one).promise == found


def test_the_page_runs(spark):
    assert run_sessions("how-to/beside-tumult.md") > 0
