"""Which two datasets a promise compares, and whom or what a record stands for."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class UnitOfPrivacy:
    """What one record of the promise covers: all that one person, household or the like contributes in a period.

    The same epsilon for a person on one day and for a person over the whole of the data are different promises.

    >>> print(UnitOfPrivacy("person", period="one day").sentence)
    Protected is all that one person contributes within one day.
    """

    name: str
    period: str = "the whole of the data"

    def __post_init__(self) -> None:
        _require_words("the name of a unit of privacy", self.name, 'Use a noun such as "person" or "household".')
        _require_words("the period of a unit of privacy", self.period, 'Use words such as "one day".')

    @property
    def sentence(self) -> str:
        """What is protected, in words."""
        return f"Protected is all that one {self.name} contributes within {self.period}."


def _require_words(name: str, text: object, way_out: str) -> None:
    """Refuse what is no text, or a text of blanks or with blanks around it."""
    good = isinstance(text, str) and text != "" and text == text.strip()
    require(good, name=name, rule="must be a text without blanks around it", value=repr(text), way_out=way_out)


PERSON = UnitOfPrivacy("person")
"""All that one person contributes to the data."""

HOUSEHOLD = UnitOfPrivacy("household")
"""All that one household contributes to the data."""
