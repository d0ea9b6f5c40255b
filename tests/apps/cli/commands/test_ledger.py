"""`whit ledger`: every command, as its user would run it; exit codes, JSON, and what a refusal says."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from somebody_else import as_somebody_else

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


def test_who_may_not_write_asks_everything_and_enters_nothing(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An auditor reads the file of others."""
    with tempfile.TemporaryDirectory() as place:  # in a place that everybody can reach
        shutil.copy(office / "office.ledger", place)
        monkeypatch.setenv("WHIT_LEDGER", f"{place}/office.ledger")
        Path(place).chmod(0o555)
        asked = [("status",), ("history", "2026"), ("check", "2026", "--gaussian", "9"), ("verify",), ("export",)]
        before = [run(*each) for each in asked]
        with as_somebody_else():
            assert [run(*each) for each in asked] == before
            assert "Reading needs neither." in run("reserve", "2026", "--gaussian", "9", "--what", "t", code=2)
        Path(place).chmod(0o700)


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


def test_what_fits_of_several_releases_is_said_of_each(office: Path) -> None:
    said = run("check", "2026", "--gaussian", "1", "--releases", "4", code=1)
    found = re.search(r"It would fit with Gaussian noise, sigma = ([0-9.]+), in each of 4 releases\.", said)
    assert found is not None
    assert document("check", "2026", "--gaussian", found[1], "--releases", "4")["result"]["fits"] is True


def test_a_refusal_says_the_whole_risk(office: Path) -> None:
    said = run("reserve", "2026", "--epsilon", "2", code=1)
    assert "; got posterior probability of the truth is at most" in said
    assert "..." not in said
    run(
        "open",
        "rho",
        "--population",
        "patients",
        "--limit",
        "posterior=0.3, prior=0.1",
        "--failure",
        "1%",
        "--book",
        "zcdp",
    )
    said = run("reserve", "rho", "--rho", "1", code=1)
    assert "%, except with probability 1 %. Ask for a smaller release" in said


def test_a_release_that_fits_comes_with_the_risk_before_and_after_and_what_is_left(office: Path) -> None:
    """Two of the same take twice as much of the book: the second leaves what the status then says is not used."""
    run("reserve", "2026", "--gaussian", "10")
    rows = dict(line.split("  ", 1) for line in run("check", "2026", "--gaussian", "10").splitlines() if "  " in line)
    shown = run("status", "2026")
    [before] = document("status", "2026")["result"]["accounts"][0]["limits"]
    [change] = document("check", "2026", "--gaussian", "10")["result"]["limits"]
    run("reserve", "2026", "--gaussian", "10")
    [after] = document("status", "2026")["result"]["accounts"][0]["limits"]
    assert (change["before"], change["after"]) == (before, after)
    assert run("check", "2026", "--gaussian", "1000").startswith("Fits: account 2026 has room.\n\nwhat")
    assert rows["limit"].strip() == '"posterior=0.3, prior=0.1, when=ever" of account 2026'
    assert rows["risk before"].strip() in shown
    assert rows["risk after"].strip() in run("status", "2026")
    assert (before["used"], after["used"], rows["left"].strip()) == (
        "5.78 %",
        "11.6 %",
        "88.4 % of the rho that the limit allows",
    )


def test_a_check_about_a_part_says_what_the_part_and_the_account_around_it_come_to(office: Path) -> None:
    limit = ("--limit", "posterior=0.3, prior=0.1", "--failure", "1%", "--population", "people")
    run("open", "ever", *limit, "--part", "north", "--part", "south")
    run("open", "2027", *limit, "--within", "ever")
    run("reserve", "2027", "--gaussian", "5", "--part", "north")
    south, north = (
        document("check", "2027", "--gaussian", "10", "--part", part)["result"]["limits"] for part in ("south", "north")
    )
    assert [each["account"] for each in south] == ["2027", "ever"]
    assert all(each["before"] == each["after"] for each in south)
    assert all(each["before"] != each["after"] for each in north)


def test_status_and_check_say_why_another_command_may_give_less(office: Path) -> None:
    """The note names what the books that still decide add up; noise closes the book pure."""
    why = (
        "which holds whatever is chosen on the way; whit check composes releases that are fixed beforehand, "
        "and may give less."
    )
    both, one = f"The ledger adds up epsilon or rho, {why}", f"The ledger adds up rho, {why}"
    assert both in run("status")
    assert both in run("check", "2026", "--epsilon", "0.1")
    run("reserve", "2026", "--gaussian", "10", "--releases", "12")
    assert one in run("status", "2026")
    assert one in run("check", "2026", "--gaussian", "100")
    assert one in run("check", "2026", "--gaussian", "1", code=1)
    assert document("status")["notes"][:2] == ["Used is the share of the rho that the limit allows.", one]


def test_the_bound_for_releases_that_are_fixed_beforehand_is_less(office: Path) -> None:
    """As the note says: 22.9 % by the noise of twelve releases, 25.3 % by their rho."""
    noise = ("--gaussian", "10", "--releases", "12")
    run("reserve", "2026", *noise)
    asked = ["check", *noise, "--limit", "posterior=0.3, prior=0.1, when=ever", "--failure", "0.01", "--json"]
    fixed = json.loads(CliRunner().invoke(whit, asked).output)
    [limit] = document("status")["result"]["accounts"][0]["limits"]
    [bound] = [each["value"] for each in numbers(fixed) if each["quantity"]["key"] == "posterior"][:1]
    assert 0.22 < bound < limit["risk"]["value"] < 0.26


def numbers(tree: Any) -> list[Any]:
    """All findings of a document."""
    if isinstance(tree, list):
        return [found for each in tree for found in numbers(each)]
    if not isinstance(tree, dict):
        return []
    return ([tree] if {"quantity", "value"} <= tree.keys() else []) + numbers(list(tree.values()))


def test_no_note_is_left_where_no_book_is(office: Path) -> None:
    assert "no book bounds the risk any more." in run("record", "2026", "--epsilon", "1", "--delta", "0.1", code=1)
    said = run("status", code=1)
    assert "no book is left" in said
    assert "adds up" not in said


def test_what_is_recorded_beyond_a_limit_says_so(office: Path) -> None:
    """Scale 0.5 has an epsilon of 2: from odds of 1 to 9 to odds of e^2 to 9, which is 45.1 %."""
    assert "exceeds" not in run("record", "2026", "--laplace", "2", "--what", "out")
    assert document("status", "2026")["result"]["accounts"][0]["limits"][0]["kept"] is True
    run("open", "2027", "--population", "patients", "--limit", "posterior=0.3, prior=0.1", "--book", "pure")
    said = run("record", "2027", "--laplace", "0.5", "--what", "slip", code=1)
    assert "Account 2027 now exceeds its limit posterior=0.3, prior=0.1, when=ever: the posterior probability" in said
    assert "may reach 45.1 %." in said
    [entry] = document("history", "2027")["result"]["entries"]
    assert (entry["what"], entry["state"]) == ("slip", "released")
    assert "NOT KEPT" in run("status", code=1)
    run("status", "2026")


def test_what_is_recorded_beyond_the_account_around_or_a_quota_says_so(office: Path) -> None:
    run("open", "ever", "--population", "patients", "--limit", "posterior=0.2, prior=0.1", "--book", "pure")
    run("open", "2027", "--population", "patients", "--limit", "posterior=0.9, prior=0.1", "--within", "ever")
    assert "exceeded" in document("record", "2027", "--epsilon", "0.1")["result"]
    [over] = document("record", "2027", "--epsilon", "1", code=1)["result"]["exceeded"]
    assert over.startswith("Account ever now exceeds its limit posterior=0.2")
    run("quota", "2026", "--recipient", "uni", "--book", "zcdp=0.001")
    said = run("record", "2026", "--rho", "0.01", "--recipient", "uni", code=1)
    assert "uni now has more than the quota in account 2026." in said


def test_history_has_no_python(office: Path) -> None:
    run("reserve", "2026", "--gaussian", "10", "--releases", "3")
    run("reserve", "2026", "--epsilon", "0.1")
    said = run("history", "2026")
    assert "Gaussian noise, sigma = 10, in each of 3 releases" in said
    assert "epsilon = 0.1 " in said
    assert "(sigma" not in said


def test_one_release_is_counted_in_the_singular(office: Path) -> None:
    run("reserve", "2026", "--gaussian", "10")
    assert "2026 (patients): 1 release, failure 0.01" in run("status")


def test_the_largest_total_that_is_printed_fits(office: Path) -> None:
    """The largest epsilon is ln(27/7) = 1.34992..., from odds of 1 to 9 to odds of 3 to 7: 1.35 would be too much."""
    said = run("open", "2027", "--population", "patients", "--limit", "posterior=0.3, prior=0.1", "--failure", "1%")
    totals = {word: total for *_, word, total in (line.split() for line in said.splitlines() if "when=ever" in line)}
    assert totals["pure"] == "1.349"
    assert document("check", "2027", "--epsilon", totals["pure"])["result"]["fits"] is True
    assert document("check", "2027", "--rho", totals["zcdp"])["result"]["fits"] is True
    assert document("check", "2027", "--epsilon", "1.35", code=1)["result"]["fits"] is False


def test_corrections_and_what_is_already_out(office: Path) -> None:
    number = str(document("record", "2026", "--rho", "0.5", "--what", "old", code=1)["result"]["entry"]["number"])
    assert "NOT KEPT" in run("status", "2026", code=1)
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
    assert "It was not found. This may be another ledger" in run("verify", "--head", "0" * 64, code=2)
    assert run("export") == (office / "chain.jsonl").read_text()


def test_an_import_that_is_refused_leaves_no_file_and_a_ledger_as_it_was(office: Path) -> None:
    run("export", "--out", "chain.jsonl")
    lines = (office / "chain.jsonl").read_text().splitlines()
    (office / "broken.jsonl").write_text("\n".join([lines[0], lines[1].replace("1/100", "1/200")[::-1]]))
    (office / "empty").mkdir()
    before = {each.name: each.read_bytes() for each in office.iterdir() if each.is_file()}
    assert "must be an event of a ledger" in run("import", "broken.jsonl", "--ledger", "empty/new.ledger", code=2)
    assert list((office / "empty").iterdir()) == []
    assert "must not be there yet" in run("import", "chain.jsonl", "--ledger", "office.ledger", code=2)
    assert "must not be there yet" in run("import", "broken.jsonl", "--ledger", "office.ledger", code=2)
    assert {each.name: each.read_bytes() for each in office.iterdir() if each.is_file()} == before
    assert "2 events, whole" in run("import", "chain.jsonl", "--ledger", "empty/new.ledger")
    assert [each.name for each in (office / "empty").iterdir()] == ["new.ledger"]


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
    assert "a file that can be written (No such file" in run("backup", "--out", "nowhere/copy.ledger", code=2)
    head = document("verify")["result"]["head"]
    run("reserve", "2026", "--rho", "0.01")
    assert document("verify", "--ledger", "copy.ledger")["result"]["head"] == head
    assert "is reserved" in run("reserve", "2026", "--rho", "0.01", "--ledger", "copy.ledger")
    assert [each.name for each in office.iterdir() if "part" in each.name] == []


@pytest.mark.parametrize(("command", "example"), [("plot", "year.png"), ("backup", "copy.ledger")])
def test_the_help_names_a_file_to_write(command: str, example: str) -> None:
    assert f"Such as {example}" in " ".join(run(command, "--help").split())


def test_an_account_without_chosen_books_names_them_and_the_one_for_gaussian_noise(office: Path) -> None:
    opening = ("--population", "patients", "--limit", "posterior=0.3, prior=0.1", "--failure", "1%")
    assert "Its books are pure and zcdp. For Gaussian noise alone the book gdp allows more" in run(
        "open", "usual", *opening
    )
    assert "Its books" not in run("open", "chosen", *opening, "--book", "gdp")
    without = run("open", "always", *opening[:4])  # no bound holds always for Gaussian noise, in no book
    assert "Its books are pure and zcdp." in without
    assert "gdp" not in without


def test_check_begins_with_a_verdict_that_names_the_release(office: Path) -> None:
    said = run("check", "2026", "--gaussian", "1", code=1)
    assert said.startswith('Does not fit: the release must stay within the limit "posterior=0.3')
    assert "It must" not in said


def test_a_share_says_what_it_is_a_share_of(office: Path) -> None:
    run("reserve", "2026", "--gaussian", "10")
    assert "uses 5.78 % of the rho that the limit allows" in run("check", "2026", "--gaussian", "1", code=1)


def test_history_says_what_a_closed_book_is(office: Path) -> None:
    run("reserve", "2026", "--epsilon", "0.1")
    assert "no charge" not in run("history", "2026")
    run("reserve", "2026", "--gaussian", "10")
    assert "pure closed: no charge in epsilon covers that release" in run("history", "2026")


def test_five_releases_that_only_the_book_gdp_has_room_for_are_sent_there(office: Path) -> None:
    """By rho five with sigma 4.8 are too much, as the promise of rho has 33.8 %; by mu they are at most 29.8 %."""
    noise = ("--gaussian", "4.8", "--releases", "5")
    advice = "An account with the book gdp alone would have room for it, with a risk of at most 29.8 %"
    assert advice in run("check", "2026", *noise, code=1)
    assert advice in run("reserve", "2026", *noise, code=1)
    opening = ("--population", "patients", "--limit", "posterior=0.3, prior=0.1", "--failure", "1%", "--book", "gdp")
    run("open", "five", *opening)
    assert "at most 29.8 %" in run("check", "five", *noise)


SEVERAL = """
[release]
name = "Two tables"
publisher = "Health Office"

[unit]
name = "person"

[[promise]]
name = "income"
gaussian = 10

[[promise]]
name = "survey"
epsilon = 0.3
delta = 1e-7

[[adversary]]
name = "an insurer"
fact = "a client was there"
prior = 0.1
"""
OPENING = ("--population", "patients", "--limit", "posterior=0.3, prior=0.1", "--failure", "1%")


def test_a_promise_with_a_delta_is_sent_to_an_account_that_takes_it(office: Path) -> None:
    asked = ("--epsilon", "0.01", "--delta", "1e-9")
    for command in ("check", "reserve"):
        said = run(command, "2026", *asked, code=1)
        assert "The books pure and zcdp do not take epsilon = 0.01, delta = 1e-9." in said
        assert "If its noise is known, state that: zcdp takes noise of any usual kind." in said
        assert "the book sums@1e-6 alone would have room for it, with a risk of at most 10.1 %" in said
        assert "Ask for a smaller release" not in said
    run("open", "sums", *OPENING, "--book", "sums@1e-6")
    assert "at most 10.1 %" in run("check", "sums", *asked)


def test_of_several_promises_the_one_is_named_that_no_book_takes(office: Path) -> None:
    file = office / "two.toml"
    file.write_text(SEVERAL, encoding="utf-8")
    said = run("check", "2026", "--from", str(file), code=1)
    assert "The books pure and zcdp do not take survey (epsilon = 0.3, delta = 1e-7)." in said
    assert "income" not in said
    assert "The book sums@1e-6 takes a promise with epsilon and delta." in said
    assert "whit convert finds them" in said
    # What is advised works: both promises by an epsilon and a delta; 0.4794 is that of sigma 10 at 1e-8 (rounded up).
    run("open", "sums", *OPENING, "--book", "sums@1e-6")
    run("reserve", "sums", "--epsilon", "0.3", "--delta", "1e-7")
    assert "The book sums@1e-6 does not take Gaussian noise, sigma = 10. State it by an epsilon and a delta" in run(
        "check", "sums", "--gaussian", "10", code=1
    )
    run("reserve", "sums", "--epsilon", "0.4794", "--delta", "1e-8")


def test_an_account_that_was_opened_says_what_its_books_take(office: Path) -> None:
    usual = run("open", "usual", *OPENING)
    assert "The book pure takes epsilon and Laplace noise. The book zcdp takes epsilon, Laplace noise, rho, mu" in usual
    assert "None of them takes epsilon with delta." in usual
    assert "such as sums@1e-6.\n" in usual
    sums = run("open", "sums", *OPENING, "--book", "sums@1e-6")
    assert "takes epsilon, Laplace noise and epsilon with delta. It does not take rho, mu or Gaussian noise." in sums
    tests = run("open", "tests", *OPENING, "--limit", "power=0.2, level=0.05")
    assert "About the limit power=0.2, level=0.05 the book pure decides alone." in tests
    always = run("open", "always", *OPENING[:4])
    assert "zcdp takes" not in always  # it keeps no limit without a failure
    assert "the account needs a failure probability too" in always


def test_a_limit_on_tests_that_its_book_cannot_decide_names_the_book(office: Path) -> None:
    run("open", "tests", *OPENING, "--limit", "power=0.2, level=0.05")
    said = run("check", "tests", "--rho", "0.001", code=1)
    assert "The book pure does not take rho = 0.001. An account with the book zcdp alone would have room for it" in said


def test_promises_that_no_book_takes_together_are_named_by_book(office: Path) -> None:
    run("open", "odd", *OPENING, "--book", "pure", "--book", "sums@1e-6")
    file = office / "two.toml"
    file.write_text(SEVERAL.replace("gaussian = 10", "laplace = 100"), encoding="utf-8")
    run("reserve", "odd", "--from", str(file))
    file.write_text(SEVERAL, encoding="utf-8")
    run("open", "both", *OPENING, "--book", "zcdp", "--book", "sums@1e-6")
    said = run("check", "both", "--from", str(file), code=1)
    assert "The book zcdp does not take survey (epsilon = 0.3, delta = 1e-7)." in said
    assert "The book sums@1e-6 does not take income (Gaussian noise, sigma = 10)." in said
    assert "For sums@1e-6 state that by an epsilon and a delta: whit convert finds them." in said


def test_what_closed_books_are_not_opened_by_is_not_advised(office: Path) -> None:
    run("record", "2026", "--epsilon", "0.1", "--delta", "1e-7", code=1)
    said = run("reserve", "2026", "--epsilon", "0.01", code=1)
    assert "Entries closed each book that decides, and nothing more fits. Open a new account." in said
    assert "Ask for a smaller release" not in said


def test_two_accounts_have_room(office: Path) -> None:
    run("open", "part", *OPENING, "--within", "2026")
    assert run("check", "part", "--gaussian", "1000").startswith("Fits: account part and account 2026 have room.\n")


def test_a_key_whose_entry_is_no_longer_reserved_lets_nothing_be_published(office: Path) -> None:
    """A script publishes after exit code 0: the same key may give it only while its entry is reserved."""
    asked = ("reserve", "2026", "--rho", "0.05", "--what", "t", "--key", "k1")
    assert run(*asked) == run(*asked)
    run("cancel", "3", "--statement", "no output left")
    said = "the release of entry 3 must still be reserved under its key; got cancelled. Do not publish it"
    assert said in run(*asked, code=1)
    found = document(*asked, code=1)
    assert found["result"]["entry"]["state"] == "cancelled"
    assert said in found["notes"][0]
    planned = str(document("plan", "2026", "--rho", "0.001", "--what", "u")["result"]["entry"]["number"])
    run("approve", planned, "--key", "k2")
    run("release", planned)
    assert f"the release of entry {planned} must still be reserved" in run("approve", planned, "--key", "k2", code=1)
    late = ("reserve", "2026", "--rho", "0.001", "--what", "v", "--key", "k3", "--minutes", "0.000001")
    run(*late)
    assert document(*late, code=1)["result"]["entry"]["state"] == "uncertain"
