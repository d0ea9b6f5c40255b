"""One row of a table as a query, and back; whatever is wrong is named by its row and column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from whit.errors import Incompatible, InvalidInput, WhitError
from whit.mechanisms import DiscreteGaussian
from whit.plans.amounts import AMOUNTS, LAWS, Amount, Law
from whit.plans.checks import known_name
from whit.plans.exact import fraction, shown
from whit.plans.query import Cells, Kind, Share

COLUMNS = (
    "name",
    "attributes",
    "level",
    "counts",
    "mechanism",
    "budget",
    "share",
    *AMOUNTS,
    "add_remove",
    "replace",
    "change",
)
"""The columns of a table of queries; those left empty have their usual values."""

_PARAMETER = "Give budget and share, or one of rho, mu, sigma and epsilon."


@contextmanager
def named(place: str, path: str = "") -> Iterator[None]:
    """Put the place, such as "row 3 (age)", before the name of what is wrong; the name is that of the column.

    The path, such as "query.2", leads to the row in the tables of a file: an error then knows its parameter by it.
    """
    try:
        yield
    except (InvalidInput, Incompatible) as wrong:
        parameter = f"{path}.{wrong.parameter}" if wrong.parameter else path
        raise type(wrong)(
            f"{place}, column {wrong.name}", wrong.rule, wrong.value, wrong.way_out, parameter=parameter.lstrip(".")
        ) from wrong


def require_columns(given: Mapping[str, object], known: tuple[str, ...], needed: tuple[str, ...]) -> None:
    """Refuse columns that nobody knows, and the lack of one that is needed."""
    for column in given:
        if column not in known:
            wrong: WhitError = known_name("a column", str(column), known)
            raise InvalidInput(str(column), "is not known", str(column), wrong.way_out)
    for column in needed:
        if given.get(column) in (None, ""):
            raise InvalidInput(column, "must be given", "nothing", f"State {column} there.")


def kind_of(given: Mapping[str, object]) -> Kind:
    """The kind of a query whose columns hold this; the columns attributes and level are already there."""
    return Kind(
        attributes=given.get("attributes", ()),  # type: ignore[arg-type]
        level=given.get("level"),  # type: ignore[arg-type]
        parameter=_parameter(given),
        law=_law(given.get("mechanism", DiscreteGaussian.parameter.word)),
        cells=_cells(given),
        counts=given.get("counts", ""),  # type: ignore[arg-type]
    )


def columns_of(kind: Kind) -> dict[str, object]:
    """What the columns of a query of this kind hold, but for its name."""
    cells = kind.cells
    found: dict[str, object] = {"attributes": list(kind.attributes), "level": kind.level}
    found |= {} if kind.counts == "" else {"counts": kind.counts}
    found |= {} if kind.law is DiscreteGaussian else {"mechanism": kind.law.parameter.option}
    if isinstance(kind.parameter, Share):
        found |= {"budget": kind.parameter.budget, "share": shown(kind.parameter.share)}
    else:
        found |= {kind.parameter.word: shown(kind.parameter.value)}
    usual = Cells()
    found |= {} if cells.add_remove == usual.add_remove else {"add_remove": cells.add_remove}
    found |= {} if cells.replace == usual.replace else {"replace": cells.replace}
    return found | ({} if cells.change == usual.change else {"change": shown(cells.change)})


def amount_of(given: Mapping[str, object]) -> Amount:
    """The one amount among rho, mu, sigma and epsilon."""
    words = [word for word in AMOUNTS if word in given]
    if len(words) != 1:
        raise InvalidInput("parameter", "must be given once", ", ".join(words) or "nothing", _PARAMETER)
    return AMOUNTS[words[0]](given[words[0]])


def _parameter(given: Mapping[str, object]) -> Amount | Share:
    shared, own = "share" in given or "budget" in given, any(word in given for word in AMOUNTS)
    if shared and own:
        raise InvalidInput("parameter", "must be given once", "a share and an amount", _PARAMETER)
    if not shared:
        return amount_of(given)
    for column in ("budget", "share"):
        if column not in given:
            raise InvalidInput(column, "must be given", "nothing", _PARAMETER)
    return Share(str(given["budget"]), given["share"])


def _law(name: object) -> Law:
    word = name.strip().lower().replace("-", "_") if isinstance(name, str) else ""
    if word not in LAWS:
        listed = ", ".join(law.parameter.option for law in LAWS.values())
        raise InvalidInput("mechanism", "must be a law of noise", name, f"Use one of {listed}.")
    return LAWS[word]


def _cells(given: Mapping[str, object]) -> Cells:
    usual = Cells()
    return Cells(
        add_remove=_whole("add_remove", given.get("add_remove", usual.add_remove)),
        replace=_whole("replace", given.get("replace", usual.replace)),
        change=fraction("change", given.get("change", usual.change), "Use a number such as 1."),
    )


def _whole(column: str, value: object) -> int:
    way_out = "Use a whole number of cells, such as 2."
    number = fraction(column, value, way_out)
    if number.denominator != 1:
        raise InvalidInput(column, "must be a whole number", shown(number), way_out)
    return int(number)
