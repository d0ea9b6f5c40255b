"""`whit report`: a whole report from one TOML file."""

from __future__ import annotations

from datetime import date, datetime

import click

from whit.apps.cli.options import Command, json_option
from whit.apps.cli.output import Answers, say, working
from whit.telling.reports import report as written


@click.command(cls=Command, short_help="A whole report from one TOML file, as HTML, PDF, Markdown or JSON.")
@click.argument("file")
@click.option("--out", required=True, metavar="PATH", help="Where to write it; .html, .pdf, .md or .json.")
@click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="The date on the report. Today, if it is not given."
)
@click.option("--short", is_flag=True, help="Without the appendices: all answers, assumptions, theorems, and the file.")
@json_option
def report(file: str, out: str, day: datetime | None, short: bool, as_json: bool) -> None:
    """The report on a release that FILE states: promise, unit, adversaries, and what is acceptable.

    The same file and the same date, and the same ledger if FILE names one, give the same bytes. A report is written
    as a whole or not at all.
    """
    dated = date.today() if day is None else day.date()
    with working("Writing the report"):
        written(file, out, date=dated, short=short)
    asked = {"file": file, "date": dated.isoformat(), "short": short}
    say(Answers("report", asked, result={"written": out}).document() if as_json else f"Written: {out}")
