"""Words, pictures and reports; computes nothing.

explain     words: what a result says, for three audiences
plots       pictures, with their alt text and the numbers behind them
catalogue   real deployments, with their risks recomputed
reports     documents made of both

There is no `finding.explain()`: values at the bottom know nothing of words. The three everyday names, explain, plot and
report, are functions. Pictures and reports are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# At once, because the function has the name of its package: loaded later, the package would take its place.
from whit.telling.explain import explain

# Where the other everyday names live.
_HOMES = {"plot": "plots", "report": "reports"}

__all__ = ["explain", "plot", "report"]


def __getattr__(name: str) -> Any:
    """An everyday name, from the part that it lives in."""
    if name in _HOMES:
        return getattr(import_module(f"whit.telling.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'whit.telling' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The everyday names, loaded or not."""
    return sorted(__all__)
