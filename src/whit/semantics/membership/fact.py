"""What the adversary is asking about, and what a finding came from."""

from __future__ import annotations

from numpy.typing import ArrayLike

from whit.guarantees import Promise
from whit.mechanisms import Release
from whit.semantics.promised import Promised
from whit.setting import Neighbours
from whit.theory import Tree, echo

FACTS = {
    Neighbours.ADD_REMOVE: "that the person is in the data, or that they are not",
    Neighbours.REPLACE: "that the person's record is one of two given ones, or that it is the other",
    Neighbours.LOCAL: "that the record which the person holds is one of two given ones, or that it is the other",
}
"""What the prior and the posterior are about, under each relation: the fact or its opposite, whichever is true."""

OF_A_CURVE = "that the data are one of the two datasets that the curve compares, or that they are the other"


def relation(promised: Promised, neighbours: Neighbours | None) -> Neighbours | None:
    """The relation that is asked about; a bare curve does not know its own."""
    if neighbours is not None:
        Neighbours.checked(neighbours)
    if isinstance(promised, Release):
        return promised.relation(neighbours)
    if isinstance(promised, Promise):
        return promised.neighbours if neighbours is None else neighbours
    return neighbours


def inputs(promised: Promised, neighbours: Neighbours | None, **numbers: ArrayLike) -> dict[str, Tree]:
    """What a finding came from: the promise, the relation, the fact in question and the numbers."""
    asked = relation(promised, neighbours)
    return {
        "promise": echo(promised),
        "neighbours": echo(asked),
        "fact": OF_A_CURVE if asked is None else FACTS[asked],
        **{name: echo(value) for name, value in numbers.items()},
    }
