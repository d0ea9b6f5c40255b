"""A small share of what `make fuzz` runs; the same seed draws the same inputs, and what is wrong is found."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from fuzz import judge, office
from fuzz.draw import Draw
from fuzz.readers import READERS
from fuzz.run import TARGETS, run

SLOWER = ("processes", "command_lines", "questions")
QUICK = [each for each in TARGETS if each not in SLOWER]


@pytest.mark.parametrize("target", QUICK)
def test_broken_files_are_answered_or_refused(target):
    done, found = run(target, seed=11, number=60, seconds=60)
    assert (done, found) == (60, {})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("target", ["questions", "command_lines"])
def test_questions_and_command_lines_are_answered_or_refused(target):
    _, found = run(target, seed=11, number=300, seconds=300)
    assert found == {}


@pytest.mark.parametrize("reader", READERS, ids=lambda each: each.name)
def test_every_kept_text_is_taken_and_a_seed_draws_the_same_again(reader):
    for text in reader.seeds:
        assert reader.read(text)
    assert reader.drawn(Draw(3)) == reader.drawn(Draw(3)) != reader.drawn(Draw(4))


def test_a_ledger_is_asked_that_is_there_and_one_that_was_cut_off_is_found(tmp_path):
    draw = Draw(5)
    lines = [office.line(draw, tmp_path) for _ in range(40)]
    assert {line[0] for line in lines} == {"ledger"}
    whole = tmp_path / office.WHOLE
    assert office.is_whole(whole)
    whole.write_bytes(whole.read_bytes()[:20_000])
    assert not office.is_whole(whole)


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: "at most nan %", "nan"),
        (lambda: time.sleep(3), "more than"),
    ],
)
def test_what_must_not_happen_is_found(monkeypatch, work, said):
    monkeypatch.setattr(judge, "STUCK", 0.2)
    found = judge.judged("x", "an input", work)
    assert found is not None
    assert said in found.what


def test_a_nan_that_somebody_wrote_and_one_that_is_ruled_out_are_none():
    assert judge.judged("x", "prior = nan", lambda: "prior must be a number; got nan.") is None
    assert judge.judged("x", r'{"text": "\nnan = 1"}', lambda: "nan is not known.") is None
    assert judge.judged("x", "prior = []", lambda: "Give a number without nan.") is None
