"""Pages from templates, and the same pages as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import NoMatchFound

from whit.apps.web.access.forms import form_token
from whit.telling import reports
from whit.version import VERSION

SUFFIX = ".json"
"""What the address of a page has at its end where it is asked for as JSON."""

API = "/api"
"""Below which address programs ask."""


@cache
def environment() -> Any:
    """The templates; a name that a template does not get is an error, and every value is escaped."""
    library = reports.template_library()
    loader = library.PackageLoader("whit.apps.web")
    made = library.Environment(
        loader=loader, autoescape=True, undefined=library.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.globals["version"] = VERSION
    made.filters["opened"] = lambda sentence: sentence[:1].upper() + sentence[1:]  # as the first words of a line
    return made


def is_api(path: str) -> bool:
    """Whether an address is one of the interface for programs."""
    return path == API or path.startswith(f"{API}/")


def is_json(request: Request) -> bool:
    """Whether the page is asked for as JSON."""
    return bool(request.scope.get("whit.json")) or is_api(request.url.path)


def page(
    request: Request, template: str, document: Mapping[str, Any] | Sequence[Any], *, status: int = 200, **values: Any
) -> Response:
    """A page: the template with the values, or the document where the page is asked for as JSON.

    Args:
        request: the request.
        template: the name of the template.
        document: the same content as plain values.
        status: the status of the answer.
        values: what the template shows.
    """
    if is_json(request):
        return JSONResponse(document, status)
    who = getattr(request.state, "who", None)
    shared = {
        "path": request.url.path,
        "who": who,
        "roles": () if who is None else sorted(role.value for role in who.roles),
        "navigation": request.app.state.navigation,
        "token": "" if who is None else form_token(request.app.state.settings, who),
        "theorem": lambda key: _theorem(request, key),
        "errors": (),
    }
    return HTMLResponse(environment().get_template(template).render({**shared, **values}), status)


def _theorem(request: Request, key: str) -> str:
    """The address of the page of a theorem; empty if theorems have no pages.

    It is looked up once: the routes are many, and a page names a theorem a hundred times.
    """
    known: dict[str, str] = request.app.state.theorems
    if key not in known:
        try:
            known[key] = str(request.app.url_path_for("theorem", key=key))
        except NoMatchFound:
            known[key] = ""
    return known[key]
