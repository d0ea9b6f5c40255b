"""What an answer costs, in seconds and roughly, from what is asked alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whit import guarantees, mechanisms

CLOSED = 0.1
"""Seconds of questions put to a promise that has formulas for them."""

SEARCHED = 1.0
"""Seconds of questions put to any other one."""

PLAN, PAPER, SEARCH = 4.0, 12.0, 5.0
"""Seconds of a plan and of a paper; how many times the questions a search for a parameter puts."""


def cost_of(command: str, values: Mapping[str, Any]) -> float:
    """About how many seconds a command takes.

    >>> cost_of("assess", {"epsilon": 1}) < cost_of("recommend", {"for": "laplace", "releases": 10})
    True
    """
    if command == "papers":
        named = values.get("papers") or range(5)
        return PAPER * (len(named) if isinstance(named, list | tuple | range) else 1)
    if command == "plan":
        return PLAN
    promises = [values, *_listed(values.get("promise"))]
    once = sum(map(_promise, promises))
    times = {"recommend": SEARCH, "compose": 2.0 + len(promises)}.get(command, 1.0)
    if command == "check" and values.get("remedy"):
        times += SEARCH * len(_listed(values.get("limit"), values.get("profile")))
    return once * times


def _listed(*several: Any) -> list[Any]:
    return [each for some in several if some for each in (some if isinstance(some, list | tuple) else [some])]


def _promise(stated: Any) -> float:
    """The cost of one promise: cheap where a guarantee or Gaussian noise is all that it is made of."""
    words = (
        set(stated)
        if isinstance(stated, Mapping)
        else {part.partition("=")[0].strip() for part in str(stated).split(",")}
    )
    plain = {word.replace("-", "_") for word in words if isinstance(word, str)}
    closed = {kind.parameter.word for kind in guarantees.kinds()} | {"gaussian", "for", "profile", "limit"}
    around = plain & set(mechanisms.AROUND)
    return CLOSED if plain & closed and not around else SEARCHED
