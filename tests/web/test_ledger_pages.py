"""The pages of the ledger: they show what the ledger says, and a request is made once however often it is sent."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from web_server import fields, let_in, running

from whit.apps.web import Limits, listening
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, State, status_of, verify

ASKED = {"what": "monthly table", "by": "rho", "amount": "0.01", "releases": "1"}


def account_address(client, name="patients 2026") -> str:
    (found,) = [each["address"] for each in client.get("/ledger.json").json()["accounts"] if each["account"] == name]
    return found


def checked(client, address, **more) -> dict[str, str]:
    """What the page "check your answers" would send on."""
    form = client.get(f"{address}/reserve").text
    answer = client.post(f"{address}/reserve/check", data={**fields(form), **ASKED, **more})
    assert answer.status_code == 200, answer.text
    return fields(answer.text)


def entries(path, account="patients 2026"):
    with Ledger(path, actor="test") as book:
        return book.history(account)


def test_the_list_says_what_the_ledger_says(client, ledger):
    with Ledger(ledger, actor="ada") as book:
        book.reserve("patients 2026", ZeroConcentratedDP(0.01), what="first")
        told = status_of(book.store, "patients 2026")
    assert client.get("/ledger.json").json()["accounts"][0]["limits"] == told.to_dict()["limits"]
    assert told.limits[0].row[1] in client.get("/ledger").text


def test_a_release_is_reserved_after_a_look_at_the_answers(client, ledger):
    address = account_address(client)
    sent = checked(client, address)
    assert entries(ledger) == ()
    receipt = client.post(f"{address}/reserve", data={**sent, "act": "reserve"})
    (entry,) = entries(ledger)
    assert (entry.state, entry.what, entry.charges["zcdp"]) == (State.RESERVED, "monthly table", (1 / 100,))
    with Ledger(ledger, actor="test") as book:
        assert book.store.event(entry.number).hash in receipt.text
        assert book.head[1] in receipt.text


def test_a_double_click_makes_one_entry(client, ledger):
    address = account_address(client)
    sent = {**checked(client, address), "act": "reserve"}
    with ThreadPoolExecutor(8) as clicks:
        answers = list(clicks.map(lambda _: client.post(f"{address}/reserve", data=sent), range(8)))
    assert {str(answer.url) for answer in answers} == {f"{client.base_url}/ledger/entry/{entries(ledger)[0].number}"}
    assert len(entries(ledger)) == 1


def test_two_windows_of_the_same_request_make_one_entry(client, ledger):
    address = account_address(client)
    windows = [checked(client, address) for _ in range(2)]
    for sent in windows:
        client.post(f"{address}/reserve", data={**sent, "act": "reserve"})
    assert len(entries(ledger)) == 1


def test_the_same_request_later_is_another_release_and_is_pointed_out(client, ledger):
    address = account_address(client)
    client.post(f"{address}/reserve", data={**checked(client, address), "act": "reserve"})
    form = client.get(f"{address}/reserve").text
    again = client.post(f"{address}/reserve/check", data={**fields(form), **ASKED}).text
    assert "has the same words and the same promise" in again
    client.post(f"{address}/reserve", data={**fields(again), "act": "reserve"})
    assert len(entries(ledger)) == 2


def test_a_restart_loses_nothing_and_a_form_that_is_sent_again_makes_no_second_entry(settings, ledger):
    with running(settings) as server, let_in(server) as client:
        address = account_address(client)
        sent = {**checked(client, address), "act": "reserve"}
        first = client.post(f"{address}/reserve", data=sent)
        kept, url = client.cookies, server.url
        port = server.listener.getsockname()[1]
    again = listening("127.0.0.1", port)
    with running(server.settings, again) as server, let_in(server) as client:
        assert server.url == url
        client.cookies = kept
        assert client.post(f"{address}/reserve", data=sent).url == first.url
    assert len(entries(ledger)) == 1


def test_what_does_not_fit_is_refused_with_what_would(client, ledger):
    address = account_address(client)
    form = client.get(f"{address}/reserve").text
    shown = client.post(f"{address}/reserve/check", data={**fields(form), **ASKED, "amount": "3"}).text
    assert "Not allowed" in shown
    assert "It would fit with" in shown
    assert 'value="reserve"' not in shown
    refused = client.post(f"{address}/reserve", data={**fields(shown), "act": "reserve"})
    assert refused.status_code == 409
    assert entries(ledger) == ()


@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"amount": "-1"}, "amount", "Rho must be"),
        ({"amount": ""}, "amount", "The value must be filled in"),
        ({"what": ""}, "what", "What is released must be filled in"),
        ({"delta": "1e-6"}, "delta", "Delta goes with epsilon, and not with rho"),
        ({"promise": "rho=1"}, "promise", "The promise in words must be empty here"),
        (
            {"by": "promise", "amount": "", "promise": "rho=0.1", "releases": "3"},
            "releases",
            "The number of releases must be 1 here",
        ),
        ({"releases": "0"}, "releases", "Releases must be"),
        ({"minutes": "soon"}, "minutes", "Minutes must be"),
    ],
)
def test_a_field_that_is_wrong_is_named_and_what_was_filled_in_stays(client, ledger, wrong, field, sentence):
    address = account_address(client)
    form = client.get(f"{address}/reserve").text
    answer = client.post(f"{address}/reserve/check", data={**fields(form), **ASKED, **wrong})
    assert answer.status_code == 422
    (named, said) = re.search(r'<li><a href="#(\w+)">(.*?)</a>', answer.text).groups()
    assert named == field
    assert sentence in said
    assert wrong.get("what", 'value="monthly table"') in answer.text
    assert entries(ledger) == ()


def test_nobody_approves_a_request_of_their_own(client, ledger):
    address = account_address(client, "patients for two")
    receipt = client.post(f"{address}/reserve", data={**checked(client, address), "act": "plan"})
    (entry,) = entries(ledger, "patients for two")
    assert entry.state is State.PLANNED
    assert "another person must approve it" in receipt.text
    answer = client.post(f"/ledger/entry/{entry.number}/approve", data=fields(receipt.text))
    assert answer.status_code == 403
    assert "your own request" in answer.text
    assert entries(ledger, "patients for two")[0].state is State.PLANNED


def test_a_reservation_that_needs_two_is_refused_from_one(client, ledger):
    address = account_address(client, "patients for two")
    answer = client.post(f"{address}/reserve", data={**checked(client, address), "act": "reserve"})
    assert answer.status_code == 422
    assert "needs a second person" in answer.text
    assert entries(ledger, "patients for two") == ()


def test_an_entry_goes_its_way_and_each_step_is_made_once(client, ledger):
    with Ledger(ledger, actor="a colleague") as book:
        number = book.plan("patients for two", ZeroConcentratedDP(0.01), what="first").number
    for name, said, state in [
        ("approve", "", State.RESERVED),
        ("release", "abc123", State.RELEASED),
        ("withdraw", "an error", State.WITHDRAWN),
    ]:
        sent = {**fields(client.get(f"/ledger/entry/{number}").text), "said": said}
        for _ in range(2):
            assert client.post(f"/ledger/entry/{number}/{name}", data=sent).status_code == 200
        assert entries(ledger, "patients for two")[0].state is state
    with Ledger(ledger, actor="test") as book:
        assert book.head[0] == number + 3


def test_the_picture_of_an_account_is_a_picture_that_may_load_nothing(client, ledger):
    answer = client.get(f"{account_address(client)}/risk-0.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.text.startswith("<svg")
    assert client.get(f"{account_address(client)}/risk-1.svg").status_code == 404


def test_what_is_used_stands_on_one_line_with_its_unit(client, ledger):
    """The page broke between 69.7 and its percent sign."""
    page = client.get("/ledger").text
    assert "0\u00a0% of the " in page
    assert "0 % of the " not in page


def test_a_ledger_that_was_changed_is_found(client, ledger):
    assert "Whole" in client.get("/ledger/verify?ask=yes").text
    kept = client.get("/ledger/verify.json?ask=yes").json()["head"]
    assert client.get(f"/ledger/verify.json?ask=yes&head={kept}").json()["whole"]
    assert client.get(f"/ledger/verify.json?ask=yes&head={kept[:16]}").json()["whole"]
    assert "Not whole" in client.get(f"/ledger/verify?ask=yes&head={'0' * 64}").text
    mistyped = client.get("/ledger/verify?ask=yes&head=xyz").text
    assert "This is not a head" in mistyped
    assert "Not whole" not in mistyped


def test_a_ledger_goes_out_and_in_again(client, settings, tmp_path):
    lines = client.get("/ledger/export.jsonl").content
    empty = tmp_path / "new.ledger"
    Ledger.create(empty, actor="keeper").close()
    with running(replace(settings, ledger=str(empty))) as server, let_in(server) as other:
        token = fields(other.get("/ledger/import").text)
        changed = lines.replace(b"north", b"nor1h")
        broken = other.post("/ledger/import", data=token, files={"file": ("a.jsonl", changed)})
        assert broken.status_code == 422
        with Ledger(empty, actor="test") as book:
            assert book.head[0] == 0
        done = other.post("/ledger/import", data=token, files={"file": ("a.jsonl", lines)})
        assert "Imported" in done.text
        assert other.post("/ledger/import", data=token, files={"file": ("a.jsonl", lines)}).status_code == 422
    with Ledger(empty, actor="test") as book:
        assert verify(book.store).events == 3


def test_an_account_is_opened_and_what_is_wrong_is_named(client):
    sent = fields(client.get("/ledger/open").text) | {"population": "pupils", "unit": "pupil", "failure": "0.01"}
    wrong = client.post("/ledger/open", data={**sent, "account": "pupils 2027", "limits": "posterior=2"})
    assert wrong.status_code == 422
    assert 'href="#limits"' in wrong.text
    done = client.post("/ledger/open", data={**sent, "account": "pupils 2027", "limits": "posterior=0.3, prior=0.1"})
    assert "pupils 2027" in done.text
    again = client.post("/ledger/open", data={**sent, "account": "pupils 2027", "limits": "posterior=0.3, prior=0.1"})
    assert 'href="#account"' in again.text


def test_no_name_is_in_an_address(client, ledger):
    with Ledger(ledger, actor="ada") as book:
        book.reserve("patients 2026", ZeroConcentratedDP(0.01), what="first")
    pages = ["/ledger", account_address(client), "/ledger/entry/4"]
    links = [link for path in pages for link in re.findall(r'(?:href|src|action)="([^"]*)"', client.get(path).text)]
    assert links
    assert [link for link in links if "patients" in link or "ada" in link or "first" in link] == []


def test_a_number_opens_what_it_rests_on(client, ledger):
    with Ledger(ledger, actor="ada") as book:
        told = status_of(book.store, "patients 2026")
    page = client.get("/ledger").text
    for key in told.limits[0].risk.basis.theorems:
        assert key in page


def test_a_release_that_is_too_slow_to_judge_is_refused_and_nothing_is_written(settings, ledger):
    with running(replace(settings, limits=Limits(work=0.001))) as server, let_in(server) as client:
        address = account_address(client)
        form = {**fields(client.get(f"{address}/reserve").text), **ASKED}
        for place in ("reserve/check", "reserve"):
            answer = client.post(f"{address}/{place}", data={**form, "act": "reserve"})
            assert answer.status_code in (413, 422)
            assert "must take at most 0.001 seconds" in answer.text
    assert entries(ledger) == ()


def test_a_promise_names_no_file_of_the_server(client, tmp_path):
    (tmp_path / "strategy.csv").write_text("1,0\n1,1\n", encoding="utf-8")
    address = account_address(client)
    form = {**fields(client.get(f"{address}/reserve").text), "what": "sums", "by": "promise", "releases": "1"}
    said = f"matrix=2, strategy={tmp_path / 'strategy.csv'}"
    answer = client.post(f"{address}/reserve/check", data={**form, "promise": said})
    assert answer.status_code == 422
    assert "must not be named here" in answer.text
