"""What one more release would make of an account, the same in both stores: as it then is, once it is reserved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from whit.curves import Promise
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.ledger import Ledger, Refused, outlook_of, status_of
from whit.mechanisms import Gaussian

Place = Callable[[], str]


def office(where: str) -> Ledger:
    """A ledger with an account within another one, in which parts of the people have used different shares."""
    ledger = Ledger.create(where, actor="ada")
    ledger.declare("patients", parts=("north", "south"))
    ledger.open("ever", "patients", limits=["ratio=4"], failure="0.01", books=["zcdp", "renyi@8"])
    limits = ["posterior=0.3, prior=0.1", "power=0.5, level=0.05"]
    ledger.open("2026", "patients", limits=limits, failure="0.01", books=["zcdp", "pure"], within="ever")
    ledger.reserve("2026", ZeroConcentratedDP(0.01), what="table 1", parts=("north",))
    ledger.reserve("2026", PureDP(0.1), what="table 2")
    return ledger


@pytest.mark.parametrize("promise", [PureDP(0.1), ZeroConcentratedDP(0.001), Gaussian(10.0)], ids=repr)
def test_each_limit_is_as_the_release_leaves_it_once_it_is_reserved(place: Place, promise: Promise) -> None:
    with office(place()) as ledger:
        head = ledger.head
        before = [status_of(ledger.store, name) for name in ("2026", "ever")]
        found = outlook_of(ledger, "2026", promise)
        assert ledger.head == head
        assert found.refusal is None
        assert [each.now for each in found.accounts] == before
        ledger.reserve("2026", promise, what="table 3")
        after = [status_of(ledger.store, name).limits for name in ("2026", "ever")]
        assert [each.then for each in found.accounts] == after
        assert after != [each.limits for each in before]


def test_a_release_that_is_foreseen_not_to_fit_is_refused_for_the_same_reason(place: Place) -> None:
    with office(place()) as ledger:
        found = outlook_of(ledger, "2026", ZeroConcentratedDP(1.0))
        with pytest.raises(Refused, match="of account 2026 at every moment") as refused:
            ledger.reserve("2026", ZeroConcentratedDP(1.0), what="too much")
        assert found.refusal == refused.value.refusal
        assert not all(limit.kept for limit in found.accounts[0].then)
