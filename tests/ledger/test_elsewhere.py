"""The advice to choose the book gdp: it comes only where an account with that book alone would have had room."""

from __future__ import annotations

from pathlib import Path

import pytest

from whit.guarantees import GaussianDP, ZeroConcentratedDP
from whit.ledger import Ledger, Refusal, risk_text
from whit.mechanisms import Gaussian, Laplace

LIMIT = "posterior=0.3, prior=0.1"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    found = Ledger.create(tmp_path / "office.ledger", actor="ada")
    found.declare("people", parts=("north", "south"))
    found.open("usual", "people", limits=[LIMIT], failure="0.01")
    found.open("mu", "people", limits=[LIMIT], failure="0.01", books=["gdp"])
    return found


def refused(ledger: Ledger, *, sigma: float = 4.8, **more: object) -> Refusal:
    found = ledger.check("usual", Gaussian(sigma), **more)
    assert found is not None
    return found


def years(ledger: Ledger, *accounts: str, count: int) -> None:
    for account in accounts:
        for year in range(count):
            ledger.reserve(account, Gaussian(4.8), what=f"year {year}")


def test_the_risk_is_that_of_an_account_with_the_book(ledger: Ledger) -> None:
    years(ledger, "usual", "mu", count=3)
    receipt = ledger.reserve("mu", Gaussian(4.8), what="one more")
    risk = ledger.check("mu", Gaussian(1.0))
    assert risk is not None
    assert f"the book gdp alone would have room for it, with a risk of {risk_text(risk.risk_before)}:" in (
        refused(ledger).elsewhere
    )
    assert receipt.number


def test_nothing_is_advised_that_has_no_room_either(ledger: Ledger) -> None:
    years(ledger, "usual", "mu", count=3)
    for sigma in (3.0, 3.3, 3.5, 4.0, 4.5, 4.8):
        has_room = ledger.check("mu", Gaussian(sigma)) is None
        assert bool(refused(ledger, sigma=sigma).elsewhere) is has_room


@pytest.mark.parametrize("other", [Laplace(50.0), ZeroConcentratedDP(0.0001)], ids=repr)
def test_nothing_is_advised_where_other_noise_counts(ledger: Ledger, other: object) -> None:
    years(ledger, "usual", count=3)
    number = ledger.reserve("usual", other, what="other noise").number  # type: ignore[arg-type]
    assert refused(ledger).elsewhere == ""
    ledger.cancel(number, statement="nothing left")
    assert refused(ledger).elsewhere


def test_nothing_is_advised_where_a_charge_was_stated_by_itself(ledger: Ledger) -> None:
    years(ledger, "usual", count=3)
    ledger.reserve("usual", Gaussian(100.0), what="stated", charges={"zcdp": "1/1000"})
    assert refused(ledger).elsewhere == ""


def test_parts_share_nobody(ledger: Ledger) -> None:
    """Three and one about the north are too many by rho; what is about the south costs its people alone."""
    for _ in range(3):
        ledger.reserve("usual", Gaussian(4.8), what="north", parts=("north",))
        ledger.reserve("usual", GaussianDP(1 / 4.8), what="south", parts=("south",))
    assert refused(ledger, parts=("north",)).elsewhere


def test_a_quota_has_no_other_book(ledger: Ledger) -> None:
    ledger.limit_recipient("usual", "uni", {"zcdp": "0.001"})
    assert refused(ledger, recipient="uni").elsewhere == ""
