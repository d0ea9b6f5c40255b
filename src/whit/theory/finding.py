"""A number that says what it is, on which side of the truth it lies, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.numerics import Bracket, real_array, up
from whit.theory.answer import Answer
from whit.theory.archive import basis_in, common_out, from_text, inputs_in, number_in, number_out, quantity_in, to_text
from whit.theory.basis import Basis
from whit.theory.display import predicate, range_predicate, sentence
from whit.theory.inputs import Inputs
from whit.theory.quantity import Direction, Quantity

Numbers = float | NDArray[np.float64]
"""One number, or a read-only array of them."""


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
class Finding(NoArithmetic, Answer):
    """A quantity, what is known of it, on which side of the truth, the inputs it came from and the basis it rests on.

    `value` is the safe end of what is known: the upper one of a risk, the lower one of an allowance. `lower` and
    `upper` are None on a side on which nothing is known:

    AT_MOST    upper is the value; lower may be known as well, where both sides were asked for
    AT_LEAST   lower is the value; upper may be known as well
    EXACTLY    lower and upper enclose the number, and differ by numerical error only
    ABOUT      the value is an estimate, and neither side is known

    A number is a float, or a read-only array of them. It is never nan, and never outside of what its unit allows.
    Findings are equal if all their parts are.

    >>> from whit.theory import Unit
    >>> posterior = Quantity("posterior probability", Unit.PROBABILITY)
    >>> print(Finding(posterior, 0.12516, Direction.AT_MOST, {"prior": 0.05}, Basis.of("hockey-stick")))
    posterior probability is at most 12.6 %
    """

    quantity: Quantity
    value: Numbers
    direction: Direction
    inputs: Mapping[str, Any]
    basis: Basis
    other_end: Numbers | None = None

    def __post_init__(self) -> None:
        self._require_parts()
        object.__setattr__(self, "value", _clean(self.quantity, self.value))
        object.__setattr__(self, "inputs", Inputs(self.inputs))
        if self.other_end is not None:
            object.__setattr__(self, "other_end", _clean(self.quantity, self.other_end))
            self._require_order()
        elif self.direction is Direction.EXACTLY:
            self._widen()

    @classmethod
    def of_bracket(
        cls, quantity: Quantity, bracket: Bracket, direction: Direction, inputs: Mapping[str, Any], basis: Basis
    ) -> Finding:
        """What may be said of a number that was computed between two others, in a direction that is known.

        An upper bound is the upper end of the bracket, a lower bound its lower end, an estimate its middle; an exact
        number keeps both ends. Ends beyond what the unit allows are cut there.
        """
        unit = quantity.unit
        lower, upper = unit.capped(bracket.lower, Direction.AT_LEAST), unit.capped(bracket.upper, Direction.AT_MOST)
        if direction is Direction.EXACTLY:
            ends = (lower, upper) if quantity.less_is_worse else (upper, lower)
            return cls(quantity, ends[0], direction, inputs, basis, ends[1])
        middle = np.clip(bracket.mid, lower, upper)
        value = {Direction.AT_MOST: upper, Direction.AT_LEAST: lower, Direction.ABOUT: middle}[direction]
        return cls(quantity, value, direction, inputs, basis)

    @property
    def lower(self) -> Numbers | None:
        """The largest number that the truth is known to reach; None where nothing is known below."""
        return self.value if self.is_lower_end else self.other_end

    @property
    def upper(self) -> Numbers | None:
        """The smallest number that the truth is known not to exceed; None where nothing is known above."""
        return self.other_end if self.is_lower_end or self.direction is Direction.ABOUT else self.value

    def upper_bound(self) -> Numbers:
        """The upper end; refused where nothing is known above."""
        if self.upper is not None:
            return self.upper
        way_out = "Ask for a side that is known, or use a promise or mechanism that is known exactly."
        raise NotImplied(self.quantity.name, "is not known above", f"a finding that it {self._said()}", way_out)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The finding itself."""
        return (self,)

    @property
    def worst(self) -> Finding:
        """The finding itself."""
        return self

    @property
    def bound(self) -> Finding:
        """The value alone, as a bound on its own side of the truth; an estimate stays one."""
        if self.direction is Direction.ABOUT:
            return self
        direction = Direction.AT_LEAST if self.is_lower_end else Direction.AT_MOST
        return replace(self, direction=direction, other_end=None)

    @property
    def below(self) -> Finding:
        """The lower end as a finding of its own; of a finding that knows none, the finding itself."""
        return (
            self
            if self.lower is None
            else replace(self, value=self.lower, direction=Direction.AT_LEAST, other_end=None)
        )

    @property
    def is_two_sided(self) -> bool:
        """Whether it is a bound on both sides: the number may lie anywhere between."""
        return self.other_end is not None and self.direction is not Direction.EXACTLY

    @property
    def proved(self) -> bool:
        """Whether the value is more than an estimate."""
        return self.direction is not Direction.ABOUT

    @property
    def largest(self) -> float:
        """The value, or the largest of several."""
        return float(np.max(self.value))

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
        ends = ((self.value, other.value), (self.other_end, other.other_end))
        return self._rest() == other._rest() and all(np.array_equal(*pair) for pair in ends)  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash((self.quantity, self.direction, self.basis))

    def __reduce__(self) -> tuple[Any, ...]:
        # Built anew, so that the arrays of a copy are read-only as well.
        return Finding, (self.quantity, self.value, self.direction, self.inputs, self.basis, self.other_end)

    def to_dict(self) -> dict[str, Any]:
        """The finding as a plain tree: both ends, value, direction, quantity, inputs and basis."""
        ends = {name: None if end is None else number_out(end) for name, end in self._ends().items()}
        return {**ends, "direction": self.direction.name, **common_out(self.quantity, self.inputs, self.basis)}

    def to_json(self) -> str:
        """The finding as JSON text, with the version of whit; from_json reads it back to an equal finding."""
        return to_text("finding", self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Finding:
        """The finding that to_json wrote."""
        return from_text("finding", text, _built)

    @property
    def is_lower_end(self) -> bool:
        """Whether the value, which is the safe end, is the lower one."""
        return _is_lower(self.quantity, self.direction)

    def _rest(self) -> tuple[object, ...]:
        """All but the numbers."""
        return self.quantity, self.direction, self.inputs, self.basis

    def _ends(self) -> dict[str, Numbers | None]:
        return {"lower": self.lower, "value": self.value, "upper": self.upper}

    def _widen(self) -> None:
        """Put an exact number between bounds that are its relative slack away; zero and infinity have no slack."""
        values, slack = np.asarray(self.value), self.basis.slack
        rounded = np.isfinite(values) & (values != 0.0) & (slack > 0.0)
        around = Bracket.around(values, np.where(rounded, up(np.where(rounded, np.abs(values), 0.0) * slack), 0.0))
        unit = self.quantity.unit
        ends = [unit.capped(around.upper, Direction.AT_MOST), unit.capped(around.lower, Direction.AT_LEAST)]
        safe, other = reversed(ends) if self.quantity.less_is_worse else ends
        object.__setattr__(self, "value", _clean(self.quantity, safe))
        object.__setattr__(self, "other_end", _clean(self.quantity, other))

    def _require_parts(self) -> None:
        for part, kind, name in ((self.quantity, Quantity, "quantity"), (self.basis, Basis, "basis")):
            known = isinstance(part, kind)
            rule, way_out = f"must be a {kind.__name__}", f"Use whit.theory.{kind.__name__}."
            require(known, name=f"the {name} of a finding", rule=rule, value=part, way_out=way_out)
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
            self.direction is not Direction.EXACTLY or self.other_end is not None or self.basis.truncation == 0.0,
            name="an exact finding",
            rule="must not rest on truncated mass",
            value=self.basis.truncation,
            way_out="Report an upper bound, a lower bound or both ends.",
        )

    def _require_order(self) -> None:
        """Refuse ends that cross, ends of different shapes, and ends of an estimate."""
        require(
            self.direction is not Direction.ABOUT,
            name="an estimate",
            rule="must not have ends, as neither side of it is known",
            value=self.other_end,
            way_out="Leave them out.",
        )
        lower, upper = self.lower, self.upper
        assert lower is not None
        assert upper is not None
        require(
            np.shape(lower) == np.shape(upper) and bool(np.all(np.less_equal(lower, upper))),
            name=self.quantity.name,
            rule="must have its lower end at or below its upper end, and both of one shape",
            value=f"{lower!r}, {upper!r}",
            way_out="Widen the bounds by the error that made them cross.",
        )

    def _said(self, notes: tuple[str, ...] = ()) -> str:
        """What a sentence says of the largest value: both ends where they are known."""
        unit = self.quantity.unit
        if self.lower is None or self.upper is None:
            return predicate(self.largest, self.direction, unit, notes)
        place = int(np.argmax(self.value))
        lower, upper = (float(np.ravel(np.asarray(end))[place]) for end in (self.lower, self.upper))
        return range_predicate(lower, upper, unit, notes)


def _clean(quantity: Quantity, value: object) -> Numbers:
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


def _is_lower(quantity: Quantity, direction: Direction) -> bool:
    """Whether the safe end of what is known is the lower one."""
    return direction is Direction.AT_LEAST or (direction is Direction.EXACTLY and quantity.less_is_worse)


def _built(content: Mapping[str, Any]) -> Finding:
    """The finding of an object that was read from JSON."""
    quantity, direction = quantity_in(content), Direction[content["direction"]]
    end = content["upper" if _is_lower(quantity, direction) else "lower"]
    other = None if end is None else number_in(end)
    return Finding(quantity, number_in(content["value"]), direction, inputs_in(content), basis_in(content), other)
