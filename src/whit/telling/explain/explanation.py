"""What an explanation is made of: passages of text that remember every number in them and where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whit.theory import Finding


@dataclass(frozen=True)
class Said:
    """A number as a text says it.

    Attributes:
        text: the words in which the number stands, such as "14 out of 100" or "13.6 %".
        value: the number that these words state.
        finding: the finding that it came from.
        part: what it is of the finding: its "value", one of its inputs such as "inputs.prior", or its "failure".
    """

    text: str
    value: float
    finding: Finding
    part: str = "value"


@dataclass(frozen=True)
class Passage:
    """A piece of text and the numbers in it, in the order in which they stand there."""

    text: str
    numbers: tuple[Said, ...] = ()

    @classmethod
    def of(cls, number: Said) -> Passage:
        """The passage that says one number and nothing else."""
        return cls(number.text, (number,))

    @classmethod
    def joined(cls, passages: Sequence[Passage], between: str = " ") -> Passage:
        """Several passages as one; empty ones are left out.

        >>> Passage.joined([Passage("One."), Passage(""), Passage("Two.")]).text
        'One. Two.'
        """
        some = [each for each in passages if each.text]
        numbers = tuple(number for each in some for number in each.numbers)
        return cls(between.join(each.text for each in some), numbers)


@dataclass(frozen=True)
class Explanation:
    """A text for one audience, paragraph by paragraph, and every number in it with the finding it came from.

    Attributes:
        paragraphs: the text, the gist first.
        numbers: the numbers in the order in which they stand in the text.
    """

    paragraphs: tuple[str, ...]
    numbers: tuple[Said, ...]

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> Explanation:
        """The explanation that has these passages as its paragraphs; empty ones are left out."""
        some = [each for each in passages if each.text]
        return cls(tuple(each.text for each in some), tuple(number for each in some for number in each.numbers))

    @property
    def text(self) -> str:
        """The paragraphs with an empty line between them."""
        return "\n\n".join(self.paragraphs)

    def __str__(self) -> str:
        return self.text
