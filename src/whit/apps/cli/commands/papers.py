"""`whit papers`: the numbers and figures of the five papers, recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from whit.apps.asking import ask, watched_by
from whit.apps.cli.options import Command, Word, asks, json_option
from whit.apps.cli.output import Signs, counted, deliver
from whit.errors import InvalidInput
from whit.files import place_of
from whit.papers import PAPERS
from whit.papers.figures import FIGURES

_FORMS = ("png", "svg", "pdf", "html")


@click.command(cls=Command, short_help="Recompute the numbers and figures of the five papers.")
@click.argument("keys", nargs=-1, metavar="[PAPER]...", type=Word(list(PAPERS), case_sensitive=False))
@asks("papers")
@click.option("--figures", "folder", metavar="DIR", default="", help="Draw the figures into this folder.")
@click.option("--form", type=Word(_FORMS), default="png", show_default=True, help="The form of the figures.")
@json_option
def papers(keys: tuple[str, ...], differing: bool, folder: str, form: str, as_json: bool) -> None:
    """Recompute every number that the papers print or imply: its place, the printed and the computed value, a verdict.

    Without a PAPER, whit recomputes all five. The exit code is 1 if a computed number is not the expected one. The
    expected values come from a separate calculation with 25 digits. The inputs have the symbols of the paper.
    """
    chosen = tuple(dict.fromkeys(keys)) or tuple(PAPERS)
    into = _folder(folder) if folder else None
    # The figures come first: a library that is missing is then missed before anything is computed.
    written = _drawn(chosen, into, form) if into else []
    with watched_by(Signs()):
        told = ask("papers", {"papers": list(chosen), "differing": differing})
    told = told.with_result(written=written).with_notes(*_where(chosen, into, written))
    deliver(told, as_json=as_json)
    if told.code:
        click.get_current_context().exit(told.code)


def _where(chosen: Sequence[str], folder: Path | None, written: Sequence[str]) -> tuple[str, ...]:
    """Where the figures are, and which papers have none."""
    if folder is None:
        return ()
    without = [key for key in chosen if key not in FIGURES]
    none = (f"No figure with numbers: {', '.join(without)}.",) if without else ()
    return (f"{len(written)} figures are in {folder}.", *none)


def _folder(text: str) -> Path:
    """The folder of the figures, made if it is not there."""
    folder = place_of(text)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        way_out = "Give a folder in which you may write."
        raise InvalidInput("--figures", "must be a folder", text, way_out) from error
    return folder


def _drawn(chosen: Sequence[str], folder: Path, form: str) -> list[str]:
    """Draw the figures of the papers that have some, and list the files."""
    wanted = [(paper, number) for paper in chosen for number in FIGURES.get(paper, ())]
    written = []
    for paper, number in counted(wanted, len(wanted), "Drawing"):
        target = folder / f"{paper}-figure-{number:02d}.{form}"
        written.append(str(FIGURES[paper][number]().save(target)))
    return written
