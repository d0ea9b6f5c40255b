"""Keys that are released only if their noisy value reaches a threshold; and whether a key is released at all.

A key that one person alone has gives that person away if it is released: that is the delta of such a release.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, ChordProfile, Curve, FinitePair, LossDistribution, Order, composed, even_knots
from whit.errors import Incompatible, NotImplied, require
from whit.guarantees import dominating_pair
from whit.guarantees.composition import capped
from whit.mechanisms.details import Around, Detail, Written
from whit.mechanisms.mechanism import AdditiveNoise, Mechanism
from whit.mechanisms.noise import drawn
from whit.numerics import ULP, count, finite, finite_nonnegative, log_expm1, open_probability, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Finding, Quantity, Unit

NEW_KEY = Quantity("probability that the key of a single person is released", Unit.PROBABILITY)
KEPT = Quantity("probability that a key is released", Unit.PROBABILITY)

# Steps between the points of the profile, with chords between them: so few that all keys have at most so many sums.
MOST_STEPS = 128
FEWEST_STEPS = 16
MOST_SUMS = 4096
# Where the noise has less than the chance of a new key at epsilon 0 already, this is as good as 0.
SHORTEST = 1e-9
# The relative rounding of a chance: logs of up to some hundreds, and a few sums of positive terms.
ROUNDING = 1e-12
KEYS = Detail("keys", "K", "How many keys one person has at most. 1 if not given.", Written.WHOLE)
_KEYS = "Use the number of keys that one person has at most, such as 1."


class ThresholdedKeys(Mechanism):
    """What keys by a threshold have in common: adding or removing a person, and a curve that is an upper bound."""

    over_all_data = True

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Adding or removing a person, with all their keys."""
        return (Neighbours.ADD_REMOVE,)

    @property
    def is_exact(self) -> bool:
        """False: which keys others have is not known, and the worst is taken."""
        return False

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        rule = "depends on who else has the keys"
        raise NotImplied("the loss of keys", rule, self, "Use curve(), which is an upper bound.")


@dataclass(frozen=True)
class ThresholdedNoise(ThresholdedKeys):
    """Values by key with noise; those that reach a threshold are released: stability histograms.

    noise       the noise of each value, with the most that one person changes a value as its sensitivity
    threshold   what a noisy value must reach to be released
    keys        to how many keys one person contributes at most

    A key that nobody has is never released, so that the list of keys need not be known beforehand.

    >>> from whit.mechanisms import Laplace
    >>> print(ThresholdedNoise(Laplace(1.0), 10.0).delta(1.0))
    delta is at most 6.18e-5
    """

    around: ClassVar[Around] = Around(
        inner="noise",
        takes=lambda promise: isinstance(promise, AdditiveNoise),
        goes_with="noise that is added to a value",
        way_out="Use {laplace}, {gaussian} or other noise.",
        phrase="released from {threshold} on, keys = {keys}",
        details=(
            Detail("threshold", "NUMBER", "Values by key, released if their noisy value reaches this.", Written.NUMBER),
            KEYS,
        ),
    )
    instead: ClassVar[str] = "Ask for the noise alone, then raise the threshold until delta is small enough."

    noise: AdditiveNoise
    threshold: float
    keys: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no noise on one value, and a threshold that a value without noise reaches."""
        way_out = "Pass noise such as Laplace(2.0), with the change of one value as its sensitivity."
        given: object = self.noise
        known = isinstance(given, AdditiveNoise) and len(given.sensitivity.add_remove) == 1
        require(known, name="noise", rule="must be added to one value for each key", value=self.noise, way_out=way_out)
        self._keep(
            threshold=finite("threshold", self.threshold, "Use a number such as 20."),
            keys=count("keys", self.keys, _KEYS),
        )
        if self.threshold < self.change:
            rule = f"must be at least the change of a value by one person, {self.change:g}"
            raise Incompatible("threshold", rule, self.threshold, "Raise it, or lower what one person adds.")

    @property
    def change(self) -> float:
        """The most that one person adds to a value."""
        return self.noise.sensitivity.add_remove[0]

    @property
    def basis(self) -> Basis:
        """What the noise rests on, and keys that others may or may not have."""
        return self.noise.basis | Basis.of("thresholded-noise")

    def new_key(self) -> Finding:
        """The probability that a key is released which nobody else has."""
        tail = self.noise.noise_tail(_difference_down(self.threshold, self.change))
        bound = min(1.0, float(np.asarray(tail.upper if tail.upper is not None else tail.value)))
        return Finding(NEW_KEY, bound, Direction.AT_MOST, {"promise": self}, self.basis | tail.basis)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """For each key the larger of two profiles: that of the noise, and that of a key which nobody else has."""
        self.relation(neighbours)
        one = Curve(_worse_of_two(self), Direction.AT_MOST, Order.PROFILE, self.basis | Basis.of("profile-chords"))
        return one if self.keys == 1 else composed({one: self.keys})

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, values: ArrayLike = (0.0,)) -> Array:
        """Noisy values along the last axis, nan where a key is left out, for simulation; not for release."""
        known = real_array("values", values, "Give the value of each key, such as [3.0, 50.0].")
        noisy = known + self.noise.sample(rng, (*drawn(size), known.size))
        return np.where(noisy >= self.threshold, noisy, np.nan)


def _difference_down(larger: float, smaller: float) -> float:
    """The largest double that is not above the difference: a smaller distance has the larger tail."""
    exact = Fraction(larger) - Fraction(smaller)
    nearest = float(exact)
    return nearest if Fraction(nearest) <= exact else math.nextafter(nearest, -math.inf)


@lru_cache(maxsize=64)
def _worse_of_two(release: ThresholdedNoise) -> FinitePair:
    """A pair with at least the profile of the noise, and at least the chance of a new key, in both orders."""
    chance = float(np.asarray(release.new_key().value))
    with np.errstate(divide="ignore"):
        floor = float(np.log(chance)) * (1 - 4 * ULP) + 4 * ULP if chance > 0.0 else -np.inf
    noise = release.noise.curve(Neighbours.ADD_REMOVE)
    end = float(np.asarray(noise.epsilon(chance).value))
    if not math.isfinite(end):
        way_out = "Lower the threshold, or use noise with a bounded loss."
        raise NotImplied("the curve of keys", "needs an epsilon at which the noise has that delta", release, way_out)
    knots = even_knots(max(end, SHORTEST), max(FEWEST_STEPS, min(MOST_STEPS, MOST_SUMS // (2 * release.keys) - 1)))
    logs = noise.face.log_delta(knots).maximum(noise.face.reverse().log_delta(knots)).upper
    # At the last point the profile of the noise has fallen to the chance of a new key, which is what remains.
    logs = np.append(np.maximum(logs[:-1], floor), floor)
    return ChordProfile.oriented(knots, logs, knots, logs).pair()


@dataclass(frozen=True, init=False, repr=False)
class PartitionSelection(ThresholdedKeys):
    """Which keys are released, by how many people have each: with the largest chances that epsilon and delta allow.

    epsilon, delta   what is promised of all keys of a person together
    keys             how many keys one person has at most; each gets an equal share
    people           how many people must have a key before it can be released at all

    >>> print(PartitionSelection(1.0, 1e-5).keep(10))
    probability that a key is released is 12.9 % (rounded up)
    """

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "partition_selection",
        "EPSILON",
        "Which keys are released, by how many people have each, with this epsilon and a delta.",
        rising=True,
        bounded=False,
    )
    details = (
        Detail("delta", "NUMBER", "The delta of all keys of a person.", Written.NUMBER, needed=True),
        KEYS,
        Detail("people", "K", "How many people must have a key before it is released.", Written.WHOLE, "fewest_people"),
    )

    stated_epsilon: float
    stated_delta: float
    keys: int
    people: int

    def __init__(self, epsilon: float, delta: float, *, keys: int = 1, people: int = 1) -> None:
        self._keep(
            stated_epsilon=finite_nonnegative("epsilon", epsilon, "Use a number such as 1."),
            stated_delta=open_probability("delta", delta, "Use a small number such as 1e-6."),
            keys=count("keys", keys, _KEYS),
            people=count("people", people, "Use the fewest people that a key must have, such as 1."),
        )

    basis = Basis.of("partition-selection")
    """The largest chances."""

    @property
    def key_epsilon(self) -> float:
        """The share of epsilon for each key."""
        return self.stated_epsilon / self.keys

    @property
    def key_delta(self) -> float:
        """The delta of each key: 1 - (1 - delta)^(1/keys)."""
        if self.keys == 1:
            return self.stated_delta
        return -math.expm1(math.log1p(-self.stated_delta) / self.keys)

    @property
    def crossover(self) -> float:
        """Up to how many people the chances grow by e^epsilon and delta; from then on what is left to 1 shrinks so."""
        if self.key_epsilon == 0.0:
            return float(math.ceil(1 / self.key_delta))
        rise = math.tanh(self.key_epsilon / 2) * (1 / self.key_delta - 1)
        return 1.0 + math.floor(math.log1p(rise) / self.key_epsilon)

    def _log_rising(self, people: ArrayLike) -> Array:
        """Log of delta (e^{n epsilon} - 1)/(e^epsilon - 1), while the chances grow."""
        n = np.asarray(people, dtype=np.float64)
        if self.key_epsilon == 0.0:
            return np.log(n) + math.log(self.key_delta)
        return log_expm1(n * self.key_epsilon) - log_expm1(np.asarray(self.key_epsilon)) + math.log(self.key_delta)

    def keep(self, people: ArrayLike) -> Finding:
        """The probability that a key is released, by how many people have it."""
        n = real_array("people", people, "Use numbers of people such as 10.")
        whole = bool(np.all((n >= 0) & (np.floor(n) == n)))
        require(whole, name="people", rule="must be whole numbers of at least 0", value=people, way_out="Use 10.")
        basis = Basis(theorems=self.basis.theorems, slack=ROUNDING)
        return Finding(KEPT, self._chances(n), Direction.EXACTLY, {"promise": self, "people": n}, basis)

    def _chances(self, people: Array) -> Array:
        """The chances: growing as fast as they may, then as fast as what is left to 1 may shrink."""
        n, first = np.maximum(people - (self.people - 1), 0.0), self.crossover
        rising = np.exp(np.minimum(self._log_rising(np.clip(n, 1.0, first)), 0.0))
        step = 0.0 if self.key_epsilon == 0.0 else self.key_delta / math.expm1(min(self.key_epsilon, 700.0))
        with np.errstate(over="ignore"):
            falling = (1 - rising + step) * -np.expm1(-np.maximum(n - first, 0.0) * self.key_epsilon)
        return np.where(n <= 0, 0.0, np.minimum(rising + falling, 1.0))

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of epsilon and delta for each key, as often as a person has keys."""
        self.relation(neighbours)
        one = dominating_pair(self.key_epsilon, min(1.0, self.key_delta * (1 + 16 * ULP)))
        curve = Curve(one, Direction.AT_MOST, Order.PROFILE, self.basis | Basis.of("dominating-randomized-response"))
        return curve if self.keys == 1 else composed({curve: self.keys})

    def corner(self, neighbours: Neighbours | None = None) -> float:
        """The stated epsilon, from which on delta is the stated one."""
        self.relation(neighbours)
        return self.stated_epsilon

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta at each epsilon; at most the stated one from the stated epsilon on."""
        found = super().delta(epsilons, neighbours=neighbours)
        return capped(found, epsilons, self.stated_epsilon, self.stated_delta)

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon at each delta; at most the stated one from the stated delta on."""
        found = super().epsilon(deltas, neighbours=neighbours)
        return capped(found, deltas, self.stated_delta, self.stated_epsilon)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, people: ArrayLike = (1,)) -> Array:
        """Whether each key is released, along the last axis, for simulation; not for release."""
        chances = self._chances(np.atleast_1d(real_array("people", people, "Use numbers of people such as [1, 30].")))
        return np.asarray(rng.random((*drawn(size), chances.size)) < chances)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        numbers = f"epsilon={self.stated_epsilon!r}, delta={self.stated_delta!r}"
        return f"PartitionSelection({numbers}, keys={self.keys!r}, people={self.people!r})"
