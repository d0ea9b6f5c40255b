"""`whit report`: a decision sheet and a report from one TOML file."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import click

from whit.apps.asking import Answers
from whit.apps.cli.options import Command, Word, json_option, such
from whit.apps.cli.output import confirm, say, working
from whit.errors import InvalidInput
from whit.telling.reports import report as written
from whit.telling.words import languages


class Day(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A date as 2026-01-31."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Midnight of that day."""
        try:
            return datetime.strptime(value, "%Y-%m-%d")
        except ValueError as wrong:
            raise InvalidInput("--date", "must be a day", value, "Write it as 2026-01-31.") from wrong


@click.command(cls=Command, short_help="Write a decision sheet and a report from one TOML file.")
@click.argument("file")
@click.option(
    "--out",
    required=True,
    type=such("--out report.pdf"),
    metavar="PATH",
    help="Where to write it; .pdf, .html, .docx, .md or .json.",
)
@click.option("--sheet", is_flag=True, help="Write the decision sheet alone: one page for whoever decides.")
@click.option(
    "--appendix", is_flag=True, help="Add the appendices: all answers, assumptions, theorems, sources, and the file."
)
@click.option("--date", "day", type=Day(), help="The date on the report. Today, if it is not given.")
@click.option(
    "--language",
    type=Word(languages()),
    help="The language of the report. That of FILE if it is not given, and English if FILE names none.",
)
@json_option
def report(
    file: str, out: str, sheet: bool, appendix: bool, day: datetime | None, language: str | None, as_json: bool
) -> None:
    """Write the report on a release that FILE states: promise, unit, adversaries, and limits.

    The first page is the decision sheet: the verdict, who decides, one picture, what would do instead, what is open,
    and a place for names. The same file and the same date, and the same ledger if FILE names one, give the same bytes.
    A report is written as a whole or not at all, and never over FILE.
    """
    dated = date.today() if day is None else day.date()
    with working("Writing the report"):
        written(file, out, date=dated, sheet=sheet, appendix=appendix, language=language)
    asked = {"file": file, "date": dated.isoformat(), "sheet": sheet, "appendix": appendix, "language": language}
    if as_json:
        say(Answers("report", asked, result={"written": out}).text())
    else:
        confirm(f"Written: {out}")
