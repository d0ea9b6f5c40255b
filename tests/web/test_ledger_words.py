"""The ledger's limits and promises in words: every usual one, and nothing that was recorded is run."""

from __future__ import annotations

import pytest
from web_server import fields

from whit import spec
from whit.apps.web.pages.ledger.words import limit_words
from whit.ledger import promise_words

PROMISES = {
    "epsilon=1, delta=1e-6": "epsilon = 1, delta = 1e-6",
    "rho=0.1, noise=gaussian": "Gaussian noise, sigma = 2.23606",
    "laplace=1, releases=3": "Laplace noise, scale = 1, in each of 3 releases",
    "mu=1": "mu = 1",
    "epsilon=1, neighbours=replace": "epsilon = 1, one record replaced",
}


@pytest.mark.parametrize(("said", "words"), PROMISES.items())
def test_a_promise_is_in_the_words_that_it_was_asked_in(said, words):
    series = spec.Form(promise=(spec.pairs("a promise", said),)).series
    assert promise_words(repr(series.together)) == words


@pytest.mark.parametrize(
    "recorded",
    [
        "",
        "a table of 2019",
        "Gaussian(sigma=-1)",
        "Gaussian(wrong=1)",
        "Gaussian.__subclasses__()",
        "__import__('os').system('false')",
        "print('x')",
        "Neighbours.NOBODY",
        "12",
        "(" * 500,
        "Gaussian(sigma=2.0)" + " " * 2000,
    ],
)
def test_anything_else_stays_as_it_was_recorded(recorded, capsys):
    assert promise_words(recorded) == recorded
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("ratio=3", "ratio of posterior to prior: at most 3"),
        ("difference=0.1, prior=0.05", "increase from prior to posterior at a prior of 5 %: at most 10 %"),
        ("success=0.3, baseline=0.1", "success of a guess at a baseline of 10 %: at most 30 %"),
        ("advantage=0.125", "advantage of the best test: at most 12.5 %"),
        (
            "posterior=0.3, prior=0.1, block=3, when=ever",
            "posterior at a prior of 10 %: at most 30 %, for 3 people who depend on each other, at every moment",
        ),
        (
            "predictive-value=0.6, prior=0.5, level=0.05",
            "positive predictive value at a prior of 50 % at a level of 5 %: at most 60 %",
        ),
    ],
)
def test_a_limit_is_in_words(written, words):
    assert limit_words(written) == words


def test_the_pages_say_limits_and_promises_in_words(client):
    address = client.get("/ledger.json").json()["accounts"][0]["address"]
    form = client.get(f"{address}/reserve").text
    sent = {**fields(form), "what": "table", "by": "laplace", "amount": "200", "releases": "3"}
    checked = client.post(f"{address}/reserve/check", data=sent)
    entry = client.post(f"{address}/reserve", data={**fields(checked.text), "act": "reserve"})
    refused = client.post(f"{address}/reserve/check", data={**sent, "by": "rho", "amount": "10"})
    for page in (client.get("/ledger"), client.get(address), checked, refused):
        assert "osterior at a prior of 10 %: at most 30 %" in page.text
        assert "posterior=0.3" not in page.text
    assert "Not allowed" in refused.text
    assert "Laplace noise, scale = 200, in each of 3 releases" in entry.text
