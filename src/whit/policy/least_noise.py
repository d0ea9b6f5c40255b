"""The search for the parameter with the least noise: along the margin to a criterion, checked forwards."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np

from whit.curves import Promise
from whit.numerics import furthest, guided, round_down
from whit.policy.criteria import Criterion, EveryCriterion
from whit.policy.families import Family, NoiseFamily, PromiseFamily
from whit.policy.planned import Estimated, Planned

FAINT = 1e-12
"""A chance below this is lost in the rounding of an estimate."""

_TRIES = 30
_FEW_DIGITS = (5, 8, 11, 14)


def least_noise(
    family: Family, criterion: Criterion, spent: tuple[Promise, ...], precision: float = 0.0
) -> float | None:
    """The parameter that tells most: without limit only where that is proved, None where there is none.

    Where more noise is not always safer, it is a number with few digits, so that it can be used as it is shown.
    """

    def planned(value: float) -> Planned:
        return Planned(family, value, spent)

    start = family.first(criterion.loss, sure=criterion.always)
    one = min(max(start if family.rising else 1 / start, 1e-300), 1e300)
    unheard = isinstance(family, NoiseFamily) and family.ignores_people
    if criterion.void or (unheard and criterion.fits(planned(one))):
        return unlimited(family)
    if family.may_need_none and criterion.fits(planned(0.0)):
        return unlimited(family)  # whoever is seldom drawn may need no noise at all
    if criterion.always and not family.bounded and criterion.margin(planned(one)) < 0.0:
        return None
    promises_nothing = isinstance(family, PromiseFamily)
    if promises_nothing and not criterion.fits(planned(0.0)):
        return None
    search = _by_estimate if _has_estimate(family, criterion, spent, one) else _by_margin
    with np.errstate(all="ignore"):  # a search looks far beyond what is of use
        found = _by_parts(family, criterion, spent, start, precision) if precision else None
        found = search(family, criterion, spent, start) if found is None else found
        if found is not None and not family.steady:
            return _short(planned(found), criterion)
    return 0.0 if found is None and promises_nothing else found


def _short(best: Planned, criterion: Criterion) -> float:
    """A number with few digits next to the best one that is seen to meet the requirement, where not all larger ones do.

    The next one below is tried first: where the losses do not fall steadily, it may do as well.
    """
    exact = Decimal(repr(best.value))
    found = (next_kept(best, criterion, round_down(exact, digits), digits) for digits in _FEW_DIGITS)
    return float(next((each for each in found if each is not None), best.value))


def next_kept(planned: Planned, criterion: Criterion, first: Decimal, digits: int) -> Decimal | None:
    """The first decimal of so many digits, from one on, with which releases are seen to meet the requirement."""
    step = Decimal(1).scaleb(first.adjusted() - digits + 1)
    tried = (first + k * step for k in range(_TRIES))
    return next((each for each in tried if criterion.fits(replace(planned, value=float(each)))), None)


def _has_estimate(family: Family, criterion: Criterion, spent: tuple[Promise, ...], value: float) -> bool:
    """Whether an estimate of the releases tells what the criterion turns on."""
    clear = not criterion.always and criterion.faintest >= FAINT
    return clear and Estimated(family, value, spent).exists


def _by_estimate(family: Family, criterion: Criterion, spent: tuple[Promise, ...], start: float) -> float | None:
    """The parameter next to the best one: found by estimates, and checked."""

    def guide(value: float) -> float:
        return criterion.margin(Estimated(family, value, spent))

    def check(value: float) -> bool:
        return criterion.fits(Planned(family, value, spent))

    if not spent:
        return guided(guide, check, rising=family.rising, start=start, reach=family.reach)
    # An estimate of several kinds is off by a percent or so, by nearly the same next to the place that it leads to.
    near = guided(guide, lambda _: True, rising=family.rising, start=start, reach=family.reach)
    if near is None:
        return _by_margin(family, criterion, spent, start)
    off = criterion.margin(Planned(family, near, spent)) - guide(near)
    begin = near if family.rising else 1 / near
    return guided(lambda value: guide(value) + off, check, rising=family.rising, start=begin, reach=family.reach)


def _by_parts(
    family: Family, criterion: Criterion, spent: tuple[Promise, ...], start: float, precision: float
) -> float | None:
    """A parameter that is worse than the best one by about a share of itself; None where this leads to none.

    One thing that is asked after another: the margin of each is smooth, and the least of several has a bend. What is
    kept where the search stands needs none of its own.
    """
    found: float | None = None
    every = criterion.parts if isinstance(criterion, EveryCriterion) else (criterion,)
    for part in (each for each in every if not each.void):

        def fits(value: float, part: Criterion = part) -> bool:
            return part.fits(Planned(family, value, spent))

        def margin(value: float, part: Criterion = part) -> float:
            return part.margin(Planned(family, value, spent))

        if found is None or not fits(found):
            begin = start if found is None else found if family.rising else 1 / found
            found = guided(margin, fits, rising=family.rising, start=begin, near=precision, reach=family.reach)
        if found is None:
            return None
    return found if found is not None and criterion.fits(Planned(family, found, spent)) else None


def _by_margin(family: Family, criterion: Criterion, spent: tuple[Promise, ...], start: float) -> float | None:
    """The best parameter."""
    one = min(max(start if family.rising else 1 / start, 1e-300), 1e300)
    return furthest(
        lambda value: criterion.margin(Planned(family, value, spent)),
        lambda value: criterion.fits(Planned(family, value, spent)),
        rising=family.rising,
        start=start,
        precision=criterion.precision(Planned(family, one, spent)),
        reach=family.reach,
    )


def unlimited(family: Family) -> float:
    """The number that stands for a parameter without limit."""
    return math.inf if family.rising else 0.0
