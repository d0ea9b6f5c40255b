"""`whit papers`: the numbers and figures of the five papers, recomputed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from whit import spec
from whit.apps.asking.answers import Answers, Table, Told
from whit.apps.asking.codes import NOT_ALLOWED
from whit.apps.asking.fields import Field, Taken, yes_no
from whit.apps.asking.request import Command, Request
from whit.apps.asking.signs import counted
from whit.papers import PAPERS, Recomputed, Verdict, read_cases, recompute
from whit.theory import reference

HEAD = ("place", "quantity", "at", "printed", "computed", "verdict")
_DIFFERING = (Verdict.ROUNDED_INWARD, Verdict.WRONG, Verdict.DOES_NOT_FOLLOW)


KEYS = Field(
    "papers", "The papers; all five if none is named.", Taken.WORD, "PAPER", tuple(PAPERS), many=True, argument=True
)
DIFFERING = yes_no("differing", "List only numbers that differ from the printed or the expected ones.")


def answer(request: Request) -> Told:
    """Every number that the papers print or imply: its place, the printed and the computed value, a verdict."""
    known = {spec.plain(each): each for each in PAPERS}
    named = [spec.Given({"papers": each}).word("papers", known) for each in request.values.get("papers", ())]
    chosen = tuple(dict.fromkeys(named)) or tuple(PAPERS)
    total = sum(len(read_cases(paper)) for paper in chosen)
    found = list(counted(recompute(chosen), total, "Recomputing"))
    listed = [each for each in found if not request.values["differing"] or _differs(each)]
    counts = _counts(found)
    notes = _summary(counts)
    result = {"cases": [_tree(each) for each in listed], "counts": counts}
    answers = Answers("papers", {"papers": list(chosen)}, notes=notes, result=result)
    wrong = not all(each.as_expected for each in found)
    return Told(answers, tables=_tables(chosen, listed), notes=notes, code=NOT_ALLOWED if wrong else 0)


COMMAND = Command("papers", answer, own=(KEYS, DIFFERING))
"""The numbers of the five papers, recomputed."""


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


def _tables(chosen: Sequence[str], listed: Sequence[Recomputed]) -> tuple[Table, ...]:
    """A table for each paper, under its authors and year."""
    found = []
    for key in chosen:
        rows = [_row(each) for each in listed if each.case.paper == key]
        title = f"{key}: {', '.join(reference(key).authors)} ({reference(key).year})"
        found.append(Table(HEAD, rows, title) if rows else Table((), (), f"{title}: nothing differs"))
    return tuple(found)


def _summary(counts: Mapping[str, int]) -> tuple[str, ...]:
    """How many numbers are as they should be, and what that says of the print."""
    agreement = (
        f"{counts['as expected']} of {counts['recomputed']} computed numbers agree with the separate calculation."
    )
    verdicts = "; ".join(f"{verdict.value}: {counts[verdict.value]}" for verdict in Verdict)
    return agreement, f"The printed numbers: {verdicts}."
