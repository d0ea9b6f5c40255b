"""The door: nobody passes who is not known, and no form from another site."""

from __future__ import annotations

import hmac

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from whit.apps.web.access.entering import ENTER
from whit.apps.web.access.people import People
from whit.apps.web.access.sessions import cookie_name, session_of
from whit.apps.web.access.who import Identity
from whit.apps.web.bounds import Rate
from whit.apps.web.problems import is_for_program, told
from whit.apps.web.settings import Mode, Settings
from whit.errors import WhitError

PUBLIC = (ENTER, "/health")
"""Pages for whoever asks; so are the files under /static/."""

PROXY_SECRET = "x-whit-proxy-secret"
"""The header in which a proxy shows its secret where it does not come by a unix socket."""

SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""

_COME_IN = {
    Mode.LOCAL: "Nobody is known here yet. Open the link that whit web printed, or start it again for a new one.",
    Mode.PROXY: "Nobody is known here. Come by the address of your office, which says who you are.",
}
_SHOW_A_TOKEN = "No token was shown. Send Authorization: Bearer TOKEN; whit web token makes one, for whit web --people."
_TOKEN_IS_OVER = (
    "The token is not good here: it is unknown or too old, or its person has no such role any more. "
    "Ask whoever keeps the list of people for another."
)


class Turned(Exception):
    """A request that the gate turns away: a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class Gate:
    """Lets in whoever is known, and says to the pages who it is."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.people = People(settings.people)
        self.rate = Rate(settings.limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or turn it away."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            self.let_in(scope)
        except Turned as turned:
            await told(Request(scope), turned.status, turned.sentence)(scope, receive, send)
        except WhitError as wrong:  # the file of people cannot be read, which is nothing that whoever asks has done
            await told(Request(scope), 503, str(wrong))(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def let_in(self, scope: Scope) -> None:
        """Say in the request who asks; turn away what may not come in."""
        headers, path = Headers(scope=scope), scope["path"]
        if path == "/health":
            return  # those who ask whether it is alive often have no name for it
        self._require_host(headers)
        client = scope.get("client") or ("socket",)
        if path in PUBLIC or path.startswith("/static/"):
            self._require_pace(f"address {client[0]}")
            return
        who = self.known(scope, headers)
        self._require_pace(f"address {client[0]}" if who is None else f"person {who.name}")
        if who is None:
            raise Turned(401, self._how_to_come_in(scope, headers))
        if scope["method"] not in SAFE and not who.is_program:
            self._require_origin(headers)
        scope.setdefault("state", {})["who"] = who

    def known(self, scope: Scope, headers: Headers) -> Identity | None:
        """Who asks: by a token, by the header of a proxy, or by a session."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self.people.bearing(token.strip())
        if self.settings.mode is Mode.PROXY:
            return self._by_proxy(scope, headers)
        if self.settings.header in headers:
            raise Turned(403, "A header names somebody, and no proxy is expected here. Start whit web with --proxy.")
        cookie = Request(scope).cookies.get(cookie_name(self.settings), "")
        return session_of(self.settings, cookie)

    def _how_to_come_in(self, scope: Scope, headers: Headers) -> str:
        """The way out for whoever is not known: a token for programs, a link or the proxy for people."""
        if "authorization" in headers:
            return _TOKEN_IS_OVER
        return _SHOW_A_TOKEN if is_for_program(Request(scope)) else _COME_IN[self.settings.mode]

    def _by_proxy(self, scope: Scope, headers: Headers) -> Identity | None:
        """Whom the proxy names, if it is the proxy that names them."""
        names = headers.getlist(self.settings.header)
        if not names:
            return None
        server = scope.get("server")
        by_socket = server is not None and server[1] is None
        shown = headers.get(PROXY_SECRET, "").encode()
        secret = self.settings.proxy_secret.encode()
        if not by_socket and not (secret and hmac.compare_digest(shown, secret)):
            raise Turned(403, "A header names somebody, and it is not from the proxy. Ask by the proxy's address.")
        if len(names) != 1 or not names[0].strip() or not names[0].isprintable():
            raise Turned(403, "The proxy must name one person, on one line. Let it replace the header, not add to it.")
        return self.people.named(names[0].strip())

    def _require_host(self, headers: Headers) -> None:
        """Turn away a name that is not ours: a page elsewhere could have pointed its own name at this machine."""
        ours = {self.settings.host}
        if self.settings.mode is Mode.LOCAL:
            port = self.settings.host.rpartition(":")[2]
            ours |= {f"localhost:{port}", f"127.0.0.1:{port}"}
        if headers.get("host", "") not in ours:
            raise Turned(421, f"This server is reached as {self.settings.base}. Use that address.")

    def _require_origin(self, headers: Headers) -> None:
        """Turn away a form that another site sends."""
        host = headers.get("host", "")
        ours = {self.settings.base, f"{self.settings.base.partition('://')[0]}://{host}"}
        if headers.get("origin") not in ours or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise Turned(403, "The request comes from another site. Open the page here and send it from there.")

    def _require_pace(self, whose: str) -> None:
        if not self.rate.allows(whose):
            raise Turned(429, "There were too many requests in a short time. Wait a few seconds.")
