"""`whit catalogue`: releases that were really made, with their risks."""

from __future__ import annotations

import click

from whit.apps.asking import ask, watched_by
from whit.apps.asking.commands.catalogue import chosen, columns
from whit.apps.cli.options import Command, Word, asks, completed, json_option
from whit.apps.cli.output import Signs, confirm, deliver, say, working
from whit.errors import Incompatible
from whit.telling.catalogue import Deployment, deployments
from whit.telling.plots import power_by_unit
from whit.telling.words import languages


@click.command(cls=Command, short_help="Releases that were really made, with their risks.")
@click.argument("key", required=False, shell_complete=completed(lambda: [each.key for each in deployments()]))
@asks("catalogue")
@click.option("--out", metavar="PATH", help="Draw the releases as dots, by unit; .svg, .png, .pdf or .html.")
@click.option(
    "--language", type=Word(languages()), metavar="CODE", help=f"The language of --out: {', '.join(languages())}."
)
@click.option("--csv", "as_csv", is_flag=True, help="Answer as CSV, with a line for each release.")
@json_option
def catalogue(
    key: str | None, unit: str | None, out: str | None, language: str | None, as_csv: bool, as_json: bool
) -> None:
    """Releases with public parameters, grouped by unit of privacy, their risks worked out anew.

    With a KEY, one of them with its source.
    """
    if as_csv and as_json:
        raise Incompatible("--csv", "does not go with --json", "both", "Leave out one of them.")
    if language and out is None:
        raise Incompatible("--language", "is that of a picture", language, "Add --out PATH, or leave it out.")
    listed = chosen(key, unit or "")
    written = None if out is None else _drawn(listed, out, language or "en")
    if as_csv:
        with working("Working out the risks"):
            say(columns(listed).csv().rstrip("\n"))
    elif as_json or written is None:
        with watched_by(Signs()):
            told = ask("catalogue", {"key": key, "unit": unit})
        deliver(told if written is None else told.with_result(written=written), as_json=as_json)
    else:
        confirm(f"Written: {written}")


def _drawn(listed: list[Deployment], out: str, language: str) -> str:
    """The file with the picture of the releases."""
    with working("Working out the risks"):
        return str(power_by_unit(listed, language=language).save(out))
