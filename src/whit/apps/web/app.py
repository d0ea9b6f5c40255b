"""The application, put together from settings."""

from __future__ import annotations

from importlib.resources import files

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from whit.apps.web import api, pages, watching
from whit.apps.web.access import entering
from whit.apps.web.access.gate import Gate
from whit.apps.web.access.sessions import Links
from whit.apps.web.bounds import Bounds
from whit.apps.web.headers import Headers
from whit.apps.web.problems import handle_problems
from whit.apps.web.rendering import SUFFIX
from whit.apps.web.settings import Settings
from whit.apps.web.watching import Counters, Watch
from whit.version import VERSION


def create_app(settings: Settings) -> FastAPI:
    """The application of some settings."""
    app = FastAPI(title="whit", version=VERSION, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    app.state.navigation = pages.NAVIGATION
    app.state.counters = Counters()
    app.state.links = Links()
    app.state.theorems = {}
    app.mount("/static", StaticFiles(directory=str(files("whit.apps.web") / "static")), name="static")
    for router in (entering.router, watching.router, api.router, *pages.ROUTERS):
        app.include_router(router)
    handle_problems(app)
    # The last one is outermost: it sees a request first and its answer last.
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(AsJson)
    app.add_middleware(Bounds, limits=settings.limits)
    app.add_middleware(Watch, counters=app.state.counters)
    app.add_middleware(Headers)
    return app


class AsJson:
    """Lets every page be asked for as JSON, by the suffix of its address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = scope.get("path", "")
        if path.endswith(SUFFIX) and not path.startswith(("/static/", "/api/")):
            whole = path.removesuffix(SUFFIX).removesuffix("/index") or "/"
            scope.update({"path": whole, "raw_path": whole.encode(), "whit.json": True})
        await self.app(scope, receive, send)
