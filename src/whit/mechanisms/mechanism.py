"""What every mechanism has in common: a loss between neighbours, and an error; copies, processing, several together."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit import mechanisms
from whit.curves import Array, Curve, LossDistribution, Promise, copies
from whit.errors import NotImplied, require
from whit.mechanisms.details import Detail
from whit.numerics import probability_array
from whit.setting import Neighbours, Parameter, Sensitivity
from whit.theory import Basis, Direction, Finding, Quantity, Unit, number_text

NOISE_DEVIATION = Quantity("standard deviation of the noise", Unit.NUMBER, key="deviation")
NOISE_ERROR = Quantity("error of the noise in a share of cases", Unit.NUMBER)
NOISE_TAIL = Quantity("probability that the noise is at least the threshold", Unit.PROBABILITY)
EXACT_ANSWER = Quantity("probability of the exact answer", Unit.PROBABILITY, less_is_worse=True)

# Below this a probability does not keep its digits, or is rounded to zero.
FAINT = 1e-290

_NO_NUMBER = "Ask a mechanism that adds noise to a number, such as Laplace or Geometric."


class Mechanism(Promise):
    """A release by the law of its output; a value that is valid or not built at all.

    `mechanism.epsilon(deltas)` is a question. So the epsilon that a mechanism was built with is kept as
    `stated_epsilon`.
    """

    parameter: ClassVar[Parameter]
    """The one number that it is stated by, of the kinds that have one."""

    details: ClassVar[tuple[Detail, ...]] = ()
    """What else it is stated with; of a kind without a parameter, all that it is stated with."""

    all_or_nothing: ClassVar[bool] = False
    """Whether a record changes the release just as the loss says, or not at all."""

    of_one_pair: ClassVar[bool] = False
    """Whether two datasets are all that is known, so that nothing follows for others."""

    knows_size: ClassVar[bool] = False
    """Whether the loss depends on how many people are in the data."""

    over_all_data: ClassVar[bool] = False
    """Whether what comes out depends on data that are not known here, so that all are bounded at once."""

    noise_theorem: ClassVar[str]
    """Key of the theorem that gives the law of the noise, of the kinds that add some."""

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations between datasets under which the loss is known; the first one is taken if none is named."""
        return (Neighbours.ADD_REMOVE, Neighbours.REPLACE, Neighbours.LOCAL)

    @property
    @abstractmethod
    def basis(self) -> Basis:
        """The theorems that give the law of the loss."""

    @abstractmethod
    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        """The exact loss under one of the relations."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Draws for simulation. Not for release: noise made of floating-point numbers gives the data away."""

    def loss(self, neighbours: Neighbours | None = None) -> LossDistribution:
        """The exact law of the privacy loss between the neighbours that are easiest to tell apart."""
        return self._loss(self.relation(neighbours))

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The exact curve between the neighbours that are easiest to tell apart."""
        curve = Curve.exact(self.loss(neighbours))
        return replace(curve, basis=self.basis | curve.basis)

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours:
        """The relation asked for, or the first one known; refuses one under which the loss is not known."""
        if neighbours is None:
            return self.relations[0]
        way_out = f"Use {' or '.join(map(repr, self.relations))}."
        if Neighbours.checked(neighbours, way_out=way_out) not in self.relations:
            rule = f"is not known under the neighbours {neighbours.word}"
            raise NotImplied("the privacy loss", rule, self, way_out, parameter="neighbours")
        return neighbours

    @property
    def is_exact(self) -> bool:
        """True: an infinite loss is what the mechanism does."""
        return True

    def grows_with_change(self, neighbours: Neighbours, sides: int) -> bool:
        """Whether it is proved that the tail of the loss is largest, at every loss above 0, for the largest change."""
        return False

    def steps(self, neighbours: Neighbours) -> Counter[Curve] | None:
        """The parts that a record changes as their curves say or not at all, with counts; None where it can do less."""
        return Counter([self.curve(neighbours)]) if self.all_or_nothing else None

    def covered(self, neighbours: Neighbours | None = None, *, sides: int = 1) -> tuple[Promise, ...]:
        """Curves that bound the tail of everybody: also of those who change less, or take part in fewer releases."""
        return mechanisms.everybody(self, self.relation(neighbours), sides)

    def ever(self, neighbours: Neighbours | None = None) -> Promise:
        """What bounds the loss of everybody at every moment: exactly for Gaussian noise and for equal coins."""
        return mechanisms.at_every_moment(self, self.relation(neighbours))

    def between_contents(self, people: int, neighbours: Neighbours | None) -> Promise:
        """One step for each person of the block."""
        return mechanisms.between_contents(self, people, neighbours)

    def group(self, size: int) -> Promise:
        """What is known of a group of so many records, by as many steps from dataset to dataset: an upper bound.

        A change by all of them at once may be stated as the sensitivity of noise instead, which can be less.
        """
        return mechanisms.to_group(self, size)

    def times(self, count: int) -> Mechanism:
        """This mechanism so many times, with independent noise each time; once is the mechanism itself."""
        return self if copies(count) == 1 else mechanisms.Composed((self, count))

    def then(self, step: str) -> Mechanism:
        """This mechanism with its output processed further, as the words say: its curve stays as an upper bound."""
        return mechanisms.PostProcessed(self, step)

    def to_dict(self) -> dict[str, Any]:
        """The mechanism as a plain tree: its kind, and its parameters by name."""
        named = {each.name.removeprefix("stated_"): getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        return {"kind": type(self).__name__, **named}

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise; refused where the answer is not a number with noise added to it."""
        raise self._no_number("the standard deviation of the noise")

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability; refused where there is no added noise."""
        raise self._no_number("a quantile of the error")

    def probability_of_exact_answer(self) -> Finding:
        """The probability that the exact answer comes out; refused where there is none."""
        raise self._no_number("the probability of the exact answer")

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """The probability P[noise >= x] at each threshold x; by symmetry also P[noise <= -x]."""
        raise self._no_number("the tail of the noise")

    def _no_number(self, name: str) -> NotImplied:
        return NotImplied(name, "is not defined for a mechanism that adds no noise to a number", self, _NO_NUMBER)

    def _about_noise(
        self,
        quantity: Quantity,
        value: ArrayLike,
        *,
        slack: float = 0.0,
        direction: Direction = Direction.EXACTLY,
        inputs: Mapping[str, Any] | None = None,
    ) -> Finding:
        """A finding about the noise, by its theorem."""
        basis = Basis(theorems=(self.noise_theorem,), slack=slack)
        values = np.asarray(value, dtype=np.float64)
        return Finding(quantity, values, direction, {"promise": self, **(inputs or {})}, basis)


def noise_error(shares: Array) -> Quantity:
    """The error that the noise stays within in a share of cases, by a name that says the share if it is one.

    >>> noise_error(np.asarray(0.95)).name
    'error of the noise in 95 % of cases'
    """
    if shares.size != 1:
        return NOISE_ERROR
    share = number_text(float(f"{shares.item():.12g}"), Direction.ABOUT, Unit.PROBABILITY, digits=6)
    return replace(NOISE_ERROR, name=NOISE_ERROR.name.replace("a share", share))


@dataclass(frozen=True, kw_only=True, repr=False)
class AdditiveNoise(Mechanism):
    """Noise added to each cell, and by how much one record can change the cells.

    The density of the noise, or its probabilities, are symmetric and fall with the distance from 0. So a larger change
    is easier to tell, and the largest one is the worst case.
    """

    whole: ClassVar[bool] = False
    """Whether changes must be whole numbers."""

    both_sides_grow: ClassVar[bool] = False
    """Whether the larger change of one cell has the larger tail on both sides of the loss together."""

    sensitivity: Sensitivity = field(default_factory=Sensitivity.count)

    def __post_init__(self) -> None:
        way_out = "Use Sensitivity.count(), Sensitivity.histogram() or Sensitivity(add_remove=..., replace=...)."
        known = isinstance(self.sensitivity, Sensitivity)
        require(known, name="sensitivity", rule="must be a Sensitivity", value=self.sensitivity, way_out=way_out)

    def __repr__(self) -> str:
        """The expression that builds the mechanism; a sensitivity of one count is left out."""
        named = self.to_dict()
        shown = [f"{name}={value!r}" for name, value in named.items() if name not in ("kind", "sensitivity")]
        changed = [] if self.sensitivity == Sensitivity.count() else [f"sensitivity={self.sensitivity!r}"]
        return f"{type(self).__name__}({', '.join([*shown, *changed])})"

    @property
    def has_noise(self) -> bool:
        """Whether there is any: at a scale of 0 the exact answer comes out, which protects nobody who changes it."""
        return True

    def grows_with_change(self, neighbours: Neighbours, sides: int) -> bool:
        """Whether at most one cell changes: towards the truth, the loss of every outcome then grows with the change."""
        few = len(self.sensitivity.changes(neighbours)) <= 1
        return few and (sides == 1 or self.both_sides_grow)

    @abstractmethod
    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        """The largest error of the noise with each chance, a bound on its rounding, and its direction."""

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability."""
        chances = probability_array("probability", probability, "Use a number such as 0.95.")
        none = np.zeros(chances.shape), 0.0, Direction.EXACTLY
        errors, slack, direction = self._errors(chances) if self.has_noise else none
        inputs = {"probability": chances}
        return self._about_noise(noise_error(chances), errors, slack=slack, direction=direction, inputs=inputs)

    def probability_of_exact_answer(self) -> Finding:
        """Zero, where the noise has a density."""
        return self._about_noise(EXACT_ANSWER, 0.0 if self.has_noise else 1.0)

    def _no_tail(self, thresholds: Array) -> Finding:
        """The tail of no noise: one up to the threshold 0, and zero above it."""
        return self._about_noise(NOISE_TAIL, np.where(thresholds <= 0, 1.0, 0.0), inputs={"thresholds": thresholds})

    def _about_tail(self, tail: Array, thresholds: Array, slack: float, *, bounded: bool = False) -> Finding:
        """The tail of the noise, exactly; as an upper bound where it is only bounded or too small for a double."""
        faint = (tail < FAINT) & np.isfinite(thresholds)
        inputs = {"thresholds": thresholds}
        if not bounded and not np.any(faint):
            return self._about_noise(NOISE_TAIL, tail, slack=slack, inputs=inputs)
        bounds = np.minimum(np.where(faint, FAINT, tail * (1 + slack)), 1.0)
        return self._about_noise(NOISE_TAIL, bounds, slack=slack, direction=Direction.AT_MOST, inputs=inputs)
