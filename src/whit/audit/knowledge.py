"""What an adversary knows beforehand: the values that cells can have at all, and facts about some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from whit.audit.publication import Cell, Said, Statements, pairs_of, said
from whit.audit.statement import Between, Exact, whole
from whit.errors import require


@dataclass(frozen=True)
class Knowledge:
    """What somebody knows before they read the publication.

    facts   statements about cells: their own value, what they contribute to a cell, zeros that cannot be otherwise
    least   the least value that any cell can have, 0 for counts; None if values may be negative

    All cells hold whole numbers, in the unit of the publication.
    """

    facts: tuple[Said, ...] = ()
    least: int | None = 0

    def __init__(self, facts: Statements = (), *, least: int | None = 0) -> None:
        object.__setattr__(self, "facts", tuple(said(*pair) for pair in pairs_of(facts)))
        object.__setattr__(self, "least", None if least is None else whole("least", least))

    def knowing(self, values: Mapping[Cell, int]) -> Knowledge:
        """The same, and the values of some cells: of a contributor whose own value is a cell, or who is alone in one.

        >>> Knowledge().knowing({"second firm": 20}).facts
        (('second firm', Exact(value=20)),)
        """
        return self.and_facts((cell, Exact(value)) for cell, value in values.items())

    def contributing(self, amounts: Mapping[Cell, int]) -> Knowledge:
        """The same, and an own contribution to some cells, beside which others may contribute 0 or more.

        >>> Knowledge().contributing({"town": 20}).facts
        (('town', Between(low=20, high=None)),)
        """
        tells = self.least is not None and self.least >= 0
        rule = "must be 0 or more if a contribution is to tell something"
        require(tells, name="least", rule=rule, value=self.least, way_out="Use knowing, for values known exactly.")
        return self.and_facts((cell, Between(amount, None)) for cell, amount in amounts.items())

    def with_zeros(self, cells: Iterable[Cell]) -> Knowledge:
        """The same, and that some cells cannot be other than 0, such as the married children.

        >>> Knowledge().with_zeros(["married children"]).facts
        (('married children', Exact(value=0)),)
        """
        return self.knowing(dict.fromkeys(cells, 0))

    def and_facts(self, facts: Iterable[Said]) -> Knowledge:
        """The same, and further facts."""
        return Knowledge((*self.facts, *facts), least=self.least)


OUTSIDER = Knowledge()
"""Somebody who reads the publication, knows that cells are whole and 0 or more, and nothing else."""
