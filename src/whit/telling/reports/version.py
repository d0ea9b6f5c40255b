"""The version of whit, for the page."""

from __future__ import annotations

import sys


def version() -> str:
    """The version of the loaded package, read from where it is loaded: importing it from here would be a cycle."""
    found: str = sys.modules[__name__.partition(".")[0]].__version__
    return found
