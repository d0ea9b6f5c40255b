"""Concerns: what about their record a person wants kept. Two datasets then differ in that, and in nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from whit.errors import InvalidInput, require
from whit.plans.plan import Plan, unknown_name
from whit.plans.query import attribute_names, require_words
from whit.setting import Neighbours


@dataclass(frozen=True)
class Within:
    """A place within a larger one: the larger one is no secret, which place of it is one.

    >>> print(Within("Block", "Tract"))
    Block within Tract
    """

    level: str
    larger: str

    def __post_init__(self) -> None:
        require_words("the level of a place", self.level)
        require_words("the level of a larger place", self.larger)

    def __str__(self) -> str:
        return f"{self.level} within {self.larger}"

    def moved(self, plan: Plan) -> frozenset[str]:
        """The levels at which the place may be another: all that are finer than the larger place.

        A place of a coarser level than the finest cannot be another without those below it being others too.
        """
        for column, level in (("level", self.level), ("larger", self.larger)):
            if level not in plan.levels:
                raise unknown_name(f"the place of a concern, {column}", level, plan.levels)
        if self.level not in plan.below(self.larger):
            way_out = f"The levels are, from the coarsest on, {', '.join(plan.levels)}."
            raise InvalidInput("the place of a concern", "must lie within a larger one", str(self), way_out)
        return frozenset(plan.below(self.larger)) - set(plan.single)


@dataclass(frozen=True)
class Anywhere:
    """A place, wherever: no larger place is known."""

    def __str__(self) -> str:
        return "place, anywhere"

    def moved(self, plan: Plan) -> frozenset[str]:
        """Every level with more than one place."""
        return frozenset(plan.levels) - set(plan.single)


@dataclass(frozen=True)
class Settled:
    """A place that is no secret."""

    def __str__(self) -> str:
        return "place known"

    def moved(self, plan: Plan) -> frozenset[str]:
        """No level."""
        return frozenset()


Place = Within | Anywhere | Settled


@dataclass(frozen=True)
class Change:
    """In what two datasets differ that a concern compares.

    Attributes:
        attributes: the attributes of the record that may be others.
        moved: the levels at which its place may be another.
        everything: whether every part of the record may be another.
        neighbours: whether a record is replaced, or added or removed.
    """

    attributes: frozenset[str]
    moved: frozenset[str]
    everything: bool
    neighbours: Neighbours


class Concern(ABC):
    """What somebody wants kept; a frozen value."""

    @abstractmethod
    def change(self, plan: Plan) -> Change:
        """In what the datasets differ that the concern compares."""


@dataclass(frozen=True)
class About(Concern):
    """Some attributes of the record, or its place within a larger one, or both.

    >>> print(About(["race"], Within("Block", "Tract")))
    race; Block within Tract
    """

    attributes: tuple[str, ...] = ()
    place: Place = field(default_factory=Settled)
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", attribute_names(self.attributes))
        way_out = "Use Within('Block', 'Tract'), Anywhere(), or leave it out if the place is no secret."
        known = isinstance(self.place, Place)
        require(known, name="place", rule="must be a place", value=self.place, way_out=way_out)
        secret = bool(self.attributes) or not isinstance(self.place, Settled)
        require(secret, name="a concern", rule="must be about something", value="nothing", way_out="Name an attribute.")

    def change(self, plan: Plan) -> Change:
        """These attributes, and the levels below the larger place."""
        listed = tuple(dict.fromkeys(name for kind in plan.table.kinds for name in kind.attributes))
        for name in self.attributes:
            if name not in listed:
                raise unknown_name("the attributes of a concern", name, listed)
        anywhere = isinstance(self.place, Anywhere)
        everything = anywhere and set(self.attributes) >= set(plan.attributes)
        return Change(frozenset(self.attributes), self.place.moved(plan), everything, Neighbours.REPLACE)

    def __str__(self) -> str:
        place = "" if isinstance(self.place, Settled) else str(self.place)
        words = "; ".join(filter(None, [", ".join(self.attributes), place]))
        return f"{self.name} ({words})" if self.name else words


@dataclass(frozen=True)
class WholeRecord(Concern):
    """Everything about the record: any other one might stand in its place."""

    def change(self, plan: Plan) -> Change:
        """All attributes, and the place anywhere."""
        return Change(frozenset(plan.attributes), Anywhere().moved(plan), True, Neighbours.REPLACE)

    def __str__(self) -> str:
        return "the whole record"


@dataclass(frozen=True)
class Presence(Concern):
    """Whether the record is in the data at all."""

    def change(self, plan: Plan) -> Change:
        """One record more, or one less."""
        return Change(frozenset(plan.attributes), frozenset(plan.levels), True, Neighbours.ADD_REMOVE)

    def __str__(self) -> str:
        return "being in the data"
