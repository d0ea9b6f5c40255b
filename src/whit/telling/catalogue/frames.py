"""The catalogue as the rows of a table: what each source states, and what an adversary may learn."""

from __future__ import annotations

from typing import Any

from whit.display import Row, frame, steps
from whit.telling.catalogue.deployment import Deployment, deployments, risks


def to_rows() -> list[Row]:
    """A row for each release whose parameters are public.

    Rows of different units of privacy cannot be compared by their numbers.
    """
    known = deployments()
    stated = dict.fromkeys(name for each in known for name, _ in each.parameters)
    return [_row(each, dict(stated)) for each in steps(known, "release", len(known))]


def to_frame(library: str = "pandas") -> Any:
    """The rows as a data frame of "pandas" or "polars", or as an Arrow table of "pyarrow"."""
    return frame(to_rows(), library)


def _row(deployment: Deployment, stated: dict[str, None]) -> Row:
    found = risks(deployment)
    return {
        "key": deployment.key,
        "curator": deployment.curator,
        "product": deployment.product,
        "year": deployment.year,
        "stated": deployment.stated,
        **stated,
        **{name: float(value) for name, value in deployment.parameters},
        "neighbours": deployment.neighbours.name,
        "model": deployment.model.name,
        "unit": deployment.unit.name,
        "period": deployment.unit.period,
        "posterior from 50 %, at most": float(found.posterior.upper_bound()),
        "power at level 5 %, at most": float(found.power.upper_bound()),
        "source": deployment.source,
        "link": deployment.link,
        "note": deployment.note,
    }
