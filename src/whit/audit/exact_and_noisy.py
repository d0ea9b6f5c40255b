"""An exact and a noisy release together: what the noise can still move, for somebody who has read the exact one.

The bound of the noise is about one record more or less. The tables that an exact release leaves may differ in several
records: with a published total, one person who answers yes means another who does not. So losses add up, as many as
there are records between two tables that are left. From the prior before the exact release no bound of the noise holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from whit.audit.classes import ODDS_FACTOR, POSTERIOR, most_within
from whit.audit.equal_law import counted_cells
from whit.audit.publication import cell_text
from whit.audit.remaining import Left
from whit.errors import NotImplied, require
from whit.theory import Direction, Finding
from whit.worlds import Number, finding, probability

KEY = "noise-within-what-is-left"

LARGEST = 700.0
"""A larger privacy loss is taken for endless: e to its power is more than a double holds."""


@dataclass(frozen=True, eq=False)
class ExactAndNoisy:
    """A noisy release beside an exact one, about the same records; each record counts once in one cell.

    found     what the exact release leaves
    epsilon   of the noisy release, for one record added or removed

    >>> from whit.audit import Equation, Publication, left
    >>> both = left(Publication({}, [Equation("total", {"first": 1, "second": 1}, 1)]))
    >>> print(ExactAndNoisy(both, math.log(2)).odds_factor())
    odds factor is at most 4.01
    """

    found: Left
    epsilon: float

    def __post_init__(self) -> None:
        fits = self.epsilon >= 0  # nan is not
        require(fits, name="epsilon", rule="must be 0 or more", value=self.epsilon, way_out="Use a number such as 1.")

    @cached_property
    def records(self) -> int:
        """In how many records two tables that are left can differ, at most: by the widths of the cells, added up."""
        return sum(map(self._width, counted_cells(self.found.publication)))

    def _width(self, cell: str | tuple[str, ...]) -> int:
        low, high = self.found.interval(cell).limits
        if low is None or high is None:
            rule = f"must be bounded for the losses of noise to add up ({KEY})"
            way_out = "Publish a total, or state what is known of the largest value."
            raise NotImplied(f"what is left of {cell_text(cell)}", rule, "no end", way_out)
        return high - low

    def odds_factor(self) -> Finding:
        """The largest factor by which the noisy release multiplies the odds of any fact, after the exact one."""
        factor = self._factor()
        value = math.inf if factor is None else factor
        return finding(ODDS_FACTOR, value, Direction.AT_MOST, self._inputs(), KEY)

    def posterior(self, base: Number) -> Finding:
        """The largest posterior after both, from the posterior after the exact release alone.

        base   the posterior after the exact release, by whatever prior
        """
        after, factor = probability("base", base, "Use a probability such as 1/2."), self._factor()
        value = Fraction(after > 0) if factor is None else most_within(after, factor)
        return finding(POSTERIOR, value, Direction.AT_MOST, {**self._inputs(), "base": base}, KEY)

    def _factor(self) -> Fraction | None:
        """At least e to the power of all losses; None where it is more than a double holds."""
        if not self.records or not self.epsilon:
            return Fraction(1)
        loss = math.nextafter(self.epsilon * self.records, math.inf)
        return None if loss > LARGEST else Fraction(math.exp(loss)) * (1 + Fraction(1, 2**50))

    def _inputs(self) -> dict[str, object]:
        return {"records": self.records, "epsilon": self.epsilon}
