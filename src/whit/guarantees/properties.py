"""What is known of a guarantee as a definition: does it survive post-processing, mixing and composition?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from whit.theory import require_reference


class Known(Enum):
    """Whether something holds, as far as is known."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "not known"


@dataclass(frozen=True)
class Property:
    """An answer, the sentence that gives the reason, and where it is shown.

    Attributes:
        known: whether the guarantee has the property.
        reason: one sentence.
        cited: key of the publication.
        locator: where in that publication.
    """

    known: Known
    reason: str
    cited: str
    locator: str

    def __post_init__(self) -> None:
        """Refuse a citation that is in no list."""
        require_reference(self.cited)

    def __str__(self) -> str:
        return f"{self.known.value}: {self.reason} ({self.cited}, {self.locator})"


@dataclass(frozen=True)
class Properties:
    """The four questions of Kifer et al. (2022), section 4.2, that a definition can be asked.

    Attributes:
        post_processing: what is computed from a protected output is protected as well.
        convex: choosing at random between two protected releases, whatever the data, gives a protected one.
        adaptive_composition: the promise for several releases follows from their promises, where a later release may
            be chosen by the outcomes of earlier ones and their promises are fixed beforehand.
        fully_adaptive_composition: the same where the promises too are chosen on the way.
    """

    post_processing: Property
    convex: Property
    adaptive_composition: Property
    fully_adaptive_composition: Property
