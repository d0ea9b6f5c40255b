"""The section about the ledger: the account, its limits now and with the release, and whether the release fits."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.errors import Incompatible, InvalidInput, Unavailable, UnknownKey
from whit.guarantees import PureDP
from whit.ledger import Ledger, course_of, outlook_of, status_of
from whit.mechanisms import Gaussian
from whit.policy import Outcome
from whit.spec import parsed, read_release, release_of
from whit.telling.reports import Figure, Paragraph, Remark, Section, Table, document_of, report
from whit.telling.reports.cases import answer_release
from whit.telling.reports.instead import changes
from whit.telling.reports.main_part import _needing
from whit.telling.reports.sentences import OUTCOMES
from whit.theory import Finding

DATE = datetime.date(2026, 1, 31)
FILE = """\
[release]
name = "Counts of visits"
publisher = "Health Office"

[unit]
name = "person"

[promise]
epsilon = {epsilon}

[[adversary]]
name = "an insurer"
fact = "a client was there"
prior = 0.1

[ledger]
path = "{path}"
account = "{account}"
"""
ACCOUNT = "patients 2026"


@pytest.fixture
def office(tmp_path: Path) -> Path:
    """A folder with a ledger, in which an account has used a part of its room."""
    with Ledger.create(tmp_path / "office.ledger", actor="ada") as ledger:
        ledger.declare("patients")
        ledger.open("ever", "patients", limits=["ratio=4"], books=["pure"])
        ledger.open(ACCOUNT, "patients", limits=["posterior=0.3, prior=0.1"], books=["pure"], within="ever")
        ledger.reserve(ACCOUNT, PureDP(0.5), what="table 1")
    return tmp_path


def saved(folder: Path, epsilon: float = 0.25, path: str = "office.ledger", account: str = ACCOUNT) -> Path:
    file = folder / "release.toml"
    file.write_text(FILE.format(epsilon=epsilon, path=path, account=account), encoding="utf-8")
    return file


def section(folder: Path, **more: Any) -> Section:
    document = document_of(read_release(saved(folder, **more)), date=DATE)
    return next(each for each in document.sections if each.title == "The ledger")


def rows(found: Section) -> list[tuple[str, ...]]:
    return [row for block in found.blocks if isinstance(block, Table) for row in block.rows]


def test_each_limit_is_told_now_and_with_the_release(office: Path) -> None:
    # From prior 0.1 under pure epsilon x: 1 / (1 + 9 e^-x): 0.15484 at 0.5 and 0.19042 at 0.75; it is 0.3 at
    # x = log(27 / 7) = 1.34993, of which 0.5 is 37.04 % and 0.75 is 55.56 %. The ratio is e^x, log 4 = 1.38629.
    yearly, ever = rows(section(office))
    limit = "posterior=0.3, prior=0.1, when=ever"
    assert yearly == (limit, "at most 15.5 %", "37.1 %", "at most 19.1 %", "55.6 %")
    assert ever == ("ratio=4.0, when=ever", "at most 1.65", "36.1 %", "at most 2.12", "54.2 %")


def test_a_release_that_fits_says_so_first_and_on_the_first_page(office: Path) -> None:
    document = document_of(read_release(saved(office)), date=DATE, appendix=True)
    found = next(each for each in document.sections if each.title == "The ledger")
    said = "The release fits account patients 2026 and account ever: every limit holds with it, at every moment."
    assert found.blocks[0] == Remark(said)
    assert dict(document.facts)["Ledger"] == said
    assert "Reserve room in the ledger before the release is made." in json.dumps(document.tree())


def test_one_that_does_not_fit_says_why_and_what_would(office: Path) -> None:
    # What is left of the posterior is log(27 / 7) - 0.5 = 0.84993.
    found = section(office, epsilon=1)
    assert isinstance(found.blocks[0], Remark)
    assert 'does not fit the ledger: it must stay within the limit "posterior=0.3' in found.blocks[0].text
    texts = [block.text for block in found.blocks if isinstance(block, Paragraph)]
    assert any("It would fit with epsilon = 0.8499." in text for text in texts)
    assert rows(found)[0][-1].endswith(": exceeded")
    german = document_of(read_release(saved(office, epsilon=1)), date=DATE, language="de")
    assert rows(next(each for each in german.sections if rows(each)[:1] and "0.3" in rows(each)[0][0]))[0][-1].endswith(
        ": überschritten"
    )


def test_one_that_does_not_fit_is_not_allowed_by_the_sheet_and_by_check(office: Path) -> None:
    """By its own limit the release is allowed: from 10 % an epsilon of 0.9 leads to at most 21.5 %."""
    limited = "\n[limit.posterior]\nlimit = 0.3\nprior = 0.1\n"
    for epsilon, outcome, word, code in ((0.9, "not_allowed", "Not allowed", 1), (0.25, "allowed", "Allowed", 0)):
        file = saved(office, epsilon=epsilon)
        file.write_text(file.read_text(encoding="utf-8") + limited, encoding="utf-8")
        assert answer_release(read_release(file)).outcome == outcome
        sheet = document_of(read_release(file), date=DATE).sheet
        assert sheet is not None
        stamp = sheet.stamp
        assert stamp.word == word
        assert ("does not fit the ledger" in stamp.text) == (code == 1)
        found = CliRunner().invoke(whit, ["check", "--from", str(file), "--json"])
        assert found.exit_code == code
        result = json.loads(found.output)["result"]
        assert result["verdict"] == word
        assert result["ledger"]["fits"] == (code == 0)
        said = CliRunner().invoke(whit, ["check", "--from", str(file)]).output
        assert said.startswith(word)
        assert ("does not fit the ledger" in said) == (code == 1)


def changed(folder: Path, promise: str, account: str) -> dict[str, tuple[str, Outcome]]:
    """The rows of the sheet: what is changed, to what, and the verdict after it."""
    limited = "\n[limit.posterior]\nlimit = 0.3\nprior = 0.1\n\n[questions]\nfailure = 0.01\n"
    file = saved(folder, account=account)
    text = file.read_text(encoding="utf-8").replace("[promise]\nepsilon = 0.25\n", promise)
    file.write_text(text + limited, encoding="utf-8")
    outcomes = {key: each for each, key in OUTCOMES.items()}
    return {each.change: (each.to, outcomes[each.outcome]) for each in changes(answer_release(read_release(file)))}


@pytest.fixture
def gaussian(office: Path) -> Path:
    """The same ledger with two accounts in the book gdp: one that holds ten releases, and one that is empty."""
    with Ledger(office / "office.ledger") as ledger:
        for name in ("ten", "empty"):
            ledger.open(name, "patients", limits=["posterior=0.3, prior=0.1"], books=["gdp"], failure="0.01")
        ledger.reserve("ten", Gaussian(11.68).times(10), what="tables")
    return office


TWO = """\
[[promise]]
name = "tables 1 and 2"
gaussian = 4.5
releases = 10

[[promise]]
name = "table 3"
gaussian = 4.5
sensitivity = 2
releases = 5
"""


def test_a_change_that_the_file_allows_and_the_account_has_no_room_for_is_not_allowed(gaussian: Path) -> None:
    # By the file five releases need 2.13246 * sqrt(5) = 4.7683. Of mu^2 = 1 / 2.13246^2 = 0.21991 the account holds
    # 10 / 11.68^2 = 0.07330, so that five fit from sqrt(5 / 0.14661) = 5.84 on: 15 does, and 4.7683 does not.
    to, outcome = changed(gaussian, "[promise]\ngaussian = 15\nreleases = 5\n", "ten")["Lower sigma"]
    assert (to.split(" (")[0], outcome) == ("from 15 to at least 4.7683", Outcome.BROKEN)
    assert changed(gaussian, "[promise]\ngaussian = 15\nreleases = 5\n", "empty")["Lower sigma"][1] is Outcome.KEPT


def test_a_change_that_the_account_has_room_for_is_allowed_where_the_release_itself_does_not_fit(
    gaussian: Path,
) -> None:
    to, outcome = changed(gaussian, TWO, "empty")["Raise the noise of all by one factor"]
    assert to.startswith("sigma at least 11.68 (tables 1 and 2); sigma at least 11.68 (table 3)")
    assert outcome is Outcome.KEPT
    assert changed(gaussian, TWO, "ten")["Raise the noise of all by one factor"][1] is Outcome.BROKEN


def test_each_promise_to_change_or_to_leave_out_is_decided_with_the_others(gaussian: Path) -> None:
    # Alone the first comes to mu^2 = 10 / 15^2 = 0.0444, and with the other at sigma = 4.5 to more than the limit.
    two = TWO.replace("gaussian = 4.5", "gaussian = 15", 1)
    allowed, refused = changed(gaussian, two, "empty"), changed(gaussian, two, "ten")
    for change in ("Raise sigma of (2) table 3", "Leave out (2) table 3"):
        assert allowed[change][1] is Outcome.KEPT
    assert refused["Raise sigma of (2) table 3"][1] is Outcome.BROKEN
    assert refused["Leave out (2) table 3"][1] is Outcome.KEPT


def test_where_only_the_account_refuses_what_fits_without_one_promise_is_on_the_sheet(gaussian: Path) -> None:
    # Each has mu^2 = 1 / 3.6^2 = 0.0772. The limit allows 0.21991 and so both; the account has room for 0.14661, one.
    two = '[[promise]]\nname = "a"\ngaussian = 3.6\n\n[[promise]]\nname = "b"\ngaussian = 3.6\n'
    found = changed(gaussian, two, "ten")
    assert found["Leave out (1) a"] == ("the others stay as they are", Outcome.KEPT)
    # Of 2.4 each has 0.1736: the limit allows one, and the account none.
    found = changed(gaussian, two.replace("3.6", "2.4"), "ten")
    assert found["Leave out one promise"] == ("whichever it is", Outcome.BROKEN)


def test_fewer_releases_are_as_many_as_the_file_and_the_account_allow(gaussian: Path) -> None:
    # Of sigma = 4.5 the limit allows 0.21991 * 4.5^2 = 4.45 releases, and what is left of the account 2.97.
    promise = "[promise]\ngaussian = 4.5\nreleases = 6\n"
    for account, number in (("empty", 4), ("ten", 2)):
        assert changed(gaussian, promise, account)["Publish fewer releases"] == (f"{number} instead of 6", Outcome.KEPT)


def test_the_noise_to_ask_for_is_asked_of_the_account_too(gaussian: Path) -> None:
    found = changed(gaussian, "[promise]\nepsilon = 3\nreleases = 5\n", "ten")
    change = "If a release is one count that a person changes by one: ask for Gaussian noise"
    assert found[change][0].startswith("sigma at least 4.7683")
    assert found[change][1] is Outcome.BROKEN


def test_of_releases_that_are_not_known_no_room_is_shown(office: Path) -> None:
    assert answer_release(read_release(saved(office))).room_for(None) is Outcome.OPEN


def test_the_account_the_unit_the_steps_and_the_head_are_there(office: Path) -> None:
    found = section(office)
    texts = " ".join(block.text for block in found.blocks if isinstance(block, Paragraph))
    with Ledger(office / "office.ledger") as ledger:
        number, head = ledger.head
        steps = [course_of(ledger.store, name) for name in (ACCOUNT, "ever")]
    assert f"The ledger has {number} events. The hash of the last one is {head}." in texts
    assert "Account patients 2026 is about the population patients. Everything that one person contributes" in texts
    assert "Account ever holds it, and is charged as well." in texts
    assert "Charged releases so far: 1." in texts
    figures = [block for block in found.blocks if isinstance(block, Figure)]
    assert [each.account.name in figure.alt for each, figure in zip(steps, figures, strict=True)] == [True, True]


def test_a_chance_of_failure_is_told_and_never_too_small(office: Path) -> None:
    with Ledger(office / "office.ledger") as ledger:
        ledger.open("zcdp", "patients", limits=["posterior=0.3, prior=0.1"], failure="1/3", books=["zcdp"])
    texts = [block.text for block in section(office, account="zcdp").blocks if isinstance(block, Paragraph)]
    assert any("The limits hold except with probability 33.4 % for one person." in text for text in texts)


def test_nothing_is_written_to_the_ledger_and_the_same_ledger_gives_the_same_report(office: Path) -> None:
    with Ledger(office / "office.ledger") as ledger:
        head = ledger.head
        first = document_of(read_release(saved(office)), date=DATE, appendix=True)
        assert ledger.head == head
        assert document_of(read_release(saved(office)), date=DATE, appendix=True) == first
        assert f"the ledger up to event {head[0]}, {head[1]}." in json.dumps(first.tree())
        ledger.reserve(ACCOUNT, PureDP(0.1), what="table 2")
    assert document_of(read_release(saved(office)), date=DATE, appendix=True) != first


def test_all_formats_have_the_section_and_json_its_numbers(office: Path) -> None:
    document = document_of(read_release(saved(office)), date=DATE, appendix=True)
    for suffix in ("html", "pdf", "md", "json"):
        report(document, office / f"r.{suffix}")
    for suffix in ("html", "md"):
        text = (office / f"r.{suffix}").read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ")
        assert "The limits of account patients 2026" in text
        assert "at most 19.1 %" in text
    asked = [each for each in document.findings if each["asked_by"] == f"account {ACCOUNT}"]
    assert [each["question"].rpartition(", ")[2] for each in asked] == ["so far", "with this release"]
    keys = [key for each in asked for key in Finding.from_json(json.dumps(each)).basis.theorems]
    assert "several-books" in keys
    assert all(f"Key: {key}" in json.dumps(document.tree()) for key in keys)


def test_another_unit_is_refused(office: Path) -> None:
    with Ledger(office / "office.ledger") as ledger:
        ledger.declare("visits", unit=type(ledger.population("patients").unit)("visit", "one day"))
        ledger.open("visits", "visits", limits=["ratio=4"], books=["pure"])
    with pytest.raises(
        InvalidInput,
        match='visits must be for one person within .* with --unit "person" --unit-period "the whole of the data"',
    ):
        section(office, account="visits")


def test_a_ledger_or_an_account_that_is_not_there_is_refused(office: Path) -> None:
    with pytest.raises(Unavailable, match="the ledger must be a file"):
        section(office, path="other.ledger")
    with pytest.raises(UnknownKey, match="an account must be in the ledger"):
        section(office, account="2031")


def test_a_path_is_from_the_folder_of_the_file_and_the_environment_may_say_it(
    office: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = rows(section(office))
    monkeypatch.setenv("WHIT_LEDGER", str(office / "office.ledger"))
    other = saved(tmp_path_factory.mktemp("other"), path=str(office / "office.ledger"))
    assert read_release(other).ledger is not None
    without = other.read_text("utf-8").replace(f'path = "{office / "office.ledger"}"\n', "")
    other.write_text(without, encoding="utf-8")
    found = next(
        each
        for each in document_of(read_release(other), date=DATE, appendix=True).sections
        if each.title == "The ledger"
    )
    assert rows(found) == here


@pytest.mark.parametrize(
    "url", ["postgresql://ada@server:5432/office", "postgres://ada:secret@server/office", "https://server"]
)
def test_a_file_names_no_database_and_its_url_is_not_repeated(url: str, tmp_path: Path) -> None:
    with pytest.raises(
        InvalidInput, match="must be the path of a file, not of a database; got a URL.*WHIT_LEDGER"
    ) as refused:
        read_release(saved(tmp_path, path=url))
    assert "server" not in str(refused.value)


def test_a_text_that_is_no_file_opens_no_ledger(tmp_path: Path) -> None:
    text = saved(tmp_path).read_text("utf-8")
    with pytest.raises(Incompatible, match="must stand in a file"):
        release_of(parsed(text, "a text"))


def test_what_is_read_while_others_write_is_read_again(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Ledger(office / "office.ledger", actor="ben") as ledger, Ledger(office / "office.ledger") as other:
        check = ledger.check

        def disturbed(*arguments: Any) -> Any:
            monkeypatch.setattr(ledger, "check", check)
            other.reserve(ACCOUNT, PureDP(0.3), what="meanwhile")
            return check(*arguments)

        monkeypatch.setattr(ledger, "check", disturbed)
        found = outlook_of(ledger, ACCOUNT, PureDP(0.25))
        assert found.accounts[0].now == status_of(ledger.store, ACCOUNT)

        def always(*arguments: Any) -> Any:
            other.plan(ACCOUNT, PureDP(0.3), what="again and again")
            return check(*arguments)

        monkeypatch.setattr(ledger, "check", always)
        with pytest.raises(Unavailable, match="must rest while it is read"):
            outlook_of(ledger, ACCOUNT, PureDP(0.25))


def test_a_release_that_no_book_takes_says_so_in_the_report_too(office: Path) -> None:
    file = saved(office, account="ever")
    text = file.read_text(encoding="utf-8").replace("epsilon = 0.25", "epsilon = 0.25\ndelta = 1e-7")
    file.write_text(f"{text}\n[questions]\nfailure = 0.01\n", encoding="utf-8")
    document = document_of(read_release(file), date=DATE)
    found = next(each for each in document.sections if each.title == "The ledger")
    texts = [block.text for block in found.blocks if isinstance(block, Paragraph)]
    assert any("The book pure does not take epsilon = 0.25, delta = 1e-7." in text for text in texts)
    assert not any("Ask for a smaller release" in text for text in texts)


def test_the_population_and_the_period_of_an_account_are_called_so(office: Path) -> None:
    with Ledger(office / "office.ledger", actor="ada") as ledger:
        ledger.open("p", "patients", limits=["ratio=4"], books=["pure"], period="the year 2026")
    text = " ".join(block.text for block in section(office, account="p").blocks if isinstance(block, Paragraph))
    assert "Account p is about the population patients. Its period is the year 2026. Everything" in text


def test_in_a_list_of_what_needs_an_assumption_the_ledger_begins_no_sentence(office: Path) -> None:
    found = _needing(answer_release(read_release(saved(office))))
    listed = {name for needing in found.values() for _, name in needing}
    assert "the ledger" in listed
    assert "The ledger" not in listed
