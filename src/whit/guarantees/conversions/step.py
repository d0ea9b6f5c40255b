"""One step from a promise to another that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from whit.curves import Curve
from whit.errors import NotImplied
from whit.guarantees.guarantee import Guarantee
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Theorem, theorem

Source: TypeAlias = Guarantee | Curve
"""What a conversion starts from: a promise, or the curve of a release."""


@dataclass(frozen=True)
class Edge:
    """A theorem that turns one kind of promise into another.

    Attributes:
        source: the type that it starts from.
        target: the type of promise that it leads to.
        theorem: key of the theorem.
        lossless: whether the way back exists and leads to the same promise.
        apply: takes the promise, and by keyword the parameters of the target that are free to choose.
        sharp: whether nothing better of the target's type follows from the source alone.
        one_point: whether the target is one point whatever is asked, so that it can be had without a parameter.
        curved: whether the step reads the curve of the source, and so rests on what that curve rests on.
    """

    source: type[Source]
    target: type[Guarantee]
    theorem: str
    lossless: bool
    apply: Callable[..., Guarantee]
    sharp: bool = False
    one_point: bool = False
    curved: bool = False

    def __post_init__(self) -> None:
        """Refuse a theorem that is in no list."""
        theorem(self.theorem)

    @property
    def entry(self) -> Theorem:
        """The theorem itself."""
        return theorem(self.theorem)

    def basis(self, source: Source) -> Basis:
        """What the step from this source rests on."""
        own = Basis.of(self.theorem)
        return curve_of(source).basis | own if self.curved else own

    def __str__(self) -> str:
        ending = "" if self.lossless else "; something is lost"
        return f"{self.entry.title} ({self.entry.reference}, {self.entry.locator}{ending})"


def curve_of(source: Source) -> Curve:
    """The curve of a source, if it is an upper bound."""
    curve = source if isinstance(source, Curve) else source.curve()
    if curve.direction in (Direction.AT_MOST, Direction.EXACTLY):
        return curve
    rule = "cannot be made of a curve that is no upper bound"
    raise NotImplied("a promise", rule, curve.direction.name, "Use the curve of a mechanism or of a promise.")


def neighbours_of(source: Source) -> Neighbours:
    """The relation between datasets that a source is about; a curve is taken to be about add/remove."""
    return source.neighbours if isinstance(source, Guarantee) else Neighbours.ADD_REMOVE


def under_edge(source: type[Guarantee]) -> Edge:
    """The step of a kind of promise to another relation between datasets."""
    return Edge(source, source, "replacing-is-removing-and-adding", False, under)


def group_edge(source: type[Guarantee]) -> Edge:
    """The step of a kind of promise from one record to a group."""
    return Edge(source, source, "group-privacy", False, group)


def under(source: Guarantee, *, neighbours: Neighbours) -> Guarantee:
    """The promise under another relation, where it follows."""
    return source.under(neighbours)


def group(source: Guarantee, *, size: int) -> Guarantee:
    """The promise to a group of so many records."""
    return source.group(size)
