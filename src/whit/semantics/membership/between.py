"""A number held between two bounds at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whit.errors import require
from whit.theory import Direction, Finding, range_predicate, sentence


@dataclass(frozen=True, repr=False)
class Between:
    """Two findings about one quantity that hold together, but for the one probability of failure in their basis.

    Unlike an interval it has no middle: where between the bounds the number lies is left to the noise. As a float it is
    its upper bound, because larger is worse.

    >>> from whit.guarantees import PureDP
    >>> from whit.semantics.membership import posterior
    >>> print(posterior(PureDP(0.1), 0.5, sides=2))
    posterior probability is between 47.5 % and 52.5 %
    """

    lower: Finding
    upper: Finding

    def __post_init__(self) -> None:
        """Refuse two findings that do not belong together."""
        sides = (self.lower.direction, self.upper.direction)
        proved, estimated = (Direction.AT_LEAST, Direction.AT_MOST), (Direction.ABOUT, Direction.ABOUT)
        heads = [(each.quantity, each.inputs, each.basis, np.shape(each.value)) for each in (self.lower, self.upper)]
        require(
            sides in (proved, estimated) and heads[0] == heads[1],
            name="what lies between two findings",
            rule="must be at least one number and at most another, with one quantity, inputs, basis and shape",
            value=f"{self.lower}, {self.upper}",
            way_out="Ask a function of whit.semantics.membership for both sides.",
        )

    @property
    def worst(self) -> Finding:
        """The largest that is possible: the upper bound, or the estimate that stands for it."""
        return self.upper

    def __float__(self) -> float:
        """The upper bound."""
        return float(self.upper)

    def __str__(self) -> str:
        """The sentence; of many numbers that about the largest upper bound."""
        lower, upper = np.ravel(self.lower.value), np.ravel(self.upper.value)
        worst = int(np.argmax(upper))
        notes = () if isinstance(self.upper.value, float) else (f"the largest of {upper.size} values",)
        unit = self.upper.quantity.unit
        said = range_predicate(float(lower[worst]), float(upper[worst]), unit, notes)
        return sentence(self.upper.quantity.name, said)

    def __repr__(self) -> str:
        """The sentence, marked as what it is."""
        return f"<Between: {self}>"
