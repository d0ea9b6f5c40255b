"""What a ledger does, the same in both stores: states, keys, refusals, corrections, quotas, parts and periods."""

from __future__ import annotations

import io
import math
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from whit.errors import Incompatible, InvalidInput, UnknownKey, WhitError
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.ledger import Act, Ledger, NotReserved, Receipt, Refusal, Refused, State, export, restore, status_of, verify
from whit.ledger.sqlite import SqliteStore
from whit.mechanisms import Gaussian, compose
from whit.policy import limits
from whit.setting import Neighbours

Place = Callable[[], str]

LIMIT = limits.posterior(0.3, prior=0.1)
SMALL = ZeroConcentratedDP(0.01)


def office(where: str, **more: object) -> Ledger:
    """A ledger with one account, as an office has it."""
    ledger = Ledger.create(where, actor="ada")
    ledger.declare("patients", parts=("north", "south"))
    ledger.open("2026", "patients", limits=[LIMIT], failure="0.01", books=("pure", "zcdp"), **more)  # type: ignore[arg-type]
    return ledger


def spent(ledger: Ledger, account: str = "2026") -> Fraction:
    """The total of the zcdp book."""
    [total] = ledger.position(account).totals["zcdp"] or (Fraction(-1),)
    return total


def test_a_release_is_reserved_then_released_and_counts_from_the_reservation_on(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        assert (ledger.entry(number).state, spent(ledger)) == (State.RESERVED, Fraction(0.01))
        ledger.release(number)
        ledger.withdraw(number, why="a wrong table")
        assert (ledger.entry(number).state, spent(ledger)) == (State.WITHDRAWN, Fraction(0.01))


def test_a_plan_does_not_count_until_it_is_approved(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.plan("2026", SMALL, what="table 1").number
        assert spent(ledger) == 0
        ledger.approve(number)
        assert (ledger.entry(number).state, spent(ledger)) == (State.RESERVED, Fraction(0.01))


def test_only_what_was_not_released_is_cancelled_and_then_costs_nothing(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        with pytest.raises(InvalidInput, match="must say that no output left"):
            ledger.cancel(number, statement=" ")
        ledger.cancel(number, statement="the job did not start")
        assert spent(ledger) == 0
        other = ledger.reserve("2026", SMALL, what="table 2").number
        ledger.release(other)
        with pytest.raises(Incompatible, match="cannot be changed by cancel; got it is released"):
            ledger.cancel(other, statement="it did not start")


def test_an_uncertain_release_counts_and_takes_a_second_person_to_cancel(place: Place) -> None:
    where = place()
    with office(where) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        ledger.doubt(number, why="the machine went down")
        assert spent(ledger) == Fraction(0.01)
        with pytest.raises(Incompatible, match="needs another person"):
            ledger.cancel(number, statement="nothing was written")
    with Ledger(where, actor="ben") as ledger:
        ledger.cancel(number, statement="nothing was written")
        assert spent(ledger) == 0


def test_a_reservation_past_its_time_is_uncertain_and_not_refunded(place: Place) -> None:
    where, now = place(), datetime(2026, 1, 1, tzinfo=UTC)
    office(where).close()
    with Ledger(where, actor="ada", clock=lambda: now) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1", minutes=30).number
    later = now + timedelta(minutes=31)
    with Ledger(where, actor="ada", clock=lambda: later) as ledger:
        assert ledger.entry(number).state_at(later.strftime("%Y-%m-%dT%H:%M:%S.%fZ")) is State.UNCERTAIN
        assert spent(ledger) == Fraction(0.01)
        with pytest.raises(Incompatible, match="needs another person"):
            ledger.cancel(number, statement="nothing was written")


@pytest.mark.parametrize("minutes", [1e12, 1e308, math.inf, math.nan, -1.0, 5_256_001])
def test_a_reservation_is_not_kept_for_longer_than_ten_years_nor_for_less_than_no_time(place: Place, minutes) -> None:
    with office(place()) as ledger:
        planned = ledger.plan("2026", SMALL, what="table 1").number
        with pytest.raises(InvalidInput, match="minutes must be from 0 to 5,256,000"):
            ledger.reserve("2026", SMALL, what="table 2", minutes=minutes)
        with pytest.raises(InvalidInput, match="minutes must be from 0 to 5,256,000"):
            ledger.approve(planned, minutes=minutes)
        assert ledger.reserve("2026", SMALL, what="table 3", minutes=5_256_000).number


def test_the_same_request_gets_the_same_answer_and_another_one_under_its_key_is_refused(place: Place) -> None:
    with office(place()) as ledger:
        first = ledger.reserve("2026", SMALL, what="table 1", key="k")
        assert ledger.reserve("2026", SMALL, what="table 1", key="k") == first
        assert spent(ledger) == Fraction(0.01)
        with pytest.raises(Incompatible, match="the key k must belong to one request"):
            ledger.reserve("2026", SMALL, what="table 2", key="k")


def test_a_refused_request_is_refused_again_under_its_key_although_room_was_made(place: Place) -> None:
    with office(place()) as ledger:
        held = ledger.reserve("2026", ZeroConcentratedDP(0.08), what="large").number
        with pytest.raises(Refused, match="must stay within the limit"):
            ledger.reserve("2026", ZeroConcentratedDP(0.02), what="table 1", key="k")
        ledger.cancel(held, statement="it did not run")
        with pytest.raises(Refused, match="must stay within the limit"):
            ledger.reserve("2026", ZeroConcentratedDP(0.02), what="table 1", key="k")
        ledger.reserve("2026", ZeroConcentratedDP(0.02), what="table 1", key="k2")


def test_a_refusal_says_what_decides_and_what_would_fit(place: Place) -> None:
    with office(place(), opens="on 1 January") as ledger:
        held = ledger.reserve("2026", ZeroConcentratedDP(0.08), what="large").number
        with pytest.raises(Refused, match=r"Entries that use most of it: 3 .*opens on 1 January") as caught:
            ledger.reserve("2026", Gaussian(1.0), what="table 1")
        refusal = caught.value.refusal
        assert refusal.holders[0][0] == held
        assert refusal.risk_before is not None
        assert float(refusal.risk_before) <= 0.3
        assert refusal.risk_after is not None
        assert float(refusal.risk_after) > 0.3
        fitting = refusal.fits(ZeroConcentratedDP(1.0))
        assert isinstance(fitting, ZeroConcentratedDP)
        assert ledger.check("2026", fitting) is None
        assert ledger.check("2026", ZeroConcentratedDP(fitting.rho * 1.001)) is not None


def test_what_is_allowed_keeps_the_limit_and_what_is_refused_does_not(place: Place) -> None:
    """The decision by exact totals is the complement of the risk that whit reports for the new total."""
    with office(place()) as ledger:
        for rho in (0.03, 0.05, 0.006, 0.001, 0.0005, 0.0002):
            refusal = ledger.check("2026", ZeroConcentratedDP(rho))
            total = spent(ledger) + Fraction(rho)
            risk = limits.posterior(0.3, prior=0.1, when=LIMIT.when).risk(
                ZeroConcentratedDP(float(total)), failure=0.01
            )
            assert (refusal is None) == (float(risk) <= 0.3), rho
            if refusal is None:
                ledger.reserve("2026", ZeroConcentratedDP(rho), what="one more")


def test_what_is_already_out_counts_beyond_the_limit_and_closes_the_account(place: Place) -> None:
    with office(place()) as ledger:
        [over] = ledger.record("2026", ZeroConcentratedDP(1.0), what="found in a drawer").exceeded
        assert over.startswith("Account 2026 now exceeds its limit ")
        assert not status_of(ledger.store, "2026").kept
        with pytest.raises(Refused, match="must stay within the limit"):
            ledger.reserve("2026", ZeroConcentratedDP(1e-9), what="tiny")


def test_a_correction_counts_in_place_of_the_old_entry_and_to_lower_takes_two(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        ledger.release(number)
        with pytest.raises(Incompatible, match="needs a second person who approves it; got nobody"):
            ledger.correct(number, ZeroConcentratedDP(0.001), why="sigma was larger")
        with pytest.raises(Incompatible, match="needs a second person who approves it; got ada"):
            ledger.correct(number, ZeroConcentratedDP(0.001), why="sigma was larger", approver="ada")
        raised = ledger.correct(number, ZeroConcentratedDP(0.02), why="sigma was smaller").number
        assert spent(ledger) == Fraction(0.02)
        ledger.correct(raised, ZeroConcentratedDP(0.001), why="it was larger", approver="ben")
        assert spent(ledger) == Fraction(0.001)
        with pytest.raises(Incompatible, match="must count to be corrected"):
            ledger.correct(number, SMALL, why="again")
        with pytest.raises(Incompatible, match=f"must not have been corrected; got by {raised}"):
            ledger.withdraw(number, why="the old one")


def test_a_correction_stands_where_the_entry_stood(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        again = ledger.correct(number, ZeroConcentratedDP(0.02), why="more noise was meant").number
        assert ledger.entry(again).state is State.RESERVED
        ledger.cancel(again, statement="the job did not start")
        assert spent(ledger) == 0


def test_numbers_and_names_of_any_size_are_refused_in_a_sentence(place: Place) -> None:
    with office(place()) as ledger:
        assert ledger.history("2026", before=10**30, size=10**30) == ()
        for wrong in ("\x00", " ", "a" * 1000, "\ud800"):
            with pytest.raises(InvalidInput, match="the key must be a short name"):
                ledger.reserve("2026", SMALL, what="table", key=wrong)
            with pytest.raises(InvalidInput, match="the recipient must be a short name"):
                ledger.reserve("2026", SMALL, what="table", recipient=wrong)
            with pytest.raises(InvalidInput, match="what is released must be a short name"):
                ledger.reserve("2026", SMALL, what=wrong)
        for number in (0, -1, 10**30):
            with pytest.raises(UnknownKey, match="an entry must be in the ledger"):
                ledger.release(number)


def test_where_a_second_person_is_needed_nobody_approves_their_own_release(place: Place) -> None:
    where = place()
    with office(where, second_person=True) as ledger:
        with pytest.raises(Incompatible, match="needs a second person"):
            ledger.reserve("2026", SMALL, what="table 1")
        number = ledger.plan("2026", SMALL, what="table 1").number
        with pytest.raises(Incompatible, match="needs another person than the one who asked"):
            ledger.approve(number)
    with Ledger(where, actor="ben") as ledger:
        ledger.approve(number)
        assert ledger.entry(number).approver == "ben"


def test_releases_about_parts_cost_the_worst_part(place: Place) -> None:
    with office(place()) as ledger:
        ledger.reserve("2026", SMALL, what="all")
        ledger.reserve("2026", ZeroConcentratedDP(0.02), what="north", parts=["north"])
        ledger.reserve("2026", ZeroConcentratedDP(0.03), what="south", parts=["south"])
        assert spent(ledger) == Fraction(0.01) + Fraction(0.03)
        with pytest.raises(UnknownKey, match="a part must be one of patients; got west"):
            ledger.reserve("2026", SMALL, what="west", parts=["west"])


def test_an_account_within_another_charges_both(place: Place) -> None:
    with office(place()) as ledger:
        ledger.open("ever", "patients", limits=[limits.posterior(0.2, prior=0.1)], failure=0.01, books=("zcdp",))
        ledger.open("2027", "patients", limits=[LIMIT], failure=0.01, within="ever")
        ledger.reserve("2027", SMALL, what="table 1")
        assert (spent(ledger, "2027"), spent(ledger, "ever")) == (Fraction(0.01), Fraction(0.01))
        with pytest.raises(Refused, match="of account ever"):
            ledger.reserve("2027", ZeroConcentratedDP(0.05), what="table 2")


def test_status_adds_up_the_periods_of_a_population(place: Place) -> None:
    with office(place()) as ledger:
        ledger.open("2027", "patients", limits=[LIMIT], failure=0.01)
        ledger.reserve("2026", SMALL, what="table 1")
        ledger.reserve("2027", ZeroConcentratedDP(0.02), what="table 2")
        assert status_of(ledger.store, "2027").everybody["zcdp"] == (Fraction(0.01) + Fraction(0.02),)


def test_a_quota_stops_one_recipient_and_not_another(place: Place) -> None:
    with office(place()) as ledger:
        ledger.limit_recipient("2026", "uni", {"zcdp": "0.015"})
        ledger.reserve("2026", SMALL, what="table 1", recipient="uni")
        with pytest.raises(Refused, match="must fit the quota of uni"):
            ledger.reserve("2026", SMALL, what="table 2", recipient="uni")
        ledger.reserve("2026", SMALL, what="table 2", recipient="ministry")


def test_an_amount_of_more_numbers_than_its_book_counts_is_refused_before_it_is_written(place: Place) -> None:
    with office(place()) as ledger:
        head = ledger.head
        with pytest.raises(InvalidInput, match="a charge in book zcdp must be one number"):
            ledger.plan("2026", SMALL, what="table 1", charges={"zcdp": ["0.1", "0.1"]})
        with pytest.raises(InvalidInput, match="a quota in book zcdp must be one number"):
            ledger.limit_recipient("2026", "uni", {"zcdp": (1, 1)})
        with pytest.raises(InvalidInput, match="a quota must be a number of at least 0"):
            ledger.limit_recipient("2026", "uni", {"zcdp": None})
        with pytest.raises(InvalidInput, match="a quota must name a book"):
            ledger.limit_recipient("2026", "uni", {})
        assert ledger.head == head


def test_a_backup_is_a_file_or_a_sentence_that_says_what_to_use(place: Place, tmp_path: Path) -> None:
    where, copy = place(), tmp_path / "copy.ledger"
    with office(where) as ledger:
        if where.startswith("postgresql"):
            with pytest.raises(Incompatible, match="Use whit ledger export"):
                ledger.store.backup(copy)
            assert not copy.exists()
            return
        ledger.store.backup(copy)
        with Ledger(copy) as other:
            assert verify(other.store).head == ledger.head[1]


def test_a_release_without_a_charge_closes_its_book_for_good(place: Place) -> None:
    with office(place()) as ledger:
        ledger.reserve("2026", PureDP(0.1), what="table 1")
        assert ledger.position("2026").totals["pure"] is not None
        number = ledger.reserve("2026", SMALL, what="Gaussian noise has no epsilon").number
        ledger.cancel(number, statement="it did not run")
        assert ledger.position("2026").totals["pure"] is None


def test_a_clock_that_is_set_back_is_noted_and_order_is_by_number(place: Place) -> None:
    where = place()
    office(where).close()
    with Ledger(where, clock=lambda: datetime(2001, 1, 1, tzinfo=UTC)) as ledger:
        receipt = ledger.reserve("2026", SMALL, what="table 1")
        event = ledger.store.event(receipt.event)
        assert event.notes == ("the clock was set back: it showed 2001-01-01T00:00:00.000000Z",)
        assert event.at == ledger.store.event(receipt.event - 1).at
        verify(ledger.store)


def test_a_guard_releases_what_ran_and_doubts_what_raised(place: Place) -> None:
    with office(place()) as ledger:
        with ledger.guard("2026", SMALL, what="table 1") as receipt:
            pass
        assert ledger.entry(receipt.number).state is State.RELEASED
        with pytest.raises(ZeroDivisionError, match="inside"), ledger.guard("2026", SMALL, what="table 2") as receipt:
            raise ZeroDivisionError("inside")
        assert ledger.entry(receipt.number).state is State.UNCERTAIN


def test_an_export_imported_elsewhere_is_the_same_ledger(place: Place) -> None:
    file = io.StringIO()
    with office(place()) as ledger:
        ledger.limit_recipient("2026", "uni", {"zcdp": "0.02"})
        number = ledger.reserve("2026", SMALL, what="table 1", key="k", recipient="uni").number
        ledger.release(number)
        with pytest.raises(Refused, match="must stay within the limit"):
            ledger.reserve("2026", ZeroConcentratedDP(1.0), what="too much", key="no")
        export(ledger.store, file)
        head = ledger.head
    with Ledger.create(place()) as other:
        restore(other.store, file.getvalue().splitlines())
        assert other.head == head
        assert verify(other.store, head=head[1]).events == head[0]
        assert other.reserve.__self__.store.request("k") is not None
        assert other.entry(number).state is State.RELEASED
        with pytest.raises(Incompatible, match="must be empty"):
            restore(other.store, file.getvalue().splitlines())


def test_a_broken_import_leaves_an_empty_ledger(place: Place) -> None:
    file = io.StringIO()
    with office(place()) as ledger:
        ledger.reserve("2026", SMALL, what="table 1")
        export(ledger.store, file)
    lines = file.getvalue().splitlines()
    with Ledger.create(place()) as other:
        with pytest.raises(InvalidInput, match="must carry the hash of entry 1"):
            restore(other.store, [lines[0], re.sub('"previous":"[0-9a-f]*"', f'"previous":"{"0" * 64}"', lines[1])])
        assert other.head[0] == 0


def test_names_are_given_once(place: Place) -> None:
    with office(place()) as ledger:
        with pytest.raises(Incompatible, match="the account must not be there yet"):
            ledger.open("2026", "patients", limits=[LIMIT], failure=0.01)
        with pytest.raises(Incompatible, match="the population must not be there yet"):
            ledger.declare("patients", neighbours=Neighbours.REPLACE)
        with pytest.raises(UnknownKey, match="an account must be in the ledger"):
            ledger.reserve("2031", SMALL, what="table 1")
        with pytest.raises(UnknownKey, match="an entry must be in the ledger"):
            ledger.release(99)


def test_history_comes_in_pages_the_newest_first(place: Place) -> None:
    with office(place()) as ledger:
        numbers = [ledger.reserve("2026", ZeroConcentratedDP(1e-6), what=f"table {k}").number for k in range(5)]
        first = ledger.history("2026", size=3)
        assert [each.number for each in first] == numbers[:1:-1]
        assert [each.number for each in ledger.history("2026", before=first[-1].number, size=3)] == numbers[1::-1]


def test_the_events_are_what_was_asked(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        ledger.release(number, artefact="sha256 12ab")
        acts = [ledger.store.event(each).act for each in range(1, ledger.head[0] + 1)]
        assert acts == [Act.POPULATION, Act.OPEN, Act.RESERVE, Act.RELEASE]
        assert ledger.store.event(4).body["artefact"] == "sha256 12ab"


def test_releases_declared_together_cost_what_they_add_up_to_and_no_more_than_their_mu(place: Place) -> None:
    week = compose(*[Gaussian(20.0)] * 7)
    with office(place()) as ledger:
        ledger.open("mu", "patients", limits=[LIMIT], failure=0.01, books=["gdp", "zcdp"])
        charges = ledger.entry(ledger.reserve("mu", week, what="a week").number).charges
        one = ledger.entry(ledger.reserve("mu", Gaussian(20.0), what="a day").number).charges
    assert charges["zcdp"] is not None
    assert one["zcdp"] is not None
    assert charges["gdp"] is not None
    assert charges["zcdp"] == (7 * one["zcdp"][0],)
    assert charges["zcdp"][0] >= Fraction(7, 2 * 20**2)
    assert float(charges["gdp"][0]) == pytest.approx(7 / 20**2, rel=1e-9)


def test_what_was_cancelled_is_given_back_to_the_quota_of_its_recipient(place: Place) -> None:
    with office(place()) as ledger:
        ledger.limit_recipient("2026", "uni", {"zcdp": "0.015"})
        number = ledger.reserve("2026", SMALL, what="table 1", recipient="uni").number
        ledger.cancel(number, statement="the run did not start")
        assert ledger.position("2026").recipients["uni"]["zcdp"] == (Fraction(0),)
        ledger.reserve("2026", SMALL, what="table 2", recipient="uni")


def test_the_entries_that_hold_most_of_an_account_come_first(place: Place) -> None:
    with office(place()) as ledger:
        rhos = (0.002, 0.008, 0.004)
        numbers = [ledger.reserve("2026", ZeroConcentratedDP(rho), what=f"rho {rho}").number for rho in rhos]
        with pytest.raises(Refused, match="must stay within") as refused:
            ledger.reserve("2026", ZeroConcentratedDP(5.0), what="too much")
        refusal = refused.value.refusal
        assert [number for number, _ in refusal.holders] == [numbers[1], numbers[2], numbers[0]]
        assert hash(refusal) == hash(replace(refusal))
        for k in range(4):
            ledger.reserve("2026", ZeroConcentratedDP(0.001), what=f"small table {k}")
        with pytest.raises(Refused, match="must stay within") as refused:
            ledger.reserve("2026", ZeroConcentratedDP(5.0), what="too much")
        assert len(refused.value.refusal.holders) == 5


def percent(text: str) -> float:
    """The number before the percent sign."""
    return float(text.removesuffix(" %"))


def test_the_shares_of_the_entries_add_up_to_what_the_status_says_is_used(place: Place) -> None:
    """Noise closes the book pure, so that the book zcdp decides: also about the entry that pure would show smaller."""
    with office(place()) as ledger:
        ledger.reserve("2026", Gaussian(10.0), what="table 1")
        number = ledger.reserve("2026", PureDP(0.26998), what="table 2").number
        refusal = ledger.check("2026", PureDP(2.0))
        [most] = ledger.account("2026").allowed("posterior=0.3, prior=0.1, when=ever")["zcdp"]
        [limit] = status_of(ledger.store, "2026").limits
    assert refusal is not None
    shares = {entry: percent(share) for entry, share in refusal.holders}
    rho = math.tanh(0.26998 / 2) * 0.26998  # of pure noise; the largest that its epsilon allows
    assert next(iter(shares)) == number
    assert 0 <= shares[number] - 100 * rho / float(most) < 0.1
    assert limit.used is not None
    assert 0 <= sum(shares.values()) - 100 * float(limit.used) < 0.2


def test_entries_share_the_number_of_a_book_that_is_used_most(place: Place) -> None:
    """The book sums counts epsilon and delta; the shares are all of delta where more of delta is used."""
    with office(place()) as ledger:
        ledger.open("sums", "patients", limits=[LIMIT], failure="0.01", books=("sums@1e-6",))
        for k, (epsilon, delta) in enumerate([(0.01, 5e-7), (0.5, 1e-7)]):
            ledger.reserve("sums", ApproxDP(epsilon, delta), what=f"table {k}")
        refusal = ledger.check("sums", ApproxDP(0.01, 5e-7))
    assert refusal is not None
    assert [share for _, share in refusal.holders] == ["50 %", "10 %"]


def test_an_account_that_may_always_fail_is_refused(place: Place) -> None:
    with office(place()) as ledger, pytest.raises(InvalidInput, match="failure must be below 1"):
        ledger.open("2027", "patients", limits=[LIMIT], failure=1)


def test_an_entry_holds_as_much_of_an_account_as_of_its_strictest_limit(place: Place) -> None:
    strict, loose = "posterior=0.2, prior=0.1", "posterior=0.9, prior=0.1"
    found = {}
    with office(place()) as ledger:
        for name, limit in (("strict", [strict]), ("loose", [loose]), ("both", [loose, strict])):
            ledger.open(name, "patients", limits=limit, failure="0.01", books=("zcdp",))
            ledger.reserve(name, ZeroConcentratedDP(0.001), what="table 1")
            [(_, found[name])] = ledger.store.heaviest(name, 9)
    assert found["loose"] < found["strict"] == found["both"]


def test_events_are_numbered_from_one_and_read_page_by_page(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with office(place()) as ledger:
        for k in range(5):
            ledger.plan("2026", SMALL, what=f"table {k}")
        whole, places = list(ledger.store.lines()), list(ledger.store.places("entry/"))
        assert [number for number, _, _ in whole] == list(range(1, ledger.head[0] + 1))
        monkeypatch.setattr("whit.ledger.store._PAGE", 2)
        assert list(ledger.store.lines()) == whole
        assert list(ledger.store.places("entry/")) == places


def test_a_limit_that_one_of_several_books_meets_can_be_kept(place: Place) -> None:
    with office(place()) as ledger:  # without a failure, zcdp says nothing of beliefs
        ledger.open("2027", "patients", limits=[LIMIT], failure=0, books=("zcdp", "pure"))
        with pytest.raises(Incompatible, match="must be met by a book before anything is released"):
            ledger.open("2028", "patients", limits=[LIMIT], failure=0, books=("zcdp",))


def test_two_people_are_needed_also_where_only_the_account_around_it_asks_for_them(place: Place) -> None:
    with office(place(), second_person=True) as ledger:
        ledger.open("month", "patients", limits=[LIMIT], failure="0.01", books=("pure", "zcdp"), within="2026")
        with pytest.raises(Incompatible, match="needs a second person in account month"):
            ledger.reserve("month", SMALL, what="table 1")


def test_a_refused_move_says_what_can_be_done(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        ledger.release(number)
        with pytest.raises(Incompatible, match=r"it is released. What can be done with it: withdraw\."):
            ledger.cancel(number, statement="no output")


def test_a_reservation_is_uncertain_from_the_end_of_its_time_on(place: Place) -> None:
    with office(place()) as ledger:
        entry = ledger.entry(ledger.reserve("2026", SMALL, what="table 1", minutes=5).number)
        assert entry.state_at(entry.until) is State.UNCERTAIN
        assert entry.state_at("2000-01-01T00:00:00.000000Z") is State.RESERVED


@pytest.mark.parametrize(
    ("first", "asked"), [(PureDP(0.5), PureDP(5.0)), (PureDP(0.5), PureDP(0.9876)), (SMALL, Gaussian(1.0))]
)
def test_of_decimals_with_four_digits_the_one_that_tells_most_and_fits_is_proposed(
    place: Place, first: PureDP, asked: PureDP
) -> None:
    with office(place()) as ledger:
        ledger.reserve("2026", first, what="table 1")
        with pytest.raises(Refused, match="must stay within") as refused:
            ledger.reserve("2026", asked, what="table 2")
        found = refused.value.refusal.fits(asked)
        assert found is not None
        value, more = (found.stated_epsilon, 1) if isinstance(found, PureDP) else (found.sigma, -1)
        shown = Decimal(repr(value))
        assert len(shown.as_tuple().digits) <= 4
        further = float(shown + more * Decimal(1).scaleb(shown.adjusted() - 3))
        with pytest.raises(Refused, match="must stay within"):
            ledger.reserve("2026", type(asked)(further), what="table 3")
        ledger.reserve("2026", found, what="table 3")


def test_about_tests_the_first_book_decides_alone(place: Place) -> None:
    with office(place()) as ledger:
        ledger.open("tests", "patients", limits=["power=0.2, level=0.05"], failure="0.01", books=("zcdp", "pure"))
        ledger.open("beliefs", "patients", limits=[LIMIT], failure="0.01", books=("zcdp", "pure"))
        [[tests], [beliefs]] = (ledger.account(name).most.values() for name in ("tests", "beliefs"))
        assert (set(tests), set(beliefs)) == ({"zcdp"}, {"zcdp", "pure"})


def test_an_entry_is_what_its_tree_says_also_if_it_has_the_first_number(place: Place) -> None:
    with office(place()) as ledger:
        entry = ledger.entry(ledger.reserve("2026", SMALL, what="table 1", recipient="uni").number)
    for other in (entry, replace(entry, number=1, corrects=1), replace(entry, corrects=0)):
        assert type(entry).of_tree(other.to_tree()) == other


@pytest.mark.parametrize("name", ["", " people", "two  spaces", "a\nline", "x" * 1000, 3])
def test_a_name_is_a_short_line_of_text(place: Place, name: str) -> None:
    with office(place()) as ledger, pytest.raises(InvalidInput, match="must be a short name without blanks around it"):
        ledger.declare(name)


@pytest.mark.parametrize(
    ("mounts", "local"), [("{1} ext4|{0} nfs", False), ("{1} nfs|{0} ext4", True), ("{0} ext4|{1} nfs", True)]
)
def test_the_innermost_file_system_decides_if_a_ledger_is_on_a_disk(
    mounts: str, local: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = "".join(f"device {line} rw 0 0\n" for line in mounts.format(tmp_path, tmp_path.parent).split("|"))
    read = Path.read_text
    monkeypatch.setattr(
        Path, "read_text", lambda path, *more: listed if str(path) == "/proc/self/mounts" else read(path, *more)
    )
    where = tmp_path / "office.ledger"
    if local:
        Ledger.create(where, actor="ada").close()
    else:
        with pytest.raises(Incompatible, match="must be on a disk of this machine"):
            Ledger.create(where, actor="ada")


def test_what_does_not_count_holds_nothing_of_an_account(place: Place) -> None:
    with office(place()) as ledger:
        counts, cancelled = (ledger.reserve("2026", SMALL, what=what).number for what in ("table 1", "table 2"))
        ledger.cancel(cancelled, statement="no output")
        ledger.plan("2026", ZeroConcentratedDP(0.02), what="table 3")
        weights = dict(ledger.store.heaviest("2026", 9))
        assert weights.pop(counts) > 0.0
        assert set(weights.values()) <= {0.0}


def test_a_file_says_that_it_is_a_ledger_of_whit(tmp_path: Path) -> None:
    office(str(tmp_path / "office.ledger")).close()
    with closing(sqlite3.connect(tmp_path / "office.ledger")) as file:
        [[mark]] = file.execute("PRAGMA application_id").fetchall()
    assert mark.to_bytes(4, "big") == b"whit"


def test_entries_are_listed_however_large_their_numbers_are(place: Place) -> None:
    with office(place()) as ledger:
        for number in (7, 1_000, 10**9):
            ledger.store.enlist("2026", number, 0.0)
        assert ledger.store.listed("2026", before=2**53, size=9) == [10**9, 1_000, 7]
        assert ledger.store.listed("2026", before=10**9, size=1) == [1_000]


def test_status_adds_up_neither_other_populations_nor_what_an_outer_account_has_already(place: Place) -> None:
    with office(place()) as ledger:
        ledger.declare("visitors")
        ledger.open("visitors 2026", "visitors", limits=[LIMIT], failure="0.01", books=("zcdp",))
        ledger.open("month", "patients", limits=[LIMIT], failure="0.01", books=("zcdp",), within="2026")
        ledger.reserve("visitors 2026", ZeroConcentratedDP(0.02), what="table 1")
        ledger.reserve("month", SMALL, what="table 2")
        assert status_of(ledger.store, "2026").everybody["zcdp"] == (Fraction(0.01),)
        assert status_of(ledger.store, "visitors 2026").everybody["zcdp"] == (Fraction(0.02),)


def test_a_release_without_a_time_stays_reserved_and_a_plan_has_none(place: Place) -> None:
    with office(place()) as ledger:
        numbers = [made("2026", SMALL, what="a table").number for made in (ledger.reserve, ledger.plan)]
        assert [ledger.entry(number).until for number in numbers] == ["", ""]


def test_opening_a_ledger_makes_none(tmp_path: Path) -> None:
    for open_it in (Ledger, SqliteStore):
        with pytest.raises(WhitError, match="the ledger must be a file"):
            open_it(tmp_path / "none.ledger")
        assert not list(tmp_path.iterdir())


def test_a_ledger_restored_from_nothing_has_no_events(place: Place) -> None:
    with Ledger.create(place()) as ledger:
        assert restore(ledger.store, []).events == 0
        assert verify(ledger.store).events == 0


def test_a_guard_runs_at_most_once_under_its_key_however_it_ended(place: Place) -> None:
    """A guard cannot tell a crash before the release from one in the middle of it, so a repetition runs nothing."""
    ran: list[str] = []
    with office(place()) as ledger:

        def attempt(key: str, error: type[BaseException] | None = None) -> int:
            with ledger.guard("2026", SMALL, what="table", key=key) as receipt:
                ran.append(key)
                if error:
                    raise error(key)
            return receipt.number

        with pytest.raises(ZeroDivisionError, match="fails"):
            attempt("fails", ZeroDivisionError)
        reserved = ledger.reserve("2026", SMALL, what="table", key="reserved").number
        released = attempt("works")
        cancelled = ledger.reserve("2026", SMALL, what="table", key="cancelled").number
        ledger.cancel(cancelled, statement="it did not run")
        states = {"fails": "uncertain", "reserved": "reserved", "works": "released", "cancelled": "cancelled"}
        before = ledger.head
        for key, state in states.items():
            for _ in range(2):
                with pytest.raises(NotReserved, match=f"got an earlier request; the entry is {state}") as found:
                    attempt(key)
                assert found.value.receipt.state is State(state)
        assert ran == ["fails", "works"]
        assert (ledger.head, ledger.entry(reserved).state) == (before, State.RESERVED)
        assert ledger.entry(released).state is State.RELEASED


def test_a_repeated_reservation_is_a_leave_to_publish_only_while_its_entry_is_reserved(place: Place) -> None:
    now = [datetime(2100, 1, 1, tzinfo=UTC)]
    where = place()
    office(where).close()
    with Ledger(where, actor="ada", clock=lambda: now[0]) as ledger:

        def reserve(key: str) -> Receipt:
            return ledger.reserve("2026", ZeroConcentratedDP(0.001), what="table", key=key, minutes=30)

        first = {key: reserve(key) for key in ("kept", "cancelled", "released", "withdrawn", "uncertain", "corrected")}
        assert all(reserve(key) == receipt for key, receipt in first.items())
        ledger.cancel(first["cancelled"].number, statement="it did not run")
        ledger.release(first["released"].number)
        ledger.release(first["withdrawn"].number)
        ledger.withdraw(first["withdrawn"].number, why="wrong")
        ledger.doubt(first["uncertain"].number, why="a crash")
        ledger.correct(first["corrected"].number, ZeroConcentratedDP(0.002), why="more")
        head, said = ledger.head, "must still be reserved under its key; got"
        for key in ("cancelled", "released", "withdrawn", "uncertain", "corrected"):
            with pytest.raises(NotReserved, match=f"{said} {key}"):
                reserve(key)
        assert reserve("kept") == first["kept"]
        now[0] += timedelta(minutes=30)
        with pytest.raises(NotReserved, match=f"{said} uncertain") as found:
            reserve("kept")
        assert (found.value.receipt.state, ledger.head) == (State.UNCERTAIN, head)


def test_a_repeated_approval_is_a_leave_to_publish_only_while_its_entry_is_reserved(place: Place) -> None:
    with office(place()) as ledger:
        number = ledger.plan("2026", SMALL, what="table").number
        assert ledger.approve(number, key="k") == ledger.approve(number, key="k")
        ledger.cancel(number, statement="it did not run")
        with pytest.raises(NotReserved, match="must still be reserved under its key; got cancelled"):
            ledger.approve(number, key="k")


def test_a_quota_counts_whatever_the_recipient_got_before_it_was_set_and_set_again(place: Place) -> None:
    with office(place()) as ledger:
        ledger.reserve("2026", ZeroConcentratedDP(0.009), what="before any quota", recipient="uni")
        for quota in ({"zcdp": "0.01"}, {"pure": "10"}, {"zcdp": "0.01"}):
            ledger.limit_recipient("2026", "uni", quota)
        with pytest.raises(Refused, match="must fit the quota of uni"):
            ledger.reserve("2026", ZeroConcentratedDP(0.009), what="table", recipient="uni")
        ledger.reserve("2026", ZeroConcentratedDP(0.0005), what="a little", recipient="uni")
        verify(ledger.store)


def test_what_a_recipient_got_is_never_below_nothing(place: Place) -> None:
    with office(place()) as ledger:
        before = ledger.reserve("2026", SMALL, what="before the quota", recipient="uni").number
        ledger.limit_recipient("2026", "uni", {"zcdp": "1/512"})
        ledger.cancel(before, statement="it did not run")
        assert ledger.position("2026").recipients["uni"]["zcdp"] == (Fraction(0),)
        ledger.reserve("2026", ZeroConcentratedDP(2**-9), what="all of it", recipient="uni")
        with pytest.raises(Refused, match="must fit the quota of uni"):
            ledger.reserve("2026", ZeroConcentratedDP(1e-9), what="more", recipient="uni")


def test_a_correction_of_what_is_past_its_time_is_uncertain_too(place: Place) -> None:
    where, now = place(), [datetime(2100, 1, 1, tzinfo=UTC)]
    office(where).close()
    with Ledger(where, actor="ada", clock=lambda: now[0]) as ledger:
        late = ledger.reserve("2026", SMALL, what="table 1", minutes=30).number
        kept = ledger.reserve("2026", SMALL, what="table 2", minutes=60).number
        now[0] += timedelta(minutes=31)
        again = ledger.correct(late, SMALL, why="the same")
        later = ledger.correct(kept, SMALL, why="the same", minutes=1000).number
        assert (again.state, ledger.entry(later).state) == (State.UNCERTAIN, State.RESERVED)
        assert ledger.entry(later).until == ledger.entry(kept).until
        now[0] += timedelta(minutes=30)
        for number in (again.number, later):
            with pytest.raises(Incompatible, match="to cancel an uncertain release needs another person"):
                ledger.cancel(number, statement="nothing was written")
        assert spent(ledger) == 2 * Fraction(0.01)
        verify(ledger.store)


def test_who_asked_for_a_release_does_not_cancel_it_because_a_colleague_corrected_it(place: Place) -> None:
    where = place()
    with office(where) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1").number
        ledger.doubt(number, why="a crash")
    with Ledger(where, actor="ben") as ledger:
        number = ledger.correct(number, ZeroConcentratedDP(0.02), why="more").number
    for actor in ("ada", "ben"):
        with Ledger(where, actor=actor) as ledger, pytest.raises(Incompatible, match="needs another person"):
            ledger.cancel(number, statement="nothing was written")
    with Ledger(where, actor="eve") as ledger:
        ledger.cancel(number, statement="nothing was written")


@pytest.mark.parametrize(
    ("old", "new", "alone"),
    [
        ({"parts": ["north"]}, {"parts": ["south"]}, False),
        ({"parts": ["north", "south"]}, {"parts": ["south"]}, False),
        ({"parts": []}, {"parts": ["north", "south"]}, False),
        ({"recipient": "uni"}, {"recipient": ""}, False),
        ({"recipient": "uni"}, {"recipient": "ministry"}, False),
        ({"recipient": ""}, {"recipient": "uni"}, True),
        ({"parts": ["north"]}, {"parts": ["north", "south"]}, True),
        ({"parts": ["north"]}, {"parts": []}, True),
    ],
)
def test_to_move_a_charge_away_from_people_or_a_recipient_takes_two(place: Place, old, new, alone) -> None:
    with office(place()) as ledger:
        number = ledger.record("2026", SMALL, what="table 1", **old).number
        if not alone:
            head, said = ledger.head, "moves a charge away from people or a recipient needs a second person"
            for approver in ("", "ada"):
                with pytest.raises(Incompatible, match=said):
                    ledger.correct(number, SMALL, why="wrong", approver=approver, **new)
            assert ledger.head == head
        corrected = ledger.correct(number, SMALL, why="wrong", approver="" if alone else "ben", **new).number
        entry = ledger.entry(corrected)
        assert {"parts": list(entry.parts), "recipient": entry.recipient} == {"parts": [], "recipient": "", **new}


def fits(ledger: Ledger, account: str, refusal: Refusal | None, **about: object) -> ZeroConcentratedDP:
    """What a refusal names instead, which the ledger takes, and hardly more than that it does not."""
    assert refusal is not None
    named = refusal.fits(ZeroConcentratedDP(1.0))
    assert isinstance(named, ZeroConcentratedDP)
    assert ledger.check(account, named, **about) is None
    assert ledger.check(account, ZeroConcentratedDP(named.rho * 1.001), **about) is not None
    return named


def test_what_would_fit_also_fits_the_account_around_it(place: Place) -> None:
    with office(place()) as ledger:
        ledger.open("part", "patients", limits=[limits.posterior(0.2, prior=0.1)], failure=0.01, within="2026")
        ledger.record("2026", ZeroConcentratedDP(0.05), what="in the outer account")
        inner = ledger.check("part", ZeroConcentratedDP(1.0))
        assert inner is not None
        assert inner.account.name == "part"
        narrow = fits(ledger, "part", inner)
        ledger.record("2026", ZeroConcentratedDP(0.03), what="in the outer account")
        outer = ledger.check("part", ZeroConcentratedDP(1.0))
        assert fits(ledger, "part", outer).rho < narrow.rho


def test_what_would_fit_also_fits_the_quota_of_its_recipient_and_the_parts_it_is_about(place: Place) -> None:
    with office(place()) as ledger:
        ledger.limit_recipient("2026", "uni", {"zcdp": "0.02"})
        refusal = ledger.check("2026", ZeroConcentratedDP(1.0), recipient="uni")
        assert fits(ledger, "2026", refusal, recipient="uni").rho == pytest.approx(0.02, rel=1e-3)
        ledger.record("2026", ZeroConcentratedDP(0.05), what="north", parts=["north"])
        north, south = (
            fits(ledger, "2026", ledger.check("2026", ZeroConcentratedDP(1.0), parts=[part]), parts=[part]).rho
            for part in ("north", "south")
        )
        assert north < south - 0.04


def test_a_refusal_that_is_repeated_names_what_fits_now(place: Place) -> None:
    with office(place()) as ledger:
        for held in (0.05, 0.03):
            with pytest.raises(Refused, match="must stay within the limit") as refused:
                ledger.reserve("2026", ZeroConcentratedDP(1.0), what="large", key="k")
            fits(ledger, "2026", refused.value.refusal)
            ledger.record("2026", ZeroConcentratedDP(held), what="meanwhile")


def test_what_is_decided_at_a_moment_is_entered_at_that_moment(place: Place) -> None:
    """A clock that runs on while somebody cancels: a replay decides by the time of the event."""
    where, now = place(), [datetime(2100, 1, 1, tzinfo=UTC)]
    office(where).close()

    def clock() -> datetime:
        now[0] += timedelta(seconds=25)
        return now[0]

    with Ledger(where, actor="ada", clock=clock) as ledger:
        number = ledger.reserve("2026", SMALL, what="table 1", minutes=1).number
        ledger.cancel(number, statement="it did not run")
        assert verify(ledger.store).events == number + 1
