"""Requests at random, drawn from the description of the interface: no error of whit's own, every problem a sentence."""

from __future__ import annotations

import json
import warnings

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from whit.apps.web.api.openapi import stored_openapi

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the library's own imports
    import schemathesis

DESCRIPTION = schemathesis.openapi.from_dict(json.loads(stored_openapi()))
OPERATIONS = {each.ok().definition.raw["operationId"]: each.ok() for each in DESCRIPTION.get_all_operations()}
QUICK, LONG, DEAR = 12, 420, 40
"""How many requests of each sort there are; 24 sorts make 10,000 of the long run, beside those that take seconds."""

SECONDS = ("papers", "papers_by_query")
"""What takes seconds to answer."""

HEAVY = ("start_job",)
"""What starts work that outlives its request."""


def look(client: httpx.Client, case: object) -> None:
    """Send a request that was drawn, and see that its answer is one that is described."""
    asked = case.as_transport_kwargs(base_url=str(client.base_url))
    wanted = ("method", "url", "params", "json", "data", "headers")
    sent = {name: value for name, value in asked.items() if name in wanted and value is not None}
    kinds = {name: value for name, value in dict(sent.pop("headers", {})).items() if name.lower() == "content-type"}
    answer = client.request(**sent, headers=kinds)  # who asks is not drawn: the client was let in
    assert answer.status_code != 500, (sent, answer.text)
    responses = case.operation.definition.raw["responses"]
    assert str(answer.status_code) in {*responses, "404", "405"}, (sent, answer.text)
    if answer.status_code >= 400:
        told = answer.json()
        assert told["detail"].strip(), sent
        assert told["detail"].rstrip()[-1] in ".?}])'", told
        assert "Traceback" not in told["detail"]
        assert answer.headers["content-type"] == "application/problem+json"
    else:
        case.operation.validate_response(_like(answer), case=case)


def _like(answer: httpx.Response) -> object:
    """The answer as the library reads it."""
    return schemathesis.Response.from_httpx(answer, verify=True)


def at_random(client: httpx.Client, name: str, number: int) -> int:
    """Send requests of one sort, and return how many there were."""
    sent = []

    @seed(20261116)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(OPERATIONS[name].as_strategy())
    def every(case):
        look(client, case)
        sent.append(case)

    every()
    return len(sent)


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - set(HEAVY)))
def test_a_few_requests_at_random_end_as_described(client, name):
    assert at_random(client, name, QUICK) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - set(HEAVY)))
def test_ten_thousand_requests_at_random_end_as_described(client, name):
    assert at_random(client, name, DEAR if name in SECONDS else LONG) > 0
