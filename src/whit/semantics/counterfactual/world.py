"""What stands in the place of a person's record in the world without them."""

from __future__ import annotations

from enum import Enum

from whit.curves import Promise, require_promise
from whit.errors import InvalidInput, require
from whit.setting import Neighbours

_WORLD = "Use CounterfactualWorld.DROPPED, DEFAULT_RECORD or POSTERIOR_SAMPLE."


class CounterfactualWorld(Enum):
    """A world without the person: what becomes of their record there; the value is a sentence that says it.

    In each of them the adversary knows in which world they are, and believes the same of the data as in the actual one.
    They differ in what the release is run on, and so in which neighbours a promise has to be about:

    DROPPED           the release is run on one record less: neighbours add or remove a record
    DEFAULT_RECORD    a fixed record takes the place: neighbours replace a record
    POSTERIOR_SAMPLE  a record drawn from what the rest of the data tells of the person takes the place: neighbours
                      replace a record. What the output tells of everyone else is then the same in both worlds, and so
                      the bounds are half as large in the exponent.

    Where the adversary knows everyone else, the output of the world without the person tells them nothing, and the
    three are one: their posterior there is their prior.

    >>> CounterfactualWorld.DROPPED.neighbours
    Neighbours.ADD_REMOVE
    """

    DROPPED = "The release is run on the data without the person's record."
    DEFAULT_RECORD = "The release is run on the data with a fixed record in the place of the person's own."
    POSTERIOR_SAMPLE = (
        "The release is run on the data with a record in the place of the person's own that is drawn from what the "
        "adversary would believe of it if they knew everyone else."
    )

    @property
    def neighbours(self) -> Neighbours:
        """The relation between the actual data and those of this world, which the promise must be about."""
        return Neighbours.ADD_REMOVE if self is CounterfactualWorld.DROPPED else Neighbours.REPLACE

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"CounterfactualWorld.{self.name}"


def stated(world: CounterfactualWorld | None, promise: Promise) -> CounterfactualWorld:
    """The world asked for; if none is, the one that the promise's own neighbours speak of."""
    if world is not None:
        return checked(world)
    own = _own(promise)
    return CounterfactualWorld.DROPPED if own is Neighbours.ADD_REMOVE else CounterfactualWorld.DEFAULT_RECORD


def checked(world: CounterfactualWorld) -> CounterfactualWorld:
    """The world, if it is one."""
    known_one, rule = isinstance(world, CounterfactualWorld), "must be one of CounterfactualWorld"
    require(known_one, name="world", rule=rule, value=world, way_out=_WORLD)
    return world


def _own(promise: Promise) -> Neighbours:
    relation = require_promise(promise).relation()
    if relation is None:
        rule = "must be given for a curve, which does not say between which neighbours it is"
        raise InvalidInput("world", rule, None, _WORLD)
    return relation
