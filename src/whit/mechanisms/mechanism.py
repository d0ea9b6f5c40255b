"""What every mechanism has in common: a loss between neighbours, and an error; copies, processing, several together."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit import curves, guarantees, mechanisms
from whit.curves import Array, Curve, LossDistribution, Promise
from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.guarantees import Guarantee
from whit.mechanisms.details import Detail
from whit.numerics import add_up, count, probability_array, up
from whit.setting import Neighbours, Parameter, Sensitivity
from whit.theory import Basis, Direction, Finding, Quantity, Unit

NOISE_DEVIATION = Quantity("standard deviation of the noise", Unit.NUMBER)
NOISE_ERROR = Quantity("error that the noise keeps within", Unit.NUMBER)
NOISE_TAIL = Quantity("probability that the noise is at least the threshold", Unit.PROBABILITY)
EXACT_ANSWER = Quantity("probability of the exact answer", Unit.PROBABILITY)

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
        way_out = f"Use one of {', '.join(map(repr, self.relations))}."
        if Neighbours.checked(neighbours, way_out=way_out) not in self.relations:
            rule = f"is not known under {neighbours!r}"
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

    def times(self, count: int) -> Mechanism:
        """This mechanism so many times, with independent noise each time."""
        return Composed((self, count))

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
        """The error that the noise keeps within with each chance, a bound on its rounding, and its direction."""

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability."""
        chances = probability_array("probability", probability, "Use a number such as 0.95.")
        none = np.zeros(chances.shape), 0.0, Direction.EXACTLY
        errors, slack, direction = self._errors(chances) if self.has_noise else none
        inputs = {"probability": chances}
        return self._about_noise(NOISE_ERROR, errors, slack=slack, direction=direction, inputs=inputs)

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


@dataclass(frozen=True, init=False, repr=False)
class Composed(Mechanism):
    """Several mechanisms on the same data, each as often as its count says.

    The noise is independent and no mechanism is chosen by the outcome of another. The worst case of all together is
    taken to be that of each: one change of the data that is the largest one for every part.
    """

    parts: tuple[tuple[Mechanism, int], ...]

    def __init__(self, *parts: tuple[Mechanism, int]) -> None:
        listed([mechanism for mechanism, _ in parts])
        way_out = "Use the number of times that the mechanism is run, such as 12."
        self._keep(parts=tuple((mechanism, count("count", times, way_out)) for mechanism, times in parts))
        shared(self._mechanisms)

    @property
    def _mechanisms(self) -> tuple[Mechanism, ...]:
        return tuple(mechanism for mechanism, _ in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The kind, and each part with how often it is run."""
        parts = [{"promise": part.to_dict(), "releases": times} for part, times in self.parts]
        return {"kind": type(self).__name__, "parts": parts}

    @property
    def composed_of(self) -> tuple[tuple[Promise, int], ...]:
        """The mechanisms, each with its count."""
        return self.parts

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations under which the loss of every part is known."""
        return shared(self._mechanisms)

    @property
    def basis(self) -> Basis:
        """What the parts rest on, and that losses add up."""
        return reduce(lambda a, b: a | b, (part.basis for part in self._mechanisms)) | Basis.of("losses-add")

    @property
    def kept(self) -> Promise | None:
        """What the one mechanism keeps, as often as it is run; none where several are."""
        one, times = self.parts[0]
        if one.kept is None or len(self.parts) > 1:
            return None
        assert isinstance(one.kept, Guarantee)  # what a single mechanism keeps is one
        return guarantees.compose(*[one.kept] * times)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of all together."""
        relation = self.relation(neighbours)
        if self.kept is not None:
            whole = self.kept.curve(relation)
            return replace(whole, basis=whole.basis | self.basis)
        copies: Counter[Curve] = Counter()
        for part, times in self.parts:
            copies[part.curve(relation)] += times
        return curves.composed(copies)

    @property
    def knows_size(self) -> bool:  # type: ignore[override]
        """Whether that of a part does."""
        return any(part.knows_size for part in self._mechanisms)

    def grows_with_change(self, neighbours: Neighbours, sides: int) -> bool:
        """That of the one release, if there is but one."""
        return sum(times for _, times in self.parts) == 1 and self.parts[0][0].grows_with_change(neighbours, sides)

    def steps(self, neighbours: Neighbours) -> Counter[Curve] | None:
        """The steps of all parts."""
        found: Counter[Curve] = Counter()
        for part, times in self.parts:
            steps = part.steps(neighbours)
            if steps is None:
                return None
            found.update({step: times * number for step, number in steps.items()})
        return found

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The sum of the losses that the parts never exceed."""
        relation = self.relation(neighbours)
        total, basis, direction = np.zeros(()), Basis.of("losses-add"), Direction.AT_MOST
        for part, times in self.parts:
            sure = part.sure_loss(relation)
            total, basis = add_up(total, up(times * np.asarray(sure.value))), basis | sure.basis
            direction = Direction.combine(direction, sure.direction)
            if np.isinf(total):  # no other part adds to it
                break
        return Finding(curves.LARGEST_LOSS, total, direction, {"promise": self}, basis)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        face = self.curve(neighbours).face
        if isinstance(face, LossDistribution):
            return face
        raise NotImplied("the loss of all together", "is only known by its profile", self, "Use curve() instead.")

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: the outputs of different mechanisms do not fit one array. Sample the parts."""
        raise NotImplied("one sample of several mechanisms", "is not defined", self, "Sample each of .parts instead.")

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"Composed({', '.join(map(repr, self.parts))})"


def listed(parts: Sequence[Mechanism]) -> tuple[Mechanism, ...]:
    """Some mechanisms, at least one."""
    way_out = "Pass mechanisms one by one, such as Geometric(1.0), Geometric(0.5)."
    given = tuple(parts)
    require(len(given) > 0, name="mechanisms", rule="must be at least one", value=parts, way_out=way_out)
    for part in given:
        if not isinstance(part, Mechanism):
            raise InvalidInput("mechanisms", "must be mechanisms", part, way_out)
    return given


def shared(parts: Sequence[Mechanism]) -> tuple[Neighbours, ...]:
    """The relations under which the loss of each is known, in the order of the first; refused if there is none."""
    known = tuple(each for each in parts[0].relations if all(each in part.relations for part in parts))
    if not known:
        rule = "must be known under a common relation between datasets"
        found = "; ".join(repr(part.relations) for part in parts)
        raise Incompatible("mechanisms", rule, found, "Use mechanisms that are about the same neighbours.")
    return known


Stated = Guarantee | guarantees.Composition[Guarantee]


@overload
def compose(*releases: Mechanism) -> Composed: ...
@overload
def compose(*releases: Stated) -> guarantees.Composition[Guarantee]: ...
def compose(*releases: Mechanism | Stated) -> Composed | guarantees.Composition[Guarantee]:
    """All these mechanisms, or all these promises, together: on the same data and with independent noise.

    Promises are stated together by their own rule, whose theorem the result names, and answer by the curve of all of
    them. Mechanisms compose by their exact losses.

    >>> from whit.mechanisms import Gaussian, compose
    >>> compose(Gaussian(3.0), Gaussian(4.0)).loss()
    GaussianLoss(mu=0.4166666666666667)
    """
    promises = [each for each in releases if not isinstance(each, Mechanism)]
    if promises and len(promises) == len(releases):
        return guarantees.compose(*promises)
    if promises:
        way_out = "Use whit.curves.composed([a.curve(), b.curve()]), or compose the promises that the mechanisms keep."
        raise Incompatible("mechanisms and promises", "cannot be composed as one or the other", releases, way_out)
    parts: list[tuple[Mechanism, int]] = []
    for each in listed(tuple(each for each in releases if isinstance(each, Mechanism))):
        parts += each.parts if isinstance(each, Composed) else [(each, 1)]
    return Composed(*parts)
