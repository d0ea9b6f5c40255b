"""`whit explorer`: one HTML file that answers in a browser."""

from __future__ import annotations

import click

from whit.apps.asking import Answers
from whit.apps.cli.options import Command, json_option
from whit.apps.cli.output import confirm, say
from whit.telling.explorer import write_explorer


@click.command(cls=Command, short_help="One HTML file that answers in a browser and sends nothing.")
@click.option("--out", "out", default="explorer.html", metavar="FILE", help="The file. The default is explorer.html.")
@json_option
def explorer(out: str, as_json: bool) -> None:
    """Write an HTML file with sliders for a promise and an adversary, which opens from disk and sends nothing.

    Its bounds come from tables that whit made. They are never below whit's own, and at most 0.2 percentage points
    above.
    """
    written = write_explorer(out)
    if as_json:
        say(Answers("explorer", {"out": out}, result={"written": str(written)}).text())
    else:
        confirm(f"Written: {written}. Open it in a browser; it needs no network.")
