"""Numbers as people write them: decimals, percentages, ranges and counts; none becomes 0 or infinite unnoticed."""

from __future__ import annotations

import math
import sys
from decimal import Decimal, InvalidOperation

from whit.errors import InvalidInput

_BELIEFS = ("prior", "inclusion", "value", "posterior", "difference", "change", "predictive_value", "absolute")
_CHANCES = ("power", "level", "advantage", "failure", "delta", "at_delta", "total_delta", "sampling_rate")
PROBABILITIES = frozenset((*_BELIEFS, *_CHANCES))
"""What may also be written in percent."""

MOST = 2**53
"""The largest count: from here on a double no longer tells one from the next."""

_NUMBER = "Use a number such as 0.5 or 1e-6."
_COUNT = "Use a number such as 12."
_SMALL = "Use 0, or a number from 1e-300 on."
_RANGE = "Use 0.1, 0.1..0.6 or [0.1, 0.6], in rising order."


def number(name: str, key: str, value: object) -> float:
    """One number; what is none, what a double cannot hold, and a percentage without its sign are refused.

    >>> number("--posterior", "posterior", "30 %")
    0.3
    """
    exact = _exact(name, key, value)
    found = float(exact)
    if abs(exact) > 0 and abs(found) < sys.float_info.min:
        rule = "must be 0, or large enough that a double holds its digits"
        raise InvalidInput(name, rule, written(value), _SMALL, parameter=key)
    if math.isinf(found):
        raise InvalidInput(name, "must be a number that a double holds", written(value), _NUMBER, parameter=key)
    if key in PROBABILITIES:
        _require_probable(name, key, found)
    return found


def whole(name: str, key: str, value: object, *, least: int = 1, most: int = MOST) -> int:
    """One whole number between two others."""
    exact = _exact(name, key, value)
    if least <= exact <= most and exact == exact.to_integral_value():
        return int(exact)
    rule = f"must be a whole number from {least} to {most}" if most < MOST else "must be a whole number of at least 1"
    raise InvalidInput(name, rule, written(value), _COUNT if most == MOST else f"Use {least}.", parameter=key)


def span(name: str, key: str, value: object) -> tuple[float, float]:
    """Two numbers in order, written as 0.1..0.6 or as a list; one number is both ends.

    >>> span("--inclusion", "inclusion", "10%..60%")
    (0.1, 0.6)
    """
    ends = value.split("..") if isinstance(value, str) else value if isinstance(value, list) else [value]
    if len(ends) not in (1, 2):
        raise InvalidInput(name, "must be a number or a range", written(value), _RANGE, parameter=key)
    low, high = number(name, key, ends[0]), number(name, key, ends[-1])
    if low > high:
        raise InvalidInput(name, "must be a range in rising order", written(value), _RANGE, parameter=key)
    return low, high


def written(value: object) -> object:
    """A value as it was written, for a message: numbers of a file keep their digits."""
    if isinstance(value, list):
        return f"[{', '.join(str(written(each)) for each in value)}]"
    return str(value) if isinstance(value, Decimal) else value


def _exact(name: str, key: str, value: object) -> Decimal:
    """The number without rounding; a percent sign moves its point."""
    text, moved = value, 0
    if isinstance(value, str) and value.rstrip().endswith("%") and key in PROBABILITIES:
        text, moved = value.rstrip().removesuffix("%").strip(), -2
    try:
        good = isinstance(text, str | int | float | Decimal) and not isinstance(text, bool)
        exact = Decimal(str(text) if isinstance(text, float) else text).scaleb(moved) if good else Decimal("nan")  # type: ignore[arg-type]
    except (InvalidOperation, ValueError):
        exact = Decimal("nan")
    if not exact.is_finite():
        raise InvalidInput(name, "must be a number", written(value), _NUMBER, parameter=key)
    return exact


def _require_probable(name: str, key: str, found: float) -> None:
    """Refuse what is no probability, a percentage without its sign above all, and a failure that is sure."""
    if not 0.0 <= found <= 1.0:
        share = float(Decimal(repr(found)).scaleb(-2))
        way_out = f"{found:g} % is {share:g}." if 1.0 < found <= 100.0 else "Use a number such as 0.1."
        raise InvalidInput(name, "must be a probability in [0, 1]", f"{found:g}", way_out, parameter=key)
    if key == "failure" and found == 1.0:
        rule = "must be below 1: what may be false for sure says nothing"
        raise InvalidInput(name, rule, "1", "Use a chance such as 0.01; 0 asks for what always holds.", parameter=key)
