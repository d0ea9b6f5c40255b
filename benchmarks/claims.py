"""What must hold; the exit status of the run says whether it does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.cases import CENSUS_DELTA, DP_SGD_DELTA, DP_SGD_POWER, LAPLACE_DELTA
from benchmarks.measure import Measurement, Result

WIDTH = 1e-6
MOST_SECONDS = 1.0
MOST_MEGABYTES = 200.0


@dataclass(frozen=True)
class Claim:
    """A sentence, what was found, and whether the sentence is true."""

    sentence: str
    found: str
    holds: bool

    def __str__(self) -> str:
        return f"{'holds ' if self.holds else 'MISSED'}  {self.sentence}: {self.found}"


def checked(results: Mapping[str, Result]) -> list[Claim]:
    """All claims; one that could not be measured does not hold."""
    return [
        _faster(results, CENSUS_DELTA, "dp-accounting", 200.0),
        _narrow(results, CENSUS_DELTA),
        _faster(results, LAPLACE_DELTA, "dp-accounting", 30.0),
        _faster(results, DP_SGD_DELTA, "dp-accounting", 1.0),
        _faster(results, DP_SGD_POWER, "riskcal", 1.0),
        _always_sound(results),
        _many_kinds(),
    ]


def _pair(results: Mapping[str, Result], title: str, peer: str) -> tuple[Measurement | None, Measurement | None]:
    result = results.get(title)
    return (result.of("whit"), result.of(peer)) if result else (None, None)


def _faster(results: Mapping[str, Result], title: str, peer: str, times: float) -> Claim:
    sentence = f"{title}: at least {times:g} times faster than {peer}" if times > 1 else f"{title}: faster than {peer}"
    whit, other = _pair(results, title, peer)
    if whit is None or other is None:
        return Claim(sentence, "not measured", holds=False)
    ratio = other.median / whit.median
    return Claim(sentence, f"{ratio:.3g} times", ratio >= times)


def _narrow(results: Mapping[str, Result], title: str) -> Claim:
    sentence = f"{title}: relative width at most {WIDTH:g}"
    whit, _ = _pair(results, title, "")
    if whit is None:
        return Claim(sentence, "not measured", holds=False)
    width = max(high / low - 1 for low, high in zip(whit.answer.lower, whit.answer.upper, strict=True))
    # The bounds are rounded outwards once more when they leave the log scale.
    return Claim(sentence, f"{width:.2g}", width <= WIDTH * (1 + 1e-6))


def _always_sound(results: Mapping[str, Result]) -> Claim:
    own = [(title, each) for title, result in results.items() for each in result.measurements if "whit" in each.tool]
    refused = [title for title, result in results.items() if any("whit" in tool for tool in result.reasons)]
    wrong = [title for title, each in own if each.verdict.wrong]
    found = "; ".join([f"{len(own)} answers, {len(wrong)} wrong, {len(refused)} refused", *wrong, *refused])
    return Claim("whit is sound in every case", found, bool(own) and not wrong and not refused)


def _many_kinds() -> Claim:
    sentence = f"10^6 mechanisms of 50 kinds in under {MOST_SECONDS:g} s and {MOST_MEGABYTES:g} MB"
    command = [sys.executable, "-m", "benchmarks.many_kinds"]
    runs = [subprocess.run(command, check=False, capture_output=True, text=True) for _ in range(3)]
    if any(run.returncode for run in runs):
        return Claim(sentence, runs[0].stderr.strip().rpartition("\n")[2], holds=False)
    found = [json.loads(run.stdout) for run in runs]
    seconds, megabytes = min(run["seconds"] for run in found), max(run["megabytes"] for run in found)
    whole = all(run["mechanisms"] == 10**6 and run["kinds"] == 50 for run in found)
    shown = f"{seconds:.2f} s (best of 3 fresh processes), {megabytes:.0f} MB"
    return Claim(sentence, shown, whole and seconds < MOST_SECONDS and megabytes < MOST_MEGABYTES)
