"""A budget: an amount, how it is divided among levels, and what is left of it unspent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from whit.errors import InvalidInput, require
from whit.plans.amounts import Amount
from whit.plans.exact import share, shown
from whit.plans.query import require_words
from whit.theory import Frozen

ALL = "all"
"""The word for the whole of a budget that is not divided among levels."""

_AMOUNT = "Use Rho('2.56'), Mu('1'), Sigma('10') or Epsilon('1')."


@dataclass(frozen=True)
class Budget:
    """An amount that is divided among levels, and at each level among queries.

    Attributes:
        name: the name by which queries refer to it.
        amount: the whole of it.
        levels: the share of each level; empty if the shares of queries are shares of the whole.
        left: what is left unspent, as a share of what each level has ("all" if it is not divided).
    """

    name: str
    amount: Amount
    levels: Mapping[str, Fraction] = field(default_factory=dict)
    left: Mapping[str, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_words("the name of a budget", self.name)
        known = isinstance(self.amount, Amount)
        name = f"the amount of budget {self.name}"
        require(known, name=name, rule="must be an amount", value=self.amount, way_out=_AMOUNT)
        for part in ("levels", "left"):
            object.__setattr__(self, part, self._shares(part, getattr(self, part)))
        total = sum(self.levels.values(), Fraction(0))
        if self.levels and total != 1:
            rule = "must have shares that add up to 1"
            way_out = "Correct one of them; fractions such as '447/4099' are kept exact."
            raise InvalidInput(f"budget {self.name}, column levels", rule, shown(total), way_out)
        for pot in self.left:
            if pot not in self.pots:
                way_out = f"Use one of {', '.join(self.pots)}."
                raise InvalidInput(f"budget {self.name}, column left", "must name a part of it", pot, way_out)

    @property
    def pots(self) -> Mapping[str, Fraction]:
        """The parts that queries share in, as shares of the whole: one for each level, or one for all."""
        return self.levels or {ALL: Fraction(1)}

    def pot(self, level: str) -> str:
        """The name of the part that a query at this level has a share of."""
        return level if self.levels else ALL

    def __hash__(self) -> int:
        return hash((self.name, self.amount))

    def _shares(self, part: str, given: object) -> Mapping[str, Fraction]:
        way_out = "Give a share for each level, such as {'State': '1/2', 'County': '1/2'}."
        name = f"budget {self.name}, column {part}"
        if not isinstance(given, Mapping):
            raise InvalidInput(name, "must give a share for each level", given, way_out)
        for level in given:
            require_words(name, level)
        return Frozen({level: share(f"{name}, {level}", value, way_out) for level, value in given.items()})
