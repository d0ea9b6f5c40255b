"""The schema of a command: its request and its document."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from whit.apps.asking.answers import LAYOUT
from whit.apps.asking.asked import command_named
from whit.apps.asking.schemas.documents import FINDING, document_schema
from whit.apps.asking.schemas.requests import basic_schemas, request_schema, term_schemas

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The language of the schemas."""


def schema_of(command: str) -> dict[str, Any]:
    """The schema of a command: of its document, and under `$defs/request` of what may be asked."""
    known = command_named(command)
    request, terms = request_schema(known), term_schemas(known)
    return {
        "$schema": DIALECT,
        "$id": f"urn:whit:schema:{command}:{LAYOUT}",
        "title": f"whit {command}",
        "$ref": "#/$defs/document",
        "$defs": {
            "request": request,
            **terms,
            **basic_schemas(request, terms),
            "document": document_schema(command),
            "finding": FINDING,
        },
    }


def schema_text(command: str) -> str:
    """The schema as its file has it."""
    return json.dumps(schema_of(command), ensure_ascii=False, indent=2) + "\n"


def stored_schema(command: str) -> str:
    """The text of the file of a command."""
    command_named(command)  # an unknown one is refused
    return (files("whit.apps.asking.schemas") / f"{command}.json").read_text(encoding="utf-8")
