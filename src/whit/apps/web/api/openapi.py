"""The description of the interface, as OpenAPI, made from the schemas of the commands."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from whit.apps.asking import COMMANDS, command_named
from whit.apps.asking.fields import Taken
from whit.apps.asking.schemas import schema_of
from whit.apps.cli.group import COMMANDS as MEANINGS

Tree = dict[str, Any]

PROBLEM: Tree = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, in one sentence with a way out."},
        "field": {"type": "string", "description": "The value that it is about."},
    },
    "required": ["type", "title", "status", "detail"],
}
_REFUSED = {
    "401": "No token is known here, nor a session",
    "403": "Not allowed",
    "408": "The request took too long to arrive",
    "413": "Too large, or too costly for an answer at once",
    "415": "The body is not said to be JSON",
    "421": "Another host",
    "422": "The body is not JSON, wrong input, or a fair question without an answer",
    "429": "Too many requests",
    "501": "A part of whit is not installed",
    "503": "At work for others",
}
_PROGRESS = {
    "type": "object",
    "properties": {"what": {"type": "string"}, "done": {"type": "integer"}, "of": {"type": "integer"}},
}
JOB: Tree = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "command": {"enum": list(COMMANDS)},
        "state": {"enum": ["running", "done", "failed", "cancelled"]},
        "progress": _PROGRESS,
        "document": {"type": "object"},
        "code": {"type": "integer"},
        "problem": {"$ref": "#/components/schemas/problem"},
    },
    "required": ["id", "command", "state", "progress"],
}


def openapi() -> Tree:
    """The whole description."""
    schemas: Tree = {"problem": PROBLEM, "job": JOB}
    paths: Tree = {}
    for command in COMMANDS:
        whole = _moved(schema_of(command), command)
        schemas |= {_name(command, name): each for name, each in whole["$defs"].items()}
        paths[f"/api/v1/{command}"] = _path(command)
    return {
        "openapi": "3.1.0",
        "info": {"title": "whit", "version": "1", "description": "What a private release tells an adversary."},
        "paths": {**paths, **_jobs()},
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
    }


def openapi_text() -> str:
    """The description as its file has it."""
    return json.dumps(openapi(), ensure_ascii=False, indent=1) + "\n"


def stored_openapi() -> str:
    """The text of the file."""
    return (files("whit.apps.web.api") / "openapi.json").read_text(encoding="utf-8")


def _path(command: str) -> Tree:
    """How a command is asked: by a query, or by a body."""
    body = {"$ref": f"#/components/schemas/{command}.request"}
    answered = _responses("200", {"$ref": f"#/components/schemas/{command}.document"})
    return {
        "get": {
            "operationId": f"{command}_by_query",
            "summary": MEANINGS[command],
            "parameters": _parameters(command),
            "responses": answered,
        },
        "post": {
            "operationId": command,
            "summary": MEANINGS[command],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": answered,
        },
    }


def _parameters(command: str) -> list[Tree]:
    """The values that a query may have: all that are no files."""
    files_ = {each.name for each in command_named(command).fields if each.taken is Taken.FILE and not each.needed}
    request = schema_of(command)["$defs"]["request"]
    names = [name for name in request["properties"] if name not in files_]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in request["required"],
            "schema": {"type": "array", "items": {"type": "string"}} if _is_many(command, name) else {"type": "string"},
            "description": request["properties"][name]["description"],
        }
        for name in names
    ]


def _is_many(command: str, name: str) -> bool:
    return any(each.name == name and each.many for each in command_named(command).fields)


def _jobs() -> Tree:
    """How slow work is asked for."""
    name = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    job = {"$ref": "#/components/schemas/job"}
    asked = {
        "type": "object",
        "properties": {"command": {"enum": list(COMMANDS)}, "values": {"type": "object"}},
        "required": ["command"],
        "additionalProperties": False,
    }
    known = _responses("200", job) | {"404": _refused("No such job of yours")}
    return {
        "/api/v1/jobs": {
            "post": {
                "operationId": "start_job",
                "summary": "Start slow work.",
                "requestBody": {"required": True, "content": {"application/json": {"schema": asked}}},
                "responses": _responses("202", job),
            }
        },
        "/api/v1/jobs/{id}": {
            "get": {"operationId": "job", "summary": "How it stands.", "parameters": [name], "responses": known},
            "delete": {"operationId": "cancel_job", "summary": "Cancel it.", "parameters": [name], "responses": known},
        },
    }


def _responses(status: str, schema: Tree) -> Tree:
    answered = {"description": "The answer", "content": {"application/json": {"schema": schema}}}
    return {status: answered, **{each: _refused(said) for each, said in _REFUSED.items()}}


def _refused(said: str) -> Tree:
    schema = {"$ref": "#/components/schemas/problem"}
    return {"description": said, "content": {"application/problem+json": {"schema": schema}}}


def _name(command: str, name: str) -> str:
    """The name of a schema here: requests and documents are of their command, all others are shared."""
    return f"{command}.{name}" if name in ("request", "document") else name


def _moved(tree: Any, command: str) -> Any:
    """A schema whose references lead to where the description keeps it."""
    if isinstance(tree, list):
        return [_moved(each, command) for each in tree]
    if not isinstance(tree, dict):
        return tree
    moved = {name: _moved(each, command) for name, each in tree.items()}
    if isinstance(tree.get("$ref"), str):
        moved["$ref"] = f"#/components/schemas/{_name(command, tree['$ref'].removeprefix('#/$defs/'))}"
    return moved
