"""`whit audit`: what readers can conclude from a table without noise, and whether that is within limits."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

import click

from whit import spec
from whit.apps.asking.answers import Answers, Table
from whit.apps.asking.audits import cell_tree, ends_of, left_words, opening
from whit.apps.asking.codes import NO_ANSWER, NOT_ALLOWED
from whit.apps.cli.layout import printable
from whit.apps.cli.options import Command, a_file, json_option
from whit.apps.cli.output import counted, say, speak, tell, working
from whit.audit import Certificate, Verifier, Writer, cell_text, claims_of, proved
from whit.errors import InvalidInput
from whit.files import place_of, require_apart, require_other, written
from whit.notations import from_json
from whit.policy import Outcome
from whit.policy.tables import Audited, audited, fewest_suppressions, smallest_base
from whit.telling.audits import audit_page

VERIFY = "verify"
"""The word that asks for a check of proofs instead of an audit."""

MOST_ROWS = 20
"""The most cells that the terminal shows; --out has all of them."""

COLUMNS = (
    "cell",
    "published",
    "status",
    "read by",
    "least",
    "most",
    "required",
    "exceeded",
    "not shown",
    "through",
    "why",
)
"""The columns of --out."""

EXIT = {Outcome.BROKEN: NOT_ALLOWED, Outcome.OPEN: NO_ANSWER}
"""The exit codes of audits that do not end well."""

_WRITTEN = ("out", "page", "certificates")
_REPAIRS = {"suppress": "suppress", "round": "round"}
_FORMULA = (*"=+-@", *"＝＋－＠")  # some spreadsheets read the wide signs alike
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


@click.command(cls=Command, short_help="What is left after exact, rounded and suppressed tables.")
@click.argument("files", nargs=-1, required=True, metavar="FILE | verify PROOFS FILE", shell_complete=a_file)
@click.option("--values-left", metavar="NUMBER", help="The fewest values left of a cell. The default is 2.")
@click.option("--interval", metavar="WIDTH|PERCENT", help='The least width of what is left, such as 5 or "10 %".')
@click.option(
    "--posterior", metavar="NUMBER", help="Largest posterior of a value; all tables weigh the same without --law."
)
@click.option("--prior", metavar="NUMBER|RANGE", help="With --posterior: from these priors, such as 0.01..0.1.")
@click.option("--law", metavar="LAW", help='With --posterior: the law of each cell, "poisson 3" or "geometric 0.5".')
@click.option("--within", metavar="FACTOR", help="With --posterior: or by any prior within this factor of that one.")
@click.option("--out", metavar="FILE", default="", help="Write every cell to a CSV file.")
@click.option("--certificates", metavar="FILE", default="", help="Write the proof of every interval to a JSON file.")
@click.option("--confidential", is_flag=True, help="Start from the true values in the file; proofs contain them.")
@click.option("--page", metavar="FILE", default="", help="Write the audit as one HTML page.")
@click.option("--repair", metavar="suppress|round", default="", help="Find the least change that meets the limits.")
@json_option
def audit(files: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Say what is left of every cell that is not published exactly, and prove it.

    FILE is a table (CSV with a value and a flag, SDMX-CSV, JJ, or .tab with its .rda), or a TOML file that names
    tables, readers and limits. The exit code is 1 if a cell exceeds its limit, and 3 if whit can prove neither.

    whit audit verify PROOFS FILE checks the proofs that --certificates wrote, in whole numbers and without a solver.
    """
    if files[0] == VERIFY:
        _verify(files[1:], as_json)
        return
    if len(files) > 1:
        raise InvalidInput("FILE", "must be one file", " ".join(files), "Name linked tables in a TOML file.")
    targets = {f"--{option}": place_of(options[option]) for option in _WRITTEN if options[option]}
    for name, target in targets.items():
        require_other(target, place_of(files[0]), name=name)
    require_apart(targets)
    limits = spec.Given({name: options[name] for name in spec.CELL_LIMITS if options[name] is not None})
    with working("Auditing the table"):
        read = spec.read_audit(files[0], spec.cell_limits_of(limits))
        found = audited(spec.starting_from_truth(read) if options["confidential"] else read.task)
    _write(read, found, options)
    repaired = _repaired(found, options["repair"])
    _tell(read, found, repaired, as_json=as_json)
    if not found.is_kept:
        click.get_current_context().exit(EXIT[found.outcome])


def _tell(read: spec.AuditRead, found: Audited, repaired: tuple[str, Mapping[str, Any]], *, as_json: bool) -> None:
    """Print the outcome: the failing cells with their derivations, or all of it as JSON."""
    said, repair = repaired
    notes = [said] if said else []
    if read.scale.decimals:
        notes.append(f"The sums count in units of {read.scale.text(1)}.")
    failing = (*found.failing, *found.unshown)
    if len(failing) > MOST_ROWS:
        notes.append(f"These are {MOST_ROWS} of {len(failing)}. --out FILE writes all of them.")
    result: dict[str, Any] = {"within_limits": found.is_kept, "cells": [cell_tree(read, each) for each in found.found]}
    result |= {"repair": repair} if repair else {}
    derived = tuple(f"{each.why} Read by {each.by}." for each in failing[:MOST_ROWS])
    answers = Answers("audit", {"file": read.name}, notes=(*derived, *notes), result=result)
    shown = [(cell_text(each.cell), each.by, each.status, *left_words(read, each)) for each in failing[:MOST_ROWS]]
    table = Table(("cell", "read by", "status", "what is left", "required"), shown)
    if failing or as_json:
        tell(answers, table, as_json=as_json, opening=opening(found))
        return
    for line in (opening(found), *notes):
        speak(line)


def _repaired(found: Audited, how: str) -> tuple[str, Mapping[str, Any]]:
    """The least change that keeps the limits, in a sentence and as plain values."""
    if not how:
        return "", {}
    spec.Given({"repair": how}).word("repair", _REPAIRS)
    if found.is_kept:
        return "No repair is needed.", {}
    with working("Looking for a repair"):
        if how == "round":
            base, _ = smallest_base(found.task)
            return f"Rounding every exact number to {base} meets the limits, and no smaller base does.", {"base": base}
        cells, _ = fewest_suppressions(found.task)
    named = ", ".join(map(cell_text, cells))
    number = f"{len(cells)} further {'cell' if len(cells) == 1 else 'cells'}"
    return f"Withholding {number} meets the limits, and no fewer do: {named}.", {"suppress": [*map(cell_text, cells)]}


def _write(read: spec.AuditRead, found: Audited, options: Mapping[str, Any]) -> None:
    """Write the files that were asked for, after the text of each is known."""
    secret = bool(options["confidential"])
    texts: dict[str, Callable[[], str]] = {
        "out": lambda: _as_csv(read, found),
        "page": lambda: audit_page(found, title=printable(read.name), text=read.scale.text),
        "certificates": lambda: _as_json(read, found, confidential=secret),
    }
    for name, text in [(name, text()) for name, text in texts.items() if options[name]]:
        write_whole(options[name], text, secret=secret and name == "certificates")


def _as_json(read: spec.AuditRead, found: Audited, *, confidential: bool) -> str:
    """The certificates, with what they contain in the first line."""
    tree = Writer().document(found.certificates(), about=printable(read.name), confidential=confidential)
    notice, *rest = tree.items()
    first = json.dumps(dict([notice]), ensure_ascii=False)[:-1]
    others = json.dumps(dict(rest), ensure_ascii=False)[1:]
    return f"{first},\n{others}\n"


def _as_csv(read: spec.AuditRead, found: Audited) -> str:
    """A row for each cell and each who reads."""
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found.found:
        lists = map("; ".join, (each.required, each.broken, each.unshown, each.through))
        first = (cell_text(each.cell), read.status.get(each.cell, "withheld"), each.status, each.by)
        writer.writerow([*map(_inert, (*first, *ends_of(read, each, ""), *lists, each.why))])
    return lines.getvalue()


def _inert(entry: str) -> str:
    """An entry that no spreadsheet takes for a formula and no screen for an order: names are somebody else's.

    >>> _inert("=1+1"), _inert("＝1+1"), _inert("-5"), _inert("north")
    ("'=1+1", "'＝1+1", '-5', 'north')
    """
    shown = printable(entry)
    return shown if not shown.startswith(_FORMULA) or _NUMBER.fullmatch(shown) else f"'{shown}"


def write_whole(path: str, text: str, *, secret: bool = False) -> None:
    """Write a file at once, so that it is never half there; a secret one can be read by its owner only."""
    written(place_of(path), text.encode(), secret=secret)


def _verify(files: tuple[str, ...], as_json: bool) -> None:
    """Check every proof of a file against what was published, and say what is proved of each cell."""
    if len(files) != 2:
        way_out = "Use whit audit verify PROOFS FILE."
        raise InvalidInput(VERIFY, "must have two files", " ".join(files) or "none", way_out)
    proofs, file = files
    read = spec.read_audit(file)
    try:
        claims = claims_of(from_json(spec.read_text(proofs), proofs))
    except InvalidInput:
        raise
    except (ValueError, RecursionError) as wrong:  # Python reads no number of 5,000 digits either
        raise InvalidInput(proofs, "must be JSON", "something else", "Name the file of --certificates.") from wrong
    verifiers = {each.name: Verifier(read.task.publication, each.knowledge) for each in read.task.readers}
    by_cell: dict[tuple[str, Any], list[Certificate]] = {}
    for reader, cell, certificate in claims:
        if reader not in verifiers:
            raise InvalidInput("a reader", f"must be one of {file}", reader, "Use the file that was audited.")
        known = verifiers[reader].system.known(cell)
        by_cell.setdefault((reader, known), []).append(certificate)
    for name, verifier in verifiers.items():
        own = [certificate for reader, _, certificate in claims if reader == name]
        verifier.check_all(counted(own, len(own), "Verifying"))
    rows = [[cell_text(cell), reader, *_proved(read, cell, own)] for (reader, cell), own in by_cell.items()]
    head = ("cell", "read by", "values in tables that fit", "no table exceeds")
    if as_json:
        found = [dict(zip(("cell", "read_by", "attained", "bounds"), row, strict=True)) for row in rows]
        say(Answers("audit verify", {"proofs": proofs, "file": file}, result={"proved": found}).text())
        return
    said = f"All {len(claims)} proofs about {len(rows)} cells hold, in whole numbers and without a solver."
    rest = (f"These are {MOST_ROWS} of {len(rows)} cells. --json has all of them.",) if len(rows) > MOST_ROWS else ()
    answers = Answers("audit verify", {}, notes=rest)
    tell(answers, *([Table(head, rows[:MOST_ROWS])] if rows else []), as_json=False, opening=said)


def _proved(read: spec.AuditRead, cell: Any, certificates: Sequence[Certificate]) -> list[str]:
    return [
        " to ".join("no end" if end is None else read.scale.text(end) for end in pair)
        for pair in proved(cell, certificates)
    ]
