"""The first page: what there is."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit.apps.web.access.who import Role, may
from whit.apps.web.rendering import page
from whit.version import VERSION

router = APIRouter()

PURPOSES = {
    "/explore": "State a promise or a noise. See what an adversary can conclude.",
    "/choose": "Say what is acceptable. Get the least noise that meets it.",
    "/claim": "Read a privacy claim. See what it means and what it leaves out.",
    "/plan": "Add up many queries, concern by concern. The 2020 Census is built in.",
    "/report": "Describe a release. Get the decision sheet and the report.",
    "/audit": "Check a table without noise. See which withheld cells follow from the totals.",
    "/ledger": "Keep the account of releases, with requests and approvals.",
    "/learn": "Look up schools, theorems, assumptions and releases that were made.",
}
"""What each page is for, by its address."""


@router.get("/", dependencies=[may(Role.READER)])
def home(request: Request) -> Response:
    """What there is, and who you are here."""
    pages = [(address, name) for address, name in request.app.state.navigation if address in PURPOSES]
    found = [{"address": address, "name": name, "purpose": PURPOSES[address]} for address, name in pages]
    return page(request, "home.html", {"whit": VERSION, "pages": found}, pages=found)
