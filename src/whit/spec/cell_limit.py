"""Limits on what is left for a cell, in the words of options and files."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from whit.audit import EVERY_TABLE, EqualGeometric, EqualLaw, EqualPoisson, Prior
from whit.policy.tables import BeliefLeft, CellLimit, ShareLeft, ValuesLeft, WidthLeft
from whit.spec.given import Given

CELL_LIMITS = ("values_left", "interval", "posterior", "prior", "law", "within")
"""The keys of a limit on what is left for a cell."""

_INTERVAL = 'Use a whole number such as 5, or a percentage such as "10 %".'
_LAW = 'Use "every table", "poisson 3" or "geometric 0.5".'
_LAWS = {"poisson": EqualPoisson, "geometric": EqualGeometric}


def cell_limits_of(given: Given) -> tuple[CellLimit, ...]:
    """The limits on what is left for a cell.

    A range of priors is written as for noise: posterior = 0.5, prior = "0.01..0.1".
    """
    given.only(CELL_LIMITS)
    found: list[CellLimit] = []
    with given.placed():
        if "values_left" in given:
            found.append(ValuesLeft(given.whole("values_left")))
        if "interval" in given:
            found.append(_interval(given))
        if "posterior" in given:
            found.append(_belief(given))
        for key in ("prior", "law", "within"):
            if key in given and "posterior" not in given:
                raise given.refuse(key, "goes with a posterior")
    return tuple(found)


def _belief(given: Given) -> BeliefLeft:
    """A limit on a posterior: by a named law, from every prior of a range, and within a factor."""
    within = _fraction(given, "within") if "within" in given else Fraction(1)
    return BeliefLeft(_fraction(given, "posterior"), prior=_law(given), within=within, between=_range(given))


def _range(given: Given) -> tuple[Fraction, Fraction] | None:
    """The ends of the range of priors; one number is both."""
    if "prior" not in given:
        return None
    given.span("prior")  # refuses what is no range
    value = given.values["prior"]
    ends = value.split("..") if isinstance(value, str) else value if isinstance(value, list) else [value]
    low, high = (_fraction(replace(given, values={"prior": end}), "prior") for end in (ends[0], ends[-1]))
    return low, high


def _law(given: Given) -> Prior | EqualLaw:
    """What readers believed of the cells beforehand."""
    words = given.words("law").lower()
    if words in ("", "every table"):
        return EVERY_TABLE
    found = re.fullmatch(r"(poisson|geometric) (\d+(?:\.\d+)?)", words, flags=re.ASCII)
    if not found:
        raise given.invalid("law", "must be a law of the cells", _LAW)
    with given.placed(mean="law", ratio="law"):
        return _LAWS[found[1]](Fraction(Decimal(found[2])))


def _interval(given: Given) -> CellLimit:
    value = given.values["interval"]
    if isinstance(value, str) and re.fullmatch(r"\s*\d+(\.\d+)?\s*%\s*", value, flags=re.ASCII):
        return ShareLeft(Fraction(Decimal(value.rstrip()[:-1].strip())))
    if not isinstance(value, str) or re.fullmatch(r"\s*\d+\s*", value, flags=re.ASCII):
        return WidthLeft(given.whole("interval"))
    raise given.invalid("interval", "must be a width or a percentage", _INTERVAL)


def _fraction(given: Given, key: str) -> Fraction:
    given.number(key)  # refuses what is no number, or no probability
    text = str(given.values[key]).strip()
    return Fraction(Decimal(text[:-1].strip())) / 100 if text.endswith("%") else Fraction(Decimal(text))
