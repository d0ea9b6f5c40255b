"""The addresses of the interface for programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from whit.apps.asking import COMMANDS, command_named
from whit.apps.asking.request import request_of
from whit.apps.asking.schemas import stored_schema
from whit.apps.web.access.who import Role, may, who_of
from whit.apps.web.api.answering import Document, Outcome, Refusal, document_of, refusal_of
from whit.apps.web.api.cost import cost_of
from whit.apps.web.api.jobs import Jobs, job_tree
from whit.apps.web.api.openapi import stored_openapi
from whit.apps.web.api.values import from_body, from_query, require_no_paths
from whit.apps.web.problems import problem
from whit.apps.web.watching import Accident
from whit.apps.web.workers import QUICK, kept, workers_of
from whit.errors import InvalidInput, TooCostly, WhitError, unknown_name
from whit.version import VERSION

PREFIX = "/api/v1"
PROBLEM = "application/problem+json"
AS_A_JOB = "Ask for it as a job: POST /api/v1/jobs."
"""What is said of work that is too slow for an answer at once."""


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    for name in ("workers", "jobs"):
        kept = getattr(app.state, name, None)
        if kept is not None:
            await run_in_threadpool(kept.close)


router = APIRouter(prefix=PREFIX, dependencies=[may(Role.READER)], lifespan=_lifespan)


def _told(outcome: Outcome) -> Response:
    """An answer, or a problem document."""
    if isinstance(outcome, Document):
        return Response(outcome.text, media_type="application/json")
    tree = problem(outcome.status, outcome.sentence, field=outcome.field)
    return JSONResponse(tree, outcome.status, media_type=PROBLEM)


def _no_command(name: str) -> str:
    """What is said where no command has the last word of an address, as with those of the pages."""
    return f"{unknown_name('a command', name, COMMANDS)} GET {PREFIX} lists them."


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "The body must be JSON. Send it with Content-Type: application/json.")
    return from_body(await request.body())


def _checked(command: str, values: dict[str, Any]) -> dict[str, Any]:
    """The values of a request: none is a path, and each is of its sort."""
    known = command_named(command)
    require_no_paths(known, values)
    request_of(known, values)
    return values


async def _answered(request: Request, command: str, values: dict[str, Any]) -> Response:
    """What a command answers; what would take long is refused before."""
    cost = cost_of(command, _checked(command, values))
    if cost > QUICK:
        rule = f"must take at most {QUICK:g} seconds"
        raise TooCostly("the answer", rule, f"about {cost:.0f}", AS_A_JOB)
    workers = workers_of(request)
    return _told(await run_in_threadpool(workers.run, document_of, command, values, way_out=AS_A_JOB))


@router.get("")
def index() -> Response:
    """What may be asked, and where its schema is."""
    listed = [
        {"command": each, "address": f"{PREFIX}/{each}", "schema": f"{PREFIX}/schemas/{each}"} for each in COMMANDS
    ]
    return JSONResponse({"whit": VERSION, "commands": listed, "openapi": f"{PREFIX}/openapi.json"})


@router.get("/openapi.json")
def openapi() -> Response:
    """The description of this interface."""
    return Response(stored_openapi(), media_type="application/json")


@router.get("/schemas/{command}")
def schema(command: str) -> Response:
    """The JSON Schema of a command."""
    if command not in COMMANDS:
        raise HTTPException(404, _no_command(command))
    return Response(stored_schema(command), media_type="application/schema+json")


@router.post("/jobs", status_code=202)
async def start(request: Request) -> Response:
    """Start a job."""
    try:
        body = await _body(request)
        command, values = body.get("command"), body.get("values", {})
        if set(body) - {"command", "values"} or not isinstance(values, dict):
            way_out = 'Send {"command": "assess", "values": {"epsilon": 1}}.'
            raise InvalidInput("the body", "must have a command and its values", "something else", way_out)
        if not isinstance(command, str) or command not in COMMANDS:
            raise unknown_name("command", command, COMMANDS, parameter="command")
        jobs, owner = kept(request, "jobs", Jobs), who_of(request).name
        name = await run_in_threadpool(jobs.start, owner, command, _checked(command, values))
    except WhitError as wrong:
        return _told(refusal_of(wrong))
    tree = job_tree(name, jobs.found(owner, name))
    return JSONResponse(tree, 202, headers={"location": f"{PREFIX}/jobs/{name}"})


@router.get("/jobs/{name}")
def job(request: Request, name: str) -> Response:
    """How a job stands; its answer once it has one."""
    return _job(request, name)


@router.delete("/jobs/{name}")
def cancel(request: Request, name: str) -> Response:
    """Cancel a job."""
    return _job(request, name, cancelled=True)


def _job(request: Request, name: str, *, cancelled: bool = False) -> Response:
    try:
        found = kept(request, "jobs", Jobs).found(who_of(request).name, name)
    except InvalidInput as wrong:
        return _told(Refusal(404, str(wrong), "id"))
    if cancelled:
        found.cancel()
    return JSONResponse(job_tree(name, found))


@router.get("/{command}")
async def asked(request: Request, command: str) -> Response:
    """Ask by a query."""
    return await _ask(request, command)


@router.post("/{command}")
async def posted(request: Request, command: str) -> Response:
    """Ask by a body."""
    return await _ask(request, command)


async def _ask(request: Request, command: str) -> Response:
    if command not in COMMANDS:
        raise HTTPException(404, _no_command(command))
    try:
        if request.method == "POST":
            values = await _body(request)
        else:
            values = from_query(command_named(command), request.query_params.multi_items())
        return await _answered(request, command, values)
    except (WhitError, Accident) as wrong:
        return _told(refusal_of(wrong))
