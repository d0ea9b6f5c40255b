"""What one request may cost: its size, the time until it has arrived, and work that takes too long or too much."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from fastapi import Request
from web_server import fields, let_in, running

from whit.apps.web import Limits
from whit.apps.web.apart import apart
from whit.apps.web.watching import Accident, accident_of
from whit.apps.web.workers import workers_of
from whit.errors import InvalidInput, TooCostly
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger


def sleeping() -> None:
    time.sleep(60)


def greedy() -> int:
    return len(bytearray(10**12))


def dying() -> None:
    os._exit(1)


def wrong() -> None:
    raise InvalidInput("delta", "must be in [0, 1]", 2, "Use 1e-6.")


def right(number: int) -> int:
    return number + 1


def broken() -> None:
    raise RuntimeError


def test_work_apart_gives_what_it_gives_and_raises_what_it_raises():
    assert apart(right, 41, limits=Limits()) == 42
    with pytest.raises(InvalidInput, match=r"delta must be in \[0, 1\]; got 2"):
        apart(wrong, limits=Limits())


@pytest.mark.parametrize(("work", "sentence"), [(sleeping, "at most 1 seconds"), (dying, "memory")])
def test_work_apart_that_costs_too_much_is_killed(work, sentence):
    with pytest.raises(TooCostly, match=sentence):
        apart(work, limits=Limits(work=1 if work is sleeping else 30))


def test_work_apart_that_asks_for_too_much_memory_is_refused():
    with pytest.raises(InvalidInput, match="must fit into the memory that is allowed"):
        apart(greedy, limits=Limits())


def test_work_apart_that_fails_says_where():
    with pytest.raises(Accident, match=r"^RuntimeError at apps/web/workers\.py:\d+ in _worked_out$"):
        apart(broken, limits=Limits())


def test_a_body_that_is_too_large_is_refused_and_the_next_request_is_answered(settings):
    with running(replace(settings, limits=Limits(body=2_000, upload=5_000))) as server, let_in(server) as client:
        token = fields(client.get("/ledger/open").text)
        for body in ({"what": "x" * 10_000}, {"what": "x" * 10_000_000}):
            assert client.post("/ledger/open", data={**token, **body}).status_code == 413
        answer = client.post("/ledger/import", data=token, files={"file": ("a", b"x" * 4_000)})
        assert answer.status_code == 422
        assert client.post("/ledger/import", data=token, files={"file": ("a", b"x" * 8_000)}).status_code == 413
        assert client.get("/ledger").status_code == 200


def test_a_body_that_does_not_say_its_size_is_counted(settings):
    with running(replace(settings, limits=Limits(body=2_000))) as server, let_in(server) as client:
        pieces = (b"a" * 500 for _ in range(100))
        headers = {"content-type": "application/x-www-form-urlencoded"}
        assert client.post("/ledger/open", content=pieces, headers=headers).status_code == 413


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /ledger/open HTTP/1.1\r\n"])
def test_a_client_that_goes_silent_loses_its_connection(settings, said):
    with (
        running(replace(settings, limits=Limits(arrival=0.5))) as server,
        socket.create_connection(server.listener.getsockname(), timeout=20) as slow,
    ):
        slow.sendall(said)
        assert slow.recv(100) == b""


def test_a_body_that_does_not_come_is_not_waited_for(settings):
    with running(replace(settings, limits=Limits(arrival=0.5))) as server, let_in(server) as client:
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        head = (
            f"POST /ledger/open HTTP/1.1\r\nHost: {server.settings.host}\r\nOrigin: {server.url}\r\n"
            f"Cookie: {cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nwhat="
        )
        with socket.create_connection(server.listener.getsockname(), timeout=20) as slow:
            slow.sendall(head.encode())
            assert slow.recv(100).startswith(b"HTTP/1.1 408")


def test_too_many_requests_are_refused_for_a_while(settings):
    with running(replace(settings, limits=Limits(rate=0.001, burst=20))) as server, let_in(server) as client:
        statuses = [client.get("/").status_code for _ in range(30)]
    assert statuses[0] == 200
    assert statuses[-1] == 429


def test_a_log_has_routes_and_neither_names_nor_questions(settings, caplog, ledger):
    with Ledger(ledger, actor="ada") as book:
        book.reserve("patients 2026", ZeroConcentratedDP(0.01), what="first")
    with caplog.at_level(logging.INFO, logger="whit.web"), running(settings) as server, let_in(server) as client:
        for account in client.get("/ledger.json").json()["accounts"]:
            client.get(account["address"], params={"before": 987654321})
        client.get("/ledger/verify", params={"head": "secret-head", "ask": "yes"})
        client.get("/nowhere/patients")
        metrics = client.get("/metrics").text
    written = caplog.text + metrics
    assert "GET /ledger/account/{code} 200" in caplog.text
    assert 'whit_requests_total{method="GET",route="/ledger",status="200"} 1' in metrics
    for word in ("patients", "key=", "secret-head", "ada", "987654321", "127.0.0.1"):
        assert word not in written


def test_an_accident_is_a_page_and_its_words_are_not_in_the_log(settings, caplog):
    with running(settings) as server, let_in(server) as client:

        @server.app.get("/accident")
        def accident() -> None:
            raise RuntimeError("patients of doctor no")

        answer = client.get("/accident")
    assert answer.status_code == 500
    assert "The server made a mistake" in answer.text
    assert "doctor" not in answer.text + caplog.text
    assert "RuntimeError at" in caplog.text


def test_a_folder_of_the_name_whit_does_not_make_a_file_one_of_whit():
    elsewhere: dict[str, Callable[[], None]] = {}
    exec(compile("def broken(): raise RuntimeError('it broke')", "/elsewhere/whit/tests/other.py", "exec"), elsewhere)
    with pytest.raises(RuntimeError, match="it broke") as raised:
        elsewhere["broken"]()
    assert str(accident_of(raised.value)) == "RuntimeError at other.py:1 in broken"


def test_an_accident_in_another_process_is_a_page_and_the_log_has_its_place(settings, caplog):
    with running(settings) as server, let_in(server) as client:

        @server.app.get("/accident")
        def accident(request: Request) -> None:
            workers_of(request).run(broken)

        answer = client.get("/accident")
    assert answer.status_code == 500
    assert "The server made a mistake" in answer.text
    assert "RuntimeError at apps/web/workers.py" in caplog.text


def test_the_server_says_whether_it_is_well(settings, tmp_path):
    with running(settings) as server, let_in(server) as client:
        assert client.get("/health", headers={"host": "probe"}).json() == {"status": "ok"}
    with running(replace(settings, ledger=str(tmp_path / "gone"))) as server, let_in(server) as client:
        assert client.get("/health").status_code == 503
        assert client.get("/ledger").status_code == 503
