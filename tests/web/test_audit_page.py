"""The page of an audit: the same as the command says, one sentence for each cell that is known, wrong files refused."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner
from web_server import fields

from whit.apps.cli import whit
from whit.apps.web.pages.audit import EXAMPLE, of_file
from whit.errors import WhitError
from whit.spec import without_files


@pytest.fixture
def sent(client):
    """What the form sends with every table."""
    return fields(client.get("/audit").text)


def test_a_cell_that_follows_from_totals_is_named_with_its_sum(client, sent):
    page = client.post("/audit", data={**sent, "text": EXAMPLE, "values_left": "2"})
    assert page.status_code == 200
    assert "Not allowed." in page.text
    # 9 - 7 by hand, 12 - 7 by hand, 11 - 5 by hand
    for cell, value in {"north × old": 2, "south × young": 5, "south × old": 6}.items():
        assert f"<li>{cell} is exactly {value}:" in page.text


@pytest.mark.parametrize("limits", [{}, {"interval": "4"}, {"values_left": "3", "posterior": "0.2"}])
def test_the_document_is_what_the_command_prints(client, sent, tmp_path, limits):
    text = "x,y,value,flag\n" + "".join(f"{row},{column},,c\n" for row in "ab" for column in "pq")
    text += "a,Total,5,\nb,Total,7,\nTotal,p,4,\nTotal,q,8,\nTotal,Total,12,\n"
    file = tmp_path / "table.csv"
    file.write_text(text)
    options = [part for name, value in limits.items() for part in (f"--{name.replace('_', '-')}", value)]
    printed = json.loads(CliRunner().invoke(whit, ["audit", str(file), "--json", *options]).output)
    answer = client.post("/audit.json", data={**sent, **limits}, files={"file": ("table.csv", text.encode())}).json()
    assert answer["result"] == printed["result"]
    assert answer["asked"] == {"file": "table.csv"}


def test_a_file_counts_in_place_of_the_text(client, sent):
    chosen = client.post("/audit", data={**sent, "text": "ignored"}, files={"file": ("a.csv", EXAMPLE.encode())})
    assert "north × old is exactly 2:" in chosen.text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("audit.toml", b'[table]\nfile = "/etc/passwd"\n', "must be one file that needs no other here"),
        ("table.tab", b"1 2", "must be one file that needs no other here"),
        ("table.csv", b"\xff\xfe\x00", "must be a text in UTF-8"),
        ("table.csv", b"a,b\n1,2\n", "got"),
        ("table.jj", b"nothing", "got"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(client, sent, name, content, said):
    answer = client.post("/audit", data=sent, files={"file": (name, content)})
    assert answer.status_code == 422
    assert "There is a problem" in answer.text
    assert said in answer.text
    told = client.post("/audit.json", data=sent, files={"file": (name, content)})
    assert told.headers["content-type"] == "application/problem+json"
    assert said in told.json()["detail"]


def test_a_wrong_limit_is_refused_at_its_field(client, sent):
    answer = client.post("/audit", data={**sent, "text": EXAMPLE, "values_left": "many"})
    assert answer.status_code == 422
    assert 'id="values_left-error"' in answer.text


def test_a_table_that_contradicts_itself_is_refused(client, sent):
    answer = client.post("/audit", data={**sent, "text": EXAMPLE.replace("Total,Total,20", "Total,Total,21")})
    assert answer.status_code == 422
    assert "There is a problem" in answer.text


def test_what_a_table_calls_its_codes_is_escaped(client, sent):
    text = EXAMPLE.replace("north", "<script>alert(1)</script>")
    answer = client.post("/audit", data={**sent, "text": text})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text


def test_nobody_audits_without_a_token(client):
    assert client.post("/audit", data={"text": EXAMPLE}).status_code == 403


def broken(luck: random.Random) -> bytes:
    """A table with a few changes."""
    text = bytearray(EXAMPLE.encode())
    for _ in range(luck.randint(1, 5)):
        at = luck.randrange(len(text) + 1)
        put = luck.choice([b"", b",", b"\n", b"-", b"9" * 30, b"1.5", b"c", b'"', luck.randbytes(2), bytes(text[:at])])
        text[at : at + luck.choice([0, 1, 6])] = put
    return bytes(text)


@pytest.mark.parametrize("number", [150, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_broken_table_is_answered_or_refused_by_whit(number):
    luck = random.Random(20261116)
    told = []
    for _ in range(number):
        try:
            with without_files():
                told.append(of_file(broken(luck), luck.choice(["a.csv", "a.jj"]), {})[1].opening)
        except WhitError as wrong:
            told.append(str(wrong))
    assert all(each.rstrip()[-1] in ".?)" for each in told)
    assert sum("got " in each for each in told) > number / 3
