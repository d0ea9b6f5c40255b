"""Who may do what: nobody is let in whom nobody named, and each role does its own and no more."""

from __future__ import annotations

import re
import stat
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi.routing import APIRoute
from web_server import SECRET, fields, let_in, running

from whit.apps.web import Limits, Mode, Settings, add_token, create_app, listening, listening_at
from whit.apps.web.access.people import hash_of, tokens_in
from whit.apps.web.access.sessions import HOURS, Links, cookie_name, session_of
from whit.apps.web.bounds import Rate
from whit.errors import InvalidInput, WhitError
from whit.ledger import Ledger, State

BASE = "https://risk.example.org"
PEOPLE = """
[people]
ada = ["requester"]
grace = ["approver"]
both = ["requester", "approver"]
kay = ["keeper"]
rita = ["reader"]
otto = ["auditor"]
"""
ASKED = {"what": "monthly table", "by": "rho", "amount": "0.01", "releases": "1", "act": "plan"}


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.toml"
    path.write_text(PEOPLE)
    return path


@pytest.fixture
def office(ledger, people):
    """Settings of a team behind a proxy that shows a secret."""
    return Settings(
        base=BASE, mode=Mode.PROXY, secret=SECRET, ledger=str(ledger), people=people, proxy_secret="between us"
    )


@pytest.fixture
def at_port(office):
    """The server of the team on a port."""
    listener = listening("127.0.0.1", 0)
    with running(office, listener) as server:
        server.port = listener.getsockname()[1]
        yield server


def as_person(server, name, **more) -> httpx.Client:
    """Somebody whom the proxy names."""
    headers = {"host": "risk.example.org", "x-forwarded-user": name, "x-whit-proxy-secret": "between us"}
    headers |= {"origin": BASE, **more}
    return httpx.Client(base_url=f"http://127.0.0.1:{server.port}", headers=headers, timeout=60)


def as_program(server, token, **more) -> httpx.Client:
    headers = {"host": "risk.example.org", "authorization": f"Bearer {token}", **more}
    return httpx.Client(base_url=f"http://127.0.0.1:{server.port}", headers=headers, timeout=60)


def address(client) -> str:
    (found,) = [
        each["address"]
        for each in client.get("/ledger.json").json()["accounts"]
        if each["account"] == "patients for two"
    ]
    return found


def planned(client) -> str:
    """Ask for a release; the address of its entry."""
    place = address(client)
    sent = fields(client.get(f"{place}/reserve").text) | ASKED
    return client.post(f"{place}/reserve", data=sent).headers["location"]


def test_the_proxy_names_who_asks(at_port):
    with as_person(at_port, "ada") as ada:
        assert "ada" in ada.get("/").text


@pytest.mark.parametrize("shown", ["", "between you", "between us and more"])
def test_a_header_without_the_secret_is_refused(at_port, shown):
    with as_person(at_port, "ada", **{"x-whit-proxy-secret": shown}) as forged:
        assert forged.get("/").status_code == 403


def test_a_header_is_refused_where_no_proxy_is_expected(server, client):
    answer = client.get("/", headers={"x-forwarded-user": "ada"})
    assert answer.status_code == 403
    assert "no proxy is expected here" in answer.text


def test_a_unix_socket_is_trusted_without_a_secret_and_a_port_is_not(office, tmp_path):
    without = replace(office, proxy_secret="")
    path = tmp_path / "web.sock"
    headers = {"host": "risk.example.org", "x-forwarded-user": "ada"}
    with running(without, listening_at(path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url=BASE.replace("https", "http")) as by:
            assert by.get("/", headers=headers).status_code == 200
    listener = listening("127.0.0.1", 0)
    with running(without, listener):
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        assert httpx.get(url, headers=headers).status_code == 403
        assert httpx.get(url, headers={**headers, "x-whit-proxy-secret": ""}).status_code == 403


def test_two_names_are_nobody(at_port):
    with as_person(at_port, "ada") as ada:
        twice = [*ada.headers.raw, (b"x-forwarded-user", b"grace")]
        assert httpx.get(f"{ada.base_url}", headers=twice).status_code == 403


def test_whoever_has_no_role_may_do_nothing(at_port):
    with as_person(at_port, "mallory") as mallory:
        for path in ("/", "/ledger", "/ledger.json", "/ledger/verify", "/metrics"):
            assert mallory.get(path).status_code == 403


def test_a_second_person_approves_and_the_first_does_not(at_port, ledger):
    with as_person(at_port, "both") as both, as_person(at_port, "grace") as grace, as_person(at_port, "rita") as rita:
        entry = planned(both)
        own = both.post(f"{entry}/approve", data=fields(both.get(entry).text))
        assert own.status_code == 403
        token = fields(rita.get("/ledger").text + '<form><input type="hidden" name="token" value="x"></form>')
        assert rita.post(f"{entry}/approve", data=token).status_code == 403
        assert grace.post(f"{entry}/approve", data=fields(grace.get(entry).text)).status_code == 303
    with Ledger(ledger, actor="test") as book:
        (found,) = book.history("patients for two")
    assert (found.state, found.requester, found.approver) == (State.RESERVED, "both", "grace")


@pytest.mark.parametrize(
    ("name", "open_to_them"),
    [
        ("rita", {"/ledger"}),
        ("ada", {"/ledger", "reserve"}),
        ("grace", {"/ledger"}),
        ("kay", {"/ledger", "/ledger/open", "/ledger/import"}),
        ("otto", {"/ledger", "/ledger/verify", "/ledger/export.jsonl", "/metrics"}),
    ],
)
def test_each_role_opens_its_own_pages_and_no_others(at_port, name, open_to_them):
    with as_person(at_port, name) as person:
        place = address(person)
        paths = ["/ledger", "/ledger/open", "/ledger/import", "/ledger/verify", "/ledger/export.jsonl", "/metrics"]
        found = {path for path in paths if person.get(path).status_code == 200}
        found |= {"reserve"} if person.get(f"{place}/reserve").status_code == 200 else set()
    assert found == open_to_them


def test_every_route_says_who_may_use_it_or_is_public(office):
    def routes(found):
        for each in found:
            inside = getattr(each, "original_router", each)
            yield from routes(getattr(inside, "routes", None) or [])
            if isinstance(each, APIRoute):
                yield each

    open_routes = {
        route.name
        for route in routes(create_app(office).routes)
        if not any("may." in getattr(each.call, "__qualname__", "") for each in route.dependant.dependencies)
    }
    assert open_routes == {"enter", "health"}


def test_programs_read_a_problem_and_people_a_page(at_port, people):
    program, person = add_token(people, "rita", ["reader"], days=1), {"accept": "text/html,*/*;q=0.8"}
    with as_program(at_port, program) as rita:
        asked = [rita.get("/metrics"), rita.get("/ledger/verify")]
    with as_program(at_port, "whit_unknown") as nobody:
        asked.append(nobody.get("/metrics"))
    asked.append(httpx.get(f"http://127.0.0.1:{at_port.port}/metrics", headers={"host": "risk.example.org"}))
    assert [each.status_code for each in asked] == [403, 403, 401, 401]
    assert {each.headers["content-type"] for each in asked} == {"application/problem+json"}
    assert "needs the role auditor" in asked[0].json()["detail"]
    assert all("token" in each.json()["detail"] for each in asked[2:])
    with as_person(at_port, "rita", **person) as rita:
        for path in ("/metrics", "/ledger/verify"):
            assert rita.get(path).headers["content-type"].startswith("text/html")


def test_no_form_is_taken_without_the_token_of_its_session(at_port, client):
    with as_person(at_port, "ada") as ada, as_person(at_port, "both") as both:
        place = address(ada)
        sent = fields(ada.get(f"{place}/reserve").text) | ASKED
        assert ada.post(f"{place}/reserve", data={**sent, "token": ""}).status_code == 403
        assert both.post(f"{place}/reserve", data=sent).status_code == 403
        assert ada.post(f"{place}/reserve", data=sent).status_code == 303
    for path in ("/ledger/open", "/ledger/import", "/ledger/entry/1/cancel"):
        assert client.post(path, data={"token": "wrong"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example.org"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": BASE + ".evil.org"},
        {"origin": BASE, "sec-fetch-site": "cross-site"},
        {"origin": BASE, "sec-fetch-site": "same-site"},
    ],
)
def test_a_form_from_another_site_is_refused(at_port, headers, ledger):
    with as_person(at_port, "ada") as ada:
        place = address(ada)
        sent = fields(ada.get(f"{place}/reserve").text) | ASKED
        answer = ada.post(f"{place}/reserve", data=sent, headers=headers)
        assert answer.status_code == 403
        assert "another site" in answer.text
    with Ledger(ledger, actor="test") as book:
        assert book.history("patients for two") == ()


def test_another_name_for_this_machine_is_refused(server, client):
    assert client.get("/", headers={"host": "evil.example.org"}).status_code == 421
    assert client.get("/", headers={"host": f"localhost:{server.listener.getsockname()[1]}"}).status_code == 200


def test_a_token_does_what_it_is_for_and_no_more(at_port, people, ledger):
    reader, asker = add_token(people, "ada", ["reader"], days=1), add_token(people, "ada", ["requester"], days=1)
    with as_program(at_port, reader) as program:
        place = address(program)
        assert program.post(f"{place}/reserve", data=ASKED).status_code == 403
        assert program.get("/metrics").status_code == 403
    with as_program(at_port, asker) as program:
        entry = program.post(f"{place}/reserve", data=ASKED).headers["location"]
    with as_program(at_port, add_token(people, "both", ["requester"], days=1)) as program:
        entries = [entry, program.post(f"{place}/reserve", data=ASKED).headers["location"]]
    with as_program(at_port, add_token(people, "both", ["approver"], days=1)) as program:
        assert [program.post(f"{each}/approve").status_code for each in entries] == [303, 403]
    with Ledger(ledger, actor="test") as book:
        assert {each.requester for each in book.history("patients for two")} == {"ada", "both"}


def test_a_token_ends_with_its_time_and_with_its_lines(at_port, people):
    token = add_token(people, "ada", ["reader"], days=1)
    with as_program(at_port, token) as program:
        assert program.get("/ledger").status_code == 200
        text = people.read_text()
        past = (datetime.now(UTC) - timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        people.write_text(re.sub(r"expires = \S+", f"expires = {past}", text))
        assert program.get("/ledger").status_code == 401
        people.write_text(text)
        assert program.get("/ledger").status_code == 200
        people.write_text(PEOPLE)
        assert program.get("/ledger").status_code == 401


def test_a_token_ends_with_the_roles_of_its_person(at_port, people):
    token = add_token(people, "both", ["approver"], days=1)
    kept = people.read_text().partition("\n[[token]]")[2]

    def status(roles: str, path: str) -> int:
        people.write_text(f"[people]\n{roles}\n\n[[token]]{kept}")
        with as_program(at_port, token) as program:
            return program.get(path).status_code

    with as_program(at_port, token) as program:
        assert program.get("/metrics").status_code == 403
    assert status('both = ["auditor"]', "/ledger") == 200  # whoever has a role may read
    assert status('both = ["auditor"]', "/metrics") == 403  # a token has no role that it was not made with
    for gone in ("", "both = []", 'ada = ["approver"]', '"*" = ["approver"]'):
        assert status(gone, "/ledger") == 401
    assert status('both = ["approver"]', "/ledger") == 200


def test_a_role_that_is_taken_away_is_lost_to_tokens_at_once(at_port, people):
    token = add_token(people, "otto", ["auditor", "reader"], days=1)
    with as_program(at_port, token) as program:
        assert program.get("/metrics").status_code == 200
        people.write_text(people.read_text().replace('otto = ["auditor"]', 'otto = ["requester"]'))
        assert program.get("/metrics").status_code == 403
        assert program.get("/ledger").status_code == 200


@pytest.mark.parametrize(
    ("person", "roles", "way_out"),
    [
        ("bob", ["reader"], 'Add bob = ["reader"] below [people]'),
        ("b o.b", ["reader"], 'Add "b o.b" = ["reader"] below [people]'),
        ("*", ["reader"], "must have a role by name"),
        ("none", ["reader"], "must have a role by name"),
        ("ada", ["approver"], 'Ask for reader or requester, or write ada = ["approver", "requester"] there'),
        ("rita", ["reader", "keeper"], "got keeper"),
    ],
)
def test_a_token_is_made_for_a_person_and_roles_of_the_file_alone(people, person, roles, way_out):
    people.write_text(f'{PEOPLE}none = []\n"*" = ["reader"]\n')
    before = people.read_text()
    with pytest.raises(InvalidInput, match=re.escape(way_out)):
        add_token(people, person, roles, days=1)
    assert people.read_text() == before


def test_what_a_refused_token_advises_is_enough(people):
    with pytest.raises(InvalidInput, match="must have a role by name") as refused:
        add_token(people, 'a "b" \\ c', ["auditor", "reader"], days=1)
    line = re.search(r"Add (.* = \[.*\]) below", refused.value.way_out)[1]
    people.write_text(PEOPLE + line + "\n")
    assert add_token(people, 'a "b" \\ c', ["auditor", "reader"], days=1)


def test_the_file_holds_no_token(tmp_path):
    path = tmp_path / "new.toml"
    path.write_text('[people]\n"a \\"b\\" \\\\ c" = ["auditor"]\n')
    token = add_token(path, 'a "b" \\ c', ["reader", "auditor"], days=90)
    assert token not in path.read_text()
    assert hash_of(token) in path.read_text()
    listener = listening("127.0.0.1", 0)
    office = Settings(base=BASE, mode=Mode.PROXY, secret=SECRET, people=path)
    with running(office, listener) as server:
        server.port = listener.getsockname()[1]
        with as_program(server, token) as program:
            assert "a &#34;b&#34; \\ c" in program.get("/").text


def test_tokens_that_are_made_at_the_same_moment_are_all_kept(tmp_path):
    people = tmp_path / "people.toml"
    people.write_text("[people]\n" + "".join(f'"person {at}" = ["reader"]\n' for at in range(40)))
    with ThreadPoolExecutor(8) as pool:
        made = [*pool.map(lambda at: add_token(people, f"person {at}", ["reader"], days=1), range(40))]
    kept = {each.sha256 for each in tokens_in(tomllib.loads(people.read_text("utf-8")))}
    assert kept == {hash_of(each) for each in made}


@pytest.mark.parametrize("days", [0, -1, 367])
def test_a_token_lasts_at_most_a_year(tmp_path, days):
    with pytest.raises(InvalidInput, match="days must be from 1 to 366"):
        add_token(tmp_path / "p.toml", "ada", ["reader"], days=days)


@pytest.mark.parametrize(
    "text",
    [
        "[people",
        'other = 1\n[people]\nada = ["reader"]',
        '[people]\nada = ["king"]',
        "[people]\nada = 3",
        '[people]\nada = "requester"',
        "[people]\nada = [3]",
        "[people]\nada = [[]]",
        f"{PEOPLE}[token]\nperson = 'ada'",
        f"token = [3]\n{PEOPLE}",
        f"{PEOPLE}[[token]]\nperson = 'ada'\nsha256 = 'é'\nroles = ['reader']\nexpires = 2099-01-31T00:00:00Z",
        f"{PEOPLE}[[token]]\nperson = 'ada'\nsha256 = '{64 * 'a'}'\nroles = 3\nexpires = 2099-01-31T00:00:00Z",
    ],
)
def test_a_file_that_cannot_be_read_lets_nobody_in(at_port, people, text):
    with as_person(at_port, "ada") as ada:
        assert ada.get("/ledger").status_code == 200
        people.write_text(text)
        refused = ada.get("/ledger")
        assert refused.status_code == 503  # whoever asks has done nothing wrong
        assert "Not available now" in refused.text
        told = ada.get("/api/v1/assess?epsilon=1").json()
        assert (told["status"], told["title"]) == (503, "Not available now")
        people.write_text(PEOPLE)
        assert ada.get("/ledger").status_code == 200


def test_a_session_is_signed_and_ends(server, client, monkeypatch):
    cookie = client.cookies[cookie_name(server.settings)]
    assert session_of(server.settings, cookie) is not None
    changed = ("A" if cookie[5] != "A" else "B").join([cookie[:5], cookie[6:]])
    for forged in ("", ".", "x.y", changed, cookie[:-1], cookie.upper()):
        assert session_of(server.settings, forged) is None
    now = datetime.now(UTC).timestamp()
    monkeypatch.setattr("time.time", lambda: now + HOURS * 3600 + 60)
    assert session_of(server.settings, cookie) is None


def test_a_session_cookie_is_kept_from_scripts_and_from_other_sites(server):
    said = httpx.get(server.link()).headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said


def test_a_one_time_key_is_good_once_and_not_for_ever():
    now = [0.0]
    links = Links(clock=lambda: now[0])
    key, late = links.make(), links.make()
    assert [links.take("other"), links.take(key), links.take(key)] == [False, True, False]
    now[0] = 4000.0
    assert not links.take(late)


def test_the_pace_is_bounded_and_comes_back():
    now = [0.0]
    rate = Rate(Limits(rate=2, burst=3), clock=lambda: now[0])
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.allows("b")
    now[0] = 1.0
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]


def test_a_secret_that_is_short_and_a_base_with_a_path_are_refused():
    for wrong in ({"secret": b"short"}, {"base": "https://a.example/path"}, {"base": "ftp://a"}, {"base": "a"}):
        with pytest.raises(WhitError, match="must"):
            Settings(**wrong)


def test_nothing_secret_is_in_the_repr(office):
    assert "between us" not in repr(office)
    assert SECRET.decode() not in repr(office)


def test_one_person_is_let_in_by_their_own_link_alone(server):
    with let_in(server) as client:
        assert client.get("/ledger").status_code == 200
    assert httpx.get(f"{server.url}/ledger").status_code == 401
    assert httpx.get(f"{server.url}/enter?key=guess").status_code == 401
