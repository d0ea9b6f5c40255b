"""`whit web`: the questions and the ledger as pages, on this machine or behind a proxy."""

from __future__ import annotations

import logging
import os
import sys
import webbrowser
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any

import click

from whit.apps import web as pages
from whit.apps.asking import Answers
from whit.apps.cli.group import Group
from whit.apps.cli.options import Whole, json_option
from whit.apps.cli.output import say, tell
from whit.apps.cli.streams import require_delivered
from whit.errors import Incompatible, InvalidInput, missing_extra
from whit.files import place_of
from whit.ledger import user_here

NEEDED = ("fastapi", "jinja2", "multipart", "uvicorn")
"""The libraries of the extra; all of them, so that no page is missing later."""

LAST_PORT = 65535
"""The largest number of a port."""

_PROXY = "Add --proxy, and put a proxy in front that says who asks."


class Port(Whole):
    """The number of a port."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that was written."""
        if str(value).isascii() and str(value).isdecimal() and 1 <= int(value) <= LAST_PORT:
            return int(value)
        raise InvalidInput("--port", f"must be a whole number from 1 to {LAST_PORT}", value, "Use 8765.")


@click.group(cls=Group, invoke_without_command=True, short_help="The same questions and the ledger as web pages.")
@click.option("--ledger", metavar="PATH|URL", default="", help="The ledger. The default is WHIT_LEDGER, or none.")
@click.option("--port", type=Port(), default=None, help="The port. The default is 8765, or a free one if it is taken.")
@click.option("--address", metavar="HOST", default="127.0.0.1", show_default=True, help="Where it listens.")
@click.option("--socket", metavar="PATH", default="", help="Listen on this unix socket in place of a port.")
@click.option("--no-browser", is_flag=True, help="Print the link, and open no browser.")
@click.option("--proxy", is_flag=True, help="A proxy in front says who asks.")
@click.option("--base", metavar="URL", default="", help="The address by which browsers reach the proxy.")
@click.option("--people", metavar="FILE", default="", help="A TOML file with roles and tokens.")
@click.option("--header", metavar="NAME", default="X-Forwarded-User", show_default=True, help="Where the proxy names.")
@click.option("--proxy-secret", metavar="FILE", default="", help="What the proxy shows where it comes by a port.")
@click.option("--secret", metavar="FILE", default="", help="The secret of sessions and forms; made if missing.")
@click.pass_context
def web(context: click.Context, /, **options: Any) -> None:
    """Serve the questions and the ledger as web pages.

    Without --proxy it is for one person: it listens on this machine alone, prints a link that works once, and opens it.
    Nothing is fetched from elsewhere and nothing is sent. Stop it with Ctrl-C.
    """
    _require_extra()
    if context.invoked_subcommand is None:
        _serve(**options)


@web.command()
@click.option("--people", metavar="FILE", required=True, help="The file with roles and tokens.")
@click.option("--person", metavar="NAME", required=True, help="Whose token it is: a person of the file.")
@click.option(
    "--role", "roles", metavar="WORD", multiple=True, help="One of their roles that it is good for; may be repeated."
)
@click.option("--days", type=Whole(), default=90, show_default=True, help="For how many days.")
@json_option
def token(people: str, person: str, roles: tuple[str, ...], days: int, as_json: bool) -> None:
    """Make a token for a program. It is shown once; the file keeps its hash."""
    words = roles or ("reader",)
    made = pages.add_token(place_of(people), person, words, days=days)
    asked = {"person": person, "roles": list(words), "days": days}
    tell(Answers("web token", asked, result={"token": made}), as_json=True) if as_json else say(made)
    require_delivered("the token")


def _require_extra() -> None:
    for library in NEEDED:
        if find_spec(library) is None:
            raise missing_extra(library, "web", purpose="for whit web")


def _serve(*, socket: str, no_browser: bool, proxy: bool, **options: Any) -> None:
    if proxy:
        _require_proxy(socket=socket, **options)
    elif options["base"] or options["proxy_secret"] or socket:
        raise Incompatible("--base, --proxy-secret and --socket", "must go with --proxy", "no --proxy", "Add --proxy.")
    elif not _is_loopback(options["address"]):
        raise InvalidInput("--address", "must be this machine without --proxy", options["address"], _PROXY)
    else:
        user_here()  # refuses somebody without a name before there is a link
    path = place_of(socket) if socket else None
    listener = pages.listening_at(path) if path else pages.listening(options["address"], options["port"])
    try:
        app = pages.create_app(_settings(listener, proxy=proxy, **options))
        logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.INFO if proxy else logging.WARNING)
        _greet(app, proxy=proxy, open_browser=not no_browser)
        pages.run(app, listener)
    finally:
        listener.close()
        if path:
            path.unlink(missing_ok=True)
    say("whit web has stopped.")


def _require_proxy(*, socket: str, base: str, people: str, proxy_secret: str, **_: Any) -> None:
    """Refuse a proxy that could not be told from anybody else, or people who have no roles."""
    for name, given, way_out in (
        ("--base", base, "Give the address that browsers use, such as https://risk.example.org."),
        ("--people", people, "Give the file with the roles of people."),
        ("--socket or --proxy-secret", socket or proxy_secret, "Give one: else anybody could send the header."),
    ):
        if not given:
            raise InvalidInput(name, "must be given with --proxy", "nothing", way_out)


def _is_loopback(address: str) -> bool:
    try:
        return address == "localhost" or ip_address(address).is_loopback
    except ValueError:
        return False


def _settings(listener: Any, *, proxy: bool, ledger: str, base: str, people: str, **more: Any) -> pages.Settings:
    host = f"[{more['address']}]" if ":" in more["address"] else more["address"]
    shown = pages.secret_at(place_of(more["proxy_secret"])) if more["proxy_secret"] else b""
    place = ledger or os.environ.get("WHIT_LEDGER", "")
    pages.require_ledger(place)
    listed = place_of(people) if people else None
    pages.require_people(listed)
    return pages.Settings(
        base=base.rstrip("/") if proxy else f"http://{host}:{listener.getsockname()[1]}",
        mode=pages.Mode.PROXY if proxy else pages.Mode.LOCAL,
        secret=pages.secret_at(place_of(more["secret"] or _usual_secret())),
        ledger=place,
        people=listed,
        header=more["header"].lower(),
        proxy_secret=shown.decode("ascii", "replace"),
    )


def _usual_secret() -> str:
    """Where the secret is if nobody says: among what programs keep for the user."""
    return os.path.join(os.environ.get("XDG_STATE_HOME") or "~/.local/state", "whit", "web.secret")


def _greet(app: Any, *, proxy: bool, open_browser: bool) -> None:
    """Say where it is; the link is for the person at this machine."""
    base = app.state.settings.base
    if proxy:
        click.echo(f"whit web answers for {base}.", err=True)
        return
    link = pages.link_of(app)
    click.echo(f"whit web is at {base}. Open this link; it works once:\n{link}\nStop with Ctrl-C.")
    if open_browser:
        webbrowser.open(link)
