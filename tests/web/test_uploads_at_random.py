"""Files at random: a plan that is broken anywhere is answered or refused in a sentence, and the server goes on."""

from __future__ import annotations

import random

import pytest
from web_server import PLAN, fields

from whit.apps.web.pages.plan import of_file
from whit.errors import WhitError
from whit.spec import without_files

QUICK, LONG = 150, 10_000
WORDS = ["rho", "levels", "1e308", "-1", "nan", "[[query]]", "[[budget]]", '"', "{", "}", "=", "\n", "1/0", "é"]


def broken(luck: random.Random) -> bytes:
    """A plan with some of its bytes or words changed."""
    text = bytearray(PLAN.encode())
    for _ in range(luck.randint(1, 6)):
        at = luck.randrange(len(text) + 1)
        until = at + luck.choice([0, 1, 5, 40])
        put = luck.choice([b"", luck.randbytes(3), luck.choice(WORDS).encode(), bytes(text[at - 60 : at])])
        text[at:until] = put
    return bytes(text)


@pytest.mark.parametrize("number", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)])
def test_a_broken_plan_is_answered_or_refused_by_whit(number):
    luck = random.Random(20261116)
    told = [outcome(broken(luck)) for _ in range(number)]
    assert all(each.rstrip()[-1] in ".?)" for each in told)
    assert sum("got " in each for each in told) > number / 3


def outcome(content: bytes) -> str:
    """What is said about a plan: the answer, or why there is none; any other error ends the test."""
    try:
        with without_files():
            return of_file(content, {"about": "age", "prior": "0.1", "failure": "0.01"})[1].told.opening
    except WhitError as wrong:
        return str(wrong)


@pytest.mark.parametrize("number", [15, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_broken_file_is_answered_by_the_server(client, number):
    luck = random.Random(7)
    sent = {"token": fields(client.get("/plan").text)["token"], "about": "age", "prior": "0.1", "failure": "0.01"}
    for _ in range(number):
        content = broken(luck)
        answer = client.post("/plan", data=sent, files={"file": ("plan.toml", content)})
        assert answer.status_code in (200, 413, 422), content
    assert client.get("/plan").status_code == 200
