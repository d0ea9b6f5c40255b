"""Times, interleaved: in each round every tool answers once, so that a busy moment falls on all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.cases import Case
from benchmarks.mechanisms import nudged
from benchmarks.peers import NotOffered, Tool
from benchmarks.truth import Answer, Verdict, judged

ROUNDS = 7


@dataclass
class Measurement:
    """One tool on one case: its answer, judged, and the seconds of each round."""

    tool: str
    answer: Answer
    verdict: Verdict
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median over the rounds."""
        return statistics.median(self.seconds)


@dataclass
class Result:
    """What all tools said to one case; for some there is only a reason why they said nothing."""

    case: Case
    measurements: list[Measurement]
    reasons: dict[str, str]

    def of(self, tool: str) -> Measurement | None:
        """The measurement of a tool, if there is one."""
        return next((each for each in self.measurements if each.tool == tool), None)


def measured(case: Case, tools: Sequence[Tool]) -> Result:
    """One answer of each tool to warm up and to be judged, then rounds that are timed."""
    first, reasons = _first_answers(case, tools)
    spent = dict.fromkeys(first, 0.0)
    for round_number in range(1, ROUNDS + 1):
        for tool, measurement in first.items():
            if spent[tool] < case.patience:
                measurement.seconds.append(_seconds(tool, case, round_number))
                spent[tool] += measurement.seconds[-1]
    return Result(case, list(first.values()), reasons)


def _first_answers(case: Case, tools: Sequence[Tool]) -> tuple[dict[Tool, Measurement], dict[str, str]]:
    answers: dict[Tool, Measurement] = {}
    reasons = dict(case.left_out)
    for tool in tools:
        if tool.name in case.left_out:
            continue
        try:
            answer = tool.answer(case.parts, case.question, case.truth.points)
        except NotOffered:
            continue
        # Whatever a library does when it gives up is a result: the table says so, and goes on.
        except Exception as failure:  # noqa: BLE001
            reasons[tool.name] = f"gave up: {type(failure).__name__}: {failure}"
            continue
        answers[tool] = Measurement(tool.name, answer, judged(answer, case.truth))
    return answers, reasons


def _seconds(tool: Tool, case: Case, round_number: int) -> float:
    parts = nudged(case.parts, round_number)
    points = case.truth.points
    start = time.perf_counter()
    tool.answer(parts, case.question, points)
    return time.perf_counter() - start
