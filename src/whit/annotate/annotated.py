"""What comes back: the table with its new columns, and what its numbers rest on."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Annotated:
    """A table with risk columns.

    Attributes:
        data: the table, in the form in which it was given; of a file, the path of the new one.
        read: the column that each word was read from.
        settings: how many distinct settings were answered.
        basis: what the answers rest on, by the id in the column basis: theorems, failures, and why there is no answer.
        cost: a sentence that says what rounding cost; empty where nothing was rounded.
        rows: how many rows were written; None where they are not counted.
    """

    data: Any
    read: Mapping[str, str]
    settings: int
    basis: Mapping[str, Mapping[str, Any]] = field(repr=False)
    cost: str = ""
    rows: int | None = None


def basis_file(out: str | os.PathLike[str]) -> str:
    """The file beside a new one that says what its numbers rest on.

    >>> basis_file("risks.parquet")
    'risks.parquet.basis.json'
    """
    return f"{os.fspath(out)}.basis.json"


def basis_text(basis: Mapping[str, Mapping[str, Any]]) -> str:
    """The basis of a table as JSON, in an order of its own."""
    return json.dumps(basis, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
