"""Which two datasets a promise compares."""

from __future__ import annotations

from enum import Enum

from whit.errors import require

_WAY_OUT = "Use Neighbours.ADD_REMOVE, Neighbours.REPLACE or Neighbours.LOCAL."


class Neighbours(Enum):
    """The pairs of datasets between which a release must not tell; the value is a sentence that says which.

    >>> print(Neighbours.REPLACE.value)
    Two datasets are neighbours if one is the other with one record replaced by any other record.
    """

    ADD_REMOVE = "Two datasets are neighbours if one is the other with one record added or removed."
    REPLACE = "Two datasets are neighbours if one is the other with one record replaced by any other record."
    LOCAL = "Each person sends a single record, already noisy, and any two records that they might send are neighbours."

    @classmethod
    def checked(cls, relation: object, *, way_out: str = _WAY_OUT) -> Neighbours:
        """The relation, if it is one; else an error that says which there are.

        >>> Neighbours.checked("replace")
        Traceback (most recent call last):
        whit.errors.InvalidInput: neighbours must be one of Neighbours; got replace. Use Neighbours.ADD_REMOVE,
        Neighbours.REPLACE or Neighbours.LOCAL.
        """
        known = isinstance(relation, cls)
        require(known, name="neighbours", rule="must be one of Neighbours", value=relation, way_out=way_out)
        assert isinstance(relation, cls)
        return relation

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Neighbours.{self.name}"
