"""What a limit on one risk is: it knows the largest that is accepted, and asks a promise for its own."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from whit.curves import Promise
from whit.errors import NotImplied, Sentence, TooCostly
from whit.mechanisms import Deterministic
from whit.numerics import add_down
from whit.semantics import membership
from whit.setting import Adversary, Knowledge, Neighbours, Sensitivity, When, block_size, one_failure, one_or_two
from whit.theory import Basis, Direction, Finding, Quantity, Unit, number_text

ALLOWED_LOSS = Quantity("largest privacy loss that meets the limit", Unit.NUMBER, certain=True)
RISK_LEFT = Quantity("margin to the limit", Unit.NUMBER)


@dataclass(frozen=True, repr=False, kw_only=True)
class Limit(ABC):
    """What is acceptable of one risk; a frozen value.

    `knows` says what the adversary knows of the others; they may believe anything, unless it is given. A `block` of so
    many people may depend on each other, the one in question among them. A limit on beliefs is about the end unless
    `when` says that it is about every moment; what tests can do is the same at both.
    """

    knows: Knowledge = Knowledge.ANY_BELIEF
    when: When = When.END
    block: int = 1

    def __post_init__(self) -> None:
        Knowledge.checked(self.knows)
        When.checked(self.when)
        keep(self, block=block_size(self.block))

    def __repr__(self) -> str:
        """The expression that builds the limit; what is so unless it is said is left out."""
        usual = {each.name: each.default for each in fields(Limit)}
        shown = [f"{name}={value!r}" for name, value in self.parameters.items() if usual.get(name, value) != value]
        stated = {name: value for name, value in self.parameters.items() if value is not None}
        own = [f"{name}={value!r}" for name, value in stated.items() if name not in usual]
        return f"{type(self).__name__}({', '.join([*own, *shown])})"

    @property
    def parameters(self) -> dict[str, object]:
        """All that it is stated by: its own numbers first, then whom it is about."""
        return {
            each.name: getattr(self, each.name) for each in sorted(fields(self), key=lambda each: bool(each.kw_only))
        }

    def to_dict(self) -> dict[str, Any]:
        """The names and values that state it in options and files; what is so unless it is said is left out.

        >>> from whit.policy import limits
        >>> limits.difference(0.2, prior=(0.01, 0.1), when=When.EVER).to_dict()
        {'difference': 0.2, 'prior': [0.01, 0.1], 'when': 'ever'}
        """
        usual = {each.name: each.default for each in fields(Limit)}
        known = {name: value for name, value in self.parameters.items() if value is not None}
        tree = {name: value for name, value in known.items() if name not in usual or value != usual[name]}
        lists = {name: [*value] if isinstance(value, tuple) else value for name, value in tree.items()}
        return {name: value.name.lower() if isinstance(value, Enum) else value for name, value in lists.items()}

    @property
    def text(self) -> str:
        """All that states it, as an option has it.

        >>> from whit.policy import limits
        >>> limits.difference(0.2, prior=(0.01, 0.1), knows=Knowledge.EVERYONE_ELSE).text
        'difference=0.2, prior=0.01..0.1, knows=everyone-else'
        """
        return ", ".join(f"{name}={written(value)}" for name, value in self.to_dict().items())

    @property
    def largest(self) -> float:
        """The largest risk that is accepted, which is the first parameter of every limit."""
        return float(next(iter(self.parameters.values())))  # type: ignore[arg-type]

    @property
    def about(self) -> str:
        """The prior that the risk is about, to follow its name; nothing for what is not about one.

        >>> from whit.policy import limits
        >>> limits.posterior(0.3, prior=0.1).about
        ' at a prior of 10 %'
        """
        prior = vars(self).get("prior")
        return "" if prior is None else f" at a prior of {prior_text(prior)}"

    def _adversary(self, prior: float) -> Adversary:
        """Whom it is about, with a prior."""
        return Adversary(prior=prior, knows=self.knows, when=self.when, block=self.block)

    @abstractmethod
    def risk(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The risk that the limit is about, on the safe side, as the school reports it; refused where it refuses.

        Args:
            promise: a promise or a mechanism.
            failure: the chance that the risk may be larger, over the noise; 0 asks for what always holds.
            sides: 1 to limit what speaks for the truth, 2 to limit what speaks against it as well.
            neighbours: the relation between datasets, if not the promise's own.
        """

    def headroom(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The largest risk that is accepted, less the risk itself; rounded down, negative where it is not kept."""
        risk = _proved(self.risk(promise, failure=failure, sides=sides, neighbours=neighbours))
        left = float(add_down(self.largest, -float(risk)))
        return Finding(RISK_LEFT, left, Direction.AT_LEAST, {**risk.inputs, "limit": self.to_dict()}, risk.basis)

    def keeps(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> bool:
        """Whether the risk is proved to be at most the largest that is accepted; the arguments are those of risk."""
        try:
            found = self.risk(promise, failure=failure, sides=sides, neighbours=neighbours)
        except (NotImplied, TooCostly):
            return self.void(sides=sides)
        return float(_proved(found)) <= self.largest

    def void(self, *, sides: int = 1) -> bool:
        """Whether it limits nothing: even the exact answer is within it."""
        return float(self.certainty(sides=sides)) <= self.largest

    def certainty(self, *, sides: int = 1) -> Finding:
        """The risk of a release without noise."""
        alone = type(self)(**{**self.parameters, "block": 1})  # type: ignore[arg-type]
        return alone.risk(Deterministic(sensitivity=Sensitivity.count()), sides=sides)

    def decider(self, risk: Finding) -> Adversary | None:
        """The adversary whom the risk is about; none where it is about a test of no particular belief."""
        prior = vars(self).get("prior")
        return None if prior is None else self._adversary(prior)


def written(value: Any) -> str:
    """A value as an option has it."""
    if isinstance(value, list):
        return "..".join(map(written, value))
    return value.replace("_", "-") if isinstance(value, str) else f"{value:.15g}"


class LossLimit(Limit):
    """A limit that is kept exactly where the privacy loss stays at or below a number."""

    @abstractmethod
    def _allowed(self, sides: int) -> float:
        """The largest loss, rounded down."""

    @property
    @abstractmethod
    def _theorem(self) -> str:
        """Key of the theorem that turns the loss into this risk."""

    @abstractmethod
    def _ask(self, beliefs: membership.Beliefs) -> Finding:
        """The risk, asked of what a promise does to beliefs."""

    def risk(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The number of the school of membership."""
        whole, chance = promise.block(self.block), one_failure(failure)
        return self._ask(membership.Beliefs(whole, chance, sides, neighbours, self.knows, self.when))

    def void(self, *, sides: int = 1) -> bool:
        """Whether every loss is within it."""
        return math.isinf(self._allowed(one_or_two(sides)))

    def allowed_loss(self, *, sides: int = 1) -> Finding:
        """The largest privacy loss that meets the limit, rounded down; infinite where every loss does."""
        inputs = {"limit": self.to_dict(), "sides": one_or_two(sides)}
        return Finding(ALLOWED_LOSS, self._allowed(sides), Direction.AT_LEAST, inputs, Basis.of(self._theorem))


class CurveLimit(Limit):
    """A limit on a number that is read off the curve; chance of failure and sides do not enter."""

    @abstractmethod
    def _ask(self, promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Finding:
        """The number of what is promised."""

    def risk(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The number of the school of testing."""
        one_failure(failure)
        one_or_two(sides)
        # Whoever may believe anything may also know the others: what such a person can do at least, the limit forbids.
        from_below = promise.curve(neighbours).direction is Direction.AT_LEAST
        knows = Knowledge.EVERYONE_ELSE if from_below and self.block == 1 else self.knows
        return self._ask(promise.block(self.block), neighbours, knows)


def _proved(found: Finding) -> Finding:
    """The finding, if it bounds the number from above; an estimate and a lower bound do not."""
    if found.upper is not None:
        return found
    rule = "cannot be checked against an estimate, or a bound from below"
    raise NotImplied("a limit", rule, Sentence(found), "Use a curve that is an upper bound.")


def prior_text(prior: float) -> str:
    """A prior that was given, in percent; the last digits of a double are rounding, and are left out."""
    return number_text(float(f"{prior:.12g}"), Direction.ABOUT, Unit.PROBABILITY, digits=6)


def keep(limit: Limit, **values: float | None) -> None:
    """Put validated values into the frozen fields."""
    for name, value in values.items():
        object.__setattr__(limit, name, value)
