"""The interface for programs: the same documents as the command line, problems as one sentence, jobs, and no paths."""

from __future__ import annotations

import json
import time

import httpx
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from whit.apps.asking import COMMANDS, ask
from whit.apps.asking.schemas import stored_schema
from whit.apps.cli import whit
from whit.apps.web.api.answering import document_of
from whit.apps.web.api.cost import cost_of
from whit.apps.web.api.openapi import openapi_text, stored_openapi
from whit.apps.web.watching import Accident
from whit.apps.web.workers import QUICK, Progress, Worker, Workers
from whit.assessment import assess
from whit.errors import TooCostly
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.setting import Adversary
from whit.theory import Finding

MEMORY = 2_000_000_000
API = "/api/v1"


def test_the_description_is_what_the_schemas_make():
    assert stored_openapi() == openapi_text(), "run python -m whit.apps.web.api"


def test_the_index_leads_to_every_command_and_its_schema(client):
    found = client.get(API).json()
    assert [each["command"] for each in found["commands"]] == list(COMMANDS)
    for each in found["commands"]:
        assert client.get(each["schema"]).text == stored_schema(each["command"])
    assert client.get(found["openapi"]).text == stored_openapi()


def test_nobody_asks_without_being_let_in(server):
    answer = httpx.post(f"{server.url}{API}/assess", json={"epsilon": 1})
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert "Authorization: Bearer TOKEN" in answer.json()["detail"]
    assert answer.json()["title"] == "No token is known here"
    other = httpx.get(f"{server.url}{API}/assess?epsilon=1", headers={"authorization": "Bearer whit_none"})
    assert other.status_code == 401
    assert "The token is not good here" in other.json()["detail"]


@pytest.mark.parametrize(
    "path", ["/api/v1/report", "/api/v1/ledger", "/api/v1/ledger/1", "/api/v2", "/api", "/api/v1/"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_that_is_not_there_leads_to_the_list(client, method, path):
    answer = client.request(method, path, follow_redirects=False)
    assert answer.status_code in (404, 307)
    if answer.status_code == 404:
        assert answer.headers["content-type"] == "application/problem+json"
        assert "GET /api/v1 lists them" in answer.json()["detail"]
        assert "page" not in " ".join((answer.json()["title"], answer.json()["detail"]))


def test_a_page_that_is_not_there_leads_to_the_first_page(client):
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert "No page has this address. Start at the first page." in answer.text


PROMISES = {
    PureDP: st.fixed_dictionaries({"epsilon": st.floats(0.01, 5.0)}),
    ZeroConcentratedDP: st.fixed_dictionaries({"rho": st.floats(0.001, 1.0)}),
}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.sampled_from([*PROMISES]), st.sampled_from([0.01, 0.1, 0.5]), st.sampled_from([0.0, 0.001, 0.01]))
def test_python_the_command_and_the_interface_answer_alike(client, data, kind, prior, failure):
    stated = data.draw(PROMISES[kind])
    values = {**stated, "prior": prior, "failure": failure}
    posted = client.post(f"{API}/assess", json=values).json()
    asked = client.get(f"{API}/assess", params=values).json()
    typed = [part for name, value in values.items() for part in (f"--{name}", repr(value))]
    printed = json.loads(CliRunner().invoke(whit, ["assess", *typed, "--json"]).stdout)
    assert posted == asked == printed
    expected = assess(kind(**stated), Adversary(prior=prior), failure=failure)
    for each in posted["answers"]:
        if "finding" in each and "." not in each["name"]:
            again = json.dumps({"whit": posted["whit"], "layout": 2, "finding": each["finding"]})
            assert Finding.from_json(again) == getattr(expected, each["name"])


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("check", {"epsilon": 1, "limit": [{"difference": 0.2}], "remedy": True}),
        ("recommend", {"limit": ["difference=0.2"], "for": "gaussian", "failure": 0.01}),
        ("convert", {"rho": 0.1, "to": "all"}),
        ("compose", {"promise": ["epsilon=1", "rho=0.1"]}),
        ("compare", {"promise": ["epsilon=1", "rho=0.1"], "prior": 0.2}),
        ("explain", {"epsilon": 1, "audience": "officer"}),
        ("claim", {"claim": "epsilon=2, unit=user"}),
        ("catalogue", {"unit": "establishment"}),
        ("theorem", {"key": "zcdp-tails"}),
        ("assess", {"from": {"name": "r.toml", "text": "[promise]\nmu = 0.3\n"}}),
    ],
    ids=lambda each: str(each)[:40],
)
def test_every_command_answers_as_it_does_here(client, command, values):
    answer = client.post(f"{API}/{command}", json=values)
    assert answer.status_code == 200, answer.text
    assert answer.json() == ask(command, values).answers.document()


MANY = [f"laplace={2 + each / 100}" for each in range(40)]


@pytest.mark.parametrize(
    ("command", "values", "status", "field", "said"),
    [
        ("assess", {"epsilon": -1}, 422, "epsilon", "--epsilon must be a finite number of at least 0; got -1."),
        ("assess", {"epsilonn": 1}, 422, "epsilonn", "Did you mean --epsilon?"),
        ("assess", {"epsilon": 1, "knows": "all"}, 422, "knows", "--knows cannot be"),
        ("theorem", {"key": "zcdp-tial"}, 422, "", "zcdp-tails"),
        ("recommend", {"for": "gaussian", "limit": "difference=0.2"}, 422, "", "--failure"),
        (
            "compose",
            {"promise": MANY},
            413,
            "",
            "at most 10 seconds; got about 334. Ask for it as a job: POST /api/v1/jobs.",
        ),
    ],
)
def test_a_problem_is_one_sentence_with_its_field(client, command, values, status, field, said):
    answer = client.post(f"{API}/{command}", json=values)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert said in told["detail"]
    assert told["status"] == status
    assert told.get("field", "") == field


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("compose", {"promise": ["laplace=2", "gaussian=3"]}),
        ("compose", {"promise": ["rho=0.1"] * 20}),
        ("papers", {"papers": ["KS14"]}),
        ("recommend", {"for": "discrete-gaussian", "releases": 365, "limit": "power=0.3, level=0.05"}),
    ],
)
def test_quick_work_is_not_refused_for_its_cost(command, values):
    # benchmarks/api_cost.py measures less than two seconds for each of these.
    assert cost_of(command, values) <= QUICK


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("compose", {"promise": MANY}),
        ("assess", {"randomized_response": 1, "shuffled": 1000, "releases": 100}),
        ("assess", {"from": {"text": "[[promise]]\nlaplace = 1\nreleases = 2\n" * 100}}),
    ],
)
def test_work_that_takes_long_is_refused_before_it_begins(command, values):
    assert cost_of(command, values) > QUICK


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("assess", {"from": "{path}"}),
        ("check", {"epsilon": 1, "requirements": "{path}"}),
        ("check", {"epsilon": 1, "profile": ["table={path}"]}),
        ("check", {"epsilon": 1, "profile": [{"table": "{path}"}]}),
        ("check", {"from": {"text": "[promise]\nepsilon = 1\n[profile]\ntable = '{path}'\n"}}),
        ("plan", {"file": "{path}", "presence": True}),
        (
            "plan",
            {"file": {"text": "name = 'p'\nunit = 'person'\nlevels = ['T']\nqueries = '{path}'\n"}, "presence": True},
        ),
        ("assess", {"matrix": 1, "strategy": "{path}"}),
        ("compare", {"promise": ["matrix=1, strategy={path}"]}),
        ("claim", {"claim": "matrix=1, strategy={path}"}),
        ("recommend", {"limit": "difference=0.2", "for": "matrix", "strategy": "{path}", "failure": 0.01}),
    ],
    ids=lambda each: str(each)[:60],
)
def test_no_path_of_the_server_is_read(client, tmp_path, command, values):
    secret = tmp_path / "secret.csv"
    secret.write_text("inclusion,value,relative\n1,1,31337\n", encoding="utf-8")
    filled = json.loads(json.dumps(values).replace("{path}", str(secret)))
    answer = client.post(f"{API}/{command}", json=filled)
    assert answer.status_code == 422, answer.text
    assert "31337" not in answer.text


@pytest.mark.parametrize(
    ("body", "kind", "status", "said"),
    [
        (b"{", "application/json", 422, "the body must be JSON in UTF-8"),
        (b"\xff", "application/json", 422, "the body must be JSON in UTF-8"),
        (b"[1]", "application/json", 422, "the body must be one JSON object"),
        (b'{"epsilon": NaN}', "application/json", 422, "must have finite numbers"),
        (b'{"epsilon": "\\ud800"}', "application/json", 422, "must be made of whole characters"),
        (b'{"epsilon": ' + b"[" * 5000 + b"]" * 5000 + b"}", "application/json", 422, "the body must"),
        (b'{"epsilon": ' + b"[" * 20 + b"]" * 20 + b"}", "application/json", 422, "must be nested at most 8 deep"),
        (b'{"epsilon": ' + b"9" * 5000 + b"}", "application/json", 422, "the body must be JSON"),
        (b"{}", "text/plain", 415, "The body must be JSON"),
    ],
    ids=["broken", "bytes", "list", "nan", "half", "endless", "deep", "digits", "kind"],
)
def test_a_body_that_is_no_request_is_refused(client, body, kind, status, said):
    answer = client.post(f"{API}/assess", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert said in answer.json()["detail"]


def test_a_name_twice_in_a_query_is_refused(client):
    answer = client.get(f"{API}/assess?epsilon=1&epsilon=2")
    assert answer.status_code == 422
    assert answer.json()["field"] == "epsilon"
    assert client.get(f"{API}/assess?epsilon=1&question=posterior&question=power").status_code == 200


def waited(client: httpx.Client, address: str) -> dict:
    for _ in range(600):
        found = client.get(address).json()
        if found["state"] != "running":
            return found
        time.sleep(0.2)
    raise AssertionError("the job does not end")


def test_slow_work_is_a_job(client):
    values = {"epsilon": 1, "prior": 0.2}
    started = client.post(f"{API}/jobs", json={"command": "assess", "values": values})
    assert started.status_code == 202
    found = waited(client, started.headers["location"])
    assert found["state"] == "done"
    assert found["document"] == ask("assess", values).answers.document()
    wrong = client.post(f"{API}/jobs", json={"command": "assess", "values": {"epsilon": -1}})
    problem = waited(client, wrong.headers["location"])["problem"]
    assert (problem["status"], problem["field"]) == (422, "epsilon")


def test_a_job_can_be_cancelled_and_its_process_ends(client, server):
    started = client.post(f"{API}/jobs", json={"command": "papers", "values": {}})
    address = started.headers["location"]
    [job] = [each for each in server.app.state.jobs._jobs.values() if each.outcome is None]
    process = job.worker._process.pid
    assert client.get(address).json()["state"] == "running"
    assert client.delete(address).json()["state"] == "cancelled"
    assert client.get(address).json()["problem"]["detail"].startswith("the job was cancelled")
    assert not alive(process)


def alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    "body",
    [{}, {"command": "rm"}, {"command": "assess", "values": 3}, {"command": "assess", "more": 1}, {"command": ["x"]}],
    ids=str,
)
def test_a_job_that_is_no_question_is_refused(client, body):
    assert client.post(f"{API}/jobs", json=body).status_code == 422


def test_a_job_that_nobody_started_is_not_there(client):
    answer = client.get(f"{API}/jobs/nothing")
    assert answer.status_code == 404
    assert answer.json()["detail"].startswith("the job must be one of yours")


def test_what_takes_too_long_is_killed_and_the_next_question_is_answered():
    workers = Workers(MEMORY, number=1)
    try:
        assert workers.run(document_of, "assess", {"epsilon": 1}, seconds=60).code == 0
        with pytest.raises(TooCostly, match=r"must take at most 0\.5 seconds; got more\. Ask for it as a job\."):
            workers.run(document_of, "papers", {}, seconds=0.5, way_out="Ask for it as a job.")
        assert workers.run(document_of, "assess", {"epsilon": 1}, seconds=60).code == 0
    finally:
        workers.close()


def test_a_process_that_dies_is_replaced():
    workers = Workers(MEMORY, number=1)
    try:
        assert workers.run(document_of, "assess", {"epsilon": 1}, seconds=60).code == 0
        worker = workers._free.queue[0]
        assert worker is not None
        worker._process.kill()
        worker._process.join()
        assert workers.run(document_of, "assess", {"epsilon": 1}, seconds=60).code == 0
    finally:
        workers.close()


def clumsy(secret: str) -> None:
    raise KeyError(secret)


def test_an_accident_says_where_and_not_what_was_asked_and_the_process_goes_on():
    workers = Workers(MEMORY, number=1)
    try:
        with pytest.raises(Accident, match=r"^KeyError at apps/web/workers\.py:\d+ in _worked_out$") as raised:
            workers.run(clumsy, "patients of doctor no", seconds=60)
        assert "doctor" not in str(raised.value)
        assert workers.run(document_of, "assess", {"epsilon": 1}, seconds=60).code == 0
    finally:
        workers.close()


def test_a_process_says_what_it_is_at():
    worker = Worker(MEMORY)
    try:
        worker.await_start()
        worker.begin(document_of, "papers", {"papers": ["KR24"]})
        said = worker.hear(60.0)
        assert isinstance(said, Progress)
        assert (said.what, said.done) == ("Recomputing", 0)
        assert said.of > 0
    finally:
        worker.stop()
