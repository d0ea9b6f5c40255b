"""The interface for programs, `/api/v1`: the questions of the command line, asked and answered as JSON.

router      the addresses
values      values from a body or from a query; no path of the server among them
cost        what an answer costs, estimated before it is worked out
answering   what a process answers: a document, or why there is none
jobs        slow work, with progress, that can be cancelled
openapi     the description of all of it
"""

from __future__ import annotations

from whit.apps.web.api.router import router

__all__ = ["router"]
