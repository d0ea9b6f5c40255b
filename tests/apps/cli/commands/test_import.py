"""`whit import`: what a file of another library promises, what it leaves open, and what becomes of it in a ledger."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import mpmath
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.exchange import OpenPoint
from whit.ledger import Ledger

RESPONSE = {"__function__": "make_randomized_response_bool", "__kwargs__": {"prob": 0.75}}
LAPLACE = {"class_name": "LaplaceDpEvent", "noise_multiplier": 2.0}
STATE = {"history": [[2.0, 1, 1]], "mechanism": "rdp"}
REAL = {"__function__": "atom_domain", "__kwargs__": {"T": "f64"}}
NOISE = {"__function__": "make_laplace", "__kwargs__": {"input_domain": REAL, "scale": 2.0}}


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A function that writes a tree into a file of the present folder, and names it."""
    monkeypatch.chdir(tmp_path)

    def save(tree: object) -> str:
        Path("release.json").write_text(json.dumps(tree), encoding="utf-8")
        return "release.json"

    return save


def run(*arguments: str, code: int = 0):
    result = CliRunner().invoke(whit, ["import", *arguments])
    assert result.exit_code == code, result.output
    return result


def test_the_promise_comes_first_then_what_is_open_then_what_it_means(saved):
    lines = run(saved(LAPLACE), "--prior", "0.1", "--at-delta", "0").stdout.splitlines()
    assert (
        lines[0]
        == "Read from event LaplaceDpEvent: Laplace noise, scale = 2, sensitivity 1 (2 if a record is replaced)."
    )
    points = [OpenPoint.UNIT, OpenPoint.NEIGHBOURS, OpenPoint.NORM]
    assert lines[2:6] == ["The source leaves 3 points open:", *(f"- {each.value}" for each in points)]
    table = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines[8:]]
    # The losses are 1/2 and 1; odds of 1 to 9 become at most e^loss to 9.
    belief = [float(mpmath.exp(loss) / (mpmath.exp(loss) + 9)) for loss in (0.5, 1.0)]
    assert belief == pytest.approx([0.1548, 0.2320], abs=1e-4)
    assert table == [
        ["question", "if a record is added or removed", "if a record is replaced"],
        ["posterior from a prior of 10 %", "at most 15.5 %", "at most 23.2 %"],
        ["epsilon at delta 0", "exactly 0.5", "exactly 1"],
    ]


def test_what_is_open_is_asked_for_and_may_be_settled(saved):
    assert "Ask whoever ran it, and say what you know: --settle unit=person." in run(saved(LAPLACE)).stdout
    said = run(
        saved(LAPLACE), "--settle", "unit=one person", "--settle", "neighbours=replace", "--at-delta", "0"
    ).stdout
    assert "You say: unit is one person, neighbours is replace." in said
    assert [each for each in OpenPoint if each.value in said] == [OpenPoint.NORM]
    assert "added or removed" not in said
    assert said.splitlines()[-1].split() == ["epsilon", "at", "delta", "0", "exactly", "1"]
    points = [word for each in ("unit=person", "neighbours=add-remove", "norm=enforced") for word in ("--settle", each)]
    tree = json.loads(run(saved(LAPLACE), *points, "--json").stdout)
    assert tree["result"]["open"] == []
    assert tree["result"]["settled"] == {"unit": "person", "neighbours": "add-remove", "norm": "enforced"}
    assert "open" not in run(saved(LAPLACE), *points).stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("unit", "--settle must be a point and what you know of it; got unit"),
        ("sampling=poisson", "the point of --settle cannot be sampling"),
        ("neighbours=local", "neighbours cannot be local"),
        ("norm=perhaps", "--settle norm must be enforced; got perhaps"),
    ],
)
def test_what_cannot_be_settled_is_refused(given, said, saved):
    assert said in run(saved(LAPLACE), "--settle", given, code=2 if "perhaps" not in given else 3).stderr


def test_neighbours_that_the_source_settles_have_one_column(saved):
    assert "replaced  " not in run(saved(STATE)).stdout
    head = next(line for line in run(saved(STATE)).stdout.splitlines() if line.startswith("question"))
    assert head.split("  ")[-1].strip() == "if a record is added or removed"
    head = next(line for line in run(saved(RESPONSE)).stdout.splitlines() if line.startswith("question"))
    assert head.split("  ")[-1].strip() == "of one person's own report"


def test_the_failure_is_that_of_the_option_and_else_one_in_a_hundred_where_nothing_holds_always(saved):
    assert "except with probability 1 %" in run(saved(STATE)).stdout
    assert "except with probability 5 %" in run(saved(STATE), "--failure", "0.05").stdout
    assert "except with" not in run(saved(RESPONSE)).stdout


def test_the_document_has_the_findings_and_the_open_points(saved):
    tree = json.loads(run(saved(NOISE), "--d-in", "1", "--json").stdout)
    assert list(tree) == ["whit", "layout", "command", "asked", "answers", "notes", "result"]
    assert tree["asked"]["d_in"] == 1.0
    assert tree["result"]["source"] == "OpenDP measurement"
    assert tree["result"]["words"] == "Laplace noise, scale = 2"
    assert [each["point"] for each in tree["result"]["open"]] == ["unit", "neighbours", "grid"]
    names = [(each["name"], each["finding"]["inputs"]["neighbours"]) for each in tree["answers"]]
    both = ("ADD_REMOVE", "REPLACE")
    assert names == [(name, relation) for relation in both for name in ("posterior", "epsilon.1e-6")]


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ({"class_name": "NonPrivateDpEvent"}, "event has no privacy that anybody could bound"),
        ({"class_name": "SampledWithReplacementDpEvent"}, "event has no bound that is proved in whit"),
        ({"class_name": "GausianDpEvent"}, "GaussianDpEvent"),
        ({"class_name": "GaussianDpEvent"}, "event.noise_multiplier must be there"),
        (
            {"a": 1},
            ".json must have keys that whit knows; got a. whit looks for class_name (an event of dp-accounting)",
        ),
        ([{"a": 1}], ".json must be one that whit can read"),
        (NOISE, "--d-in must be given for serialized noise"),
        (["dp_accounting.dp_event", "GaussianDpEvent", 2.0], "the event must have its fields by name"),
    ],
)
def test_what_is_refused_is_a_sentence_and_exit_code_2(tree, said, saved):
    result = run(saved(tree), code=2)
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_pickle_and_a_file_that_is_not_there_are_refused(tmp_path):
    (tmp_path / "model.pt").write_bytes(pickle.dumps({"history": []}))
    assert "must be JSON" in run(str(tmp_path / "model.pt"), code=2).stderr
    assert "must be readable" in run(str(tmp_path / "nowhere.json"), code=2).stderr


@pytest.fixture
def account(tmp_path):
    """The options of a ledger with an account of at most ten percentage points."""
    place = tmp_path / "office.ledger"
    with Ledger.create(place, actor="ann") as book:
        book.declare("patients")
        book.open("2026", "patients", limits=["difference=0.1"])
    return ["--into", str(place), "--account", "2026", "--what", "the table of May", "--actor", "ann"]


def entries(account: list[str]) -> list[tuple[str, str, str]]:
    with Ledger(account[1], actor="ann") as book:
        return [(each.what, each.state.value, each.requester) for each in book.history("2026")]


def test_without_yes_nothing_is_recorded(saved, account):
    with Ledger(account[1], actor="ann") as book:
        before = book.head
    small = {"class_name": "LaplaceDpEvent", "noise_multiplier": 10.0}
    said = run(saved(small), *account).stdout
    assert "The release is within the limits of account 2026." in said
    assert "Dry run: nothing is recorded. Add --yes to record it as already released." in said
    with Ledger(account[1], actor="ann") as book:
        assert book.head == before


def test_with_yes_it_is_recorded_as_released_also_beyond_a_limit(saved, account):
    said = run(saved(LAPLACE), *account, "--yes", code=1).stdout
    assert 'does not fit: it must stay within the limit "difference=0.1' in said
    assert "is released; head " in said
    assert "Account 2026 now exceeds its limit difference=0.1" in said
    assert entries(account) == [("the table of May", "released", "ann")]


def test_the_same_key_is_recorded_once(saved, account):
    trees = [
        json.loads(run(saved(LAPLACE), *account, "--yes", "--key", "k", "--json", code=1).stdout) for _ in range(2)
    ]
    ledgers = [tree["result"]["ledger"] for tree in trees]
    assert ledgers[0]["entry"] == ledgers[1]["entry"]
    assert ledgers[0]["recorded"] is True
    assert len(entries(account)) == 1


@pytest.mark.parametrize(
    "given", [["--account", "2026"], ["--what", "x"], ["--yes"], ["--actor", "ann"], ["--key", "k"]]
)
def test_what_goes_with_a_ledger_is_refused_without_one(given, saved):
    assert f"{given[0]} goes with --into" in run(saved(LAPLACE), *given, code=2).stderr


@pytest.mark.parametrize("left_out", ["--account", "--what"])
def test_a_ledger_needs_an_account_and_words(left_out, saved, account):
    at = account.index(left_out)
    said = run(saved(LAPLACE), *account[:at], *account[at + 2 :], "--yes", code=2).stderr
    assert f"{left_out} must be given with --into" in said
    assert entries(account) == []


def test_a_ledger_or_an_account_that_is_not_there_is_refused(saved, account):
    assert "the ledger must be a file" in run(saved(LAPLACE), "--into", "no.ledger", *account[2:], code=2).stderr
    assert not Path("no.ledger").exists()
    assert "2027" in run(saved(LAPLACE), *account[:2], "--account", "2027", *account[4:], "--yes", code=2).stderr


def test_a_table_is_recorded_row_by_row_and_once_for_each_key(account, tmp_path):
    path = tmp_path / "office.csv"
    path.write_text("what,epsilon,key\nMay,0.01,m\nJune,0.02,j\n", encoding="utf-8")
    without_words = [*account[:4], *account[6:]]
    said = run(str(path), *without_words).stdout
    assert said.startswith("Read from 2 releases in office.csv: ")
    assert "Dry run" in said
    assert entries(account) == []
    for _ in range(2):
        run(str(path), *without_words, "--yes")
    assert sorted(entries(account)) == [("June", "released", "ann"), ("May", "released", "ann")]


def test_a_distribution_has_numbers_that_are_about_and_one_column(saved):
    coin = {"min_key": -1, "values": [0.25, 0.0, 0.75], "discretization_interval": 1.0986122886681098}
    lines = run(saved({"pessimistic_pmf": coin}), "--at-delta", "0.25").stdout.splitlines()
    head = next(line for line in lines if line.startswith("question"))
    assert head.split("  ")[-1].strip() == "between the neighbours of the source"
    # delta(log 2) is 3/4 - 2/4.
    assert lines[-1].split("  ")[-1].strip() == "about 0.694"
