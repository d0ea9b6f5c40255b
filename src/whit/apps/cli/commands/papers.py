"""`whit papers`: the numbers and figures of the five papers, recomputed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from whit.apps.cli.options import Command, json_option
from whit.apps.cli.output import Answers, counted, say, show, speak
from whit.errors import InvalidInput
from whit.papers import PAPERS, Recomputed, Verdict, read_cases, recompute
from whit.papers.figures import FIGURES
from whit.theory import reference

HEAD = ("place", "quantity", "at", "printed", "computed", "verdict")
_DIFFERING = (Verdict.ROUNDED_INWARD, Verdict.WRONG, Verdict.DOES_NOT_FOLLOW)
_FORMS = ("png", "svg", "pdf", "html")


@click.command(cls=Command, short_help="Recompute the numbers and figures of the five papers.")
@click.argument("keys", nargs=-1, metavar="[PAPER]...", type=click.Choice(list(PAPERS), case_sensitive=False))
@click.option("--differing", is_flag=True, help="List only numbers that differ from the printed or the expected ones.")
@click.option("--figures", "folder", metavar="DIR", default="", help="Draw the figures into this folder.")
@click.option("--form", type=click.Choice(_FORMS), default="png", show_default=True, help="The form of the figures.")
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
    total = sum(len(read_cases(paper)) for paper in chosen)
    found = list(counted(recompute(chosen), total, "Recomputing"))
    listed = [each for each in found if not differing or _differs(each)]
    counts = _counts(found)
    result = {"cases": [_tree(each) for each in listed], "written": written, "counts": counts}
    notes = (*_summary(counts), *_where(chosen, into, written))
    if as_json:
        say(Answers("papers", {"papers": list(chosen)}, notes=notes, result=result).document())
    else:
        _tell(chosen, listed)
        for note in notes:
            speak(note)
    if not all(each.as_expected for each in found):
        click.get_current_context().exit(1)


def _differs(each: Recomputed) -> bool:
    return each.case.verdict in _DIFFERING or not each.as_expected


def _row(each: Recomputed) -> tuple[str, ...]:
    case = each.case
    return case.where, case.quantity, case.at, case.printed or "-", f"{each.computed:.6g}", _verdict(each)


def _verdict(each: Recomputed) -> str:
    """The verdict with the erratum, or that the computed number is not the expected one."""
    if not each.as_expected:
        return f"NOT AS EXPECTED: should be {each.case.expected:.12g}"
    return each.case.verdict.value + (f", see errata {each.case.errata}" if each.case.errata else "")


def _tree(each: Recomputed) -> dict[str, object]:
    case = each.case
    return {
        "key": case.key,
        "paper": case.paper,
        "where": case.where,
        "quantity": case.quantity,
        "inputs": dict(case.inputs),
        "printed": case.printed,
        "computed": each.computed,
        "expected": case.value,
        "within": each.within,
        "as_expected": each.as_expected,
        "verdict": case.verdict.value,
        "errata": case.errata,
    }


def _counts(found: Sequence[Recomputed]) -> dict[str, int]:
    counted = Counter(each.case.verdict.value for each in found)
    expected = sum(each.as_expected for each in found)
    return {"recomputed": len(found), "as expected": expected, **{v.value: counted[v.value] for v in Verdict}}


def _tell(chosen: Sequence[str], listed: Sequence[Recomputed]) -> None:
    """A table for each paper, under its authors and year."""
    for key in chosen:
        rows = [_row(each) for each in listed if each.case.paper == key]
        title = f"{key}: {', '.join(reference(key).authors)} ({reference(key).year})"
        if rows:
            show(HEAD, rows, title=title)
        else:
            say(f"{title}: nothing differs")
        say()


def _summary(counts: Mapping[str, int]) -> tuple[str, ...]:
    """How many numbers are as they should be, and what that says of the print."""
    agreement = (
        f"{counts['as expected']} of {counts['recomputed']} computed numbers agree with the separate calculation."
    )
    verdicts = "; ".join(f"{verdict.value}: {counts[verdict.value]}" for verdict in Verdict)
    return agreement, f"The printed numbers: {verdicts}."


def _where(chosen: Sequence[str], folder: Path | None, written: Sequence[str]) -> tuple[str, ...]:
    """Where the figures are, and which papers have none."""
    if folder is None:
        return ()
    without = [key for key in chosen if key not in FIGURES]
    none = (f"No figure with numbers: {', '.join(without)}.",) if without else ()
    return (f"{len(written)} figures are in {folder}.", *none)


def _folder(text: str) -> Path:
    """The folder of the figures, made if it is not there."""
    folder = Path(text).expanduser()
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
