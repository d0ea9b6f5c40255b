"""Releases that were made in the world: what their sources state, and what an adversary may learn, worked out anew."""

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

from whit.curves import Promise
from whit.display import block, heading, table
from whit.errors import Incompatible, require
from whit.guarantees import Guarantee, kinds
from whit.mechanisms import Gaussian
from whit.numerics import down
from whit.plans import Rho
from whit.semantics.membership import posterior
from whit.semantics.testing import power
from whit.setting import Knowledge, Neighbours, UnitOfPrivacy
from whit.theory import Direction, Finding, Unit, number_text

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
            way_out = "Use epsilon, epsilon and delta, rho, or mu."
            raise Incompatible("the parameters of a deployment", "must be one promise", names, way_out)
        return kind(**{name: float(value) for name, value in self.parameters}, neighbours=self.neighbours)

    @property
    def stated(self) -> str:
        """The parameters as a text.

        >>> from whit.telling.catalogue import deployments
        >>> deployments()[0].stated
        'rho = 2.56'
        """
        texts = {
            name: number_text(float(value), Direction.EXACTLY, Unit.NUMBER, _DIGITS) for name, value in self.parameters
        }
        return ", ".join(f"{name} = {text}" for name, text in texts.items())

    def _repr_html_(self) -> str:
        """What a notebook shows: what the source states."""
        rows = [
            ("stated", self.stated),
            ("year", str(self.year)),
            ("unit of privacy", f"{self.unit.name}, {self.unit.period}"),
            ("neighbours", self.neighbours.name.lower().replace("_", " or ")),
            ("noise", self.model.value),
            ("source", f"{self.source}, {self.link}"),
            ("note", self.note),
        ]
        return block(heading(f"{self.curator}: {self.product}"), table((), [row for row in rows if row[1]]))


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


PRIOR = 0.5
"""The adversary thinks the fact as likely as not."""

LEVEL = 0.05
"""The adversary accepts five false alarms in a hundred."""

FAILURE = 0.01
"""The bound on the posterior may fail for one output in a hundred; that of a pure promise never does."""


@dataclass(frozen=True)
class Risks:
    """The questions that are put to every deployment, each per unit of privacy.

    Attributes:
        posterior: the belief in the truth after the release, from even odds.
        power: the power of the best test with five false alarms in a hundred.
        if_gaussian: the same power with Gaussian noise of the stated rho. The noise of these releases is documented as
            Gaussian, or as discrete Gaussian, to which this is close; it is no bound for other noise of that rho.
            Nothing where the noise is not known.
    """

    posterior: Finding
    power: Finding
    if_gaussian: tuple[Finding, ...]


def risks(deployment: Deployment) -> Risks:
    """The risks of a deployment.

    >>> from whit.telling.catalogue import deployments
    >>> census = risks(deployments()[0])
    >>> print(census.power)
    power of the best test is at most 93.5 %
    >>> print(census.if_gaussian[0])
    power of the best test is 73.2 % (rounded up)
    """
    promise = deployment.promise
    return Risks(
        posterior=belief(promise),
        power=power(promise, LEVEL),
        if_gaussian=() if deployment.noise is Noise.NOT_USED else (power(_gaussian(deployment), LEVEL),),
    )


def belief(promise: Promise, *, neighbours: Neighbours | None = None) -> Finding:
    """The posterior from even odds that the catalogue compares, except with a small probability over the noise.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> print(belief(ZeroConcentratedDP(0.07)))
    posterior probability of the truth is at most 77 %, except with probability 1 %
    """
    return posterior(promise, PRIOR, failure=FAILURE, neighbours=neighbours, knows=Knowledge.ANY_BELIEF)


def _gaussian(deployment: Deployment) -> Gaussian:
    """One count with Gaussian noise of the stated rho; its deviation is rounded down, which is the safe side."""
    variance = Rho(dict(deployment.parameters)["rho"]).spread(1, 1, 1)  # type: ignore[arg-type]
    return Gaussian(float(down(float(variance) ** 0.5, 4)))
