"""`whit annotate`: risk columns for a table in a file, which may be larger than memory."""

from __future__ import annotations

import glob
import os
import sys
from typing import Any

import click

from whit import spec
from whit.annotate import Annotated, Computing, RiskColumns, annotate_file, basis_file
from whit.apps.asking.answers import Answers
from whit.apps.cli.options import Command, Whole, a_file, json_option, shared, such
from whit.apps.cli.output import looked_at, say, speak, working
from whit.display import progress
from whit.errors import InvalidInput
from whit.files import from_home

ABOUT = ("prior", "knows", "block", "failure", "level", "limit")
"""The shared options that are the same for every row."""


class Digits(Whole):
    """How many digits are left; 0 rounds nothing."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that was written."""
        return 0 if str(value).strip() == "0" else super().convert(value, param, ctx)


@click.command(cls=Command, short_help="Add risk columns to a table in a Parquet or CSV file.")
@click.argument("table", shell_complete=a_file)
@click.option(
    "--out",
    metavar="FILE",
    required=True,
    type=such("--out risks.parquet"),
    help="The new file: .parquet, .csv or .tsv. It must not exist.",
)
@click.option("--column", metavar="WORD=COLUMN", multiple=True, help="The column of a word, such as rho=charge.")
@click.option("--same", metavar="TEXT", default="", help='What is the same for every row: "delta=1e-6".')
@click.option("--digits", type=Digits(), default=0, help="Round parameters to so many digits, to the safe side.")
@click.option(
    "--unit", metavar="COLUMN", default="", help="Rows are charges: add them up for each value of this column."
)
@click.option("--book", metavar="WORD", default="", help="How charges add up: pure, zcdp, gdp, renyi@8 or sums@1e-6.")
@click.option("--prefix", metavar="TEXT", default="", help="What the names of the new columns begin with.")
@click.option("--jobs", type=Whole(), default=None, help="The number of processes. The default is one for each core.")
@click.option("--cache", metavar="FOLDER", default="", help="Keep answers here for the next time.")
@click.option("--memory", metavar="SIZE", default="", help="The most memory for the table, such as 4GB.")
@shared(*ABOUT)
@json_option
def annotate(table: str, out: str, as_json: bool, **options: Any) -> None:
    """Write FILE with the columns of TABLE and what each row lets an adversary learn.

    TABLE is a Parquet or CSV file. Its columns state a promise by their names: epsilon, delta, rho, mu, gaussian and
    other options of `whit assess`; or kind, parameter and count. The new columns are posterior (at the end and ever),
    ratio, difference, power, limit_used, within, direction and basis. FILE.basis.json says what they rest on. With
    --unit, totals are for an added or removed record, or for --same neighbours=replace, as the column neighbours says.

    whit answers each distinct setting once. Without --digits a table may have 200,000 of them.
    """
    _require_table(table)
    columns = _columns(options)
    computing = Computing(options["jobs"] or os.cpu_count() or 1, options["cache"])
    # Only on a terminal is there somebody who looks at how much is done.
    with (progress if looked_at(sys.stderr) else working)("Annotating"):
        found = annotate_file(table, out, columns, computing, memory=options["memory"])
    _tell(found, table, as_json)


def _require_table(table: str) -> None:
    """Refuse a file that is not there, before anything is loaded; a pattern stands for several files."""
    if not glob.has_magic(table) and not os.path.exists(from_home(table)):
        raise InvalidInput("the table", "must be a file that exists", table, "Check its path.")


def _columns(options: dict[str, Any]) -> RiskColumns:
    """What is read and added; what one of the texts says wrong is said of its option."""
    read: dict[str, str] = {}
    for text in options["column"]:
        read |= {word: str(name) for word, name in spec.pairs("--column", text).values.items()}
    same = dict(spec.pairs("--same", options["same"]).values) if options["same"] else {}
    about = {name: options[f"{name}_"] for name in ABOUT if options[f"{name}_"] not in (None, ())}
    if "limit" in about:
        about["limit"] = "; ".join(about["limit"])
    given = {name: options[name] for name in ("digits", "prefix", "unit", "book")}
    return RiskColumns(columns=read, same={**same, **about}, **given)


def _tell(found: Annotated, table: str, as_json: bool) -> None:
    """What was read, written and rounded."""
    beside = basis_file(found.data)
    if as_json:
        asked = {"table": table, "out": found.data}
        result = {"rows": found.rows, "settings": found.settings, "read": dict(found.read), "basis": beside}
        say(Answers("annotate", asked, (), (found.cost,) if found.cost else (), result).text())
        return
    columns = ", ".join(dict.fromkeys(found.read.values()))
    rows, settings = (f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in _counts(found))
    speak(f"{found.data}: {rows} with {settings}, from {columns}. {beside} says what the numbers rest on.")
    if found.cost:
        speak(found.cost)


def _counts(found: Annotated) -> tuple[tuple[int, str], tuple[int, str]]:
    return (found.rows or 0, "row"), (found.settings, "distinct setting")
