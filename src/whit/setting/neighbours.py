"""Which two datasets a promise compares."""

from __future__ import annotations

from enum import Enum


class Neighbours(Enum):
    """The pairs of datasets between which a release must not tell; the value is a sentence that says which.

    >>> print(Neighbours.REPLACE.value)
    Two datasets are neighbours if one is the other with one record replaced by any other record.
    """

    ADD_REMOVE = "Two datasets are neighbours if one is the other with one record added or removed."
    REPLACE = "Two datasets are neighbours if one is the other with one record replaced by any other record."
    LOCAL = "Each person sends a single record, already noisy, and any two records that they might send are neighbours."

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Neighbours.{self.name}"
