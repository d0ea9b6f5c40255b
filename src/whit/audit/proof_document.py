"""Certificates as plain trees for a JSON file, and back: what somebody else verifies without a solver.

A cell is a list of codes, or one text. Tables that several certificates share are written once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from whit.audit.certificate import (
    Certificate,
    Combination,
    Counted,
    Impossible,
    Possible,
    Proof,
    Remainder,
    Split,
    Unlimited,
    Values,
)
from whit.audit.publication import Cell, cell_text
from whit.audit.statement import Ends, whole
from whit.errors import InvalidInput

LAYOUT = 1
"""The number of the layout; it grows when an older reader would misunderstand a document."""

CONFIDENTIAL = "CONFIDENTIAL: the tables in this file were made from withheld true values and contain most of them."
PUBLISHABLE = "The tables in this file were found from what is published alone."

_WAY_OUT = "Use a file that whit audit --certificates wrote, unchanged."

Claim = tuple[str, Cell, Certificate]
"""Who reads, the cell, and the certificate."""


class Writer:
    """Certificates as they are written, with the tables that they share."""

    def __init__(self) -> None:
        self._tables: list[Mapping[Cell, int]] = []
        self._places: dict[int, int] = {}

    def document(self, claims: Iterable[Claim], *, about: str, confidential: bool) -> dict[str, Any]:
        """The whole file as a tree; the first entry says whether it is confidential."""
        written = [
            {"reader": reader, "cell": cell_tree(cell), **self.tree(certificate)}
            for reader, cell, certificate in claims
        ]
        return {
            "notice": CONFIDENTIAL if confidential else PUBLISHABLE,
            "layout": LAYOUT,
            "about": about,
            "tables": [values_tree(each) for each in self._tables],
            "certificates": written,
        }

    def tree(self, certificate: Certificate) -> dict[str, Any]:
        """One certificate."""
        if isinstance(certificate, Possible):
            return {"possible": self._place(certificate.table), "instead": values_tree(certificate.instead)}
        if isinstance(certificate, Unlimited):
            change = values_tree(certificate.change)
            return {"unlimited": self._place(certificate.table), "upwards": certificate.upwards, "change": change}
        if isinstance(certificate, Impossible):
            ends = {"low": certificate.low, "high": certificate.high}
            return {"impossible": ends, "proof": proof_tree(certificate.proof)}
        return {"counted": certificate.number}

    def _place(self, table: Mapping[Cell, int]) -> int:
        if id(table) not in self._places:
            self._places[id(table)] = len(self._tables)
            self._tables.append(table)
        return self._places[id(table)]


def claims_of(document: object) -> list[Claim]:
    """The claims of a document; one that is not whole is refused with a sentence."""
    tree = _mapping(document, "the file")
    if tree.get("layout") != LAYOUT:
        raise InvalidInput(
            "layout", f"must be {LAYOUT}", tree.get("layout"), "Use a newer whit, or write the file again."
        )
    tables = [values_of(each) for each in _list(tree.get("tables"), "tables")]
    found = []
    for each in _list(tree.get("certificates"), "certificates"):
        said = _mapping(each, "a certificate")
        found.append((str(said.get("reader", "")), cell_of_tree(said.get("cell")), certificate_of(said, tables)))
    return found


def proved(cell: Cell, certificates: Collection[Certificate]) -> tuple[Ends, Ends]:
    """What certificates about one cell prove once they are verified.

    The first pair are the least and the largest value that tables have, the second one the ends that no table exceeds;
    None where there is none. Where both pairs are the same, that is the interval.
    """
    seen: list[int] = []
    low: int | None = None
    high: int | None = None
    for each in certificates:
        if isinstance(each, Possible):
            if cell not in each.table and cell not in each.instead:
                raise InvalidInput("a cell", "must be one of the tables that are proved", cell_text(cell), _WAY_OUT)
            seen.append(each[cell])
        elif isinstance(each, Impossible) and each.cell == cell and each.low is None and each.high is not None:
            low = each.high + 1 if low is None else max(low, each.high + 1)
        elif isinstance(each, Impossible) and each.cell == cell and each.high is None and each.low is not None:
            high = each.low - 1 if high is None else min(high, each.low - 1)
    endless = {each.upwards for each in certificates if isinstance(each, Unlimited) and each.cell == cell}
    least = None if False in endless else min(seen, default=None)
    most = None if True in endless else max(seen, default=None)
    return (least, most), (low, high)


def certificate_of(tree: Mapping[str, Any], tables: list[Values]) -> Certificate:
    """One certificate of a document."""
    if "possible" in tree:
        return Possible(_shared(tables, tree["possible"]), values_of(tree.get("instead", [])))
    if "unlimited" in tree:
        upwards = tree.get("upwards") is True
        return Unlimited(
            cell_of_tree(tree.get("cell")), upwards, _shared(tables, tree["unlimited"]), values_of(tree.get("change"))
        )
    if "impossible" in tree:
        ends = _mapping(tree["impossible"], "the ends")
        low, high = (None if ends.get(key) is None else whole(key, ends[key]) for key in ("low", "high"))
        return Impossible(cell_of_tree(tree.get("cell")), low, high, proof_of(tree.get("proof")))
    if "counted" in tree:
        return Counted(whole("counted", tree["counted"]))
    raise InvalidInput("a certificate", "must be of a known kind", ", ".join(sorted(tree)), _WAY_OUT)


def proof_tree(proof: Proof) -> dict[str, Any]:
    """A proof."""
    if isinstance(proof, Split):
        return {
            "cell": cell_tree(proof.cell),
            "at": proof.at,
            "below": proof_tree(proof.below),
            "above": proof_tree(proof.above),
        }
    times = {name: each for name, each in proof.multipliers.items() if each}
    return {"modulus": proof.modulus, "times": times} if isinstance(proof, Remainder) else {"times": times}


def proof_of(tree: object) -> Proof:
    """A proof of a document."""
    said = _mapping(tree, "a proof")
    if "below" in said and "above" in said:
        at = whole("at", said.get("at"))
        return Split(cell_of_tree(said.get("cell")), at, proof_of(said["below"]), proof_of(said["above"]))
    times = {str(name): whole("a multiplier", each) for name, each in _mapping(said.get("times"), "times").items()}
    return Remainder(whole("modulus", said["modulus"]), times) if "modulus" in said else Combination(times)


def values_tree(values: Mapping[Cell, int]) -> list[list[Any]]:
    """A number for each cell, as pairs."""
    return [[cell_tree(cell), value] for cell, value in values.items()]


def values_of(tree: object) -> Values:
    """A number for each cell, of a document."""
    found: dict[Cell, int] = {}
    for pair in _list(tree, "values"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise InvalidInput("a value", "must be a cell and a number", pair, _WAY_OUT)
        found[cell_of_tree(pair[0])] = whole("a value", pair[1])
    return Values(found)


def cell_tree(cell: Cell) -> str | list[str]:
    """A cell."""
    return cell if isinstance(cell, str) else list(cell)


def cell_of_tree(tree: object) -> Cell:
    """A cell of a document."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, list) and tree and all(isinstance(code, str) for code in tree):
        return tuple(tree)
    raise InvalidInput("a cell", "must be a text or a list of codes", tree, _WAY_OUT)


def _shared(tables: list[Values], place: object) -> Values:
    at = whole("a table", place)
    if not 0 <= at < len(tables):
        raise InvalidInput("a table", f"must be one of {len(tables)}", at, _WAY_OUT)
    return tables[at]


def _mapping(tree: object, name: str) -> Mapping[str, Any]:
    if not isinstance(tree, Mapping):
        raise InvalidInput(name, "must have named entries", type(tree).__name__, _WAY_OUT)
    return tree


def _list(tree: object, name: str) -> list[Any]:
    if not isinstance(tree, list):
        raise InvalidInput(name, "must be a list", type(tree).__name__, _WAY_OUT)
    return tree
