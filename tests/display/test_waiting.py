"""The sign that something is at work: what it says, where it goes, and that an interrupt ends it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, active_count
from typing import Any

import pytest

from whit.apps.cli.output import counted, working
from whit.assessment import assess
from whit.display import progress, steps, waiting
from whit.guarantees import PureDP
from whit.mechanisms import Geometric
from whit.policy import frontier, limits, recommend
from whit.telling.reports import report

LONGEST = 60.0
"""So many seconds a test waits for what comes at once."""


class Recording(waiting._Sign):
    """A sign that keeps what it was to show, and says when that was."""

    interval = 0.001

    def __init__(self) -> None:
        self.told: list[str] = []
        self.shares: list[float | None] = []
        self.last: str | None = None
        self.shown = Event()

    def show(self, work: Any) -> None:
        self.told.append(str(work))
        self.shares.append(work.share)
        self.shown.set()

    def end(self, last: str) -> None:
        self.last = last

    def next(self) -> str:
        """What is told from now on."""
        self.shown.clear()
        assert self.shown.wait(LONGEST)
        self.shown.clear()
        assert self.shown.wait(LONGEST)  # the first may have been under way
        return self.told[-1]


@pytest.fixture
def sign(monkeypatch: pytest.MonkeyPatch) -> Recording:
    found = Recording()
    monkeypatch.setattr(waiting, "_sign", lambda: found)
    return found


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_steps_pass_on_everything_where_nothing_is_shown():
    assert list(steps(iter("abc"), "letter", 3)) == ["a", "b", "c"]


def test_the_sign_says_what_is_done_and_for_how_long(sign):
    with progress("Assessing", patience=0.0):
        assert sign.next().startswith("Assessing: 0 s")
    assert sign.last == ""


def test_the_sign_says_how_many_are_done(sign):
    with progress("Assessing", patience=0.0):
        told = [sign.next().partition(", ")[2] for _ in steps("ab", "promise", 2)]
        after = sign.next()
    assert told == ["promise 1 of 2", "promise 2 of 2"]
    assert "of 2" not in after


def test_inner_steps_count_as_part_of_an_outer_one(sign):
    shares = []
    with progress(patience=0.0):
        for _ in steps("ab", "promise", 2):
            for _ in steps("xyzw", "question", 4):
                sign.next()
                shares.append(sign.shares[-1])
    assert shares == [place / 8 for place in range(8)]


def test_more_steps_than_were_announced_do_not_go_beyond_the_end(sign):
    with progress(patience=0.0):
        for _ in steps("abc", "promise", 2):
            pass
        for _ in steps("a", "promise", 0):
            assert sign.next().endswith("promise 1 of 1")
    assert all(share is None or 0.0 <= share <= 1.0 for share in sign.shares)


def test_nothing_is_shown_of_what_ends_soon(sign):
    with progress(patience=LONGEST):
        pass
    assert sign.told == []


def test_an_interrupt_ends_the_work_and_the_sign(sign):
    threads = active_count()
    with pytest.raises(KeyboardInterrupt, match="^$"), progress("Assessing", patience=0.0):
        _interrupted(sign)
    assert sign.last is not None
    assert sign.last.startswith("Assessing: stopped after")
    assert active_count() == threads
    assert list(steps("a", "letter", 1)) == ["a"]


def _interrupted(sign: Recording) -> None:
    sign.next()
    raise KeyboardInterrupt


def test_an_error_goes_through_as_it_is(sign):
    with pytest.raises(ValueError, match="mine"), progress(patience=LONGEST):
        raise ValueError("mine")


def test_one_sign_inside_another_leaves_the_outer_one_as_it_was(sign):
    with progress("Outer", patience=0.0):
        with progress("Inner", patience=0.0):
            pass
        inside = [sign.next() for _ in steps("a", "letter", 1)]
    assert inside[0].startswith("Outer: ")
    assert inside[0].endswith("letter 1 of 1")


def test_a_log_gets_whole_lines(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    log = waiting._sign()
    log.show(waiting._Work("Assessing"))
    log.end("")
    assert stream.getvalue() == "Assessing: 0 s. Ctrl-C ends it.\n"


def test_a_line_on_a_terminal_is_written_over_and_taken_away(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    line = waiting._sign()
    line.show(waiting._Work("Assessing the promise"))
    line.show(waiting._Work("Assessing"))
    line.end("")
    first, second, third, rest = stream.getvalue().split("\r")[1:]
    assert first == "Assessing the promise: 0 s. Ctrl-C ends it."
    assert second == "Assessing: 0 s. Ctrl-C ends it.".ljust(len(first))
    assert third == " " * len(second.rstrip())  # the rest is empty already
    assert rest == ""


def test_a_line_that_was_stopped_says_so(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    line = waiting._sign()
    line.end("Assessing: stopped.")
    assert stream.getvalue() == ""  # nothing was shown before
    line.show(waiting._Work("x" * 1000))
    line.end("Assessing: stopped.")
    assert stream.getvalue().endswith("\rAssessing: stopped.\n")
    assert max(map(len, stream.getvalue().split("\r"))) < 1000


def test_without_a_stream_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with progress(patience=0.0):
        pass
    assert sys.stderr is None


def test_a_closed_stream_does_not_end_the_work(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    done = []
    with progress(patience=0.0):
        stream.close()
        done.append(1)
    assert done == [1]


class _Counted:
    """What passes through steps, by name."""

    def __init__(self) -> None:
        self.loops: dict[str, int] = {}

    def __call__(self, many: Any, what: str, total: int) -> Iterator[Any]:
        listed = list(many)
        assert len(listed) == total
        self.loops[what] = total
        return iter(listed)


def test_long_calls_say_how_many_of_their_parts_are_done(monkeypatch):
    counting = _Counted()
    for module in ("whit.assessment.assess", "whit.policy.noise_cost"):  # a function of the package has a module's name
        monkeypatch.setattr(sys.modules[module], "steps", counting)
    assess([PureDP(1.0), PureDP(2.0)], questions=["power", "posterior"])
    frontier([limits.posterior(p, prior=0.1) for p in (0.2, 0.3, 0.4)], Geometric)
    assert counting.loops == {"promise": 2, "question": 2, "requirement": 3}


class Watched(Recording, waiting._Line):
    """A sign on a terminal that somebody looks at."""


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    found = Watched()
    monkeypatch.setattr(waiting, "_sign", lambda: found)
    monkeypatch.setattr(waiting, "PATIENCE", 0.001)
    return found


@pytest.mark.parametrize(
    ("call", "module", "part", "said"),
    [
        (lambda: assess(PureDP(1.0)), "whit.assessment.assess", "concerning", "Assessing"),
        (
            lambda: recommend(limits.ratio(2.0), PureDP),
            "whit.policy.recommendation",
            "criterion_of",
            "Looking for the least noise",
        ),
        (lambda: report("a.toml", "b.md"), "whit.telling.reports.report", "_target", "Writing the report"),
    ],
)
def test_long_calls_show_a_sign_by_themselves_where_somebody_looks(call, module, part, said, watched, monkeypatch):
    def held(*_: object, **__: object) -> None:
        """A part of the call that does not end before the sign is there."""
        raise LookupError(watched.next())

    monkeypatch.setattr(sys.modules[module], part, held)
    with pytest.raises(LookupError, match=f"^{said}: "):
        call()
    assert watched.last.startswith(f"{said}: stopped")


def test_a_call_inside_of_another_shows_no_sign_of_its_own(watched):
    with waiting.at_work("Outer"), waiting.at_work("Inner"):
        assert watched.next().startswith("Outer: ")
    assert not any(told.startswith("Inner") for told in watched.told)


def test_no_sign_is_shown_where_the_caller_shows_one(watched):
    with waiting.shown_elsewhere(), waiting.at_work("Assessing"):
        assert not watched.shown.wait(0.05)
    with waiting.at_work("Assessing"):
        assert watched.shown.wait(LONGEST)


def test_no_sign_is_shown_in_a_log_or_from_a_thread_of_a_server(watched, monkeypatch):
    def hidden() -> None:
        with waiting.at_work("Assessing"):
            assert not watched.shown.wait(0.05)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(hidden).result()
    monkeypatch.setattr(waiting, "_sign", waiting._Log)
    hidden()


def test_the_command_line_shows_its_own_sign_alone(watched):
    with working("Assessing"), waiting.at_work("Again"):
        assert not watched.shown.wait(0.05)
    for _ in counted([1], 1, "Assessing"):
        with waiting.at_work("Again"):
            assert not watched.shown.wait(0.05)
