"""Numbers of releases and of units: whole, and not beyond what a double counts one by one."""

from __future__ import annotations

from whit.errors import require
from whit.numerics import count

MOST_COUNTED = 2**53
"""From here on, a double cannot tell a number from the next."""


def counted(name: str, value: object, way_out: str) -> int:
    """A whole number of at least 1 and at most 2^53.

    >>> counted("at_most", 10**400, "Use a number such as 365.")
    Traceback (most recent call last):
    whit.errors.InvalidInput: at_most must be a whole number of at most 2^53; got a larger one. Use a number such as
    365.
    """
    number = count(name, value, way_out)
    rule = "must be a whole number of at most 2^53"
    require(number <= MOST_COUNTED, name=name, rule=rule, value="a larger one", way_out=way_out)
    return number
