"""Who asks: the user of the machine, unless somebody is named; and nobody has to be where nothing is entered."""

from __future__ import annotations

import getpass

import pytest

from whit.errors import InvalidInput
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, status_of, user_here, verify


@pytest.fixture
def nameless(monkeypatch):
    """The user has a number and no name, as in a container."""

    def unknown():
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr(getpass, "getuser", unknown)


@pytest.mark.usefixtures("nameless")
def test_a_user_without_a_name_can_read_and_is_asked_for_one_before_anything_is_entered(tmp_path):
    place = tmp_path / "a.ledger"
    with Ledger.create(place, actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=["posterior=0.3, prior=0.1"], failure="0.01", books=["zcdp"])
        head = ledger.head
    with Ledger(place) as ledger:
        assert status_of(ledger.store, "2026").kept
        assert verify(ledger.store).head == head[1]
        with pytest.raises(
            InvalidInput, match="the actor must have a name; got user .* Set the .* USER, or give the name"
        ):
            ledger.reserve("2026", ZeroConcentratedDP(0.001), what="table 1")
        with pytest.raises(InvalidInput, match="the actor must have a name"):
            ledger.declare("patients")
        assert ledger.head == head


def test_the_user_of_the_machine_asks_where_nobody_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "grace")
    assert user_here() == "grace"
    with Ledger.create(tmp_path / "a.ledger") as ledger:
        assert ledger.actor == "grace"
    with Ledger(tmp_path / "a.ledger", actor="ada") as ledger:
        assert ledger.actor == "ada"


def test_a_name_that_is_none_is_refused_when_the_ledger_is_opened(tmp_path):
    with pytest.raises(InvalidInput, match="the actor must be a short name"):
        Ledger.create(tmp_path / "a.ledger", actor=" ada ")
