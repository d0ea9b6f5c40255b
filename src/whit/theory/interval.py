"""A number known between two others: a lower bound, an estimate and an upper bound from one computation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput
from whit.theory.archive import basis_in, common_out, from_text, inputs_in, number_in, number_out, quantity_in, to_text
from whit.theory.basis import Basis
from whit.theory.direction import Direction
from whit.theory.display import range_predicate, sentence
from whit.theory.echo import Inputs, Tree
from whit.theory.finding import Finding, NoArithmetic
from whit.theory.quantity import Quantity


@dataclass(frozen=True, repr=False)
class Interval(NoArithmetic):
    """Three findings about one quantity, with the same inputs and basis, in order everywhere.

    As a float an interval is its upper bound, because larger is worse. It has three values, `.lower.value`,
    `.mid.value` and `.upper.value`, and so no `.value` of its own. Where an answer may be a finding or an interval, as
    that of a promise and that of a mechanism are, `float(answer)` and `answer.worst.value` take either.

    >>> from whit.theory import Unit
    >>> power = Quantity("power", Unit.PROBABILITY)
    >>> print(Interval.of(power, 0.251, 0.252, 0.253, {"level": 0.05}, Basis.of("neyman-pearson")))
    power is between 25.1 % and 25.3 %
    """

    lower: Finding
    mid: Finding
    upper: Finding

    def __post_init__(self) -> None:
        way_out = "Use Interval.of, which makes the three."
        directions = tuple(part.direction for part in self._parts())
        if directions != (Direction.AT_LEAST, Direction.ABOUT, Direction.AT_MOST):
            rule = "must be made of findings that say at least, about and at most, in this order"
            raise InvalidInput("an interval", rule, ", ".join(found.value for found in directions), way_out)
        heads = [(part.quantity, part.inputs, part.basis, np.shape(part.value)) for part in self._parts()]
        if not heads[0] == heads[1] == heads[2]:
            rule = "must be made of findings with the same quantity, inputs, basis and shape"
            raise InvalidInput("an interval", rule, ", ".join(map(str, self._parts())), way_out)
        if not np.all((self.lower.value <= self.mid.value) & (self.mid.value <= self.upper.value)):
            rule = "must have its lower bound at or below its estimate, and that at or below its upper bound"
            found = ", ".join(str(part.value) for part in self._parts())
            raise InvalidInput(self.quantity.name, rule, found, "Widen the bounds by the error that made them cross.")

    @classmethod
    def of(
        cls,
        quantity: Quantity,
        lower: ArrayLike,
        mid: ArrayLike,
        upper: ArrayLike,
        inputs: Mapping[str, Tree],
        basis: Basis,
    ) -> Interval:
        """The interval of these numbers, which are brought to one shape."""
        values = np.broadcast_arrays(*(np.asarray(end, dtype=np.float64) for end in (lower, mid, upper)))
        sides = zip(values, (Direction.AT_LEAST, Direction.ABOUT, Direction.AT_MOST), strict=True)
        echoed = Inputs(inputs)
        return cls(*(Finding(quantity, value, side, echoed, basis) for value, side in sides))

    @property
    def quantity(self) -> Quantity:
        """What is measured."""
        return self.upper.quantity

    @property
    def inputs(self) -> Mapping[str, Tree]:
        """What the numbers came from."""
        return self.upper.inputs

    @property
    def basis(self) -> Basis:
        """What the numbers rest on."""
        return self.upper.basis

    @property
    def worst(self) -> Finding:
        """The largest that is possible: the upper bound."""
        return self.upper

    def __float__(self) -> float:
        return float(self.upper)

    def __str__(self) -> str:
        lower, upper = np.ravel(self.lower.value), np.ravel(self.upper.value)
        worst = int(np.argmax(upper))
        notes = () if isinstance(self.upper.value, float) else (f"the largest of {upper.size} values",)
        said = range_predicate(float(lower[worst]), float(upper[worst]), self.quantity.unit, notes)
        return sentence(self.quantity.name, said)

    def __repr__(self) -> str:
        return f"<Interval: {self}>"

    def to_json(self) -> str:
        """The interval as JSON text, with the version of whit; from_json reads it back to an equal interval."""
        ends = {"lower": self.lower.value, "mid": self.mid.value, "upper": self.upper.value}
        numbers = {name: number_out(value) for name, value in ends.items()}
        return to_text("interval", {**numbers, **common_out(self.quantity, self.inputs, self.basis)})

    @classmethod
    def from_json(cls, text: str) -> Interval:
        """The interval that to_json wrote."""
        return from_text("interval", text, _built)

    def _parts(self) -> tuple[Finding, Finding, Finding]:
        """Lower, mid and upper."""
        return self.lower, self.mid, self.upper


def _built(content: Mapping[str, Any]) -> Interval:
    """The interval of an object that was read from JSON."""
    lower, mid, upper = (number_in(content[name]) for name in ("lower", "mid", "upper"))
    return Interval.of(quantity_in(content), lower, mid, upper, inputs_in(content), basis_in(content))
