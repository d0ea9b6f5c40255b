"""A chain of whole hashes that no ledger has written is refused: anybody can make one, and its hashes show nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from whit.errors import InvalidInput, WhitError
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, export, restore, verify
from whit.ledger.chain import START, Event, canonical, digest

Tree = dict[str, Any]
Change = Callable[[list[Tree]], object]

LIMIT, TEST = "posterior=0.3, prior=0.1", "power=0.2, level=0.05"
SMALL = ZeroConcentratedDP(0.001)

POPULATION, YEARS, OPEN, QUOTA, PLAN, RESERVE, RECORD, CORRECT, APPROVE, RELEASE, REFUSE, CANCELLED, CANCEL = range(13)
TWO, PLAN_OF_TWO, APPROVE_OF_TWO, DOUBT, CANCEL_OF_TWO = range(13, 18)
"""The events of the ledger that is forged."""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of a ledger with every kind of event, as it wrote them."""
    file = io.StringIO()
    path = tmp_path_factory.mktemp("honest") / "office.ledger"
    with Ledger.create(path, actor="ada") as ledger:
        ledger.declare("people", parts=["north", "south"])
        ledger.open("years", "people", limits=[LIMIT], failure="0.01", books=["zcdp", "sums@1e-6"])
        ledger.open("2026", "people", limits=[LIMIT, TEST], failure="0.01", books=["zcdp"], within="years")
        ledger.limit_recipient("2026", "uni", {"zcdp": "0.02"})
        planned = ledger.plan("2026", SMALL, what="planned")
        ledger.reserve("2026", SMALL, what="reserved", key="once", parts=["north"], recipient="uni", minutes=5)
        recorded = ledger.record("2026", SMALL, what="recorded")
        ledger.correct(recorded.number, ZeroConcentratedDP(0.002), why="more")
        ledger.approve(planned.number, minutes=5)
        ledger.release(planned.number, artefact="sha256 1234")
        with pytest.raises(WhitError, match="must stay within the limit"):
            ledger.reserve("2026", ZeroConcentratedDP(1.0), what="too much")
        cancelled = ledger.reserve("2026", SMALL, what="cancelled")
        ledger.cancel(cancelled.number, statement="no output")
        ledger.open("two", "people", limits=[LIMIT], failure="0.01", books=["zcdp"], second_person=True)
        second = ledger.plan("two", SMALL, what="for two").number
    with Ledger(path, actor="ben") as ledger:
        ledger.approve(second)
        ledger.doubt(second, why="a crash")
        ledger.cancel(second, statement="no output")
        export(ledger.store, file)
    return file.getvalue().splitlines()


def forged(lines: list[str], change: Change) -> list[str]:
    """The lines with a change of their events, numbered and chained anew, as anybody can do it."""
    events = [json.loads(line) for line in lines]
    change(events)
    made, previous = [], START
    for number, event in enumerate(events, start=1):
        chained = {"number": number, "previous": previous, **{k: v for k, v in event.items() if k not in _CHAIN}}
        made.append(canonical({**chained, **event.get("forged", {})} if "forged" in event else chained))
        previous = digest(made[-1])
    return made


_CHAIN = ("number", "previous", "forged")


def restored(lines: list[str], path: Path) -> int:
    """How many events an import takes, which are then found whole."""
    with Ledger.create(path) as ledger:
        restore(ledger.store, lines)
        return verify(ledger.store).events


def entry(at: int, /, **fields: object) -> Change:
    """Other fields of the entry of an event."""
    return lambda events: events[at]["body"]["entry"].update(fields)


def charged(at: int, charge: object, book: str = "zcdp") -> Change:
    """Another charge of the entry of an event."""
    return lambda events: events[at]["body"]["entry"]["charges"].update({book: charge})


def body(at: int, /, **fields: object) -> Change:
    """Other fields of what an event was done with."""
    return lambda events: events[at]["body"].update(fields)


def event(at: int, /, **fields: object) -> Change:
    """Other fields of an event, of which the chain is made anew but for those of the chain itself."""
    return lambda events: events[at].update(fields | {"forged": fields})


def most(limit: str, book: str, total: str | None) -> Change:
    """Another largest total of the account years or 2026."""

    def change(events: list[Tree]) -> None:
        at = YEARS if book != "zcdp" or limit == "years" else OPEN
        written = next(text for text in events[at]["body"]["most"] if limit == "years" or text.startswith(limit[:5]))
        events[at]["body"]["most"][written][book] = total

    return change


def _twice(at: int) -> Change:
    return lambda events: events.append(dict(events[at]))


def _corrected(at: int, old: int) -> Change:
    """One more correction of an entry that does not count."""

    def change(events: list[Tree]) -> None:
        made = json.loads(json.dumps(events[at]))
        made["body"]["entry"]["corrects"] = old
        events.append(made)

    return change


def _renamed_limit(events: list[Tree]) -> None:
    """The totals of a weak limit under the name of a strict one."""
    tree = events[YEARS]["body"]
    [(_, by)] = tree["most"].items()
    strict = "posterior=0.11, prior=0.1, when=ever"
    tree.update({"limits": [strict], "most": {strict: by}})


def _not_ever(events: list[Tree]) -> None:
    """A limit that holds at the end only, which allows more than one at every moment."""
    tree = events[YEARS]["body"]
    tree.update({"limits": [LIMIT], "most": {LIMIT: next(iter(tree["most"].values()))}})


def _as_reserved(events: list[Tree]) -> None:
    """A refusal turned into a reservation."""
    events[REFUSE].update(act="reserve", body={"entry": events[REFUSE]["body"]["entry"]})


def _alone(events: list[Tree]) -> None:
    """A reservation in an account of two people."""
    del events[APPROVE_OF_TWO:]
    events[PLAN_OF_TWO]["act"] = "reserve"


def _overdue(events: list[Tree]) -> None:
    """A reservation that is past its time when the one who asked for it cancels it."""
    events[CANCELLED]["body"]["entry"]["until"] = events[CANCELLED]["at"]


def _corrected_overdue(events: list[Tree]) -> None:
    """The same after a correction, which makes nothing certain again."""
    _overdue(events)
    made = json.loads(json.dumps(events[CORRECT]))
    made["body"]["entry"].update(corrects=CANCELLED + 1, charges=events[CANCELLED]["body"]["entry"]["charges"])
    del events[CANCEL:]
    cancel = {**made, "act": "cancel", "body": {"of": CANCEL + 1, "statement": "no output"}}
    events += [{**each, "at": events[-1]["at"]} for each in (made, cancel)]


def _without_statement(events: list[Tree]) -> None:
    del events[CANCEL]["body"]["statement"]


NOT_DECIDED: Mapping[str, tuple[Change, str]] = {
    "a refusal that became a reservation": (_as_reserved, "its charge must fit account 2026"),
    "a reservation beyond a quota": (body(QUOTA, quota={"zcdp": "1/10000"}), "its charge must fit account 2026"),
    "a refusal of what fits": (charged(REFUSE, "1/10000"), "what is refused must not fit"),
    "a refusal with other totals": (
        lambda events: events[REFUSE]["body"]["refusal"]["before"].update(zcdp="1/100"),
        "its refusal must have the totals of the account",
    ),
    "a reservation by one person where two are needed": (_alone, "a reservation needs a second person"),
    "an approval by who asked": (event(APPROVE_OF_TWO, actor="ada"), "to approve a release needs another person"),
    "a cancellation of what is uncertain by who asked": (
        event(CANCEL_OF_TWO, actor="ada"),
        "to cancel an uncertain release needs another person",
    ),
    "a cancellation of what is overdue by who asked": (_overdue, "to cancel an uncertain release needs another person"),
    "a cancellation of what was corrected when overdue": (
        _corrected_overdue,
        "to cancel an uncertain release needs another person",
    ),
    "a cancellation without a statement": (_without_statement, "the statement must say that no output left"),
    "a cancellation with an empty statement": (body(CANCEL, statement=" "), "the statement must say that no output"),
    "a lower charge without an approver": (charged(CORRECT, "1/10000"), "a correction that lowers a charge needs"),
    "a lower charge that who asked approves": (
        lambda events: (charged(CORRECT, "1/10000")(events), entry(CORRECT, approver="ada")(events)),
        "a correction that lowers a charge needs",
    ),
    "a charge that is moved to a part": (entry(CORRECT, parts=["north"]), "a correction that moves a charge away"),
    "an entry of somebody else than who asks": (entry(RECORD, requester="ben"), "who asks must be ada"),
    "a clock that goes back": (event(QUOTA, at="2020-01-01T00:00:00.000000Z"), "its time must be 20.* or later"),
}
"""What every event says by itself could be so, but no ledger would have decided it; and the rule that it breaks."""


GIVES_BACK: Mapping[str, Change] = {
    **{f"a charge below 0 of event {at}": charged(at, "-5") for at in (PLAN, RESERVE, RECORD, CORRECT)},
    "a delta below 0": charged(RECORD, "1 -1/2", "sums@1e-6"),
    "a quota below 0": body(QUOTA, quota={"zcdp": "-1/50"}),
    "a total that its limit does not allow": most("posterior", "zcdp", "1000"),
    "a total a little above what is allowed": most("years", "sums@1e-6", "27/20 1/1000000"),
    "a delta that its limit does not allow": most("years", "sums@1e-6", "1 1/2"),
    "a total for a test that its limit does not allow": most("power", "zcdp", "1"),
    "totals of another limit": _renamed_limit,
    "a limit that holds at the end only": _not_ever,
    "an account that is opened anew": _twice(OPEN),
    "a population that is declared anew": _twice(POPULATION),
    "a cancelled entry that is corrected": _corrected(CORRECT, CANCELLED + 1),
    "a corrected entry that is corrected": _corrected(CORRECT, RECORD + 1),
    "an entry that says it was corrected": entry(RECORD, corrected_by=1),
    "an entry that says its state": entry(RECORD, state="planned"),
    "an account within itself": body(YEARS, within="years"),
    "a failure above 1": body(YEARS, failure="3/2"),
    "a failure below 0": body(YEARS, failure="-1/100"),
    "shares above the failure": body(YEARS, failure="1/1000"),
    "a share below 0": body(YEARS, books=[["zcdp", "-1/200"], ["sums@1e-6", "1/200"]]),
    "a book twice": body(YEARS, books=[["zcdp", "1/200"], ["zcdp", "1/200"], ["sums@1e-6", "0"]]),
}


NO_KIND: Mapping[str, Change] = {
    "no time": event(RECORD, at="now"),
    "a time without a zone": event(RECORD, at="2026-11-18T05:08:41.425003"),
    "a day that is none": event(RECORD, at="2026-13-40T05:08:41.425003Z"),
    "a time that is a number": event(RECORD, at=5),
    "an actor that is no text": event(RECORD, actor=5),
    "a key that is no text": event(RECORD, key=5),
    "a key that is a list": event(RECORD, key=["a"]),
    "a key without a digest": event(RECORD, key="k"),
    "a digest that is no text": event(RESERVE, request=7),
    "a digest that is none": event(RESERVE, request="abc"),
    "a digest without a key": event(RESERVE, key=""),
    "notes that are a text": event(RECORD, notes="abc"),
    "notes that are numbers": event(RECORD, notes=[1]),
    "a number that is true": event(POPULATION, number=True),
    "a number below 0": event(POPULATION, number=-1),
    "a number that is a text": event(POPULATION, number="1"),
    "a body that is a list": event(REFUSE, body=[]),
    "a promise that is no text": entry(RECORD, promise=5),
    "a promise with half a letter": entry(RECORD, promise="\ud800"),
    "a name that is no text": entry(RECORD, what=["x"]),
    "a requester that is no text": entry(RECORD, requester=5),
    "an account of an entry that is no text": entry(RECORD, account=5),
    "an account of an entry that is not there": entry(RECORD, account="2099"),
    "parts that are a text": entry(RECORD, parts="north"),
    "parts that are numbers": entry(RECORD, parts=[1]),
    "a part that is not there": entry(RECORD, parts=["west"]),
    "an end that is no time": entry(RESERVE, until="later"),
    "a correction that is true": entry(CORRECT, corrects=True),
    "a correction of a record": entry(RECORD, corrects=1),
    "a field that no entry has": entry(RECORD, colour="red"),
    "an unknown book": charged(RECORD, "1", "gold"),
    "a book that the account lacks": charged(RECORD, "1", "gdp"),
    "a book in other letters": charged(RECORD, "1", "ZCDP"),
    "too many numbers": charged(RECORD, "1/1000 1/1000"),
    "too few numbers": charged(RECORD, "1/1000", "sums@1e-6"),
    "no number": charged(RECORD, ""),
    "a number without end": charged(RECORD, "1" + "0" * 301),
    "a charge that is a number": charged(RECORD, 1),
    "charges that are a list": entry(RECORD, charges=[]),
    "a quota in an unknown book": body(QUOTA, quota={"gdp": "1"}),
    "a quota of two numbers": body(QUOTA, quota={"zcdp": "1 1"}),
    "a quota without an end": body(QUOTA, quota={"zcdp": None}),
    "a quota of no book": body(QUOTA, quota={}),
    "a quota of nobody": body(QUOTA, recipient=5),
    "a quota of no account": body(QUOTA, account=["2026"]),
    "an approval until later": body(APPROVE, until="later"),
    "an approval of true": body(APPROVE, of=True),
    "an artefact that is no text": body(RELEASE, artefact=5),
    "a statement that is no text": body(CANCEL, statement=["x"]),
    "a refusal of nothing": body(REFUSE, refusal={}),
    "a refusal with totals below 0": lambda events: events[REFUSE]["body"]["refusal"]["after"].update(zcdp="-1"),
    "a population without a name": body(POPULATION, name=""),
    "a population of an unknown relation": body(POPULATION, neighbours="FRIENDS"),
    "a population whose parts are a text": body(POPULATION, parts="ab"),
    "a population of no unit": body(POPULATION, unit={"name": 5, "period": "a day"}),
    "an account that is no text": body(OPEN, name=5),
    "an account about nobody": body(OPEN, population="nobody"),
    "an account within a number": body(OPEN, within=5),
    "an account within another one that is not there": body(OPEN, within="2099"),
    "a period that is no text": body(OPEN, period=5),
    "two people that are a text": body(OPEN, second_person="no"),
    "two people that are true": body(OPEN, second_person=True),
    "limits that are a text": body(OPEN, limits=LIMIT),
    "no limits": body(OPEN, limits=[], most={}),
    "a failure that is a number": body(OPEN, failure=0),
    "no books": body(OPEN, books=[]),
    "totals in another book": most("posterior", "gdp", "1/100"),
    "totals of two numbers": most("posterior", "zcdp", "1/100 1/100"),
    "totals below 0": most("posterior", "zcdp", "-1/100"),
}


def test_the_honest_lines_are_taken_also_when_they_are_chained_anew(honest: list[str], tmp_path: Path) -> None:
    assert forged(honest, lambda _: None) == honest
    assert restored(honest, tmp_path / "new.ledger") == len(honest)


@pytest.mark.parametrize(("total", "events"), [("1/100", None), (None, RESERVE)])
def test_an_account_that_allows_less_than_its_limit_is_taken(
    honest: list[str], tmp_path: Path, total: str | None, events: int | None
) -> None:
    """An earlier version may have allowed less; where it allowed nothing, no reservation follows."""
    whole = honest[:events]
    lines = forged(whole, most("years", "zcdp", total))
    assert lines != whole
    assert restored(lines, tmp_path / "new.ledger") == len(whole)


def test_an_account_of_another_machine_may_differ_in_the_last_digits(honest: list[str], tmp_path: Path) -> None:
    def change(events: list[Tree]) -> None:
        [by] = events[YEARS]["body"]["most"].values()
        total, whole = map(int, by["zcdp"].split("/"))
        by["zcdp"] = f"{total + 1}/{whole}"

    assert restored(forged(honest, change), tmp_path / "new.ledger") == len(honest)


@pytest.mark.parametrize("how", [*GIVES_BACK, *NO_KIND])
def test_what_no_ledger_would_have_written_is_refused_in_a_sentence(
    honest: list[str], tmp_path: Path, how: str
) -> None:
    lines = forged(honest, {**GIVES_BACK, **NO_KIND}[how])
    assert lines != honest
    with Ledger.create(tmp_path / "new.ledger") as ledger:
        with pytest.raises(WhitError, match=r"; got |^No |must be"):
            restore(ledger.store, lines)
        assert ledger.head == (0, START)


@pytest.mark.parametrize("how", GIVES_BACK)
def test_a_file_with_what_no_ledger_would_have_written_is_not_whole(
    honest: list[str], tmp_path: Path, how: str
) -> None:
    """Whoever can write to the file needs no import."""
    lines = forged(honest, GIVES_BACK[how])
    with Ledger.create(tmp_path / "new.ledger") as ledger:
        for number, line in enumerate(lines, start=1):
            ledger.store.execute(
                "INSERT INTO event (number, hash, line) VALUES (?, ?, ?)", (number, digest(line), line)
            )
        ledger.store.put("head", canonical([len(lines), digest(lines[-1])]))
        with pytest.raises(WhitError, match=r"^(?!.*must be what the events of the ledger say)"):
            verify(ledger.store)


@pytest.mark.parametrize("how", NOT_DECIDED)
def test_what_no_ledger_would_have_decided_is_neither_taken_nor_whole(
    honest: list[str], tmp_path: Path, how: str
) -> None:
    change, rule = NOT_DECIDED[how]
    lines = forged(honest, change)
    assert lines != honest
    said = f"event .* must be one that a ledger writes; got one that breaks a rule: {rule}"
    with Ledger.create(tmp_path / "new.ledger") as ledger:
        with pytest.raises(InvalidInput, match=said):
            restore(ledger.store, lines)
        assert ledger.head == (0, START)
        for line in lines:
            ledger.store.append(Event.of_line(line))
        with pytest.raises(InvalidInput, match=said):
            verify(ledger.store)


def test_a_quota_of_an_earlier_version_is_not_asked_of_what_came_after_it(honest: list[str], tmp_path: Path) -> None:
    """Version 0.1.0 counted from the quota on, so that an honest ledger of it may have given more."""

    def change(events: list[Tree]) -> None:
        events[QUOTA]["body"].update(quota={"zcdp": "1/10000"})
        del events[QUOTA]["body"]["counts"]

    assert restored(forged(honest, change), tmp_path / "new.ledger") == len(honest)
