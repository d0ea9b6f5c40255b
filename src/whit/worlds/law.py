"""How probable each value of a posterior, a ratio or a distance is, over the outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from whit.errors import NotImplied
from whit.theory import Direction, Finding, Quantity, Unit
from whit.worlds.rational import Exactly, rational, told

_THRESHOLD = "Use a number such as 0.5."


@dataclass(frozen=True)
class Law:
    """The values that a quantity takes over the outcomes, in rising order, with their probabilities.

    quantity    what it is that varies
    values      the values, each once
    chances     their probabilities
    undefined   the probability of outcomes after which the quantity is not defined
    inputs      what the law came from
    theorem     what it rests on
    """

    quantity: Quantity
    values: tuple[Exactly, ...]
    chances: tuple[Fraction, ...]
    undefined: Fraction
    inputs: Mapping[str, Any]
    theorem: str

    def beyond(self, threshold: float, *, closed: bool = False) -> Finding:
        """The probability that the value exceeds a threshold; reaches it, if closed. Undefined values do not count."""
        verb = "reaches" if closed else "exceeds"
        name = f"probability that the {self.quantity.name} {verb} the threshold"
        return self._told(name, self.chance_beyond(threshold, closed=closed), threshold=threshold)

    def below(self, threshold: float) -> Finding:
        """The probability that the value is less than a threshold. Undefined values do not count."""
        less = 1 - self.undefined - self.chance_beyond(threshold, closed=True)
        return self._told(
            f"probability that the {self.quantity.name} is less than the threshold", less, threshold=threshold
        )

    def chance_beyond(self, threshold: float, *, closed: bool = False) -> Fraction:
        """The probability of `beyond`, as a fraction."""
        limit = rational("threshold", threshold, _THRESHOLD)
        atoms = zip(self.values, self.chances, strict=True)
        over = (chance for value, chance in atoms if value > limit or (closed and value == limit))
        return sum(over, start=Fraction(0))

    def largest(self) -> Finding:
        """The largest value that has a positive probability."""
        if not self.values:
            rule = "has no value: it is not defined after any outcome"
            raise NotImplied(self.quantity.name, rule, "0/0", "Use a belief that does not rule out all the outcomes.")
        return told(self.quantity, self.values[-1], Direction.EXACTLY, self.inputs, self.theorem)

    def shifted(self, quantity: Quantity, shift: Fraction) -> Law:
        """The law of the value plus a number."""
        return replace(self, quantity=quantity, values=tuple(value + shift for value in self.values))

    def _told(self, name: str, chance: Fraction, **inputs: float) -> Finding:
        quantity = Quantity(name, Unit.PROBABILITY)
        return told(quantity, chance, Direction.EXACTLY, {**self.inputs, **inputs}, self.theorem)
