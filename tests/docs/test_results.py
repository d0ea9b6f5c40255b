"""The pages of results are what is kept; scores have their interval."""

from __future__ import annotations

import importlib.util
import json
import sys

import pytest
from _generate.places import ROOT
from mpmath import findroot, mpf

sys.path.insert(0, str(ROOT))
from benchmarks import kept, results_page
from mutants import page

Z = mpf("1.959963984540054")


def test_the_page_of_benchmarks_is_what_is_kept():
    assert results_page.PAGE.read_text("utf-8") == results_page.page(*results_page.kept()), (
        "run python benchmarks/results_page.py"
    )


def test_the_page_of_changes_is_what_is_kept():
    assert page.PAGE.read_text("utf-8") == page.page(page.kept(), page.explained()), "run python -m mutants.page"


@pytest.mark.parametrize(("found", "of"), [(0, 10), (8, 10), (171, 200), (200, 200)])
def test_the_ends_of_the_interval_are_the_shares_that_the_score_test_just_accepts(found, of):
    for end, guess in zip(page.interval(found, of), (0.01, 0.99), strict=True):
        if 1e-12 < end < 1 - 1e-12:
            root = findroot(
                lambda p: (mpf(found) / of - p) ** 2 * of - mpf("1.959963984540054") ** 2 * p * (1 - p), end
            )
            assert end == pytest.approx(float(root), rel=1e-9)
        else:
            assert end == pytest.approx(round(guess), abs=1e-12)


def test_a_change_that_survives_is_listed_and_counts_against_the_score():
    row = {"file": "src/whit/ledger/a.py", "within": "f", "nth": 0, "line": 3, "was": "x < 1", "now": "(x <= 1)"}
    rows = [{**row, "outcome": "survived"}, {**row, "outcome": "found"}]
    text = page.page({"ledger": rows}, {})
    assert "| ledger | 2 of 200 | 1 | 50.0% |" in text
    assert text.count("- ledger/a.py, line 3: `x < 1` as `(x <= 1)`. No reason is known.") == 1
    explained = page.page({"ledger": rows}, {page.key(row): "It is never 1."})
    assert "| ledger | 2 of 200 | 1 | 50.0% |" in explained
    assert explained.count("- ledger/a.py, line 3: `x < 1` as `(x <= 1)`. It is never 1.") == 1


def test_every_reason_is_that_of_a_survivor():
    lived = {page.key(row) for rows in page.kept().values() for row in page.survivors(rows)}
    assert page.explained().keys() <= lived


def test_a_benchmark_is_kept_with_its_commit_and_what_it_printed(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "RESULTS", tmp_path)
    print_two = "print('rows  seconds'); print('1     0.1'); raise SystemExit({})"
    for name, status in (("won", 0), ("lost", 3)):
        benchmark = kept.Benchmark("a trial", kept.OWN, ("-c", print_two.format(status)))
        monkeypatch.setitem(kept.BENCHMARKS, name, benchmark)
        monkeypatch.setattr(kept, "_python", lambda _: sys.executable)
        assert kept.measured(name) == (status == 0)
        row = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))
        assert row["printed"] == ["rows  seconds", "1     0.1"]
        assert row["claims hold"] == (status == 0)
        assert row["commit"].startswith(kept._git("rev-parse", "--short=7", "HEAD"))
        told = results_page.page(*results_page.kept()[:2], [row])
        assert "## A trial" in told
        assert ("A claim was missed" in told) == (status != 0)
        assert "```text\nrows  seconds\n1     0.1\n```" in told


def test_every_benchmark_that_is_run_exists():
    for benchmark in kept.BENCHMARKS.values():
        assert (ROOT / benchmark.words[0]).is_file() or importlib.util.find_spec(benchmark.words[1])
