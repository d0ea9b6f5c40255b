"""`whit ledger`: every command, as its user would run it; exit codes, JSON, and what a refusal says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ledger that the environment names, and an account in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHIT_LEDGER", str(tmp_path / "office.ledger"))
    run("init")
    run("open", "2026", "--population", "patients", "--limit", "posterior=0.3, prior=0.1", "--failure", "1%")
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    """What a command prints; it ends with this exit code."""
    result = CliRunner().invoke(whit, ["ledger", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def document(*arguments: str, code: int = 0) -> Any:
    """The JSON document of a command."""
    return json.loads(run(*arguments, "--json", code=code))


def test_a_failure_may_be_written_in_percent(office: Path) -> None:
    assert document("status")["result"]["accounts"][0]["failure"] == "1/100"


def test_a_release_goes_through_its_states(office: Path) -> None:
    entry = document("reserve", "2026", "--rho", "0.01", "--what", "table 1", "--key", "k")
    assert entry["result"]["entry"]["state"] == "reserved"
    number = str(entry["result"]["entry"]["number"])
    assert "is released" in run("release", number, "--artefact", "sha256 1234")
    assert "is withdrawn" in run("withdraw", number, "--why", "a wrong table")
    assert "cannot be changed by release" in run("release", number, code=2)
    [shown] = document("history", "2026")["result"]["entries"]
    assert (shown["state"], shown["what"], shown["charges"]["pure"]) == ("withdrawn", "table 1", None)


def test_a_plan_is_approved_by_another_person(office: Path) -> None:
    run("open", "two", "--population", "patients", "--limit", "posterior=0.3, prior=0.1", "--second-person")
    assert "needs a second person" in run("reserve", "two", "--epsilon", "0.1", code=2)
    number = str(document("plan", "two", "--epsilon", "0.1", "--actor", "ada")["result"]["entry"]["number"])
    assert "needs another person" in run("approve", number, "--actor", "ada", code=2)
    assert "is reserved" in run("approve", number, "--actor", "ben")


def test_a_refusal_ends_with_1_and_says_what_fits(office: Path) -> None:
    said = run("reserve", "2026", "--gaussian", "1", "--what", "too precise", code=1)
    assert 'the release "too precise" must stay within the limit' in said
    assert "It would fit with Gaussian noise, sigma = 2.403." in said
    assert document("check", "2026", "--gaussian", "1", code=1)["result"]["fits"] is False
    assert document("check", "2026", "--gaussian", "2.403")["result"]["fits"] is True
    assert document("check", "2026", "--gaussian", "2.402", code=1)["result"]["fits"] is False


def test_corrections_and_what_is_already_out(office: Path) -> None:
    number = str(document("record", "2026", "--rho", "0.5", "--what", "old")["result"]["entry"]["number"])
    assert "NOT KEPT" in run("status", "2026")
    assert "needs a second person" in run("correct", number, "--rho", "0.01", "--why", "it was less", code=2)
    assert "is released" in run("correct", number, "--rho", "0.01", "--why", "it was less", "--approver", "ben")
    assert "NOT KEPT" not in run("status", "2026")


def test_the_ledger_is_exported_verified_and_imported(office: Path) -> None:
    run("reserve", "2026", "--rho", "0.01")
    assert "3 events are in chain.jsonl" in run("export", "--out", "chain.jsonl")
    assert "must not be there yet" in run("export", "--out", "chain.jsonl", code=2)
    head = document("verify")["result"]["head"]
    assert "3 events, whole" in run("import", "chain.jsonl", "--ledger", "other.ledger")
    assert head in run("verify", "--ledger", "other.ledger", "--head", head)
    assert "must contain the head that was kept" in run("verify", "--head", "0" * 64, code=2)
    assert run("export") == (office / "chain.jsonl").read_text()


def test_an_export_that_has_no_place_is_refused_and_one_that_was_cut_off_is_in_nobodys_way(office: Path) -> None:
    assert "--out must be a file that can be written (No such file" in run("export", "--out", "no/a.jsonl", code=2)
    (office / ".chain.jsonl.part").write_text("half")
    assert "2 events are in chain.jsonl" in run("export", "--out", "chain.jsonl")


def test_what_is_not_there_is_said(office: Path) -> None:
    assert "must be a file" in run("status", "--ledger", "nothing.ledger", code=2)
    assert "an account must be in the ledger" in run("history", "2031", code=2)
    assert "an account must be in the ledger" in run("reserve", "", "--rho", "0.01", code=2)
    assert "must be a file that whit ledger export made" in run("import", "none", "--ledger", "new.ledger", code=2)
    assert not (office / "new.ledger").exists()


def test_without_a_place_the_command_says_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHIT_LEDGER", raising=False)
    assert "set the environment variable WHIT_LEDGER" in run("status", code=2)


def test_doubt_counts_and_an_empty_ledger_says_so(office: Path) -> None:
    number = str(document("reserve", "2026", "--rho", "0.01", "--actor", "ada")["result"]["entry"]["number"])
    assert "is uncertain" in run("doubt", number, "--why", "who knows", "--actor", "ada")
    assert "is cancelled" in run("cancel", number, "--statement", "no file", "--actor", "ben")
    run("init", "--ledger", "empty.ledger")
    assert "none is open" in run("status", "--ledger", "empty.ledger")


def test_a_quota_stops_one_recipient_and_check_says_so(office: Path) -> None:
    assert "The quota of uni in account 2026 is set." in run(
        "quota", "2026", "--recipient", "uni", "--book", "zcdp=0.0101"
    )
    run("reserve", "2026", "--rho", "0.01", "--recipient", "uni")
    said = run("reserve", "2026", "--rho", "0.001", "--recipient", "uni", code=1)
    assert "must fit the quota of uni in account 2026; got more than it" in said
    found = document("check", "2026", "--rho", "0.001", "--recipient", "uni", code=1)["result"]
    assert (found["fits"], found["limit"]) == (False, "uni")
    run("check", "2026", "--rho", "0.0001", "--recipient", "ministry")
    made = document("quota", "2026", "--recipient", "uni", "--book", "zcdp=1/50")
    assert made["result"]["head"][0] == document("verify")["result"]["events"]
    run("check", "2026", "--rho", "0.0001", "--recipient", "uni")


def test_a_quota_that_no_release_could_be_held_against_is_refused(office: Path) -> None:
    assert "must name a book" in run("quota", "2026", "--recipient", "uni", code=2)
    assert "must be one of account 2026" in run("quota", "2026", "--recipient", "uni", "--book", "gdp=1", code=2)
    assert "must be a number of at least 0" in run("quota", "2026", "--recipient", "uni", "--book", "zcdp", code=2)
    assert "must be one number" in run("quota", "2026", "--recipient", "uni", "--book", "zcdp=1+1", code=2)
    run("open", "sums", "--population", "patients", "--limit", "power=0.5, level=0.05", "--book", "sums@1e-6")
    assert "must be two numbers" in run("quota", "sums", "--recipient", "uni", "--book", "sums@1e-6=1", code=2)
    run("quota", "sums", "--recipient", "uni", "--book", "sums@1e-6=0.11+1e-7")
    run("reserve", "sums", "--epsilon", "0.1", "--recipient", "uni")
    run("reserve", "sums", "--epsilon", "0.1", "--recipient", "uni", code=1)


def test_a_backup_is_the_same_ledger_and_overwrites_nothing(office: Path) -> None:
    run("reserve", "2026", "--rho", "0.01")
    assert "copied into copy.ledger" in run("backup", "--out", "copy.ledger")
    assert "must not be there yet" in run("backup", "--out", "copy.ledger", code=2)
    assert "must be readable and writable" in run("backup", "--out", "nowhere/copy.ledger", code=2)
    head = document("verify")["result"]["head"]
    run("reserve", "2026", "--rho", "0.01")
    assert document("verify", "--ledger", "copy.ledger")["result"]["head"] == head
    assert "is reserved" in run("reserve", "2026", "--rho", "0.01", "--ledger", "copy.ledger")
    assert [each.name for each in office.iterdir() if "part" in each.name] == []
