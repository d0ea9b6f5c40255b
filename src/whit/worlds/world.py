"""A belief and a fully known release: exact answers, by going through all datasets and outcomes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeAlias

from whit.curves import POWER
from whit.errors import Incompatible, InvalidInput, NotImplied, require
from whit.mechanisms import Kernel
from whit.setting import Neighbours
from whit.theory import Direction, Finding, Quantity, Unit
from whit.worlds.belief import Alteration, Belief, Rows, require_alteration
from whit.worlds.exact import (
    Exact,
    Exactly,
    Number,
    Vertex,
    Where,
    distribution,
    finding,
    hull,
    level_at,
    power_at,
    probability,
    rational,
    vertices,
)
from whit.worlds.universe import Dataset, Event, Universe, holds, within

Truth: TypeAlias = Belief | Dataset | None
"""Where the data come from: a law, one dataset, or nothing for the adversary's own belief."""

OUTCOME = Quantity("probability of the outcome", Unit.PROBABILITY)
PRIOR = Quantity("prior probability", Unit.PROBABILITY)
POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY, key="posterior")
COUNTERFACTUAL = Quantity("posterior probability with the record altered", Unit.PROBABILITY)
RATIO = Quantity("ratio of posterior to prior", Unit.NUMBER, key="ratio")
DIFFERENCE = Quantity("change from prior to posterior", Unit.NUMBER, key="difference")
POSTERIOR_RATIO = Quantity(
    "ratio of the posteriors with the record as it is and altered", Unit.NUMBER, key="posterior_ratio"
)
DISTANCE = Quantity(
    "distance between the posteriors with the record as it is and altered", Unit.PROBABILITY, key="total_variation"
)
LEVEL = Quantity("smallest level (false-positive rate) of a test with this power", Unit.PROBABILITY)
ADVANTAGE = Quantity("advantage of the best test", Unit.PROBABILITY, key="advantage")

_ROWS = "Give for each of universe.datasets the probabilities of all outcomes."


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
        return self._chance(name, self.chance_beyond(threshold, closed=closed), threshold)

    def below(self, threshold: float) -> Finding:
        """The probability that the value is less than a threshold. Undefined values do not count."""
        less = 1 - self.undefined - self.chance_beyond(threshold, closed=True)
        return self._chance(f"probability that the {self.quantity.name} is less than the threshold", less, threshold)

    def chance_beyond(self, threshold: float, *, closed: bool = False) -> Fraction:
        """The probability of `beyond`, as a fraction."""
        limit = rational("threshold", threshold, "Use a number such as 0.5.")
        atoms = zip(self.values, self.chances, strict=True)
        over = (chance for value, chance in atoms if value > limit or (closed and value == limit))
        return sum(over, start=Fraction(0))

    def largest(self) -> Finding:
        """The largest value that has a positive probability."""
        if not self.values:
            rule = "has no value: it is not defined after any outcome"
            raise NotImplied(self.quantity.name, rule, "0/0", "Use a belief that does not rule out all the outcomes.")
        return finding(self.quantity, self.values[-1], Direction.EXACTLY, self.inputs, self.theorem)

    def shifted(self, quantity: Quantity, shift: Fraction) -> Law:
        """The law of the value plus a number."""
        return replace(self, quantity=quantity, values=tuple(value + shift for value in self.values))

    def _chance(self, name: str, chance: Fraction, threshold: float) -> Finding:
        inputs = {**self.inputs, "threshold": threshold}
        return finding(Quantity(name, Unit.PROBABILITY), chance, Direction.EXACTLY, inputs, self.theorem)


@dataclass(frozen=True, init=False)
class World:
    """A belief, and for each dataset the probabilities of the outcomes.

    Numbers are taken as they are, doubles to the last bit; rows that do not sum to 1 exactly are divided by their
    sum. All that follows is computed with fractions: an answer is the exact number, rounded once to the nearest
    double, with that rounding as its slack. `exact` holds the fractions.

    >>> from whit.worlds import Has
    >>> one = Universe(1, ("ill", "well"), all_present=True)
    >>> world = World(Belief(one, [0.25, 0.75]), [[0.75, 0.25], [0.25, 0.75]])
    >>> print(world.posterior(Has(0, "ill"), 0))
    posterior probability is exactly 50 %
    """

    belief: Belief
    kernel: Rows

    def __init__(self, belief: Belief, kernel: Sequence[Sequence[Number]]) -> None:
        object.__setattr__(self, "belief", _belief(belief))
        object.__setattr__(self, "kernel", _rows(belief.universe, kernel))

    @classmethod
    def releasing(cls, belief: Belief, law: Callable[[Dataset], Sequence[Number]]) -> World:
        """The world in which a dataset gives outcomes with the probabilities that a function of it returns."""
        way_out = "Pass a function from a dataset to the probabilities of all outcomes."
        rule = "must be a function of the dataset"
        require(callable(law), name="the law of the outcome", rule=rule, value=law, way_out=way_out)
        return cls(belief, [law(dataset) for dataset in _belief(belief).universe.datasets])

    @property
    def universe(self) -> Universe:
        """All the datasets there can be."""
        return self.belief.universe

    @cached_property
    def exact(self) -> Exact:
        """The answers as fractions, without directions and without words."""
        return Exact(self.belief.weights, self.kernel)

    def mechanism(self, neighbours: Neighbours) -> Kernel:
        """The release as a mechanism, with the neighbours of the universe; its probabilities are rounded to doubles."""
        rows = [[float(chance) for chance in row] for row in self.kernel]
        return Kernel(rows, self.universe.neighbours(neighbours), neighbours=neighbours)

    def altered(self, alteration: Alteration) -> World:
        """A world with this belief about the true data, but a release that sees the altered data."""
        return World(self.belief, require_alteration(alteration).of(self.kernel, self.belief))

    def after(self, outcome: int) -> Belief:
        """What the adversary believes about all the data after an outcome."""
        return Belief(self.universe, self.exact.posteriors(self.exact.outcome(outcome)))

    def outcome(self, outcome: int, *, truth: Truth = None) -> Finding:
        """The probability of an outcome, by the belief or for the truth given."""
        chance = self.exact.output(self._truth(truth).weights)[self.exact.outcome(outcome)]
        return self._finding(OUTCOME, chance, "exact-posterior", outcome=outcome)

    def prior(self, event: Event) -> Finding:
        """The probability of an event before the release."""
        return self._finding(PRIOR, self.exact.prior(self._where(event)), "exact-posterior", event=repr(event))

    def posterior(self, event: Event, outcome: int) -> Finding:
        """The probability of an event after an outcome."""
        return self._answer(POSTERIOR, self.exact.posterior, event, outcome)

    def ratio(self, event: Event, outcome: int) -> Finding:
        """The probability of an event after an outcome over that before.

        For the event that a person is in the data with a sensitive record this is the risk of KR24.
        """
        return self._answer(RATIO, self.exact.ratio, event, outcome)

    def counterfactual_posterior(self, alteration: Alteration, event: Event, outcome: int) -> Finding:
        """The probability of an event after an outcome, had the record been altered before the release."""
        ask = self.altered(alteration).exact.posterior
        return self._answer(COUNTERFACTUAL, ask, event, outcome, alteration=repr(alteration))

    def posterior_ratio(self, alteration: Alteration, event: Event, outcome: int) -> Finding:
        """The probability of an event after an outcome over what it would be had the record been altered."""
        ask = partial(self.exact.posterior_ratio, self.altered(alteration).exact)
        return self._answer(POSTERIOR_RATIO, ask, event, outcome, alteration=repr(alteration))

    def total_variation(self, alteration: Alteration, outcome: int) -> Finding:
        """How far the belief about all the data is from what it would be had the record been altered."""
        distance = self.exact.total_variation(self.altered(alteration).exact, self.exact.outcome(outcome))
        inputs = {"alteration": repr(alteration), "outcome": outcome}
        return self._finding(DISTANCE, distance, "exact-counterfactual", **inputs)

    def law_of_posterior(self, event: Event, *, truth: Truth = None) -> Law:
        """How probable each posterior of an event is."""
        return self._law(POSTERIOR, partial(self.exact.posterior, self._where(event)), truth, event=repr(event))

    def law_of_difference(self, event: Event, *, truth: Truth = None) -> Law:
        """How probable each change of the probability of an event is."""
        prior = self.exact.prior(self._where(event))
        return self.law_of_posterior(event, truth=truth).shifted(DIFFERENCE, -prior)

    def law_of_ratio(self, event: Event, *, truth: Truth = None) -> Law:
        """How probable each ratio of posterior to prior of an event is."""
        return self._law(RATIO, partial(self.exact.ratio, self._where(event)), truth, event=repr(event))

    def law_of_posterior_ratio(self, alteration: Alteration, event: Event, *, truth: Truth = None) -> Law:
        """How probable each ratio of the posterior to what it would be is."""
        ratio = partial(self.exact.posterior_ratio, self.altered(alteration).exact, self._where(event))
        return self._law(POSTERIOR_RATIO, ratio, truth, alteration=repr(alteration), event=repr(event))

    def law_of_total_variation(self, alteration: Alteration, *, truth: Truth = None) -> Law:
        """How probable each distance of the posterior from what it would be is."""
        distance = partial(self.exact.total_variation, self.altered(alteration).exact)
        return self._law(DISTANCE, distance, truth, alteration=repr(alteration))

    def power(self, level: Number, *, null: Truth, alternative: Truth) -> Finding:
        """The power of the best test of one law of the data against another, at a level."""
        allowed = probability("level", level, "Use a level such as 0.05.")
        power = power_at(self._corners(null, alternative), allowed)
        return self._finding(POWER, power, "exact-test", level=float(allowed))

    def level(self, power: Number, *, null: Truth, alternative: Truth) -> Finding:
        """The smallest level of a test that has at least this power."""
        least = probability("power", power, "Use a power such as 0.8.")
        return self._finding(LEVEL, level_at(self._corners(null, alternative), least), "exact-test", power=float(least))

    def advantage(self, *, null: Truth, alternative: Truth) -> Finding:
        """The largest power minus level of a test of one law of the data against another."""
        best = max(power - level for level, power in self._corners(null, alternative))
        return self._finding(ADVANTAGE, best, "exact-test")

    def power_whatever_the_rest(self, level: Number, neighbours: Neighbours) -> Finding:
        """At most the power of a test between two records of a person, whatever is believed about everyone else.

        The largest power over all pairs of neighbours is not enough: see the theorem.
        """
        allowed = probability("level", level, "Use a level such as 0.05.")
        pairs = self.universe.neighbours(neighbours)
        ordered = (pair for a, b in pairs for pair in ((a, b), (b, a)))
        corners = hull(vertices(self.kernel[a], self.kernel[b]) for a, b in ordered)
        inputs = {"level": float(allowed), "neighbours": neighbours.name, **self._size}
        keys = ("exact-test", "tests-when-the-rest-is-random")
        return finding(POWER, power_at(corners, allowed), Direction.AT_MOST, inputs, *keys)

    @property
    def _size(self) -> dict[str, int]:
        return {"datasets": len(self.kernel), "outcomes": len(self.kernel[0])}

    def _where(self, event: Event) -> Where:
        return holds(self.universe, event)

    def _corners(self, null: Truth, alternative: Truth) -> tuple[Vertex, ...]:
        return vertices(*(self.exact.output(self._truth(truth).weights) for truth in (null, alternative)))

    def _truth(self, truth: Truth) -> Belief:
        if truth is None:
            return self.belief
        if not isinstance(truth, Belief):
            return Belief(self.universe, {self.universe.datasets[self.universe.place(truth)]: 1})
        if truth.universe == self.universe:
            return truth
        raise Incompatible("truth", "must be about the universe of the world", truth.universe, f"Use {self.universe}.")

    def _answer(
        self, quantity: Quantity, ask: Callable[[Where, int], Exactly], event: Event, outcome: int, **altered: str
    ) -> Finding:
        """The finding of what is asked about an event after an outcome, in this world or against an altered one."""
        value = ask(self._where(event), self.exact.outcome(outcome))
        return self._finding(quantity, value, _theorem(altered), **altered, event=repr(event), outcome=outcome)

    def _finding(self, quantity: Quantity, value: Exactly, key: str, **inputs: Any) -> Finding:
        return finding(quantity, value, Direction.EXACTLY, {**inputs, **self._size}, key)

    def _law(self, quantity: Quantity, ask: Callable[[int], Exactly], truth: Truth, **inputs: str) -> Law:
        """The law of what is asked, over the outcomes that the truth makes possible."""
        chances: defaultdict[Exactly, Fraction] = defaultdict(Fraction)
        undefined = Fraction(0)
        for outcome, chance in enumerate(self.exact.output(self._truth(truth).weights)):
            if chance > 0:
                try:
                    chances[ask(outcome)] += chance
                except NotImplied:
                    undefined += chance
        values = tuple(sorted(chances))
        ordered = tuple(chances[value] for value in values)
        return Law(quantity, values, ordered, undefined, {**inputs, **self._size}, _theorem(inputs))


def _belief(belief: object) -> Belief:
    if isinstance(belief, Belief):
        return belief
    raise InvalidInput("belief", "must be a Belief", belief, "Use Belief.uniform(universe) or the like.")


def _theorem(inputs: Mapping[str, object]) -> str:
    return "exact-counterfactual" if "alteration" in inputs else "exact-posterior"


def _rows(universe: Universe, kernel: Sequence[Sequence[Number]]) -> Rows:
    """For each dataset probabilities of the same outcomes."""
    try:
        given = list(kernel)
    except TypeError as not_a_list:
        raise InvalidInput("a kernel", "must be a list of rows", kernel, _ROWS) from not_a_list
    rule = f"must have a row for each of {len(universe.datasets)} datasets"
    fits = len(given) == len(universe.datasets)
    require(fits, name="a kernel", rule=rule, value=f"{len(given)} rows", way_out=_ROWS)
    sizes = {len(row) if hasattr(row, "__len__") else 0 for row in given}
    within(len(given) * max(sizes), "a world", "pairs of a dataset and an outcome")
    rows = tuple(distribution(f"row {place} of the kernel", row, _ROWS) for place, row in enumerate(given))
    rule = "must have as many outcomes in each row"
    require(len(sizes) == 1, name="a kernel", rule=rule, value=f"rows of {sorted(sizes)} outcomes", way_out=_ROWS)
    return rows
