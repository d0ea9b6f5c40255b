from __future__ import annotations

import json
import re
import sys
import time

import pytest
from click.testing import CliRunner

from whit.apps.asking import Answers, Named
from whit.apps.cli import output, whit
from whit.apps.cli.output import show, tell
from whit.assessment import Unanswered
from whit.theory import Basis, Direction, Finding, Quantity, Unit


class Terminal:
    """Standard output or error that says it is a terminal."""

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def isatty(self):
        return True


def test_plain_columns_line_up_and_the_last_is_as_long_as_it_likes(capsys):
    show(("a", "b"), [("1", "x" * 200), ("long", "y")], title="title")
    assert capsys.readouterr().out.splitlines() == ["title", "", "a     b", f"1     {'x' * 200}", "long  y"]


def test_on_a_terminal_a_table_is_wrapped_and_says_the_same(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys, "stdout", Terminal(sys.stdout))
    show(("question", "answer"), [("one [bold]", "two " * 40)])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.count("two") for line in lines) == 40
    assert any("one [bold]" in line for line in lines)


def test_what_is_quick_gives_no_sign_of_life(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal(sys.stderr))
    with output.working("Looking"):
        pass
    assert capsys.readouterr().err == ""


def test_what_takes_long_says_so_to_somebody_who_looks(capsys, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 0.05)
    monkeypatch.setattr(sys, "stderr", Terminal(sys.stderr))
    with output.working("Looking"):
        time.sleep(0.6)
    assert "Looking" in capsys.readouterr().err


def test_what_is_quick_says_nothing_where_nobody_looks(capsys, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 0.0)
    with output.working("Looking"):
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_what_takes_long_says_so_line_by_line_where_nobody_looks(capsys, monkeypatch):
    monkeypatch.setattr(output, "INTERVAL", 0.05)
    with output.working("Looking"):
        time.sleep(0.3)
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) >= 2
    assert all(re.fullmatch(r"Looking: still at work after \d+ s. Ctrl-C ends it.", line) for line in err.splitlines())
    time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_reading_a_long_file_says_so_too(monkeypatch, tmp_path):
    monkeypatch.setattr(output, "INTERVAL", 0.001)
    beliefs = [(place + 1) / 100 for place in range(100)]
    rows = [f"{inclusion},{value},3" for inclusion in beliefs for value in beliefs]
    (tmp_path / "long.csv").write_text("\n".join(["inclusion,value,relative", *rows]), encoding="utf-8")
    asked = ["check", "--epsilon", "1", "--profile", f"table={tmp_path / 'long.csv'}"]
    assert "Reading the limits and profiles: still at work" in CliRunner().invoke(whit, asked).stderr
    plan = "\n".join(["name,level,rho", *(f"q{place},Town,1/{place}" for place in range(1, 3001))])
    (tmp_path / "many.csv").write_text(plan, encoding="utf-8")
    head = 'name = "p"\nunit = "person"\nneighbours = "replace"\nlevels = ["Town"]\nqueries = "many.csv"\n'
    (tmp_path / "many.toml").write_text(head, encoding="utf-8")
    found = CliRunner().invoke(whit, ["plan", str(tmp_path / "many.toml"), "--about", "age"])
    assert "Reading the plan: still at work" in found.stderr


def test_what_is_counted_says_how_many_are_done(capsys, monkeypatch):
    monkeypatch.setattr(output, "INTERVAL", 0.05)
    for _ in output.counted([1, 2, 3], 3, "Drawing"):
        time.sleep(0.2)
    said = capsys.readouterr().err.splitlines()
    assert [int(re.match(r"Drawing, (\d) of 3 done: ", line)[1]) for line in said] == sorted(
        int(re.match(r"Drawing, (\d)", line)[1]) for line in said
    )
    assert said[0].startswith("Drawing, 0 of 3 done: still at work")
    assert said[-1].startswith("Drawing, 2 of 3 done: still at work")


def slowly_refused():
    with output.working("Looking"):
        time.sleep(0.3)
        raise ValueError("stop")


def test_the_sign_of_life_ends_with_an_error(capsys, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 0.01)
    monkeypatch.setattr(sys, "stderr", Terminal(sys.stderr))
    with pytest.raises(ValueError, match="stop"):
        slowly_refused()
    before = capsys.readouterr().err
    time.sleep(0.2)
    assert "Looking" in before
    assert capsys.readouterr().err == ""


REFUSED = Unanswered("nothing is known.")
FOUND = Finding(Quantity("power", Unit.PROBABILITY), 0.5, Direction.AT_MOST, {}, Basis.of("neyman-pearson"))


def test_questions_that_are_left_open_for_one_reason_share_a_row_and_answers_do_not(capsys):
    named = [Named("a_b", "x", REFUSED), Named("one", "x", FOUND), Named("c.d", "x", REFUSED), Named("two", "x", FOUND)]
    named.append(Named("other", "x", Unanswered("another.")))
    tell(Answers("assess", {}, tuple(named)), as_json=False)
    assert [re.split("  +", line) for line in capsys.readouterr().out.splitlines()] == [
        ["question", "answer"],
        ["a b, c, d", "not answered: nothing is known."],
        ["one", "power is at most 50 %"],
        ["two", "power is at most 50 %"],
        ["other", "not answered: another."],
    ]


def test_the_document_keeps_every_question_that_was_left_open(capsys):
    tell(Answers("assess", {}, (Named("a", "x", REFUSED), Named("b", "x", REFUSED))), as_json=True)
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert [(each["name"], each["unanswered"]) for each in answers] == [(name, REFUSED.reason) for name in "ab"]


def test_a_table_may_say_it_in_other_words_and_the_document_does_not(capsys):
    answers = Answers("assess", {}, (Named("a", "x", FOUND, "half"),))
    tell(answers, as_json=False)
    assert "half" in capsys.readouterr().out
    tell(answers, as_json=True)
    assert json.loads(capsys.readouterr().out)["answers"][0]["sentence"] == "power is at most 50 %"


def test_a_table_for_each_who_asks(capsys):
    tell(Answers("assess", {}, (Named("a", "x", FOUND, by="one"), Named("a", "x", FOUND, by="two"))), as_json=False)
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert lines == ["One", "question  answer", "a         power is at most 50 %", "Two", *lines[1:3]]


def test_powers_stand_above_the_line_where_the_terminal_can_show_them(capsys, monkeypatch):
    output.speak("(t - 1)^2")
    assert capsys.readouterr().out == "(t - 1)^2\n"
    monkeypatch.setattr(sys, "stdout", Terminal(sys.stdout))
    output.speak("(t - 1)^2")
    assert capsys.readouterr().out == "(t - 1)²\n"
