"""The releases of the catalogue, from the file beside this module."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from whit.setting import UnitOfPrivacy
from whit.telling.catalogue.deployment import Deployment, Undisclosed, deployment_of

FILE = "deployments.toml"


def deployments() -> tuple[Deployment, ...]:
    """The releases whose parameters are public.

    >>> len(deployments()) > 30
    True
    """
    return _read()[0]


def undisclosed() -> tuple[Undisclosed, ...]:
    """The releases that state no parameters."""
    return _read()[1]


def by_unit() -> dict[UnitOfPrivacy, tuple[Deployment, ...]]:
    """The releases in groups of one unit of privacy, those of people first, each group from the oldest to the newest.

    The order of the groups says nothing, and neither does a comparison across them.

    >>> next(iter(by_unit())).name
    'person'
    """
    units = dict.fromkeys(each.unit for each in deployments())
    return {unit: with_unit(unit) for unit in units}


def with_unit(unit: UnitOfPrivacy) -> tuple[Deployment, ...]:
    """The releases whose promise has this unit of privacy, from the oldest to the newest; there may be none."""
    same = [each for each in deployments() if each.unit == unit]
    return tuple(sorted(same, key=lambda each: (each.year, each.curator, each.product)))


@cache
def _read() -> tuple[tuple[Deployment, ...], tuple[Undisclosed, ...]]:
    text = files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    tables: dict[str, list[dict[str, Any]]] = tomllib.loads(text, parse_float=Decimal)
    known = tuple(deployment_of(row) for row in tables["deployment"])
    return known, tuple(Undisclosed(**row) for row in tables["undisclosed"])
