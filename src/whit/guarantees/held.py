"""Parameters of all releases together, or of a group: no double holds every one of them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from whit.errors import InvalidInput


def require_held_together(parameters: Mapping[str, object], before: Mapping[str, object]) -> None:
    """Refuse what has become infinite and was not before, in place of saying that it was given so."""
    for name, value in parameters.items():
        if isinstance(value, float) and math.isinf(value) and before.get(name) != value:
            way_out = f"Use fewer releases, a smaller group or a smaller {name}."
            raise InvalidInput(f"{name} of all together", "must be a number that a double holds", "more", way_out)
