"""A promise to somebody on whom others depend: what it comes to between any two contents of a block of people.

A block is this person and those whose data may depend on theirs, such as a household. Whoever believes in such a
dependence compares mixtures over what the whole block may hold, and a promise about one person says too little of them.
What is believed of the people outside the block must not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from whit.curves.face import Array, Face
from whit.curves.promise import Promise, copies
from whit.setting import Knowledge, Neighbours, block_size
from whit.theory import Basis, Finding

if TYPE_CHECKING:
    from whit.curves.curve import Curve

BASIS = Basis.of("beliefs-within-a-block")


@dataclass(frozen=True)
class Block(Promise):
    """What is promised to a person in a block of so many people, who may depend on each other in any way.

    Every question is answered for mixtures over what the block holds, whatever is known of the people outside it.

    Attributes:
        promise: what is promised to one person.
        people: how many the block has at most, this person among them.
        neighbours: by what this person's own data differ; as the promise has it if none is named.

    >>> from whit.guarantees import PureDP
    >>> print(Block(PureDP(1.0, neighbours=Neighbours.REPLACE), 2).sure_loss())
    epsilon is at most 2
    """

    promise: Promise
    people: int
    neighbours: Neighbours | None = None

    def __post_init__(self) -> None:
        """Refuse what is no number of people."""
        self._keep(people=block_size(self.people))

    def between(self, neighbours: Neighbours | None = None) -> Promise:
        """What is promised between any two contents of the block, as mixtures keep it."""
        return _between(self.promise, self.people, self.neighbours if neighbours is None else neighbours)

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """A curve that bounds mixtures over what the block holds."""
        curve = self.between(neighbours).curve().by_profile()
        return replace(curve, basis=curve.basis | BASIS)

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours | None:
        """The relation that is named, else the one that the promise is about."""
        return self.promise.relation(self.neighbours if neighbours is None else neighbours)

    def times(self, count: int) -> Block:
        """The same people in so many releases, each with this promise."""
        return replace(self, promise=self.promise.times(copies(count)))

    def known_by(self, knows: Knowledge) -> Knowledge:
        """Anything may be believed of the block, also by somebody who knows all the others."""
        Knowledge.checked(knows)
        return Knowledge.ANY_BELIEF

    @property
    def by_divergences(self) -> bool:  # type: ignore[override]
        """Whether what is promised between contents bounds Rényi divergences."""
        return self.between().by_divergences

    @property
    def power_theorem(self) -> str:  # type: ignore[override]
        """Key of the theorem that gives the power of tests between contents in closed form, if there is one."""
        return self.between().power_theorem

    @property
    def is_stated(self) -> bool:
        """Whether the profile between contents is in closed form."""
        return self.promise.is_stated

    def has_concave_power(self, face: Face) -> bool:
        """Whether the power between contents bounds all mixtures as it stands."""
        return self.between().has_concave_power(face)

    def knows_tail(self, neighbours: Neighbours | None = None) -> bool:
        """Whether more is known of the tail between contents than by the profile."""
        return self.between(neighbours).knows_tail()

    def beyond(self, losses: ArrayLike, *, sides: int = 1, neighbours: Neighbours | None = None) -> Finding:
        """The best bound on the tail of the loss at each threshold."""
        return self._own(self.between(neighbours).beyond(losses, sides=sides))

    def chances_beyond(self, losses: Array, *, sides: int = 1, neighbours: Neighbours | None = None) -> Array:
        """The numbers of `beyond`."""
        return self.between(neighbours).chances_beyond(losses, sides=sides)

    def likely_loss(self, chances: Array, *, neighbours: Neighbours | None = None) -> Array | None:
        """About where the bound on the tail comes down to each chance."""
        return self.between(neighbours).likely_loss(chances)

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The loss that is never exceeded; infinite where there is none."""
        return self._own(self.between(neighbours).sure_loss())

    def corner(self, neighbours: Neighbours | None = None) -> float | None:
        """The epsilon at which the profile has a corner that its parameters tell."""
        return self.between(neighbours).corner()

    def mixed(self, neighbours: Neighbours | None = None) -> Block:
        """The block itself: it is about mixtures already."""
        return replace(self, neighbours=self.relation(neighbours))

    def bounded_epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon of pbdp at each delta."""
        return self._own(self.between(neighbours).bounded_epsilon(deltas))

    def bounded_delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta of pbdp at each epsilon."""
        return self._own(self.between(neighbours).bounded_delta(epsilons))

    def to_dict(self) -> dict[str, Any]:
        """The promise to one person, and the size of the block."""
        return {"kind": type(self).__name__, "promise": self.promise.to_dict(), "people": self.people}

    def __repr__(self) -> str:
        """The expression that builds it."""
        return f"{self.promise!r}.block({self.people})"

    def _own(self, found: Finding) -> Finding:
        """A finding about the contents, as one about the block."""
        return replace(found, inputs={**found.inputs, "promise": self}, basis=found.basis | BASIS)


@lru_cache(maxsize=64)
def _between(promise: Promise, people: int, neighbours: Neighbours | None) -> Promise:
    return promise.between_contents(people, promise.relation(neighbours))
