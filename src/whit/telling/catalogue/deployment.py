"""One release that was made in the world: who, what, when, for whom, and what its source states."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any

from whit.errors import Incompatible, require
from whit.guarantees import Guarantee, kinds
from whit.setting import Neighbours, UnitOfPrivacy
from whit.theory import Direction, Unit, number_text

_DIGITS = 15  # as many as a double tells apart: none of a source is lost


class Model(Enum):
    """Where the noise is added; the value is a sentence that says it."""

    CENTRAL = "Somebody who is trusted collects the data as they are and adds the noise."
    LOCAL = "Each device adds noise to what it sends."
    FEDERATED = "Devices compute on their own data, and the noise is added where the results come together."


class Noise(Enum):
    """The law of the noise, as far as the source documents it."""

    GAUSSIAN = "Gaussian"
    DISCRETE_GAUSSIAN = "discrete Gaussian"
    NOT_USED = "not used"


@dataclass(frozen=True)
class Deployment:
    """A release whose parameters are public.

    Attributes:
        key: its name in code.
        curator: who made it.
        product: what was released.
        year: when.
        model: where the noise is added.
        parameters: those that the source states, as it writes them.
        neighbours: the datasets that the promise compares.
        noise: the law of the noise, where it is documented and used here.
        unit: whom or what one record stands for, and over which period.
        source: the publication that states it.
        link: where to find that.
        checked: the date of the state of the sources that this was read from.
        note: what a reader should know beside the numbers.
    """

    key: str
    curator: str
    product: str
    year: int
    model: Model
    parameters: tuple[tuple[str, Decimal], ...]
    neighbours: Neighbours
    noise: Noise
    unit: UnitOfPrivacy
    source: str
    link: str
    checked: date
    note: str

    def __post_init__(self) -> None:
        for name in ("key", "curator", "product", "source", "link"):
            require(bool(getattr(self, name)), name=name, rule="must be a text", value="nothing", way_out="State it.")
        object.__setattr__(self, "parameters", tuple(self.parameters))
        self.promise  # noqa: B018 - a deployment without a promise is not valid

    @property
    def promise(self) -> Guarantee:
        """What is promised, in the parameters of the source."""
        stated = {name for name, _ in self.parameters}
        kind = next((each for each in kinds() if {each.parameter.word, *each.parameter.beside} == stated), None)
        if kind is None:
            names = ", ".join(name for name, _ in self.parameters) or "nothing"
            rule = "must be one promise"
            raise Incompatible(
                "the parameters of a deployment", rule, names, "Use epsilon, epsilon and delta, rho, or mu."
            )
        return kind(**{name: float(value) for name, value in self.parameters}, neighbours=self.neighbours)

    @property
    def stated(self) -> str:
        """The parameters as a text.

        >>> from whit.telling.catalogue import deployments
        >>> deployments()[0].stated
        'rho = 2.56'
        """
        return ", ".join(f"{name} = {_written(value)}" for name, value in self.parameters)


def _written(value: Decimal) -> str:
    """The number in the digits of its source."""
    return number_text(float(value), Direction.EXACTLY, Unit.NUMBER, digits=_DIGITS)


@dataclass(frozen=True)
class Undisclosed:
    """A release that is known to use differential privacy, with no parameter that the public can read."""

    key: str
    curator: str
    product: str
    reason: str


def deployment_of(row: Mapping[str, Any]) -> Deployment:
    """The deployment of a table of the file."""
    model = Model[row["model"].upper()]
    usual = "local" if model is Model.LOCAL else "add_remove"
    period = (row["period"],) if "period" in row else ()
    return Deployment(
        key=row["key"],
        curator=row["curator"],
        product=row["product"],
        year=row["year"],
        model=model,
        parameters=tuple((name, Decimal(value)) for name, value in row["parameters"].items()),
        neighbours=Neighbours[row.get("neighbours", usual).upper()],
        noise=Noise(row.get("noise", Noise.NOT_USED.value)),
        unit=UnitOfPrivacy(row["unit"], *period),
        source=row["source"],
        link=row["link"],
        checked=row["checked"],
        note=row["note"],
    )


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
