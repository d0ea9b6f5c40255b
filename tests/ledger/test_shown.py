"""What a notebook shows of the values of a ledger."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, Refused, course_of, risk_text, status_of, used_text
from whit.ledger.shown import charged_text

NAME = "<b>&2026"


class Cells(HTMLParser):
    """The texts of a page by their tags, if every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1], []).append(data.replace("\xa0", " "))  # before a unit


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    found = Ledger.create(tmp_path / "office.ledger", actor="ada")
    found.declare("people")
    found.open(NAME, "people", limits=["posterior=0.3, prior=0.1"], failure="0.01", opens="<soon>")
    return found


def cells(value: Any) -> dict[str, list[str]]:
    return Cells(value._repr_html_()).texts


def test_a_receipt_shows_the_whole_head(ledger: Ledger) -> None:
    receipt = ledger.reserve(NAME, ZeroConcentratedDP(0.01), what="table 1")
    shown = cells(receipt)
    assert shown["caption"] == ["Entry 3 is reserved"]
    assert ledger.head[1] in shown["td"]
    assert f"head {ledger.head[1]} at" in str(receipt)


def test_a_status_shows_each_limit_and_names_are_no_markup(ledger: Ledger) -> None:
    ledger.reserve(NAME, ZeroConcentratedDP(0.01), what="table 1")
    status = status_of(ledger.store, NAME)
    shown = cells(status)
    assert shown["caption"] == [f"{NAME} (people): 1 release, failure 0.01"]
    [limit] = status.limits
    assert limit.risk is not None
    assert shown["td"] == ["posterior=0.3, prior=0.1, when=ever", risk_text(limit.risk), used_text(limit.used)]
    assert shown["p"][0] == "Used is the share of the rho that the limit allows."
    assert ledger.head[1] in shown["p"][1]


def test_a_broken_limit_says_so(ledger: Ledger) -> None:
    ledger.record(NAME, ZeroConcentratedDP(5.0), what="too much")
    assert cells(status_of(ledger.store, NAME))["td"][-1].endswith("NOT KEPT")


def test_a_course_shows_its_steps(ledger: Ledger) -> None:
    ledger.reserve(NAME, ZeroConcentratedDP(0.01), what="table 1")
    course = course_of(ledger.store, NAME)
    shown = cells(course)["td"]
    assert shown[:2] == ["0", "–"]
    assert shown[3:5] == ["1", "3"]
    assert shown[5] == risk_text(course.steps[-1].risk)


def test_a_refusal_shows_why_and_the_way_out(ledger: Ledger) -> None:
    with pytest.raises(Refused, match="must stay within the limit") as refused:
        ledger.reserve(NAME, ZeroConcentratedDP(1.0), what="too much")
    shown = cells(refused.value.refusal)
    assert shown["th"][:3] == ["why", "risk before", "risk after"]
    assert shown["td"][0] == f"The release {refused.value.refusal.rule}."
    assert "The next period opens <soon>." in shown["p"][0]


def test_a_refusal_by_a_quota_speaks_of_no_risk(ledger: Ledger) -> None:
    ledger.limit_recipient(NAME, "uni", {"zcdp": "0.001"})
    refusal = ledger.check(NAME, ZeroConcentratedDP(0.01), recipient="uni")
    assert refusal is not None
    assert refusal.risk_before is None
    assert refusal.risk_after is None
    assert "risk" not in " ".join(cells(refusal)["th"])
    with pytest.raises(Refused, match=r"must fit the quota of uni in account <b>&2026; got more than it"):
        ledger.reserve(NAME, ZeroConcentratedDP(0.01), what="too much", recipient="uni")


def test_a_share_is_never_shown_too_small() -> None:
    above = Fraction(1, 10) + Fraction(1, 10**30)  # a double would be 1/10
    assert used_text(above) == "10.1 %"
    assert used_text(None) == "no book is left"


def test_a_charge_is_shown_by_book_and_none_closes_it() -> None:
    assert charged_text({"zcdp": (Fraction(1, 4),), "pure": None}) == "zcdp 0.25, pure closed"
