"""`whit web` as a process: where it listens, what it refuses, how it stops, and what a kill leaves behind."""

from __future__ import annotations

import os
import re
import shlex
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
from click.testing import CliRunner
from ledger_places import new_schema
from web_server import SECRET, fields, let_in, running

import whit.files
from whit.apps.cli import whit as command
from whit.apps.web import Settings, add_token, secret_at
from whit.errors import Unavailable, WhitError
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
    words = [sys.executable, "-m", "whit", "web", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")} | {"WHIT_LEDGER": ""}
    return subprocess.run(words, capture_output=True, text=True, env=environment, check=False, timeout=60)


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
        (("--ledger", "/nowhere/office.ledger"), "the ledger must be a file that is there; got /nowhere/office"),
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


def _empty(path: Path) -> None:
    path.touch(mode=0o600)


def _pipe(path: Path) -> None:
    os.mkfifo(path, 0o600)


def _dead(path: Path) -> None:
    path.symlink_to("nowhere")


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _folder(path: Path) -> None:
    path.mkdir(mode=0o700)


def _broken(path: Path) -> None:
    path.write_text("[people")


def _other_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe")


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (_empty, "not be an empty file"),
        (_pipe, "it is a pipe into which nobody writes"),
        (_dead, "No such file or directory"),
        (_loop, "symbolic links"),
        (_folder, "Is a directory"),
    ],
)
def test_a_secret_that_cannot_be_read_is_refused_with_the_reason(tmp_path, monkeypatch, odd, why):
    monkeypatch.setattr(whit.files, "PATIENCE", 0.05)
    odd(tmp_path / "secret")
    with pytest.raises(WhitError, match=f"the secret must .*{why}"):
        secret_at(tmp_path / "secret")


def test_a_secret_that_does_not_fit_on_the_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unavailable, match=r"can be read or made \(No space left on device\)"):
        secret_at(tmp_path / "folder" / "secret")
    assert not list((tmp_path / "folder").iterdir())


def test_a_secret_is_made_once_and_for_its_owner(tmp_path):
    made = secret_at(tmp_path / "folder" / "secret")
    assert len(made) == 64
    assert secret_at(tmp_path / "folder" / "secret") == made
    assert (tmp_path / "folder" / "secret").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("odd", [_pipe, _dead, _loop, _folder, _broken, _other_text])
def test_a_token_is_added_to_no_file_that_the_server_could_not_read(tmp_path, odd):
    path = tmp_path / "people.toml"
    odd(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(WhitError, match="the file of people|people.toml"):
        add_token(path, "ada", ["reader"], days=1)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert [each.name for each in tmp_path.iterdir()] == ["people.toml"]


@pytest.mark.parametrize("place", ["nowhere/people.toml", "x" * 300, "file/people.toml"])
def test_a_token_is_added_to_no_file_that_cannot_be_there(tmp_path, place):
    (tmp_path / "file").touch()
    with pytest.raises(WhitError, match="the file of people must"):
        add_token(tmp_path / place, "ada", ["reader"], days=1)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_token_that_does_not_fit_on_the_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "people.toml"
    path.write_text('[people]\nada = ["reader"]')
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WhitError, match="the file of people must .*No space left on device"):
        add_token(path, "ada", ["reader"], days=1)
    assert path.read_text() == '[people]\nada = ["reader"]'
    assert [each.name for each in tmp_path.iterdir()] == ["people.toml"]


@pytest.mark.parametrize("rights", [0o600, 0o640])
def test_a_file_of_people_keeps_its_rights(tmp_path, rights):
    path = tmp_path / "people.toml"
    path.write_text('[people]\nada = ["reader"]\n')
    path.chmod(rights)
    for _ in range(2):
        add_token(path, "ada", ["reader"], days=1)
        assert path.stat().st_mode & 0o777 == rights
    assert path.read_text().count("[[token]]") == 2


def test_no_file_of_people_is_made_for_a_token(tmp_path):
    with pytest.raises(WhitError, match="the file of people must be a TOML file that can be read"):
        add_token(tmp_path / "people.toml", "ada", ["reader"], days=1)
    assert not list(tmp_path.iterdir())


def test_nothing_is_made_in_a_folder_of_the_name_of_a_tilde_where_nobody_knows_the_home(tmp_path, monkeypatch):
    def unknown(_):
        raise KeyError("getpwuid(): uid not found: 12345")

    for name in ("HOME", "XDG_STATE_HOME", "WHIT_LEDGER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.setenv("USER", "ada")
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(command, ["web", "--no-browser"])
    assert answer.exit_code == 2, answer.output
    assert "must begin with a home folder that is known" in answer.output
    assert not list(tmp_path.iterdir())


def test_nobody_is_served_who_has_no_name(tmp_path, monkeypatch):
    def unknown(*_):
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr("getpass.getuser", unknown)
    answer = CliRunner().invoke(command, ["web", "--no-browser", "--secret", str(tmp_path / "secret")])
    assert answer.exit_code == 2, answer.output
    assert "the actor must have a name" in answer.output


def test_a_server_that_does_not_start_leaves_no_socket(tmp_path):
    (tmp_path / "people.toml").write_text('[people]\nada = ["reader"]\n')
    place = ["--socket", str(tmp_path / "web.sock"), "--people", str(tmp_path / "people.toml")]
    secret = ["--secret", str(tmp_path / "secret")]
    answer = CliRunner().invoke(command, ["web", "--proxy", "--base", "https://a.example/b", *place, *secret])
    assert answer.exit_code == 2, answer.output
    assert "the base address must be an origin" in answer.output
    assert not (tmp_path / "web.sock").exists()


@pytest.mark.parametrize("text", [None, "[people", '[people]\nada = ["king"]', "other = 1"])
@pytest.mark.parametrize("more", [[], ["--proxy", "--base", "https://a.example"]])
def test_a_file_of_people_that_cannot_be_read_is_refused_at_the_start(tmp_path, monkeypatch, text, more):
    monkeypatch.setattr("whit.apps.web.run", lambda *_: None)  # it would serve until somebody stops it
    path = tmp_path / "people.toml"
    if text is not None:
        path.write_text(text)
    more = [*more, "--socket", str(tmp_path / "web.sock")] if more else ["--no-browser"]
    given = ["--people", str(path), "--secret", str(tmp_path / "secret"), *more]
    answer = CliRunner().invoke(command, ["web", *given])
    assert answer.exit_code in (2, 3), answer.output
    assert re.search("the file of people|role", answer.output)
    assert not (tmp_path / "web.sock").exists()


def test_a_proxy_is_not_known_by_an_empty_secret(tmp_path):
    (tmp_path / "proxy").touch(mode=0o600)
    given = ["--people", "people.toml", "--proxy-secret", str(tmp_path / "proxy")]
    answer = CliRunner().invoke(command, ["web", "--proxy", "--base", "https://a.example", *given])
    assert answer.exit_code == 2, answer.output
    assert "the secret must not be an empty file" in answer.output


@pytest.mark.parametrize("streams", ["> /dev/full", ">&-"])
def test_a_token_that_nobody_sees_is_no_success(tmp_path, streams):
    (tmp_path / "p.toml").write_text('[people]\nada = ["reader"]\n')
    line = f"{shlex.quote(sys.executable)} -m whit web token --people {tmp_path}/p.toml --person ada {streams}"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    answer = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=environment, check=False)
    assert answer.returncode == 2
    assert "the token must be written whole; got an output that is closed or full" in answer.stderr


def test_a_token_is_printed_once(tmp_path):
    (tmp_path / "people.toml").write_text('[people]\nada = ["reader"]\n')
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
