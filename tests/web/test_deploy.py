"""The files of the folder deploy, used as they are: nginx in front of a unix socket, the unit of systemd, the image."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from web_server import fields

from whit.ledger import Ledger

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
HOST = "risk.example.org"
PEOPLE = """[people]
"CN=ada" = ["requester"]
"CN=grace" = ["approver"]
"""


def needed(*programs: str) -> None:
    """Skip, and say so, where a program is not installed."""
    missing = [each for each in programs if shutil.which(each, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    if missing:
        pytest.skip(f"NOT RUN: needs {', '.join(missing)}. Install it with apt-get.")


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def certificates(folder: Path) -> None:
    """An office that signs, a server, and two people."""
    make = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    openssl(folder, *make, "-keyout", "office.key", "-out", "office.pem", "-subj", "/CN=office")
    openssl(folder, *make, "-keyout", "risk.key", "-out", "risk.pem", "-subj", f"/CN={HOST}")
    for person in ("ada", "grace"):
        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{person}.key")
        openssl(folder, "req", *key, "-out", f"{person}.csr", "-subj", f"/CN={person}")
        signed = ("-CA", "office.pem", "-CAkey", "office.key", "-CAcreateserial", "-days", "2")
        openssl(folder, "x509", "-req", "-in", f"{person}.csr", *signed, "-out", f"{person}.pem")


def configured(folder: Path, port: int) -> Path:
    """The configuration of deploy, with the places of this test."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    places = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/ssl/risk.pem": str(folder / "risk.pem"),
        "/etc/ssl/private/risk.key": str(folder / "risk.key"),
        "/etc/ssl/office.pem": str(folder / "office.pem"),
        "/run/whit/web.sock": str(folder / "web.sock"),
    }
    for there, here in places.items():
        assert there in text, there
        text = text.replace(there, here)
    user = "user root;\n" if os.geteuid() == 0 else ""
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"{user}pid {folder}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{text}\n}}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    return folder / "nginx.conf"


@contextmanager
def started(command: list[str], log: Path, **environment: str):
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env=os.environ | environment)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def options_of_the_unit(folder: Path, ledger: Path) -> list[str]:
    """What the unit of systemd starts, with the places of this test."""
    unit = (DEPLOY / "whit-web.service").read_text(encoding="utf-8").replace("\\\n", " ")
    words = re.search(r"^ExecStart=/opt/whit/bin/whit (.*)$", unit, flags=re.MULTILINE)
    assert words
    places = {
        "/run/whit/web.sock": str(folder / "web.sock"),
        "/etc/whit/people.toml": str(folder / "people.toml"),
        "/var/lib/whit/office.ledger": str(ledger),
    }
    return [places.get(word, word) for word in words[1].split()]


@pytest.fixture
def office(ledger, tmp_path):
    """The address of nginx, in front of what the unit starts."""
    needed("nginx", "openssl")
    certificates(tmp_path)
    (tmp_path / "people.toml").write_text(PEOPLE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    whit = [sys.executable, "-m", "whit", *options_of_the_unit(tmp_path, ledger)]
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    proxy = [str(nginx), "-c", str(configured(tmp_path, port)), "-g", "daemon off;", "-e", str(tmp_path / "error.log")]
    here = {"PYTHONPATH": str(ROOT / "src"), "XDG_STATE_HOME": str(tmp_path)}
    with started(whit, tmp_path / "whit.log", **here), started(proxy, tmp_path / "nginx.log"):
        for _ in range(300):
            if (tmp_path / "web.sock").exists() and answers(port):
                break
            time.sleep(0.1)
        yield port


def answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def somebody(port: int, folder: Path, person: str = "", **headers: str):
    """Somebody with a certificate of the office, or without one."""
    context = ssl.create_default_context(cafile=str(folder / "risk.pem"))
    context.check_hostname = False
    if person:
        context.load_cert_chain(folder / f"{person}.pem", folder / f"{person}.key")
    known = {"host": HOST, "origin": f"https://{HOST}", **headers}
    base = f"https://127.0.0.1:{port}"
    with httpx.Client(base_url=base, verify=context, headers=known, timeout=60) as client:
        yield client


@pytest.mark.slow
def test_nginx_names_people_and_nobody_names_themselves(office, tmp_path, ledger):
    with somebody(office, tmp_path) as nobody:
        assert nobody.get("/").status_code == 400  # nginx asks for a certificate
    with somebody(office, tmp_path, "ada", **{"x-forwarded-user": "CN=grace"}) as ada:
        page = ada.get("/ledger")
        assert page.status_code == 200
        assert "CN=ada" in page.text
        assert "CN=grace" not in page.text
        address = next(each for each in ada.get("/ledger.json").json()["accounts"] if "two" in each["account"])[
            "address"
        ]
        sent = fields(ada.get(f"{address}/reserve").text)
        sent |= {"what": "a table", "by": "rho", "amount": "0.01", "releases": "1", "act": "plan"}
        entry = ada.post(f"{address}/reserve", data=sent)
        assert entry.status_code == 303, entry.text
        there = entry.headers["location"]
    with somebody(office, tmp_path, "grace") as grace:
        assert grace.post(f"{there}/approve", data=fields(grace.get(there).text)).status_code == 303
    with Ledger(ledger, actor="test") as book:
        entries = book.history("patients for two")
        assert [(each.requester, each.approver) for each in entries] == [("CN=ada", "CN=grace")]
    with somebody(office, tmp_path, "ada", host="elsewhere.example.org") as lost:
        assert lost.get("/").status_code == 421
    log = (tmp_path / "whit.log").read_text()
    assert "GET /ledger 200" in log
    assert "ada" not in log


@pytest.mark.slow
def test_the_unit_is_one_that_systemd_understands(tmp_path):
    needed("systemd-analyze")
    unit = (DEPLOY / "whit-web.service").read_text(encoding="utf-8")
    there = tmp_path / "whit-web.service"
    there.write_text(unit.replace("/opt/whit/bin/whit", sys.executable), encoding="utf-8")
    found = subprocess.run(["systemd-analyze", "verify", str(there)], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    there.write_text(unit.replace("/opt/whit/bin/whit", sys.executable).replace("UMask=", "Umask="), encoding="utf-8")
    found = subprocess.run(["systemd-analyze", "verify", str(there)], capture_output=True, text=True, check=False)
    assert "Unknown key" in found.stderr


def test_the_image_copies_what_there_is_and_starts_what_the_command_knows():
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    copied = [word for line in re.findall(r"^COPY (.*)$", text, flags=re.MULTILINE) for word in line.split()[:-1]]
    assert copied
    assert all((ROOT / each).exists() for each in copied)
    start, more = (
        re.findall(r'"([^"]*)"', line) for line in re.findall(r"^(?:ENTRYPOINT|CMD) (.*)$", text, re.MULTILINE)
    )
    from click.testing import CliRunner

    from whit.apps.cli import whit

    known = CliRunner().invoke(whit, ["web", "--help"]).output
    assert start[:2] == ["whit", "web"]
    assert all(word in known for word in (*start, *more) if word.startswith("--"))
