"""`whit web` as a process: where it listens, what it refuses, how it stops, and what a kill leaves behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from ledger_places import new_schema
from web_server import SECRET, fields, let_in, running

from whit.apps.web import Settings
from whit.ledger import Ledger, verify

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"http://127\.0\.0\.1:\d+/enter\?key=\S+")


@contextmanager
def whit_web(ledger, home, *options):
    """The command in a process, and its one-time link."""
    command = [sys.executable, "-m", "whit", "web", "--no-browser", "--ledger", str(ledger), *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "XDG_STATE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        said = [process.stdout.readline() for _ in range(3)]
        yield process, LINK.search("".join(said)).group()
    finally:
        process.kill()
        process.communicate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def run(*options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "whit", "web", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")} | {"WHIT_LEDGER": ""}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)


def test_a_killed_server_forgets_nothing_and_a_form_that_is_sent_again_makes_one_entry(ledger, tmp_path):
    port = free_port()
    with whit_web(ledger, tmp_path, "--port", str(port)) as (process, link):
        base = link.partition("/enter")[0]
        with httpx.Client(base_url=base, headers={"origin": base}, follow_redirects=True, timeout=60) as client:
            client.get(link)
            address = client.get("/ledger.json").json()["accounts"][0]["address"]
            sent = fields(client.get(f"{address}/reserve").text)
            sent |= {"what": "monthly table", "by": "rho", "amount": "0.01", "releases": "1", "act": "reserve"}
            first = client.post(f"{address}/reserve", data=sent)
            assert first.status_code == 200
            cookies = client.cookies
        process.send_signal(signal.SIGKILL)
        process.wait(20)
    with (
        whit_web(ledger, tmp_path, "--port", str(port)),
        httpx.Client(base_url=base, headers={"origin": base}, cookies=cookies, follow_redirects=True) as client,
    ):
        again = client.post(f"{address}/reserve", data=sent, timeout=60)
        assert (again.status_code, again.url) == (200, first.url)
    with Ledger(ledger, actor="test") as book:
        assert len(book.history("patients 2026")) == 1
        verify(book.store)


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_when_it_is_asked_to(ledger, tmp_path, asked):
    with whit_web(ledger, tmp_path, "--port", str(free_port())) as (process, link):
        assert httpx.get(link).status_code == 303
        process.send_signal(asked)
        assert process.wait(30) == 0
        assert "whit web has stopped." in process.stdout.read()


def test_a_free_port_is_taken_where_the_usual_one_is_not_free(ledger, tmp_path):
    with whit_web(ledger, tmp_path) as (_, first), whit_web(ledger, tmp_path) as (_, second):
        assert first.partition("/enter")[0] != second.partition("/enter")[0]
        assert {httpx.get(link).status_code for link in (first, second)} == {303}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--address", "0.0.0.0"), "--address must be this machine without --proxy; got 0.0.0.0. Add --proxy"),
        (("--address", "::"), "--address must be this machine without --proxy"),
        (("--socket", "s"), "must go with --proxy"),
        (("--proxy",), "--base must be given with --proxy"),
        (("--proxy", "--base", "https://a.example"), "--people must be given with --proxy"),
        (("--proxy", "--base", "https://a.example", "--people", "p"), "--socket or --proxy-secret must be given"),
        (("--ledger", "/nowhere/office.ledger"), "the ledger must be a file; got /nowhere/office.ledger"),
        (("token", "--people", "/nowhere/p.toml", "--person", "ada", "--role", "king"), "No role has the name king"),
    ],
)
def test_what_is_unsafe_or_missing_is_refused_before_it_starts(options, sentence):
    answer = run(*options)
    assert answer.returncode == 2
    assert sentence in answer.stderr


def test_a_port_that_is_asked_for_and_taken_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = run("--no-browser", "--port", str(taken.getsockname()[1]))
    assert answer.returncode == 2
    assert "the port must be free" in answer.stderr


def test_a_secret_that_others_may_read_is_refused(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("x" * 64)
    secret.chmod(0o644)
    answer = run("--no-browser", "--secret", str(secret))
    assert answer.returncode == 2
    assert "must be readable for its owner alone" in answer.stderr


def test_a_token_is_printed_once(tmp_path):
    answer = run("token", "--people", str(tmp_path / "people.toml"), "--person", "ada", "--role", "reader")
    assert answer.returncode == 0
    assert answer.stdout.startswith("whit_")
    assert answer.stdout.strip() not in (tmp_path / "people.toml").read_text()


def test_a_socket_is_taken_away_again(ledger, tmp_path):
    people = tmp_path / "people.toml"
    people.write_text('[people]\nada = ["reader"]\n')
    path = tmp_path / "web.sock"
    command = [sys.executable, "-m", "whit", "web", "--proxy", "--base", "https://a.example", "--people", str(people)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "XDG_STATE_HOME": str(tmp_path)}
    process = subprocess.Popen([*command, "--socket", str(path)], stderr=subprocess.PIPE, env=environment, text=True)
    try:
        assert "answers for https://a.example" in process.stderr.readline()
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://a.example") as client:
            for _ in range(100):
                if client.get("/health").status_code == 200:
                    break
                time.sleep(0.1)
            assert client.get("/", headers={"x-forwarded-user": "ada"}).status_code == 200
        process.send_signal(signal.SIGTERM)
        log = process.communicate(timeout=30)[1]
    finally:
        process.kill()
    assert process.returncode == 0
    assert not path.exists()
    assert "GET / 200" in log
    assert "ada" not in log


def test_a_ledger_in_postgresql_is_served_as_well(postgres):
    place = new_schema(postgres)
    with Ledger.create(place, actor="keeper") as book:
        book.declare("patients")
        book.open("patients 2026", "patients", limits=["posterior=0.3, prior=0.1"], failure=0.01)
    with running(Settings(ledger=place, secret=SECRET)) as server, let_in(server) as client:
        assert client.get("/health").status_code == 200
        address = client.get("/ledger.json").json()["accounts"][0]["address"]
        sent = fields(client.get(f"{address}/reserve").text)
        sent |= {"what": "monthly table", "by": "rho", "amount": "0.01", "releases": "1", "act": "reserve"}
        with ThreadPoolExecutor(4) as clicks:
            answers = list(clicks.map(lambda _: client.post(f"{address}/reserve", data=sent), range(4)))
    assert {answer.status_code for answer in answers} == {200}
    with Ledger(place, actor="test") as book:
        assert len(book.history("patients 2026")) == 1
