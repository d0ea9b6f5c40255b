"""A number that says what it is, on which side of the truth it lies, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.numerics import Bracket, real_array, up
from whit.theory.archive import basis_in, common_out, from_text, inputs_in, number_in, number_out, quantity_in, to_text
from whit.theory.basis import Basis
from whit.theory.direction import Direction
from whit.theory.display import predicate, range_predicate, sentence
from whit.theory.echo import Inputs, Tree
from whit.theory.quantity import Quantity


class NoArithmetic:
    """What takes no part in arithmetic and is not ordered, so that its direction is never lost by accident."""

    # numpy then leaves an operation with an array to the methods below.
    __array_ufunc__ = None

    def _refuse(self, *_: object) -> NoReturn:
        """Explain why there is no arithmetic."""
        raise Incompatible(
            "arithmetic or comparison with a finding",
            "is refused, because it would lose the direction without a word",
            str(self),
            "Write float(x) to take the number alone, and look after its direction yourself.",
        )

    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = _refuse
    __neg__ = __pos__ = __abs__ = __round__ = __int__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse


@dataclass(frozen=True, eq=False, repr=False)
class Finding(NoArithmetic):
    """A quantity, its value, the direction of that value, the inputs it came from and the basis it rests on.

    The value is a float, or a read-only array of them. It is never nan, and never outside of what its unit allows.
    Findings are equal if all five parts are.

    >>> from whit.theory import Unit
    >>> posterior = Quantity("posterior probability", Unit.PROBABILITY)
    >>> print(Finding(posterior, 0.12516, Direction.AT_MOST, {"prior": 0.05}, Basis.of("hockey-stick")))
    posterior probability is at most 12.6 %
    """

    quantity: Quantity
    value: float | NDArray[np.float64]
    direction: Direction
    inputs: Mapping[str, Tree]
    basis: Basis

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _clean(self.quantity, self.value))
        object.__setattr__(self, "inputs", Inputs(self.inputs))
        require(
            isinstance(self.direction, Direction),
            name="the direction of a finding",
            rule="must be a Direction",
            value=self.direction,
            way_out="Use Direction.AT_MOST, AT_LEAST, EXACTLY or ABOUT.",
        )
        require(
            bool(self.basis.theorems),
            name="the basis of a finding",
            rule="must name at least one theorem",
            value=self.basis,
            way_out="Use Basis.of(key) with the theorem that the number follows from.",
        )
        require(
            self.direction is not Direction.EXACTLY or self.basis.truncation == 0.0,
            name="an exact finding",
            rule="must not rest on truncated mass",
            value=self.basis.truncation,
            way_out="Report an upper bound, a lower bound or an interval.",
        )

    @property
    def upper(self) -> Finding:
        """The same as an upper bound; there is none if only a lower bound or an estimate is known."""
        return self._side(Direction.AT_MOST)

    @property
    def lower(self) -> Finding:
        """The same as a lower bound; there is none if only an upper bound or an estimate is known."""
        return self._side(Direction.AT_LEAST)

    @property
    def mid(self) -> Finding:
        """The exact number or the estimate; there is none if only a bound is known."""
        if self.direction in (Direction.EXACTLY, Direction.ABOUT):
            return self
        raise self._not_known("in the middle")

    @property
    def worst(self) -> Finding:
        """The largest that is possible: the upper bound, or the estimate if that is all there is.

        A lower bound says nothing about it, and is refused.
        """
        return self if self.direction is Direction.ABOUT else self.upper

    def __float__(self) -> float:
        if isinstance(self.value, float):
            return self.value
        raise InvalidInput(
            "a finding",
            "must hold one number to become a float",
            f"{self.value.size} numbers",
            "Choose one of the numbers in .value.",
        )

    def __str__(self) -> str:
        notes = () if isinstance(self.value, float) else (f"the largest of {self.value.size} values",)
        return sentence(self.quantity.name, self._said(notes))

    def __repr__(self) -> str:
        return f"<Finding: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        same_number = np.shape(self.value) == np.shape(other.value) and bool(np.all(self.value == other.value))
        return same_number and self._rest() == other._rest()

    def __hash__(self) -> int:
        return hash((self.quantity, self.direction, self.basis))

    def to_json(self) -> str:
        """The finding as JSON text, with the version of whit; from_json reads it back to an equal finding."""
        return to_text(
            "finding",
            {
                "value": number_out(self.value),
                "direction": self.direction.name,
                **common_out(self.quantity, self.inputs, self.basis),
            },
        )

    @classmethod
    def from_json(cls, text: str) -> Finding:
        """The finding that to_json wrote."""
        return from_text("finding", text, _built)

    def _side(self, wanted: Direction) -> Finding:
        """The finding as a bound of the wanted side, an exact number widened by its slack."""
        if self.direction is wanted:
            return self
        if self.direction is not Direction.EXACTLY:
            raise self._not_known("above" if wanted is Direction.AT_MOST else "below")
        around = _widened(self.value, self.basis.slack)
        bound = around.upper if wanted is Direction.AT_MOST else around.lower
        return replace(self, value=self.quantity.unit.capped(bound, wanted), direction=wanted)

    def _not_known(self, where: str) -> NotImplied:
        """The error about a side on which nothing is known."""
        return NotImplied(
            self.quantity.name,
            f"is not known {where}",
            f"a finding that it {self._said()}",
            "Ask for a side that is known, or use a promise or mechanism that is known exactly.",
        )

    def _said(self, notes: tuple[str, ...] = ()) -> str:
        """What a sentence says of the largest value; an exact one that was rounded is as good as its interval."""
        if self.direction is Direction.EXACTLY and self.basis.slack > 0.0:
            lower, upper = (float(np.max(side.value)) for side in (self.lower, self.upper))
            return range_predicate(lower, upper, self.quantity.unit, notes)
        return predicate(float(np.max(self.value)), self.direction, self.quantity.unit, notes)

    def _rest(self) -> tuple[object, ...]:
        """All but the value."""
        return self.quantity, self.direction, self.inputs, self.basis


def _clean(quantity: Quantity, value: object) -> float | NDArray[np.float64]:
    """The value as a float or a read-only array, if its unit allows it."""
    way_out = "Give a number, or an array of at least one number, without nan."
    # Adding zero copies the values and turns -0.0, which prints differently but is equal, into 0.0.
    values = real_array(quantity.name, value, way_out) + 0.0
    require(np.size(values) > 0, name=quantity.name, rule="must have a value", value="an empty array", way_out=way_out)
    possible = (values >= quantity.unit.floor) & (values <= quantity.unit.ceiling)
    if not possible.all():
        wrong = float(np.extract(~possible, values)[0])
        raise InvalidInput(quantity.name, f"must be {quantity.unit.value}", wrong, "Correct what it is computed from.")
    if np.ndim(values) == 0:
        return float(values)
    values.setflags(write=False)
    return values


def _widened(value: float | NDArray[np.float64], slack: float) -> Bracket:
    """The value between bounds that are its relative slack away; zero and infinity have no relative error."""
    values = np.asarray(value)
    rounded = np.isfinite(values) & (values != 0.0) & (slack > 0.0)
    return Bracket.around(values, np.where(rounded, up(np.where(rounded, np.abs(values), 0.0) * slack), 0.0))


def _built(content: Mapping[str, Any]) -> Finding:
    """The finding of an object that was read from JSON."""
    return Finding(
        quantity_in(content),
        number_in(content["value"]),
        Direction[content["direction"]],
        inputs_in(content),
        basis_in(content),
    )
