"""A number that says what it is, on which side of the truth it lies, and what it rests on.

As JSON, a finding stands beside the version of whit that wrote it and the number of the layout. Numbers keep every bit;
infinite values are the texts "inf" and "-inf"; theorems are written by key, and the assumptions, which follow from
them, are not written.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit import theory
from whit.display import Row, Tabular
from whit.errors import InvalidInput, NotImplied, WhitError, require, require_kind
from whit.notations import from_json
from whit.numerics import Bracket, real_array, up
from whit.theory.basis import (
    Basis,
    Failure,
    Inputs,
    Randomness,
    following,
    read_infinities,
    read_numbers,
    spell_infinities,
    spell_numbers,
)
from whit.theory.no_arithmetic import NoArithmetic
from whit.theory.quantity import (
    Direction,
    Quantity,
    bound_text,
    predicate,
    range_predicate,
    says_nothing,
    sentence,
    with_notes,
)
from whit.version import VERSION

Numbers = float | NDArray[np.float64]
"""One number, or a read-only array of them."""

LAYOUT = 2
"""The number of the layout; it grows when an older reader would misunderstand a text."""


class Answer(Tabular, ABC):
    """A result of whit: a finding, several of them, or a sentence where there is none."""

    @property
    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """Every finding that the result is made of."""

    @property
    def worst(self) -> Finding | None:
        """The finding that the result is read by; None where there is none."""
        return next(iter(self.findings), None)

    def to_dict(self) -> dict[str, Any]:
        """The result as a plain tree, for JSON."""
        return {"findings": [each.to_dict() for each in self.findings]}

    def to_rows(self) -> list[Row]:
        """The result as rows of plain values by column: a row for each number."""
        return [row for each in self.findings for row in theory.finding_rows(each)]

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentence, and what it rests on."""
        return theory.answer_html(self)

    def __repr__(self) -> str:
        """The result in one short line."""
        return f"<{type(self).__name__}: {str(self).partition(chr(10))[0]}>"


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
    Findings are equal if all their parts are. `short_of_certainty` says that the truth is below the largest value there
    can be, unless it started there, even where the value was rounded up to it: no double is as near to 1.

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
    short_of_certainty: bool = False

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
        raise NotImplied(self.quantity.name, "is not known above", f"a finding that it {self._predicate()}", way_out)

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
        return replace(self, direction=Direction.AT_LEAST if self.is_lower_end else Direction.AT_MOST, other_end=None)

    def brief(self) -> str:
        """The number on its safe side with its direction, in few words, such as at most 73.2 %."""
        if self.direction is Direction.EXACTLY or self.quantity.towards(self.largest):
            return self._predicate().removeprefix("is ")
        return bound_text(float(self.in_words), self.direction, self.quantity.unit)

    @property
    def in_words(self) -> Finding:
        """The finding to speak of: an upper bound that is certainty only by rounding is next to it."""
        unit = self.quantity.unit
        if not (self.short_of_certainty and says_nothing(self.largest, self.direction, unit)):
            return self
        return replace(self, value=np.minimum(self.value, np.nextafter(unit.ceiling, unit.floor)))

    @property
    def exception(self) -> str:
        """With which probability it may be false, such as except with probability 1 %; empty where it always holds."""
        return "" if self._says_nothing or self.quantity.certain else self.basis.exception

    @property
    def exception_after(self) -> str:
        """The exception, to follow the number in a sentence."""
        return following(self.exception, self._predicate())

    @property
    def below(self) -> Finding:
        """The lower end as a finding of its own; of a finding that knows none, the finding itself."""
        if self.lower is None:
            return self
        return replace(self, value=self.lower, direction=Direction.AT_LEAST, other_end=None)

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
        rule, way_out = "must hold one number to become a float", "Choose one of the numbers in .value."
        raise InvalidInput("a finding", rule, f"{self.value.size} numbers", way_out)

    def __str__(self) -> str:
        several = () if isinstance(self.value, float) else (f"the largest of {self.value.size} values",)
        said = sentence(self.quantity.name, self._predicate((*self._about_failure, *several)))
        return f"{said}{self.exception_after}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        ends = ((self.value, other.value), (self.other_end, other.other_end))
        others = ("quantity", "direction", "inputs", "basis", "short_of_certainty")
        same = all(getattr(self, name) == getattr(other, name) for name in others)
        return same and all(np.array_equal(*pair) for pair in ends)  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash((self.quantity, self.direction, self.basis))

    def __reduce__(self) -> tuple[Any, ...]:
        # Built anew, so that the arrays of a copy are read-only as well.
        parts = (self.quantity, self.value, self.direction, self.inputs, self.basis)
        return Finding, (*parts, self.other_end, self.short_of_certainty)

    def to_dict(self) -> dict[str, Any]:
        """The finding as a plain tree: both ends, value, direction, quantity, inputs and basis."""
        basis = self.basis
        ends = {"lower": self.lower, "value": self.value, "upper": self.upper}
        return {
            **{name: None if end is None else spell_numbers(np.asarray(end).tolist()) for name, end in ends.items()},
            "direction": self.direction.name,
            "quantity": self.quantity.to_dict(),
            "inputs": spell_infinities(dict(self.inputs)),
            "basis": {
                "theorems": list(basis.theorems),
                "failures": [{"probability": f.probability, "over": f.over.name} for f in basis.failures],
                "slack": basis.slack,
                "truncation": basis.truncation,
            },
            **({"short_of_certainty": True} if self.short_of_certainty else {}),
        }

    def to_json(self) -> str:
        """The finding as JSON text, with the version of whit; from_json reads it back to an equal finding."""
        tree = {"whit": VERSION, "layout": LAYOUT, "finding": self.to_dict()}
        return json.dumps(tree, allow_nan=False, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Finding:
        """The finding that to_json wrote; a text that holds none is refused."""
        rule = "must hold the finding that its own to_json wrote"
        foreign = InvalidInput("a JSON text", rule, text, "Check its source.")
        try:
            tree = from_json(text, "a JSON text")
            layout, content = tree["layout"], tree["finding"]
        except (TypeError, ValueError, KeyError, RecursionError) as broken:
            raise foreign from broken
        if layout != LAYOUT:
            way_out = "Read it with the version of whit that wrote it; the text names it."
            raise InvalidInput("the layout of a JSON text", f"must be {LAYOUT}", layout, way_out)
        try:
            return _from_tree(content)
        except WhitError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as broken:
            raise foreign from broken

    @property
    def is_lower_end(self) -> bool:
        """Whether the value, which is the safe end, is the lower one."""
        return self.quantity.is_known_below(self.direction)

    @property
    def _about_failure(self) -> tuple[str, ...]:
        """A note on the failure probability: that of the limit which the number meets, or that there was none."""
        if self.quantity.certain and self.basis.exception:
            return (self.basis.exception.replace("except with", "failure"),)
        always = np.all(np.asarray(self.inputs.get("failure", 1.0)) == 0.0) and self.inputs.get("prior") != 1.0
        return ("without a failure probability",) if always and self._says_nothing else ()

    @property
    def _says_nothing(self) -> bool:
        return says_nothing(self.in_words.largest, self.direction, self.quantity.unit)

    def _widen(self) -> None:
        """Put an exact number between bounds that are its relative slack away; zero and infinity have no slack."""
        values, slack = np.asarray(self.value), self.basis.slack
        rounded = np.isfinite(values) & (values != 0.0) & (slack > 0.0)
        with np.errstate(over="ignore"):  # a width beyond all doubles leaves the number open
            around = Bracket.around(values, np.where(rounded, up(np.where(rounded, np.abs(values), 0.0) * slack), 0.0))
        unit = self.quantity.unit
        ends = [unit.capped(around.upper, Direction.AT_MOST), unit.capped(around.lower, Direction.AT_LEAST)]
        safe, other = reversed(ends) if self.quantity.less_is_worse else ends
        object.__setattr__(self, "value", _clean(self.quantity, safe))
        object.__setattr__(self, "other_end", _clean(self.quantity, other))

    def _require_parts(self) -> None:
        require_kind(Quantity, self.quantity, name="the quantity of a finding", way_out="Use whit.theory.Quantity.")
        require_kind(Mapping, self.inputs, name="the inputs of a finding", way_out="Use a table of values by name.")
        require_kind(Basis, self.basis, name="the basis of a finding", way_out="Use whit.theory.Basis.")
        way_out = "Use Direction.AT_MOST, AT_LEAST, EXACTLY or ABOUT."
        require_kind(Direction, self.direction, name="the direction of a finding", way_out=way_out)
        if not self.basis.theorems:
            way_out = "Use Basis.of(key) with the theorem that the number follows from."
            raise InvalidInput("the basis of a finding", "must name at least one theorem", self.basis, way_out)
        require(
            self.direction is not Direction.EXACTLY or self.other_end is not None or self.basis.truncation == 0.0,
            name="an exact finding",
            rule="must not rest on truncated mass",
            value=self.basis.truncation,
            way_out="Report an upper bound, a lower bound or both ends.",
        )

    def _require_order(self) -> None:
        """Refuse ends that cross, ends of different shapes, and ends of an estimate."""
        if self.direction is Direction.ABOUT:
            raise InvalidInput("an estimate", "must not have ends; neither is known", self.other_end, "Leave them out.")
        lower, upper = np.asarray(self.lower), np.asarray(self.upper)
        if lower.shape != upper.shape or np.any(lower > upper):
            rule = "must have its lower end at or below its upper end, and both of one shape"
            way_out = "Widen the bounds by the error that made them cross."
            raise InvalidInput(self.quantity.name, rule, f"{self.lower!r}, {self.upper!r}", way_out)

    def _predicate(self, notes: tuple[str, ...] = ()) -> str:
        """What a sentence says of the largest value: both ends where they are known."""
        unit, towards = self.quantity.unit, self.quantity.towards(self.largest)
        if towards:
            return with_notes(f"is {towards}", notes)
        if self.lower is None or self.upper is None:
            return predicate(self.in_words.largest, self.direction, unit, notes)
        place = int(np.argmax(self.value))
        lower, upper = (float(np.ravel(np.asarray(end))[place]) for end in (self.lower, self.in_words.upper))
        return range_predicate(lower, upper, unit, notes, side=self.bound.direction)


def _clean(quantity: Quantity, value: object) -> Numbers:
    """The value as a float or a read-only array, if its unit allows it."""
    unit = quantity.unit
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype == np.float64:
        value = value.item()
    if isinstance(value, float) and unit.floor <= value <= unit.ceiling:
        return float(value) + 0.0
    way_out = "Give a number, or an array of at least one number, without nan."
    # Adding zero copies the values and turns -0.0, which prints differently but is equal, into 0.0.
    values = real_array(quantity.name, value, way_out) + 0.0
    require(np.size(values) > 0, name=quantity.name, rule="must have a value", value="an empty array", way_out=way_out)
    possible = (values >= unit.floor) & (values <= unit.ceiling)
    if not possible.all():
        wrong = float(np.extract(~possible, values)[0])
        raise InvalidInput(quantity.name, f"must be {unit.value}", wrong, "Correct what it is computed from.")
    if np.ndim(values) == 0:
        return float(values)
    values.setflags(write=False)
    return values


def _from_tree(content: Mapping[str, Any]) -> Finding:
    """The finding that has this plain tree."""
    quantity = Quantity.from_dict(content["quantity"])
    direction = Direction[content["direction"]]
    end = content["upper" if quantity.is_known_below(direction) else "lower"]
    other = None if end is None else read_numbers(end)
    value = read_numbers(content["value"])
    inputs = {name: read_infinities(item) for name, item in content["inputs"].items()}
    rests = content["basis"]
    failures = tuple(Failure(f["probability"], Randomness[f["over"]]) for f in rests["failures"])
    basis = Basis(tuple(rests["theorems"]), failures, rests["slack"], rests["truncation"])
    return Finding(quantity, value, direction, inputs, basis, other, content.get("short_of_certainty") is True)
