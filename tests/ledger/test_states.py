"""The whole state machine against a model in fractions: any order of operations, crashes between them included."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from whit.errors import Incompatible
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, Refused, verify
from whit.ledger.amounts import Spent, added, exact
from whit.policy import limits

NOTHING = ZeroConcentratedDP(0.0)
PARTS = ("north", "south")
CHARGES = st.builds(Fraction, st.integers(0, 9), st.integers(100, 1000))
SOME_PARTS = st.lists(st.sampled_from(PARTS), max_size=2, unique=True)
COUNTING = ("reserved", "released", "uncertain", "withdrawn")
AFTER = {
    ("planned", "approve"): "reserved",
    ("planned", "cancel"): "cancelled",
    ("reserved", "release"): "released",
    ("reserved", "cancel"): "cancelled",
    ("reserved", "doubt"): "uncertain",
    ("uncertain", "release"): "released",
    ("uncertain", "cancel"): "cancelled",
    ("released", "withdraw"): "withdrawn",
}
SAID: dict[str, dict[str, str]] = {
    "cancel": {"statement": "no output"},
    "doubt": {"why": "who knows"},
    "withdraw": {"why": "wrong"},
}


class Office(RuleBasedStateMachine):
    """A ledger, and what its entries should be."""

    entries = Bundle("entries")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "office.ledger"
        self.model: dict[int, tuple[str, Fraction, tuple[str, ...]]] = {}
        with Ledger.create(self.path, actor="ada") as ledger:
            ledger.declare("people", parts=PARTS)
            limit = limits.posterior(0.3, prior=0.1)
            account = ledger.open("2026", "people", limits=[limit], failure="0.01", books=["zcdp"])
        [self.most] = next(iter(account.most.values()))["zcdp"] or ()
        self.ledger = Ledger(self.path, actor="ada")

    def total(self, without: int = 0, more: Fraction = Fraction(0), parts: tuple[str, ...] = ()) -> Fraction:
        """What the worst part has spent by the model."""
        counted = [each for number, each in self.model.items() if each[0] in COUNTING and number != without]
        counted.append(("reserved", more, parts))
        return max(sum((c for _, c, about in counted if not about or part in about), Fraction(0)) for part in PARTS)

    @rule(target=entries, charge=CHARGES, parts=SOME_PARTS)
    def reserve(self, charge: Fraction, parts: list[str]) -> Any:
        fits = self.total(more=charge, parts=tuple(parts)) <= self.most
        try:
            receipt = self.ledger.reserve("2026", NOTHING, what="x", charges={"zcdp": charge}, parts=parts)
        except Refused:
            assert not fits
            return multiple()
        assert fits
        self.model[receipt.number] = ("reserved", charge, tuple(parts))
        return receipt.number

    @rule(target=entries, charge=CHARGES)
    def record(self, charge: Fraction) -> int:
        number = self.ledger.record("2026", NOTHING, what="x", charges={"zcdp": charge}).number
        self.model[number] = ("released", charge, ())
        return number

    @rule(target=entries, charge=CHARGES, parts=SOME_PARTS)
    def plan(self, charge: Fraction, parts: list[str]) -> int:
        number = self.ledger.plan("2026", NOTHING, what="x", charges={"zcdp": charge}, parts=parts).number
        self.model[number] = ("planned", charge, tuple(parts))
        return number

    @rule(number=entries, operation=st.sampled_from(["approve", "release", "cancel", "doubt", "withdraw"]))
    def move(self, number: int, operation: str) -> None:
        state, charge, parts = self.model[number]
        after = AFTER.get((state, operation))
        alone = operation == "cancel" and state == "uncertain"
        refused = operation == "approve" and after and self.total(more=charge, parts=parts) > self.most
        try:
            getattr(self.ledger, operation)(number, **SAID.get(operation, {}))
        except Incompatible:
            assert after is None or alone
            return
        except Refused:
            assert refused
            return
        assert after is not None
        assert not alone
        assert not refused
        self.model[number] = (after, charge, parts)

    @rule(target=entries, number=consumes(entries), charge=CHARGES, approver=st.sampled_from(["", "ada", "ben"]))
    def correct(self, number: int, charge: Fraction, approver: str) -> Any:
        state, old, parts = self.model[number]
        allowed = state in COUNTING and (charge >= old or approver == "ben")
        try:
            receipt = self.ledger.correct(number, NOTHING, why="x", charges={"zcdp": charge}, approver=approver)
        except Incompatible:
            assert not allowed
            return number
        assert allowed
        self.model[number] = ("corrected", old, ())
        self.model[receipt.number] = (state, charge, parts)
        return receipt.number

    @rule()
    def crash(self) -> None:
        """The process ends in the middle of a transaction; another one goes on."""
        with suppress(ZeroDivisionError), self.ledger.store.writing():
            self.ledger.store.put("position/2026", "{}")
            raise ZeroDivisionError
        self.ledger.close()
        self.ledger = Ledger(self.path, actor="ada")

    @invariant()
    def totals_are_those_of_the_model(self) -> None:
        assert self.ledger.position("2026").totals["zcdp"] == (self.total(),)

    def teardown(self) -> None:
        verify(self.ledger.store)
        for number, (state, charge, _) in self.model.items():
            entry = self.ledger.entry(number)
            assert entry.charges["zcdp"] == (charge,)
            assert bool(entry.corrected_by) == (state == "corrected")
            assert state in ("corrected", entry.state.value)
        self.ledger.close()
        self.folder.cleanup()


Office.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
TestOffice = Office.TestCase


def test_a_million_charges_of_a_third_add_up_exactly() -> None:
    total: Any = (Fraction(0),)
    third = (exact("a charge", "1/3"),)
    for _ in range(10**6):
        total = added(total, third)
    assert total == (Fraction(10**6, 3),)
    assert Spent((Fraction(1, 3),)).plus((Fraction(2, 3),), ()).total == (1,)
