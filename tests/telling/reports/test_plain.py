"""The shorter report of a plan has every number that its words state."""

from __future__ import annotations

import datetime
import json

from whit.plans import Budget, Kind, Plan, Query, Rho, Share, WholeRecord, expose
from whit.setting import PERSON
from whit.telling.reports import report
from whit.telling.words import explain
from whit.theory import Finding

PLAN = Plan.of(
    [
        Query("total", Kind((), "Country", Share("people", "1/3"))),
        Query("age by sex", Kind(("age", "sex"), "County", Share("people", "2/3"))),
    ],
    name="a small census",
    levels=["Country", "County"],
    unit=PERSON,
    budgets=[Budget("people", Rho("0.5"))],
)


def findings(source, path) -> list[Finding]:
    out = report(source, path / "r.json", date=datetime.date(2026, 1, 31))
    return [Finding.from_json(json.dumps(each)) for each in json.loads(out.read_text("utf-8"))["findings"]]


def test_every_number_in_the_words_about_an_exposure_is_a_finding_of_the_report(tmp_path):
    exposed = expose(PLAN, WholeRecord())
    found = findings(exposed, tmp_path)
    assert len(found) > 3
    for audience in ("public", "officer", "technical"):
        assert all(number.finding in found for number in explain(exposed, audience).numbers)


def test_a_plan_makes_a_report_too(tmp_path):
    assert findings(PLAN, tmp_path)
