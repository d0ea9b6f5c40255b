"""The waist of the hourglass as a type: what is known of a release, and the questions that can be put to it.

`promise.delta(epsilons)` and `promise.epsilon(deltas)` are questions. So the parameters that a promise was stated with
are kept under other names, `stated_epsilon` and `stated_delta`: ApproxDP(epsilon=1, delta=1e-6).stated_epsilon is 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit import curves
from whit.curves import questions
from whit.curves.face import Array, Face, Order
from whit.errors import InvalidInput, NoPromise, NotImplied
from whit.numerics import count
from whit.setting import Knowledge, Neighbours, block_size
from whit.theory import Basis, Direction, Finding

if TYPE_CHECKING:
    from whit.curves.curve import Curve

_PROMISE = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), or a curve."
_ELSEWHERE = ("DpEvent", "Accountant", "Measurement", "DPBudget", "Odometer", "Learned")
"""How the classes end whose objects `exchange` reads, and the class of what it makes of them."""


class Promise(ABC):
    """What is known of a release: a guarantee, a mechanism, a composition of them, or a curve that others computed.

    A question about a promise is asked between neighbours of its own relation, unless another one is named.
    """

    by_divergences: ClassVar[bool] = False
    """Whether it bounds Rényi divergences, which say more of tests than the (epsilon, delta) that follow from them."""

    power_theorem: ClassVar[str] = ""
    """Key of the theorem that gives the power of tests under it in closed form, if there is one."""

    @abstractmethod
    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """A curve between neighbours that the release does not exceed."""

    @abstractmethod
    def relation(self, neighbours: Neighbours | None = None) -> Neighbours | None:
        """The relation that a question is about: the one named, else its own; None where it has none."""

    @abstractmethod
    def times(self, count: int) -> Promise:
        """What so many releases, each with this promise, come to together."""

    def group(self, size: int) -> Promise:
        """What is promised to a group of so many records, instead of one."""
        way_out = "Ask a mechanism for its sensitivity to a whole group, or state what it promises as a guarantee."
        raise NotImplied("a promise to a group", "does not follow from a curve", self, way_out)

    @property
    def group_of(self) -> tuple[Promise, int] | None:
        """What one record of a group is promised, and how many records it has; None where it is about one record."""
        return None

    def block(self, people: int) -> Promise:
        """What is promised to somebody in a block of so many people, who may depend on each other in any way.

        >>> from whit.guarantees import PureDP
        >>> from whit.semantics.membership import posterior
        >>> print(posterior(PureDP(1.0, neighbours=Neighbours.REPLACE).block(2), 0.5))
        posterior probability of the truth is at most 88.1 %
        """
        return self if block_size(people) == 1 else curves.Block(self, people)

    def between_contents(self, people: int, neighbours: Neighbours | None) -> Promise:
        """What is promised between any two contents of a block of so many people, as mixtures of them keep it."""
        rule, way_out = (
            "does not follow from this promise",
            "Ask about a guarantee or a mechanism, or about one person.",
        )
        raise NotImplied("a promise to people who depend on each other", rule, self, way_out, parameter="block")

    def known_by(self, knows: Knowledge) -> Knowledge:
        """What somebody with such knowledge is taken to know of those on whom the promise turns."""
        return Knowledge.checked(knows)

    def composable(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve that stands for this promise among others of another kind; it may be looser than its own."""
        return self.curve(neighbours)

    @property
    def composed_of(self) -> tuple[tuple[Promise, int], ...]:
        """The releases that it is composed of, each with how often it is made; none if it is one release."""
        return ()

    @property
    def kept(self) -> Promise | None:
        """The guarantee that says all that is known of the release, where it says more than the curve."""
        return None

    @property
    def in_one(self) -> Promise:
        """The one promise that several are stated as, which may promise less than they do; else itself."""
        return self

    def stated_under(self, neighbours: Neighbours | None = None) -> Mapping[str, Any]:
        """Its parameters under a relation, by the names that it is built with; none if it is not stated by any."""
        return {}

    @property
    def composition_basis(self) -> Basis:
        """What two releases with this promise add up by."""
        return Basis.of("losses-add")

    @property
    def is_exact(self) -> bool:
        """Whether an infinite loss is what the release does, and not what is left unproved."""
        return False

    def has_concave_power(self, face: Face) -> bool:
        """Whether the power bounds all mixtures of neighbours as it stands, so that no hull is needed."""
        return face.is_one_pair

    def knows_tail(self, neighbours: Neighbours | None = None) -> bool:
        """Whether it bounds the tail of the loss itself, and not only through its profile."""
        return self.curve(neighbours).order is Order.LOSS

    def covered(self, neighbours: Neighbours | None = None, *, sides: int = 1) -> tuple[Promise, ...]:
        """Promises; one of them bounds the tail of each person whom this one covers, at every loss above 0.

        A guarantee bounds the tail of everybody itself, and a bare curve is about nobody else.
        """
        return (self,)

    def beyond(self, losses: ArrayLike, *, sides: int = 1, neighbours: Neighbours | None = None) -> Finding:
        """The best bound on P[Z > t] at each loss t > 0, or with `sides=2` on P[Z > t] + P[Z < -t]: for everybody."""
        found = [each.beyond(losses, sides=sides) for each in self.covered(neighbours, sides=sides)]
        if len(found) == 1 and np.all(np.asarray(losses) >= 0.0):
            return found[0]
        # Whoever takes part in nothing has the loss 0.
        most = np.where(np.asarray(losses) < 0.0, 1.0, np.max([np.asarray(each.value) for each in found], axis=0))
        direction = Direction.combine(Direction.AT_MOST, *(each.direction for each in found))
        return Finding(found[0].quantity, most, direction, found[0].inputs, reduce(or_, (each.basis for each in found)))

    def chances_beyond(self, losses: Array, *, sides: int = 1, neighbours: Neighbours | None = None) -> Array:
        """The numbers of `beyond`: a search asks often, and needs nothing else of a finding."""
        return np.asarray(self.beyond(losses, sides=sides, neighbours=neighbours).value)

    def likely_loss(self, chances: Array, *, neighbours: Neighbours | None = None) -> Array | None:
        """About where the bound on the tail comes down to each chance, if more is known than by its curve: a start."""
        return None

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The loss that is never exceeded; infinite where there is none."""
        return curves.sure_loss_of(self.curve(neighbours))

    def corner(self, neighbours: Neighbours | None = None) -> float | None:
        """The epsilon at which the profile has a corner that its parameters give; None where they give none."""
        return None

    @property
    def is_stated(self) -> bool:
        """Whether it is a guarantee, whose profile is in closed form and may be searched without end."""
        return False

    def mixed(self, neighbours: Neighbours | None = None) -> Promise:
        """What is left of it for adversaries who do not know the other records, and compare mixtures of neighbours.

        A bound by the profile survives mixing; the tail of a mechanism's own loss need not.
        """
        return self.curve(neighbours).by_profile()

    def ever(self, neighbours: Neighbours | None = None) -> Promise:
        """What bounds the loss at every moment, while the releases come out one after the other.

        A bound by the profile does, since stopping is processing; the tail of a mechanism's own loss need not.
        """
        return self.mixed(neighbours)

    def step_to(self, neighbours: Neighbours | None) -> Basis:
        """What leads from its own relation to another one that is asked about, where its curve does not say so."""
        return Basis()

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta for which the release is (epsilon, delta)-differentially private, at each epsilon."""
        return questions.delta(self, epsilons, neighbours=neighbours)

    def log_delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """Log of the smallest delta at each epsilon: for deltas too small for a double."""
        return questions.log_delta(self, epsilons, neighbours=neighbours)

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon for which the release is (epsilon, delta)-differentially private, at each delta."""
        return questions.epsilon(self, deltas, neighbours=neighbours)

    def power(self, levels: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The largest power of a test of one dataset against the other, at each level (false-positive rate)."""
        return questions.power(self, levels, neighbours=neighbours)

    def log_power(self, log_levels: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """Log of the largest power, at each log of a level: for levels and powers too small for a double."""
        return questions.log_power(self, log_levels, neighbours=neighbours)

    def renyi(self, orders: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The Rényi divergence between neighbours, at each order above 1; infinity asks for the largest loss."""
        return curves.renyi_divergence(self, orders, neighbours=neighbours)

    def covering_mu(self, *, least_error: float = 0.0, neighbours: Neighbours | None = None) -> Finding:
        """The smallest mu of Gaussian privacy that covers it; for tests with both errors at least that, if given."""
        return curves.covering_mu(self, least_error=least_error, neighbours=neighbours)

    def tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] that the privacy loss exceeds each threshold t."""
        return questions.tail(self, losses, neighbours=neighbours)

    def lower_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z < -t] that the privacy loss falls below minus each threshold t >= 0."""
        return questions.lower_tail(self, losses, neighbours=neighbours)

    def two_sided_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] + P[Z < -t] that the privacy loss is beyond each threshold t >= 0 on either side."""
        return questions.two_sided_tail(self, losses, neighbours=neighbours)

    def bounded_epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon of pbdp at each delta: no processed output of probability delta raises odds by more."""
        return questions.bounded_epsilon(self, deltas, neighbours=neighbours)

    def bounded_delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta of pbdp at each epsilon: the tail of the loss, made proof against processing."""
        return questions.bounded_delta(self, epsilons, neighbours=neighbours)

    def to_dict(self) -> dict[str, Any]:
        """The promise as a plain tree: its kind, and its parameters by name."""
        return {"kind": type(self).__name__, "as": repr(self)}

    def _keep(self, **values: object) -> None:
        """Put validated values into the frozen fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


def require_promise(promise: object) -> Promise:
    """The promise, if it is one."""
    if isinstance(promise, Promise):
        return promise
    NoPromise.stop(promise)
    raise InvalidInput(
        "promise", "must be a promise, a mechanism or a curve", promise, way_to_promise(promise, _PROMISE)
    )


def way_to_promise(given: object, usual: str) -> str:
    """What to pass instead of something that is no promise: for an object of another library, what whit reads of it.

    Args:
        given: what was passed.
        usual: what to say of anything else.
    """
    several = isinstance(given, list | tuple) and not hasattr(given, "class_name")
    for each in given if several else [given]:  # type: ignore[attr-defined]
        name = getattr(each, "class_name", type(each).__name__)
        if isinstance(name, str) and name.endswith(_ELSEWHERE):
            return (
                "Pass its promise." if name == "Learned" else f"Pass whit.exchange.learn(x).promise: it reads a {name}."
            )
    return usual


def copies(number: object) -> int:
    """How many releases: a whole number of at least 1."""
    return count("count", number, "Use the number of releases, such as 12.")
