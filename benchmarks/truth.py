"""The true values, and how an answer is judged by them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("reference.json")

# Below this, probabilities are called tiny: accountants that work on a grid end about here.
TINY = Decimal("1e-12")


@dataclass(frozen=True)
class Truth:
    """The true value at each point, and by how much, relatively, each may be wrong itself."""

    points: tuple[float, ...]
    values: tuple[Decimal, ...]
    precisions: tuple[float, ...]


@dataclass(frozen=True)
class Answer:
    """Bounds at each point, smaller and larger than the truth as the tool says; none where it gives none."""

    lower: tuple[float, ...]
    upper: tuple[float, ...]


@dataclass(frozen=True)
class Verdict:
    """The largest relative error of each side, and how many bounds are on the wrong side of the truth."""

    upper_error: float
    lower_error: float
    tiny_upper_error: float
    tiny_lower_error: float
    bounds: int
    wrong: tuple[float, ...]


@cache
def _reference() -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def truth(question: str, key: str) -> Truth:
    """The entry of the reference file."""
    entry = _reference()[question][key]
    values = tuple(Decimal(text) for text in entry["values"].values())
    absolute = entry.get("absolute", 0.0)
    precisions = tuple(entry.get("precision", 0.0) + absolute / float(value) for value in values)
    return Truth(tuple(float(point) for point in entry["values"]), values, precisions)


def relative_error(value: float, true: Decimal) -> float:
    """value / true - 1, without cancellation; 1e300 for what is not a finite number."""
    if not math.isfinite(value):
        return 1e300
    with localcontext() as context:
        context.prec = 60
        return float(Decimal(value) / true - 1)


def judged(answer: Answer, known: Truth) -> Verdict:
    """The errors of both sides, apart for tiny truths, and all bounds that are wrong."""
    uppers = [relative_error(value, true) for value, true in zip(answer.upper, known.values, strict=bool(answer.upper))]
    lowers = [relative_error(value, true) for value, true in zip(answer.lower, known.values, strict=bool(answer.lower))]
    too_low = [e for e, p in zip(uppers, known.precisions, strict=False) if e < -p]
    too_high = [e for e, p in zip(lowers, known.precisions, strict=False) if e > p]
    return Verdict(
        upper_error=_largest(uppers, known, tiny=False),
        lower_error=_largest(lowers, known, tiny=False),
        tiny_upper_error=_largest(uppers, known, tiny=True),
        tiny_lower_error=_largest(lowers, known, tiny=True),
        bounds=len(uppers) + len(lowers),
        wrong=tuple(too_low + too_high),
    )


def _largest(errors: list[float], known: Truth, *, tiny: bool) -> float:
    """The error of the largest size among the tiny truths, or among the others; nan if there is none."""
    chosen = [error for error, value in zip(errors, known.values, strict=False) if (value < TINY) is tiny]
    return max(chosen, key=abs, default=math.nan)
