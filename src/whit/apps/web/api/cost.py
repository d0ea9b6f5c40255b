"""What an answer costs, in seconds of a processor and roughly, from what is asked alone.

The numbers are those that `benchmarks/api_cost.py` measures, for a question that was not asked before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whit import guarantees, mechanisms

CLOSED, ONCE, SEVERAL = 0.03, 0.1, 0.5
"""Seconds of all questions about a promise: with a formula for any number of releases, of one release, of several."""

SAMPLED, STEP = 2.0, 0.25
"""Seconds where noise is put on a sample or runs several times; for each release where it is cut or shuffled."""

TOGETHER, DIFFERENT, SEARCH = 0.25, 0.2, 3.0
"""Seconds for each of several promises, and for each pair that differs; how many times the questions a search puts."""

PLAN, PAPER, TEXTS = 1.0, 1.5, 0.2
"""Seconds of a plan, of a paper, and of what is only looked up."""

FORMULAS = frozenset(("rho", "mu", "gaussian"))
"""Words of promises that stay a formula however often they are kept."""

STEPPED = frozenset(("threshold", "shuffled"))
"""Words around noise whose releases are added up one by one."""


def cost_of(command: str, values: Mapping[str, Any]) -> float:
    """About how many seconds a command takes.

    >>> cost_of("assess", {"rho": 1}) < cost_of("recommend", {"for": "laplace", "releases": 10})
    True
    """
    if command == "papers":
        named = values.get("papers") or range(5)
        return PAPER * (len(named) if isinstance(named, list | tuple | range) else 1)
    if command in ("plan", "theorem", "catalogue"):
        return PLAN if command == "plan" else TEXTS
    stated = [values, *_listed(values.get("promise"), values.get("claim"))]
    costs = [cost for cost in map(_promise, stated) if cost]
    once = (sum(costs) or SEVERAL) * _tables(values.get("from"))
    if command == "recommend":
        return once * SEARCH
    if command == "check" and values.get("remedy"):
        return once * (1.0 + SEARCH * len(_listed(values.get("limit"), values.get("profile"))))
    if command == "compose":
        others = [str(each) for each in stated if _promise(each) > CLOSED]
        return once + bool(others) * TOGETHER * len(costs) + DIFFERENT * len({*others}) ** 2
    return once


def _listed(*several: Any) -> list[Any]:
    return [each for some in several if some for each in (some if isinstance(some, list | tuple) else [some])]


def _tables(file: Any) -> int:
    """How many promises and adversaries a file may state: at most one for each table of a list in it."""
    text = file.get("text", "") if isinstance(file, Mapping) else ""
    return max(str(text).count("[["), 1)


def _promise(stated: Any) -> float:
    """The cost of one promise; nothing where there is none."""
    given = stated if isinstance(stated, Mapping) else dict(_pairs(str(stated)))
    words = {str(word).replace("-", "_") for word in given} | {str(given.get("for", "")).replace("-", "_")}
    kinds = {kind.parameter.word for kind in guarantees.kinds()} | {kind.parameter.word for kind in mechanisms.kinds()}
    if not words & kinds:
        return 0.0
    releases = _number(given.get("releases"))
    if words & STEPPED:
        return ONCE + STEP * releases
    if words & set(mechanisms.AROUND):
        return SAMPLED
    if words & kinds <= FORMULAS:
        return CLOSED
    return ONCE if releases == 1 else SEVERAL


def _pairs(text: str) -> list[tuple[str, str]]:
    """The names and values of a promise in one line."""
    parts = [part.partition("=") for part in text.split(",")]
    return [(name.strip(), value.strip()) for name, _, value in parts]


def _number(releases: Any) -> float:
    """How many releases there are; one where that cannot be read, since it is refused elsewhere."""
    try:
        return max(float(releases or 1), 1.0)
    except (TypeError, ValueError):
        return 1.0
